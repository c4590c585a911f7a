"""Candidates: merged proposals, and who overlaps whom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.taggers._combining.candidates import (
    FloatArray,
    collect_candidates,
    count_words,
    join_candidates,
    overlapping_pairs,
    to_spans,
)
from scrubjay.taggers._combining.selection import select_best
from tests.oracles.ensembles import all_pairs, best_sum, clash, places
from tests.taggers.ensemble_samples import NAMES, found, texts

NUMBERS = {name: number for number, name in enumerate(NAMES)}


def _weights(values: Sequence[float]) -> FloatArray:
    return np.array(values, dtype=np.float64)


def test_proposals_with_the_same_borders_and_label_are_one_candidate() -> None:
    first = [(Span(0, 2, "A", score=0.75), Span(3, 5, "B", source="one,two")), ()]
    second = [(Span(0, 2, "A"), Span(3, 5, "C", score=0.5)), (Span(1, 4, "A"),)]
    candidates = collect_candidates([first, second], NUMBERS)
    assert candidates.keys(NAMES) == [
        (0, 0, 2, "A"), (0, 3, 5, "B"), (0, 3, 5, "C"), (1, 1, 4, "A"),
    ]  # fmt: skip
    assert candidates.proposed.tolist() == [
        [True, True], [True, False], [False, True], [False, True],
    ]  # fmt: skip
    assert candidates.scores[0, 0] == 0.75
    assert math.isnan(candidates.scores[0, 1])
    assert candidates.scores[2, 1] == 0.5
    assert candidates.rules == ((), ((0, "one"), (0, "two")), (), ())


def test_nothing_proposed_gives_no_candidates() -> None:
    candidates = collect_candidates([[(), ()], [(), ()]], NUMBERS)
    assert len(candidates) == 0
    assert [part.tolist() for part in overlapping_pairs(candidates)] == [[], []]
    assert to_spans(candidates, [], candidates.scores, size=2, labels=NAMES, members=()) == [(), ()]


def test_words_are_counted_by_white_space() -> None:
    document = Document("a", "one two\n three  x")
    candidates = collect_candidates(
        [[(Span(0, 3, "A"), Span(4, 14, "A"), Span(15, 16, "B"))]], NUMBERS
    )
    assert count_words(candidates, [document]).tolist() == [1, 2, 1]


@settings(max_examples=60)
@given(found())
def test_every_overlap_is_found_in_both_orders(proposals: list[list[tuple[Span, ...]]]) -> None:
    candidates = collect_candidates(proposals, NUMBERS)
    one, other = overlapping_pairs(candidates)
    pairs = list(zip(one.tolist(), other.tolist(), strict=True))
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == all_pairs(candidates)


@settings(max_examples=60)
@given(found(members=3, documents=1), st.data())
def test_the_best_set_is_that_of_brute_force(
    proposals: list[list[tuple[Span, ...]]], data: st.DataObject
) -> None:
    candidates = collect_candidates(proposals, NUMBERS)
    size = len(candidates)
    units = data.draw(st.lists(st.integers(-20, 20), min_size=size, max_size=size))
    rows = select_best(candidates, _weights(units))
    where = [places(candidates)[row] for row in rows]
    assert rows == sorted(set(rows))
    assert all(units[row] > 0 for row in rows)
    assert not any(clash(a, b) for a in where for b in where if a is not b)
    assert sum(units[row] for row in rows) == best_sum(candidates, [max(0, u) for u in units])


@settings(max_examples=60)
@given(found(), st.data())
def test_a_higher_dial_never_covers_fewer_words(
    proposals: list[list[tuple[Span, ...]]], data: st.DataObject
) -> None:
    candidates = collect_candidates(proposals, NUMBERS)
    words = count_words(candidates, texts(2))
    drawn = st.lists(st.floats(-6, 6), min_size=len(candidates), max_size=len(candidates))
    weights = _weights(data.draw(drawn))
    covered = [
        int(words[select_best(candidates, weights, words=words, dial=dial)].sum())
        for dial in (-9.0, -2.0, -0.5, 0.0, 0.5, 1.0, 4.0, 9.0)
    ]
    assert covered == sorted(covered)


def test_long_beats_short_only_by_weight_not_by_order() -> None:
    whole, first, second = Span(0, 5, "A"), Span(0, 2, "B"), Span(3, 5, "B")
    candidates = collect_candidates([[(whole,)], [(first, second)]], NUMBERS)
    assert candidates.keys(NAMES) == [(0, 0, 2, "B"), (0, 0, 5, "A"), (0, 3, 5, "B")]
    assert select_best(candidates, _weights([2, 3, 2])) == [0, 2]  # greedy would take the whole
    assert select_best(candidates, _weights([1, 3, 1])) == [1]


def test_what_is_chosen_does_not_depend_on_the_batch() -> None:
    proposals = [[(Span(0, 2, "A"), Span(3, 5, "B"))], [(Span(0, 5, "C"),)]]
    alone = collect_candidates(proposals, NUMBERS)
    many = collect_candidates([batch * 50 for batch in proposals], NUMBERS)
    weights = [0.1, 0.3, 0.2]
    assert select_best(alone, _weights(weights)) == [1]  # 0.1 + 0.2 is 0.3, whatever comes before
    assert select_best(many, _weights(weights * 50)) == [1 + 3 * number for number in range(50)]


def test_scores_have_six_decimals_and_are_never_0() -> None:
    candidates = collect_candidates([[(Span(0, 2, "A"),)], [(Span(0, 2, "A"),)]], NUMBERS)
    for given_, shown in ((1e-12, 1e-6), (0.12345678, 0.123457), (1.0, 1.0)):
        ((span,),) = to_spans(
            candidates, [0], _weights([given_]), size=1, labels=NAMES, members=("x", "y")
        )
        assert (span.score, span.source) == (shown, "x+y")


class Certain:
    """A reading that gives each span asked for a probability of its own."""

    def probabilities(self, asked: Sequence[Sequence[Span]]) -> list[list[float]]:
        return [[_certainty(span) for span in spans] for spans in asked]


def _certainty(span: Span) -> float:
    return (span.start + 40 * span.end + 1600 * NUMBERS[span.label]) / 1e5


@given(found(documents=4), st.permutations(range(4)))
def test_batches_joined_are_the_whole(
    proposals: list[list[tuple[Span, ...]]], order: list[int]
) -> None:
    readings: Any = [Certain(), None, Certain()]
    whole = collect_candidates(proposals, NUMBERS, readings)
    batches = [order[:1], order[1:1], order[1:]]
    parts = [
        collect_candidates([[m[number] for number in batch] for m in proposals], NUMBERS, readings)
        for batch in batches
    ]
    joined = join_candidates(parts, batches)
    assert joined.rules == whole.rules
    for name in ("documents", "starts", "ends", "labels", "proposed", "scores", "opinions"):
        np.testing.assert_array_equal(getattr(joined, name), getattr(whole, name))
    for row, (_, start, end, label) in enumerate(whole.keys(list(NUMBERS))):
        own = _certainty(Span(start, end, label))
        np.testing.assert_equal(whole.opinions[row].tolist(), [own, np.nan, own])
