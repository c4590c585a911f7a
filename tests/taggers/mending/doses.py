"""Texts with dates in braces, for tests of doses and of weekdays beside them."""

from __future__ import annotations

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Document
from scrubjay.taggers._mending.dose_weeks import spare_doses
from scrubjay.taggers.mending import mend
from scrubjay.transform.surrogates.draw import Draw
from tests.transform.surrogates.shifting import shift_dates

DRAW = Draw(b"0123456789abcdef", "a")
DAYS = 303
"""Of a shift: two weekdays on."""


def marked_dates(marked: str, language: str) -> Document:
    """Return the document of a text whose dates stand in braces."""
    label = "FECHAS" if language == "es" else "DATE"
    return parse_inline(marked.replace("{", f"<{label}>").replace("}", f"</{label}>"))


def shifted_doses(marked: str, language: str) -> str:
    """Return a text whose dates, in braces, are mended and shifted."""
    document = marked_dates(marked, language)
    text, rows = document.text, spare_doses(document.text, document.spans, language)
    assert mend(text, document.spans, language) == rows
    assert {row.label for row in rows} <= {"FECHAS" if language == "es" else "DATE"}
    moved = shift_dates([text[r.start : r.end] for r in rows], language, days=DAYS, draw=DRAW)
    for row, new in reversed(list(zip(rows, moved, strict=True))):
        text = text[: row.start] + new + text[row.end :]
    return text
