"""Who signs a note on its last line is a person by what somebody is: "Schilder, nefroloog" (Dutch).

A tagger passes over surnames that are words there, with no title before them.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.people.uncovered import add_uncovered

SOURCE, LABEL = "last-lines", "NAME"

_LONGEST = 72
"""Characters of a line that is read."""

_SIGNED = re.compile(
    r"(?P<name>(?:[A-Z]\.[ ]?){0,4}(?:(?:van|de|der|den|ten|ter|Van|De)[ ]){0,3}"
    r"[A-ZÀ-ÖØ-Þ][a-zà-ÿ]{2,}(?:-[A-ZÀ-ÖØ-Þ][a-zà-ÿ]+)?),[ ]"
    r"(?:[a-z-]*(?:loog|loge|arts|chirurg|peut|peute|kundige|iater|internist|anesthesist)|"
    r"aios|anios|vpk|vs|pa)(?:[ ]i\.?o\.?)?\.?"
)


def add_last_lines(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Dutch text with the name on its last line, where a function ends it.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    end = len(text.rstrip())
    begin = text.rfind("\n", max(0, end - _LONGEST), end) + 1
    if not begin and end > _LONGEST:
        return spans
    signed = _SIGNED.fullmatch(text, begin, end)
    if signed is None:
        return spans
    return add_uncovered(spans, [(signed.start("name"), signed.end("name"), LABEL)], SOURCE)
