"""`scrubjay pretrain` from the command line: output, exit codes, nothing half-written."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from scrubjay.artifacts import load_artifact
from scrubjay.cli import main as cli

SMALL = ("--hidden", "8", "--epochs", "1", "--threads", "1", "--device", "cpu", "--min-count", "1")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(40):
        text = f"Nota {number}. Sin fiebre, con dolor en la mano. Alta el martes.\n"
        (folder / f"{number}.txt").write_text(text)
    return folder


def _run(*words: str | Path) -> int:
    return cli.run(["pretrain", *map(str, words)])


def test_charlm_saves_and_says_so(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lm"
    assert _run("charlm", notes, "--out", out, "--language", "es", *SMALL) == 0
    captured = capsys.readouterr()
    summary = json.loads(captured.out)
    assert (summary["kind"], summary["name"]) == ("charlm", "lm")
    assert summary["training_data"]["documents"] == 40
    assert "bits per character held out" in captured.err
    assert "Saved" in captured.err
    assert "fiebre" not in captured.out + captured.err
    assert load_artifact(out).manifest.language == "es"


def test_vectors_saves_and_says_so(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "v"
    words = ("--out", out, "--language", "es", "--dimension", "5", "--epochs", "1")
    assert _run("vectors", notes, *words) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["training_data"]["vocabulary"] > 5
    assert "Saved" in captured.err
    assert _run("vectors", notes, *words) == 2
    assert "already there" in capsys.readouterr().err
    assert _run("vectors", notes, *words, "--overwrite") == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("charlm", "nowhere", "--language", "es"), "no such file or folder"),
        (("charlm", "few", "--language", "es", *SMALL), "characters are too few"),
        (("charlm", "blank", "--language", "es"), "no text to learn from"),
        (("charlm", "notes", "--language", "Spanish"), "no language code"),
        (("charlm", "notes", "--language", "es", "--hidden", "0"), "hidden must be 1"),
        (("charlm", "notes", "--language", "es", "--minutes", "0"), "minutes must be"),
        (("charlm", "notes", "--language", "es", "--format", "scroll"), "unknown format"),
        (("vectors", "notes", "--language", "es", "--min-count", "999"), "no word occurs 999"),
        (("vectors", "notes", "--language", "es", "--tokenizer", "x"), "unknown tokenizer"),
    ],
)
def test_bad_calls_end_with_one_line_and_code_2(
    words: tuple[str, ...],
    message: str,
    notes: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("few", "Hola."), ("blank", " \n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(text)
    assert _run(*words, "--out", "out") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    told = " ".join(captured.err.split())
    assert "error:" in told
    assert message in told
    assert not (tmp_path / "out").exists()


def test_a_checkpoint_of_another_configuration_is_refused(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = ("--checkpoint", tmp_path / "saved")
    begin = ("charlm", notes, "--language", "es", *SMALL, *saved)
    assert _run(*begin, "--out", tmp_path / "a", "--minutes", "0.000001") == 0
    assert "clock" in " ".join(capsys.readouterr().err.split())
    assert _run(*begin, "--out", tmp_path / "b", "--seed", "5") == 2
    assert "another training" in " ".join(capsys.readouterr().err.split())
    assert _run(*begin, "--out", tmp_path / "b") == 0
    assert not (tmp_path / "saved").exists()


def test_without_torch_the_command_names_the_install_command(
    notes: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "torch" else find(name)
    )
    assert _run("charlm", notes, "--out", tmp_path / "lm", "--language", "es") == 2
    assert 'pip install "scrubjay[train]"' in " ".join(capsys.readouterr().err.split())
