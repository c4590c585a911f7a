"""What stands around the persons of texts, as hashed numbers: what tells patients from staff.

Other persons are masked, and no name is looked at but for how usual it is as a first name or a
surname, so that nothing is learned of anybody. Words are numbers by their hash: weights over them
store no word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from zlib import crc32

import numpy as np
import numpy.typing as npt

from scrubjay.caching import text_cache
from scrubjay.compiling import use_compiled
from scrubjay.taggers._mending.people.context_loop import (
    BLANK_LINE,
    EDGE,
    FIRST_FREE,
    LATE,
    LINE,
    MOST_DIGITS,
    MOST_KEY,
    MOST_LINES,
    NEAR,
    PERSON,
    WORDS,
    compiled_contexts,
    sign_tables,
)
from scrubjay.taggers._mending.people.person_names import rank_of
from scrubjay.text.signs import code_points

BUCKETS = 1 << 16
"""Numbers that a context may have."""

NEARER, HEAD, TAIL, MOST_BEFORE, MOST_PERSONS, MOST_ALIKE = 5, 100, 60, 4, 8, 5
"""Tokens that are nearer on each side, characters that begin a text and that end it, and persons
before one, of a text, and of the same name, that are counted."""

L0, L1, L2, L3, R0, R1, R2, R3, BEFORE, BEHIND = range(10)
LOOK, SHAPE, KEY, PLACE, OTHERS, ORDER, COUNT, EDGES = range(17, 25)
COLUMNS = BEFORE_IT = 33
BEHIND_IT, SLOTS = 34, 35
"""What is told of a person by one number each: the tokens to the left and to the right, pairs of
these, facts of its name, line and text, and further pairs. The looks of the persons before and
behind it, of the same text, count in pairs alone."""

MIXES = np.array([
    (BEFORE, L0, L1), (BEHIND, R0, R1), (10, L0, R0), (11, BEFORE, L2), (12, BEHIND, R2),
    (13, BEFORE, R0), (14, BEHIND, L0), (15, L1, L2), (16, R1, R2), (25, PLACE, EDGES),
    (26, LOOK, L0), (27, LOOK, R0), (28, LOOK, EDGES), (29, LOOK, OTHERS), (30, LOOK, BEFORE_IT),
    (31, LOOK, BEHIND_IT), (32, LOOK, KEY),
])  # fmt: skip
"""Which number is the hash of which two."""

BAGS = 101
"""The kind of the first of four bags of tokens: left, right, and the nearer ones of both. Before
them the kind of a number is its place, from 1."""

_SHORTEST = 3
"""Letters of a word by which persons are the same."""

_MASK = "\x00"
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|\n\s*|[^\s\w]|_")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SHAPE = re.compile(r"[A-ZÀ-ÖØ-Þ]{2,}|[^\W\d_]+|\d+")
_KEPT = 32_768
"""Words, and mentions, whose numbers are remembered."""

_KERNEL = ("taggers/_mending/people/context_loop.py", "context_loop")

Ids = npt.NDArray[np.intp]
_Hashes = npt.NDArray[np.uint32]


class _Numbers(dict[str, int]):
    """The hash of each token, worked out once."""

    def __missing__(self, token: str) -> int:
        if len(self) >= _KEPT:
            self.clear()
        number = self[token] = _hash(token)
        return number


def _hash(token: str) -> int:
    if token == _MASK:
        return PERSON
    if token[0] == "\n":
        return BLANK_LINE if token.count("\n") > 1 else LINE
    if token[0].isdigit():
        return FIRST_FREE + min(len(token), MOST_DIGITS)
    plain = token.lower().replace("’", "'")
    return crc32(plain.encode("utf-8", "surrogatepass"))


_NUMBERS = _Numbers()


@dataclass(slots=True)
class Contexts:
    """The persons of texts, one behind another, with what tells how each is called.

    Of each of `people` there are where its name begins and ends in its text, how usual the name is,
    its shape, and the numbers of its first and last word. Two persons of a text share a number who
    share the word; 0 is none, and a last word that is the first. The people of `notes[n]` are those
    from `firsts[n]` up to the next of these.
    """

    notes: list[str] = field(default_factory=list, repr=False)
    people: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    firsts: list[int] = field(default_factory=lambda: [0])
    words: int = 0

    def add(self, text: str, mentions: Sequence[tuple[int, int]], language: str) -> None:
        """Add the persons of a text: start and end of each, sorted and disjoint."""
        known: dict[str, int] = {"": 0}
        for start, end in mentions:
            look, shape, (first, last) = _look(text[start:end], language)
            one, other = self._number(first, known), self._number(last, known)
            self.people.append((start, end, look, shape, one, 0 if other == one else other))
        self.firsts.append(len(self.people))
        self.notes.append(text)

    def _number(self, word: str, known: dict[str, int]) -> int:
        number = known.get(word)
        if number is None:
            self.words += 1
            number = known[word] = self.words
        return number


def _mask(text: str, mentions: Sequence[tuple[int, int]]) -> str:
    """Return a text with one sign in the place of each person."""
    parts, last = [], 0
    for start, end in mentions:
        parts.append(text[last:start])
        last = end
    parts.append(text[last:])
    return _MASK.join(parts)


@text_cache(_KEPT)
def _look(mention: str, language: str) -> tuple[int, int, tuple[str, str]]:
    """Return how usual the words of a name are, its shape, and its first and last word."""
    words: list[str] = _WORD.findall(mention)
    shape = _SHAPE.sub(_letters, mention)[:12]
    look = 1
    if words:
        first, last = words[0].capitalize(), words[-1].capitalize()
        ranks = (
            _class(rank_of("first-names", first, language)),
            _class(rank_of("surnames", last, language)),
        )
        look = 2 + ranks[0] * 4 + ranks[1] + 16 * (min(len(words), 3) - 1) + 48 * ("," in mention)
    long = [word.lower() for word in words if len(word) >= _SHORTEST] or [""]
    return look, crc32(shape.encode("utf-8", "surrogatepass")), (long[0], long[-1])


def _letters(match: re.Match[str]) -> str:
    word = match[0]
    if word[0].isdigit():
        return "0"
    if word.isupper():
        return "AA" if len(word) > 1 else "A"
    return "Aa" if word[0].isupper() else "a"


def _class(rank: int) -> int:
    """Return which of four classes a rank of names belongs to: none, many, some, few."""
    return 0 if rank <= 0 else 1 if rank <= 3 else 2 if rank <= 6 else 3


def number_contexts(contexts: Contexts) -> Ids:
    """Return the numbers of what stands around each person, a row for each, below `BUCKETS`."""
    around, keys, lines = read_around(contexts)
    left, right = around[:, WORDS - 1 :: -1], around[:, WORDS:]  # the nearest first
    people = np.array(contexts.people)
    starts, ends, look, shape = people[:, :4].T
    counts = np.diff(contexts.firsts)
    count = np.repeat(counts, counts)
    order = np.arange(len(count)) - np.repeat(contexts.firsts[:-1], counts)
    sizes = np.repeat([len(text) for text in contexts.notes], counts)
    slots = np.empty((SLOTS, len(count)), dtype=np.uint32)
    slots[L0 : L3 + 1], slots[R0 : R3 + 1] = left[:, :4].T, right[:, :4].T
    slots[LOOK], slots[SHAPE], slots[KEY] = look, shape, keys
    at_edge = 8 * (starts < HEAD) + 16 * (sizes - ends < TAIL)
    slots[PLACE] = 5 * starts // sizes + at_edge + 32 * lines
    slots[OTHERS] = _count_others(people[:, 4:])
    slots[ORDER], slots[COUNT] = np.minimum(order, MOST_BEFORE), np.minimum(count, MOST_PERSONS)
    slots[EDGES] = _ends(left[:, 0]) * 2 + _ends(right[:, 0])
    slots[BEFORE_IT] = np.where(order > 0, np.roll(look, 1), 0)
    slots[BEHIND_IT] = np.where(order < count - 1, np.roll(look, -1), 0)
    for slot, one, other in MIXES.tolist():
        slots[slot] = _mix(slots[one], slots[other])
    left, right = _until_blank(left), _until_blank(right)
    bags = (left, right, left[:, :NEARER], right[:, :NEARER])
    kinds = np.repeat(
        np.array([*range(1, COLUMNS + 1), *range(BAGS, BAGS + len(bags))], dtype=np.uint32),
        [1] * COLUMNS + [bag.shape[1] for bag in bags],
    )
    mixed = _mix(np.concatenate([slots[:COLUMNS].T, *bags], axis=1), kinds)
    return (mixed & np.uint32(BUCKETS - 1)).astype(np.intp)


Read = tuple[_Hashes, _Hashes, npt.NDArray[np.int64]]
"""The hashes of the tokens around each person, that of the key of its line, and lines behind it."""


def read_around(contexts: Contexts) -> Read:
    """Read what stands around persons, a row for each."""
    return (_walk if use_compiled(0, late=_KERNEL) else _search)(contexts)


def _search(contexts: Contexts) -> Read:
    around: list[int] = []
    keys: list[int] = []
    lines: list[int] = []
    numbers = _NUMBERS.__getitem__
    for text, (first, last) in zip(contexts.notes, pairwise(contexts.firsts), strict=True):
        mentions = [person[:2] for person in contexts.people[first:last]]
        masked, size = _mask(text, mentions), len(text)
        shift = begin = before_it = 0
        for start, end in mentions:
            at = start - shift
            shift += end - start - 1
            left = _TOKEN.findall(masked, max(0, at - NEAR), at)[-WORDS:]
            right = _TOKEN.findall(masked, at + 1, at + 1 + NEAR)[:WORDS]
            around += [EDGE] * (WORDS - len(left))
            around += map(numbers, left)
            around += map(numbers, right)
            around += [EDGE] * (WORDS - len(right))
            begin, before_it = max(begin, masked.rfind("\n", before_it, at) + 1), at
            colon = masked.find(":", begin, min(at, begin + MOST_KEY))
            keys.append(0 if colon <= begin else numbers(masked[begin:colon]))
            is_late = size - end < LATE
            met = text.count("\n", end, size - 1) if is_late else MOST_LINES
            lines.append(min(met, MOST_LINES))
    return (
        np.array(around, dtype=np.uint32).reshape(-1, 2 * WORDS),
        np.array(keys, dtype=np.uint32),
        np.array(lines),
    )


def _walk(contexts: Contexts) -> Read:
    """Read what `_search` does, by the compiled kernel where all signs are known to it."""
    people, firsts, notes = np.array(contexts.people), contexts.firsts, contexts.notes
    sizes = [len(text) for text in notes]
    around = np.empty((len(people), 2 * WORDS), dtype=np.uint32)
    keys = np.empty(len(people), dtype=np.uint32)
    lines = np.empty(len(people), dtype=np.int64)
    is_rare = np.zeros(len(notes), dtype=np.bool_)
    compiled_contexts()(
        code_points("".join(notes)), np.cumsum([0, *sizes]), np.array(firsts), people,
        *sign_tables(), np.empty(max(sizes), dtype=np.uint16), around, keys, lines, is_rare,
    )  # fmt: skip
    for text in np.flatnonzero(is_rare).tolist():
        own = slice(*firsts[text : text + 2])
        alone = Contexts(notes[text : text + 1], contexts.people[own], [0, own.stop - own.start])
        around[own], keys[own], lines[own] = _search(alone)
    return around, keys, lines


def _count_others(words: Ids) -> Ids:
    """Return how many others of a text share a word with each person, and if one stands before.

    `words` (persons, 2) are the numbers of the first and last words of all of them.
    """
    here = np.arange(len(words))[:, np.newaxis]
    met = np.bincount(words.ravel())
    earliest = np.full(len(met), len(here))
    np.minimum.at(earliest, words, here)
    met[0], earliest[0] = 1, len(here)
    again = (earliest[words] < here).any(axis=1)
    counted: Ids = np.minimum(met[words].max(axis=1) - 1, MOST_ALIKE) + 8 * again
    return counted


def _ends(side: _Hashes) -> npt.NDArray[np.bool_]:
    return np.isin(side, (EDGE, LINE, BLANK_LINE))


def _until_blank(side: _Hashes) -> _Hashes:
    """Return the tokens of a side up to a blank line; edges stand for the others."""
    is_past = np.logical_or.accumulate(side == BLANK_LINE, axis=1)
    return np.where(is_past, np.uint32(EDGE), side)


def _mix(one: _Hashes, other: _Hashes) -> _Hashes:
    """Return a hash of two numbers, whose order counts."""
    mixed: _Hashes = (one ^ other * np.uint32(0x9E37_79B1)) * np.uint32(0x85EB_CA77)
    mixed ^= mixed >> np.uint32(15)
    mixed *= np.uint32(0xC2B2_AE35)
    return mixed ^ (mixed >> np.uint32(13))
