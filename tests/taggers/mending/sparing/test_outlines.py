"""Headings of an outline are let go, and people with an initial stay."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers.mending import mend

STAFF = "NOMBRE_PERSONAL_SANITARIO"


def _left(marked: str, language: str) -> list[str]:
    document = parse_inline(marked)
    after = mend(document.text, document.spans, language)
    return [document.text[span.start : span.end] for span in after]


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("A. Anamnese\n<NAME>B. Huidige</NAME> klachten\n<NAME>C. Neonaat</NAME>\n", "nl"),
        ("<NAME>A. Obstetrische</NAME> anamnese\nB. Beloop\nC. Advies\n", "nl"),
        ("C. Beloop\nD. Sociaal\n<INITIALS>E.</INITIALS> Te doen\n", "nl"),
        (f"<{STAFF}>I. FUENTES</{STAFF}>\nII. HECHOS\n", "es"),
        (f"IV. ACCIONES\nx\n  <{STAFF}>V.</{STAFF}> DIAGNÓSTICO\n", "es"),
        (f"A. NOMBRE\n<{STAFF}>B. PROGENITORES</{STAFF}>\nC. PARTO\n", "es"),
    ],
)
def test_headings_are_let_go(marked: str, language: str) -> None:
    assert _left(marked, language) == []


@pytest.mark.parametrize(
    ("marked", "language", "left"),
    [
        ("A. Anamnese\n<NAME>B. Jansen</NAME> belt\nC. Beloop\n", "nl", ["B. Jansen"]),
        ("A. Anamnese\n<NAME>B. Huidige</NAME> klachten\nD. Beloop\n", "nl", ["B. Huidige"]),
        ("A. Anamnese\nB. Beloop\nC. Advies <NAME>A. Mieren</NAME>\n", "nl", ["A. Mieren"]),
        (f"<{STAFF}>I. Gil</{STAFF}>\nIII. HECHOS\n", "es", ["I. Gil"]),
        (f"<{STAFF}>V. Ruiz</{STAFF}>\nI. HECHOS\nII. ALTA\n", "es", ["V. Ruiz"]),
    ],
)
def test_people_stay(marked: str, language: str, left: list[str]) -> None:
    assert _left(marked, language) == left
