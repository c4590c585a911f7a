"""The documents of an experiment: read, checked, split by groups."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from scrubjay.corpora.splits import Share
from scrubjay.document import Document, Span
from scrubjay.errors import InputError, LabelError
from scrubjay.learning.experiments.data import ExperimentData, Grouping, read_data
from tests.corpus_samples import make_notes, write_notes
from tests.learning.experiments.samples import make_data

HALVES = (Share("one", Fraction(1, 2)), Share("other", Fraction(1, 2)))


def test_corpora_are_read_into_pools(tmp_path: Path) -> None:
    for seed, name in enumerate(("a", "b", "dev", "test")):
        write_notes(make_notes(3, seed=seed), tmp_path / name)
    data = read_data([tmp_path / "a", tmp_path / "b"], dev=tmp_path / "dev", test=tmp_path / "test")
    assert (data.train, data.dev, data.test) == ((0, 1, 2, 3, 4, 5), (6, 7, 8), (9, 10, 11))
    assert data.label_set_name == "i2b2-2014"
    assert data.scored == data.test
    assert data.seen == data.dev
    identity = data.identity()
    assert identity["train"]["documents"] == 6
    assert len({identity[pool]["fingerprint"] for pool in ("train", "dev", "test")}) == 3


def test_without_a_test_corpus_nobody_sees_dev(tmp_path: Path) -> None:
    data = make_data()
    assert data.scored == data.dev
    assert data.seen == ()


def test_documents_that_are_trained_on_are_not_scored(tmp_path: Path) -> None:
    write_notes(make_notes(3), tmp_path / "a")
    write_notes(make_notes(4, seed=9), tmp_path / "b")
    with pytest.raises(InputError, match="3 dev documents stand in the training corpus"):
        read_data([tmp_path / "a"], dev=tmp_path / "a")
    with pytest.raises(InputError, match="4 dev documents stand in the training corpus"):
        read_data([tmp_path / "a"], dev=tmp_path / "b", test=tmp_path / "b")
    with pytest.raises(LabelError):
        read_data([tmp_path / "a"], label_set="meddocan")


def test_groups_stay_together() -> None:
    notes = make_notes(12)
    documents = [Document(f"{n // 3}-{n % 3}", d.text, d.spans) for n, d in enumerate(notes)]
    data = ExperimentData(tuple(documents), train=tuple(range(12)))
    parts = data.split(data.train, HALVES, seed=1, grouping=Grouping())
    assert sorted(n for members in parts.values() for n in members) == list(data.train)
    patients = [{documents[n].id[0] for n in members} for members in parts.values()]
    assert not patients[0] & patients[1]
    assert data.split(data.train, HALVES, seed=1, grouping=Grouping()) == parts
    with pytest.raises(InputError, match="tells no patient"):
        data.split(data.train, HALVES, seed=1, grouping=Grouping(key="id:([a-z]+)"))


def test_a_part_without_documents_is_refused() -> None:
    data = make_data(train=1)
    with pytest.raises(InputError, match=r"would be empty.*1 document in 1 group\."):
        data.split(data.train, HALVES, seed=0, grouping=Grouping())


def test_a_corpus_without_phi_cannot_be_scored_on() -> None:
    empty = ExperimentData((Document("a", "text"), Document("b", "t", (Span(0, 1, "AGE"),))), (1,))
    with pytest.raises(InputError, match="nothing to score on"):
        empty.require_scored()
    with pytest.raises(InputError, match="has no PHI"):
        ExperimentData(empty.documents, (1,), dev=(0,)).require_scored()
