"""Audits as projects: the figures of a worksheet, live; reports that cannot be altered unseen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.analysis._sheets import read_sheet, write_sheet
from scrubjay.analysis.audit import COLUMNS, read_audit_sheet, write_audit_sheet
from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, LabelError, SignatureError, StateError
from scrubjay.evaluation.sampling import draw_sample, read_frame
from scrubjay.review.project import Project
from scrubjay.review.signing import (
    SecretSigner,
    read_report,
    read_signer,
    read_verifier,
    verify_report,
)
from tests.review.samples import TEXT, find, mark_all, new_project, note

pytest.importorskip("scipy", reason="bounds need the extra `report`")

DATE = find(TEXT, "3/4/2019", "DATE")
CALLED = find(TEXT, "called", "CITY")
LEE = find(TEXT, "Lee", "DOCTOR")
PATIENT = find(TEXT, "Abend", "PATIENT")
SECRET = SecretSigner(b"k" * 32)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return the corpus of a run: ten notes of two wards, with what it removed."""
    notes = [note(f"{ward}-{n}", spans=[DATE, CALLED]) for ward in ("a", "b") for n in range(5)]
    write_corpus(notes, tmp_path / "run", format="jsonl")
    return tmp_path / "run"


def _review(project: Project, *, documents: int = 99) -> None:
    """Let a reviewer find a doctor in each note, and a patient in those of ward a."""
    for _ in range(documents):
        found = project.next("ana")
        if found is None:
            return
        leaks = [LEE, PATIENT] if found.document.startswith("a") else [LEE]
        mark_all(project, found.document, "ana", [DATE, *leaks])


def test_live_figures_end_as_those_of_the_worksheet(run: Path, tmp_path: Path) -> None:
    settings = {"stratify": r"id:(\w).*"}
    with Project.create_audit(tmp_path / "p", run, documents=6, seed=3, **settings) as project:
        project.add_annotator("ana")
        before = project.auditing.progress()
        assert (before.sampled, before.reviewed, before.recall) == (6, 0, None)
        _review(project, documents=2)
        part = project.auditing.progress()
        assert (part.reviewed, part.frame_documents) == (2, 10)
        assert part.recall is not None
        assert part.recall.events == 2
        with pytest.raises(StateError, match="4 of 6 documents"):
            project.auditing.result()
        _review(project)
        whole, result = project.auditing.progress(), project.auditing.result()
        assert (whole.leaks, whole.direct_leaks, whole.over_redacted) == (9, 3, 6)
    frame = read_frame(read_corpus(run), **settings)
    plan = draw_sample(frame, 6, seed=3)
    assert {one.id for one in plan.chosen} == {one.document for one in result.documents}
    write_audit_sheet(tmp_path / "sheet.csv", plan)
    rows = []
    for row in read_sheet(tmp_path / "sheet.csv", COLUMNS):
        leaks = 2 if row["document"].startswith("a") else 1
        filled = {"leaks": leaks, "direct_leaks": leaks - 1, "over_redacted": 1}
        rows.append({**row.cells, **filled})
    write_sheet(tmp_path / "filled.csv", COLUMNS, rows)
    assert result.record() == read_audit_sheet(tmp_path / "filled.csv").record()


def test_a_mention_that_stays_in_part_leaks(run: Path, tmp_path: Path) -> None:
    wide = Span(DATE.start - 3, DATE.end, "DATE")
    with Project.create_audit(tmp_path / "p", run, documents=2) as project:
        project.add_annotator("ana")
        first, second = (row.id for row in project.documents())
        mark_all(project, first, "ana", [wide, CALLED])
        mark_all(project, second, "ana", [Span(DATE.start, DATE.end - 1, "AGE"), CALLED])
        found = project.auditing.progress()
        assert (found.leaks, found.over_redacted) == (1, 0)


def test_an_audit_keeps_what_the_run_removed(run: Path, tmp_path: Path) -> None:
    with Project.create_audit(tmp_path / "p", run, documents=2) as project:
        assert project.info().kind == "audit"
        for change in (
            lambda: project.prelabel("en-fast"),
            lambda: project.set_shown(["a-1"], shown=False),
            lambda: project.rank(),
            lambda: project.import_documents([note("n1")]),
        ):
            with pytest.raises(StateError):
                change()
    with new_project(tmp_path / "q", []) as other, pytest.raises(StateError, match="is no audit"):
        other.auditing.progress()


def test_an_audit_that_cannot_be_drawn_leaves_nothing(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be drawn"):
        Project.create_audit(tmp_path / "p", run, documents=11)
    (tmp_path / "a.txt").write_text("Seen by Wilhelmina")
    with pytest.raises(InputError, match=r"a\.txt: no document has a span"):
        Project.create_audit(tmp_path / "p", tmp_path / "a.txt", documents=1)
    with pytest.raises(LabelError):
        Project.create_audit(tmp_path / "p", run, documents=2, labels="meddocan")
    assert not (tmp_path / "p").exists()


def test_a_confidence_that_is_none_is_told_before_anything_is_reviewed(
    run: Path, tmp_path: Path
) -> None:
    with (
        Project.create_audit(tmp_path / "p", run, documents=2) as project,
        pytest.raises(ConfigError, match="confidence"),
    ):
        project.auditing.progress(confidence=95)


def test_the_order_of_review_is_by_lot(tmp_path: Path) -> None:
    spans = (Span(3, 8, "CITY"),)
    notes = [Document(f"n{n:02}", "no fever", spans) for n in range(30)]
    write_corpus(notes, tmp_path / "run", format="jsonl")
    with Project.create_audit(tmp_path / "p", tmp_path / "run", documents=30) as project:
        project.add_annotator("ana")
        order = []
        while (found := project.next("ana")) is not None:
            order.append(found.document)
            mark_all(project, found.document, "ana", [])
    assert sorted(order) == [one.id for one in notes]
    assert order != sorted(order)


@pytest.fixture
def reviewed(run: Path, tmp_path: Path) -> Project:
    """Return an audit of which every document is reviewed."""
    pytest.importorskip("jinja2")
    project = Project.create_audit(tmp_path / "p", run, documents=3)
    project.add_annotator("ana")
    _review(project)
    return project


def test_a_signed_report_is_verified_with_its_page(reviewed: Project) -> None:
    with reviewed as project:
        report = project.auditing.sign(SECRET)
    record = json.loads(json.dumps(report.record, indent=3))
    assert record["audit"]["sampled"] == 3
    assert record["reviewers"] == ["ana"]
    found = verify_report(record, SECRET, html=report.html.encode())
    assert found == {"algorithm": "HMAC-SHA256", "key": SECRET.key_id}
    assert "Dr." not in report.html + json.dumps(record)


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record["audit"].update(leaks=0),
        lambda record: record["documents"].pop(),
        lambda record: record.update(more=1),
        lambda record: record.pop("html_sha256"),
        lambda record: record["signature"].update(value="AAAA"),
        lambda record: record["signature"].update(value="no base64"),
        lambda record: record["audit"].update(leaks=float("nan")),
    ],
)
def test_what_was_altered_is_found_out(reviewed: Project, change: object) -> None:
    with reviewed as project:
        record = project.auditing.sign(SECRET).record
    change(record)  # type: ignore[operator]
    with pytest.raises(SignatureError, match="was altered"):
        verify_report(record, SECRET)


def test_other_keys_and_pages_are_found_out(reviewed: Project) -> None:
    with reviewed as project:
        report = project.auditing.sign(SECRET)
    with pytest.raises(SignatureError, match="with another key"):
        verify_report(report.record, SecretSigner(b"j" * 32))
    with pytest.raises(SignatureError, match="page is not the one"):
        verify_report(report.record, SECRET, html=report.html.encode() + b" ")
    with pytest.raises(SignatureError, match="bears no signature"):
        verify_report({"audit": {}}, SECRET)
    with pytest.raises(ConfigError, match="too short"):
        SecretSigner(b"short")


def test_a_report_can_be_signed_with_one_key_and_verified_with_another(
    reviewed: Project, tmp_path: Path
) -> None:
    pytest.importorskip("cryptography", reason="needs the extra `vault`")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    for name in ("one", "two"):
        key = Ed25519PrivateKey.generate()
        (tmp_path / f"{name}.pem").write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        (tmp_path / f"{name}.pub").write_bytes(
            key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
        )
    with reviewed as project:
        record = project.auditing.sign(read_signer(tmp_path / "one.pem")).record
    public = read_verifier(tmp_path / "one.pub")
    assert verify_report(record, public)["algorithm"] == "Ed25519"
    with pytest.raises(SignatureError, match="another key"):
        verify_report(record, read_verifier(tmp_path / "two.pub"))
    with pytest.raises(SignatureError, match="not signed by HMAC"):
        verify_report(record, SECRET)
    record["audit"]["leaks"] = 0
    with pytest.raises(SignatureError, match="was altered"):
        verify_report(record, public)


def test_keys_and_reports_that_are_none_are_told(tmp_path: Path) -> None:
    (tmp_path / "bad.pem").write_bytes(b"-----BEGIN PRIVATE KEY-----\nAAAA\n")
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "text.json").write_text("{")
    for read in (read_signer, read_verifier):
        with pytest.raises(ConfigError, match="cannot be read"):
            read(tmp_path / "nothing")
    pytest.importorskip("cryptography")
    for read in (read_signer, read_verifier):
        with pytest.raises(ConfigError):
            read(tmp_path / "bad.pem")
    for name in ("list.json", "text.json", "nothing.json"):
        with pytest.raises(InputError):
            read_report(tmp_path / name)
