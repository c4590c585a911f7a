"""Days of birth that stand figure by figure: "D.O.B. 0 7 / 1 1 / 1 9 3 8", "DOB: |0|7|1|1|3|8|".

A form has a box for each figure, and a tagger takes some of them for a number, or for nothing.
Eight figures apart from each other, or six, behind the key of a birth, that are a day are one date.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import date_label
from scrubjay.taggers._mending.uncovered import put_joined

SOURCE = "boxed"

FIGURES, FARTHEST = 6, 48
"""Figures of a day at least, and within how many characters they stand."""

_GAP = r"[][ \t|_/.,\\-]{1,5}"
_DAY = re.compile(
    rf"(?<![^\W_])\d(?:{_GAP}\d){{{FIGURES - 1}}}(?:(?:{_GAP}\d){{2}})?(?![^\W_]|{_GAP}\d)"
)
_KEY_WORDS = (
    r"(?<![^\W_])(?:d[.]?[ ]?o[.]?[ ]?b|b-?day|(?:date[ ]of[ ])?birth|birth[ -]?date|born|"
    r"geb(?:oren)?|geb(?:oorte)?[.]?[ -]?(?:datum|dat|dag)|(?:fecha[ ]de[ ])?nacimiento|nacid[oa]|"
    r"f(?:echa)?[.]?[ ]?(?:de[ ])?nac)(?![^\W_])"
)
_KEY = re.compile(rf"{_KEY_WORDS}\D{{0,48}}\Z", re.IGNORECASE)
_KEY_OF_SHORT = re.compile(
    rf"{_KEY_WORDS}[\W_]{{1,12}}(?:[djmya/. -]{{6,12}}[\W_]{{1,8}})?\Z", re.I
)
"""The key of six figures, between which and them no words stand but those of a form: "(dd/mm/yy)".
"""
_BEFORE, _SHORT = 80, 2
"""Characters in which the key begins, and figures of a short year."""


def mend_boxed(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with the days of birth whose figures stand apart.

    What was found there becomes one with the day, however far it reaches. `spans` are sorted and
    disjoint, and so are those that are returned.
    """
    rows = list(spans)
    for day in _DAY.finditer(text):
        figures = re.sub(r"\D", "", day[0])
        key = _KEY_OF_SHORT if len(figures) == FIGURES else _KEY
        if _is_day(figures) and key.search(text[max(0, day.start() - _BEFORE) : day.start()]):
            put_joined(rows, *day.span(), date_label(language), SOURCE)
    return tuple(rows) if rows != list(spans) else spans


def _is_day(figures: str) -> bool:
    """Tell whether figures are a day with its year, of two or four, at the end or at the begin."""
    size = len(figures) - 4
    orders = (
        (figures[:2], figures[2:4], figures[4:]),
        (figures[size : size + 2], figures[size + 2 :], figures[:size]),
    )
    return any(
        0 < min(int(first), int(second)) <= 12
        and max(int(first), int(second)) <= 31
        and (size == _SHORT or year[:2] in ("18", "19", "20"))
        for first, second, year in orders
    )
