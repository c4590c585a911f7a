"""The compiled cut of a text: its subwords, its lines, and the line breaks that may be wraps.

Imported where compiled kernels are wanted, and there alone: importing it loads numba. The subwords
are those of `subwords.py`. Each function over lines is one expression or one question of
`wrapping.py`, over code points and the traits of `characters.py`; ranges of characters are
half-open, a line ends before its white space, and the one after a break begins behind it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.text.characters import (
    ALPHA,
    BREAK,
    CHANGES,
    DIGIT,
    KIND,
    LOWER,
    LOWERED,
    MARK,
    OTHER,
    SPACE,
    TITLED,
    UPPER,
    UPPERED,
    WORD,
)

CLOSED, OPEN, BOUND, STOPPED = range(4)
"""How a line ends; `STOPPED` is at a period, of which `wrapping.py` says what it means."""

_LONGEST_KEY, _ROW_SPACES, _LONGEST_ITEM = 40, 3, 3
_ITEMS = tuple(map(ord, "-*•·–—>+"))
_CLOSERS = tuple(map(ord, "\"'”’»)]"))
_STOPS = tuple(map(ord, "?!…:"))
_TAB, _RETURN, _NEWLINE, _BLANK, _OPEN, _CLOSE, _PERIOD, _COMMA, _HYPHEN, _COLON = map(
    ord, "\t\r\n ().,-:"
)
# Of numpy's integers: numba would compile what they are given to for each one of Python's.
_CHANGES, _WORD, _CAPITAL, _SMALL = np.array([CHANGES, WORD, UPPERED, LOWERED | TITLED])
_UNDERSCORE, _UPPER_A, _UPPER_Z, _LOWER_A, _LOWER_H, _LOWER_Z = map(ord, "_AZahz")


@compiled
def _read_traits(points: Any, table: Any, traits: Any) -> Any:
    """Write the traits of characters; tell whether all are of the basic plane."""
    for at in range(len(points)):
        if points[at] >= len(table):
            return False
        traits[at] = table[points[at]]
    return True


@compiled
def _find_units(traits: Any, kinds: Any, offsets: Any) -> Any:
    """Write kind and offset of each unit, and of one more: the end; return how many there are."""
    count, before = 0, SPACE
    for at in range(len(traits)):
        kind = traits[at] & KIND
        if kind != MARK or before == SPACE:
            kinds[count] = OTHER if kind == MARK else kind
            offsets[count] = at
            count += 1
        before = kind
    kinds[count], offsets[count] = SPACE, len(traits)
    return count


@compiled
def _cut_units(
    kinds: Any, offsets: Any, count: Any, pairs: Any, camel: Any, starts: Any, ends: Any
) -> Any:
    """Write where tokens start and end; return how many there are.

    `pairs[a, b]` tells whether a token begins at a unit of kind `b` after one of kind `a`.
    """
    begun, ended, before = 0, 0, SPACE
    # What is written too early is written over: a processor guesses no branch wrong.
    for unit in range(count + 1):
        kind = kinds[unit]
        begins = pairs[before, kind]
        if camel and kind == UPPER and before == UPPER and unit + 2 < count:
            begins |= kinds[unit + 1] == LOWER and kinds[unit + 2] == LOWER
        ends[ended] = offsets[unit]
        ended += (begun > ended) & (begins | (kind == SPACE))
        starts[begun] = offsets[unit]
        begun += begins
        before = kind
    return ended


@compiled
def _is_space(trait: Any) -> Any:
    return trait & KIND == SPACE


@compiled
def _has(traits: Any, begin: Any, end: Any, wanted: Any) -> Any:
    """Tell whether any character of a range has one of some traits."""
    at = begin
    while at < end and not traits[at] & wanted:
        at += 1
    return at < end


@compiled
def _ending(points: Any, traits: Any, begin: Any, end: Any, after: Any) -> Any:
    bare = end
    while bare > begin and points[bare - 1] in _CLOSERS:
        bare -= 1
    if bare > begin:
        if points[bare - 1] in _STOPS:
            return CLOSED
        if points[bare - 1] == _PERIOD:
            return STOPPED
    if traits[after] & LOWERED:
        last = points[end - 1]
        parted = last == _HYPHEN and end - 2 >= begin and traits[end - 2] & ALPHA
        if last == _COMMA or parted:
            return BOUND
    return OPEN


@compiled
def _is_item(points: Any, traits: Any, begin: Any, end: Any) -> Any:
    """Tell whether a line begins with a bullet or the number or letter of a list, and a space."""
    if begin + 1 >= end:
        return False
    first, next_ = points[begin], points[begin + 1]
    if first in _ITEMS:
        return _is_space(traits[begin + 1])
    if _LOWER_A <= first <= _LOWER_H and next_ == _PERIOD:
        return begin + 2 < end and _is_space(traits[begin + 2])
    at = begin + (first == _OPEN)
    stop = at
    while stop < end and stop < at + _LONGEST_ITEM and traits[stop] & KIND == DIGIT:
        stop += 1
    numbered = stop > at
    if not numbered:
        point = points[at]
        if not (_LOWER_A <= point <= _LOWER_Z or _UPPER_A <= point <= _UPPER_Z):
            return False
        stop += 1
    if stop + 1 >= end or not _is_space(traits[stop + 1]):
        return False
    return points[stop] == _CLOSE or (numbered and points[stop] == _PERIOD)


@compiled
def _is_key(points: Any, traits: Any, begin: Any, end: Any) -> Any:
    """Tell whether a line begins with a key: a colon behind a capital or behind two words."""
    colon = begin
    while colon < end and points[colon] != _COLON:
        colon += 1
    if not begin < colon < end or (colon + 1 < end and not _is_space(traits[colon + 1])):
        return False
    first, trait = points[begin], traits[begin]
    lettered = trait & WORD and trait & KIND != DIGIT and first != _UNDERSCORE
    stop = colon - (points[colon - 1] == _BLANK)
    if lettered and not _LOWER_A <= first <= _LOWER_Z and stop - begin - 1 <= _LONGEST_KEY:
        return True
    at = begin
    for _ in range(2):
        word = at
        while at < stop and traits[at] & WORD:
            at += 1
        if at == word:
            return False
        if at == stop:
            return True
        if points[at] != _BLANK:
            return False
        at += 1
    return False


@compiled
def _is_row(points: Any, traits: Any, begin: Any, end: Any) -> Any:
    """Tell whether a tab, or three spaces, part the characters of a line."""
    at = begin
    while at < end and _is_space(traits[at]):
        at += 1
    while at < end:
        if not _is_space(traits[at]):
            at += 1
            continue
        space = at
        while at < end and points[at] == _BLANK:
            at += 1
        tabbed = at < end and points[at] == _TAB
        blank = at - space
        plain = at < end and not _is_space(traits[at])
        while at < end and _is_space(traits[at]):
            at += 1
        if at < end and (tabbed or (plain and blank >= _ROW_SPACES)):
            return True
    return False


@compiled
def _is_shouted(traits: Any, begin: Any, end: Any) -> Any:
    """Tell whether a line has several words, all of capitals."""
    if _has(traits, begin, end, _SMALL) or not _has(traits, begin, end, _CAPITAL):
        return False
    at = begin
    while at < end and not _is_space(traits[at]):
        at += 1
    return at < end


@compiled
def _is_layout(
    points: Any, traits: Any, begin: Any, end: Any, after: Any, stop: Any, shouted: Any
) -> Any:
    if _is_item(points, traits, after, stop) or _is_key(points, traits, after, stop):
        return True
    if _is_row(points, traits, begin, end) or _is_row(points, traits, after, stop):
        return True
    if not _has(traits, begin, end, _WORD) or not _has(traits, after, stop, _WORD):
        return True
    return not shouted and _is_shouted(traits, after, stop)


@compiled
def _find_breaks(points: Any, traits: Any, lines: Any, lengths: Any, breaks: Any) -> Any:
    """Write where lines begin and how long they are, and the breaks that may be wraps.

    `breaks` (m, 7) are the number of the line after the break, how the one before it ends, the
    offsets of that one's begin and end, those of the first word after the break, and whether that
    continues a sentence by its look. Return how many lines, and breaks.
    """
    size = len(points)
    begin: Any = np.int64(0)
    end, stop, count, found = begin, begin, 0, 0
    shouted = not _has(traits, begin, size, _CHANGES)
    while stop < size:
        line = stop
        while stop < size and not traits[stop] & BREAK:
            stop += 1
        last = stop
        if stop < size:
            paired = points[stop] == _RETURN and stop + 1 < size and points[stop + 1] == _NEWLINE
            stop += 1 + paired
        while last > line and _is_space(traits[last - 1]):
            last -= 1
        after = line
        while after < last and _is_space(traits[after]):
            after += 1
        if end > begin and last > after:
            ending = _ending(points, traits, begin, end, after)
            if ending != CLOSED and not _is_layout(
                points, traits, begin, end, after, last, shouted
            ):
                word = after
                while word < last and not _is_space(traits[word]):
                    word += 1
                continues = traits[after] & LOWERED or (shouted and traits[after] & ALPHA)
                breaks[found, 0], breaks[found, 1] = count, ending
                breaks[found, 2], breaks[found, 3] = begin, end
                breaks[found, 4], breaks[found, 5] = after, word
                breaks[found, 6] = 1 if continues else 0
                found += 1
        lines[count], lengths[count] = line, last - line
        count += 1
        begin, end = line, last
    return count, found


@compiled
def cut_text(points: Any, table: Any, pairs: Any, camel: Any) -> Any:
    """Return whether a text could be cut, and starts, ends, lines, lengths and breaks.

    `table` holds the traits of characters, `pairs` and `camel` say where tokens begin (see
    `_cut_units`), lines, lengths and breaks are those of `_find_breaks`. A text with characters
    that the table lacks is not cut.
    """
    size = len(points)
    traits = np.empty(size, dtype=np.uint16)
    plain = _read_traits(points, table, traits)
    size = size if plain else 0
    points, traits = points[:size], traits[:size]
    kinds, offsets = np.empty(size + 1, dtype=np.uint8), np.empty(size + 1, dtype=np.int32)
    starts, ends = np.empty(size + 1, dtype=np.int32), np.empty(size + 1, dtype=np.int32)
    tokens = _cut_units(kinds, offsets, _find_units(traits, kinds, offsets), pairs, camel,
                        starts, ends)  # fmt: skip
    most = 0
    for at in range(size):
        most += traits[at] & BREAK != 0
    lines, lengths = np.empty(most + 1, dtype=np.int32), np.empty(most + 1, dtype=np.int32)
    breaks = np.empty((most + 1, 7), dtype=np.int32)
    count, found = _find_breaks(points, traits, lines, lengths, breaks)
    # Copies, since many tokens are kept for long.
    return (
        plain, starts[:tokens].copy(), ends[:tokens].copy(),
        lines[:count], lengths[:count], breaks[:found],
    )  # fmt: skip


@compiled
def begin_sentences(starts: Any, offsets: Any, first: Any) -> Any:
    """Write the first token at or behind each of some offsets, each token once.

    Offsets ascend from 0. Return how many tokens these are, and the most from one to the next.
    """
    count, token, longest = 0, 0, 0
    for number in range(len(offsets)):
        while token < len(starts) and starts[token] < offsets[number]:
            token += 1
        if token == len(starts):
            break
        if not count or token > first[count - 1]:
            if count:
                longest = max(longest, token - first[count - 1])
            first[count] = token
            count += 1
    return count, max(longest, len(starts) - first[count - 1])
