"""Times with a dot in a log are no dates: "20.10 schopt deur", then "21.40 slaapt" (Dutch).

A time has the shape of a day and a month. It is one where it begins its line and words go on, and
of the times that begin the lines above and below the nearest ones are earlier and later, one of
them at least being no day of a year. Where that is written with a colon another one has a dot, and
all around it are in order.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_TIME = re.compile(r"([01]?\d|2[0-3])\.([0-5]\d)")
_LINE = re.compile(
    r"^[ \t•*-]{0,4}(?P<time>(?:[01]?\d|2[0-3])[.:][0-5]\d)(?![\d.:/-])[ \t]?(?:u(?:ur)?\b)?"
    r"[ \t:,-]*(?P<rest>\S*)",
    re.MULTILINE,
)
_AROUND = 1200
"""Characters above and below in which other times are looked for."""
_MOST_MONTHS = 12


def may_be_log_time(mention: str) -> bool:
    """Tell whether a mention has the shape of a time and of a day, wherever it stands."""
    return _TIME.fullmatch(mention) is not None


def is_log_time(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is a time of a log."""
    floor = text.rfind("\n", 0, max(0, span.start - _AROUND)) + 1
    rows = list(_LINE.finditer(text, floor, min(len(text), span.end + _AROUND)))
    place = next((n for n, row in enumerate(rows) if row.start("time") == span.start), None)
    if place is None or rows[place].end("time") != span.end or not rows[place]["rest"]:
        return False
    own = _minutes(rows[place]["time"])
    above = rows[place - 1]["time"] if place else None
    below = rows[place + 1]["time"] if place + 1 < len(rows) else None
    known = [time for time in (above, below) if time is not None]
    if not any("." in row["time"] and _is_no_day(row["time"]) for row in rows):
        # Times with a colon alone tell: "12.10 opname" may be a day above "14:30 gesprek".
        near = rows[max(0, place - 3) : place + 4]
        times = [_minutes(row["time"]) for row in near]
        if times != sorted(times) or sum("." in row["time"] for row in near) < 2:
            return False
    if not any(map(_is_no_day, known)):
        # Several that could all be days: a further one tells.
        further = [row["time"] for row in rows[max(0, place - 3) : place + 4]]
        if len(further) < 4 or not any(map(_is_no_day, further)):
            return False
        times = [_minutes(time) for time in further]
        return times == sorted(times)
    if above is not None and _minutes(above) > own:
        return False
    return below is None or own <= _minutes(below)


def _minutes(time: str) -> int:
    hours, minutes = re.split("[.:]", time)
    return 60 * int(hours) + int(minutes)


def _is_no_day(time: str) -> bool:
    """Tell whether a time can be no day and month."""
    hours, minutes = re.split("[.:]", time)
    return ":" in time or not 0 < int(minutes) <= _MOST_MONTHS or not int(hours)
