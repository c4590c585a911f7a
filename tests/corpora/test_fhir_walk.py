"""Identifiers of persons in resources: whatever element they stand in, none stays unread."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from scrubjay.corpora import read_corpus
from scrubjay.corpora._fhir_tree import dump_tree
from scrubjay.corpora.fhir import echo, render_resource
from scrubjay.document import Document

CANARY = "Wilhelmina"


def read(folder: Path, resource: dict[str, Any], **options: str) -> Document:
    """Return the document of one resource."""
    path = folder / "r.ndjson"
    path.write_text(json.dumps({"resourceType": "Patient", **resource}) + "\n")
    (document,) = read_corpus(path, **options)
    return document


def kinds(document: Document) -> dict[str, str]:
    """Return the kind of each text of a document."""
    return {
        document.text[part["start"] : part["end"]]: part["kind"]
        for part in document.metadata["record.parts"]
    }


DEFINED = "http://hl7.org/fhir/StructureDefinition/"
STREET = {"url": DEFINED + "iso21090-ADXP-streetName", "valueString": CANARY}
BORN = {"url": DEFINED + "humanname-own-name", "valueString": CANARY}
HOLDER = {"resourceType": "Coverage", "policyHolder": {"display": CANARY}}
IDENTIFYING: dict[str, tuple[dict[str, Any], str]] = {
    "address of a text": ({"address": [{"text": CANARY}]}, "address"),
    "address of a state": ({"address": [{"state": CANARY}]}, "state"),
    "address in an extension": (
        {"extension": [{"url": "x", "valueAddress": {"text": CANARY}}]},
        "address",
    ),
    "street in a piece of an address": (
        {"address": [{"city": "X", "_line": [{"extension": [STREET]}]}]},
        "street",
    ),
    "own name": (
        {"name": [{"family": "X", "_family": {"extension": [BORN]}}]},
        "name",
    ),
    "name as a prefix": ({"name": [{"family": "X", "prefix": ["Dr.", CANARY]}]}, "name"),
    "name as a string": ({"name": CANARY}, "name"),
    "telecom as a string": ({"telecom": CANARY}, "phone"),
    "identifier of another element": (
        {"resourceType": "ServiceRequest", "requisition": {"system": "urn:x", "value": CANARY}},
        "id",
    ),
    "identifier of any element": (
        {"resourceType": "Claim", "related": [{"reference": {"system": "urn:x", "value": CANARY}}]},
        "id",
    ),
    "reference by a number": (
        {"resourceType": "Basic", "subject": {"reference": f"Patient?identifier=x|{CANARY}"}},
        "id",
    ),
    "address of a file with an extension": (
        {"resourceType": "Media", "content": {"url": f"http://h/{CANARY}", "extension": []}},
        "url",
    ),
    "address of a file in a folder": (
        {"resourceType": "Media", "content": {"url": f"http://h/Scans/{CANARY}"}},
        "url",
    ),
    "role": ({"resourceType": "Media", "operator": {"display": CANARY}}, "staff"),
    "policy holder": (HOLDER, "relative"),
    "group": ({"resourceType": "Coverage", "class": [{"value": CANARY}]}, "plan"),
}  # fmt: skip


@pytest.mark.parametrize("case", IDENTIFYING)
def test_what_identifies_is_taken_as_a_whole(case: str, tmp_path: Path) -> None:
    resource, kind = IDENTIFYING[case]
    document = read(tmp_path, resource)
    found = kinds(document)
    assert [found[text] for text in found if CANARY in text] == [kind]
    assert render_resource(document) == {"resourceType": "Patient", **resource}


@pytest.mark.parametrize(
    "resource",
    [
        {"identifier": [{"system": "x", "value": 48151600}]},
        {"telecom": [{"system": "phone", "value": 48151600}]},
        {"id": 48151600},
        {"birthDate": 48151600},
        {"name": [{"family": 48151600}]},
        {"address": [{"city": "X", "postalCode": 48151600}]},
        {"extension": [{"url": "x", "valueInteger": 481516001}]},
    ],
)
def test_numbers_in_the_place_of_strings_do_not_stay(
    resource: dict[str, Any], tmp_path: Path
) -> None:
    document = read(tmp_path, resource)
    new = Document(document.id, document.text.replace("481516", "[X]"), (), document.metadata)
    rendered = render_resource(new, lambda slot: "digest")
    assert "481516" not in json.dumps(rendered)
    assert "481516" not in echo(new)


def test_other_numbers_stay_numbers(tmp_path: Path) -> None:
    values = [{"valueDecimal": 1.25e-11}, {"valueInteger": 12345678}, {"valueInteger": 10**9},
              {"valueDecimal": 5705550143.0}, {"valueDecimal": 570555014.5}]  # fmt: skip
    resource = {"extension": [{"url": "x", **value} for value in values]}
    document = read(tmp_path, resource)
    written = json.loads(dump_tree(render_resource(document)))
    assert written == {"resourceType": "Patient", **resource}
    assert [*kinds(document)] == ["1000000000", "5705550143"]


def test_titles_stay(tmp_path: Path) -> None:
    titles = ["Dr.", "Ph.D.", "III", "Prof", "Professor", "Señora", "Dr. med."]
    document = read(tmp_path, {"name": [{"family": "Roe", "suffix": titles}]})
    assert list(kinds(document)) == ["Roe"]


def test_coordinates_and_hashes_go(tmp_path: Path) -> None:
    point = {
        "url": DEFINED + "geolocation",
        "extension": [{"url": "latitude", "valueDecimal": 52.3713}],
    }
    photo = {"contentType": "image/png", "url": "http://h/x", "hash": "AAAA"}
    attached = {"url": "x", "valueAttachment": photo}
    resource = {"address": [{"city": "X", "extension": [point]}], "extension": [attached]}
    rendered = json.dumps(render_resource(read(tmp_path, resource)))
    assert "52.3713" not in rendered
    assert "hash" not in rendered


def test_queries_of_a_server_are_left_out(tmp_path: Path) -> None:
    """In Base64 no model sees what they ask for."""
    query = base64.b64encode(b"Patient?name=Ada").decode()
    resource = {"resourceType": "AuditEvent", "entity": [{"name": "x", "query": query}]}
    document = read(tmp_path, resource, unknown="text")
    assert query not in document.text
    assert query not in json.dumps(render_resource(document))


@pytest.mark.parametrize(
    "resource",
    [
        {"extension": [{"url": "x", "valueBase64Binary": base64.b64encode(b"Ada").decode()}]},
        {"resourceType": "Binary", "content": base64.b64encode(CANARY.encode() * 20).decode()},
    ],
)
def test_hidden_data_are_not_passed_on(resource: dict[str, Any], tmp_path: Path) -> None:
    assert "source.refused" in read(tmp_path, resource).metadata
    dropped = json.dumps(render_resource(read(tmp_path, resource, unknown="drop")))
    assert resource.get("content", "valueBase64Binary") not in dropped


def test_long_texts_are_no_hidden_data(tmp_path: Path) -> None:
    text = "the patient came in and was well " * 20
    data = "2041 2043 2037 " * 40
    sampled = {"origin": {"value": 0}, "data": data}
    resource = {"resourceType": "Observation", "valueString": text, "valueSampledData": sampled}
    assert "source.refused" not in read(tmp_path, resource).metadata


def test_codes_that_show_the_patient_go(tmp_path: Path) -> None:
    name = {"family": "Tranter", "given": ["Ada"]}
    resource = {
        "identifier": [{"system": "urn:mrn:00481516", "value": "00481516"}],
        "name": [name],
        "communication": [
            {"language": {"coding": [{"system": "x", "code": "nl", "display": "Dutch"}]}},
            {"language": {"coding": [{"code": "00481516", "display": "Dutch"}]}},
            {"language": {"coding": [{"code": "tranter", "display": "as she speaks"}]}},
        ],
        "multipleBirthInteger": 48151,
        "extension": [{"url": "x", "valueInteger": 48151}],
    }
    document = read(tmp_path, resource)
    rendered = render_resource(document)
    assert rendered is not None
    assert rendered["communication"] == resource["communication"][:1]  # type: ignore[index]
    assert rendered["identifier"] == [{"value": "00481516"}]
    assert rendered["multipleBirthInteger"] == 48151
    assert echo(document) == document.text.replace("as she speaks", "").rstrip()


def test_the_name_in_a_reference_stays_a_text_where_another_element_shows_the_patient(
    tmp_path: Path,
) -> None:
    clinic = {"reference": "Organization/1", "type": "00481516", "display": "Elm Clinic"}
    resource = {"identifier": [{"value": "00481516"}], "managingOrganization": clinic}
    document = read(tmp_path, resource)
    rendered = render_resource(document)
    assert rendered is not None
    assert rendered["managingOrganization"] == {
        key: clinic[key] for key in ("reference", "display")
    }
    assert echo(document) == document.text


def test_eponyms_stay_beside_a_patient_of_the_name(tmp_path: Path) -> None:
    coding = {"coding": [{"system": "x", "code": "49049000", "display": "Parkinson disease"}]}
    resource = {"name": [{"family": "Parkinson", "given": ["Ada"]}], "maritalStatus": coding}
    rendered = render_resource(read(tmp_path, resource))
    assert rendered is not None
    assert rendered["maritalStatus"] == coding


@pytest.mark.parametrize(
    ("system", "display", "is_text"),
    [("http://loinc.org", "Culture Tranter leg", True), ("http://x.example", "Tranter", True),
     ("http://x.example", "Seen by Dr. Okonkwo", True), ("http://x.example", "Kell", False),
     ("http://loinc.org", "Sodium in serum or plasma", False), (None, "On 5/12/2024", True)],
)  # fmt: skip
def test_displays_that_may_tell_of_persons_are_read(
    system: str | None, display: str, is_text: bool, tmp_path: Path
) -> None:
    coding = {"code": "X1", "display": display} | ({"system": system} if system else {})
    resource = {"name": [{"family": "Tranter"}], "maritalStatus": {"coding": [coding]}}
    document = read(tmp_path, resource)
    assert (display in document.text) is is_text
    assert render_resource(document) == {"resourceType": "Patient", **resource}
    assert echo(document) == document.text
    if is_text:
        new = document.text.replace(display, "[X-1]")
        changed = Document(document.id, new, (), document.metadata)
        rendered = render_resource(changed)
        assert rendered is not None
        assert rendered["maritalStatus"] == {"coding": [{**coding, "display": "[X-1]"}]}


def test_telephones_are_no_codes_and_object_ids_none_either(tmp_path: Path) -> None:
    found = [
        {"url": "x", "valueOid": "urn:oid:1.2.840.4471"},
        {"url": "x", "valueCode": "570-555-0144"},
        {"url": "x", "valueCode": "5705550144"},
        {"url": "x", "valueCoding": {"system": "http://snomed.info/sct", "code": "5705550144"}},
    ]
    document = read(tmp_path, {"extension": found})
    assert kinds(document) == {
        "urn:oid:1.2.840.4471": "id", "570-555-0144": "", "5705550144": ""
    }  # fmt: skip
    assert echo(document) == document.text
    separator = document.metadata["source.separator"]
    new = Document(document.id, separator.join(["1", "x", "6095550177"]), (), document.metadata)
    assert echo(new) == separator.join(["1", "6095550177"])


YEARS = {"system": "http://unitsofmeasure.org", "unit": "years", "code": "a"}
AGE = {"coding": [{"system": "http://loinc.org", "code": "30525-0", "display": "Age"}]}
OTHER = {"coding": [{"system": "http://loinc.org", "code": "718-7"}], "text": "Hemoglobin"}
AGES: dict[str, dict[str, Any]] = {
    "a type of its own": {"resourceType": "Condition", "onsetAge": {"value": 93, **YEARS}},
    "a result": {"resourceType": "Observation", "code": AGE, "valueQuantity": {"value": 93}},
    "a result by its name": {
        "resourceType": "Observation", "code": {"text": "Patient age"}, "valueInteger": 93,
    },
    "a piece of a result": {
        "resourceType": "Observation", "code": OTHER, "valueQuantity": {"value": 94},
        "component": [{"code": AGE, "valueQuantity": {"value": 93, **YEARS}}],
    },
    "an answer": {
        "resourceType": "QuestionnaireResponse",
        "item": [{"linkId": "1", "text": "Your age?", "answer": [{"valueInteger": 93}]}],
    },
    "an extension": {"extension": [{"url": "http://x/patient-age", "valueInteger": 93}]},
    "a string": {"extension": [{"url": "http://x/age", "valueString": "93"}]},
}  # fmt: skip


@pytest.mark.parametrize("case", AGES)
def test_ages_are_taken_as_such(case: str, tmp_path: Path) -> None:
    document = read(tmp_path, AGES[case])
    assert kinds(document)["93"] == "age"
    expected = {"resourceType": "Patient", **AGES[case]}
    assert json.loads(dump_tree(render_resource(document))) == expected
    for text in ("67", "90+"):
        new = Document(document.id, document.text.replace("93", text), (), document.metadata)
        written = dump_tree(render_resource(new))
        assert "93" not in written
        assert ('"masked"' in written) == (text == "90+" and case != "a string")
        assert echo(new).count(text) == ('"masked"' not in written)


@pytest.mark.parametrize(
    "resource",
    [
        {"resourceType": "Observation", "code": OTHER, "valueQuantity": {"value": 93}},
        {"resourceType": "Observation", "code": {"text": "Gestational age"}, "valueInteger": 33},
        {"resourceType": "Condition", "onsetAge": {"value": 93, "unit": "days"}},
        {"resourceType": "Observation", "code": AGE, "interpretation": [{"text": "x"}],
         "referenceRange": [{"low": {"value": 93}}]},
    ],
)  # fmt: skip
def test_what_is_no_age_of_a_person_stays(resource: dict[str, Any], tmp_path: Path) -> None:
    assert "age" not in kinds(read(tmp_path, resource)).values()


@pytest.mark.parametrize("new", ["2019", "[DATE-1]", "2020-02-14"])
def test_days_among_codes_may_become_years(new: str, tmp_path: Path) -> None:
    coding = {"system": "http://loinc.org", "version": "2019-10-01", "code": "718-7"}
    local = {"system": "urn:ours", "version": "2019-10-03", "code": "2019-10-03"}
    resource = {"resourceType": "Observation", "code": {"coding": [coding, local]}}
    document = read(tmp_path, resource)
    assert document.text.count("2019-10-03") == 2
    text = document.text.replace("2019-10-03", new)
    edited = Document(document.id, text, (), document.metadata)
    echo(edited)
    written = dump_tree(render_resource(edited))
    assert "2019-10-03" not in written
    assert json.loads(written)["code"]["coding"][0] == coding


@pytest.mark.parametrize(
    ("key", "kind", "year"),
    [
        ("issued", "Observation", None),
        ("date", "DocumentReference", None),
        ("date", "Composition", "2023"),
        ("effectiveDateTime", "Observation", "2023"),
        ("start", "Appointment", None),
    ],
)
def test_moments_do_not_become_years(key: str, kind: str, year: str | None, tmp_path: Path) -> None:
    document = read(tmp_path, {"resourceType": kind, key: "2023-01-20T07:30:00Z"})
    text = document.text.replace("2023-01-20", "2023")
    edited = Document(document.id, text, (), document.metadata)
    echo(edited)
    written = json.loads(dump_tree(render_resource(edited)))
    assert written.get(key) == year
    assert (f"_{key}" in written) == (year is None)
