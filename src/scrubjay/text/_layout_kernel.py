"""The compiled scan of layout: lines, and what may be a key or a heading, over joined texts.

Imported where compiled kernels are wanted, and there alone: importing it loads numba. It finds
the places at which `layout.py` looks, and that file says what stands there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.text.signs import (
    COLON,
    DECIMAL,
    DIGIT,
    HARD_SPACE,
    HYPHEN,
    LETTER,
    NEWLINE,
    NINE,
    OTHER,
    SLASH,
    SPACE,
    STOP,
    UNDERSCORE,
)

INNER_KEY, FIRST_KEY, HEADING = range(3)
"""Kinds of places: a key, a key that may reach back to the begin of its line, a heading."""

#: Characters of a key that count; characters of a line that may be a heading, and of the heading.
_LONGEST_KEY, _LONGEST_LINE, _LONGEST_HEADING = 40, 62, 59
_MOST_WORDS = 4
_TAB, _RETURN, _STAR, _HASH, _EQUALS = 9, 13, 42, 35, 61
_LOWER_A, _LOWER_Z = 97, 122


@compiled
def _is_ruled(point: Any, sign: Any) -> Any:
    """Tell whether a heading may have this before or after it."""
    return (
        sign in (SPACE, STOP, HYPHEN, UNDERSCORE) or point in (_TAB, _RETURN, _STAR, _HASH, _EQUALS)
    )  # fmt: skip


@compiled
def _may_be_heading(points: Any, signs: Any, begin: Any, end: Any) -> Any:
    """Tell whether a line may be a heading: it may have too many words still."""
    while begin < end and _is_ruled(points[begin], signs[begin]):
        begin += 1
    while begin < end and _is_ruled(points[end - 1], signs[end - 1]):
        end -= 1
    if not 2 <= end - begin <= _LONGEST_HEADING or not LETTER <= signs[begin] < UNDERSCORE:
        return False
    words, spaced, lower = 0, True, False
    for at in range(begin, end):
        sign, point = signs[at], points[at]
        if sign in (COLON, STOP):
            return False
        if sign == SPACE or point == _TAB:
            spaced = True
        else:
            # Blanks of other kinds begin no word; what else has their signs may be left out.
            words += spaced and sign not in (OTHER, HARD_SPACE)
            spaced = False
            lower |= _LOWER_A <= point <= _LOWER_Z
    return words <= _MOST_WORDS or not lower


@compiled
def _is_digit(sign: Any) -> Any:
    return DECIMAL <= sign <= NINE or sign == DIGIT


@compiled
def scan_layout(points: Any, signs: Any, lines: Any, places: Any) -> Any:
    """Write where lines begin, and the places of keys and headings; return how many of each.

    The texts lie one after another, each with a line break behind it. `places` (m, 4) are, in
    order, kind, first and last character (exclusive) to look at, and the number of the line.
    """
    begin: Any = np.int64(0)  # else numba compiles what it is given to for 0, too
    line_count, place_count, left = 0, 0, begin
    for at in range(len(signs)):
        sign = signs[at]
        if sign == COLON:
            first, left_before = max(begin, left), left
            left = at + 1
            if at > begin and _is_digit(signs[at - 1]) and _is_digit(signs[at + 1]):
                continue  # a time of day
            if signs[at + 1] == SLASH and signs[at + 2] == SLASH:
                continue  # an address of the web
            whole = left_before <= begin and at - first <= _LONGEST_KEY
            places[place_count, 0] = FIRST_KEY if whole else INNER_KEY
            places[place_count, 1] = max(first, at - _LONGEST_KEY)
            places[place_count, 2] = at
            places[place_count, 3] = line_count
            place_count += 1
        elif sign == NEWLINE:
            if at - begin <= _LONGEST_LINE and _may_be_heading(points, signs, begin, at):
                places[place_count, 0] = HEADING
                places[place_count, 1] = begin
                places[place_count, 2] = at
                places[place_count, 3] = line_count
                place_count += 1
            lines[line_count] = begin
            line_count += 1
            begin = at + 1
    return line_count, place_count


def find_layout(points: Any, signs: Any) -> Any:
    """Return where lines begin (l,) and the places of keys and headings (m, 4)."""
    breaks = np.count_nonzero(signs == NEWLINE)
    colons = np.count_nonzero(signs == COLON)
    lines = np.empty(breaks, dtype=np.int32)
    places = np.empty((breaks + colons, 4), dtype=np.int32)
    line_count, place_count = scan_layout(points, signs, lines, places)
    return lines[:line_count], places[:place_count]
