"""Everyday words and measured values are no identifiers, though a patient has the same."""

from __future__ import annotations

import pytest

from scrubjay.known.identifiers import KnownName, KnownValue, PatientIdentifiers
from tests.known.samples import finder_of, named, shown

NUMBERED = finder_of(
    PatientIdentifiers((KnownName("name", ("John",), ("White",)),), (KnownValue("mrn", "10000"),))
)


@pytest.mark.parametrize(
    ("given", "family", "language", "text"),
    [
        ("John", "White", "en", "White blood cells 12. White count 8, White matter lesions"),
        ("John", "White", "en", "WHITE BLOOD CELLS 8.1 in urine; White male, 45"),
        ("Rose", "Long", "en", "Long standing HTN. LONG ACTING insulin given. Rose to 38.2"),
        ("Will", "Brown", "en", "Will follow up. Brown sputum. Will likely need a scan."),
        ("Dolores", "Rubio", "es", "Dolores abdominales; Dolores de cabeza"),
        ("Jan", "Lange", "nl", "Lange termijn: goed"),
    ],
)
def test_phrases_of_everyday_words_stay(given: str, family: str, language: str, text: str) -> None:
    assert named(given, family=family, language=language).find(text) == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mr White male nurse", "White"),
        ("Patient: White", "White"),
        ("White, John", "White, John"),
        ("White was seen", "White"),
        ("Seen by us: White.", "White"),
        ("J. White cells fine", "J. White"),
        ("Pt White counts money", "White"),
        ("White's wife", "White"),
        ("John White matter", "John White"),
        ("White\nblood cells", "White"),
        ("White discharge planning", "White"),
        ("White tolerating diet", "White"),
    ],
)
def test_names_go(text: str, name: str) -> None:
    found = shown(text, NUMBERED.find(text))
    assert found == [(name, "PATIENT")]


@pytest.mark.parametrize(
    "text",
    [
        "Platelets 10000",
        "PLT: 10000 /uL",
        "WBC of 10000",
        "Platelet count was 10000",
        "heparin 10000 units",
        "gave 10000 IU",
        "10000/mm3",
    ],
)
def test_measured_values_stay(text: str) -> None:
    assert NUMBERED.find(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "MRN 10000",
        "MRN 10000 units",
        "Patient 10000 seen",
        "(10000)",
        "10000 E Main",
        "10000 l",
        "Platelets\n10000",
        "platelets fine, 10000",
        "count on him 10000",
    ],
)
def test_numbers_go(text: str) -> None:
    assert [surface for surface, _ in shown(text, NUMBERED.find(text))] == ["10000"]
