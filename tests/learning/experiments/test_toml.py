"""Written TOML is read back to the same table."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.learning.configs import build_config, config_names, find_config, read_config_table
from scrubjay.learning.experiments.toml import write_toml

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
)
TABLES = st.recursive(
    st.dictionaries(TEXT, VALUES, max_size=3),
    lambda inner: st.dictionaries(
        TEXT, st.one_of(VALUES, inner, st.lists(VALUES, max_size=4), st.lists(inner, max_size=2)),
        max_size=3,
    ),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=100)
@given(TABLES)
def test_a_table_comes_back(table: dict[str, Any]) -> None:
    assert tomllib.loads(write_toml(table)) == table


@pytest.mark.parametrize("name", config_names())
def test_configurations_come_back(name: str) -> None:
    table = read_config_table(name)
    written = write_toml(table)
    assert tomllib.loads(written) == table
    assert build_config(tomllib.loads(written), origin=name) == find_config(name)


def test_other_values_are_refused() -> None:
    with pytest.raises(TypeError, match="NoneType"):
        write_toml({"a": None})
