"""Institutions that are known by their name are found, and words that begin so are left."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.institutions import LABEL, add_institutions
from scrubjay.taggers.mending import mend


def _found(text: str) -> list[str]:
    after = add_institutions(text, ())
    assert {span.label for span in after} <= {LABEL}
    mended = mend(text, (), "es")
    assert [span for span in mended if span.label == LABEL] == list(after)
    assert LABEL not in {span.label for span in mend(text, (), "es", labels=frozenset(["FECHAS"]))}
    return [text[span.start : span.end] for span in after]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("avisar a SEDES y al IESS (IMSS).", ["SEDES", "IESS", "IMSS"]),
        ("atestado de la Guardia Civil.", ["Guardia Civil"]),
        ("EsSalud, Nueva EPS no autoriza; PAMI/OSDE", ["EsSalud", "Nueva EPS", "PAMI", "OSDE"]),
        ("ISSSTE", ["ISSSTE"]),
    ],
)
def test_known_institutions_are_found(text: str, found: list[str]) -> None:
    assert _found(text) == found


@pytest.mark.parametrize(
    "text",
    ["SEDESA y CIESS", "oficio IESS-221", "DIRESA Puno", "Guardia Civil de Baza", "sedes",
     "Cruz Roja Española", "correo@IMSS.mx", "la cruz roja", "PAMI 44"],
)  # fmt: skip
def test_others_are_left(text: str) -> None:
    assert _found(text) == []


def test_what_was_found_stays() -> None:
    text = "Hospital IMSS 4"
    spans = (Span(0, 15, "HOSPITAL"),)
    assert add_institutions(text, spans) == spans


@given(st.text("IESM AP-", max_size=30))
def test_spans_are_apart(text: str) -> None:
    after = add_institutions(text, ())
    assert all(one.end <= two.start for one, two in pairwise(after))
