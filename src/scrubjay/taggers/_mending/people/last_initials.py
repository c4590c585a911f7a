"""The initial that ends a name at the end of its line or column: "POPE, LEO X", "Cole-Roe, M".

A tagger that has found the name leaves the letter where blanks or the end of a line come next
(English). It belongs to a name in capitals with a comma, and stands behind the comma of a surname
alone. An F or an M without a comma may tell the sex, and is left there.
"""

from __future__ import annotations

import re
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.uncovered import touched_by

_BEHIND = re.compile(r"(?P<comma>,)?[ ](?P<initial>[A-Z])\.?(?=[ ]{2}|[ ]?(?:[\r\n]|\Z))")
_LISTED = re.compile(r"[A-ZÀ-Þ][A-ZÀ-Þ'’ -]{1,30},[ ]?[A-ZÀ-Þ][A-ZÀ-Þ'’-]{1,20}")
_SURNAME = re.compile(r"[A-ZÀ-Þ][^\W\d_]{1,24}(?:[-'’][^\W\d_]{2,24}){0,2}")
_SEXES = "FM"


def widen_last_initials(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of an English text, names with the initials that end them.

    `spans` are sorted and disjoint, and so are those that are returned.
    """
    rows: list[Span] | None = None
    for number, span in enumerate(spans):
        end = span.end
        if span.label not in STAFF_AND_PATIENTS or text[end : end + 1] not in (" ", ","):
            continue
        behind = _BEHIND.match(text, end)
        if behind is None or touched_by(spans, end, behind.end()) is not None:
            continue
        form, sex = (_SURNAME, "") if behind["comma"] else (_LISTED, _SEXES)
        if behind["initial"] not in sex and form.fullmatch(text, span.start, end):
            rows = list(spans) if rows is None else rows
            rows[number] = replace(span, end=behind.end())
    return spans if rows is None else tuple(rows)
