"""Days that share a month are a date each, and a time behind one is none of it (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.taggers.mending import mend
from tests.oracles.mending import part_dates
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    ("marked", "parts"),
    [
        ("evaluación: {5 y 12 de febrero de 2024}.", ["5", "12 de febrero de 2024"]),
        ("({6, 13, 20 y 27 de octubre})", ["6", "13", "20", "27 de octubre"]),
        ("del {4 al 11 de abril}", ["4", "11 de abril"]),
        ("prono el {6 o 7}. Neumo", ["6", "7"]),
        ("CITA: {mié 30 oct 10.20}\n", ["mié 30 oct"]),
        ("llegada {07 dic, 13}:08.", ["07 dic"]),
        ("PROXIMA: {LUNES 6 NOV 09:40}.", ["LUNES 6 NOV"]),
        ("intervenido el {día 10} (clavo)", ["10"]),
        ("cita el {día 3 de mayo}", ["3 de mayo"]),
        ("Alta el {día 52} con drenaje", []),
        ("ordenado en {providencia de 12 de noviembre de 2021}, ha", ["12 de noviembre de 2021"]),
        ("aseo.\n{Mutua, 20 de octubre}: ABD", ["20 de octubre"]),
        ("Subcentro {de marzo del 2021}: HBsAg", ["marzo del 2021"]),
        ("hospital de día {mié-vie}:", ["mié", "vie"]),
        ("{21-08 domingo}. Guardia", ["21-08", "domingo"]),
        ("{17/4 Domingo de Pascua} succiona", ["17/4", "Domingo de Pascua"]),
    ],
)
def test_days_are_parted(marked: str, parts: list[str]) -> None:
    text, span = read_braces(marked, "FECHAS")
    rows = list(part_dates(text, [span]))
    assert [text[one.start : one.end] for one in rows] == parts
    assert mend(text, [span], "es") == tuple(rows)
    assert mend(text, [span], "de") == (span,)


@pytest.mark.parametrize(
    "marked",
    [
        "visto {5 de febrero de 2024}",
        "cita {6 nov 2023}",
        "el {lunes 12 de noviembre} vuelve",
        "{vie 3 de mayo}",
        "a {finales de marzo de 2021}",
        "cita {6 nov 23}",
        "cita {6 nov 13}.2023",
        "cita {6 nov, 13}",
        "{octubre y noviembre}",
        "{5-12 de febrero}",
        "{lunes y martes}",
        "{32 y 40}",
        "{día de la Virgen}",
        "el {mediodía 10}",
        "{Día de Reyes}",
    ],
)
def test_one_date_stays_one(marked: str) -> None:
    text, span = read_braces(marked, "FECHAS")
    assert list(part_dates(text, [span])) == [span]


def test_other_labels_stay() -> None:
    text, span = read_braces("hijos de {5 y 12}", "FAMILIARES_SUJETO_ASISTENCIA")
    assert list(part_dates(text, [span])) == [span]


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        ("sinds {eind mei} thuis", "mei"),
        ("tot {begin de jaren 80}", "jaren 80"),
        ("op {de 12e} gezien", "12e"),
        ("{Medio 2019} verhuisd", "2019"),
        ("in {mei 2020}", "mei 2020"),
        ("{december}", "december"),
    ],
)
def test_dutch_dates_stand_without_article_and_part(marked: str, wanted: str) -> None:
    text, span = read_braces(marked, "DATE")
    (row,) = mend(text, [span], "nl")
    assert text[row.start : row.end] == wanted


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        ("die in {februari 91} werd, woont", [("februari", "DATE"), ("91", "AGE")]),
        ("Hij wordt in {mei 93}.", [("mei", "DATE"), ("93", "AGE")]),
        ("gezien in {mei 93}.", [("mei 93", "DATE")]),
        ("dat wordt {mei 93}.", [("mei 93", "DATE")]),
    ],
)
def test_a_birthday_in_a_month_is_an_age(marked: str, wanted: list[tuple[str, str]]) -> None:
    text, span = read_braces(marked, "DATE")
    rows = mend(text, [span], "nl")
    assert [(text[row.start : row.end], row.label) for row in rows] == wanted
