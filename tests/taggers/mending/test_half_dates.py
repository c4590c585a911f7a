"""Dates of which a tagger finds one half, and first days of two that share a month."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.half_dates import complete_dates
from scrubjay.taggers.mending import mend


def _completed(marked: str, language: str) -> list[str]:
    document = parse_inline(marked)
    rows = complete_dates(document.text, document.spans, language)
    assert mend(document.text, document.spans, language) == rows
    return [document.text[row.start : row.end] for row in rows]


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("was <DATE>january</DATE> fifteenth period", "en", ["january fifteenth"]),
        ("was <DATE>May</DATE> the twenty-first.", "en", ["May the twenty-first"]),
        ("in <DATE>January</DATE>\n14 for", "en", ["January\n14"]),
        ("from 2nd to <DATE>7th November 2025</DATE>", "en", ["2nd", "7th November 2025"]),
        ("missed <DATE>Jan 2</DATE>, 3.", "en", ["Jan 2", "3"]),
        ("ICU <DATE>Mar 20th</DATE> and 21st, epi", "en", ["Mar 20th", "21st"]),
        ("IV <DATE>May 12</DATE> and <AGE>19</AGE> here", "en", ["May 12", "19"]),
        ("van 2 tot en met <DATE>7 november</DATE>", "nl", ["2", "7 november"]),
        ("lag van 2 t/m <DATE>7 november 2025</DATE>", "nl", ["2", "7 november 2025"]),
        ("op 14\n<DATE>januari</DATE> weer", "nl", ["14\njanuari"]),
        ("del 2 al <FECHAS>7 de noviembre</FECHAS>", "es", ["2", "7 de noviembre"]),
        ("el 14 de\n<FECHAS>enero</FECHAS> y", "es", ["14 de\nenero"]),
        ("SEEG 8-1 a <FECHAS>17-1-24</FECHAS>: LA1", "es", ["8-1", "17-1-24"]),
        ("SEEG 8-1 t/m <DATE>17-1-24</DATE>: LA1", "nl", ["8-1", "17-1-24"]),
        ("off 8/1 to <DATE>1/17/24</DATE>", "en", ["8/1", "1/17/24"]),
        ("V <FECHAS>16 mayo</FECHAS> 25  turno", "es", ["16 mayo 25"]),
        ("seen <DATE>16 May</DATE> '25\nby", "en", ["16 May '25"]),
    ],
)
def test_the_other_half_is_found(marked: str, language: str, expected: list[str]) -> None:
    assert _completed(marked, language) == expected


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("in <DATE>January</DATE>\n14 mg daily", "en"),
        ("in <DATE>May</DATE> second opinion-x", "nl"),
        ("<DATE>March 24</DATE>, 8 lb 2", "en"), ("<DATE>May 2</DATE> and 5 days", "en"),
        ("<DATE>May 24</DATE> and 21 then", "en"), ("<DATE>May 2</DATE>, 20/80", "en"),
        ("in <DATE>January</DATE>\n14:30 seen", "en"), ("INR 2 to <DATE>7 November</DATE>", "en"),
        ("3,4\n<DATE>januari</DATE>", "nl"), ("K 2 al <FECHAS>7 de mayo</FECHAS>", "es"),
        ("BP 140/90 to <DATE>1/2</DATE>", "en"),
        ("<FECHAS>16 mayo</FECHAS> 25 mg", "es"), ("<DATE>16 May</DATE> 25, well", "en"),
    ],
)  # fmt: skip
def test_numbers_of_something_else_are_left(marked: str, language: str) -> None:
    document = parse_inline(marked)
    assert complete_dates(document.text, document.spans, language) == document.spans
