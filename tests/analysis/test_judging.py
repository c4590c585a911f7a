"""Each predicted and each gold span judged: against the plain oracle, and case by case."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from scrubjay.analysis.judging import EXTENTS, Judgement, Judgements, judge_spans
from scrubjay.document import Span
from tests.analysis.span_samples import span_lists
from tests.oracles.errors import extent_partner, gold_kind, predicted_kind


def kind_of(one: Judgement) -> str:
    return one.extent or one.kind


@settings(max_examples=50)
@given(span_lists, span_lists)
def test_every_span_has_the_kind_that_the_oracle_gives_it(
    gold: list[Span], predicted: list[Span]
) -> None:
    judged = judge_spans(gold, predicted)
    assert [one.span for one in judged.gold] == sorted(set(gold))
    assert [one.span for one in judged.predicted] == sorted(set(predicted))
    for one in judged.predicted:
        assert kind_of(one) == predicted_kind(one.span, gold)
    for one in judged.gold:
        assert one.kind == gold_kind(one.span, predicted)


@settings(max_examples=50)
@given(span_lists, span_lists)
def test_partners_are_those_of_the_documented_rule(gold: list[Span], predicted: list[Span]) -> None:
    judged = judge_spans(gold, predicted)
    for one in judged.predicted:
        assert (one.partner is None) == (one.kind == "spurious")
        assert (one.extent is None) == (one.kind != "extent")
        if one.kind == "extent":
            assert one.partner == extent_partner(one.span, gold)
        elif one.partner is not None:
            assert (one.partner.start, one.partner.end) == (one.span.start, one.span.end)
            assert one.partner in gold
    for one in judged.gold:
        assert (one.partner is None) == (one.kind == "missing")
        if one.kind == "extent":
            assert one.partner == extent_partner(one.span, predicted)


@settings(max_examples=50)
@given(span_lists, span_lists)
def test_partners_at_equal_borders_are_shared_as_little_as_can_be(
    gold: list[Span], predicted: list[Span]
) -> None:
    judged = judge_spans(gold, predicted)
    for start, end in {(span.start, span.end) for span in gold}:
        own = {span for span in gold if (span.start, span.end) == (start, end)}
        here = [one for one in judged.predicted if (one.span.start, one.span.end) == (start, end)]
        uses = Counter(one.partner for one in here)
        assert len(uses) == min(len(own), len(here))


@settings(max_examples=50)
@given(span_lists, span_lists)
def test_neither_order_nor_duplicates_matter(gold: list[Span], predicted: list[Span]) -> None:
    again_gold, again_predicted = [*reversed(gold), *gold], [*predicted, *reversed(predicted)]
    assert judge_spans(again_gold, again_predicted) == judge_spans(gold, predicted)


@settings(max_examples=50)
@given(span_lists, span_lists)
def test_sides_mirror_each_other(gold: list[Span], predicted: list[Span]) -> None:
    there, back = judge_spans(gold, predicted), judge_spans(predicted, gold)
    flipped = {"missing": "spurious", "short": "long", "long": "short"}
    assert [flipped.get(kind_of(one), kind_of(one)) for one in there.gold] == [
        kind_of(one) for one in back.predicted
    ]
    assert [one.partner for one in there.gold] == [one.partner for one in back.predicted]


@pytest.mark.parametrize(
    ("gold", "predicted", "kind", "partner"),
    [
        pytest.param([(0, 5, "A")], (0, 5, "A"), "correct", 0, id="right"),
        pytest.param([(0, 5, "A")], (0, 5, "B"), "type", 0, id="other label"),
        pytest.param([(0, 5, "A")], (1, 5, "A"), "short", 0, id="within"),
        pytest.param([(0, 5, "A")], (0, 6, "A"), "long", 0, id="around"),
        pytest.param([(0, 5, "A")], (3, 8, "A"), "short-and-long", 0, id="across the end"),
        pytest.param([(3, 8, "A")], (0, 5, "A"), "short-and-long", 0, id="across the start"),
        pytest.param([(0, 5, "A")], (5, 8, "A"), "spurious", None, id="touching is no overlap"),
        pytest.param([], (5, 8, "A"), "spurious", None, id="nothing in gold"),
        pytest.param(
            [(0, 2, "A"), (3, 9, "A")], (0, 6, "A"), "short-and-long", 1, id="cutting one"
        ),
        pytest.param([(0, 2, "A"), (3, 9, "A")], (0, 9, "A"), "long", 1, id="covering two"),
        pytest.param(
            [(0, 9, "A"), (2, 4, "B")], (1, 6, "B"), "short", 0, id="within one, covering one"
        ),
        pytest.param([(0, 4, "A"), (5, 9, "B")], (2, 7, "B"), "short-and-long", 1, id="own label"),
        pytest.param([(0, 4, "A"), (5, 9, "A")], (2, 7, "A"), "short-and-long", 0, id="the first"),
        pytest.param(
            [(0, 6, "A"), (5, 9, "B")], (3, 7, "B"), "short-and-long", 0, id="most shared"
        ),
        pytest.param([(0, 9, "A"), (0, 5, "B")], (0, 5, "C"), "type", 1, id="equal borders first"),
    ],
)
def test_cases(
    gold: list[tuple[int, int, str]],
    predicted: tuple[int, int, str],
    kind: str,
    partner: int | None,
) -> None:
    reference = [Span(*one) for one in gold]
    (one,) = judge_spans(reference, [Span(*predicted)]).predicted
    assert kind_of(one) == kind
    assert one.partner == (None if partner is None else reference[partner])


def test_several_labels_at_the_same_borders() -> None:
    gold = [Span(0, 4, "AGE"), Span(0, 4, "DATE"), Span(0, 4, "ID")]
    predicted = [Span(0, 4, "CITY"), Span(0, 4, "DATE"), Span(0, 4, "ZIP")]
    judged = judge_spans(gold, predicted)
    assert [(one.span.label, one.partner and one.partner.label) for one in judged.predicted] == [
        ("CITY", "AGE"),
        ("DATE", "DATE"),
        ("ZIP", "ID"),
    ]
    assert [one.kind for one in judged.gold] == ["type", "correct", "type"]


def test_a_label_too_many_is_a_type_error_of_the_gold_span_there() -> None:
    gold = [Span(0, 4, "AGE")]
    judged = judge_spans(gold, [Span(0, 4, "AGE"), Span(0, 4, "DATE")])
    assert [one.kind for one in judged.predicted] == ["correct", "type"]
    assert [one.partner for one in judged.predicted] == [gold[0], gold[0]]
    assert [one.kind for one in judged.gold] == ["correct"]


def test_spans_of_the_other_side_are_counted() -> None:
    judged = judge_spans([Span(0, 4, "A"), Span(5, 9, "A")], [Span(0, 9, "A"), Span(20, 21, "A")])
    assert [one.overlapped for one in judged.predicted] == [2, 0]
    assert [one.overlapped for one in judged.gold] == [1, 1]


def test_nothing_gives_nothing() -> None:
    assert judge_spans([], []) == Judgements((), ())
    assert EXTENTS == ("short", "long", "short-and-long")
