"""Passwords behind a key are found whole, under a label that fits (Spanish)."""

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.secrets import find_secrets
from tests.taggers.mending_samples import labelled


def read(marked: str) -> list[str]:
    return labelled(find_secrets, marked, "es")


@pytest.mark.parametrize(
    ("marked", "left"),
    [
        ("clave del portal es <FECHAS>Naranja-22</FECHAS>.", ["Naranja-22"]),
        ("Contraseña: <FECHAS>Verano2021</FECHAS>!", ["Verano2021!"]),
        ("password: <TERRITORIO>Luna</TERRITORIO>_2020.", ["Luna_2020"]),
        ("contraseña temporal «<FECHAS>Enero-2023</FECHAS>»", ["Enero-2023"]),
        ("la clave a <TERRITORIO>Sol</TERRITORIO>-<FECHAS>2022</FECHAS> hoy", ["Sol-2022"]),
        ("clave: <OTRO_NUMERO_IDENTIF>Pera</OTRO_NUMERO_IDENTIF>77", ["Pera77"]),
    ],
)
def test_passwords(marked: str, left: list[str]) -> None:
    assert read(marked) == [f"OTRO_NUMERO_IDENTIF:{word}" for word in left]


@pytest.mark.parametrize(
    "marked",
    [
        "contraseña <FECHAS>3-ene-2020</FECHAS>",
        "contraseña el <FECHAS>enero-2020</FECHAS>",
        "Fecha: <FECHAS>Naranja-22</FECHAS>",
        "palabras clave: <FECHAS>Otoño-22</FECHAS>",
        "clave: <TERRITORIO>Soria</TERRITORIO>",
        "clave: <FECHAS>2020</FECHAS>",
    ],
)
def test_what_is_none_stays(marked: str) -> None:
    document = parse_inline(marked)
    assert find_secrets(document.text, document.spans) == document.spans


def test_a_mention_that_goes_on_behind_ends_it() -> None:
    marked = "clave: <TERRITORIO>Sol</TERRITORIO>-<HOSPITAL>22 y Casa</HOSPITAL>"
    assert read(marked) == ["OTRO_NUMERO_IDENTIF:Sol-", "HOSPITAL:22 y Casa"]
