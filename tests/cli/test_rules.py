"""`scrubjay rules`: tables and JSON lines, edited rules, and no text that was not asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.artifacts import load_artifact, save_artifact
from scrubjay.cli.main import run
from scrubjay.document import Document, Span
from scrubjay.learning.tbed import TbedLearner
from scrubjay.taggers.rules import read_rules
from tests.corpus_samples import make_notes, write_notes
from tests.tiny_tbed import tiny_rules
from tests.toys import CANARY, save_toy_model

RULE = '{"rule": "O -> B-PATIENT if word=Quixotebury"}\n'


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a small rule tagger with a curve on dev."""
    notes = make_notes(20, seed=1)
    fitted = TbedLearner(tiny_rules(), language="en", label_set="i2b2-2014").fit(
        notes, dev=make_notes(5, seed=2)
    )
    folder = tmp_path_factory.mktemp("models") / "rules"
    save_artifact(folder, fitted.manifest, files=fitted.files())
    return str(folder)


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """A labelled corpus that the model did not see."""
    return str(write_notes(make_notes(6, seed=3), tmp_path / "corpus"))


Shown = pytest.CaptureFixture[str]


def _rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()[2:]]


def test_rules_are_shown_by_gain(model: str, capsys: Shown) -> None:
    assert run(["rules", "show", model]) == 0
    rows = _rows(capsys.readouterr().out)
    gains = [int(row[1]) for row in rows]
    assert gains == sorted(gains, reverse=True)
    assert all(int(row[1]) == int(row[2]) - int(row[3]) for row in rows)
    assert all(" -> " in row[4] for row in rows)
    assert run(["rules", "show", model, "--limit", "3"]) == 0
    assert _rows(capsys.readouterr().out) == rows[:3]


def test_rules_as_json_are_the_rule_file(model: str, capsys: Shown) -> None:
    assert run(["rules", "show", model, "--json"]) == 0
    shown = capsys.readouterr().out
    assert shown.encode() == load_artifact(model).read("rules.jsonl")


def test_rules_are_tested_on_a_corpus(model: str, corpus: str, capsys: Shown) -> None:
    assert run(["rules", "test", model, corpus]) == 0
    captured = capsys.readouterr()
    rows = _rows(captured.out)
    assert len(rows) == len(
        read_rules(load_artifact(model).read("rules.jsonl").decode(), origin="")
    )
    assert [int(row[1]) for row in rows] == sorted((int(row[1]) for row in rows), reverse=True)
    assert int(rows[0][1]) > 0
    assert "never fired" in captured.err
    assert run(["rules", "test", model, corpus, "--json", "--limit", "2"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert [str(first[key]) for key in ("number", "gain", "fired", "fixed", "broken")] == rows[0][
        :5
    ]
    assert second["number"] == int(rows[1][0])


def test_a_rule_file_stands_in_for_the_models_rules(
    model: str, tmp_path: Path, capsys: Shown
) -> None:
    rules, gold = tmp_path / "mine.jsonl", tmp_path / "gold"
    rules.write_text(RULE)
    note = Document("a", f"saw {CANARY} today", (Span(4, 15, "PATIENT"),))
    write_notes([note], gold)
    assert run(["rules", "test", model, str(gold), "--rules", str(rules)]) == 0
    captured = capsys.readouterr()
    assert _rows(captured.out) == [["1", "1", "1", "1", "0", "O -> B-PATIENT if word=Quixotebury"]]
    assert "1 rules: 0 never fired, 0 do more harm" in captured.err


def test_an_explanation_holds_offsets_and_no_text(
    model: str, tmp_path: Path, capsys: Shown
) -> None:
    rules, note = tmp_path / "mine.jsonl", tmp_path / "note.txt"
    rules.write_text(RULE)
    note.write_text(f"saw {CANARY} today")
    call = ["rules", "explain", model, str(note), "--rules", str(rules)]
    assert run(call) == 0
    captured = capsys.readouterr()
    assert _rows(captured.out) == [["note", "1", "4", "15", "O", "B-PATIENT", "1"]]
    assert run([*call, "--json"]) == 0
    shown = captured.out + captured.err + capsys.readouterr().out
    assert "Quixote" not in shown
    assert run([*call, "--show-text", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["token"], record["rule"]) == ("Quixotebury", 1)
    assert record["text"] == "O -> B-PATIENT if word=Quixotebury"
    assert run([*call, "--show-text"]) == 0
    assert "Quixotebury\tO -> B-PATIENT if word=Quixotebury" in capsys.readouterr().out


def test_edited_rules_become_a_model(model: str, tmp_path: Path, capsys: Shown) -> None:
    rules, out, note = tmp_path / "mine.jsonl", tmp_path / "new", tmp_path / "note.txt"
    rules.write_text(RULE)
    note.write_text(f"saw {CANARY} today")
    assert run(["rules", "replace", model, str(rules), "--out", str(out)]) == 0
    assert "with 1 rules" in capsys.readouterr().err
    manifest = load_artifact(out).manifest
    assert (manifest.name, manifest.metrics) == ("new", {})
    assert run(["deid", str(note), "--model", str(out), "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "note.txt").read_text() == "saw [PATIENT-1]-77 today"
    capsys.readouterr()
    assert run(["rules", "replace", model, str(rules), "--out", str(out)]) == 2
    assert "already there" in capsys.readouterr().err
    assert run(["rules", "replace", model, str(rules), "--out", str(out), "--overwrite"]) == 0


def test_the_learning_curve_is_data(model: str, capsys: Shown) -> None:
    assert run(["rules", "curve", model]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1] == "rules\ttrain\tdev\terrors"
    rows = _rows(out)
    assert [row[0] for row in rows] == [str(number) for number in range(len(rows))]
    assert float(rows[-1][1]) > float(rows[0][1])
    assert run(["rules", "curve", model, "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(map(str, record.values())) for record in records] == rows


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"rule": "O -> B-NOBODY if word=a"}', "line 1: unknown tag 'B-NOBODY'"),
        ('{"rule": "O -> B-AGE if wrd=a"}', "line 1: unknown word attribute 'wrd'"),
        ('{"rule": "O -> B-AGE if word"}', "line 1: condition 'word' has no value"),
        ("{", "line 1: not a JSON object"),
    ],
)
def test_a_broken_rule_file_is_named(
    model: str, corpus: str, tmp_path: Path, capsys: Shown, line: str, message: str
) -> None:
    rules = tmp_path / "mine.jsonl"
    rules.write_text(line + "\n")
    for call in (
        ["test", model, corpus, "--rules", str(rules)],
        ["explain", model, corpus, "--rules", str(rules)],
        ["replace", model, str(rules), "--out", str(tmp_path / "new")],
    ):
        assert run(["rules", *call]) == 2
        captured = capsys.readouterr()
        assert captured.err.startswith(f"error: {rules}, {message}")
        assert captured.out == ""
    assert not (tmp_path / "new").exists()


def test_a_model_without_rules_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Shown
) -> None:
    from tests.toys import ship_toy_model

    ship_toy_model(monkeypatch, tmp_path / "shipped")
    save_toy_model(tmp_path / "toy")
    assert run(["rules", "show", str(tmp_path / "toy")]) == 2
    assert "has no rules" in capsys.readouterr().err


def test_a_note_typed_for_a_path_is_not_repeated(model: str, capsys: Shown) -> None:
    assert run(["rules", "explain", model, f"Seen {CANARY} today"]) == 2
    captured = capsys.readouterr()
    assert "no file or folder" in captured.err
    assert CANARY not in captured.err + captured.out
