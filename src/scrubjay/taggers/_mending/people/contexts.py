"""What stands around the persons of texts, as hashed numbers: what tells patients from staff.

Other persons are masked, and no name is looked at but for how usual it is as a first name or a
surname, so that nothing is learned of anybody. Words are numbers by their hash: weights over them
store no word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np
import numpy.typing as npt

from scrubjay.caching import text_cache
from scrubjay.taggers._mending.people.person_names import rank_of

BUCKETS = 1 << 16
"""Numbers that a context may have."""

_WORDS, _NEAR, _NEARER = 8, 72, 5
"""Tokens looked at on each side, characters in which they stand, and how many are nearer."""

_MOST_KEY, _HEAD, _TAIL, _LATE, _MOST_LINES = 40, 100, 60, 400, 4
"""Characters of a key; those that begin a text, that end it, and in which lines are counted."""

_SHORTEST = 3
"""Letters of a word by which persons are the same."""

_PERSON, _EDGE, _LINE, _BLANK_LINE, _FIRST_FREE = 1, 2, 3, 4, 16
_MASK = "\x00"
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|\n\s*|[^\s\w]|_")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SHAPE = re.compile(r"[A-ZÀ-ÖØ-Þ]{2,}|[^\W\d_]+|\d+")
_KEPT = 32_768
"""Words, and mentions, whose numbers are remembered."""

_SPREAD = 0x9E37_79B1

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
        return _PERSON
    if token[0] == "\n":
        return _BLANK_LINE if token.count("\n") > 1 else _LINE
    if token[0].isdigit():
        return _FIRST_FREE + min(len(token), 4)
    plain = token.lower().replace("’", "'")
    return crc32(plain.encode("utf-8", "surrogatepass"))


_NUMBERS = _Numbers()


@dataclass(slots=True)
class Contexts:
    """The persons of texts, one behind another, with what stands around each.

    `around` has the hashes of the tokens before and behind each, `rows` small numbers that tell of
    its name and place. `same` has numbers that two persons of a text share who share the first or
    the last word of their names, `texts` the number of the text.
    """

    around: list[int] = field(default_factory=list)
    rows: list[tuple[int, ...]] = field(default_factory=list)
    same: list[tuple[int, int]] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    people: int = 0

    def add(self, text: str, mentions: Sequence[tuple[int, int]], language: str) -> None:
        """Add the persons of a text: start and end of each, sorted and disjoint."""
        number = self.texts[-1] + 1 if self.texts else 0
        masked, size, count = _mask(text, mentions), len(text), len(mentions)
        known: dict[str, int] = {}
        numbers, shift = _NUMBERS.__getitem__, 0
        looks = [_look(text[start:end], language) for start, end in mentions]
        seen = [self._number_words(look[2], known) for look in looks]
        met: dict[int, int] = {}
        for pair in seen:
            for one in {*pair}:
                met[one] = met.get(one, 0) + 1
        before: set[int] = {0}
        begin = before_it = 0
        for place, (start, end) in enumerate(mentions):
            at = start - shift
            shift += end - start - 1
            left = _TOKEN.findall(masked, max(0, at - _NEAR), at)[-_WORDS:]
            right = _TOKEN.findall(masked, at + 1, at + 1 + _NEAR)[:_WORDS]
            self.around += [_EDGE] * (_WORDS - len(left))
            self.around += map(numbers, left)
            self.around += map(numbers, right)
            self.around += [_EDGE] * (_WORDS - len(right))
            begin, before_it = max(begin, masked.rfind("\n", before_it, at) + 1), at
            colon = masked.find(":", begin, min(at, begin + _MOST_KEY))
            key = 0 if colon <= begin else numbers(masked[begin:colon])
            pair = seen[place]
            others = max(met[one] if one else 1 for one in pair) - 1
            again = pair[0] in before - {0} or pair[1] in before - {0}
            before.update(pair)
            rest = size - end
            lines = text.count("\n", end, size - 1) if rest < _LATE else _MOST_LINES
            self.rows.append((
                looks[place][0], looks[place][1], key,
                5 * start // size + 8 * (start < _HEAD) + 16 * (rest < _TAIL)
                + 32 * min(lines, _MOST_LINES),
                min(others, 5) + 8 * again, min(place, 4), min(count, 8),
                looks[place - 1][0] if place else 0,
                looks[place + 1][0] if place + 1 < count else 0,
            ))  # fmt: skip
            self.same.append(pair)
        self.texts += [number] * count

    def _number_words(self, words: tuple[str, str], known: dict[str, int]) -> tuple[int, int]:
        pair = []
        for word in words:
            if word and word not in known:
                self.people += 1
                known[word] = self.people
            pair.append(known[word] if word else 0)
        return pair[0], pair[1]


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
    around = np.array(contexts.around, dtype=np.uint32).reshape(-1, 2 * _WORDS)
    rows = np.array(contexts.rows, dtype=np.int64).astype(np.uint32)
    left, right = around[:, _WORDS - 1 :: -1], around[:, _WORDS:]  # the nearest first
    l0, l1, l2, r0, r1, r2 = (side[:, n] for side in (left, right) for n in range(3))
    look, shape, key, place, others, order, count, look_before, look_behind = rows.T
    edge = (_ends(l0) * 2 + _ends(r0)).astype(np.uint32)
    before, behind = _mix(l0, l1), _mix(r0, r1)
    columns = [
        *left[:, :4].T, *right[:, :4].T,
        before, behind, _mix(l0, r0), _mix(before, l2), _mix(behind, r2), _mix(before, r0),
        _mix(behind, l0), _mix(l1, l2), _mix(r1, r2),
        look, shape, key, place, others, order, count, edge, _mix(place, edge),
        _mix(look, l0), _mix(look, r0), _mix(look, edge), _mix(look, others),
        _mix(look, look_before), _mix(look, look_behind), _mix(look, key),
    ]  # fmt: skip
    single = np.stack([_mix(column, number) for number, column in enumerate(columns, 1)], axis=1)
    bags = [
        _mix(_until_blank(side)[:, :most], number)
        for number, (side, most) in enumerate(
            ((left, _WORDS), (right, _WORDS), (left, _NEARER), (right, _NEARER)), 101
        )
    ]
    return (np.concatenate([single, *bags], axis=1) & np.uint32(BUCKETS - 1)).astype(np.intp)


def _ends(side: _Hashes) -> npt.NDArray[np.bool_]:
    return np.isin(side, (_EDGE, _LINE, _BLANK_LINE))


def _until_blank(side: _Hashes) -> _Hashes:
    """Return the tokens of a side up to a blank line; edges stand for the others."""
    is_past = np.logical_or.accumulate(side == _BLANK_LINE, axis=1)
    return np.where(is_past, np.uint32(_EDGE), side)


def _mix(one: _Hashes, other: _Hashes | int) -> _Hashes:
    """Return a hash of two numbers, whose order counts."""
    if isinstance(other, int):
        spread: _Hashes | np.uint32 = np.uint32(other * _SPREAD & 0xFFFF_FFFF)
    else:
        spread = other * np.uint32(_SPREAD)
    mixed: _Hashes = (one ^ spread) * np.uint32(0x85EBCA77)
    mixed ^= mixed >> np.uint32(15)
    mixed *= np.uint32(0xC2B2AE35)
    return mixed ^ (mixed >> np.uint32(13))
