from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.people.listed_surnames import surnames_begin
from tests.oracles.mending import add_keyed


def _whole(marked: str) -> str:
    """Return the name that grows out of the span of "DE LA FUENTE, [ROSA]"."""
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    return text[surnames_begin(text, start, end) : end]


@pytest.mark.parametrize(
    ("marked", "name"),
    [
        ("DE LA FUENTE, [ROSA]", "DE LA FUENTE, ROSA"),
        ("Cama 12 DE LA FUENTE GIL, [ROSA]", "DE LA FUENTE GIL, ROSA"),
        ("PACIENTE GARCIA Y RUIZ, [JUAN]", "GARCIA Y RUIZ, JUAN"),
        ("Pte DE [LA FUENTE, ROSA]", "DE LA FUENTE, ROSA"),
        ("De la Fuente, [Rosa], 72 años", "De la Fuente, Rosa"),
        ("\n12-1 García López, [Juan]", "García López, Juan"),
    ],
)
def test_surnames_before_a_comma(marked: str, name: str) -> None:
    assert _whole(marked) == name


@pytest.mark.parametrize(
    "marked",
    [
        "NIEGA ALERGIAS, [ROSA] refiere",
        "HTA, DM, [ANA] llama",
        "Vive en Vigo, [María] refiere",
        "visto por García, [Juan] lo sabe",  # within a line
        "con su hija, [Rosa]",
        "DE LA FUENTE, [CASA]",
        "VADE [LA FUENTE, ROSA]",
        "[ROSA]",
    ],
)
def test_what_is_no_surname(marked: str) -> None:
    assert _whole(marked) == marked[marked.index("[") + 1 : marked.index("]")]


def test_spans_grow() -> None:
    text = "Pte DE LA FUENTE, ROSA"
    label = "NOMBRE_SUJETO_ASISTENCIA"
    spans = [Span(text.index("ROSA"), len(text), label, score=0.9)]
    grown = add_keyed(text, spans, language="es")
    assert [text[span.start : span.end] for span in grown] == ["DE LA FUENTE, ROSA"]
    assert add_keyed(text, spans, language="nl") == tuple(spans)
