"""`scrubjay deid` and `annotate` over HL7 messages and FHIR resources."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from scrubjay.corpora import read_corpus
from scrubjay.deidentifier import Deidentifier, Failure
from scrubjay.transform import _vault_file
from scrubjay.transform.policy import find_policy
from tests.calls import run
from tests.corpora.hl7_messages import MESSAGE, MSH
from tests.corpora.test_fhir import BUNDLE, NOTE, OBSERVATION, PATIENT, attachment, write
from tests.toys import CANARY, RaisingDetector

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

KEY = "0123456789abcdef0123456789abcdef"


pytestmark = pytest.mark.usefixtures("place")


def deid(*arguments: object) -> int:
    return run("deid", *arguments, "--out", "out", "--model", "toy", "--summary", "run.json")


def write_messages(folder: Path, text: str) -> None:
    (folder / "in.hl7").write_bytes(text.encode())


def test_names_of_a_message_are_found_in_its_notes(place: Path) -> None:
    write_messages(place, MESSAGE)
    assert deid("in.hl7") == 0
    written = (place / "out" / "in.hl7").read_bytes().decode()
    assert "|[PATIENT-1]^^^^Ms||" in written
    assert (
        "Ms. [PATIENT-1], seen by Dr. [DOCTOR-1].\\.br\\BP 120\\S\\80 \\T\\ \\H\\well\\N\\~"
        in written
    )
    assert "|95|mg/dL|70-99|" in written
    for original in ("ranter", "TRANTER", "ollowell", "00481516", "1956", "Marlow"):
        assert original not in written


def test_surrogates_fit_over_fields_and_texts(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    write_messages(place, MESSAGE)
    assert deid("in.hl7", "--policy", "surrogate") == 0
    written = (place / "out" / "in.hl7").read_bytes().decode()
    pid = next(line for line in written.split("\r") if line.startswith("PID"))
    family, given, middle = pid.split("|")[5].split("^")[:3]
    assert len(middle) == 1
    assert given.isupper()
    assert f"Ms. {family.capitalize()}, seen" in written
    assert pid.split("|")[7].isdigit()


def test_what_fails_is_counted_and_not_told(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bad = f"{MSH}\rNTE|1||{CANARY}\r"
    strange = f"{MSH}\rZPD|1|{CANARY}\r"
    write_messages(place, bad + MESSAGE + strange)
    assert deid("in.hl7") == 1
    summary = (place / "run.json").read_text()
    codes = {each["id"]: each["code"] for each in json.loads(summary)["failures"]}
    assert codes == {"in-1": "RuntimeError", "in-3": "UnknownPartError"}
    told = capfd.readouterr()
    assert CANARY not in told.out + told.err + summary
    assert "warning: no table knows the segment ZPD: 1 record refused" in told.err
    assert (place / "out" / "in.hl7").read_bytes().count(b"MSH|") == 1
    assert deid("in.hl7", "--unknown-parts", "drop") == 1
    assert (place / "out" / "in.hl7").read_bytes().count(b"MSH|") == 2


def test_documents_can_be_sent_to_workers(place: Path) -> None:
    write_messages(place, MESSAGE)
    table = arrow.table({"id": ["a"], "text": ["x"], "who": ["Ada"]})
    parquet.write_table(table, place / "t.parquet")
    sent = [*read_corpus("in.hl7"), *read_corpus(resources(place)), *read_corpus("t.parquet")]
    for document in sent:
        got = pickle.loads(pickle.dumps(document))
        assert got == document
        assert got.metadata.keys() == document.metadata.keys()
        assert got.metadata.get("columns", {}) == document.metadata.get("columns", {})


def resources(place: Path) -> Path:
    """Write a patient, notes and a Bundle into a folder."""
    folder = place / "in"
    write(folder, PATIENT, name="Patient.ndjson")
    write(folder, NOTE, OBSERVATION, name="notes.ndjson")
    (folder / "bundle.json").write_text(json.dumps(BUNDLE))
    return folder


def test_patients_of_a_bulk_export_are_found_in_its_notes(place: Path) -> None:
    assert deid(resources(place), "--fhir-ids", "keep") == 0
    written = {path.name: path.read_text() for path in (place / "out").iterdir()}
    assert set(written) == {"Patient.ndjson", "notes.ndjson", "bundle.json"}
    note, observation = map(json.loads, written["notes.ndjson"].splitlines())
    assert note["content"][0]["attachment"] == attachment("Ms. [PATIENT-1] came.\r\n")
    assert note["subject"] == {"reference": "Patient/p1", "display": "[PATIENT-1]"}
    assert observation["valueString"] == "called [PATIENT-1]"
    assert observation["note"][0] == {"authorString": "[DOCTOR-1]", "text": "at [PHONE-1]"}
    assert observation["text"]["div"] == "<div>&lt; 5, <i>[PATIENT-2]</i></div>"
    for text in written.values():
        for original in ("Tranter", "Marlow", "1956", "00481516", "Hollowell"):
            assert original not in text


def test_a_resource_that_fails_is_named_as_others_refer_to_it(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = OBSERVATION | {"id": "o2", "valueString": CANARY}
    person = PATIENT | {"address": [{"text": CANARY}]}
    entries = [{"resource": each} for each in (OBSERVATION, bad, person)]
    (place / "b.json").write_text(json.dumps(BUNDLE | {"entry": entries}))
    assert deid("b.json") == 1
    failures = json.loads((place / "run.json").read_text())["failures"]
    assert {each["id"]: each["resource"] for each in failures} == {
        "b-3": "Observation/o2",
        "b-4": "Patient",  # whose id may be a number of hers
    }
    told = capsys.readouterr().err
    assert "failed: 'b-3', Observation/o2 (detect: RuntimeError)" in told
    assert "failed: 'b-4', Patient (" in told


def test_names_are_found_in_words_that_tags_part(place: Path) -> None:
    div = "<div><p>Mrs. <b>T</b>ra<i>n</i><i>t</i>er came; 10<sup>9</sup>/l <b>W</b>ell</p></div>"
    note = OBSERVATION | {"text": {"status": "generated", "div": div}}
    write(place / "in", PATIENT, name="Patient.ndjson")
    write(place / "in", note, name="notes.ndjson")
    assert deid("in") == 0
    written = json.loads((place / "out" / "notes.ndjson").read_text())["text"]["div"]
    assert "ra<i>" not in written
    assert "er came" not in written
    assert written.endswith(" came; 10<sup>9</sup>/l <b>W</b>ell</p></div>")


def test_ids_are_digests_where_there_is_a_key(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    assert deid(resources(place)) == 0
    patient = json.loads((place / "out" / "Patient.ndjson").read_text())
    note = json.loads((place / "out" / "notes.ndjson").read_text().splitlines()[0])
    assert patient["id"] != "p1"
    assert note["subject"]["reference"] == f"Patient/{patient['id']}"
    assert KEY not in (place / "run.json").read_text()


def test_ids_that_stay_are_told(
    place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    number = {"value": "00481516"}
    patient = {"resourceType": "Patient", "id": "00481516", "identifier": [number]}
    (place / "in.ndjson").write_text(json.dumps(patient) + "\n")
    assert deid("in.ndjson", "--fhir-ids", "keep") == 0
    summary = json.loads((place / "run.json").read_text())
    assert (summary["ids_stay"], summary["telling_ids"]) == (True, 1)
    assert "often they are numbers of patients" in " ".join(capfd.readouterr().err.split())
    assert json.loads((place / "out" / "in.ndjson").read_text())["id"] == "00481516"
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    assert deid("in.ndjson") == 0
    summary = json.loads((place / "run.json").read_text())
    assert (summary["ids_stay"], summary["telling_ids"]) == (False, 0)
    assert "00481516" not in (place / "out" / "in.ndjson").read_text()


def test_without_a_key_ids_are_digests_of_one_run(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    seen = []
    for _ in range(2):
        assert deid(resources(place)) == 0
        patient = json.loads((place / "out" / "Patient.ndjson").read_text())
        notes = (place / "out" / "notes.ndjson").read_text().splitlines()
        assert patient["id"] != "p1"
        assert {json.loads(line)["subject"]["reference"] for line in notes} == {
            f"Patient/{patient['id']}"
        }
        assert '"p1"' not in (place / "out" / "bundle.json").read_text()
        seen.append(patient["id"])
    assert seen[0] != seen[1]
    assert "in this run alone" in " ".join(capfd.readouterr().err.split())
    summary = json.loads((place / "run.json").read_text())
    assert (summary["ids_stay"], summary["telling_ids"]) == (False, 0)


def test_resources_are_not_mixed_with_other_files(
    place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # With a key the ids stayed as they were, and nobody was told.
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    folder = resources(place)
    (place / "note.txt").write_text("x")
    assert deid(folder, "note.txt") == 2
    assert "Give the resources alone" in " ".join(capfd.readouterr().err.split())


def test_resources_that_fail_are_left_out(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bad: dict[str, Any] = {**OBSERVATION, "valueString": CANARY}
    write(place / "in", PATIENT, bad, {"resourceType": "Starship", "name": CANARY})
    assert deid("in") == 1
    summary = (place / "run.json").read_text()
    codes = {each["id"]: each["code"] for each in json.loads(summary)["failures"]}
    assert codes == {"r-2": "RuntimeError", "r-3": "UnknownPartError"}
    told = capfd.readouterr()
    assert CANARY not in told.out + told.err + summary
    assert len((place / "out" / "r.ndjson").read_text().splitlines()) == 1


def test_a_bundle_that_fails_in_part_is_a_bundle(place: Path) -> None:
    bundle = {**BUNDLE, "entry": [BUNDLE["entry"][0], {"resource": {**OBSERVATION, "id": CANARY,
              "valueString": CANARY}}]}  # fmt: skip
    (place / "b.json").write_text(json.dumps(bundle))
    assert deid("b.json") == 1
    written = json.loads((place / "out" / "b.json").read_text())
    assert len(written["entry"]) == 1
    strange = {**BUNDLE, "entry": [{"resource": {"resourceType": "Starship"}}, *BUNDLE["entry"]]}
    (place / "b.json").write_text(json.dumps(strange))
    assert deid("b.json", "--unknown-parts", "drop") == 0
    assert len(json.loads((place / "out" / "b.json").read_text())["entry"]) == 2


def test_annotations_of_records_name_their_fields(place: Path) -> None:
    write_messages(place, MESSAGE)
    options = ("--model", "toy", "--out", "out")
    assert run("annotate", "in.hl7", "--to", "jsonl", *options) == 0
    record = json.loads((place / "out" / "in.jsonl").read_text())
    found = {
        (span["label"], record["text"][span["start"] : span["end"]]) for span in record["spans"]
    }
    assert ("PATIENT", "TRANTER, ADA Q") in found
    assert "PID-5" in {part["name"] for part in record["metadata"]["record.parts"]}
    assert run("annotate", "in.hl7", "--to", "hl7", *options) == 2


def test_a_model_alone_may_not_work_on_records(place: Path) -> None:
    write_messages(place, MESSAGE)
    (result,) = Deidentifier(RaisingDetector(), find_policy("placeholder")).pipe(
        read_corpus("in.hl7")
    )
    assert isinstance(result, Failure)
    assert result.code == "DetectionError"


@pytest.mark.parametrize("policy", ["placeholder", "pseudonym", "safe-harbor", "surrogate"])
def test_records_have_a_vault_where_they_can_be_restored(
    policy: str, place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_vault_file, "SCRYPT_COST", 2)
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    monkeypatch.setenv("SCRUBJAY_VAULT_KEY", KEY[::-1])
    write_messages(place, MESSAGE)
    code = deid("in.hl7", "--policy", policy, "--vault", "vault")
    if policy != "surrogate":
        assert code == 2
        assert "fields of dates would be empty" in capfd.readouterr().err
        assert not (place / "out").exists()
        return
    assert code == 0
    assert run("restore", "out", "--vault", "vault", "--out", "back") == 0
    expected = MESSAGE.replace("\\X4A6F\\", "Jo").encode()
    assert (place / "back" / "in.hl7").read_bytes() == expected
