"""Dates that tell of no day."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_dateless


@pytest.mark.parametrize(
    ("mention", "kept"),
    [(". Sexo:", False), ("octubre", True), ("3", True), ("mes de abril", True), ("Sexo", False),
     ("semana santa", True), ("el lunes", True), ("Fiestas Patrias", True), ("Corpus", True),
     ("día de Todos los Santos", True), ("Paciente", False),
     ("día de la Diada", True), ("L-X-V", True), ("vier", True), ("San Roque", True),
     ("25-OH", False), ("25(OH)D3", False), ("25-06", True), ("25 OCT", True),
     ("Fecha: octubre", True), ("Alta: Edad", False), (" - ", False)],
)  # fmt: skip
def test_dates_without_a_number_or_a_word_of_dates_are_none(mention: str, kept: bool) -> None:
    spans = [Span(2, 2 + len(mention), "FECHAS"), Span(0, 1, "EDAD_SUJETO_ASISTENCIA")]
    rows = list(spare_dateless("a " + mention, spans, language="es"))
    assert rows == (spans if kept else spans[1:])
    assert mend("a " + mention, [spans[0]], "en") == (spans[0],)
