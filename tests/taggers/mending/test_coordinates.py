"""Coordinates are places; doses, values, times and days are none."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending import coordinates
from scrubjay.taggers._mending.coordinates import add_coordinates
from scrubjay.taggers.mending import mend


def _mended(marked: str, language: str = "en") -> list[str]:
    document = parse_inline(marked)
    rows = add_coordinates(document.text, document.spans, language)
    assert mend(document.text, document.spans, language) == rows
    return [f"{row.label} {document.text[row.start : row.end]}" for row in rows]


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("found at GPS 44.9778, -93.2650 by EMS", "en", "LOCATION-OTHER 44.9778, -93.2650"),
        ("Lat 51.5007 N", "en", "LOCATION-OTHER 51.5007 N"),
        ("at 44.9778° N, 93.2650° W.", "en", "LOCATION-OTHER 44.9778° N, 93.2650° W"),
        ("Lat 51.5007 Long -0.1246", "en", "LOCATION-OTHER 51.5007 Long -0.1246"),
        ("coordinates: 44.98, -93.27", "en", "LOCATION-OTHER 44.98, -93.27"),
        ("(44.9778,-93.2650)", "en", "LOCATION-OTHER 44.9778,-93.2650"),
        ("at <IDNUM>44.9778</IDNUM>, -93.2650", "en", "LOCATION-OTHER 44.9778, -93.2650"),
        ("op <ADDRESS>GPS 52.3702, 4.8952</ADDRESS>", "nl", "ADDRESS GPS 52.3702, 4.8952"),
        ("coördinaten 52,3702; 4,8952", "nl", "ADDRESS 52,3702; 4,8952"),
        ("40.4168<CALLE>° N, 3.7038° O</CALLE>", "es", "TERRITORIO 40.4168° N, 3.7038° O"),
        ("coordenadas 40.41, -3.70", "es", "TERRITORIO 40.41, -3.70"),
    ],
)
def test_coordinates_are_places(marked: str, language: str, expected: str) -> None:
    assert _mended(marked, language) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "0.0125, 0.0250", "12.5000 13.2500 mg", "pH 7.35, 7.41", "lat 2.50 cm", "long 3.25, 4.1 cm",
        "Lat: 12.30", "troponin 0.0412 0.0518", "12.03.2020, 13.03.2020", "GPS 3.4",
        "95.1234, 20.1234", "44.9778, 193.2650",
        "gps 500.25, 200.75", "INR 2.51, 1.98", "1.23456.7890, 2.3456.7",
    ],
)  # fmt: skip
def test_other_numbers_are_none(text: str) -> None:
    assert _mended(text) == []


@pytest.mark.parametrize("unit", ["44.9778, ", "GPS ", "Lat 51.50 ", "12.34"])
def test_numbers_without_end_take_time_by_their_number(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    begin = process_time()
    add_coordinates(text, (), "en")
    assert process_time() - begin < 5


PIECES = st.sampled_from(
    ["44.9778", "44.98", "-93.27", "4,8952", ", ", "; ", " ", "GPS ", "Lat: ", "long", "° N", "° W",
     "coördinaten", " is ", "location: ", "(", "12.30", "mg", ". ", "7", "x"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join))
def test_a_first_look_passes_no_place_over(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coordinates, "_may_hold", lambda _: True)
        expected = add_coordinates(text, (), "en")
    assert add_coordinates(text, (), "en") == expected
