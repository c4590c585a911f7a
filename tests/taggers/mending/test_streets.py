"""Values are no streets, and a quarter behind a street is a territory (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers.mending import mend
from tests.oracles.mending import mend_streets
from tests.taggers.mending_samples import labelled, read_braces


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
    rows = tuple(mend_streets(text, [span]))
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
    assert list(mend_streets(mention, [span])) == [span]


@pytest.mark.parametrize(
    ("marked", "left"),
    [
        ("TAO con Sintrom, INR 2,<CALLE>4 el 7/3</CALLE>.", ["FECHAS:7/3"]),
        ("Hb 11,<CALLE>2 el día 07/03/2021</CALLE>", ["FECHAS:07/03/2021"]),
        ("INR 2,<CALLE>4</CALLE>", []),
        ("INR 2,<CALLE>4 Calle Real 3</CALLE>", ["CALLE:Calle Real 3"]),
        ("<CALLE>TA 120/80</CALLE>, <CALLE>FC 72</CALLE>, <CALLE>Tª 36,6</CALLE>.", []),
        ("<CALLE>TA 120/80 mmHg, FC 72 lpm</CALLE>", []),
        ("<CALLE>INR 2,4</CALLE>", []),
    ],
)
def test_values_are_spared(marked: str, left: list[str]) -> None:
    assert labelled(lambda text, spans: tuple(mend_streets(text, spans)), marked, "es") == left


@pytest.mark.parametrize(
    "marked",
    [
        "Vive en <CALLE>Mayor 2,4</CALLE>",
        "Vive en <CALLE>c/ Real 12, 3º B</CALLE>",
        "Real 2, <CALLE>4 izq</CALLE>",
        "N.º 3.<CALLE>Calle Sol 4</CALLE>",
        "<CALLE>K 12 bis</CALLE>",
        "INR 2,<FECHAS>4 el 7/3</FECHAS>",
    ],
)
def test_what_is_no_value_stays(marked: str) -> None:
    document = parse_inline(marked)
    text, spans = document.text, document.spans
    assert list(mend_streets(text, spans)) == list(spans)


def test_the_score_of_what_is_left_stays() -> None:
    text = "INR 2,4 el 7/3"
    (found,) = mend_streets(text, [Span(6, 14, "CALLE", 0.75, "crf")])
    assert found == Span(11, 14, "FECHAS")
    assert (found.score, found.source) == (0.75, "crf")
