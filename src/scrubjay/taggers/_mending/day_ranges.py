"""The first day of a range is found with the date behind it: "Nights 3-4/4/21".

A tagger parts numbers at a hyphen, and leaves the 3 of the third and the fourth of April in the
text. A day before a whole date with its year, joined by a hyphen, is of that date.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES

_WHOLE = re.compile(r"\d{1,2}(?P<mark>[/.])\d{1,2}(?P=mark)(?:\d{2}|\d{4})")
_DAY = re.compile(r"(?<![\w.,/:+–-])(?<![–-][ ])(?P<day>0?[1-9]|[12]\d|3[01])[–-]\Z")
_LONGEST, _AROUND = 10, 6


def may_end_range(mention: str) -> bool:
    """Tell whether a mention is a whole date of numbers that is not in the order of ISO."""
    return len(mention) <= _LONGEST and _WHOLE.fullmatch(mention) is not None


def widen_ranges(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans of a text, dates with the day before them that shares their month.

    What another span has stays its own: spans that are sorted and disjoint stay so.
    """
    rows: list[Span] = []
    for span in spans:
        if span.label in DATES and may_end_range(text[span.start : span.end]):
            floor = max(0, span.start - _AROUND)
            day = _DAY.search(text[floor : span.start])
            start = floor + day.start() if day else span.start
            is_other = day is not None and int(day["day"]) != _first_number(text, span.start)
            if is_other and (not rows or rows[-1].end <= start):
                span = replace(span, start=start)
        rows.append(span)
    return tuple(rows)


def _first_number(text: str, place: int) -> int:
    return int(text[place : place + 2].rstrip("/."))
