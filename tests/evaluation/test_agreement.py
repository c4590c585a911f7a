"""Agreement between annotators: worked examples, and plain oracles on random spans."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.evaluation.agreement import (
    ALL_LABELS,
    ANY_LABEL,
    AgreementReport,
    Matched,
    match_annotators,
    measure_agreement,
    to_json,
)
from scrubjay.evaluation.annotators import Annotator, Panel
from scrubjay.evaluation.counts import Counts, mean_of
from scrubjay.evaluation.kappa import cohen_kappa, fleiss_of
from scrubjay.evaluation.matching import match_exact, span_items
from scrubjay.labels import find_label_set
from scrubjay.text.tokenizers import make_tokenizer
from tests.oracles import agreement as oracle
from tests.strategies import texts

LABELS = ("PATIENT", "DOCTOR", "DATE")


@st.composite
def loose_spans(draw: st.DrawFn, text: str) -> tuple[Span, ...]:
    """Spans that may overlap, nest, repeat and touch white space."""
    if not text:
        return ()
    starts = draw(st.lists(st.integers(0, len(text) - 1), max_size=5))
    return tuple(
        Span(
            start,
            draw(st.integers(start + 1, min(len(text), start + 12))),
            draw(st.sampled_from(LABELS)),
        )
        for start in starts
    )


@st.composite
def corpora(draw: st.DrawFn, *, most: int = 3) -> list[list[Document]]:
    """The documents of two or more annotators, who may agree by copying."""
    annotators = draw(st.integers(2, most))
    found: list[list[Document]] = [[] for _ in range(annotators)]
    for number in range(draw(st.integers(1, 3))):
        text = draw(texts(max_pieces=5))
        spans = draw(loose_spans(text))
        for documents in found:
            documents.append(Document(f"d{number}", text, spans))
            if draw(st.booleans()):
                spans = draw(loose_spans(text))
    return found


def measure(corpora: list[list[Document]], **settings: Any) -> AgreementReport:
    panel = Panel([Annotator(f"a{n}", one) for n, one in enumerate(corpora)], **settings)
    return measure_agreement(panel)


def close(found: float | None, expected: float | None) -> bool:
    if found is None or expected is None:
        return found is expected
    return found == pytest.approx(expected, abs=1e-9)


def add_up(first: list[Document], second: list[Document], label: str | None, mode: str) -> Matched:
    total = Matched()
    for one, other in zip(first, second, strict=True):
        total += Matched(*oracle.matched(one, other, label, mode))
    return total


@given(data=corpora())
@settings(max_examples=60)
def test_spans_match_as_the_oracle_counts(data: list[list[Document]]) -> None:
    report = measure(data)
    pairs = list(combinations(range(len(data)), 2))
    assert len(report.pairs) == len(pairs)
    for pair, (i, j) in zip(report.pairs, pairs, strict=True):
        used = {span.label for one in (data[i], data[j]) for doc in one for span in doc.spans}
        assert [row.label for row in pair.labels] == sorted(used)
        rows = [(row, row.label) for row in pair.labels] + [(pair.any_label, None)]
        for row, label in rows:
            for mode in ("strict", "relaxed", "overlap"):
                assert getattr(row, mode) == add_up(data[i], data[j], label, mode)
        whole = sum((row.strict for row in pair.labels), Matched())
        assert pair.all_labels.strict == whole


@given(data=corpora())
@settings(max_examples=40)
def test_kappa_is_that_of_the_oracle(data: list[list[Document]]) -> None:
    report = measure(data)
    tokenizer = make_tokenizer(report.tokenizer)
    columns: list[list[str]] = [[] for _ in data]
    for versions in zip(*data, strict=True):
        tokens = tokenizer.tokenize(versions[0].text)
        for column, version in zip(columns, versions, strict=True):
            column += oracle.token_labels(tokens, version.spans)
    for pair, (i, j) in zip(report.pairs, combinations(range(len(data)), 2), strict=True):
        judged = list(zip(columns[i], columns[j], strict=True))
        marked = [one for one in judged if any(one)]
        blind = [(str(bool(a)), str(bool(b))) for a, b in judged]
        assert (pair.tokens.tokens, pair.tokens.marked) == (len(judged), len(marked))
        assert close(pair.tokens.all, oracle.cohen(judged))
        assert close(pair.tokens.among_marked, oracle.cohen(marked))
        assert close(pair.tokens.any_label, oracle.cohen(blind))
        for row in pair.labels:
            single = [(str(a == row.label), str(b == row.label)) for a, b in judged]
            assert close(row.kappa, oracle.cohen(single))
    if len(data) == 2:
        assert report.fleiss is None
    else:
        assert report.fleiss is not None
        items = list(zip(*columns, strict=True))
        assert close(report.fleiss.all, oracle.fleiss(items))
        assert close(report.fleiss.among_marked, oracle.fleiss([row for row in items if any(row)]))
        assert report.fleiss.tokens == len(items)


@given(data=corpora(most=2))
@settings(max_examples=40)
def test_strict_f1_is_that_of_evaluate_whoever_is_gold(data: list[list[Document]]) -> None:
    total = Counts()
    for one, other in zip(*data, strict=True):
        items = span_items(one.spans, str), span_items(other.spans, str)
        for row in match_exact(*items).values():
            total += Counts(*row)
    assert close(measure(data).pairs[0].all_labels.strict.f1, total.f1)
    assert close(measure(data[::-1]).pairs[0].all_labels.strict.f1, total.f1)


@given(data=corpora(most=2))
@settings(max_examples=30)
def test_looser_modes_never_agree_less(data: list[list[Document]]) -> None:
    for row in measure(data).pairs[0].labels:
        assert row.strict.first_matched <= row.relaxed.first_matched <= row.overlap.first_matched


def test_an_annotator_agrees_wholly_with_a_copy() -> None:
    corpus = [Document("a", "Seen by Lee on 3/4", (Span(8, 11, "DOCTOR"), Span(15, 18, "DATE")))]
    report = measure([corpus, corpus, corpus])
    assert report.fleiss is not None
    assert report.fleiss.all == report.mean_kappa.all == 1.0
    assert {row.strict for row in report.means} == {1.0}
    assert report.spans == (2, 2, 2)


def test_cohen_by_hand() -> None:
    # The table of two annotators with 20 and 15 agreements, 5 and 10 disagreements:
    # observed 0.7, expected 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    counts = Counter({(1, 1): 20, (1, 0): 5, (0, 1): 10, (0, 0): 15})
    assert cohen_kappa(counts) == pytest.approx(0.4)


def test_kappa_without_denominator_is_none() -> None:
    assert cohen_kappa(Counter()) is None
    assert cohen_kappa(Counter({(0, 0): 7})) is None
    assert fleiss_of(Counter()) is None
    assert fleiss_of(Counter({(0, 0, 0): 7})) is None


def test_kappa_of_opposite_judgements_is_minus_one() -> None:
    assert cohen_kappa(Counter({(0, 1): 5, (1, 0): 5})) == -1.0


def test_relaxed_allows_ends_to_differ_by_two() -> None:
    first = {("DATE", 0, 8), ("DATE", 20, 28), ("DATE", 40, 48)}
    second = {("DATE", 0, 10), ("DATE", 20, 31), ("DATE", 41, 48)}
    strict, relaxed, overlap = match_annotators(first, second)["DATE"]
    assert (strict.f1, overlap.f1) == (0.0, 1.0)
    assert relaxed.f1 == pytest.approx(1 / 3)


def test_nothing_marked_has_no_figures() -> None:
    corpus = [Document("a", "Nothing here.")]
    report = measure([corpus, corpus])
    assert report.mean(ALL_LABELS).strict is None
    assert report.mean(ANY_LABEL).overlap is None
    assert (report.mean_kappa.all, report.mean_kappa.tokens) == (None, 3)
    with pytest.raises(KeyError):
        report.mean("DATE")


def test_each_pair_is_compared_on_the_documents_that_both_have() -> None:
    date, name = Span(0, 4, "DATE"), Span(5, 8, "DOCTOR")
    one, two = Document("one", "2019 Lee", (date,)), Document("two", "2018 Roe", (name,))
    report = measure([[one, two], [one], [two]], unpaired="skip")
    assert [pair.documents for pair in report.pairs] == [1, 1, 0]
    assert report.shared_documents == 0
    assert report.fleiss is not None
    assert report.fleiss.all is None
    assert report.mean(ALL_LABELS).strict == 1.0


def test_labels_stand_in_the_order_of_the_label_set() -> None:
    spans = (Span(0, 1, "DATE"), Span(1, 2, "PATIENT"), Span(2, 3, "DOCTOR"))
    corpus = [Document("a", "abc", spans)]
    report = measure([corpus, corpus], label_set=find_label_set("i2b2-2014"))
    order = [row.label for row in report.means]
    assert order == ["PATIENT", "DOCTOR", "DATE", ALL_LABELS, ANY_LABEL]


def test_the_mean_passes_over_what_is_not_defined() -> None:
    assert mean_of([0.5, None, 1.0]) == 0.75
    assert mean_of([None]) is None


def test_json_holds_every_figure() -> None:
    corpus = [Document("a", "Seen by Lee", (Span(8, 11, "DOCTOR"),))]
    other = [Document("a", "Seen by Lee", (Span(5, 11, "DOCTOR"),))]
    found = json.loads(json.dumps(to_json(measure([corpus, other]))))
    (pair,) = found["pairs"]
    assert pair["annotators"] == ["a0", "a1"]
    assert [row["label"] for row in pair["labels"]] == ["DOCTOR", ALL_LABELS, ANY_LABEL]
    assert pair["labels"][0]["strict"] == {
        "first": 1,
        "second": 1,
        "first_matched": 0,
        "second_matched": 0,
        "f1": 0.0,
    }
    assert pair["labels"][0]["overlap"]["f1"] == 1.0
    assert found["fleiss_kappa"] is None
    assert found["mean_token_kappa"]["tokens"] == 3
