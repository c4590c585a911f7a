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

_NEARER, _HEAD, _TAIL = 5, 100, 60
"""Tokens that are nearer on each side, and characters that begin a text and that end it."""

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

    `same` has numbers that two persons of a text share who share the first or the last word of
    their names, `texts` the number of the text, among `notes`, where `places` begin and end.
    """

    notes: list[str] = field(default_factory=list, repr=False)
    places: list[tuple[int, int]] = field(default_factory=list)
    looks: list[tuple[int, int]] = field(default_factory=list)
    same: list[tuple[int, int]] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    people: int = 0

    def add(self, text: str, mentions: Sequence[tuple[int, int]], language: str) -> None:
        """Add the persons of a text: start and end of each, sorted and disjoint."""
        known: dict[str, int] = {"": 0}
        for start, end in mentions:
            look, shape, (first, last) = _look(text[start:end], language)
            self.looks.append((look, shape))
            self.same.append((self._number(first, known), self._number(last, known)))
        self.places += mentions
        self.texts += [len(self.notes)] * len(mentions)
        self.notes.append(text)

    def _number(self, word: str, known: dict[str, int]) -> int:
        number = known.get(word)
        if number is None:
            self.people += 1
            number = known[word] = self.people
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
    places, texts = np.array(contexts.places), np.array(contexts.texts)
    sizes = np.array([len(text) for text in contexts.notes])
    firsts = np.concatenate(([0], np.cumsum(np.bincount(texts, minlength=len(sizes)))))
    read = _walk if use_compiled(0, late=_KERNEL) else _search
    around, key, lines = read(contexts.notes, places, firsts)
    left, right = around[:, WORDS - 1 :: -1], around[:, WORDS:]  # the nearest first
    l0, l1, l2, r0, r1, r2 = (side[:, n] for side in (left, right) for n in range(3))
    look, shape = np.array(contexts.looks, dtype=np.uint32).T
    starts, rest = places[:, 0], sizes[texts] - places[:, 1]
    order, count = np.arange(len(texts)) - firsts[texts], np.diff(firsts)[texts]
    before_it, behind_it = np.roll(look, 1), np.roll(look, -1)
    before_it[order == 0] = 0
    behind_it[order == count - 1] = 0
    facts = np.stack([
        5 * starts // sizes[texts] + 8 * (starts < _HEAD) + 16 * (rest < _TAIL) + 32 * lines,
        _count_others(contexts), np.minimum(order, 4), np.minimum(count, 8),
        _ends(l0) * 2 + _ends(r0),
    ]).astype(np.uint32)  # fmt: skip
    place, others, *_, edge = facts
    before, behind = _mix(l0, l1), _mix(r0, r1)
    columns = np.stack([
        *left[:, :4].T, *right[:, :4].T,
        before, behind, _mix(l0, r0), _mix(before, l2), _mix(behind, r2), _mix(before, r0),
        _mix(behind, l0), _mix(l1, l2), _mix(r1, r2),
        look, shape, key, *facts, _mix(place, edge),
        _mix(look, l0), _mix(look, r0), _mix(look, edge), _mix(look, others),
        _mix(look, before_it), _mix(look, behind_it), _mix(look, key),
    ], axis=1)  # fmt: skip
    left, right = _until_blank(left), _until_blank(right)
    bags = (left, right, left[:, :_NEARER], right[:, :_NEARER])
    kinds = np.repeat(
        np.array([*range(1, columns.shape[1] + 1), *range(101, 105)], dtype=np.uint32),
        [1] * columns.shape[1] + [bag.shape[1] for bag in bags],
    )
    mixed = _mix(np.concatenate([columns, *bags], axis=1), kinds)
    return (mixed & np.uint32(BUCKETS - 1)).astype(np.intp)


_Read = tuple[_Hashes, _Hashes, npt.NDArray[np.int64]]
"""The hashes of the tokens around each person, that of the key of its line, and lines behind it."""


def _search(texts: Sequence[str], places: Ids, firsts: Ids) -> _Read:
    """Read what stands around persons, a row for each; those of a text lie between its `firsts`."""
    around: list[int] = []
    keys: list[int] = []
    lines: list[int] = []
    numbers = _NUMBERS.__getitem__
    for text, (first, last) in zip(texts, pairwise(firsts.tolist()), strict=True):
        mentions = places[first:last].tolist()
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


def _walk(texts: Sequence[str], places: Ids, firsts: Ids) -> _Read:
    """Read what `_search` does, by the compiled kernel where all signs are known to it."""
    sizes = [len(text) for text in texts]
    bounds = np.cumsum([0, *sizes])
    joined = places + np.repeat(bounds[:-1], np.diff(firsts))[:, np.newaxis]
    around = np.empty((len(places), 2 * WORDS), dtype=np.uint32)
    keys = np.empty(len(places), dtype=np.uint32)
    lines = np.empty(len(places), dtype=np.int64)
    is_rare = np.zeros(len(texts), dtype=np.bool_)
    compiled_contexts()(
        code_points("".join(texts)), bounds, firsts, *np.ascontiguousarray(joined.T),
        *sign_tables(), np.empty(max(sizes), dtype=np.uint16), around, keys, lines, is_rare,
    )  # fmt: skip
    for text in np.flatnonzero(is_rare).tolist():
        own = slice(*firsts[text : text + 2])
        around[own], keys[own], lines[own] = _search(
            texts[text : text + 1], places[own], firsts[text : text + 2] - firsts[text]
        )
    return around, keys, lines


def _count_others(contexts: Contexts) -> Ids:
    """Return how many others of a text share a word with each person, and if one stands before."""
    words, here = np.array(contexts.same), np.arange(len(contexts.same))[:, np.newaxis]
    met = np.bincount(words[:, 0], minlength=contexts.people + 1)
    met += np.bincount(words[words[:, 0] != words[:, 1], 1], minlength=len(met))
    earliest = np.full(len(met), len(words))
    np.minimum.at(earliest, words, here)
    met[0], earliest[0] = 1, len(words)
    again = (earliest[words] < here).any(axis=1)
    counted: Ids = np.minimum(met[words].max(axis=1) - 1, 5) + 8 * again
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
