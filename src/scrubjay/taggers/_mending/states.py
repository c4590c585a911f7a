"""The state behind a town whose letters are a title as well: "in Pocomoke City, MD. She".

A tagger takes "MD" for what a doctor is (English).
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.uncovered import Found, add_uncovered

SOURCE, LABEL = "states", "STATE"
MARK = ", MD"
"""What a text has to hold."""

_CITY = "CITY"
_STATE = re.compile(r",[ ](?P<state>MD)(?![\w-])")


def add_states(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of an English text with Maryland behind its towns.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    found: list[Found] = [
        (*state.span("state"), LABEL)
        for span in spans
        if span.label == _CITY and (state := _STATE.match(text, span.end))
    ]
    return add_uncovered(spans, found, SOURCE) if found else spans
