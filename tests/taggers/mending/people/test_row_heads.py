"""Surnames before first names at the heads of rows; letters of a sex are no persons."""

from __future__ import annotations

import re

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.people.row_heads import mend_row_heads
from scrubjay.taggers.mending import mend

_PERSON = {"nl": "NAME", "en": "PATIENT"}


def _read(marked: str, language: str) -> tuple[str, tuple[Span, ...]]:
    """Return a text and its spans: persons in braces, those with a digit are ages."""
    spans: list[Span] = []
    text = ""
    for number, part in enumerate(re.split(r"[{}]", marked)):
        if number % 2:
            label = "AGE" if any(map(str.isdigit, part)) else _PERSON[language]
            spans.append(Span(len(text), len(text) + len(part), label))
        text += part
    return text, tuple(spans)


def _left(marked: str, language: str) -> list[str]:
    text, spans = _read(marked, language)
    rows = mend_row_heads(text, spans, language)
    assert list(rows) == sorted(rows)
    return [text[row.start : row.end] for row in rows]


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("nl", "K3  Parkinson {Piet}  {66j}  CVA", ["Parkinson Piet", "66j"]),
        ("nl", "op\n12. Crohn {Jan} {23j}", ["Crohn Jan", "23j"]),
        ("nl", "Parkinson {Piet} (V, {66j})", ["Piet", "66j"]),
        ("en", "Foley {Margaret} F {83}", ["Foley Margaret", "83"]),
        ("en", "15 Foley {Margaret F} {83}", ["Foley Margaret F", "83"]),
        ("en", "B12 Kowalski {Margaret}, {83}", ["Kowalski Margaret", "83"]),
        ("en", "{Okonkwo, Chidi}     {M} {74}", ["Okonkwo, Chidi", "74"]),
        ("en", "{Okonkwo, Chidi}\t{F}\t{74}", ["Okonkwo, Chidi", "74"]),
    ],
)
def test_heads_of_rows(language: str, text: str, left: list[str]) -> None:
    assert _left(text, language) == left


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "wil M. Parkinson {Piet}  {66j}"),  # begins no line
        ("nl", "Parkinson {Piet} belt, {66j}"),  # no age right behind
        ("nl", "Parkinson {Piet}  {Jan}  {66j}"),
        ("nl", "Kamer {Piet}  {66j}"),  # everyday words
        ("en", "Patient {Margaret} F {83}"),
        ("en", "Daughter {Margaret} {83}"),
        ("en", "Foley out, {Margaret} {83}"),
        ("en", "{Okonkwo, Chidi} {M} {74}"),  # one blank: an initial
        ("en", "{Okonkwo, Chidi}     {Mo} {74}"),
        ("en", "{Okonkwo, Chidi}     {M} seen, {74}"),
        ("en", "{M} {74}"),
    ],
)
def test_what_stays(language: str, text: str) -> None:
    text, spans = _read(text, language)
    assert mend_row_heads(text, spans, language) is spans


def test_mending_takes_the_step() -> None:
    text, spans = _read("K3  Parkinson {Piet}  {66j}  CVA", "nl")
    assert [text[s.start : s.end] for s in mend(text, spans, "nl")] == ["Parkinson Piet", "66j"]
    text, spans = _read("Patient seen.\nFoley {Margaret} F {83}", "en")
    assert [text[s.start : s.end] for s in mend(text, spans, "en")] == ["Foley Margaret", "83"]
