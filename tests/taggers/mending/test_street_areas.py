"""A quarter behind a street is a territory, and all of it stays covered (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.street_areas import part_areas
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    ("mention", "street", "area"),
    [
        ("Mz 14 Casa 22, barrio Parque Sur", "Mz 14 Casa 22", "Parque Sur"),
        ("Pasaje Los Notros 0448, población Pulmahue", "Pasaje Los Notros 0448", "Pulmahue"),
        ("Calle Real 4, 2.º B, aldea O Souto", "Calle Real 4, 2.º B", "O Souto"),
        ("Edificio 18, zona 6", "Edificio 18", "zona 6"),
        ("Cuesta 3, Barrio de la Estación", "Cuesta 3", "Barrio de la Estación"),
        ("Mz 14 Casa 22, barrio", "Mz 14 Casa 22", ""),
    ],
)
def test_quarters_are_territories(mention: str, street: str, area: str) -> None:
    text, span = read_braces(f"vive en {{{mention}}}.", "CALLE")
    rows = tuple(part_areas(text, [span]))
    found = [(one.label, text[one.start : one.end]) for one in rows]
    assert found == [("CALLE", street), ("TERRITORIO", area)][: 1 + bool(area)]
    assert mend(text, [span], "es") == rows
    assert mend(text, [span], "nl") == (span,)


@pytest.mark.parametrize(
    ("mention", "label"),
    [
        ("Barrio Sur, casa 4", "CALLE"),
        ("Avenida Sectorial 4, 2.º B", "CALLE"),
        ("Av. Zona Franca 40", "CALLE"),
        ("Calle Real 4, Col. Centro", "CALLE"),
        ("Calle Real 4, zonas comunes", "CALLE"),
        ("Murcia, barrio del Carmen", "TERRITORIO"),
    ],
)
def test_streets_stay_whole(mention: str, label: str) -> None:
    span = Span(0, len(mention), label)
    assert list(part_areas(mention, [span])) == [span]
