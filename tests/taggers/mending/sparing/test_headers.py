"""The heads of tables are spared where the whole line is one, and names in columns are not."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Document
from tests.oracles.mending import spare_headers
from tests.shipped_models import shipped_model


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("nl", "Bepaling   <ORGANIZATION_COMPANY>Uitslag   Eenheid</ORGANIZATION_COMPANY>   Ref"),
        ("nl", "x\nAllergie   Reactie   <NAME>Ernst   Bron</NAME>\nnoten   uitslag"),
        ("nl", "| Tijd | In | <NAME>Saldo</NAME> |\n"),
        ("en", "Date | Time | Provider | <DOCTOR>Note Type</DOCTOR>"),
        ("en", "Component\tValue\tRef <DOCTOR>Range</DOCTOR>\tXyz"),
    ],
)
def test_heads_are_spared(language: str, marked: str) -> None:
    document = parse_inline(marked)
    assert list(spare_headers(document.text, document.spans, language=language)) == []


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("nl", "Zoon   <NAME>Ernst</NAME>   06-12345678"),
        ("nl", "met <NAME>Ernst</NAME> over de uitslag, de reactie en de bron"),
        ("nl", "Naam   Relatie   <NAME>Roelfsema</NAME>"),
        ("nl", "<NAME>Ernst</NAME>   Bakker   Roelfsema"),
        ("nl", "Tijd | Datum | Door <DATE>maandag</DATE>"),
        ("es", "Fecha   <NAME>Uitslag</NAME>   Range   Value"),
        ("en", "<HOSPITAL>Unit</HOSPITAL>   Right"),
    ],
)
def test_names_stay(language: str, marked: str) -> None:
    document = parse_inline(marked)
    spans = list(document.spans)
    assert list(spare_headers(document.text, spans, language=language)) == spans


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("en-fast", "Test Name  Result  Flag  Reference Range  Lab"),
        ("nl-fast", "Bepaling   Uitslag   Eenheid   Referentie"),
    ],
)
def test_shipped_models_spare_them(model: str, text: str) -> None:
    assert shipped_model(model).detect([Document("1", text)]) == [()]


def test_a_line_longer_than_any_head_is_not_read_for_each_span() -> None:
    table = "Date | Time | Provider | <DOCTOR>Note</DOCTOR>"
    for before, after in ((" | ".join(["Date"] * 200) + " | ", ""), ("", " | Date" * 200)):
        document = parse_inline(before + table + after)
        assert list(spare_headers(document.text, document.spans, language="en"))
        document = parse_inline(before + "\n" + table + "\n" + after)
        assert not list(spare_headers(document.text, document.spans, language="en"))
