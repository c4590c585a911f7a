"""Places in the texts of a batch where keys, titles and runs of capitals may stand.

Mending looks for them in every text, and they are rare: all texts are looked through at once here,
as bytes, and what comes of it is a little more than there is. Who asks looks again at each place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from scrubjay.taggers._mending.irish import ROUTING_HEADS
from scrubjay.taggers._mending.people.bare_surnames import HEAD
from scrubjay.taggers._mending.people.bare_surnames import heads as verb_heads
from scrubjay.taggers._mending.people.glued import title_heads
from scrubjay.taggers._mending.people.nicknames import CALLS, OPENING
from scrubjay.taggers._mending.people.person_keys import Telling, find_telling
from scrubjay.taggers._mending.people.talks import HEAD as TALK
from scrubjay.taggers._mending.sign_ins import sign_in_heads

_Bytes = npt.NDArray[np.uint8]
_Flags = npt.NDArray[np.bool_]
_Places = npt.NDArray[np.int64]

_UNKNOWN = ord("?")
"""What stands for every character beyond Latin 1."""

_MOST_LETTERS, _MOST_TITLES = 3, 8
"""Letters of a title that are compared, and titles that differ in them, a bit for each."""

_IRISH_KEYS = (b"pps", b"d6w")
"""What stands before a PPS number, and the one routing key with a single digit."""

_RARE, _LETTERS_AT_ONCE = b"zqxj6kvwbygpfumcdlhrsnioat e", 3
"""Letters from rare to frequent, and how many of a word are looked for first."""

_EDGE = 8 * "\n"
"""Stands before the first text and behind the last: a place has neighbours on both sides."""


@dataclass(slots=True)
class Cues:
    """Places of a text in order, each kind for itself.

    `keys` are colons and bars behind what may be a key of a person, `titles` where a title may
    begin, `names` blanks between a small letter and a capital before a small one, `capitals` where
    seven capitals in a row begin as a title does, `irish` keys and first digits of Irish codes,
    `quotes` quotation marks before a capital, `calls` ends of what stands before a nickname, and
    `scots` where a word begins with "mc", in any case, and two letters more. `sign_ins` are where
    what may be the key of a user name or a password begins, `talks` where "D/W" stands, `verbs`
    where words begin as those do that tell of a person.
    """

    keys: list[int] = field(default_factory=list)
    titles: list[int] = field(default_factory=list)
    names: list[int] = field(default_factory=list)
    capitals: list[int] = field(default_factory=list)
    irish: list[int] = field(default_factory=list)
    sign_ins: list[int] = field(default_factory=list)
    talks: list[int] = field(default_factory=list)
    quotes: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    scots: list[int] = field(default_factory=list)
    verbs: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Table:
    """`tails` (65,536) tells which two letters, the first times 256, may end a key.

    `thirds` tells which two may stand before its last letter, where the first may be any sign.
    `letters` are tables for `bytes.translate`, for the first letters of titles: a bit for each
    title that may have this letter there. `heads` (65,536) are of runs of capitals, or None where
    none are asked for; `words` are looked for where they are not.
    """

    tails: _Flags
    thirds: _Flags
    letters: tuple[bytes, ...]
    heads: _Flags | None
    words: tuple[bytes, ...]


def find_cues(texts: Sequence[str], language: str) -> list[Cues]:
    """Return the cues of each text; a language that nothing is known of has none."""
    found = [Cues() for _ in texts]
    known = find_telling(language)
    if known is None or not texts:
        return found
    table = _find_table(language)
    joined = "\n".join([_EDGE[1:], *texts, _EDGE[1:]]).encode("latin-1", "replace")
    signs = np.frombuffer(joined, np.uint8)
    small = signs | np.uint8(32)
    sizes = np.array([len(text) + 1 for text in texts])
    starts = len(_EDGE) + np.cumsum(sizes) - sizes
    kinds = {
        "keys": _find_keys(signs, table),
        "titles": _find_titles(joined, signs, table.letters),
        "names": _find_names(signs),
        "quotes": _find_quotes(joined, signs),
    }
    calls, heads = CALLS[language], sign_in_heads(language)
    found_words = _find_words(joined, small, calls + heads + table.words)
    behind = [found_words[call] + len(call) for call in calls]
    kinds["calls"] = _join(behind)
    kinds["sign_ins"] = _begin_words(small, _join([found_words[head] for head in heads]))
    if table.heads is not None:
        kinds["capitals"] = _find_capitals(signs, table.heads)
        kinds["irish"] = _join([_find_irish(signs), *(found_words[key] for key in _IRISH_KEYS)])
        kinds["scots"] = _find_scots(small)
        kinds["verbs"] = _find_verbs(signs)
        talks = found_words[TALK.lower()]
        kinds["talks"] = talks[(signs[talks] == TALK[0]) & (signs[talks + 2] == TALK[2])]
    for name, places in kinds.items():
        if not len(places):
            continue
        cuts = np.searchsorted(places, starts).tolist()
        cuts.append(len(places))
        within = (places - np.repeat(starts, np.diff(cuts))).tolist()
        for cues, (begin, end) in zip(found, pairwise(cuts), strict=True):
            if begin < end:
                setattr(cues, name, within[begin:end])
    return found


def _find_keys(signs: _Bytes, table: _Table) -> _Places:
    places = np.flatnonzero((signs == ord(":")) | (signs == ord("|")))
    last, before = signs[places - 1], signs[places - 2].astype(np.uint16)
    ends = table.tails[before << 8 | last]
    ends &= table.thirds[signs[places - 3].astype(np.uint16) << 8 | before]
    chosen: _Places = places[ends | (last == ord(" ")) | (last == ord("\t"))]
    return chosen


def _find_titles(joined: bytes, signs: _Bytes, letters: tuple[bytes, ...]) -> _Places:
    end = len(joined)
    titles = np.frombuffer(joined.translate(letters[0]), np.uint8)[1 : end - 2]
    for shift, table in enumerate(letters[1:], start=2):
        looked = np.frombuffer(joined.translate(table), np.uint8)
        titles = titles & looked[shift : end - 3 + shift]
    is_letter = (signs[: end - 3] | 32) - np.uint8(ord("a")) < np.uint8(26)
    return np.flatnonzero((titles != 0) & ~is_letter) + 1


def _find_names(signs: _Bytes) -> _Places:
    blank = signs[1:-2] == ord(" ")
    blank &= (signs[2:-1] & 0x7F) - np.uint8(0x40) < np.uint8(0x1F)  # capitals, with accents, too
    places = np.flatnonzero(blank) + 1
    is_written = (signs[places + 2] & 32 != 0) & (signs[places - 1] >= ord("a"))
    chosen: _Places = places[is_written]
    return chosen


def _find_capitals(signs: _Bytes, heads: _Flags) -> _Places:
    capital = signs - np.uint8(ord("A")) < np.uint8(26)
    if (signs >= 0xC0).any():
        accented = signs - np.uint8(0xC0) < np.uint8(0x1F)
        capital |= accented & (signs != 0xD7)
    begins = capital[1:] & ~capital[:-1]
    two = capital[1:] & capital[:-1]
    four = two[2:] & two[:-2]
    seven = four[3:] & four[:-3]
    places = np.flatnonzero(begins[: len(seven) - 1] & seven[1:]) + 1
    chosen: _Places = places[heads[signs[places].astype(np.uint16) << 8 | signs[places + 1]]]
    return chosen


def _find_irish(signs: _Bytes) -> _Places:
    digit = signs - np.uint8(ord("0")) < np.uint8(10)
    pairs = np.flatnonzero(digit[:-3] & digit[1:-2])
    first, second, third, fourth = (signs[pairs + shift] for shift in range(4))
    # "R35", and 0818, 1800, 1850 and 1890: all are looked at again, in the text.
    heads, inner = _irish_signs()
    chosen = heads[signs[pairs - 1]] & ~inner[signs[pairs - 2]]
    chosen &= inner[third] | ((third == ord(" ")) & inner[fourth])
    chosen |= (second == ord("8")) & (
        ((first == ord("1")) & (fourth == ord("0"))) | ((first == ord("0")) & (fourth == ord("8")))
    )
    found: _Places = pairs[chosen]
    return found


def _find_quotes(joined: bytes, signs: _Bytes) -> _Places:
    places = np.flatnonzero(np.frombuffer(joined.translate(_quotes()), np.bool_)[1:-1]) + 1
    behind = (signs[places + 1] & 0x7F) - np.uint8(0x40) < np.uint8(0x1F)
    before = (signs[places - 1] | 32) - np.uint8(ord("a")) < np.uint8(26)
    chosen: _Places = places[behind & ~before]
    return chosen


@cache
def _quotes() -> bytes:
    """Return a table for `bytes.translate` of the signs that a quotation may begin with."""
    return bytes(code in OPENING.encode("latin-1", "replace") for code in range(256))


def _find_words(joined: bytes, small: _Bytes, words: tuple[bytes, ...]) -> dict[bytes, _Places]:
    """Return where each word begins, in any case: eight are looked for at once.

    `small` are the signs with the bit set that tells small letters from capitals.
    """
    found = {}
    for some, shifts, tables in _word_tables(words):
        one, two, three = (np.frombuffer(joined.translate(table), np.uint8) for table in tables)
        bits = one[:-2] & two[1:-1]
        bits &= three[2:]
        hits = np.flatnonzero(bits != 0)  # of flags it is faster than of numbers
        kinds = bits[hits]
        for bit, (word, shift) in enumerate(zip(some, shifts, strict=True)):
            places = hits[kinds & (1 << bit) != 0] - shift
            if len(places) and (places[0] < 0 or places[-1] + len(word) > len(small)):
                places = places[(places >= 0) & (places + len(word) <= len(small))]
            for at in (*range(shift), *range(shift + _LETTERS_AT_ONCE, len(word))):
                if len(places):
                    places = places[small[places + at] == word[at]]
            found[word] = places
    return found


@cache
def _word_tables(
    words: tuple[bytes, ...],
) -> list[tuple[tuple[bytes, ...], list[int], list[bytes]]]:
    """Return words by eight, with the place in each of its rarest letters, and their tables.

    A table is for `bytes.translate`: a bit for each word that may have this letter there.
    """
    rows = []
    for first in range(0, len(words), 8):
        some = words[first : first + 8]
        shifts = []
        tables = [bytearray(256) for _ in range(_LETTERS_AT_ONCE)]
        for bit, word in enumerate(some):
            places = range(max(1, len(word) - _LETTERS_AT_ONCE + 1))
            shift = min(places, key=lambda at: sum(map(_RARE.find, word[at:][:_LETTERS_AT_ONCE])))
            shifts.append(shift)
            for number, table in enumerate(tables):
                letter = word[shift + number : shift + number + 1]
                for code in range(256):
                    if not letter or code | 32 == letter[0] | 32:
                        table[code] |= 1 << bit
        rows.append((some, shifts, [bytes(table) for table in tables]))
    return rows


def _join(places: Sequence[_Places]) -> _Places:
    """Return places of several kinds in order, each once."""
    return np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *places]))


def _begin_words(small: _Bytes, places: _Places) -> _Places:
    """Return those of the places before which no letter or digit stands."""
    before = small[places - 1]
    is_letter = before - np.uint8(ord("a")) < np.uint8(26)
    chosen: _Places = places[~is_letter & ~(before - np.uint8(ord("0")) < np.uint8(10))]
    return chosen


def _find_scots(small: _Bytes) -> _Places:
    places = np.flatnonzero((small[1:-4] == ord("m")) & (small[2:-3] == ord("c"))) + 1
    letters = [small[places + shift] - np.uint8(ord("a")) < np.uint8(26) for shift in (-1, 2, 3)]
    chosen: _Places = places[~letters[0] & letters[1] & letters[2]]
    return chosen


def _find_verbs(signs: _Bytes) -> _Places:
    """Return where words begin, behind a blank or a bracket, whose first characters are known."""
    begins = np.flatnonzero((signs[: -HEAD - 1] <= ord(" ")) | (signs[: -HEAD - 1] == ord("("))) + 1
    fourths = _verb_table()
    first, second, third = ((signs[begins + at] & 31).astype(np.uint16) for at in range(HEAD - 1))
    codes = first << 10 | second << 5 | third
    chosen: _Places = begins[fourths[codes] >> (signs[begins + HEAD - 1] & 31) & 1 != 0]
    return chosen


@cache
def _verb_table() -> npt.NDArray[np.uint32]:
    """Return which fourth characters follow each three: a bit for each, five of a character."""
    fourths = np.zeros(1 << 15, np.uint32)
    for head in verb_heads():
        first, second, third, *fourth = (ord(sign) & 31 for sign in head)
        # What follows a short verb is any sign.
        bits = 1 << fourth[0] if fourth else 0xFFFFFFFF
        fourths[first << 10 | second << 5 | third] |= np.uint32(bits)
    return fourths


@cache
def _irish_signs() -> tuple[_Flags, _Flags]:
    """Return tables of the signs that an Eircode begins with, and of all that may be within one."""
    heads, inner = np.zeros(256, np.bool_), np.zeros(256, np.bool_)
    heads[list(f"{ROUTING_HEADS}{ROUTING_HEADS.lower()}".encode())] = True
    inner[list(b"0123456789")] = True
    return heads, heads | inner


@cache
def _find_table(language: str) -> _Table:
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
    words = () if heads is None else (*_IRISH_KEYS, TALK.lower())
    return _Table(tails, thirds, _letters(known), heads, words)


def _pairs(written: Iterable[str]) -> _Flags:
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
