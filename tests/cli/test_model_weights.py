"""`scrubjay models weights`."""

from __future__ import annotations

import json

import pytest

from scrubjay.cli import main as cli


def test_features_and_moves_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["models", "weights", "es-fast", "--label", "FECHAS"]
    assert cli.run([*asked, "--limit", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["# Features of es-fast", "tag\tfeature\tweight"]
    assert {line.split("\t")[0] for line in lines[2:]} == {"B-FECHAS", "I-FECHAS"}
    assert len(lines) == 2 + 6
    assert cli.run([*asked, "--moves"]) == 0
    assert "O\tB-FECHAS\t" in capsys.readouterr().out


def test_as_json_the_parts_of_a_feature_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["models", "weights", "es-fast", "--label", "O", "--limit", "1", "--json"]
    assert cli.run(asked) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["tag"] == "O"
    (name, offset, value), *_ = row["parts"]
    assert (type(name), type(offset), type(value)) == (str, int, str)
    assert cli.run([*asked, "--moves"]) == 0
    assert {"from", "to", "weight"} == {*json.loads(capsys.readouterr().out)[0]}


def test_a_model_without_a_crf_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["models", "weights", "es-fast", "--member", "patterns"]) == 2
    assert "There are: crf" in capsys.readouterr().err
