"""FHIR resources: values come back, texts and identifiers are found, Bundles stay Bundles."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora import detect_format, read_corpus, write_corpus
from scrubjay.corpora.fhir import FORMAT, echo, render_resource
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import FormatError, OutputError

CANARY = "Wilhelmina"
PATIENT: dict[str, Any] = {
    "resourceType": "Patient",
    "id": "p1",
    "identifier": [{"type": {"coding": [{"code": "MR"}]}, "system": "urn:x", "value": "00481516"}],
    "name": [{"family": "Tranter", "given": ["Ada", "Q"], "prefix": ["Ms"], "text": "Ada Tranter"}],
    "telecom": [{"system": "phone", "value": "555-010-0147"}],
    "gender": "female",
    "birthDate": "1956-03-04",
    "address": [{"line": ["48 Marlow Street"], "city": "Port Ellery", "postalCode": "40213"}],
    "contact": [{"name": {"family": "Roe", "given": ["Tom"]}}],
}


def attachment(text: str, kind: str = "text/plain", charset: str = "utf-8") -> dict[str, Any]:
    """Return an attachment with a text."""
    return {"contentType": kind, "data": base64.b64encode(text.encode(charset)).decode()}


NOTE: dict[str, Any] = {
    "resourceType": "DocumentReference",
    "id": "d1",
    "status": "current",
    "type": {"coding": [{"system": "http://loinc.org", "code": "11506-3", "display": "Note"}]},
    "subject": {"reference": "Patient/p1", "display": "Ada Tranter"},
    "author": [{"reference": "Practitioner/x", "display": "Dr. John Hollowell"}],
    "date": "2024-03-05T10:00:00.000-05:00",
    "content": [
        {"attachment": attachment("Ms. Tranter came.\r\n")},
        {"attachment": attachment("<p>Seen <b>Ada</b> Tranter</p>", "text/html; charset=utf-8")},
        {"attachment": attachment("José", "text/plain; charset=latin-1", "latin-1")},
    ],
}
OBSERVATION: dict[str, Any] = {
    "resourceType": "Observation",
    "id": "o1",
    "status": "final",
    "code": {"coding": [{"system": "http://loinc.org", "code": "2345-7", "display": "Glucose"}]},
    "subject": {"reference": "Patient/p1"},
    "effectiveDateTime": "2024-03",
    "valueString": "called Tom Roe",
    "note": [{"authorString": "J. Hollowell", "text": "at 555-010-0147"}],
    "text": {"status": "generated", "div": "<div>&lt; 5, <i>Ada</i></div>"},
    "component": [{"valueQuantity": {"value": 1, "unit": "mg/dL"}}],
}


def write(folder: Path, *resources: Any, name: str = "r.ndjson") -> Path:
    """Write resources, one a line."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("".join(json.dumps(each) + "\n" for each in resources))
    return folder / name


def parts(document: Document) -> list[tuple[str, str]]:
    """Return kind and text of each part."""
    return [
        (part["kind"], document.text[part["start"] : part["end"]])
        for part in document.metadata["record.parts"]
    ]


def test_persons_are_identifiers(tmp_path: Path) -> None:
    path = write(tmp_path, PATIENT)
    assert detect_format(path) == "fhir"
    (document,) = read_corpus(path)
    assert parts(document) == [
        ("mrn", "00481516"), ("name", "Tranter, Ada Q"), ("name", "Ada Tranter"),
        ("phone", "555-010-0147"), ("date", "1956-03-04"), ("street", "48 Marlow Street"),
        ("city", "Port Ellery"), ("zip", "40213"), ("relative", "Roe, Tom"),
    ]  # fmt: skip
    assert document.metadata["patient"] == "p1"


def test_notes_are_texts(tmp_path: Path) -> None:
    first, second = read_corpus(write(tmp_path, NOTE, OBSERVATION))
    assert parts(first) == [
        ("name", "Ada Tranter"), ("staff", "Dr. John Hollowell"), ("date", "2024-03-05"),
        ("", "Ms. Tranter came.\r\n"), ("", "Seen "), ("", "Ada"), ("", " Tranter"), ("", "José"),
    ]  # fmt: skip
    assert parts(second) == [
        ("date", "2024-03"), ("", "called Tom Roe"), ("staff", "J. Hollowell"),
        ("", "at 555-010-0147"), ("", "< 5, "), ("", "Ada"),
    ]  # fmt: skip
    assert first.metadata["patient"] == second.metadata["patient"] == "p1"


@pytest.mark.parametrize("resource", [PATIENT, NOTE, OBSERVATION])
def test_what_is_not_edited_keeps_its_value(resource: dict[str, Any], tmp_path: Path) -> None:
    (document,) = read_corpus(write(tmp_path, resource))
    assert render_resource(document) == resource
    assert echo(document) == document.text


def test_numbers_keep_their_digits(tmp_path: Path) -> None:
    line = '{"resourceType": "Observation", "valueQuantity": {"value": 1.00, "code": "x"}}\n'
    (tmp_path / "r.ndjson").write_text(line)
    write_corpus(read_corpus(tmp_path), tmp_path / "out", format="fhir")
    assert (tmp_path / "out" / "r.ndjson").read_text() == line


def edited(document: Document, table: dict[str, str]) -> Document:
    """Return a document with some parts replaced, by their old text."""
    text = document.text
    for part in reversed(document.metadata["record.parts"]):
        old = document.text[part["start"] : part["end"]]
        text = text[: part["start"]] + table.get(old, old) + text[part["end"] :]
    return Document(document.id, text, (), document.metadata)


def test_new_texts_are_written_in_their_elements(tmp_path: Path) -> None:
    (document,) = read_corpus(write(tmp_path, PATIENT))
    changed = edited(
        document,
        {"Tranter, Ada Q": "Weaver, Eve F", "1956-03-04": "[DATE]", "Roe, Tom": "[NAME]",
         "Port Ellery": ""},
    )  # fmt: skip
    found = render_resource(changed)
    assert found is not None
    assert (found["name"][0]["family"], found["name"][0]["given"]) == ("Weaver", ["Eve", "F"])
    assert "birthDate" not in found
    assert found["_birthDate"]["extension"][0]["valueCode"] == "masked"
    assert found["contact"][0]["name"] == {"family": "[NAME]"}
    assert "city" not in found["address"][0]
    assert "1956" not in echo(changed)


def test_attachments_and_narratives_get_the_new_text(tmp_path: Path) -> None:
    (document,) = read_corpus(write(tmp_path, NOTE))
    found = render_resource(edited(document, {"Ada": "Eve", " Tranter": " X", "José": "Ñ"}))
    assert found is not None
    data = [base64.b64decode(each["attachment"]["data"]) for each in found["content"]]
    assert data[1:] == [b"<p>Seen <b>Eve</b> X</p>", "Ñ".encode("latin-1")]


BUNDLE = {
    "resourceType": "Bundle", "type": "collection", "timestamp": "2024-03-05T10:00:00Z",
    "link": [{"relation": "self", "url": "http://h/Patient?name=Wilhelmina"}],
    "entry": [
        {"fullUrl": "urn:uuid:0f1e2d3c-0000-4000-8000-000000000001", "resource": PATIENT},
        {"fullUrl": "http://h/Observation/o1", "resource": {
            **OBSERVATION,
            "subject": {"reference": "urn:uuid:0f1e2d3c-0000-4000-8000-000000000001"},
        }},
    ],
}  # fmt: skip


@pytest.mark.parametrize("indent", [None, 1])
def test_entries_of_bundles_are_documents(indent: int | None, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(json.dumps(BUNDLE, indent=indent))
    head, patient, observation = read_corpus(tmp_path)
    assert parts(head) == [("date", "2024-03-05")]
    for document in (patient, observation):
        assert repr(document.metadata["source.known"]).startswith("PatientIdentifiers(2 names")
    write_corpus([head, patient, observation], tmp_path / "out", format="fhir")
    written = json.loads((tmp_path / "out" / "b.json").read_text())
    assert written == {key: value for key, value in BUNDLE.items() if key != "link"}
    write_corpus([observation], tmp_path / "part", format="fhir")
    part = json.loads((tmp_path / "part" / "b.json").read_text())
    assert part["type"] == "collection"
    assert part["entry"] == BUNDLE["entry"][1:]
    write_corpus([head], tmp_path / "none", format="fhir")
    assert "entry" not in json.loads((tmp_path / "none" / "b.json").read_text())


def test_ids_become_digests_with_a_key(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(json.dumps(BUNDLE))
    found = list(read_corpus(tmp_path))
    write_corpus(found, tmp_path / "out", format="fhir", id_key=b"0123456789abcdef")
    text = (tmp_path / "out" / "b.json").read_text()
    first, second = json.loads(text)["entry"]
    assert second["resource"]["subject"]["reference"] == first["fullUrl"]
    assert second["fullUrl"] == f"http://h/Observation/{second['resource']['id']}"
    assert "0f1e2d3c" not in text
    assert '"o1"' not in text


def test_patients_of_other_files_are_known(tmp_path: Path) -> None:
    write(tmp_path / "in", PATIENT, name="Patient.ndjson")
    write(tmp_path / "in", NOTE, name="notes.ndjson")
    found = list(read_corpus(tmp_path / "in", registers=[str(tmp_path / "in")]))
    assert all("source.known" in document.metadata for document in found)


def test_unknown_types_and_files(tmp_path: Path) -> None:
    strange = {"resourceType": "Starship", "captain": CANARY}
    picture = {"resourceType": "Binary", "contentType": "application/pdf", "data": "AAAA"}
    path = write(tmp_path, strange, picture, PATIENT)
    failing = list(read_corpus(path))
    assert ["source.refused" in document.metadata for document in failing] == [True, True, False]
    dropped = list(read_corpus(path, unknown="drop"))
    write_corpus(dropped, tmp_path / "out", format="fhir")
    lines = (tmp_path / "out" / "r.ndjson").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"resourceType": "Binary", "contentType": "application/pdf"}, PATIENT
    ]  # fmt: skip
    (read_as_text, *_) = read_corpus(path, unknown="text")
    assert parts(read_as_text) == [("", CANARY)]


def alone(folder: Path, resource: Any) -> Any:
    """Return what a resource becomes that is the only one of its file."""
    folder.mkdir(exist_ok=True)
    (folder / "one.json").write_text(json.dumps(resource))
    write_corpus(read_corpus(folder / "one.json"), folder / "out", format="fhir")
    return json.loads((folder / "out" / "one.json").read_text())


def test_an_array_of_resources_comes_back_as_one(tmp_path: Path) -> None:
    for number, array in enumerate(
        ([PATIENT], [PATIENT, OBSERVATION], [BUNDLE, PATIENT, BUNDLE], [PATIENT, BUNDLE])
    ):
        for indent in (None, 1):
            path = tmp_path / f"{number}-{indent}" / "r.json"
            path.parent.mkdir()
            path.write_text(json.dumps(array, indent=indent))
            assert detect_format(path) == "fhir"
            found = list(read_corpus(path, registers=[str(path)]))
            assert found[0].id == "r-1"
            out = path.parent / "out"
            write_corpus(found, out, format="fhir")
            expected = [alone(tmp_path / "alone", each) for each in array]
            assert json.loads((out / "r.json").read_text()) == expected
            write_corpus([found[-1]], out, format="fhir")
            assert isinstance(json.loads((out / "r.json").read_text()), list)


def test_a_line_with_an_array_among_resources_is_told(tmp_path: Path) -> None:
    (tmp_path / "r.ndjson").write_text(f"{json.dumps(PATIENT)}\n[{json.dumps(PATIENT)}]\n")
    with pytest.raises(FormatError, match="line 2: no FHIR resource"):
        list(read_corpus(tmp_path))


BROKEN = {
    "json": (f'{{"resourceType": "Patient", "id": "{CANARY}\n', "line 1: not valid JSON"),
    "later": (json.dumps(PATIENT) + f'\n{{"{CANARY}', "line 2: not valid JSON"),
    "no type": (f'{{"id": "{CANARY}"}}\n', "line 1: no FHIR resource"),
    "a list": (f'["{CANARY}"]\n', "resource 1: no FHIR resource"),
    "entries": ('{"resourceType": "Bundle", "entry": {}}\n', "entries of a Bundle"),
    "deep": ('{"resourceType":"Basic","a":' + '{"a":' * 300 + "1" + "}" * 301, "too deeply"),
    "nan": ('{"resourceType": "Basic", "a": NaN}\n', "not valid JSON"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files(case: str, tmp_path: Path) -> None:
    text, message = BROKEN[case]
    (tmp_path / "r.ndjson").write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        list(read_corpus(tmp_path, format="fhir"))
    assert CANARY not in str(caught.value)


def test_other_documents_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="was not read from fhir"):
        write_corpus([Document("a", CANARY)], tmp_path / "out", format="fhir")


keys = st.sampled_from(
    ["name", "family", "given", "text", "div", "value", "system", "reference", "display", "code",
     "url", "line", "city", "identifier", "telecom", "data", "contentType", "id", "note", "subject",
     "birthDate", "extension", "start", "status", "resourceType"]
)  # fmt: skip
strings = st.one_of(
    st.sampled_from(["Ada", "Ada, Q", "2024-03-05", "2024", "text/plain", "QWRh", "Patient/p1",
                     "a b", "<b>x</b> y", "phone", "", "urn:uuid:1", "2024-13-40", "Basic", " "]),
    st.text(st.sampled_from("aB é<&>;\n\u2005"), max_size=8),
)  # fmt: skip
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), strings),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(keys, values, max_size=5))
def test_random_resources_come_back(tmp_path_factory: Any, found: dict[str, Any]) -> None:
    folder = tmp_path_factory.mktemp("fhir")
    path = write(folder, {**found, "resourceType": "Basic"})
    try:
        (document,) = read_corpus(path, unknown="text")
    except FormatError:
        return
    for part in document.metadata["record.parts"]:
        assert 0 <= part["start"] <= part["end"] <= len(document.text)
    rendered = render_resource(document)
    assert echo(document) == document.text
    write(folder, rendered, name="again.ndjson")
    (again,) = read_corpus(folder / "again.ndjson", unknown="text")
    assert render_resource(again) == rendered
    assert again.text == document.text


@pytest.mark.parametrize("entry", ["x", {"a": 1}, [1]])
def test_a_bundle_whose_entries_are_none_is_named(tmp_path: Path, entry: object) -> None:
    path = tmp_path / "bundle.json"
    path.write_text(json.dumps({"resourceType": "Bundle", "entry": entry}), encoding="utf-8")
    with pytest.raises(FormatError, match=r"bundle\.json, line 1: the entries of a Bundle"):
        list(read_corpus(path, format="fhir"))


def test_requests_keep_what_they_make_and_lose_the_number(tmp_path: Path) -> None:
    requests = [
        {"method": "POST", "url": "Observation"},
        {"method": "PUT", "url": "Patient?identifier=urn:mrn|00481516"},
        {"method": "PUT", "url": "Patient?name=Tranter"},
    ]
    bundle = {
        "resourceType": "Bundle",
        "type": "transaction",
        "entry": [
            {"resource": {"resourceType": "Patient", "id": f"p{number}"}, "request": request}
            for number, request in enumerate(requests)
        ],
    }
    path = tmp_path / "b.json"
    path.write_text(json.dumps(bundle))
    _, *found = read_corpus(path)
    texts = [document.text for document in found]
    assert texts == ["", "00481516", "Patient?name=Tranter"]
    assert [render_resource(each)["request"] for each in found] == requests  # type: ignore[index]
    assert [echo(each) for each in found] == texts
    new = Document("x", "(IDNUM 1)", (), found[1].metadata)
    assert echo(new) == "(IDNUM 1)"


def test_the_id_of_a_patient_is_known_in_the_texts(tmp_path: Path) -> None:
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [
            {"resource": {"resourceType": "Patient", "id": "pt884213"}},
            {"resource": {"resourceType": "Appointment", "participant": [
                {"actor": {"reference": "Location/17"}},
                {"actor": {"reference": "Patient/pt884213"}},
            ]}},
        ],
    }  # fmt: skip
    path = tmp_path / "b.json"
    path.write_text(json.dumps(bundle))
    _, _, visit = read_corpus(path)
    assert visit.metadata["patient"] == "pt884213"
    assert [value.value for value in visit.metadata["source.known"].values] == ["pt884213"]


def test_a_bundle_without_its_head_is_one_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "b.ndjson"
    patient = {"resourceType": "Patient", "name": [{"family": "Roe"}]}
    lines = [{"resourceType": "Bundle", "type": "collection", "total": number,
              "entry": [{"resource": patient}]} for number in range(3)]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = list(read_corpus(path))
    write_corpus([*found[:2], *found[3:]], tmp_path / "out", format="fhir")
    (written,) = (tmp_path / "out").iterdir()
    again = [json.loads(line) for line in written.read_text().splitlines()]
    assert [len(bundle["entry"]) for bundle in again] == [1, 1, 1]
    assert [bundle.get("total") for bundle in again] == [0, None, 2]


def test_displays_are_compared_without_what_other_resources_tell(tmp_path: Path) -> None:
    code = {"coding": [{"system": "http://loinc.org", "code": "1-8", "display": "Tranter leg"}]}
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [
            {"resource": {"resourceType": "Patient", "id": "p", "name": [{"family": "Tranter"}]}},
            {"resource": {"resourceType": "Observation", "subject": {"reference": "Patient/p"},
                          "code": code}},
        ],
    }  # fmt: skip
    path = tmp_path / "b.json"
    path.write_text(json.dumps(bundle))
    found = list(read_corpus(path))
    assert [document.text for document in found] == ["", "Tranter", "Tranter leg"]
    write_corpus(found, tmp_path / "out", format="fhir")
    (written,) = (tmp_path / "out").iterdir()
    again = FORMAT.reread(Source(written, "b.json", "b"))
    assert [text for text, _ in again] == [echo(document) for document in found]


def test_names_of_elements_that_are_none_do_not_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    basic = {"resourceType": "Basic", "id": "1", "subject": {"reference": "Patient/1"}}
    inner = {"Ada Tranter": {"note": "Seen."}, "Tranter": True, "ada-1": "x", "ok": "Seen."}
    path.write_text(json.dumps(basic | {"extension": [inner]}) + "\n")
    for unknown in ("fail", "text"):
        (document,) = read_corpus(path, unknown=unknown)
        assert "source.refused" in document.metadata
    (document,) = read_corpus(path, unknown="drop")
    assert "source.refused" not in document.metadata
    write_corpus([document], tmp_path / "out", format="fhir")
    written = "".join(file.read_text() for file in (tmp_path / "out").iterdir())
    assert "Tranter" not in written
    assert "ada-1" not in written
    assert "Seen." in written
