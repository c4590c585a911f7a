"""What one walk over the texts of a batch tells of their capitals, for those that may lack some.

The walk is compiled (`_case_kernel`). It tells less than there is of words: that one may be among
some, by a sieve. Who asks looks at each of those again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

KERNEL = ("features/_case_kernel.py", "case_loop")

LETTER, CAPITAL, SMALL, LEAD, GAP, BEYOND = (1 << bit for bit in range(6))
"""What a sign may be, a bit for each: as `one_case` and `capitals` tell letters; what a capital
within a sentence stands behind, next to its blank or hyphen; and what may be a letter, as "?" may
be any."""

FACTOR = 0x9E37_79B9_7F4A_7C15
"""What a letter is multiplied with, and the sum of those before it in its word."""

SLOT_BITS, FIRST_SHIFT, SECOND_SHIFT = 22, 42, 20
"""Bits of a sum that are a place in the sieve, and where the two of each sum begin."""

_EDGE = "\n\n"
_WORDS_A_TEXT = 8
"""Words of a text for which there is room at first."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the walk saw of a text.

    `titled` are capitals before a small letter, and `within` those within sentences. `is_plain` is
    that it has no lines in capitals alone that `lower_lines` would put in small letters. `words`
    are those in small letters that may be of the sieve: where each begins and ends, where its line
    begins, and capitals within that.
    """

    titled: int
    within: int
    is_plain: bool
    words: Sequence[tuple[int, int, int, int]]


def sieve_words(words: Collection[str]) -> npt.NDArray[np.uint8]:
    """Return the sieve of those words that are letters of Latin 1 alone: two bits for each."""
    bits = np.zeros(1 << SLOT_BITS, np.bool_)
    letters = [word for word in words if word.isalpha() and max(word) < "\u0100"]
    if letters:
        rows = np.array([word.encode("latin-1") for word in letters])
        sums = np.zeros(len(rows), np.uint64)
        for column in rows.view(np.uint8).reshape(len(rows), -1).T:
            more = (sums + column) * np.uint64(FACTOR)
            sums = np.where(column > 0, more, sums)
        mask = np.uint64((1 << SLOT_BITS) - 1)
        for shift in (FIRST_SHIFT, SECOND_SHIFT):
            bits[sums >> np.uint64(shift) & mask] = True
    return np.packbits(bits, bitorder="little")


def look_through(texts: Sequence[str], sieve: npt.NDArray[np.uint8]) -> Iterator[Look]:
    """Yield what the compiled walk saw of each text."""
    from scrubjay.features._case_kernel import case_loop

    joined = "\n".join([_EDGE[1:], *texts, _EDGE[1:]]).encode("latin-1", "replace")
    signs = np.frombuffer(joined, np.uint8)
    bounds = np.cumsum([len(_EDGE), *(len(text) + 1 for text in texts)])
    seen = np.zeros((len(texts), 4), np.int64)
    room = _WORDS_A_TEXT * len(texts)
    while True:
        found = np.empty((room, 4), np.int64)
        met = case_loop(signs, bounds, _roles(), sieve, seen, found)
        if met <= room:
            break
        room = met  # all have room in another walk
    words = list(map(tuple, found[:met].tolist()))
    cuts = [0, *np.cumsum(seen[:, 3]).tolist()]
    for (titled, within, upper, _), (first, last) in zip(
        seen.tolist(), pairwise(cuts), strict=True
    ):
        yield Look(titled, within, not upper, words[first:last])


@cache
def _roles() -> npt.NDArray[np.uint8]:
    roles = np.zeros(256, np.uint8)
    for code, sign in enumerate(map(chr, range(256))):
        is_small = "a" <= sign <= "z" or (sign >= "ß" and sign != "÷")
        is_capital = "A" <= sign <= "Z" or ("À" <= sign <= "Þ" and sign != "×")
        is_odd = sign == "?" or (code > 127 and sign.isalnum() and not (is_small or is_capital))
        roles[code] = (
            LETTER * sign.isalpha() | CAPITAL * is_capital | SMALL * is_small
            | LEAD * (is_small or sign in ",;&/") | GAP * (sign in " -") | BEYOND * is_odd
        )  # fmt: skip
    return roles
