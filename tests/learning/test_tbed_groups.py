"""Numbering equal keys, by each of its ways, against a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.learning import _tbed_groups
from scrubjay.learning._tbed_groups import group_keys


@settings(max_examples=80)
@given(
    keys=st.lists(st.integers(-2, 6) | st.sampled_from([10**12, 2**61]), max_size=40),
    least=st.integers(1, 3),
    small=st.booleans(),
)
def test_groups_are_numbered_by_their_first_members(
    keys: list[int], least: int, small: bool
) -> None:
    if small:
        keys = [min(key, 6) for key in keys]
    limit = 7 if small else 2**62
    numbers: dict[int, int] = {}
    places = []
    for place, key in enumerate(keys):
        if key >= 0 and keys.count(key) >= least and key not in numbers:
            numbers[key] = len(numbers)
            places.append(place)
    expected = [numbers.get(key, -1) for key in keys]
    for compiled in (False, True):
        if compiled:
            pytest.importorskip("numba", reason="the compiled kernels need the extra `fast`")
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(_tbed_groups, "use_compiled", lambda size, on=compiled: on)
            found = group_keys(np.array(keys, dtype=np.int64), limit, least=least)
        assert found.ids.tolist() == expected
        assert found.places.tolist() == places
        assert found.ids.dtype == np.int32
