"""Rooms at the begins of lines, one after the other: "31 vermeer", "32 Stien", "33 leeg" (Dutch).

A tagger finds some of them and takes others for amounts. Where two were found, a number that begins
a line is a room behind one that is lower by one or two, and before one that is higher so.
"""

from __future__ import annotations

import re
from itertools import pairwise

from scrubjay.document import Span
from scrubjay.taggers._mending.people.uncovered import add_uncovered

SOURCE, LABEL = "row-rooms", "INTERNAL_LOCATION"

_FEWEST, _LOWEST, _STEP = 2, 10, 2
"""Rooms that have to be found, the lowest number of one (lower ones count the lines), and by how
much one is higher than the one before it."""

_NUMBER = re.compile(r"\d{2,3}")
_LINE = re.compile(
    r"^[ \t]{0,4}(?P<room>\d{2,3})"
    r"(?=:|[ ](?![ ]?(?:mg|ml|x|%|kg|cm|u\b|uur|min|dagen|dgn|wk|weken|mnd|"
    r"maanden|jaar|jr|j\b|keer|euro|stuks|jan|feb|m(?:aa)?rt|apr|mei|jun|jul|aug|sep|okt|nov|dec)))"
    r"(?!:\d)",
    re.MULTILINE,
)


def may_be_room(mention: str) -> bool:
    """Tell whether a room that was found is a number alone."""
    return _NUMBER.fullmatch(mention) is not None and int(mention) >= _LOWEST


def add_row_rooms(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Dutch text with rooms of a row in which some were found.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    known = {
        span.start
        for span in spans
        if span.label == LABEL and may_be_room(text[span.start : span.end])
    }
    if len(known) < _FEWEST:
        return spans
    lines = [(line.start("room"), line.end("room")) for line in _LINE.finditer(text)]
    rooms = known.intersection(start for start, _ in lines)
    if len(rooms) < _FEWEST:
        return spans
    for row in (lines, lines[::-1]):
        for (one, one_end), (other, other_end) in pairwise(row):
            apart = abs(int(text[other:other_end]) - int(text[one:one_end]))
            is_on = (int(text[other:other_end]) > int(text[one:one_end])) == (other > one)
            if one in rooms and is_on and 0 < apart <= _STEP:
                rooms.add(other)
    found = [(start, end, LABEL) for start, end in lines if start in rooms - known]
    return add_uncovered(spans, found, SOURCE) if found else spans
