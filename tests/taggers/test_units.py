"""Units of sums: what they hold, and what rounding to them does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.taggers._linear.units import Units, find_units


@given(st.floats(1e-9, 2e6), st.integers(1, 300))
def test_sums_within_the_bound_fit_and_would_not_in_finer_units(bound: float, rounded: int) -> None:
    units = find_units(bound, rounded=rounded)
    most = np.iinfo(str(units.kind)).max
    assert bound * units.scale + rounded / 2 <= most
    assert 2 * bound * units.scale > most - rounded or units.scale == 2.0**26
    assert np.log2(units.scale) % 1 == 0
    assert bound * units.scale * 2.0**units.spare < 2**31


@pytest.mark.parametrize(
    ("bound", "kind", "scale"),
    [(0.0, "int16", 2.0**26), (93.0, "int16", 256.0), (510.0, "int16", 64.0),
     (512.0, "int32", 2.0**21), (2e6, "int32", 1024.0)],
)  # fmt: skip
def test_narrow_sums_are_taken_where_units_are_fine_enough(
    bound: float, kind: str, scale: float
) -> None:
    units = find_units(bound, rounded=100)
    assert (units.kind, units.scale) == (np.dtype(kind), scale)


@pytest.mark.parametrize("bound", [2.1e6, np.inf, np.nan])
def test_a_bound_that_leaves_no_units_is_refused(bound: float) -> None:
    with pytest.raises(ConfigError, match="too large or no finite"):
        find_units(bound, rounded=1)


def test_sums_of_parts_are_rounded_once() -> None:
    units = Units(64.0, np.dtype(np.int16), 12)
    weights = np.full(8, 0.3 / 64, dtype=np.float32)
    assert units.count(weights).sum() == 0
    assert units.round(units.count_parts(weights).sum(keepdims=True)).tolist() == [2]  # of 2.4
    halves = (np.array([-1.5, -0.5, 0.5, 1.5]) / 64).astype(np.float32)
    assert units.round(units.count_parts(halves)).tolist() == [-1, 0, 1, 2]
    whole = Units(64.0, np.dtype(np.int32), 0)
    assert whole.round(whole.count_parts(4 * weights)).tolist() == [1] * 8
