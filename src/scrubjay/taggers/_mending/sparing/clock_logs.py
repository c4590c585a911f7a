"""Times with a dot in a log are no dates: "20.10 schopt deur", then "21.40 slaapt".

A time has the shape of a day and a month. It is one where it begins its line and words go on, the
times that begin the lines around it are in order, and one of those can be no day or, where
two have a dot, has a colon. That asks for more than what stands beside a mention, so it is no entry
of the look-alikes.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_TIME = re.compile(r"(?:[01]?\d|2[0-3])\.[0-5]\d")
_LINE = re.compile(
    r"^[ \t•*-]{0,4}(?P<time>(?P<hour>[01]?\d|2[0-3])[.:](?P<minute>[0-5]\d))(?![\d.:/-])"
    r"[ \t]?(?:u(?:ur)?\b)?[ \t:,-]*\S",
    re.MULTILINE,
)
_NO_DAY = re.compile(r"0?0\.|\d+\.(?:00|1[3-9]|[2-5]\d)")
_AROUND, _NEAR = 1200, 3
"""Characters above and below in which other times are looked for, and how many of them count."""


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
