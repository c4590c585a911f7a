"""What the search for cues knows of a language, as tables over signs: bytes of Latin 1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from scrubjay.taggers._mending.people.bare_surnames import HEAD
from scrubjay.taggers._mending.people.bare_surnames import heads as surname_heads
from scrubjay.taggers._mending.people.glued import title_heads
from scrubjay.taggers._mending.people.initials import KEYS
from scrubjay.taggers._mending.people.nicknames import OPENING
from scrubjay.taggers._mending.people.person_keys import Telling, find_telling
from scrubjay.taggers._mending.sign_ins import sign_in_heads

Flags = npt.NDArray[np.bool_]

_UNKNOWN = ord("?")
"""What stands for every character beyond Latin 1."""

_MOST_LETTERS, _MOST_TITLES = 3, 8
"""Letters of a title that are compared, and titles that differ in them, a bit for each."""


@dataclass(frozen=True, slots=True)
class Table:
    """`tails` (65,536) tells which two letters, the first times 256, may end a key.

    `thirds` tells which two may stand before its last letter, where the first may be any sign.
    `letters` are tables for `bytes.translate`, for the first letters of titles: a bit for each
    title that may have this letter there. `heads` (65,536) are of runs of capitals, or None where
    none are asked for.
    """

    tails: Flags
    thirds: Flags
    letters: tuple[bytes, ...]
    heads: Flags | None


@cache
def find_table(language: str) -> Table:
    """Return the tables of a language; raises `ValueError` for one that nothing is known of."""
    known = find_telling(language)
    if known is None:
        raise ValueError(f"nothing is known of persons in {language!r}")
    tails = _pairs(tail[-2:] for tail in known.tails)
    thirds = _pairs(tail[-3:-1] for tail in known.tails if len(tail) > 2)
    for short in (tail[0] for tail in known.tails if len(tail) == 2):
        thirds[ord(short) :: 256] = thirds[ord(short.upper()) :: 256] = True
    for flags in (tails, thirds):
        # What its small letters are is not known of a character beyond.
        flags[_UNKNOWN << 8 : (_UNKNOWN + 1) << 8] = flags[_UNKNOWN::256] = True
    heads = _pairs(title_heads()) if language == "en" else None
    return Table(tails, thirds, _letters(known), heads)


def _pairs(written: Iterable[str]) -> Flags:
    """Return a table of pairs of letters, small or not."""
    flags = np.zeros(1 << 16, np.bool_)
    for pair in written:
        first, second = pair[0], pair[1]
        for one in {first, first.upper()}:
            for other in {second, second.upper()}:
                if len(one) == len(other) == 1 and ord(one) < 256 and ord(other) < 256:
                    flags[ord(one) << 8 | ord(other)] = True
    return flags


def _letters(known: Telling) -> tuple[bytes, ...]:
    titles = sorted({title.lower()[:_MOST_LETTERS] for title in known.titles})
    if len(titles) > _MOST_TITLES:
        raise ValueError(f"{len(titles)} titles, and a byte has {_MOST_TITLES} bits")
    tables = []
    for number in range(max(map(len, titles))):
        table = bytearray(256)
        for bit, title in enumerate(titles):
            for code in range(256):
                if number >= len(title) or title[number] == chr(code).lower():
                    table[code] |= 1 << bit
        tables.append(bytes(table))
    return tuple(tables)


@cache
def head_table(language: str) -> npt.NDArray[np.uint32]:
    """Return which fourth characters follow each three of what stands beside a person or password.

    They are a bit for each, five of a sign.
    """
    heads = {key[:HEAD] for key in sign_in_heads(language)}
    if language == "en":
        heads |= surname_heads() | {key[:HEAD] for key in KEYS}
    fourths = np.zeros(1 << 15, np.uint32)
    for head in heads:
        first, second, *others = (ord(sign) & 31 for sign in head)
        # What follows a short word is any sign.
        bits = 1 << others[1] if len(others) > 1 else 0xFFFFFFFF
        for third in others[:1] or range(32):
            fourths[first << 10 | second << 5 | third] |= np.uint32(bits)
    return fourths


@cache
def quotes() -> bytes:
    """Return a table for `bytes.translate` of the signs that a quotation may begin with."""
    return bytes(code in OPENING.encode("latin-1", "replace") for code in range(256))
