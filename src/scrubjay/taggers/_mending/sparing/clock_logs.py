"""Times with a dot in a log are no dates: "20.10 schopt deur", then "21.40 slaapt".

A time has the shape of a day and a month. It is one where it begins its line and words go on, the
times that begin the lines around it are in order, and one of those can be no day or, where
two have a dot, has a colon. That asks for more than what stands beside a mention, so it is no entry
of the look-alikes.

Times without a sign, "0902 dr. Roe called", are no number of anybody where three and more begin
lines and items, words go on behind each, all are times of a clock, and two that follow are in
order.
"""

from __future__ import annotations

import operator
import re

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES, PHONES

_TIME = re.compile(r"(?:[01]?\d|2[0-3])\.[0-5]\d")
_LINE = re.compile(
    r"^[ \t•*-]{0,4}(?P<time>(?P<hour>[01]?\d|2[0-3])[.:](?P<minute>[0-5]\d))(?![\d.:/-])"
    r"[ \t]?(?:u(?:ur)?\b)?[ \t:,-]*\S",
    re.MULTILINE,
)
_NO_DAY = re.compile(r"0?0\.|\d+\.(?:00|1[3-9]|[2-5]\d)")
_AROUND, _NEAR = 1200, 3
"""Characters above and below in which other times are looked for, and how many of them count."""


_BARE = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d(?:[ ][^\W\d_].*)?")
_BARE_ROW = re.compile(
    r"(?:^[ \t]*(?:\d{1,2}[-/]\d{1,2}[ ]{1,2})?|;[ ])(?P<time>\d{4})[ ]{1,4}(?=[^\W\d_])",
    re.MULTILINE,
)
_CLOCK = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_FEWEST = 3
BARE = DATES | PHONES
"""Labels of what may be a time without a sign."""


def may_be_log_time(mention: str) -> bool:
    """Tell whether a mention has the shape of a time and of a day, wherever it stands."""
    return _TIME.fullmatch(mention) is not None


def is_log_time(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is a time of a log."""
    floor = text.rfind("\n", 0, max(0, span.start - _AROUND)) + 1
    rows = list(_LINE.finditer(text, floor, min(len(text), span.end + _AROUND)))
    place = next(
        (n for n, row in enumerate(rows) if row.span("time") == (span.start, span.end)), None
    )
    if place is None:
        return False
    for reach in (1, _NEAR):
        near = rows[max(0, place - reach) : place + reach + 1]
        times = [(int(row["hour"]), int(row["minute"])) for row in near]
        if times != sorted(times):
            return False
        if any(_NO_DAY.match(row["time"]) for row in near):
            return True
    return 1 < sum("." in row["time"] for row in near) < len(near)


def may_be_bare_time(mention: str) -> bool:
    """Tell whether a mention is, or begins with, four figures that may be a time of the clock."""
    return _BARE.fullmatch(mention) is not None


def is_bare_log_time(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape begins an item of a log, as others do."""
    floor = text.rfind("\n", 0, max(0, span.start - _AROUND)) + 1
    rows = list(_BARE_ROW.finditer(text, floor, min(len(text), span.end + _AROUND)))
    times = [row["time"] for row in rows]
    return (
        len(rows) >= _FEWEST
        and any(row.start("time") == span.start for row in rows)
        and all(map(_CLOCK.fullmatch, times))
        and any(map(operator.lt, times, times[1:]))
    )
