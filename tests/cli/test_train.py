"""`scrubjay train` from the command line: output, exit codes, nothing half-written."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scrubjay.artifacts import load_artifact
from scrubjay.cli import main as cli
from scrubjay.cli._output import sparkline
from scrubjay.document import Document
from scrubjay.learning._tbed_checkpoint import Checkpoint
from scrubjay.taggers.rules import Rule
from tests.corpus_samples import make_notes, write_notes
from tests.tiny_crf import TINY
from tests.tiny_networks import TINY_NETWORK, require_packages
from tests.tiny_tbed import TINY_RULES
from tests.toys import CANARY

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with `train`, `dev` and `tiny.toml`."""
    write_notes(make_notes(12, seed=1), tmp_path / "train")
    write_notes(make_notes(6, seed=2), tmp_path / "dev")
    (tmp_path / "tiny.toml").write_text(TINY)
    return tmp_path


def _run(place: Path, *arguments: str) -> int:
    return cli.run(
        ["train", str(place / "train"), "--config", str(place / "tiny.toml"), *arguments]
    )


def test_a_training_ends_with_a_summary(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = place / "model"
    code = _run(place, "--out", str(out), "--dev", str(place / "dev"), "--seed", "5")
    captured = capsys.readouterr()
    assert code == 0
    summary = json.loads(captured.out)
    manifest = load_artifact(out).manifest
    assert summary["model"] == str(out)
    assert summary["name"] == manifest.name == "model"
    assert summary["metrics"] == manifest.metrics
    assert summary["training_data"] == manifest.training_data
    assert summary["recall-dial"] == 0.0
    assert manifest.seed == 5
    assert "Saved" in captured.err
    assert "dev strict F1" in captured.err


def test_what_is_refused_leaves_no_empty_line(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    assert cli.run(["train", str(place / "train"), "--out", str(place / "model")]) == 2
    assert capsys.readouterr().err.startswith("error: this needs the package 'python-crfsuite'")


def test_without_dev_no_figure_is_claimed(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(place, "--out", str(place / "model")) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["metrics"] == {}
    assert "F1" not in captured.err


def test_the_recall_dial_is_set(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, dev = place / "model", place / "dev"
    assert _run(place, "--out", str(out), "--dev", str(dev), "--min-recall", "0.999") == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["metrics"]["dev"]["binary-token-recall"] >= 0.999
    assert summary["recall-dial"] == load_artifact(out).manifest.config["recall-dial"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--min-recall", "0.9"], "--min-recall needs dev data"),
        (["--label-set", "meddocan"], "meddocan"),
        (["--format", "nothing"], "nothing"),
        (["--config", "nothing"], "unknown configuration"),
    ],
)
def test_bad_calls_end_with_one_line_and_code_2(
    arguments: list[str], message: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(place, "--out", str(place / "model"), *arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "error:" in captured.err
    assert message in captured.err
    assert not (place / "model").exists()


def test_an_existing_model_stays(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = place / "model"
    assert _run(place, "--out", str(out)) == 0
    before = (out / "manifest.json").read_bytes()
    capsys.readouterr()
    assert _run(place, "--out", str(out), "--seed", "9") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "already there" in captured.err
    assert (out / "manifest.json").read_bytes() == before
    assert _run(place, "--out", str(out), "--seed", "9", "--overwrite") == 0
    assert load_artifact(out).manifest.seed == 9


def test_dev_inside_the_training_corpus_is_refused(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(place, "--out", str(place / "m"), "--dev", str(place / "train")) == 2
    assert "12 dev documents stand in the training corpus" in _line(capsys)


def test_no_text_of_a_document_on_the_screen(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes([Document("canary", CANARY)], place / "bare")
    code = cli.run(["train", str(place / "bare"), "--out", str(place / "m")])
    assert code == 2
    text = _line(capsys)
    assert "no PHI" in text
    assert CANARY not in text
    for word in CANARY.split("-"):
        assert word not in text


def _line(capsys: pytest.CaptureFixture[str]) -> str:
    """Return everything on the screen, joined to one line as terminals wrap it."""
    captured = capsys.readouterr()
    return " ".join((captured.out + captured.err).split())


# Rules


def test_rules_are_trained_by_the_same_command(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "tiny.toml").write_text(TINY_RULES)
    out, saved = place / "model", place / "rules.partial"
    dev = str(place / "dev")
    assert _run(place, "--out", str(out), "--dev", dev, "--checkpoint", str(saved)) == 0
    summary = json.loads(capsys.readouterr().out)
    manifest = load_artifact(out).manifest
    assert manifest.kind == "tbed"
    assert "recall-dial" not in manifest.config
    assert summary["recall-dial"] is None
    assert summary["metrics"]["dev"]["strict"]["f1"] > 0.7
    curve = load_artifact(out).read_json("curve.json")
    assert curve["dev"][-1] == pytest.approx(summary["metrics"]["dev"]["strict"]["f1"], abs=1e-6)
    # The checkpoint has done its work.
    assert not saved.exists()


def test_an_interrupted_training_of_rules_is_resumed(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "tiny.toml").write_text(TINY_RULES)
    saved = place / "rules.partial"
    assert _run(place, "--out", str(place / "whole"), "--name", "m") == 0
    add, seen = Checkpoint.add, 0

    def interrupted(checkpoint: Checkpoint, rule: Rule) -> None:
        nonlocal seen
        add(checkpoint, rule)
        seen += 1
        if seen == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoint, "add", interrupted)
    call = ("--out", str(place / "model"), "--name", "m", "--checkpoint", str(saved))
    assert _run(place, *call) == 130
    assert len(saved.read_text().splitlines()) == 4
    assert not (place / "model").exists()
    monkeypatch.undo()
    assert _run(place, *call) == 0
    for name in ("rules.jsonl", "curve.json", "tagger.json"):
        assert (place / "model" / name).read_bytes() == (place / "whole" / name).read_bytes()
    capsys.readouterr()


def test_what_rules_do_not_have_is_refused(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny = place / "tiny.toml"
    assert _run(place, "--out", str(place / "m"), "--checkpoint", str(place / "x")) == 2
    assert "cannot be resumed" in capsys.readouterr().err
    tiny.write_text(TINY_RULES)
    dev = str(place / "dev")
    assert _run(place, "--out", str(place / "m"), "--dev", dev, "--min-recall", "0.9") == 2
    assert "has no recall dial" in capsys.readouterr().err
    tiny.write_text(TINY_RULES.replace('"lower",', '"lwoer",'))
    assert _run(place, "--out", str(place / "m")) == 2
    assert "unknown word attribute 'lwoer'" in capsys.readouterr().err
    assert not (place / "m").exists()


# Networks


@pytest.fixture
def network(place: Path) -> Path:
    """The same folder, with a network as its configuration that trains for three epochs."""
    require_packages()
    text = TINY_NETWORK.replace("epochs = 8", "epochs = 3")
    (place / "tiny.toml").write_text(text)
    return place


def test_a_network_is_trained_by_the_same_command(
    network: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, saved = network / "model", network / "net.state"
    arguments = ("--dev", str(network / "dev"), "--checkpoint", str(saved), "--device", "cpu")
    assert _run(network, "--out", str(out), *arguments, "--min-recall", "0.3") == 0
    captured = capsys.readouterr()
    manifest = load_artifact(out).manifest
    metrics = json.loads(captured.out)["metrics"]
    assert metrics == manifest.metrics
    assert [epoch["number"] for epoch in metrics["epochs"]] == [1, 2, 3]
    assert metrics["dev"]["binary-token-recall"] >= 0.3
    assert manifest.kind == "bilstm"
    assert "recall-dial" in manifest.config
    screen = " ".join(captured.err.split())
    assert "train: epoch 3 of 3, dev F1 0." in screen
    assert "Dev F1 by epoch:" in screen
    assert not saved.exists()


def test_an_interrupted_network_is_resumed(
    network: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from scrubjay.learning.neural.state_files import StateFile

    saved = network / "net.state"
    assert _run(network, "--out", str(network / "whole"), "--name", "m") == 0
    save = StateFile.save

    def interrupted(file: StateFile, state: dict[str, Any]) -> None:
        save(file, state)
        raise KeyboardInterrupt

    monkeypatch.setattr(StateFile, "save", interrupted)
    call = ("--out", str(network / "model"), "--name", "m", "--checkpoint", str(saved))
    capsys.readouterr()
    assert _run(network, *call) == 130
    assert f"The same command goes on from {saved}" in capsys.readouterr().err.replace("\n", "")
    assert not (network / "model").exists()
    monkeypatch.undo()
    assert _run(network, *call, "--seed", "1") == 2
    assert "its seed is not the same" in _line(capsys)
    assert _run(network, *call) == 0
    for path in (network / "whole").iterdir():
        assert (network / "model" / path.name).read_bytes() == path.read_bytes()
    assert not saved.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--device", "cuda"], "the device 'cuda' was asked for, but torch finds no GPU"),
        (["--device", "abacus"], "unknown device 'abacus'"),
        (["--checkpoint", "nowhere/at/all"], "nowhere/at/all: its folder does not exist"),
    ],
)
def test_what_a_network_cannot_have_is_refused(
    arguments: list[str],
    message: str,
    network: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert _run(network, "--out", str(network / "model"), *arguments) == 2
    assert message in _line(capsys)
    assert not (network / "model").exists()


def test_a_crf_has_no_use_for_a_gpu(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(place, "--out", str(place / "m"), "--device", "cuda") == 2
    assert "'tiny' is trained on the CPU. Leave --device out" in _line(capsys)


def test_figures_as_blocks() -> None:
    assert sparkline([0.0, 0.5, 1.0]) == "▁▅█"
    assert sparkline([0.3, 0.3]) == "██"
    long = sparkline([number / 199 for number in range(200)])
    assert len(long) == 60
    assert (long[0], long[-1]) == ("▁", "█")
