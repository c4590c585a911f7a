"""Days of scanned notes whose digits were read as letters: "12-O1-7l", "ll/O2/2O23", "in 2OO5".

A tagger has read no such days, and leaves them or takes a part of them. What is a day with 0 for O
and 1 for l and I is one, and what was found within it gives way. A year has to have its century,
and no unit behind it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import replace
from operator import attrgetter

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES, date_label
from scrubjay.taggers._mending.misread_words import find_misread
from scrubjay.taggers._mending.uncovered import put_uncovered

SOURCE = "misread"

PIECES = ("O1", "O3", "O5", "O7", "O8", "O9", "l9", "2O0", "2O1", "2O2")
"""Some of these are in nearly every text that was read so."""

_SIGN = "[0-9OoIl]"
_DAY = re.compile(
    rf"(?<![\dOIl./-])(?<!\d[ ])({_SIGN}{{1,2}})([-/.])({_SIGN}{{1,2}})\2"
    rf"({_SIGN}{{4}}|{_SIGN}{{2}})"
    r"(?![^\W_]|[-/.][^\W_])"
)
_YEAR = re.compile(
    rf"(?<![\w.,/-])(?:[1lI]9|2[0O]){_SIGN}{{2}}(?![\w/-]|[.,]\d)"
    r"(?![ ]?(?:mg|ml|mcg|µg|ug|g|kg|kcal|cal|u|ie|iu|ui|cc|m|cm|mm|l|%)(?!\w))",
    re.IGNORECASE,
)
_DIGITS = str.maketrans("OoIl", "0011")


def mend_misread(
    text: str, spans: Sequence[Span], language: str, labels: Collection[str] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text, sorted and disjoint, with the days that were misread in it.

    With them come what else was (`misread_words`), where a model has its label; None has all.
    """
    if not any(piece in text for piece in PIECES):
        return tuple(spans)
    rows, label = list(spans), date_label(language)
    for day in _DAY.finditer(text):
        if _is_misread(day[0]) and _is_day(day):
            _put(rows, day.start(), day.end(), label)
    for start, end, other in find_misread(text, language):
        if labels is None or other in labels:
            _put(rows, start, end, other)
    for year in _YEAR.finditer(text):
        if _is_misread(year[0]):
            _put_year(text, rows, year.start(), year.end(), label)
    return tuple(rows)


def _is_misread(mention: str) -> bool:
    """Tell whether letters stand among figures."""
    return any(map(str.isalpha, mention)) and sum(map(str.isdigit, mention)) > 1


def _is_day(day: re.Match[str]) -> bool:
    first, second = (int(day[number].translate(_DIGITS)) for number in (1, 3))
    century = day[4].translate(_DIGITS)[:2] if len(day[4]) > 2 else "20"
    return (
        0 < min(first, second) <= 12 and max(first, second) <= 31 and century in ("19", "20", "21")
    )


def _put(rows: list[Span], start: int, end: int, label: str) -> None:
    """Put a day in the place of what was found within it; what reaches beyond it stays."""
    first = bisect_right(rows, start, key=attrgetter("end"))
    last = bisect_left(rows, end, key=attrgetter("start"))
    within = rows[first:last]
    if not within or (within[0].start >= start and within[-1].end <= end):
        rows[first:last] = [Span(start, end, label, source=SOURCE)]


def _put_year(text: str, rows: list[Span], start: int, end: int, label: str) -> None:
    """Put a year where nothing was found, or to the day before it."""
    before = bisect_right(rows, start, key=attrgetter("end")) - 1
    if before >= 0 and rows[before].label in DATES and text[rows[before].end : start] == " ":
        if before + 1 == len(rows) or rows[before + 1].start >= end:
            rows[before] = replace(rows[before], end=end)
    else:
        put_uncovered(rows, [(start, end, label)], SOURCE)
