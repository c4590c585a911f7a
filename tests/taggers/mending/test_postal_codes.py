"""Postal codes behind their keys, and what is none."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.postal_codes import add_postal_codes
from scrubjay.taggers.mending import mend


def _mended(marked: str, language: str = "en") -> list[str]:
    document = parse_inline(marked)
    rows = add_postal_codes(document.text, document.spans, language)
    assert mend(document.text, document.spans, language) == rows
    return [f"{row.label} {document.text[row.start : row.end]}" for row in rows]


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("Postcode: 3995.", "en", "ZIP 3995"),
        ("P/code: <IDNUM>3995</IDNUM> VIC", "en", "ZIP 3995"),
        ("P.code 4000 NT", "en", "ZIP 4000"),
        ("zip code <IDNUM>10027-1234</IDNUM>", "en", "ZIP 10027-1234"),
        ("ZIP: <IDNUM>02139</IDNUM>", "en", "ZIP 02139"),
        ("POST CODE <IDNUM>SW1A</IDNUM> 2AA", "en", "ZIP SW1A 2AA"),
        ("Postal code is M5V 2T6", "en", "ZIP M5V 2T6"),
        ("Postcode: D02 AF30", "en", "ZIP D02 AF30"),
        ("&lt;postalCode>02139&lt;/postalCode>", "en", "ZIP 02139"),
        ('"zip": "<PHONE>02139-4307</PHONE>",', "en", "ZIP 02139-4307"),
        ("postal_code='02139'", "en", "ZIP 02139"),
        ("Postcode: <ID>3995 AB</ID>", "nl", "ADDRESS 3995 AB"),
        ("postcode <ID>1012</ID>", "nl", "ADDRESS 1012"),
    ],
)
def test_a_code_behind_its_key_is_found(marked: str, language: str, expected: str) -> None:
    assert _mended(marked, language) == [expected]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("of <PATIENT>Paisley</PATIENT> PA3 3SD and", ["PATIENT Paisley", "ZIP PA3 3SD"]),
        ("in <CITY>Telford</CITY> TF1 <IDNUM>6TF</IDNUM>.", ["CITY Telford", "ZIP TF1 6TF"]),
        ("<DOCTOR>Bell</DOCTOR> T12 5MG", ["DOCTOR Bell"]),
        ("<PATIENT>Paisley</PATIENT> PA3 3SDX", ["PATIENT Paisley"]),
    ],
)
def test_a_british_code_behind_a_town_needs_no_key(marked: str, expected: list[str]) -> None:
    assert _mended(marked) == expected


@pytest.mark.parametrize(
    "marked",
    [
        "code 3995 called", "postcode unknown, 3995 steps", "zip 12345678", "Postcode: 3995/22",
        "code status 1234", "post code 42", "post code 2000 mL given",
        "unzip 3995", "ICD code: 4019", "P/c 3995",
    ],
)  # fmt: skip
def test_other_numbers_are_none(marked: str) -> None:
    assert _mended(marked) == []


@pytest.mark.parametrize(
    "marked", ["<STREET>1 Elm, postcode 3995</STREET>", "zip <ZIP>02139</ZIP>"]
)
def test_what_reaches_beyond_a_code_stays(marked: str) -> None:
    document = parse_inline(marked)
    assert add_postal_codes(document.text, document.spans, "en") == document.spans
