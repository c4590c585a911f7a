"""What is in a region to ignore cannot influence what any learner learns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrubjay.artifacts import load_artifact
from scrubjay.corpora import write_corpus
from scrubjay.corpora.metadata import IGNORE_KEY
from scrubjay.document import Document, Span
from scrubjay.learning.configs import find_config
from scrubjay.learning.copies import add_copies
from scrubjay.learning.ensemble import EnsembleLearner
from scrubjay.learning.learners import make_learner
from scrubjay.learning.tbed import TbedLearner
from scrubjay.learning.training import TrainingRequest, train_model
from tests.corpus_samples import make_notes, write_notes
from tests.tiny_crf import TINY
from tests.tiny_ensemble import tiny_ensemble
from tests.tiny_tbed import tiny_rules


def ignoring(note: Document, words: str) -> Document:
    """Return a note with a line before it that names someone nobody labelled, and ignores it."""
    line = f"Talked to {words} about it.\n"
    start = line.index(words)
    spans = tuple(replace(s, start=s.start + len(line), end=s.end + len(line)) for s in note.spans)
    regions = [[start, start + len(words)]]
    return Document(note.id, line + note.text, spans, {IGNORE_KEY: regions})


def _learner(kind: str, place: Path) -> Any:
    if kind == "tbed":
        return TbedLearner(tiny_rules(), language="en", label_set="i2b2-2014")
    if kind == "ensemble":
        return EnsembleLearner(tiny_ensemble(), language="en", label_set="i2b2-2014")
    (place / "tiny.toml").write_text(TINY)
    config = find_config(str(place / "tiny.toml"))
    return make_learner(config, language="en", label_set="i2b2-2014")


@pytest.mark.parametrize("kind", ["crf", "tbed", "ensemble"])
def test_models_are_those_of_the_text_without_the_regions(kind: str, tmp_path: Path) -> None:
    if kind != "tbed":
        pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
        pytest.importorskip("sklearn", reason="training needs the extra `train`")
    learner = _learner(kind, tmp_path)
    notes = make_notes(12, seed=1)
    plain = learner.fit(notes)
    for words in ("Quixote Bury", "Anna Zzyzx on 3/4/2011"):
        ignored = learner.fit([ignoring(note, words) for note in notes])
        assert ignored.files() == plain.files()
        assert ignored.manifest.training_data == plain.manifest.training_data


def test_copies_know_nothing_of_regions() -> None:
    notes = make_notes(5, seed=1)
    asked: dict[str, Any] = {"language": "en", "label_set": None, "seed": 4}
    ignored = add_copies([ignoring(note, "Quixote Bury") for note in notes], 2, **asked)
    plain = add_copies(notes, 2, **asked)
    assert [(d.id, d.text, d.spans) for d in ignored] == [(d.id, d.text, d.spans) for d in plain]


def test_a_training_by_weights_tells_of_its_sources(tmp_path: Path) -> None:
    pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    write_notes(make_notes(10, seed=1), tmp_path / "a")
    write_corpus(
        [ignoring(n, "Quixote Bury") for n in make_notes(8, seed=2)], tmp_path / "b", format="jsonl"
    )
    for seed, name in ((3, "dev-a"), (4, "dev-b")):
        write_notes(make_notes(4, seed=seed), tmp_path / name)
    (tmp_path / "tiny.toml").write_text(TINY)
    request = TrainingRequest(
        corpora=(tmp_path / "a", tmp_path / "b"),
        weights=(2.0, 0.5),
        out=tmp_path / "model",
        config=str(tmp_path / "tiny.toml"),
        language="en",
        dev=(tmp_path / "dev-a", tmp_path / "dev-b"),
    )
    train_model(request, progress=lambda stage, share: None)
    manifest = load_artifact(tmp_path / "model").manifest
    sources = manifest.training_data["sources"]
    assert [s["name"] for s in sources] == ["a", "b"]
    assert [(s["documents"], s["weight"], s["documents-used"]) for s in sources] == [
        (10, 2.0, 20),
        (8, 0.5, 4),
    ]
    ignored = 8 * len("Talked to Quixote Bury about it.\n")
    assert [s["ignored-characters"] for s in sources] == [0, ignored]
    assert manifest.training_data["documents"] == 24
    assert [f["documents"] for f in manifest.metrics["dev-sources"].values()] == [4, 4]
    assert manifest.metrics["dev"]["documents"] == 8


def test_a_span_stays_on_its_words() -> None:
    note = ignoring(Document("n", "Seen by Bo.\n", (Span(8, 10, "DOCTOR"),)), "Quixote")
    (left,) = add_copies([note], 0, language="en", label_set=None, seed=0)
    assert [left.text[s.start : s.end] for s in left.spans] == ["Bo"]
