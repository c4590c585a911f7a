"""`scrubjay config`: configurations listed, shown as TOML, and checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.cli.main import run
from scrubjay.learning.configs import config_names, find_config


def test_all_that_ship_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["config", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()[2:]
    assert [line.split("\t")[0] for line in lines] == list(config_names())
    assert run(["config", "list", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [each["configuration"] for each in facts] == list(config_names())
    assert facts[-1].keys() == {"configuration", "kind", "citation"}


@pytest.mark.parametrize("name", config_names())
def test_what_is_shown_makes_the_same_configuration(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["config", "show", name]) == 0
    copy = tmp_path / "copy.toml"
    copy.write_text(capsys.readouterr().out, "utf-8")
    assert find_config(str(copy)).table() == find_config(name).table()
    assert run(["config", "check", str(copy)]) == 0
    told = capsys.readouterr().out
    assert told == f"{name}: a sound configuration of the kind {find_config(name).kind}\n"
    assert run(["config", "show", str(copy)]) == 0
    assert capsys.readouterr().out == copy.read_text("utf-8")


def test_what_is_wrong_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["config", "show", "Zhao2020-CRF"]) == 2
    assert "Did you mean 'zhao2020-crf'? " in capsys.readouterr().err
    assert run(["config", "show", "nothing-like-it"]) == 2
    assert "Did you mean" not in capsys.readouterr().err
    bad = tmp_path / "bad.toml"
    bad.write_text('kind = "crf"\ncolour = 1\n')
    assert run(["config", "check", str(bad)]) == 2
    assert "unknown setting 'colour'" in capsys.readouterr().err
