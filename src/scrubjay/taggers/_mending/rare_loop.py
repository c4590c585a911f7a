"""The compiled search for texts that may need rare steps: one walk over the signs of all texts.

Imported where compiled kernels are wanted, and there alone: importing it loads numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.taggers._mending import boxed_days, coordinates, dose_weeks
from scrubjay.taggers._mending.people.speakers import FEWEST_TURNS
from scrubjay.taggers._mending.rare_steps import (
    ALNUM,
    BAR,
    BLANK,
    BOX,
    BOXED,
    BREAK,
    CLOSER,
    COLON,
    COMMA,
    DIGIT,
    DOSES,
    ENDING,
    EQUAL,
    FARTHEST,
    HEAD_BITS,
    LETTER,
    LOW,
    MARK,
    MARKUP,
    PLACES,
    SPELLED,
    STOP,
    STROKE,
    TAB,
    TABLES,
    TALK,
)
from scrubjay.taggers._mending.tables import commas, forms, layout

_APART = boxed_days.FIGURES - 1
_FARTHEST_FIGURES, _FARTHEST_WEEKDAYS = boxed_days.FARTHEST, dose_weeks.FARTHEST
_FARTHEST_KEY = coordinates.FARTHEST + 1
_FEWEST_COMMAS, _LONGEST_CELL = commas.FEWEST_SIGNS, commas.LONGEST
_FEWEST_COLONS, _LONGEST_LINE = forms.FEWEST, forms.LONGEST
_FEWEST_GAPS, _FEWEST_ROWS = layout.FEWEST_GAPS, layout.FEWEST_ROWS


@compiled
def rare_loop(
    signs: Any, bounds: Any, codes: Any, roles: Any, pairs: Any, keys: Any, ends: Any,
    weekdays: Any, steps: Any,
) -> None:  # fmt: skip
    """Set in `steps` (texts,) the bits of those that each text between `bounds` may need.

    What is looked for is what `rare_steps` tells of; its tables are `codes`, `roles` (256), `pairs`
    (65,536: bits of steps), `keys` (32,768: which three letters those of coordinates begin with),
    and `ends` (65,536) and whole endings of `weekdays`, sorted.
    """
    heads = np.zeros(1 << HEAD_BITS, np.uint8)
    figures = np.empty(_APART, np.int64)
    for text in range(len(steps)):
        found = turns = met_heads = met_figures = 0
        columns = tabs = bars = strokes = marks = 0
        begin, weekday, told = bounds[text], bounds[text] - _FARTHEST_WEEKDAYS - 1, -1
        key_at = bounds[text] - _FARTHEST_KEY - 1
        in_line = colons = 0
        has_gap = has_column = False
        for place in range(bounds[text], bounds[text + 1]):
            sign, before = np.int64(signs[place]), signs[place - 1]
            after = np.int64(signs[place + 1])
            role, code = roles[sign], np.int64(codes[sign])
            if roles[after] & DIGIT or after == ord(":"):
                found |= pairs[sign << 8 | after]
            if role & LETTER:
                last = np.int64(before) if roles[before] & LETTER else np.int64(0)
                if not roles[before] & ALNUM:
                    third = np.int64(signs[place + 2]) & LOW
                    if keys[(sign & LOW) << 10 | (after & LOW) << 5 | third]:
                        key_at = place
                if not roles[after] & ALNUM and ends[last << 8 | sign]:
                    key, shift = np.int64(0), 0
                    while shift < ENDING and roles[signs[place - shift]] & LETTER:
                        key |= np.int64(signs[place - shift]) << 8 * shift
                        shift += 1
                    is_whole = shift == ENDING or not roles[signs[place - shift]] & ALNUM
                    slot = min(np.searchsorted(weekdays, key), len(weekdays) - 1)
                    if is_whole and weekdays[slot] == key:
                        if place - weekday <= _FARTHEST_WEEKDAYS:
                            found |= DOSES
                        weekday = place
            elif sign == BLANK:
                if after == BLANK:
                    has_gap = True
                    has_column |= signs[place + 2] == BLANK or not roles[before] & CLOSER
                elif after >= ord("?"):
                    shift = 2
                    while shift < 6 and (
                        (signs[place + shift] == BLANK or signs[place + shift] == ord("-"))
                        and signs[place + shift + 1] >= ord("?")
                    ):
                        shift += 2
                    far = 2
                    while (
                        far < 8
                        and (signs[place + far] == ord(",") or signs[place + far] == ord("."))
                        and signs[place + far + 1] == BLANK
                        and signs[place + far + 2] >= ord("?")
                    ):
                        far += 3
                    if shift == 6 or far == 8:
                        found |= SPELLED
            elif role & DIGIT:
                if not (roles[before] | roles[after]) & ALNUM:
                    slot = met_figures % _APART
                    if met_figures >= _APART and place - figures[slot] < _FARTHEST_FIGURES:
                        found |= BOXED
                    figures[slot] = place
                    met_figures += 1
            elif code == BREAK:
                if told == in_line or (
                    has_gap and colons >= _FEWEST_COLONS and place - begin <= _LONGEST_LINE
                ):
                    found |= TABLES
                is_told = in_line >= _FEWEST_COMMAS
                is_told &= place - begin <= _LONGEST_CELL * (in_line + 1)
                told = in_line if is_told else -1
                columns += has_column
                begin, in_line, colons, has_gap, has_column = place + 1, 0, 0, False, False
            elif code:
                if code in (COMMA, STOP):
                    in_line += code == COMMA
                    if roles[before] & roles[after] & roles[signs[place + 2]] & DIGIT and (
                        place - key_at <= _FARTHEST_KEY
                        or roles[signs[place + 3]] & roles[signs[place + 4]] & DIGIT
                    ):
                        found |= PLACES
                elif code == COLON:
                    colons += 1
                    if before == ord('"'):
                        found |= TABLES
                elif code in (TAB, BAR):
                    has_gap = True
                    tabs += code == TAB
                    bars += code == BAR
                elif code == STROKE:
                    strokes += before == BLANK and after == BLANK
                    if before == ord("<"):
                        found |= TABLES
                elif code == MARK:
                    marks += 1
                elif code >= EQUAL:
                    found |= MARKUP
                    if code == EQUAL and after > BLANK:
                        found |= TABLES
                if (
                    (code in (COLON, BOX) or (code == STOP and before & 0xCF == ord("A")))
                    and (after == BLANK or after == ord("\t") or after == ord(":"))
                    and place - begin <= FARTHEST
                ):
                    end = place - (code != STOP)
                    end -= signs[end] == BLANK
                    head, shift = np.int64(signs[end]) & LOW, 1
                    while shift < 3 and roles[signs[end - shift]] & ALNUM:
                        head |= (np.int64(signs[end - shift]) & LOW) << 5 * shift
                        shift += 1
                    met_heads += 1
                    turns += min(heads[head], 1) + (heads[head] == 1)
                    heads[head] = min(heads[head] + 1, 2)
        if met_heads:
            heads[:] = 0
        if turns >= FEWEST_TURNS:
            found |= TALK
        if (
            columns >= _FEWEST_GAPS
            or tabs >= _FEWEST_ROWS
            or bars > _FEWEST_ROWS  # two in the first row
            or max(strokes, marks) >= 2 * _FEWEST_ROWS
        ):
            found |= TABLES
        steps[text] = found
