"""`scrubjay models list` tells the default model and what each needs."""

from __future__ import annotations

import inspect
import json

import pytest

from scrubjay import models
from scrubjay.cli import main as cli
from scrubjay.cli.annotate import annotate
from scrubjay.cli.deid import deid


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
    assert err == "note: the extra 'neural' is installed\n"
    monkeypatch.setattr(models, "has_packages", lambda extra: not extra)
    _, err = rows(capsys)
    assert err.startswith("note: the extra 'neural' is not installed. Install it, in a clone of")
    assert "pip install '.[neural]'" in err
    assert cli.run(["models", "list", "--json"]) == 0
    told = {model["name"]: model for model in json.loads(capsys.readouterr().out)}
    assert [told["en"][key] for key in ("default", "extra", "runs_here")] == [True, "neural", False]
    assert [told["nl-fast"][key] for key in ("default", "extra", "runs_here")] == [
        False,
        None,
        True,
    ]


def test_the_default_is_that_of_the_commands() -> None:
    for command in (deid, annotate):
        assert inspect.signature(command).parameters["model"].default == "en"
