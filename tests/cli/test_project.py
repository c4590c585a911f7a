"""`scrubjay project` from the command line: what it does, what it tells, its exit codes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from scrubjay.artifacts import save_artifact
from scrubjay.cli import main as cli
from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.review import store
from scrubjay.review.marks import Add
from scrubjay.review.project import Project
from tests.corpus_samples import make_notes
from tests.review.samples import TEXT, find, mark_all, new_project, note
from tests.tiny_crf import tiny_config
from tests.toys import CANARY, ship_toy_model

DATE = find(TEXT, "3/4/2019", "DATE")
LEE = find(TEXT, "Lee", "DOCTOR")


@pytest.fixture(autouse=True)
def _do_not_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SYNCHRONOUS", "OFF")


@pytest.fixture
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    """Return a project of three notes that a toy model has looked at."""
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    write_corpus([note("n1"), note("n2"), note("n3", CANARY)], tmp_path / "in", format="brat")
    (tmp_path / "rules.md").write_text("# Mark dates")
    made = str(tmp_path / "p")
    people = ["--annotator", "ana", "--annotator", "ben"]
    assert (
        cli.run(["project", "create", made, *people, "--guidelines", str(tmp_path / "rules.md")])
        == 0
    )
    assert cli.run(["project", "import", made, str(tmp_path / "in")]) == 0
    assert cli.run(["project", "prelabel", made, "toy"]) == 0
    captured = capsys.readouterr()
    assert captured.err.splitlines()[:1] == ["1 repeat the text of another document"]
    told = captured.out
    assert "annotators: ana, ben" in told
    assert "3 documents with 0 suggestions" in told
    assert "4 suggestions in 3 documents" in told
    return tmp_path / "p"


def test_a_project_from_import_to_export(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = str(folder)
    assert cli.run(["project", "next", project, "ana"]) == 0
    assert capsys.readouterr().out == "n1\n"
    assert cli.run(["project", "next", project, "ana", "--rank", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["document"] in {"n1", "n2", "n3"}
    with Project.open(folder) as opened:
        mark_all(opened, "n1", "ana", [DATE])
        mark_all(opened, "n1", "ben", [DATE, LEE])
        mark_all(opened, "n2", "ana", [DATE])
        mark_all(opened, "n2", "ben", [DATE])
    assert cli.run(["project", "status", project, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["progress"]["done"], told["progress"]["disputed"]) == (2, 1)
    assert cli.run(["project", "status", project]) == 0
    assert cli.run(["project", "agreement", project]) == 0
    assert "ana and ben" in capsys.readouterr().out
    decide = ["project", "adjudicate", project, "--decider", "eva"]
    assert cli.run([*decide, "--document", "n1"]) == 0
    assert "missing" in capsys.readouterr().out
    bounds = ["--start", str(LEE.start), "--end", str(LEE.end), "--choice", "ben"]
    assert cli.run([*decide, "--document", "n1", *bounds]) == 0
    assert cli.run(decide) == 0
    assert "2 documents are final now, 0 have" in capsys.readouterr().out
    out = tmp_path / "out"
    assert cli.run(["project", "export", project, "--out", str(out), "--whose", "adjudicated"]) == 0
    assert [one.spans for one in read_corpus(out)] == [(LEE, DATE), (DATE,)]
    capsys.readouterr()
    again = ["project", "export", project, "--out", str(out), "--whose", "ana"]
    assert cli.run([*again, "--out", str(out / "adjudicated.jsonl")]) == 2
    assert "exists already" in capsys.readouterr().err
    assert [one.spans for one in read_corpus(out)] == [(LEE, DATE), (DATE,)]
    assert cli.run([*again, "--out", str(out / "adjudicated.jsonl"), "--existing", "replace"]) == 0
    assert [one.spans for one in read_corpus(out)] == [(DATE,), (DATE,)]
    assert cli.run(["project", "check", project]) == 0
    assert "sound" in capsys.readouterr().out


def test_people_and_assignments(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = str(folder)
    assert cli.run(["project", "annotators", project, "--add", "cem", "--add", "eve"]) == 0
    assert cli.run(["project", "annotators", project, "--remove", "eve"]) == 0
    assert "eve" not in capsys.readouterr().out.splitlines()[-1]
    assert cli.run(["project", "annotators", project]) == 0
    assert capsys.readouterr().out.split() == ["ana", "ben", "cem"]
    assert cli.run(["project", "assign", project, "--per-document", "2"]) == 0
    assert capsys.readouterr().out == "6 new assignments\n"
    assert cli.run(["project", "show", project, "n1", "--hide"]) == 0
    with Project.open(folder) as opened:
        assert not opened.document("n1").shown


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["status", "nowhere"], "there is no review project"),
        (["next", "{}", "eva"], "no annotator 'eva'"),
        (["export", "{}", "--out", "out", "--to", "nothing"], "unknown format"),
        (["prelabel", "{}", "nothing"], "unknown model"),
        (["prelabel", "{}", "toy", "--shown", "some"], "is not one of 'all', 'none', 'half'"),
        (["learn", "{}"], "accepted documents are there to learn from"),
        (["resume", "{}", "7"], "no run 7"),
        (["audit-status", "{}"], "is no audit"),
        (["adjudicate", "{}", "--decider", "eva", "--choice", "ana"], "a decision needs"),
        (["import", "{}", "nowhere"], "no such file"),
    ],
)
def test_bad_calls_end_with_2(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path, call: list[str], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert cli.run(["project", *(word.format(folder) for word in call)]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert CANARY not in told


def test_learning_is_told_and_a_model_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    from scrubjay.learning.crf import CrfLearner

    fitted = CrfLearner(tiny_config(), language="en", label_set="i2b2-2014").fit(make_notes(6))
    save_artifact(tmp_path / "base", fitted.manifest, files=fitted.files())
    project = str(tmp_path / "p")
    notes = make_notes(8, seed=1)
    # By lots, seven of eight notes may be kept to measure on, and one is too few to learn from.
    seeded = SimpleNamespace(token_hex=lambda _size: "5eed")
    monkeypatch.setattr("scrubjay.review.project.secrets", seeded)
    with new_project(tmp_path / "p", [], annotators=["ana"]) as opened:
        opened.import_documents(notes, spans="drop")
        for one in notes:
            mark_all(opened, one.id, "ana", one.spans)
        opened.import_documents([note("open")])
    learn = ["project", "learn", project, "--base", str(tmp_path / "base"), "--folds", "2"]
    assert cli.run([*learn, "--dev-share", "0.5"]) == 0
    told = capsys.readouterr().out
    assert "run 1: done" in told
    assert "after: strict F1" in told
    assert cli.run(["project", "runs", project, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["state"] == "done"
    assert cli.run(["project", "curve", project]) == 0
    assert "Dev curve" in capsys.readouterr().out
    assert cli.run(["project", "choose", project, "1"]) == 0
    assert "in 1 document\n" in capsys.readouterr().out
    assert cli.run(["project", "runs", project]) == 0
    assert "done (chosen)" in capsys.readouterr().out
    assert cli.run(["project", "resume", project, "1"]) == 2
    assert cli.run(["project", "cancel", project, "1"]) == 2


def test_an_audit_is_drawn_watched_signed_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("scipy")
    pytest.importorskip("jinja2")
    notes = [note(f"n{number}", spans=[DATE]) for number in range(6)]
    write_corpus(notes, tmp_path / "run", format="jsonl")
    project = str(tmp_path / "p")
    call = ["project", "audit", project, str(tmp_path / "run"), "--documents", "4"]
    assert cli.run([*call, "--reviewer", "ana"]) == 0
    assert "4 of 6 documents" in capsys.readouterr().out
    key, report = tmp_path / "key", tmp_path / "report.json"
    key.write_bytes(b"k" * 32)
    sign = ["project", "sign", project, "--key", str(key), "--out", str(report)]
    assert cli.run(sign) == 2
    assert "4 of 4 documents of the sample are not reviewed" in capsys.readouterr().err
    assert not report.exists()
    with Project.open(project) as opened:
        while (found := opened.next("ana")) is not None:
            version = opened.begin(found.document, "ana")
            version = opened.edit(
                found.document, "ana", Add(LEE.start, LEE.end, "DOCTOR"), revision=version.revision
            )
            opened.finish(found.document, "ana", revision=version.revision)
    assert cli.run(["project", "audit-status", project, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["reviewed"], told["leaks"], told["recall"]["events"]) == (4, 4, 4)
    assert cli.run(["project", "audit-status", project]) == 0
    assert cli.run(sign) == 0
    assert cli.run(sign) == 2
    assert "is there already" in capsys.readouterr().err
    assert cli.run([*sign, "--overwrite"]) == 0
    if os.name != "nt":
        for path in (report, report.with_suffix(".html")):
            assert path.stat().st_mode & 0o777 == 0o600
    check = ["project", "verify", str(report), "--key", str(key)]
    assert cli.run([*check, "--html", str(tmp_path / "report.html")]) == 0
    assert "as it was signed by HMAC-SHA256" in capsys.readouterr().out
    report.write_text(report.read_text().replace('"leaks": 4', '"leaks": 3'))
    assert cli.run(check) == 2
    assert "was altered" in capsys.readouterr().err
