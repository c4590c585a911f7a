"""Parts of measures, hours and rooms are let go, ages, sexes, telephones and days stay."""

from __future__ import annotations

import pytest

from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_figures
from tests.taggers.mending_samples import read_braces

AGE, SEX, PHONE, DATE = (
    "EDAD_SUJETO_ASISTENCIA",
    "SEXO_SUJETO_ASISTENCIA",
    "NUMERO_TELEFONO",
    "FECHAS",
)


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("varón / 1,{78 m} / 94 kg", AGE),
        ("talla 1,{78}", AGE),
        ("varón / 1,78 {m} / 94 kg", SEX),
        ("teléfono {24} h para dudas", PHONE),
        ("la {15} sigue con aislamiento", DATE),
    ],
)
def test_figures_are_let_go(marked: str, label: str) -> None:
    text, span = read_braces(marked, label)
    assert list(spare_figures(text, [span])) == []
    assert mend(text, [span], "es") == ()
    assert mend(text, [span], "nl") == (span,)


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("Ana, {78}", AGE),
        ("1, {78 m}", AGE),
        ("Sexo: {m}", SEX),
        ("34 a {M}", SEX),
        ("busca {24}", PHONE),
        ("ext {24}: hola", PHONE),
        ("el {15} sigue", DATE),
        ("hola {15}", DATE),
        ("la {15/3}", DATE),
    ],
)
def test_phi_stays(marked: str, label: str) -> None:
    text, span = read_braces(marked, label)
    assert list(spare_figures(text, [span])) == [span]
