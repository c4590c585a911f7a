"""Spaces: trials stay inside, log space is even over the exponents, grids hold both ends."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.learning.experiments.spaces import draw_trials, grid_trials, read_space

NORMS = {
    "training.c1": {"low": 1e-4, "high": 10.0, "scale": "log"},
    "training.c2": {"low": 1e-4, "high": 10.0, "scale": "log"},
}


def test_log_space_is_even_over_exponents() -> None:
    space = read_space(NORMS)
    drawn = [trial["training.c1"] for trial in draw_trials(space, 400, seed=0)]
    assert all(1e-4 <= value <= 10 for value in drawn)
    by_power = [sum(low <= math.log10(v) < low + 1 for v in drawn) for low in range(-4, 1)]
    assert all(50 <= count <= 110 for count in by_power)


def test_more_trials_begin_with_the_same() -> None:
    space = read_space(NORMS)
    few, many = (list(draw_trials(space, n, seed=3)) for n in (4, 9))
    assert many[:4] == few
    assert list(draw_trials(space, 4, seed=4)) != few


@settings(max_examples=60)
@given(
    st.floats(0.001, 1.0), st.floats(1.5, 50.0), st.sampled_from(["log", "linear"]),
    st.integers(2, 6), st.booleans(),
)  # fmt: skip
def test_grids_hold_both_ends_and_grow(
    low: float, high: float, scale: str, steps: int, whole: bool
) -> None:
    entry = {"low": low, "high": high, "scale": scale, "steps": steps, "whole": whole}
    values = [trial["x"] for trial in grid_trials(read_space({"x": entry}))]
    assert values == sorted(set(values))
    if whole:
        assert all(isinstance(value, int) for value in values)
    else:
        assert len(values) == steps
        assert values[0] == pytest.approx(low, rel=1e-5)
        assert values[-1] == pytest.approx(high, rel=1e-5)


def test_a_grid_is_every_combination() -> None:
    space = read_space({"a": {"values": [1, 2]}, "b": {"values": ["x", "y", "z"]}})
    found = [(trial["a"], trial["b"]) for trial in grid_trials(space)]
    assert found == [(1, "x"), (1, "y"), (1, "z"), (2, "x"), (2, "y"), (2, "z")]
    assert {t["b"] for t in draw_trials(space, 30, seed=0)} == {"x", "y", "z"}


@pytest.mark.parametrize(
    ("space", "message"),
    [
        ({}, "names no setting"),
        ({"x": 3}, "must be a table"),
        ({"x": {"low": 1}}, "high must be a number"),
        ({"x": {"low": 2, "high": 1}}, "low must be below high"),
        ({"x": {"low": 0, "high": 1, "scale": "log"}}, "above 0 on a logarithmic"),
        ({"x": {"low": 0, "high": 1, "scale": "cubic"}}, "unknown scale"),
        ({"x": {"low": 0, "high": 1, "steps": 1}}, "steps must be"),
        ({"x": {"values": []}}, "either values"),
        ({"x": {"values": [1], "low": 0}}, "either values"),
        ({"x": {"least": 1}}, "unknown setting 'least'"),
    ],
)
def test_what_is_unsound_is_refused(space: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_space(space)


def test_a_range_without_steps_is_no_grid() -> None:
    with pytest.raises(ConfigError, match=r"needs steps or values for training\.c1"):
        list(grid_trials(read_space(NORMS)))
