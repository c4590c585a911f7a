"""Parts of measures and hours are let go, ages, sexes, telephones and days stay."""

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
        ("peso: 64,{5}", AGE),
        ("94,{5} kg", AGE),
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
        ("la {15} sigue con aislamiento", DATE),
        ("Nacida la {15}", DATE),
        ("hab 12,{78} años", AGE),
        ("hab 12,{78}", AGE),
        ("hab 2,{78 m}", AGE),
        ("cama 12,{78} M", AGE),
        ("habitación 1,78 {m}", SEX),
        ("hab 1,78 {M}", SEX),
        ("1,78 {M}", SEX),
        ("talla 12,{78} años", AGE),
        ("la {15/3}", DATE),
    ],
)
def test_phi_stays(marked: str, label: str) -> None:
    text, span = read_braces(marked, label)
    assert list(spare_figures(text, [span])) == [span]
