"""Declarations: every experiment that ships is sound, and what is not is refused by name."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from scrubjay.errors import ConfigError
from scrubjay.learning.experiments.declaration import (
    KINDS,
    build_experiment,
    describe_experiments,
    experiment_names,
    find_experiment,
)


@pytest.mark.parametrize("name", experiment_names())
def test_what_ships_is_sound(name: str) -> None:
    experiment = find_experiment(name)
    assert experiment.name == name
    assert experiment.title
    assert set(experiment.identity()) == {"kind", "systems", "held-out", "groups", "settings"}
    assert experiment.extent()["seeds"] == list(experiment.seeds)


def test_the_papers_experiments_ship() -> None:
    known = {name: title for name, title, _ in describe_experiments()}
    assert {
        "table4", "table5", "ablation", "crossval", "tune", "tune-grid", "select-features",
        "learning-curve", "cross-domain", "significance",
    } <= set(known)  # fmt: skip
    assert all(known.values())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_there(kind: str) -> None:
    module, _, attribute = KINDS[kind].partition(":")
    assert callable(getattr(importlib.import_module(module), attribute))


def test_trials_are_those_of_the_paper() -> None:
    plan: Any = find_experiment("tune").plan
    assert plan.trials == 250
    assert [(d.path, d.low, d.high, d.scale) for d in plan.space] == [
        ("training.c1", 1e-4, 10.0, "log"),
        ("training.c2", 1e-4, 10.0, "log"),
    ]
    significance: Any = find_experiment("significance").plan
    assert significance.shuffles == 9_999


def test_settings_and_systems_are_replaced() -> None:
    experiment = find_experiment(
        "crossval", configs=["he2015", "patterns"], changes={"folds": 3, "groups.by": "document"}
    )
    plan: Any = experiment.plan
    assert [system.name for system in experiment.systems] == ["he2015", "patterns"]
    assert plan.folds == 3
    assert experiment.grouping.by == "document"


def test_some_systems_are_run_alone_and_the_first_is_then_the_reference() -> None:
    alone = find_experiment("trienes2020-table5", only=["CRF", "Patterns"])
    assert [system.name for system in alone.systems] == ["Patterns", "CRF"]
    assert alone.extent()["reference"] == "Patterns"
    assert find_experiment("table4", only=["CRF", "Ensemble"]).extent()["reference"] == "Ensemble"
    with pytest.raises(ConfigError, match=r"table4: there is no system 'BLSTM' to run"):
        find_experiment("table4", only=["BLSTM"])


def test_configurations_are_found_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('kind = "crf"\n[features.groups.a]\nattributes=["lower"]\n')
    (tmp_path / "try.toml").write_text('kind = "compare"\n[[systems]]\nconfig = "mine.toml"\n')
    experiment = find_experiment(str(tmp_path / "try.toml"))
    assert (experiment.name, experiment.title) == ("try", "try")
    assert experiment.systems[0].name == "mine"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"kind": "guess"}, "kind must be one of: compare"),
        ({"kind": "compare"}, "a comparison needs [[systems]]"),
        ({"kind": "compare", "speed": 1}, "unknown setting 'speed'"),
        ({"kind": "compare", "title": 3}, "title must be a string"),
        ({"kind": "compare", "seeds": []}, "seeds must be a list"),
        ({"kind": "compare", "seeds": [1, 1]}, "seeds must be a list"),
        ({"kind": "compare", "held-out": 1.0}, "held-out must be a share"),
        ({"kind": "compare", "reference": "x"}, "the reference 'x' is none of the systems"),
        ({"kind": "compare", "groups": {"by": "ward"}}, "unknown unit of a split 'ward'"),
        ({"kind": "compare", "groups": {"key": "id:("}}, "no regular expression"),
        ({"kind": "compare", "groups": {"k": "x"}}, "unknown setting 'k'"),
        ({"kind": "crossval", "folds": 1}, "folds must be a whole number of at least 2"),
        ({"kind": "crossval", "missing-labels": "?"}, "unknown missing-labels"),
        ({"kind": "learning-curve", "shares": [0.5, 0.1]}, "shares must grow"),
        ({"kind": "learning-curve", "shares": ["all"]}, "shares must be a list of numbers"),
        ({"kind": "cross-domain", "test-share": 0}, "test-share must be a share"),
        ({"kind": "tune", "search": "luck"}, "unknown search 'luck'"),
        ({"kind": "tune"}, "names no setting to search"),
        ({"kind": "tune", "space": {"training.c9": {"values": [1]}}}, "unknown setting 'c9'"),
        ({"kind": "tune", "search": "forward", "over": "features.none"}, "no setting"),
        ({"kind": "significance", "predicted": "out"}, "predicted must be a table"),
    ],
)
def test_what_is_unsound_is_refused(table: dict[str, Any], message: str) -> None:
    systems = [] if "[[systems]]" in message else [{"config": "he2015"}]
    with pytest.raises(ConfigError) as caught:
        build_experiment({"systems": systems, **table}, default_name="x")
    assert message in str(caught.value)


def test_files_that_are_no_experiment_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"unknown experiment 'tabel4'.*table4"):
        find_experiment("tabel4")
    broken = tmp_path / "broken.toml"
    broken.write_text("kind = \n")
    with pytest.raises(ConfigError, match=r"broken\.toml: not valid TOML"):
        find_experiment(str(broken))
    broken.write_text('kind = "compare"\n[[systems]]\nconfig = "missing.toml"\n')
    with pytest.raises(ConfigError, match=r"broken\.toml: missing\.toml: .*there is no such file"):
        find_experiment(str(broken))
    broken.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match=r"broken\.toml, byte 0: not UTF-8"):
        find_experiment(str(broken))
