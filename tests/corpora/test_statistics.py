"""Counting a corpus: every figure against a plain count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora import read_corpus
from scrubjay.corpora.statistics import CorpusStatistics, describe_corpus, misaligned_borders
from scrubjay.document import Document, Span
from scrubjay.errors import LabelError
from scrubjay.labels import find_label_set
from scrubjay.text.tokenizers import TOKENIZERS, make_tokenizer
from tests import strategies as own

DOCUMENTS = [
    Document(
        "a",
        "Dr.Smith saw Ann Lee on 3/4.",
        (Span(3, 8, "DOCTOR"), Span(13, 20, "PATIENT"), Span(24, 27, "DATE")),
    ),
    Document("b", "Ann Lee, 3/4 and 3/5", (Span(0, 7, "PATIENT"), Span(9, 12, "DATE"))),
    Document("c", "nobody here"),
    Document("d", ""),
]


def _describe(documents: list[Document], *, label_set: str | None = None) -> CorpusStatistics:
    tokenizers = {name: make_tokenizer(name) for name in ("whitespace", "subword")}
    chosen = find_label_set(label_set) if label_set else None
    return describe_corpus(iter(documents), tokenizers, label_set=chosen)


def test_the_figures_of_a_small_corpus() -> None:
    found = _describe(DOCUMENTS)
    assert (found.documents, found.documents_without_phi) == (4, 2)
    assert (found.phi, found.unique_phi) == (5, 3)
    assert found.characters == sum(len(document.text) for document in DOCUMENTS)
    assert found.label_set == "i2b2-2014"
    shown = [
        (category.total.name, count.name, count.phi, count.unique, count.documents)
        for category in found.categories
        for count in (category.total, *category.labels)
    ]
    assert shown == [
        ("NAME", "NAME", 3, 2, 2),
        ("NAME", "PATIENT", 2, 1, 2),
        ("NAME", "DOCTOR", 1, 1, 1),
        ("DATE", "DATE", 2, 1, 2),
        ("DATE", "DATE", 2, 1, 2),
    ]
    plain, subword = found.tokenizers
    assert (plain.name, plain.tokens, plain.vocabulary, plain.sentences) == (
        "whitespace",
        13,
        12,
        3,
    )
    assert (plain.misaligned, plain.phi, plain.misaligned_share) == (3, 5, 0.6)
    assert (subword.misaligned, subword.misaligned_share) == (0, 0.0)


def test_labels_of_no_known_set_are_their_own_categories() -> None:
    documents = [Document("a", "x y", (Span(0, 1, "ODD"), Span(2, 3, "DATE")))]
    found = _describe(documents)
    assert found.label_set is None
    assert [category.total.name for category in found.categories] == ["DATE", "ODD"]


def test_a_label_that_the_named_set_lacks_is_an_error() -> None:
    with pytest.raises(LabelError):
        _describe(DOCUMENTS, label_set="meddocan")


def test_a_corpus_without_phi_has_no_share() -> None:
    found = _describe([Document("c", "nobody here")])
    assert found.categories == ()
    assert found.tokenizers[0].misaligned_share is None
    assert _describe([]).documents == 0


def test_the_json_holds_counts_and_no_text() -> None:
    text = json.dumps(_describe(DOCUMENTS).to_json())
    assert "Smith" not in text
    assert "Ann" not in text
    assert json.loads(text)["tokenizers"][0]["misaligned_share"] == 0.6
    assert json.loads(text)["categories"][0]["labels"][1]["name"] == "DOCTOR"


def test_the_corpus_is_read_once_and_lazily() -> None:
    alive = 0

    def stream() -> Iterator[Document]:
        nonlocal alive
        for document in DOCUMENTS:
            alive += 1
            yield document

    describe_corpus(stream(), {})
    assert alive == len(DOCUMENTS)


@given(own.documents(), st.sampled_from(TOKENIZERS))
@settings(max_examples=100)
def test_torn_phi_equal_a_plain_count(document: Document, name: str) -> None:
    tokens = make_tokenizer(name).tokenize(document.text)
    inside: set[int] = set()
    for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        inside.update(range(start + 1, end))
    expected = sum(span.start in inside or span.end in inside for span in document.spans)
    starts = [span.start for span in document.spans]
    ends = [span.end for span in document.spans]
    assert misaligned_borders(tokens, starts, ends) == expected


@pytest.mark.parametrize(
    ("corpus", "highest"),
    [
        ("meddocan/train/brat", {"wi-deid": 0.004, "jiang": 0.002, "subword": 0.0005}),
        ("en-notes/train/brat", {"wi-deid": 0.02, "jiang": 0.011, "subword": 0.005}),
        ("nl-notes/train", {"wi-deid": 0.003, "jiang": 0.0015, "subword": 0.001}),
    ],
)
def test_tokenizers_tear_few_phi_of_the_corpora(
    shared: Path, corpus: str, highest: dict[str, float]
) -> None:
    tokenizers = {name: make_tokenizer(name, sentences="none") for name in highest}
    found = describe_corpus(read_corpus(shared / "corpora" / corpus), tokenizers)
    for count in found.tokenizers:
        assert count.misaligned_share is not None
        assert count.misaligned_share <= highest[count.name], count.name
