"""Rooms at the begins of lines, one after the other: "31 vermeer", "32 Stien", "33 leeg" (Dutch).

A tagger finds some of them and takes others for amounts. Numbers that begin lines and rise by one
or two are rooms where one of them was found to be one, and three are such or stand before a person.
"""

from __future__ import annotations

import re
from itertools import pairwise

from scrubjay.document import Span
from scrubjay.taggers._mending.uncovered import add_uncovered
from scrubjay.text.months import month_words

SOURCE, LABEL = "row-rooms", "INTERNAL_LOCATION"
LABELS = frozenset({LABEL})

_PERSON, _STEP, _FEWEST = "NAME", 2, 3
"""The label of persons, by how much a room is higher than the one before it, and how many lines of
a row have to show a room or a person. Numbers below ten count the lines."""
_LINE = re.compile(
    r"^[ \t]{0,4}(?P<room>[1-9]\d{1,2})(?=:?[ ]{1,2}(?:de[ ]|[^\W\d_]{3}))", re.MULTILINE
)
_AMOUNT = re.compile(
    rf":?[ ]{{1,2}}(?:{month_words('nl')}|min|uur|dagen|dgn|weken|mnd|maand|jaar|keer|euro|stuks|"
    r"eenh|tab|cap|ampul|flesjes|gram|pers)"
)


def add_row_rooms(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Dutch text with rooms of a row in which one was found.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    known = {span.start for span in spans if span.label == LABEL}
    if not known:
        return spans
    lines = [line for line in _LINE.finditer(text) if not _AMOUNT.match(text, line.end())]
    if len(lines) < _FEWEST or known.isdisjoint(line.start("room") for line in lines):
        return spans
    persons = {span.start for span in spans if span.label == _PERSON}
    found = []
    for row in _rows(lines):
        rooms = [line.start("room") for line in row]
        behind = [any(line.end() < at <= line.end() + 3 for at in persons) for line in row]
        told = sum(at in known or named for at, named in zip(rooms, behind, strict=True))
        if told >= _FEWEST and not known.isdisjoint(rooms):
            found += [(line.start("room"), line.end("room"), LABEL) for line in row]
    return add_uncovered(spans, found, SOURCE) if found else spans


def _rows(lines: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Return the lines in rows, in which each number is a little higher than the one before it."""
    rows = [lines[:1]]
    for one, other in pairwise(lines):
        if 0 < int(other["room"]) - int(one["room"]) <= _STEP:
            rows[-1].append(other)
        else:
            rows.append([other])
    return rows
