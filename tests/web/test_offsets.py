"""Offsets in UTF-16 and in code points are two ways to count the same borders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.web.offsets import Utf16Offsets

TEXTS = st.text(st.sampled_from("a é\n😀𐍈\u0301\u05d0"), max_size=30)


@given(TEXTS)
def test_each_border_goes_there_and_back(text: str) -> None:
    units = Utf16Offsets(text)
    for point in range(len(text) + 1):
        unit = len(text[:point].encode("utf-16-le")) // 2
        assert units.to_units(point) == unit
        assert units.to_points(unit) == point


@given(TEXTS)
def test_what_is_no_border_is_refused(text: str) -> None:
    units = Utf16Offsets(text)
    borders = {len(text[:point].encode("utf-16-le")) // 2 for point in range(len(text) + 1)}
    for unit in set(range(-1, 2 * len(text) + 3)) - borders:
        with pytest.raises(ValueError, match="no border"):
            units.to_points(unit)
