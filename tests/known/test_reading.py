"""Registers of identifiers: CSV and FHIR, what they give and what they refuse."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from scrubjay.errors import ConfigError, EncodingError, FormatError, InputError
from scrubjay.known.identifiers import KnownIdentifiers, KnownName, KnownValue
from scrubjay.known.reading import gather_identifiers, read_identifiers

SECRET = "Quixotebury"


def _csv(folder: Path, text: str) -> KnownIdentifiers:
    (folder / "known.csv").write_text(text, encoding="utf-8", newline="")
    return read_identifiers(folder / "known.csv")


def _fhir(folder: Path, *resources: Any, lines: bool = False) -> KnownIdentifiers:
    text = "\n".join(map(json.dumps, resources)) if lines else json.dumps(resources[0])
    (folder / "known.json").write_text(text, encoding="utf-8")
    return read_identifiers(folder / "known.json")


def test_rows_of_one_patient_are_joined(tmp_path: Path) -> None:
    known = _csv(
        tmp_path,
        "\ufeffpatient,Given,family,relative,phone,phone_2,DOB,MRN\r\n"
        '17,Ada,"Tranter",Rose Tranter;Tranter Tom,555-010-0147,555-010-0148,1956-03-04,\r\n'
        "17,,,,,,,0481516\r\n"
        "18,Joe,,,,,,\r\n",
    )
    assert len(known) == 2
    patient = known.get(" 17 ")
    assert patient is not None
    assert patient.names[0] == KnownName("name", ("Ada",), ("Tranter",))
    assert [name.kind for name in patient.names] == ["name", "relative", "relative"]
    assert KnownValue("mrn", "0481516") in patient.values
    assert [value.kind for value in patient.values] == ["phone", "phone", "mrn"]
    assert patient.birth_dates == (date(1956, 3, 4),)
    assert known.get("19") is None


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_spreadsheets_may_separate_by_other_characters(delimiter: str, tmp_path: Path) -> None:
    expected = _csv(tmp_path, 'patient,name,phone\n7,"Lee, Ann",1234 5678;2345 6789\n8,Bo Quill,\n')
    lines = ["patient|name|phone", '7|Lee, Ann|"1234 5678;2345 6789"', "8|Bo Quill|"]
    found = _csv(tmp_path, "\r\n".join(lines).replace("|", delimiter))
    assert len(found) == len(expected) == 2
    assert [found.get(each) for each in "78"] == [expected.get(each) for each in "78"]
    assert found.get("7") is not None


def test_whole_names_and_other_names(tmp_path: Path) -> None:
    known = _csv(tmp_path, 'patient,name,maiden\n1,"Tranter, Ada",Hollowell\n')
    assert known.get("1").names == (  # type: ignore[union-attr]
        KnownName("name", ("Ada",), ("Tranter",), ("Hollowell",)),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"family,mrn\n{SECRET},1\n", "no column 'patient'"),
        (f"patient,famly\n1,{SECRET}\n", "column 2: the header has an unknown column. Did you"),
        (f"patient,famly\n1,{SECRET}\n", "'family'? Known: patient, name, given,"),
        (f"patient,{SECRET}\n1,x\n", "an unknown column. Known: patient, name, given,"),
        (f"patient,family\n,{SECRET}\n", "line 2: identifiers without a patient"),
        (f"patient,family\n1;2,{SECRET}\n", "line 2: more than one patient"),
        ("patient,family\n1,\n", "line 2: a patient without any identifier"),
        ("patient,given,family\n1,.,- ; ?\n", "line 2: a patient without any identifier"),
        (f"patient,family\n1,{SECRET},3\n", "line 2: 3 fields, but 2 columns"),
        (f"patient,dob\n1,4/3/{SECRET}\n", "line 2: a date of birth"),
        (f'patient,family\n1,"{SECRET}" x\n', "line 2: broken quotes"),
        ("patient,family\n", "no identifiers"),
        ("", "there are no identifiers in the file"),
        (f"patient;naem\n1;{SECRET}\n", "column 2: the header has an unknown column. Did you mean"),
    ],
)
def test_bad_tables_are_refused_without_being_shown(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(FormatError) as caught:
        _csv(tmp_path, text)
    assert told in str(caught.value)
    assert "known.csv" in str(caught.value)
    assert SECRET not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_identifiers(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(b"patient,family\n1,N\xfa\xf1ez\n")
    with pytest.raises(EncodingError, match="byte 18"):
        read_identifiers(tmp_path / "latin.csv")


PATIENT = {
    "resourceType": "Patient",
    "id": "p1",
    "identifier": [
        {"type": {"coding": [{"code": "MR"}]}, "value": "00481516"},
        {"system": "http://hl7.org/fhir/sid/us-ssn", "value": "078-05-1120"},
        {"value": "shared"},
    ],
    "name": [
        {"use": "official", "family": "Tranter", "given": ["Ada", "Q"]},
        {"use": "nickname", "given": ["Addie"]},
        {"text": "Hollowell, Ada"},
    ],
    "telecom": [
        {"system": "phone", "value": "tel:+1-555-010-0147"},
        {"system": "email", "value": "a@example.org"},
    ],
    "birthDate": "1956-03-04",
    "address": [
        {
            "line": ["48 Marlow Street"],
            "city": "Port Ellery",
            "state": "Maine",
            "postalCode": "40213",
        }
    ],
    "contact": [
        {
            "name": {"family": "Tranter", "given": ["Tom"]},
            "telecom": [{"system": "phone", "value": "555-010-0199"}],
            "address": {"city": "Old Ellery"},
        }
    ],
    "extension": [
        {
            "url": "http://hl7.org/fhir/StructureDefinition/patient-mothersMaidenName",
            "valueString": "Quibble",
        }
    ],
}  # fmt: skip
RELATED = {
    "resourceType": "RelatedPerson",
    "patient": {"reference": "Patient/p1"},
    "name": [{"family": "Tranter", "given": ["Rose"]}],
}
CONDITION = {"resourceType": "Condition"}
OTHER = {
    "resourceType": "Patient",
    "id": "p2",
    "identifier": [{"value": "shared"}],
    "name": [{"family": "Roe"}],
    "birthDate": "1956",
}


def test_fhir_gives_all_that_identifies(tmp_path: Path) -> None:
    bundle = {
        "resourceType": "Bundle",
        "entry": [{"resource": each} for each in (PATIENT, RELATED, OTHER, CONDITION)],
    }
    known = _fhir(tmp_path, bundle)
    assert set(known) == {"p1", "00481516", "078-05-1120", "p2"}
    patient = known.get("p1")
    assert patient is not None
    assert patient == known.get("00481516")
    kinds = [(name.kind, name.given, name.family) for name in patient.names]
    assert kinds == [
        ("name", ("Ada", "Q"), ("Tranter",)),
        ("name", (), ()),
        ("name", ("Ada",), ("Hollowell",)),
        ("relative", ("Tom",), ("Tranter",)),
        ("relative", (), ("Quibble",)),
        ("relative", ("Rose",), ("Tranter",)),
    ]
    assert [value.kind for value in patient.values] == [
        "mrn", "ssn", "id", "phone", "email", "street", "city", "state", "zip", "phone", "city",
    ]  # fmt: skip
    assert patient.birth_dates == (date(1956, 3, 4),)


def test_fhir_by_lines_is_the_same(tmp_path: Path) -> None:
    lines = _fhir(tmp_path, PATIENT, RELATED, OTHER, lines=True)
    array = _fhir(tmp_path, [PATIENT, RELATED, OTHER])
    assert lines == array


@pytest.mark.parametrize(
    ("resources", "told"),
    [
        ([{"resourceType": "Patient", "name": [{"family": SECRET}]}], "without a patient"),
        ([{"resourceType": "RelatedPerson", "name": [{"family": SECRET}]}], "without a patient"),
        ([{"resourceType": "Patient", "id": SECRET}], "without any identifier"),
        ([{"resourceType": "Patient", "id": "1", "name": SECRET}], "breaks the format"),
        ([{"resourceType": "Patient", "id": "1", "birthDate": SECRET}], "breaks the format"),
        ([{"name": SECRET}], "no resourceType"),
        ([[SECRET]], "expected a JSON object"),
    ],
)
def test_bad_fhir_is_refused_without_being_shown(
    tmp_path: Path, resources: list[Any], told: str
) -> None:
    with pytest.raises(FormatError, match="resource 1") as caught:
        _fhir(tmp_path, *resources)
    assert told in str(caught.value)
    assert SECRET not in str(caught.value)


def test_broken_json_is_told_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text(json.dumps(PATIENT) + '\n{"x": ' + SECRET + "\n")
    with pytest.raises(FormatError, match="line 2: not valid JSON") as caught:
        read_identifiers(tmp_path / "known.json")
    assert SECRET not in str(caught.value)
    (tmp_path / "known.json").write_text("[" * 100_000)
    with pytest.raises(FormatError):
        read_identifiers(tmp_path / "known.json")


def test_nothing_shows_in_a_repr(tmp_path: Path) -> None:
    known = _csv(tmp_path, f"patient,family,mrn\n{SECRET}1,{SECRET}2,{SECRET}3\n")
    patient = known.get(f"{SECRET}1")
    assert patient is not None
    shown = [repr(known), repr(patient), *map(repr, patient.names), *map(repr, patient.values)]
    assert SECRET not in "".join(shown)


def test_identifiers_from_python_are_those_of_a_file(tmp_path: Path) -> None:
    read = _csv(
        tmp_path,
        "patient,given,family,relative,phone,phone_2,dob\n"
        "17,Ada,Tranter,Rose Tranter;Tom Roe,555-010-0147,555-010-0148,1956-03-04\n",
    )
    given = gather_identifiers(
        {
            "17": {
                "given": "Ada", "last name": ["Tranter"], "relative": ["Rose Tranter", "Tom Roe"],
                "phone": ("555-010-0147", "555-010-0148"), "dob": "1956-03-04", "mrn": None,
                "ssn": "-",
            }
        }
    )  # fmt: skip
    assert given == read
    assert gather_identifiers({}) == KnownIdentifiers({})


@pytest.mark.parametrize(
    ("patients", "kind", "message"),
    [
        ({17: {"name": SECRET}}, ConfigError, "patient 1: the key is an int, no string"),
        ({"1": {"naem": SECRET}}, FormatError, "patient 1, entry 1: an unknown column. Did you"),
        ({"1": {"mrn": 48213}}, ConfigError, "patient 1, mrn: a value is an int, no string"),
        ({"1": {"mrn": [SECRET, 5.0]}}, ConfigError, "a value is a float, no string"),
        ({"1": {"dob": "3/4/1956"}}, FormatError, "patient 1: a date of birth is not"),
        ({"1": {"name": None}}, FormatError, "patient 1: a patient without any identifier"),
    ],
)
def test_identifiers_from_python_that_are_none(
    patients: Any, kind: type[InputError], message: str
) -> None:
    with pytest.raises(kind, match=message) as caught:
        gather_identifiers(patients)
    assert SECRET not in str(caught.value)
