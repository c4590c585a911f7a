"""Which displays of codes are read, and which stay."""

from __future__ import annotations

import pytest

from scrubjay.corpora._codes import is_code
from scrubjay.corpora._displays import find_said, is_read, is_shared
from scrubjay.corpora._parts import Part


@pytest.mark.parametrize(
    ("system", "expected"),
    [("LN", True), ("SCT", True), ("I10", True), ("HL70064", True), ("CVX", True), ("L", False),
     ("99LAB", False), ("", False), (None, False), (7, False), ("http://loinc.org", True),
     ("http://snomed.info/sct", True), ("http://terminology.hl7.org/CodeSystem/x", True),
     ("urn:ietf:bcp:47", True), ("http://hospital.example/local", False),
     ("http://loinc.org.example/x", False), ("SNOMED-CT", True), ("snomed", True),
     ("SNOMEDLOCAL", False), ("hl70064", True)],
)  # fmt: skip
def test_systems_that_all_share(system: object, expected: bool) -> None:
    assert is_shared(system) is expected


@pytest.mark.parametrize(
    ("display", "expected"),
    [("Sodium", False), ("Kell", False), ("Blood culture", False), ("Jo-1 Ab", False),
     ("CA 19-9", False), ("Okonkwo, Chidi", True), ("CHIDI OKONKWO", True),
     ("Parkinson disease Leeann Whitmore", True), ("Parkinson disease Staging", False),
     ("Rocky Mountain Spotted Fever Ab", False), ("St. Louis Encephalitis IgG", False),
     ("Boston Naming Test", False), ("Boston Naming Test by J. Smith", True),
     ("West Nile Virus Ab 2024-118", True), ("Seen by Roe", True),
     ("5/12/2024", True), ("x4812", True), ("ada@x.org", True)],
)  # fmt: skip
def test_long_displays_are_read(display: str, expected: bool) -> None:
    assert is_read(display) is expected


@pytest.mark.parametrize(
    ("display", "expected"),
    [("Callback 570-555-0144", True), ("(570) 555-0144", True), ("Mail ada@home.org", True),
     ("Born 02/03/1950", True), ("2024-06-20", True), ("Seen by Roe", False),
     ("Sodium in serum or plasma", False), ("Glucose^1.5H post 75 g", False),
     ("pH Bld @ 37 C", False), ("HPV 16+18+31+33+35", False), ("Influenza A/H1N1 2009", False),
     ("25-OH-vitamin D3", False), ("A/California/7/2009", False)],
)  # fmt: skip
def test_displays_of_shared_systems_are_read_where_they_are_no_terms(
    display: str, expected: bool
) -> None:
    assert is_read(display, shared=True) is expected


def test_words_of_names_are_looked_for_but_everyday_ones() -> None:
    parts = [Part("a", "Tranter, White", "name"), Part("b", "Quist, Peter", "staff"),
             Part("c", "Dunmore", "city"), Part("d", "Penicillin", "")]  # fmt: skip
    displays = ["Culture TRANTER", "White cells", "Dr Quist", "Dunmore clinic", "Penicillin", "No"]
    said = find_said(displays, parts)
    assert [said(each) for each in displays] == [True, False, True, True, False, False]
    assert not find_said(["White cells"], parts)
    assert not find_said([], parts)


def test_codes_are_words_and_no_telephones() -> None:
    assert is_code("5705550144")
    assert not is_code("5705550144", bare=True)
    assert not is_code("two words")
    assert not is_code("")
