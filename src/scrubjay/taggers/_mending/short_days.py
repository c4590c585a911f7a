"""Days without a year that a text writes as it does others: "3/6 Caída en baño", "(7/3)" (Spanish).

A tagger that has found "6/5" and "13/5" passes over "3/6" where the words beside it are new to it.
Such a day is told from a score ("dolor 3/10") by where it stands: it begins a line, or stands alone
in brackets, or its first number is none of a month, in a text with two of its kind and in a month
beside theirs. Pressures ("TA 14/8", "BiPAP 14/6") are none. A zero before one of its numbers tells
it by itself in a text with one of its kind: no score has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES
from scrubjay.taggers._mending.uncovered import Found, add_uncovered, touched_by

SOURCE, LABEL = "short-day", "FECHAS"
_FEWEST, _EARLY, _LAST_DAY, _LAST_MONTH, _AROUND = 2, 12, 31, 12, 16
"""Days that have to be found, those that may be months as well, the last of each, and
characters before a day that are looked at."""

_SHAPE = re.compile(r"\d{1,2}[/-]\d{1,2}")
_DAY = re.compile(r"(?P<day>\d{1,2})/(?P<month>\d{1,2})")
_ONE = re.compile(
    r"(?<![\w.,/+°%-])(?P<day>\d{1,2})/(?P<month>\d{1,2})"
    r"(?![\w/%+]|[.,:-]\d|[ ]?(?:m?c?g|m[lL]|mmHg|cm|mm|%|x)(?!\w)|[ ]?[-–][ ]?\d)"
)
_PRESSURE = re.compile(
    r"(?:PAP|P[ASI]|T[.]?A|presi[óo]n|tensi[óo]n|arterial)[.:]?[ ](?:de[ ])?\Z", re.IGNORECASE
)
_BEGIN = re.compile(r"(?:\A|\n)[ ]{0,3}\Z")


def may_be_short_day(mention: str) -> bool:
    """Tell whether a date is a day and a month in figures, in either order: "6/5", "5-16"."""
    return _SHAPE.fullmatch(mention) is not None


def add_short_days(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Spanish text with days that are written as those that were found.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    found = list(_find(text, spans))
    return add_uncovered(spans, found, SOURCE) if found else spans


def _find(text: str, spans: Sequence[Span]) -> Iterator[Found]:
    days = [_DAY.fullmatch(text, span.start, span.end) for span in spans if span.label in DATES]
    months = [int(day["month"]) for day in days if day is not None]
    near = {(month + by - 1) % _LAST_MONTH + 1 for month in months for by in (-1, 0, 1)}
    for one in _ONE.finditer(text) if months else ():
        start, end = one.span()
        is_day = 0 < int(one["day"]) <= _LAST_DAY and 0 < int(one["month"]) <= _LAST_MONTH
        is_told = "0" in (one["day"][0], one["month"][0]) or (
            len(months) >= _FEWEST and int(one["month"]) in near and _stands_so(text, one)
        )
        if is_day and is_told and touched_by(spans, start, end) is None:
            yield start, end, LABEL


def _stands_so(text: str, one: re.Match[str]) -> bool:
    """Tell whether a day and a month stand where no score does."""
    start, end = one.span()
    return (
        (text[start - 1 : start] == "(" and text[end : end + 1] == ")")
        or _BEGIN.search(text, max(0, start - 4), start) is not None
        or (
            int(one["day"]) > _EARLY
            and _PRESSURE.search(text, max(0, start - _AROUND), start) is None
        )
    )
