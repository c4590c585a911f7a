"""Operators by name."""

from __future__ import annotations

import pytest

from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Mask
from scrubjay.transform.registry import (
    OPERATORS,
    describe_operator,
    load_operator,
    make_operator,
    needs_key,
    operator_parameters,
    suggest,
)

KEY = b"0123456789abcdef"


@pytest.mark.parametrize("name", OPERATORS)
def test_each_entry_of_the_table_can_be_made_and_described(name: str) -> None:
    operator = make_operator(name, key=KEY)
    assert operator.name == name
    described = describe_operator(operator)
    assert described["operator"] == name
    assert KEY.decode() not in repr(described)
    parameters = {key: value for key, value in described.items() if key != "operator"}
    assert make_operator(name, parameters, key=KEY) == operator


def test_parameters_have_names_and_types() -> None:
    assert operator_parameters("mask") == {"filler": "str"}
    assert operator_parameters("hash") == {"digits": "int", "template": "str"}
    assert operator_parameters("keep") == {}
    assert {"hash", "surrogate"} <= {name for name in OPERATORS if needs_key(name)}
    assert not any(map(needs_key, ("placeholder", "keep", "safe-date")))


def test_a_parameter_may_be_written_with_a_hyphen_but_once() -> None:
    assert make_operator("mask", {"filler": "#"}) == Mask(filler="#")
    with pytest.raises(ConfigError, match="unknown parameter 'fill-er'"):
        make_operator("mask", {"fill-er": "#"})


def test_an_unknown_operator_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"unknown operator 'surogate'. Did you mean 'surrogate'"):
        load_operator("surogate")


@pytest.mark.parametrize(
    ("name", "nearest"), [("dates", "DATE"), ("date", "DATE"), ("NL-FAST", "nl-fast"), ("q", "")]
)
def test_the_nearest_name_is_found_whatever_its_case(name: str, nearest: str) -> None:
    expected = f"Did you mean {nearest!r}?" if nearest else "Known: DATE, nl-fast"
    assert suggest(name, ["DATE", "nl-fast"]) == expected
