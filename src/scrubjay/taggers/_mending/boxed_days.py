"""Days of birth that stand figure by figure: "D.O.B. 0 7 / 1 1 / 1 9 3 8", "DOB: |_0_|_7_|_1_|".

A form has a box for each figure, and a tagger takes some of them for a number, or for nothing.
Eight figures apart from each other, behind the key of a birth, that are a day are one date.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.people.uncovered import put_joined

SOURCE = "boxed"

FIGURES, FARTHEST = 8, 48
"""Figures of a day, and within how many characters they stand."""

_GAP = r"[][ \t|_/.,\\-]{1,5}"
_DAY = re.compile(rf"(?<![^\W_])\d(?:{_GAP}\d){{{FIGURES - 1}}}(?![^\W_]|{_GAP}\d)")
_KEY = re.compile(
    r"(?<![^\W_])(?:d[.]?[ ]?o[.]?[ ]?b|b-?day|(?:date[ ]of[ ])?birth|birth[ -]?date|born|"
    r"geb(?:oren)?|geb(?:oorte)?[.]?[ -]?(?:datum|dat|dag)|(?:fecha[ ]de[ ])?nacimiento|nacid[oa]|"
    r"f(?:echa)?[.]?[ ]?(?:de[ ])?nac)(?![^\W_])\D{0,48}\Z",
    re.IGNORECASE,
)
_BEFORE = 80


def mend_boxed(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with the days of birth whose figures stand apart.

    What was found there becomes one with the day, however far it reaches. `spans` are sorted and
    disjoint, and so are those that are returned.
    """
    rows = list(spans)
    for day in _DAY.finditer(text):
        if _is_day(re.sub(r"\D", "", day[0])) and _KEY.search(
            text[max(0, day.start() - _BEFORE) : day.start()]
        ):
            put_joined(rows, *day.span(), "FECHAS" if language == "es" else "DATE", SOURCE)
    return tuple(rows) if rows != list(spans) else spans


def _is_day(figures: str) -> bool:
    """Tell whether eight figures are a day with its year at the end or at the begin."""
    orders = ((figures[:2], figures[2:4], figures[4:]), (figures[4:6], figures[6:], figures[:4]))
    return any(
        0 < min(int(first), int(second)) <= 12
        and max(int(first), int(second)) <= 31
        and year[:2] in ("18", "19", "20")
        for first, second, year in orders
    )
