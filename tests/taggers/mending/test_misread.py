"""Days whose digits were read as letters, and what is none."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.misread import mend_misread


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
        "2OOO ml given", "1O-4O-2O19", "v2O19-rc", "tel 5O4-l2-18-77", "so-lo-olio",
    ],
)  # fmt: skip
def test_other_numbers_are_none(marked: str) -> None:
    assert _mended(marked) == []


def test_what_reaches_beyond_a_day_stays() -> None:
    assert _mended("<ID>MRN 12-O1-7l</ID>") == ["ID MRN 12-O1-7l"]


def test_the_day_has_the_label_of_its_language() -> None:
    assert _mended("el 2l/0l/2022", "es") == ["FECHAS 2l/0l/2022"]
