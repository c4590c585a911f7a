"""Errors and confusions over documents: every count against the plain oracle."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.analysis._samples import SHAPE_LENGTH
from scrubjay.analysis.errors import (
    CAUSES,
    analyse_errors,
)
from scrubjay.analysis.judging import EXTENTS
from scrubjay.document import Document, Span
from scrubjay.errors import LabelError
from scrubjay.evaluation.matching import match_exact, span_items
from scrubjay.evaluation.pairs import Pair
from scrubjay.labels import find_label_set
from tests.analysis.span_samples import LABELS, corpora, disjoint_pairs, pair_of, span_pairs
from tests.oracles.errors import confused_cells, count_kinds, predicted_kind

I2B2 = find_label_set("i2b2-2014")


def oracle(found: list[Pair]) -> dict[str, dict[tuple[str, str], int]]:
    return count_kinds((pair.gold.spans, pair.predicted.spans) for pair in found)


@settings(max_examples=40)
@given(corpora)
def test_counts_by_label_are_those_of_the_oracle(found: list[Pair]) -> None:
    analysis = analyse_errors(found)
    confusion, wanted = analysis.confusion, oracle(found)
    assert dict(confusion.gold) == wanted["gold"]
    kinds = wanted["predicted"]
    for label in LABELS:
        correct, wrong = (kinds.get((label, kind), 0) for kind in ("correct", "type"))
        assert confusion.cells.get((label, label), 0) == correct
        assert confusion.column_cells(label) == correct + wrong
        assert confusion.spurious.get(label, 0) == kinds.get((label, "spurious"), 0)
        for extent in EXTENTS:
            assert confusion.extent_total(label, extent) == kinds.get((label, extent), 0)
        gold = sum(n for (name, _), n in wanted["gold"].items() if name == label)
        predicted = sum(n for (name, _), n in kinds.items() if name == label)
        assert (confusion.gold_total(label), confusion.system_total(label)) == (gold, predicted)


@settings(max_examples=40)
@given(corpora)
def test_every_error_is_listed_once_where_it_is(found: list[Pair]) -> None:
    analysis = analyse_errors(found)
    listed = Counter(
        (error.document, error.kind, error.extent, error.predicted or error.gold)
        for error in analysis.errors
    )
    wanted: Counter[tuple[str, str, str | None, Span | None]] = Counter()
    for pair in found:
        gold, predicted = set(pair.gold.spans), set(pair.predicted.spans)
        for span in predicted:
            kind = predicted_kind(span, gold)
            extent = kind if kind in EXTENTS else None
            if kind != "correct":
                wanted[pair.gold.id, "extent" if extent else kind, extent, span] += 1
        for span in gold:
            if not any(s.start < span.end and span.start < s.end for s in predicted):
                wanted[pair.gold.id, "missing", None, span] += 1
    assert listed == wanted
    assert sum(analysis.causes.values()) == len(analysis.errors)
    assert sum(analysis.confusion.error_counts().values()) == len(analysis.errors)
    assert analysis.documents == len(found)
    assert analysis.documents_with_errors == len({error.document for error in analysis.errors})


@settings(max_examples=40)
@given(disjoint_pairs)
def test_cells_of_disjoint_spans_are_those_of_the_oracle(pair: Pair) -> None:
    confusion = analyse_errors([pair]).confusion
    assert dict(confusion.cells) == confused_cells(pair.gold.spans, pair.predicted.spans)
    for label in confusion.labels:
        right = sum(confusion.gold.get((label, kind), 0) for kind in ("correct", "type"))
        assert confusion.row_cells(label) == right


@settings(max_examples=40)
@given(span_pairs)
def test_correct_spans_are_the_strict_true_positives(pair: Pair) -> None:
    confusion = analyse_errors([pair]).confusion
    matches = match_exact(span_items(pair.gold.spans, str), span_items(pair.predicted.spans, str))
    for label, (tp, fp, fn) in matches.items():
        assert confusion.cells.get((label, label), 0) == tp
        assert confusion.system_total(label) == tp + fp
        assert confusion.gold_total(label) == tp + fn


@settings(max_examples=40)
@given(span_pairs)
def test_categories_count_as_if_they_were_the_labels(pair: Pair) -> None:
    def grouped(document: Document) -> Document:
        spans = (replace(span, label=I2B2.category(span.label)) for span in document.spans)
        return document.with_spans(spans)

    by_category = analyse_errors([pair], label_set=I2B2).by_category
    wanted = analyse_errors([Pair(grouped(pair.gold), grouped(pair.predicted))]).confusion
    assert by_category is not None
    order = I2B2.main_categories
    assert replace(by_category, labels=()) == replace(wanted, labels=())
    assert list(by_category.labels) == sorted(wanted.labels, key=order.index)


@settings(max_examples=30)
@given(span_pairs, st.integers(0, 9))
def test_nothing_shows_text_unless_it_is_asked_for(pair: Pair, context: int) -> None:
    silent = analyse_errors([pair])
    assert all(not (one.before or one.text or one.after) for one in silent.examples)
    assert silent.record()["examples"] == []
    text = pair.gold.text
    for one in analyse_errors([pair], context=context).examples:
        start, end = one.found.start, one.found.end
        assert one.text == text[start:end]
        assert one.before + one.text + one.after == text[max(0, start - context) : end + context]


def many(size: int) -> list[Pair]:
    gold, predicted = [Span(0, 2, "AGE")], [Span(2, 3, "DATE")]
    return [pair_of(gold, predicted, name=f"{number:03d}") for number in range(size)]


def test_examples_are_a_sample_of_each_cause_whatever_the_order() -> None:
    found = many(50)
    one = analyse_errors(found, examples=5)
    other = analyse_errors(found[::-1], examples=5)
    assert one.examples == other.examples
    assert Counter(example.found.cause for example in one.examples) == {"missing": 5, "spurious": 5}
    chosen = {example.found.document for example in one.examples}
    assert not chosen <= {f"{number:03d}" for number in range(10)}
    assert len(one.errors) == 100
    assert analyse_errors(found, examples=0).examples == ()


def test_labels_count_under_the_spelling_of_their_set() -> None:
    pair = pair_of([Span(0, 3, "doctor")], [Span(0, 3, "DOCTOR"), Span(5, 7, "age")])
    confusion = analyse_errors([pair], label_set=I2B2).confusion
    assert confusion.labels == ("DOCTOR", "AGE")
    assert confusion.cells == {("DOCTOR", "DOCTOR"): 1}
    assert confusion.spurious == {"AGE": 1}


def test_an_unknown_label_is_an_error() -> None:
    with pytest.raises(LabelError, match="'i2b2-2014' has no label 'DOKTER'"):
        analyse_errors([pair_of([Span(0, 3, "DOKTER")], [])], label_set=I2B2)


def test_merged_and_split_spans_are_counted() -> None:
    gold = [Span(0, 2, "AGE"), Span(3, 5, "AGE"), Span(6, 10, "AGE")]
    predicted = [Span(0, 5, "AGE"), Span(6, 7, "AGE"), Span(8, 9, "AGE")]
    analysis = analyse_errors([pair_of(gold, predicted)])
    assert (analysis.merged, analysis.split) == (1, 1)
    assert [error.overlapped for error in analysis.errors] == [2, 1, 1]


def test_places_cover_both_spans_and_shapes_tell_no_text() -> None:
    text = "on 5 August 2060 at Riverdale"
    pair = pair_of([Span(3, 16, "DATE")], [Span(5, 19, "DATE")], text=text)
    (error,) = analyse_errors([pair]).errors
    assert (error.start, error.end, error.cause) == (3, 19, "short-and-long")
    assert error.shape == "0 Aaaaaa 0000 aa"
    assert "August" not in repr(error)
    assert error.record() == {
        "document": "d",
        "kind": "extent",
        "cause": "short-and-long",
        "extent": "short-and-long",
        "gold": {"start": 3, "end": 16, "label": "DATE"},
        "predicted": {"start": 5, "end": 19, "label": "DATE"},
        "overlapped": 1,
        "shape": "0 Aaaaaa 0000 aa",
    }


def test_long_shapes_are_cut() -> None:
    text = "x" * 500
    (error,) = analyse_errors([pair_of([Span(0, 500, "AGE")], [], text=text)]).errors
    assert len(error.shape) == SHAPE_LENGTH
    assert error.shape.endswith("…")


def test_examples_in_a_repr_tell_no_text() -> None:
    (example,) = analyse_errors([pair_of([Span(0, 3, "AGE")], [])], context=9).examples
    assert example.text == "Lee"
    assert "Lee" not in repr(example)


def test_no_documents_have_no_errors() -> None:
    analysis = analyse_errors([])
    assert analysis.causes == dict.fromkeys(CAUSES, 0)
    assert analysis.confusion.labels == ()
    assert analysis.by_category is None
    assert analysis.record()["errors"] == {"type": 0, "extent": 0, "missing": 0, "spurious": 0}
