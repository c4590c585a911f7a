"""Pairing two corpora by document id."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scrubjay.corpora.metadata import IGNORE_KEY
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, SpanError
from scrubjay.evaluation.aligned import AlignedCorpora
from scrubjay.evaluation.pairs import Pairing, labelled_pair, require_unpaired
from scrubjay.evaluation.report import evaluate_corpora
from scrubjay.labels import find_label_set
from scrubjay.learning.experiments.cells import score


def corpus(*ids: str) -> list[Document]:
    return [Document(name, f"text of {name}") for name in ids]


@pytest.mark.parametrize("order", ["abc", "cab", "cba"])
def test_pairs_follow_gold_whatever_the_order_of_predicted(order: str) -> None:
    found = [(pair.gold.id, pair.predicted.id) for pair in Pairing(corpus(*"abc"), corpus(*order))]
    assert found == [("a", "a"), ("b", "b"), ("c", "c")]


def test_equal_order_is_streamed() -> None:
    read: list[str] = []

    def watch(documents: list[Document], side: str) -> Iterator[Document]:
        for document in documents:
            read.append(side + document.id)
            yield document

    pairs = iter(Pairing(watch(corpus(*"abc"), "g"), watch(corpus(*"abc"), "p")))
    next(pairs)
    assert read == ["ga", "pa"]
    next(pairs)
    assert read == ["ga", "pa", "gb", "pb"]


def test_a_missing_document_is_an_error() -> None:
    with pytest.raises(InputError, match="'b' of gold is missing from the predicted corpus"):
        list(Pairing(corpus("a", "b"), corpus("a")))
    with pytest.raises(InputError, match="'b' of the predicted corpus is missing from gold"):
        list(Pairing(corpus("a"), corpus("b", "a")))
    with pytest.raises(InputError, match="'c' of the predicted corpus is missing from gold"):
        list(Pairing(corpus("a"), corpus("a", "c")))


def test_unpaired_documents_are_skipped_by_name_and_counted() -> None:
    pairing = Pairing(corpus(*"abcd"), corpus("x", "b", "d", "y"), "skip")
    assert [pair.gold.id for pair in pairing] == ["b", "d"]
    assert (pairing.gold_alone, pairing.predicted_alone) == (2, 2)


REGIONS = Document(
    "n", "Ann saw Bea and Cy today", (Span(0, 3, "DOCTOR"),), {IGNORE_KEY: [[2, 11], [12, 15]]}
)
FOUND = (
    Span(0, 7, "DOCTOR"),  # meets a gold span: wrong borders stay wrong
    Span(8, 11, "PATIENT"),
    Span(11, 13, "PATIENT"),
    Span(14, 24, "PATIENT"),  # has a tenth of its characters in a region
)


def test_what_lies_in_a_region_that_nobody_labelled_is_neither_right_nor_wrong() -> None:
    predicted = REGIONS.with_spans(FOUND)
    pairing = Pairing([REGIONS], [predicted])
    (pair,) = pairing
    assert pair.predicted.spans == (FOUND[0], FOUND[3])
    assert pairing.unlabelled == 2
    assert labelled_pair(REGIONS, predicted) == pair

    report = evaluate_corpora([REGIONS], [predicted], label_set="i2b2-2014")
    assert report.i2b2 is not None
    strict = report.i2b2["Strict"].counts
    assert (strict.tp, strict.fp, strict.fn, report.unlabelled) == (0, 2, 1, 2)
    figures = score([REGIONS], [FOUND], find_label_set("i2b2-2014"))
    assert figures.strict == strict
    compared = AlignedCorpora([REGIONS], {"a": [predicted], "b": [REGIONS]})
    assert [len(one.predicted[0].spans) for one in compared] == [2]
    assert compared.unlabelled == {"a": 2}


def test_a_region_must_be_one() -> None:
    broken = Document("n", "Ann", (), {IGNORE_KEY: [[2, 9]]})
    with pytest.raises(SpanError, match=r"document 'n': the region \[2, 9\)"):
        list(Pairing([broken], [Document("n", "Ann")]))


@pytest.mark.parametrize(
    ("gold", "predicted", "where"), [("aa", "ab", "gold"), ("ab", "aab", "the predicted")]
)
def test_an_id_must_occur_once(gold: str, predicted: str, where: str) -> None:
    with pytest.raises(InputError, match=f"'a' occurs twice in {where}"):
        list(Pairing(corpus(*gold), corpus(*predicted), "skip"))


@pytest.mark.parametrize(
    ("gold", "predicted", "offset"),
    [("Seen by Canary", "Seen by Kanary", 8), ("Canary", "Canary ", 6), ("", "Canary", 0)],
)
def test_texts_that_differ_are_named_by_offset_without_text(
    gold: str, predicted: str, offset: int
) -> None:
    with pytest.raises(InputError, match=f"differ from offset {offset} on") as caught:
        list(Pairing([Document("n", gold)], [Document("n", predicted)]))
    assert "anary" not in str(caught.value)


def test_line_ends_count_as_text() -> None:
    with pytest.raises(InputError, match="differ from offset 1 on"):
        list(Pairing([Document("n", "a\r\nb")], [Document("n", "a\nb")]))


def test_policies_by_name() -> None:
    assert require_unpaired("skip") == "skip"
    with pytest.raises(ConfigError, match="Known: error, skip"):
        require_unpaired("drop")
