"""`adapt_model`: by kind of model, what is saved and told, and what is refused."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scrubjay.artifacts import load_artifact, save_artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, LabelError, OutputError
from scrubjay.learning import joining
from scrubjay.learning.adaptation import AdaptationRequest, AdaptationResult, adapt_model
from scrubjay.learning.configs import build_config
from scrubjay.learning.ensemble import EnsembleLearner
from scrubjay.learning.joining import FROZEN, NOTES, choose_by_label
from scrubjay.learning.learners import make_learner
from scrubjay.learning.preparation import silent
from scrubjay.learning.tbed import TbedLearner
from scrubjay.models import load_model
from scrubjay.taggers.ensemble import EnsembleDetector
from tests.corpus_samples import make_notes, write_notes
from tests.tiny_crf import tiny_config
from tests.tiny_ensemble import tiny_table
from tests.tiny_tbed import tiny_rules

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")


@cache
def _trained(kind: str) -> Any:
    notes = make_notes(8, seed=3)
    if kind == "rules":
        return TbedLearner(tiny_rules(), language="en", label_set="i2b2-2014").fit(notes)
    if kind == "crf":
        learner = make_learner(tiny_config(), language="en", label_set="i2b2-2014")
        return learner.fit(notes)
    table = tiny_table("svm" if kind == "stacked" else "union")
    del table["members"]["rules"]
    config: Any = build_config(table, origin="tiny")
    return EnsembleLearner(config, language="en", label_set="i2b2-2014").fit(notes)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with notes and a model of each kind."""
    write_notes(make_notes(9, seed=1), tmp_path / "notes")
    write_notes(make_notes(4, seed=2), tmp_path / "dev")
    return tmp_path


def _adapt(place: Path, kind: str, **settings: Any) -> AdaptationResult:
    fitted = _trained(kind)
    if not (place / kind).exists():
        save_artifact(place / kind, fitted.manifest, files=fitted.files())
    values: dict[str, Any] = {
        "folds": 2,
        "corpora": (place / "notes",),
        "out": place / "mine",
    } | settings
    return adapt_model(AdaptationRequest(model=str(place / kind), **values), progress=silent)


def test_a_crf_is_saved_with_its_parent_and_its_figures(place: Path) -> None:
    result = _adapt(place, "crf", dev=(place / "dev",), seed=3, weight=2.0)
    manifest = load_artifact(place / "mine").manifest
    assert manifest == result.manifest
    facts = manifest.training_data
    parent = (place / "crf" / "manifest.json").read_bytes()
    assert facts["parent"]["manifest-sha256"] == hashlib.sha256(parent).hexdigest()
    assert (facts["documents"], facts["weight"], manifest.seed) == (9, 2.0, 3)
    assert (facts["adaptation"], manifest.kind, manifest.name) == ("weights", "crf", "mine")
    assert manifest.stores_words
    figures = manifest.metrics["adaptation"]
    assert figures["folds"] == 2
    assert figures["after"]["strict"]["f1"] > figures["before"]["strict"]["f1"]
    assert set(manifest.metrics) == {"adaptation", "dev", "dev-before"}
    assert load_model(place / "mine").labels == manifest.labels
    again = _adapt(place, "crf", out=place / "again", dev=(place / "dev",), seed=3, weight=2.0)
    assert replace(again.manifest, name="mine") == replace(manifest, name="mine")


def test_weight_0_leaves_every_figure_as_it_was(place: Path) -> None:
    figures = _adapt(place, "crf", weight=0.0).manifest.metrics["adaptation"]
    assert figures["before"] == figures["after"]


@pytest.mark.parametrize("kind", ["ensemble", "stacked"])
def test_in_an_ensemble_the_crf_alone_changes(place: Path, kind: str) -> None:
    pytest.importorskip("sklearn", reason="training needs the extra `train`")
    assert _adapt(place, kind).way == "weights"
    old, new = (load_artifact(place / name) for name in (kind, "mine"))
    assert set(old.manifest.files) == set(new.manifest.files)
    changed = {
        name for name, digest in old.manifest.files.items() if new.manifest.files[name] != digest
    }
    assert changed
    assert all(name.startswith("crf.") for name in changed)


def test_another_model_is_joined_by_a_crf(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "find_crf_config", lambda name: tiny_config())
    result = _adapt(place, "rules")
    loaded = load_model(place / "mine")
    assert isinstance(loaded, EnsembleDetector)
    assert (result.way, [member.name for member in loaded.members]) == ("join", [FROZEN, NOTES])
    figures = result.manifest.metrics["adaptation"]
    assert figures["after"]["strict"]["f1"] > 0
    theirs = load_artifact(place / "rules").manifest.files
    mine = load_artifact(place / "mine").manifest.files
    assert all(mine[f"{FROZEN}.{name}"] == digest for name, digest in theirs.items())
    # What was joined can be adapted further: now it has a CRF.
    further = AdaptationRequest(
        str(place / "mine"), (place / "dev",), place / "further", folds=2, weight=1.0
    )
    assert adapt_model(further, progress=silent).way == "weights"


def test_the_model_is_believed_where_the_notes_cannot_tell() -> None:
    notes = [
        Document(str(n), "a b c", (Span(0, 1, "DATE"), Span(2, 3, "AGE"))) for n in range(5)
    ] + [Document("5", "a b c", (Span(4, 5, "CITY"),))]
    model = [() for _ in notes]
    crf = [note.spans for note in notes]
    both = choose_by_label(
        notes, (model, crf), ("AGE", "CITY", "DATE", "ZIP"), range(6), own=("AGE", "CITY", "DATE")
    )
    assert both.choice == {"AGE": NOTES, "CITY": FROZEN, "DATE": NOTES, "ZIP": NOTES}
    equal = choose_by_label(notes, (crf, crf), ("AGE",), range(6), own=("AGE",))
    assert equal.choice == {"AGE": FROZEN}


def _write(place: Path, notes: list[Document]) -> tuple[Path, ...]:
    write_notes(notes, place / "other")
    return (place / "other",)


def test_what_is_refused(place: Path) -> None:
    few = [*make_notes(1, seed=1), Document("empty", "nothing")]
    with pytest.raises(InputError, match="1 of the 2 notes have labelled PHI"):
        _adapt(place, "crf", corpora=_write(place, few))
    with pytest.raises(ConfigError, match=r"notes are in 'nl', and .* is a model for 'en'"):
        _adapt(place, "crf", language="nl")
    with pytest.raises(ConfigError, match="no CRF whose weights could move"):
        _adapt(place, "rules", weight=1.0)
    with pytest.raises(ConfigError, match="folds of the notes tell"):
        _adapt(place, "rules", folds=0)
    with pytest.raises(ConfigError, match=r"--folds must be at least 2, or 0.*Give 0"):
        _adapt(place, "crf", folds=1)
    with pytest.raises(ConfigError, match="weight must be"):
        _adapt(place, "crf", weight=-1.0)
    with pytest.raises(InputError, match="dev documents stand in the training corpus"):
        _adapt(place, "crf", dev=(place / "notes",))
    with pytest.raises(InputError, match="patient"):
        _adapt(place, "crf", patient_key="id:(x+)")
    alone = make_notes(2, seed=1)
    alone[1] = replace(alone[0], id="copy")
    write_notes(alone, place / "alone")
    with pytest.raises(InputError, match="cannot be cut into two folds"):
        _adapt(place, "rules", corpora=(place / "alone",))
    with pytest.raises(OutputError, match="inside the folder of the input"):
        _adapt(place, "crf", out=place / "notes" / "mine")
    with pytest.raises(OutputError, match="inside the folder of the input"):
        _adapt(place, "crf", dev=(place / "dev",), out=place / "dev" / "mine")
    (place / "mine").mkdir()
    (place / "mine" / "file").write_text("taken")
    with pytest.raises(OutputError, match="no model"):
        _adapt(place, "crf")


def test_labels_of_another_set_are_refused_and_unlearned_ones_are_not(place: Path) -> None:
    notes = make_notes(4, seed=4)
    for label, number in (("FECHAS", 0), ("VEHICLE", 1)):
        odd = [replace(note, id=f"{note.id}{number}") for note in notes]
        odd = [d.with_spans([*d.spans[1:], replace(d.spans[0], label=label)]) for d in odd]
        write_notes(odd, place / label)
    with pytest.raises(LabelError, match=r"label 'FECHAS', which the model cannot have \(.*i2b2"):
        _adapt(place, "crf", corpora=(place / "FECHAS",))
    # What is wrong with the label is told before what is wrong with their number.
    write_notes([replace(odd[0], spans=(Span(2, 4, "DOKTOR"),))], place / "one")
    told = rf"\Adocument '{odd[0].id}', \[2, 4\): .*'DOKTOR'.*--label-map SOURCE:i2b2-2014"
    with pytest.raises(LabelError, match=told):
        _adapt(place, "crf", corpora=(place / "one",))
    result = _adapt(place, "crf", corpora=(place / "VEHICLE",))
    assert "VEHICLE" in result.manifest.labels
