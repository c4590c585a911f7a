"""Systems: configurations changed, dropped from and grown, and refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrubjay.errors import ConfigError
from scrubjay.learning.configs import CrfConfig
from scrubjay.learning.experiments.systems import (
    System,
    choose_systems,
    named_systems,
    read_systems,
)
from tests.learning.experiments.samples import system, write_configs


def groups(one: System) -> list[str]:
    config = one.config()
    assert isinstance(config, CrfConfig)
    return list(config.features.groups)


def test_a_setting_is_changed() -> None:
    (one,) = read_systems([system("he2015", "ours", set={"training.c1": 3.5})])
    config = one.config()
    assert isinstance(config, CrfConfig)
    assert config.training.c1 == 3.5
    assert one.name == "ours"
    assert one.identity()["config"]["training"]["c1"] == 3.5
    assert "name" not in one.identity()["config"]


def test_each_part_is_dropped_in_turn_or_added() -> None:
    dropped = read_systems([system("he2015", "W", **{"drop-each": "features.groups"})])
    assert [s.name for s in dropped] == [
        "W without lexical", "W without orthographic", "W without dictionary"
    ]  # fmt: skip
    assert groups(dropped[0]) == ["orthographic", "dictionary"]
    grown = read_systems([system("he2015", "W", grow="features.groups")])
    assert [s.name for s in grown] == ["W lexical", "W + orthographic", "W + dictionary"]
    assert [len(groups(s)) for s in grown] == [1, 2, 3]


def test_members_of_an_ensemble_are_dropped_and_replaced(tmp_path: Path) -> None:
    write_configs(tmp_path)
    entries = [
        system("both.toml", "one", drop=["members.rules"]),
        system("both.toml", "other", set={"members.rules": {"config": "patterns"}}),
    ]
    one, other = (s.config() for s in read_systems(entries, folder=tmp_path))
    assert [m.name for m in one.members] == ["crf"]  # type: ignore[union-attr]
    assert [m.kind for m in other.members] == ["crf", "regex"]  # type: ignore[union-attr]


def test_some_of_the_systems_are_chosen_in_their_order() -> None:
    systems = named_systems(["patterns", "he2015", "jiang2017-crf"])
    chosen = choose_systems(systems, ["jiang2017-crf", "patterns"])
    assert [one.name for one in chosen] == ["patterns", "jiang2017-crf"]
    with pytest.raises(ConfigError, match=r"no system 'crf' to run\. There are: patterns, he2015"):
        choose_systems(systems, ["crf"])


def test_patterns_learn_nothing() -> None:
    patterns, crf, network = named_systems(["patterns", "he2015", "zhao2020-blstm"])
    assert patterns.config() is None
    assert [s.kind for s in (patterns, crf, network)] == ["patterns", "crf", "bilstm"]
    assert [s.is_seeded for s in (patterns, crf, network)] == [False, False, True]
    assert [s.stops_early for s in (patterns, crf, network)] == [False, False, True]
    (copied,) = read_systems([system("he2015", **{"swap-copies": 2})])
    assert copied.is_seeded


def test_tbed_stops_by_documents_held_out_where_it_has_patience() -> None:
    """An ensemble holds out documents itself, for each of its members."""
    patient = system("zhao2020-tbed", "patient", set={"training.patience": 3})
    systems = read_systems([system("zhao2020-tbed"), patient, system("zhao2020")])
    assert [one.stops_early for one in systems] == [False, True, False]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ("zhao2020-crf", "must be a list of tables"),
        ([{"name": "x"}], "x: config must be"),
        ([{"config": "nothing"}], "1: unknown configuration 'nothing'"),
        ([system("he2015", speed=3)], "unknown setting 'speed'"),
        ([system("he2015"), system("he2015")], "two systems have the name 'he2015'"),
        ([system("he2015", set={"training.c1": -1})], "c1 must be"),
        ([system("he2015", set=["training.c1"])], "set must be a table"),
        ([system("he2015", drop="features")], "drop must be a list"),
        ([system("he2015", drop=["features.groups.pos"])], "no setting features.groups.pos"),
        ([system("he2015", grow="features.groups", **{"drop-each": "members"})], "either"),
        ([system("he2015", grow="features.scope")], "neither a table nor a list"),
        ([system("patterns", set={"a": 1})], "patterns have no settings"),
        ([system("he2015", **{"swap-copies": -1})], "swap-copies must be"),
        ([system("he2015", " ")], "name must be a string"),
    ],
)
def test_what_is_unsound_is_refused(entries: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_systems(entries)
    assert message in str(caught.value)
