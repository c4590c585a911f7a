"""`scrubjay models list` tells the default model and what each needs."""

from __future__ import annotations

import inspect
import json
import re
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrubjay import models
from scrubjay.artifacts import save_artifact
from scrubjay.cli import main as cli
from scrubjay.cli.annotate import annotate
from scrubjay.cli.deid import deid
from tests.toys import ship_toy_model

ROOT = Path(__file__).parents[2]


def measured_rows(name: str) -> dict[str, Any]:
    path = ROOT / "benchmarks" / "results" / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))["rows"]
    return found


def rows(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, dict[str, str]], str]:
    assert cli.run(["models", "list"]) == 0
    shown = capsys.readouterr()
    _, header, *lines = shown.out.splitlines()
    told = [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]
    return {row["model"]: row for row in told}, shown.err


def test_the_default_and_what_each_model_needs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "has_packages", lambda extra: True)
    found, err = rows(capsys)
    assert [name for name, row in found.items() if row["default"] == "yes"] == ["en"]
    assert [found[name]["needs"] for name in ("en", "en-fast", "nl", "es-fast")] == [
        *("neural", "-", "neural", "-")
    ]
    assert err.endswith("\nnote: the extra 'neural' is installed\n")
    monkeypatch.setattr(models, "has_packages", lambda extra: not extra)
    _, err = rows(capsys)
    assert "\nnote: the extra 'neural' is not installed. Install it, in a clone of" in err
    assert "pip install -c constraints.txt '.[neural]'" in err
    assert cli.run(["models", "list", "--json"]) == 0
    told = {model["name"]: model for model in json.loads(capsys.readouterr().out)}
    assert [told["en"][key] for key in ("default", "extra", "runs_here")] == [True, "neural", False]
    assert [told["nl-fast"][key] for key in ("default", "extra", "runs_here")] == [
        False,
        None,
        True,
    ]


def test_models_stand_by_language_the_best_first_with_their_figures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found, err = rows(capsys)
    assert list(found) == [
        *("en", "en-medium", "en-fast", "es", "es-fast", "nl", "nl-medium", "nl-fast")
    ]
    assert err.startswith("note: figures: on test notes of an ordinary archive")
    for name, row in found.items():
        measured = measured_rows("out-of-the-box")[f"{name}: written notes test"]
        assert row["strict F1"] == f"{measured['f1']:.4f}"
        assert row["token recall"] == f"{measured['binary-token-recall']:.4f}"
        assert row["false positives"] == f"{measured['false-positives-per-1000']:.1f}"
        speed = measured_rows("stages")[name]["stages"]["file to file"]["best"]
        assert row["tokens/s"] == f"{speed:,}"
    assert cli.run(["models", "list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [model["name"] for model in told] == list(found)
    assert f"{told[0]['figures']['f1']:.4f}" == found["en"]["strict F1"]
    assert cli.run(["models", "info", "es-fast"]) == 0
    assert found["es-fast"]["strict F1"] in capsys.readouterr().out


def test_another_model_of_a_name_has_no_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    manifest = replace(models.describe_model("toy").manifest, name="en")
    save_artifact(tmp_path / "shipped" / "en", manifest, files={})
    found, err = rows(capsys)
    assert {row["strict F1"] for row in found.values()} == {"-"}
    assert "figures" not in err


def test_the_figures_are_those_of_the_benchmarks_and_of_the_models_that_ship() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "write_model_figures.py"))
    told = script["TARGET"].read_text("utf-8")
    assert told == script["text"](), "run python scripts/write_model_figures.py"


def test_the_readme_tells_the_same_speed() -> None:
    told = json.loads((ROOT / "src/scrubjay/resources/figures/models.json").read_text("utf-8"))
    page = (ROOT / "README.md").read_text("utf-8")
    row = r"\| `([\w-]+)`(?: \(default\))? \| \w+ \| [\d.]+ MB \| [^|]+ \| ([\d,]+) \|"
    assert dict(re.findall(row, page)) == {
        name: f"{row['tokens-per-second']:,}" for name, row in told.items()
    }


def test_what_the_figures_are_of_stands_below(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = rows(capsys)
    assert "some rules came of reading errors in them" in err
    assert "from file to file on two cores with the extra 'fast', in long runs" in err


def test_the_default_is_that_of_the_commands() -> None:
    for command in (deid, annotate):
        assert inspect.signature(command).parameters["model"].default == "en"
