"""The algebra of spans against sets of characters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.errors import SpanError
from scrubjay.spans import (
    merge_overlapping,
    overlap,
    overlapping_pairs,
    require_disjoint,
    select_disjoint,
    uncovered,
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


def _covered(some: Iterable[Span]) -> set[int]:
    return set().union(*map(_characters, some))


def _disjoint(some: Sequence[Span]) -> bool:
    return all(one.end <= other.start for one, other in itertools.pairwise(some))


@given(spans(), spans())
def test_overlap_is_a_shared_character(one: Span, other: Span) -> None:
    assert overlap(one, other) == bool(_characters(one) & _characters(other))
    assert overlap(one, other) == overlap(other, one)


def test_neighbours_do_not_overlap() -> None:
    assert not overlap(Span(0, 3, "A"), Span(3, 5, "A"))
    assert overlapping_pairs([Span(3, 5, "A"), Span(0, 3, "A")]) == []
    assert require_disjoint([Span(3, 5, "A"), Span(0, 3, "B")], document_id="d") == (
        Span(0, 3, "B"),
        Span(3, 5, "A"),
    )


@settings(max_examples=100)
@given(many())
def test_overlapping_pairs_are_all_pairs_that_overlap(some: list[Span]) -> None:
    expected = [pair for pair in itertools.combinations(sorted(some), 2) if overlap(*pair)]
    assert sorted(overlapping_pairs(some)) == sorted(expected)


@settings(max_examples=100)
@given(many())
def test_disjoint_spans_pass_and_others_are_named(some: list[Span]) -> None:
    if overlapping_pairs(some):
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


@settings(max_examples=100)
@given(many())
def test_merging_keeps_every_character_covered_and_no_other(some: list[Span]) -> None:
    merged = merge_overlapping(some)
    assert _disjoint(merged)
    assert _covered(merged) == _covered(some)
    assert merge_overlapping(merged) == merged
    for span in merged:
        inside = [one for one in some if overlap(one, span)]
        longest = max(map(len, inside))
        assert span.label in {one.label for one in inside if len(one) == longest}


def test_merging_joins_chains_but_not_neighbours() -> None:
    chain = [Span(0, 3, "A"), Span(2, 9, "B", score=0.5, source="s"), Span(8, 10, "C")]
    (joined,) = merge_overlapping(chain)
    assert (joined.start, joined.end, joined.label) == (0, 10, "B")
    assert (joined.score, joined.source) == (0.5, "s")
    apart = (Span(0, 3, "A"), Span(3, 6, "A"))
    assert merge_overlapping(apart) == apart


def test_a_span_inside_another_does_not_shorten_what_follows() -> None:
    some = [Span(0, 10, "A"), Span(1, 2, "B"), Span(5, 12, "C")]
    assert [(span.start, span.end) for span in merge_overlapping(some)] == [(0, 12)]


@settings(max_examples=100)
@given(many(), many())
def test_what_is_uncovered_is_the_difference_of_the_sets(
    some: list[Span], cover: list[Span]
) -> None:
    gaps = uncovered(some, cover)
    assert gaps == sorted(gaps)
    assert all(start < end for start, end in gaps)
    left = [offset for start, end in gaps for offset in range(start, end)]
    assert len(left) == len(set(left))
    assert set(left) == _covered(some) - _covered(cover)


def test_nothing_is_a_fine_argument() -> None:
    assert overlapping_pairs([]) == []
    assert require_disjoint([], document_id="d") == ()
    assert select_disjoint([]) == merge_overlapping([]) == ()
    assert uncovered([], [Span(0, 1, "A")]) == []
    assert uncovered([Span(0, 1, "A")], []) == [(0, 1)]
