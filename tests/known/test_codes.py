"""Known numbers, addresses and dates of birth, however they are written."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.known._distance import make_vocabulary
from scrubjay.known.identifiers import KnownValue, PatientIdentifiers
from tests.known.samples import finder_of, shown
from tests.oracles.distance import plain_distance
from tests.strategies import texts

FINDER = finder_of()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("MRN:00481516, 481516", [("00481516", "MEDICALRECORD"), ("481516", "MEDICALRECORD")]),
        ("MRN 00481561", [("00481561", "MEDICALRECORD")]),
        ("x12004815169", []),
        ("555-010-\n      0147", [("555-010-\n      0147", "PHONE")]),
        ("tel 555.010.0147 or 010-0147", [("555.010.0147", "PHONE"), ("010-0147", "PHONE")]),
        ("+1 (555) 010-0147; 1-555-010-0147",
         [("1 (555) 010-0147", "PHONE"), ("1-555-010-0147", "PHONE")]),
        ("5550100174", [("5550100174", "PHONE")]),
        ("5550109941", []),
        ("078051120; 078 05 1120", [("078051120", "SSN"), ("078 05 1120", "SSN")]),
        ("W.Hollowell@EXAMPLE.org", [("W.Hollowell@EXAMPLE.org", "EMAIL")]),
        ("48 Marlow St., apt 3", [("48 Marlow St., apt 3", "STREET")]),
        ("Marlow street, 48 marlow", [("Marlow street", "STREET"), ("48 marlow", "STREET")]),
        ("48 Marlwo Street", [("48 Marlwo Street", "STREET")]),
        ("PORT  ELLERY 40213", [("PORT  ELLERY", "CITY"), ("40213", "ZIP")]),
        ("WBC 40213.5, 120/40213", []),
        ("bed 712, MRN: 712, #712, id 712.5", [("712", "IDNUM"), ("712", "IDNUM")]),
        ("on the street at port 3", []),
    ],
)  # fmt: skip
def test_values_are_found(text: str, found: list[tuple[str, str]]) -> None:
    assert shown(text, FINDER.find(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        "3/4/1956", "03-04-56", "4.3.1956", "1956-03-04", "1956/3/4", "56-03-04", "19560304",
        "03041956", "March 4, 1956", "4th of March, 1956", "4 MAR 56", "04MAR1956", "Mar. 4 1956",
        "4 de marzo de 1956", "4 maart 1956", "1956 March 4", "March\n4, 1956",
        "4th of March,\r\n            1956",
    ],
)  # fmt: skip
def test_a_date_of_birth_is_found_whole(text: str) -> None:
    around = f"Born {text}; seen 3/5/1956."
    assert shown(around, FINDER.find(around)) == [(text, "DATE")]


def test_other_dates_stay() -> None:
    assert FINDER.find("3/4/1957, March 4, 5 March 1956; in 1956; 3/4; 13/4/1956; 3\n4\n56") == ()


def test_dutch_and_spanish_addresses_and_phones() -> None:
    dutch = PatientIdentifiers(
        values=(
            KnownValue("street", "Kerkstraat 12a"),
            KnownValue("phone", "+31 6 12345678"),
            KnownValue("zip", "1234 AB"),
        )
    )
    text = "Kerkstr. 12a; kerkstraat; 06-12345678, 0031612345678; 1234ab"
    found = finder_of(dutch, language="nl", label_set="trienes-2020").find(text)
    assert shown(text, found) == [
        ("Kerkstr. 12a", "ADDRESS"),
        ("kerkstraat", "ADDRESS"),
        ("06-12345678", "PHONE_FAX"),
        ("0031612345678", "PHONE_FAX"),
        ("1234ab", "ADDRESS"),
    ]
    spanish = PatientIdentifiers(
        values=(KnownValue("address", "Calle Mayor 5, 3º B, 28013 Valdeolmos"),)
    )
    text = "C/ Mayor, 5; 28013 VALDEOLMOS"
    found = finder_of(spanish, language="es", label_set="meddocan").find(text)
    assert shown(text, found) == [
        ("C/ Mayor, 5", "CALLE"),
        ("28013", "TERRITORIO"),
        ("VALDEOLMOS", "TERRITORIO"),
    ]


@given(st.dates(date(1900, 1, 1), date(2030, 12, 31)), st.sampled_from(["%Y-%m-%d", "%d/%m/%y",
       "%m/%d/%Y", "%B %d, %Y", "%d %b %Y", "%d%b%y", "%Y%m%d"]), texts())  # fmt: skip
@settings(max_examples=100)
def test_every_date_is_found_in_every_form(day: date, form: str, around: str) -> None:
    written = day.strftime(form)
    text = f"{around}\n\n\n\n{written}\n\n\n\n"
    spans = finder_of(PatientIdentifiers(birth_dates=(day,))).find(text)
    start = len(around) + 4
    assert any(span.start <= start and start + len(written) <= span.end for span in spans)


@pytest.mark.parametrize(
    ("known", "text", "found"),
    [
        ("10000", "seen, 010000 on file", "010000"),
        ("10000", "No 0010000.", "0010000"),
        ("12-345-678", "012 345 678", "012 345 678"),
        ("010000", "file 10000", "10000"),
        ("004711", "MRN 4711", "4711"),
        ("4711", "MRN 004711", "004711"),
        ("4711", "0004711 steps", ""),  # no word before it
        ("10000", "0.10000 and 00 10000x", "10000"),
        ("10000", "platelets 010000", ""),
        ("00", "MRN 0", ""),
        ("10000", "0100001", ""),
    ],
)
def test_leading_zeros_tell_nothing(known: str, text: str, found: str) -> None:
    finder = finder_of(PatientIdentifiers(values=(KnownValue("mrn", known),)))
    assert [text[span.start : span.end] for span in finder.find(text)] == [found] * bool(found)


@pytest.mark.parametrize("kind", ["phone", "zip"])
def test_zeros_of_phones_and_places_do_tell(kind: str) -> None:
    finder = finder_of(PatientIdentifiers(values=(KnownValue(kind, "28013"),)))
    assert not finder.find("it is 0028013 now")


@given(st.lists(st.text("abcd", min_size=3, max_size=10), max_size=8), st.text("abcd", max_size=10))
@settings(max_examples=200)
def test_the_vocabulary_misses_no_word(words: list[str], key: str) -> None:
    found = {word for word, _ in make_vocabulary(words).near(key)}
    bounds = {word: 0 if len(word) < 4 else 1 if len(word) < 8 else 2 for word in words}
    assert found == {w for w in words if 0 < plain_distance(key, w) <= bounds[w]}
