"""The compiled search for numbers: what `patterns.number_matches` finds, over signs.

Imported where compiled kernels are wanted, and there alone: importing it loads numba. Each
function here is one expression of `NUMBER_PATTERNS`, written out. They need no backtracking: a
run of decimals that is too long for its place is none, since what follows must not be one; only
a phone may part its first run. A function returns where its match ends, 0 where there is none.
The texts end with a line break, which no expression takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.text._number_words import (
    DAY_ORDINAL,
    MONTH,
    OF,
    OF_MONTH,
    OF_YEAR,
    ORDINAL,
    UNIT,
)
from scrubjay.text.signs import (
    CLOSE,
    COLON,
    COMMA,
    CURLED,
    DECIMAL,
    HARD_SPACE,
    HYPHEN,
    LAST_LETTER,
    LAST_WORD,
    LETTER,
    NINE,
    ONE,
    OPEN,
    PERCENT,
    PLUS,
    QUOTE,
    SLASH,
    SPACE,
    STOP,
    TWO,
    ZERO,
)

_LONG = 7
"""Runs of decimals are counted up to here: no expression takes so many."""

_IP, _DATE, _ISO_DATE, _WORD_DATE, _TIME, _QUANTITY, _PHONE, _SHORT_DATE, _MONTH_DATE = range(9)


@compiled
def _count_runs(signs: Any, runs: Any) -> None:
    """Write how many decimals stand at each place, at most `_LONG`."""
    size = 0
    for at in range(len(signs) - 1, -1, -1):
        size = min(size + 1, _LONG) if DECIMAL <= signs[at] <= NINE else 0
        runs[at] = size


@compiled
def _is_word(sign: Any) -> Any:
    return DECIMAL <= sign <= LAST_WORD


@compiled
def _is_gap(sign: Any) -> Any:
    return sign in (SPACE, STOP, HYPHEN)


@compiled
def _century(signs: Any, at: Any) -> Any:
    """Tell whether 19, 20 or 21 stands here."""
    if signs[at] == ONE:
        return signs[at + 1] == NINE
    return signs[at] == TWO and (signs[at + 1] == ZERO or signs[at + 1] == ONE)


@compiled
def _listed(signs: Any, at: Any, state: Any, words: Any, ranks: Any) -> Any:
    """Return where the longest word of a list that stands here ends, 0 for none."""
    found = 0
    state = words[state, signs[at]]
    while state:
        at += 1
        if ranks[state] >= 0:
            found = at
        state = words[state, signs[at]]
    return found


@compiled
def _month(signs: Any, at: Any, words: Any, ranks: Any) -> Any:
    """Return where the month that stands here as a whole word ends, 0 for none."""
    end = _listed(signs, at, MONTH, words, ranks)
    return 0 if end and _is_word(signs[end]) else end


@compiled
def _ip(signs: Any, runs: Any, at: Any, run: Any) -> Any:
    for _ in range(3):
        if run > 3 or signs[at + run] != STOP:
            return 0
        at += run + 1
        run = runs[at]
        if not run:
            return 0
    return at + run if run <= 3 else 0


@compiled
def _date(signs: Any, runs: Any, at: Any, run: Any) -> Any:
    """Return the end of a date with its year last."""
    mark = signs[at + run]
    if run > 2 or mark not in (SLASH, HYPHEN, STOP):
        return 0
    at += run + 1
    run = runs[at]
    if not 1 <= run <= 2 or signs[at + run] != mark:
        return 0
    at += run + 1
    run = runs[at]
    return at + run if run == 2 or (run == 4 and _century(signs, at)) else 0


@compiled
def _iso_date(signs: Any, runs: Any, at: Any, run: Any) -> Any:
    mark = signs[at + run]
    if run != 4 or mark not in (SLASH, HYPHEN, STOP):
        return 0
    if not _century(signs, at):
        return 0
    at += run + 1
    run = runs[at]
    if not 1 <= run <= 2 or signs[at + run] != mark:
        return 0
    at += run + 1
    run = runs[at]
    return at + run if 1 <= run <= 2 else 0


@compiled
def _word_date(signs: Any, runs: Any, at: Any, run: Any, words: Any, ranks: Any) -> Any:
    if run > 2:
        return 0
    at += run
    at = max(at, _listed(signs, at, ORDINAL, words, ranks))
    if signs[at] != SPACE and signs[at] != HYPHEN:
        return 0
    at = max(at + 1, _listed(signs, at + 1, OF, words, ranks))
    at = _month(signs, at, words, ranks)
    if not at:
        return 0
    at += signs[at] == STOP
    at += signs[at] == COMMA
    if signs[at] == SPACE or signs[at] == HYPHEN:
        year = max(at + 1, _listed(signs, at + 1, OF_YEAR, words, ranks))
        run = runs[year]
        if run == 2 or (run == 4 and _century(signs, year)):
            return year + run
    return at


@compiled
def _time(signs: Any, runs: Any, at: Any, run: Any) -> Any:
    if run > 2 or signs[at + run] != COLON:
        return 0
    at += run + 1
    if runs[at] != 2:
        return 0
    if signs[at + 2] == COLON and runs[at + 3] == 2:
        return at + 5
    return at + 2


@compiled
def _quantity(signs: Any, runs: Any, at: Any, run: Any, words: Any, ranks: Any) -> Any:
    """Return the end of a number with its unit: the first of the list that is a whole word."""
    if run > 6:
        return 0
    at += run
    if signs[at] == STOP or signs[at] == COMMA:
        run = runs[at + 1]
        if not 1 <= run <= 4:
            return 0
        at += run + 1
    at += signs[at] == SPACE or signs[at] == HARD_SPACE
    found, best = 0, len(ranks)
    state = words[UNIT, signs[at]]
    while state:
        at += 1
        if 0 <= ranks[state] < best and not _is_word(signs[at]):
            found, best = at, ranks[state]
        state = words[state, signs[at]]
    return found


@compiled
def _phone(signs: Any, runs: Any, at: Any) -> Any:
    """Return the end of a phone; the code of a country may stand before it without a gap."""
    first = at
    last = at
    if signs[at] == PLUS:
        first, last = at + 2, at + 1 + min(runs[at + 1], 3)
        last += _is_gap(signs[last])
    for begin in range(last, first - 1, -1):
        found = _local_phone(signs, runs, begin)
        if found:
            return found
    return 0


@compiled
def _local_phone(signs: Any, runs: Any, at: Any) -> Any:
    """Return the end of a phone without its country: an area and two to four groups."""
    if signs[at] == OPEN:
        run = runs[at + 1]
        if not 2 <= run <= 4 or signs[at + 1 + run] != CLOSE:
            return 0
        at += run + 2
        at += _is_gap(signs[at])
    else:
        run = runs[at]
        if not 2 <= run <= 4 or not _is_gap(signs[at + run]):
            return 0
        at += run + 1
    found = 0
    for group in range(4):
        run = runs[at]
        if not 2 <= run <= 4:
            break
        at += run
        if group and signs[at] != HYPHEN:
            found = at
        if not _is_gap(signs[at]):
            break
        at += 1
    return found


@compiled
def _short_date(signs: Any, runs: Any, at: Any, run: Any) -> Any:
    if run > 2 or signs[at + run] != SLASH:
        return 0
    at += run + 1
    run = runs[at]
    if not (1 <= run <= 2 or run == 4):
        return 0
    at += run
    return 0 if signs[at] == SLASH or signs[at] == PERCENT else at


@compiled
def _match(signs: Any, runs: Any, at: Any, words: Any, ranks: Any) -> Any:
    """Return the end of the first expression that matches here, and its number."""
    run = runs[at]
    end = 0
    if run:
        mark = signs[at + run]
        if mark == STOP:
            end = _ip(signs, runs, at, run)
            if end:
                return end, _IP
        if mark in (SLASH, HYPHEN, STOP):
            end = _date(signs, runs, at, run)
            if end:
                return end, _DATE
            end = _iso_date(signs, runs, at, run)
            if end:
                return end, _ISO_DATE
        end = _word_date(signs, runs, at, run, words, ranks)
        if end:
            return end, _WORD_DATE
        end = _time(signs, runs, at, run)
        if end:
            return end, _TIME
        end = _quantity(signs, runs, at, run, words, ranks)
        if end:
            return end, _QUANTITY
    end = _phone(signs, runs, at)
    if end:
        return end, _PHONE
    if run:
        end = _short_date(signs, runs, at, run)
    return end, _SHORT_DATE


@compiled
def _month_before(signs: Any, at: Any, words: Any, ranks: Any) -> Any:
    """Return where the month begins that what stands here belongs to, -1 for none."""
    least = max(0, at - 24)
    end = at
    # The word right before, then the one before that where it only joins: "of", "de", "del año".
    for _ in range(3):
        while end > least and not _is_word(signs[end - 1]):
            end -= 1
        begin = end
        while begin > least and _is_word(signs[begin - 1]):
            begin -= 1
        if begin == end or (begin and _is_word(signs[begin - 1])):
            return -1
        if _month(signs, begin, words, ranks) == end:
            return begin if _joins(signs, end, at, words, ranks) else -1
        end = begin
    return -1


@compiled
def _joins(signs: Any, at: Any, end: Any, words: Any, ranks: Any) -> Any:
    """Tell whether what stands between joins a month to what comes after it."""
    place = at + (signs[at] == STOP)
    other = place + (signs[place] == COMMA)
    if signs[other] == SPACE:
        other += 1
        if other == end or _listed(signs, other, OF_MONTH, words, ranks) == end:
            return True
    place += signs[place] == SPACE
    mark = signs[place]
    place += mark in (HYPHEN, SLASH, QUOTE, CURLED)
    place += signs[place] == SPACE
    return place == end


@compiled
def _month_tail(signs: Any, runs: Any, at: Any, words: Any, ranks: Any) -> Any:
    """Return the end of a day, of a day and a year, or of a year, that follows a month."""
    run = runs[at]
    if run == 4 and _century(signs, at):
        return at + run
    if not 1 <= run <= 2:
        return 0
    at += run
    end = _listed(signs, at, DAY_ORDINAL, words, ranks)
    if end:
        if DECIMAL <= signs[end] <= NINE:
            return at
        at = end
    year = at + (signs[at] == COMMA)
    if signs[year] == SPACE and runs[year + 1] == 4 and _century(signs, year + 1):
        return year + 5
    return at


@compiled
def _letter_before(signs: Any, at: Any) -> Any:
    """Tell whether a word, as a month is one, stands right before a number."""
    place = at - 1
    if place < 0 or signs[place] == STOP or signs[place] == COMMA:
        return False
    least = max(0, at - 8)
    while place >= least:
        mark = signs[place]
        if mark not in (SPACE, HYPHEN, SLASH, QUOTE, CURLED, STOP, COMMA):  # fmt: skip
            break
        place -= 1
    return least <= place < at - 1 and LETTER <= signs[place] <= LAST_LETTER


@compiled
def find_numbers(signs: Any, runs: Any, words: Any, ranks: Any, found: Any) -> Any:
    """Write the begin, end and number of each match to `found` (m, 3); return how many."""
    at: Any = np.int64(0)  # else numba compiles what it is given to for 0, too
    count, free, size = 0, 0, len(signs)
    while at < size:
        start, sign = at, signs[at]
        at += 1
        signed = sign in (PLUS, OPEN) and DECIMAL <= signs[at] <= NINE
        if not signed and not DECIMAL <= sign <= NINE:
            continue
        while DECIMAL <= signs[at] <= NINE or signs[at] == STOP or signs[at] == COMMA:
            at += 1
        if start < free:
            continue
        begin, end, number = start, 0, 0
        for _ in range(1 + signed):
            end, number = _match(signs, runs, begin, words, ranks)
            if end:
                break
            begin = start + 1  # the sign is not part of the number
        if not end and at - start <= 5 and _letter_before(signs, start):
            # A bare day or year: does a month stand before it?
            end, number = _month_tail(signs, runs, start, words, ranks), _MONTH_DATE
            begin = _month_before(signs, start, words, ranks) if end else -1
            if begin < 0:
                end = 0
        if end:
            free = end
            found[count, 0], found[count, 1], found[count, 2] = begin, end, number
            count += 1
    return count


def number_matches_compiled(signs: Any) -> Any:
    """Return the matches (m, 3) of texts that a line break ends: begin, end, number."""
    from scrubjay.text._number_words import number_words

    runs = np.empty(len(signs), dtype=np.uint8)
    _count_runs(signs, runs)
    # Each match has a decimal of its own.
    found = np.empty((np.count_nonzero(runs), 3), dtype=np.int32)
    return found[: find_numbers(signs, runs, *number_words(), found)]
