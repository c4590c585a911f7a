"""Days whose digits were read as letters, and what is none."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.misread import mend_misread
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import marked_span


def _mended(marked: str, language: str = "en") -> list[str]:
    document = parse_inline(f"{marked} \nDATE O1-O2-2O19")
    rows = mend_misread(document.text, document.spans, language)
    assert rows[-1].end == len(document.text)
    return [f"{row.label} {document.text[row.start : row.end]}" for row in rows[:-1]]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("D.O.A 12-O1-7l", ["DATE 12-O1-7l"]),
        ("on ll/O2/2O23  l6:44", ["DATE ll/O2/2O23"]),
        ("geb2l.02.l93O kmr", ["DATE 2l.02.l93O"]),
        ("d.d. O<DATE>3-11-20</DATE>l8, CT", ["DATE O3-11-20l8"]),
        ("born <ID>l7-O8-1944</ID>  M", ["DATE l7-O8-1944"]),
        ("from 2OO5.", ["DATE 2OO5"]),
        ("<DATE>8 juli</DATE> 2O27, x", ["DATE 8 juli 2O27"]),
    ],
)
def test_misread_days_are_found_in_the_place_of_their_parts(
    marked: str, expected: list[str]
) -> None:
    assert _mended(marked) == expected


@pytest.mark.parametrize(
    "marked",
    [
        "Trimbow 2-O-2 puffs", "12-01-71 is read", "l82/ll4 on arrival", "36/4O weeks",
        "2OOO ml given", "1O-4O-2O19", "v2O19-rc", "ref 5O4-l2-18-77", "so-lo-olio",
    ],
)  # fmt: skip
def test_other_numbers_are_none(marked: str) -> None:
    assert _mended(marked) == []


def test_what_reaches_beyond_a_day_stays() -> None:
    assert _mended("<ID>MRN 12-O1-7l</ID>") == ["ID MRN 12-O1-7l"]


def test_the_day_has_the_label_of_its_language() -> None:
    assert _mended("el 2l/0l/2022", "es") == ["FECHAS 2l/0l/2022"]


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("Date: 0ctober l4, <DATE>2OO8</DATE>", "en", ["DATE 0ctober l4, 2OO8"]),
        ("Lakeside, l2 0ktober 2OO9", "nl", ["DATE l2 0ktober 2OO9"]),
        ("a l2 de 0ctubre de <FECHAS>2OO8</FECHAS>", "es", ["FECHAS l2 de 0ctubre de 2OO8"]),
        ("avisado te1. 96 23O Ol 55.", "es", ["NUMERO_TELEFONO 96 23O Ol 55"]),
        ("and cal1s from 4l9-555-O131", "en", ["PHONE 4l9-555-O131"]),
        ("la paciente, de S9 años,", "es", ["EDAD_SUJETO_ASISTENCIA S9 años"]),
        ("a 7S year old man", "en", ["AGE 7S"]),
        ("MERCY HOSP1TAL  x", "en", ["HOSPITAL MERCY HOSP1TAL"]),
        ("H0SPITAL GRAL. DE LAGO  x", "es", ["HOSPITAL H0SPITAL GRAL. DE LAGO"]),
    ],
)
def test_what_else_was_misread_is_found(marked: str, language: str, expected: list[str]) -> None:
    assert [row for row in _mended(marked, language) if "O1-O2" not in row] == expected


@pytest.mark.parametrize(
    "marked",
    [
        "MERCY HOSPITAL x", "tel 12345678", "hace l0 mg", "about l0 years ago", "call Ol of it",
        "7S knee", "l4 days later", "see 0rder l4",
    ],
)  # fmt: skip
def test_what_was_read_rightly_is_left(marked: str) -> None:
    assert _mended(marked) == []


@pytest.mark.parametrize(
    ("marked", "language", "stays"),
    [
        ("ret1red, for [[eva1uation]] of", "en", False),
        ("He is on [[Coumad1n]] for A fib", "en", False),
        ("seen by [[W1lliams]] today", "en", True),
        ("zag [[Ve1dhuizen]] op", "nl", True),
        ("inicia [[0meprazol]]", "es", True),  # begins with it: no letter stands before
    ],
)
def test_a_word_with_a_digit_in_it_is_nobody(marked: str, language: str, stays: bool) -> None:
    label = "NAME" if language == "nl" else "NOMBRE_PERSONAL_SANITARIO"
    text, span = marked_span(marked, "DOCTOR" if language == "en" else label, score=0.3)
    assert (span in mend(text, [span], language)) is stays
