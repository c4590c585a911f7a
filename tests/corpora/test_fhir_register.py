"""Whose a resource is, however it names its patient."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrubjay.corpora import read_corpus

PATIENT = {
    "resourceType": "Patient",
    "id": "p1",
    "identifier": [{"system": "urn:x", "value": "00481516"}, {"value": "shared"}],
    "name": [{"family": "Tranter", "given": ["Ada"]}],
}
OTHER = {"resourceType": "Patient", "id": "p2", "identifier": [{"value": "shared"}],
         "name": [{"family": "Roe"}]}  # fmt: skip
NOTE = {
    "resourceType": "DocumentReference",
    "subject": {"reference": "Patient/p1"},
    "content": [{"attachment": {"contentType": "text/plain", "url": "http://h/Binary/b1"}}],
}
BINARY = {"resourceType": "Binary", "id": "b1", "contentType": "text/plain", "data": "QWRh"}


def patient_of(folder: Path, *resources: dict[str, Any]) -> tuple[str, bool]:
    """Return the patient of the last resource, and whether anything is known of it."""
    text = "".join(json.dumps(each) + "\n" for each in resources)
    inside = folder / str(len(list(folder.iterdir())))  # registers of a folder are remembered
    inside.mkdir()
    (inside / "r.ndjson").write_text(text)
    *_, last = read_corpus(inside, registers=[str(inside)])
    return last.metadata.get("patient", ""), "source.known" in last.metadata


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ({"reference": "Patient/p1"}, "p1"),
        ({"reference": "Patient?identifier=urn:x|00481516"}, "p1"),
        ({"reference": "Patient?identifier=00481516&active=true"}, "p1"),
        ({"identifier": {"system": "urn:x", "value": "00481516"}}, "p1"),
        ({"identifier": {"value": "shared"}}, "shared"),
        ({"identifier": {"value": "unknown"}}, "unknown"),
        ({"display": "Ada"}, ""),
    ],
)
def test_subjects(subject: dict[str, Any], expected: str, tmp_path: Path) -> None:
    resource = {"resourceType": "Observation", "subject": subject, "valueString": "x"}
    found = patient_of(tmp_path, PATIENT, OTHER, resource)
    assert found == (expected, expected == "p1")


def test_a_binary_is_about_the_patient_of_its_document(tmp_path: Path) -> None:
    assert patient_of(tmp_path, PATIENT, NOTE, BINARY) == ("p1", True)
    assert patient_of(tmp_path, PATIENT, BINARY) == ("", False)
    secured = {**BINARY, "securityContext": {"reference": "Patient/p1"}}
    assert patient_of(tmp_path, PATIENT, secured) == ("p1", True)


def test_a_binary_of_a_bundle(tmp_path: Path) -> None:
    url = "urn:uuid:0f1e2d3c-0000-4000-8000-000000000001"
    note = {**NOTE, "content": [{"attachment": {"contentType": "text/plain", "url": url}}]}
    entries = [{"resource": PATIENT}, {"resource": note}, {"fullUrl": url, "resource": BINARY}]
    bundle = {"resourceType": "Bundle", "entry": entries}
    (tmp_path / "b.json").write_text(json.dumps(bundle))
    *_, last = read_corpus(tmp_path)
    assert last.metadata["patient"] == "p1"
    assert "source.known" in last.metadata
