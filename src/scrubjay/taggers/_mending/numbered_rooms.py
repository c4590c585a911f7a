"""Rooms by what they are for and a number: "gipskamer 2", "holding 1", "verpleegpunt C" (Dutch).

A tagger knows "kamer 12" and passes over the rooms of a clinic that it never saw. A word for a room
or a cell and a number or a letter behind it are one, but not how many stand in it ("wachtkamer 3
stoelen"), how large it is and how often somebody was there. Rooms of a home have no number.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.uncovered import Found, add_uncovered
from scrubjay.text.occurrences import places_of

SOURCE, LABEL = "numbered-rooms", "INTERNAL_LOCATION"
LABELS = frozenset({LABEL})

_HEADS = (
    "kamer ", "uite ", "epareer", "olding ", "erpleegpunt ", "nameplein ", "ouveuse ", "laapzaal ",
)  # fmt: skip
_LONGEST = 16
"""Letters of a word before the head that is looked for."""

_ROOM = re.compile(
    r"(?<![\w-])(?:(?!(?:woon|slaap|eet|huis|bad|zit|logeer|kinder|baby|speel|hotel|tien|studenten|"
    r"tweede|eerste)kamer)[a-z]{2,14}kamer|suite|separeer(?:cel|ruimte)?|holding|verpleegpunt|"
    r"opnameplein|couveuse|slaapzaal)[ ](?:\d{1,2}[a-wyz]?|[A-D])"
    r"(?![\w°%²/]|[.,:-]\d|[ ]?(?:x|×|m2|à)(?!\w)|"
    r"[ ](?:uur|u|min|jaar|jr|keer|dag|week|wk|mnd|dgn|maand|meter|graden|pers|"
    r"[^\W\d_]+(?:en|s))(?!\w))",
    re.IGNORECASE,
)


def add_numbered_rooms(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Dutch text with such rooms.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    found = _find(text)
    return add_uncovered(spans, found, SOURCE) if found else spans


def _find(text: str) -> list[Found]:
    found = []
    for place in (place for head in _HEADS for place in places_of(head, text)):
        begin = place
        while begin and place - begin < _LONGEST and text[begin - 1].isalpha():
            begin -= 1
        if begin < place and (room := _ROOM.match(text, begin)):
            found.append((begin, room.end(), LABEL))
    return found
