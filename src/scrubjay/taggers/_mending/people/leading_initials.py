"""The initial before a surname belongs to it: "Firma: G. Cánovas" with "Cánovas" found (Spanish).

A tagger takes the stop of an initial for the end of a sentence, or has seldom met the surname so.
"D." is a title, and what ends a sentence ("hepatitis C. Pérez") is none: the initial begins a line
or stands behind a stop, another sign, or a word that joins names.
"""

from __future__ import annotations

import re
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.people.namesakes import NAMES
from scrubjay.taggers._mending.uncovered import touched_by

_AROUND, _SHORTEST = 16, 3
"""Characters before a name that are looked at, and letters of a surname."""

_INITIALS = re.compile(
    r"(?:\A|\n|[:(\[\"«·—–/,;-][ ]?|[.][ ]|(?<!\w)(?:y|e|con|por)[ ])[ ]{0,3}"
    r"(?P<initials>(?:(?!D[.])[A-ZÀ-ÖØ-Þ][.][ ]?){1,3})\Z"
)


def widen_initials(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Spanish text, names with the initials before them.

    `spans` are sorted and disjoint, and so are those that are returned. Names in capitals stay.
    """
    rows: list[Span] | None = None
    for number, span in enumerate(spans):
        start = span.start
        if text[start - 2 : start] != ". " or span.label not in NAMES:
            continue
        name = text[start : span.end]
        if len(name) < _SHORTEST or not name[0].isupper() or name.isupper():
            continue
        found = _INITIALS.search(text, max(0, start - _AROUND), start)
        if found is not None and touched_by(spans, found.start("initials"), start) is None:
            rows = list(spans) if rows is None else rows
            rows[number] = replace(span, start=found.start("initials"))
    return spans if rows is None else tuple(rows)
