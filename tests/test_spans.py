"""The algebra of spans against sets of characters."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.errors import SpanError
from scrubjay.spans import (
    overlap,
    require_disjoint,
    select_disjoint,
)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, 20))
    end = draw(st.integers(start + 1, 24))
    score = draw(st.none() | st.sampled_from((0.25, 0.5, 1.0)))
    return Span(start, end, draw(st.sampled_from("ABC")), score=score)


def many() -> st.SearchStrategy[list[Span]]:
    return st.lists(spans(), max_size=8)


def _characters(span: Span) -> set[int]:
    return set(range(span.start, span.end))


def _disjoint(some: Sequence[Span]) -> bool:
    return all(one.end <= other.start for one, other in itertools.pairwise(some))


@given(spans(), spans())
def test_overlap_is_a_shared_character(one: Span, other: Span) -> None:
    assert overlap(one, other) == bool(_characters(one) & _characters(other))
    assert overlap(one, other) == overlap(other, one)


def test_neighbours_do_not_overlap() -> None:
    assert not overlap(Span(0, 3, "A"), Span(3, 5, "A"))
    assert require_disjoint([Span(3, 5, "A"), Span(0, 3, "B")], document_id="d") == (
        Span(0, 3, "B"),
        Span(3, 5, "A"),
    )


@settings(max_examples=100)
@given(many())
def test_disjoint_spans_pass_and_others_are_named(some: list[Span]) -> None:
    if any(overlap(*pair) for pair in itertools.combinations(some, 2)):
        with pytest.raises(SpanError, match=r"document 'd7': [ABC] \[\d+, \d+\) and .* overlap"):
            require_disjoint(some, document_id="d7")
    else:
        assert require_disjoint(some, document_id="d7") == tuple(sorted(some))


@settings(max_examples=100)
@given(many(), st.data())
def test_a_selection_is_disjoint_maximal_and_without_order(
    some: list[Span], data: st.DataObject
) -> None:
    chosen = select_disjoint(some)
    assert _disjoint(chosen)
    assert set(chosen) <= set(some)
    assert all(any(overlap(span, other) for other in chosen) for span in some)
    again = select_disjoint(data.draw(st.permutations(some)))
    assert [(span, span.score) for span in again] == [(span, span.score) for span in chosen]


def test_a_selection_prefers_the_longest_then_the_score_then_the_left() -> None:
    assert select_disjoint([Span(0, 4, "A", score=1.0), Span(2, 8, "B")]) == (Span(2, 8, "B"),)
    by_score = select_disjoint([Span(0, 4, "A", score=0.5), Span(2, 6, "B", score=0.9)])
    assert by_score == (Span(2, 6, "B"),)
    assert select_disjoint([Span(2, 6, "B"), Span(0, 4, "A")]) == (Span(0, 4, "A"),)
    assert select_disjoint([Span(0, 4, "B"), Span(0, 4, "A")]) == (Span(0, 4, "A"),)


def test_a_selection_takes_a_preference_of_the_callers() -> None:
    some = [Span(0, 9, "A"), Span(1, 3, "B"), Span(4, 5, "C")]
    assert select_disjoint(some, preference=lambda span: (len(span),)) == (some[1], some[2])


def test_nothing_is_a_fine_argument() -> None:
    assert require_disjoint([], document_id="d") == ()
    assert select_disjoint([]) == ()
