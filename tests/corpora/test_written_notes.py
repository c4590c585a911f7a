"""The notes in `corpora/`, which models learn from: their labels, borders and repeated names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scrubjay.corpora import read_corpus
from scrubjay.document import Document
from scrubjay.labels import find_label_set, kind_of

FOLDER = Path(__file__).parents[2] / "corpora"
FILES = [
    ("written-en", "i2b2-2014", 1_500),
    ("written-nl", "trienes-2020", 1_500),
    ("written-es", "meddocan", 2_500),
]
#: Words of a name that stand elsewhere in their note as something else: Foley, "geen Piet".
OTHERWISE = 0.004


def load(name: str) -> list[Document]:
    """Return the notes to train on, and those that were set aside for choices and for tests."""
    parts = ("train", "dev", "test")
    return [each for part in parts for each in read_corpus(FOLDER / name / f"{part}.jsonl")]


@pytest.mark.parametrize(("name", "label_set", "least"), FILES)
def test_notes_are_labelled_as_their_label_set_says(name: str, label_set: str, least: int) -> None:
    labels = set(find_label_set(label_set).labels)
    documents = load(name)
    assert len(documents) >= least
    assert len({document.text for document in documents}) == len(documents)
    assert len({document.id for document in documents}) == len(documents)
    for document in documents:
        assert {span.label for span in document.spans} <= labels, document.id
        for span in document.spans:
            mention = document.text[span.start : span.end]
            assert mention == mention.strip(), (document.id, span.start)
            assert mention[-1] not in ",;:", (document.id, span.start)


@pytest.mark.parametrize(("name", "label_set", "least"), FILES)
def test_a_name_is_labelled_wherever_it_stands(name: str, label_set: str, least: int) -> None:
    found = missed = 0
    for document in load(name):
        words = {
            word
            for span in document.spans
            if kind_of(label_set, span.label) == "name"
            for word in re.findall(r"[^\W\d_]{4,}", document.text[span.start : span.end])
            if word[0].isupper()
        }
        inside = {place for span in document.spans for place in range(span.start, span.end)}
        for word in words:
            for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", document.text):
                found += 1
                missed += match.start() not in inside
    assert found > 1_000
    assert missed / found < OTHERWISE
