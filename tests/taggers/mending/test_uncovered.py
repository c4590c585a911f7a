"""What is found besides stands where nothing was found, and the order of spans stays."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.uncovered import add_uncovered, touched_by

PLACES = st.lists(st.integers(0, 30), max_size=12, unique=True).map(sorted)


@given(PLACES, st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5)), max_size=6))
def test_as_one_by_one(borders: list[int], wanted: list[tuple[int, int]]) -> None:
    spans = tuple(
        Span(start, end, "DATE") for start, end in zip(borders[::2], borders[1::2], strict=False)
    )
    found = add_uncovered(spans, [(start, start + size, "PATIENT") for start, size in wanted], "x")
    expected = list(spans)
    for start, size in wanted:
        end = start + size
        near = next((s for s in sorted(expected) if s.start < end and s.end > start), None)
        assert touched_by(tuple(sorted(expected)), start, end) == near
        if near is None:
            expected.append(Span(start, end, "PATIENT", source="x"))
    assert list(found) == sorted(expected, key=lambda span: span.start)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_nothing_more_leaves_the_same() -> None:
    spans = (Span(0, 3, "DATE"),)
    assert add_uncovered(spans, [(1, 5, "PATIENT")], "x") is spans
