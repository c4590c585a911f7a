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
        ("John", "White", "en", "WHITE BLOOD CELLS 8.1 in urine; White cells fine"),
        ("Rose", "Long", "en", "Long term goals. LONG ACTING insulin given. Rose to 38.2"),
        ("Will", "Brown", "en", "Will follow up. Brown cells. Will likely need a scan."),
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
    ("given", "family", "language", "text", "name"),
    [
        ("Will", "Day", "en", "Does Will need help at home?", "Will"),
        ("Will", "Day", "en", "Ask if Will have eaten", "Will"),
        ("Will", "Day", "en", "Pt (Day) here. Day 3 times refused.", "Day"),
        ("May", "Gray", "en", "Did May stop smoking?", "May"),
        ("May", "Gray", "en", "Nurse Gray cells counted", "Gray"),
        ("Art", "Strong", "en", "Told Art therapy is tomorrow.", "Art"),
        ("Art", "Strong", "en", "SURG STRONG FAMILY HISTORY taken by us", "STRONG"),
        ("Rose", "Long", "en", "Visited by Rose from 2 to 4 pm", "Rose"),
        ("Rose", "Long", "en", "Long standing at the window", "Long"),
        ("Ann", "Young", "en", "Patient:\nYoung Male 45", "Young"),
        ("Ann", "White", "en", "Last name:\nWhite count 4", "White"),
        ("Ann", "White", "en", "White urine sent", "White"),
        ("Luz", "Arnal", "es", "Luz natural de Cáceres, acude por dolor", "Luz"),
        ("Dolores", "Gil", "es", "Dolores tipo de nacimiento", "Dolores"),
        ("Piet", "de Jong", "nl", "mw. de Jong vrouw 45 jaar", "de Jong"),
        ("Piet", "de Groot", "nl", "dhr. de Groot operatie 3/4", "de Groot"),
        ("Piet", "de Wit", "nl", "familie de Wit bloedcellen", "de Wit"),
    ],
)
def test_names_in_hurried_notes_go(
    given: str, family: str, language: str, text: str, name: str
) -> None:
    found = named(given, family=family, language=language).find(text)
    assert name in [text[span.start : span.end] for span in found] or (
        name.split()[-1] in [text[span.start : span.end] for span in found]
    )


@pytest.mark.parametrize(
    ("family", "text", "is_name"),
    [
        ("White", "pt white seen in clinic", True),
        ("White", "pt. white c/o pain", True),
        ("White", "patient white is resting", True),
        ("White", "mr white well, dr. white", True),
        ("May", "pt may denies pain", True),
        ("White", "pt white male 45", False),
        ("White", "pt white, nonsmoker", False),
        ("White", "pt: white", False),
        ("White", "sclera white is normal", False),
        ("May", "pt may go home", False),
        ("Will", "pt will present", False),
        ("Fell", "pt fell today", False),
        ("Long", "patient long history of copd", False),
    ],
)
def test_everyday_names_in_small_letters(family: str, text: str, is_name: bool) -> None:
    found = {text[span.start : span.end] for span in named("John", family=family).find(text)}
    assert found == ({family.lower()} if is_name else set())


@pytest.mark.parametrize(
    ("given", "text", "is_name"),
    [
        ("Ward", "Ward clerk notified", False),
        ("Ward", "0815 Ward up to chair", True),
        ("Ward", "Mr. Ward clerk at the mill", True),
        ("June", "asks re d/c in June. 1300", False),
        ("June", "since June 2020", False),
        ("June", "trusts in June", True),
        ("June", "is in June's room", True),
        ("June", "seen in June Roe's room", True),
        ("June", "June asks", True),
        ("June", "in  June", True),
    ],
)
def test_wards_and_months_stay_where_nobody_can_be_meant(
    given: str, text: str, is_name: bool
) -> None:
    found = {text[span.start : span.end] for span in named(given, family="Quimby").find(text)}
    assert any(given in each for each in found) is is_name


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("mrn", "45123", "Bed 4, 45123 unit 6 North"),
        ("zip", "90210", "Beverly Hills 90210 units"),
        ("phone", "451234", "WBC 451234"),
        ("phone", "451234", "Phone alt to 451234"),
        ("mrn", "45123", "(was 45123 ie the old number)"),
        ("mrn", "45123", "account count: 45123"),
        ("mrn", "45123", "heparin to 45123 per pharmacy"),
    ],
)
def test_numbers_that_only_look_measured_go(kind: str, value: str, text: str) -> None:
    finder = finder_of(
        PatientIdentifiers((KnownName("name", ("John",), ("Roe",)),), (KnownValue(kind, value),))
    )
    assert value in [surface for surface, _ in shown(text, finder.find(text))]


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
