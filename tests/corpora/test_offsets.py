"""Offsets in UTF-16 and in code points are two ways to count the same borders."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.offsets import Offsets

TEXTS = st.text(st.sampled_from("a é\n😀𐍈\u0301\u05d0"), max_size=30)


@given(TEXTS)
def test_each_border_goes_there_and_back(text: str) -> None:
    offsets = Offsets(text, "utf-16")
    for point in range(len(text) + 1):
        unit = len(text[:point].encode("utf-16-le")) // 2
        assert offsets.encode(point) == unit
        assert offsets.decode(unit) == point


@given(TEXTS)
def test_what_is_no_border_is_none_or_lies_outside(text: str) -> None:
    offsets = Offsets(text, "utf-16")
    borders = {len(text[:point].encode("utf-16-le")) // 2 for point in range(len(text) + 1)}
    for unit in set(range(-1, 2 * len(text) + 3)) - borders:
        point = offsets.decode(unit)
        assert point is None or not 0 <= point <= len(text)
