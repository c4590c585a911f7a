"""Settings by dotted paths: what is set is there, what is dropped is gone, nothing else moves."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.learning.experiments.settings import drop_values, names_at, set_values

TABLE: dict[str, Any] = {
    "kind": "ensemble",
    "training": {"c1": 0.1, "c2": 0.2},
    "members": [{"name": "crf", "config": "a"}, {"name": "rules", "config": "b"}],
}

KEYS = st.sampled_from("abc")
TREES = st.recursive(st.integers(0, 3), lambda inner: st.dictionaries(KEYS, inner, max_size=3))


def test_values_are_set_deep_in_tables_and_lists() -> None:
    before = copy.deepcopy(TABLE)
    changed = set_values(
        TABLE, {"training.c1": 1, "members.rules.config": "c", "new.table.value": [1]}
    )
    assert changed["training"] == {"c1": 1, "c2": 0.2}
    assert changed["members"] == [TABLE["members"][0], {"name": "rules", "config": "c"}]
    assert changed["new"] == {"table": {"value": [1]}}
    assert before == TABLE


def test_a_whole_entry_of_a_list_is_replaced() -> None:
    changed = set_values(TABLE, {"members.crf": {"name": "crf", "config": "patterns"}})
    assert changed["members"][0] == {"name": "crf", "config": "patterns"}


def test_what_is_dropped_is_gone() -> None:
    changed = drop_values(TABLE, ["training.c1", "members.crf"])
    assert changed["training"] == {"c2": 0.2}
    assert [member["name"] for member in changed["members"]] == ["rules"]
    assert names_at(TABLE, "members") == ("crf", "rules")
    assert names_at(TABLE, "training") == ("c1", "c2")


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["training.c3"], "no setting training.c3. There are: c1, c2"),
        (["members.svm"], "no setting members.svm. There are: crf, rules"),
        (["kind.of"], "no setting kind.of"),
        (["training..c1"], "not a path"),
    ],
)
def test_what_is_not_there_is_named(paths: list[str], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        drop_values(TABLE, paths)
    assert message in str(caught.value)


def test_paths_through_values_are_refused() -> None:
    with pytest.raises(ConfigError, match="kind is no table"):
        set_values(TABLE, {"kind.of": 1})
    with pytest.raises(ConfigError, match="neither a table nor a list"):
        names_at(TABLE, "kind")


@settings(max_examples=60)
@given(st.dictionaries(KEYS, TREES, max_size=3), KEYS, KEYS, st.integers())
def test_set_then_dropped_is_as_before(
    table: dict[str, Any], first: str, second: str, value: int
) -> None:
    if not isinstance(table.get(first, {}), dict):
        return
    changed = set_values(table, {f"{first}.{second}": value})
    assert changed[first][second] == value
    rest = {k: v for k, v in table.items() if k != first}
    assert {k: v for k, v in changed.items() if k != first} == rest
    dropped = drop_values(changed, [f"{first}.{second}"])
    known = {k: v for k, v in table.get(first, {}).items() if k != second}
    assert dropped[first] == known
