"""Saved recurrent taggers: what is kept, and what is refused."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import encode_array
from scrubjay.document import Document
from scrubjay.errors import ArtifactError
from scrubjay.models import audit_model, load_model
from scrubjay.taggers._decoding.chain_detector import ChainDetector
from scrubjay.taggers._recurrent import scores as _bilstm_scores
from tests.corpus_samples import make_notes, scored

pytest.importorskip("onnxruntime", reason="recurrent taggers need the extra `neural`")
pytest.importorskip("onnx", reason="building networks needs the extra `train`")

from scrubjay.taggers.bilstm import (
    BilstmDetector,
    BilstmModel,
    BilstmTagger,
    load_bilstm,
    model_files,
    stored_words,
)
from tests.taggers.bilstm_samples import save, with_names
from tests.tiny_bilstm import Weights, draw_weights, sequence_graph, tiny_detector


def test_a_saved_model_finds_the_same_and_is_saved_the_same(
    detector: BilstmDetector, notes: list[Document], tmp_path: Path
) -> None:
    save(detector, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    assert isinstance(loaded, ChainDetector)
    assert isinstance(loaded.tagger, BilstmTagger)
    assert scored(loaded.detect(notes)) == scored(detector.detect(notes))
    assert loaded.files() == detector.files()
    assert sorted(detector.files()) == [
        "inputs.json", "sequence.onnx", "transitions.npy", "words.onnx",
    ]  # fmt: skip


def test_the_dial_is_saved_in_the_configuration(detector: BilstmDetector, tmp_path: Path) -> None:
    manifest = replace(detector.manifest, config={"recall-dial": 1.25})
    turned = BilstmDetector(detector.tokenizer, detector.tagger, manifest=manifest)
    assert load_bilstm(save(turned, tmp_path / "m")).tagger.dial == 1.25


def test_stored_words_are_vocabulary_values_and_dictionaries(
    detector: BilstmDetector, tmp_path: Path
) -> None:
    words = list(stored_words(save(detector, tmp_path / "m")))
    assert words == sorted(set(words))
    inputs = detector.tagger.model.inputs
    assert set(inputs.vocabulary) <= set(words)
    for name in inputs.encoder.alphabets:
        assert set(inputs.encoder.values_of(name)) <= set(words)
    assert "millbrook" in words
    audit = audit_model(tmp_path / "m", corpus=make_notes(10, seed=1))
    assert audit.consistent
    assert audit.stored_mention_words["CITY"] > 0


def test_a_vocabulary_with_gaps_is_not_saved(model: BilstmModel) -> None:
    inputs = pickle.loads(pickle.dumps(model.inputs))
    inputs.vocabulary["absent"] = 10_000
    with pytest.raises(ValueError, match="without gaps"):
        model_files(replace(model, inputs=inputs))


@pytest.mark.parametrize("name", ["words.onnx", "sequence.onnx"])
@pytest.mark.parametrize("content", [b"", b"no network", None])
def test_a_broken_network_is_refused(
    name: str, content: bytes | None, detector: BilstmDetector, tmp_path: Path
) -> None:
    whole = detector.files()[name]
    broken = whole[: len(whole) // 2] if content is None else content
    with pytest.raises(ArtifactError, match=r"m: .*cannot be loaded.*Copy the model again"):
        load_bilstm(save(detector, tmp_path / "m", **{name: broken}))


def test_networks_in_each_others_place_are_refused(
    detector: BilstmDetector, tmp_path: Path
) -> None:
    words, sequence = detector.files()["words.onnx"], detector.files()["sequence.onnx"]
    for number, (one, other) in enumerate(((words, words), (sequence, words))):
        changes = with_names(words__onnx=one, sequence__onnx=other)
        with pytest.raises(ArtifactError, match="not those of one model: a network asks for"):
            load_bilstm(save(detector, tmp_path / str(number), **changes))


@pytest.mark.parametrize("table", ["words", "characters", "features"])
@pytest.mark.parametrize("change", [-1, 1])
def test_a_vocabulary_of_another_model_is_refused(
    change: int, table: str, detector: BilstmDetector, tmp_path: Path
) -> None:
    description = json.loads(detector.files()["inputs.json"])
    values = (
        description["features"]["alphabets"]["suffix2"]
        if table == "features"
        else description[table]
    )
    if change < 0:
        values.pop()
    else:
        values.append("\u2603\u2603")
    changed = json.dumps(description).encode()
    with pytest.raises(ArtifactError, match=rf"another number of {table}\. Copy all files"):
        load_bilstm(save(detector, tmp_path / "m", **with_names(inputs__json=changed)))


def test_networks_of_other_sizes_are_refused(
    detector: BilstmDetector, model: BilstmModel, tmp_path: Path
) -> None:
    inputs, tags = model.inputs, model.tag_count
    for number, (weights, what) in enumerate(
        (
            (draw_weights(inputs, tags=tags + 1), "another number of tags"),
            (draw_weights(inputs, tags=tags, dimension=7), "do not run together"),
        )
    ):
        changes = with_names(sequence__onnx=sequence_graph(weights, inputs))
        with pytest.raises(ArtifactError, match=rf"not those of one model: .*{what}"):
            load_bilstm(save(detector, tmp_path / str(number), **changes))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("inputs.json", b"{}"),
        ("inputs.json", b"[]"),
        ("transitions.npy", encode_array(np.zeros(3))),
        ("transitions.npy", encode_array(np.zeros((3, 3)))),
    ],
)
def test_parts_that_do_not_fit_are_refused(
    name: str, content: bytes, detector: BilstmDetector, tmp_path: Path
) -> None:
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_bilstm(save(detector, tmp_path / "m", **{name: content}))


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_moves_that_are_no_scores_are_refused(
    odd: float, detector: BilstmDetector, tmp_path: Path
) -> None:
    moves = detector.tagger.model.transitions.copy()
    moves[0, -1] = odd
    changes = with_names(transitions__npy=encode_array(moves))
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_bilstm(save(detector, tmp_path / "m", **changes))


@pytest.mark.parametrize(
    ("section", "value"),
    [("windows", {"size": -1, "context": 0}), ("longest", 0), ("longest", True), ("form", "odd")],
)
def test_settings_that_cannot_be_are_refused(
    section: str, value: Any, detector: BilstmDetector, tmp_path: Path
) -> None:
    description = json.loads(detector.files()["inputs.json"]) | {section: value}
    changes = with_names(inputs__json=json.dumps(description).encode())
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_bilstm(save(detector, tmp_path / "m", **changes))


def test_no_error_holds_words_of_the_model_or_text(
    detector: BilstmDetector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A canary in vocabulary and text appears in no message, cause or repr."""
    description = json.loads(detector.files()["inputs.json"])
    description["words"].append("xcanaryx")
    changes = with_names(inputs__json=json.dumps(description).encode())
    with pytest.raises(ArtifactError) as caught:
        load_bilstm(save(detector, tmp_path / "m", **changes))
    error: BaseException | None = caught.value
    while error is not None:
        assert "canary" not in f"{error!r} {error}"
        error = error.__cause__ or error.__context__

    def fail(*arguments: Any) -> None:
        raise RuntimeError("a network failed")

    monkeypatch.setattr(_bilstm_scores, "run_words", fail)
    with pytest.raises(RuntimeError) as failed:
        detector.detect([Document("a", "Xcanaryx was here")])
    assert "canary" not in f"{failed.value!r}"
    assert "canary" not in repr(detector.tagger.model.inputs) + repr(detector.tagger.model)[:60]


@pytest.mark.parametrize("stated", [None, "{}", "[]", "much"])
def test_a_network_that_does_not_state_its_sizes_is_refused(
    stated: str | None, model: BilstmModel
) -> None:
    import onnx

    graph = onnx.load_from_string(model.words)
    onnx.helper.set_model_props(graph, {} if stated is None else {"sizes": stated})
    with pytest.raises(ArtifactError, match="states no sizes"):
        BilstmTagger(replace(model, words=graph.SerializeToString()))


# Contextual embeddings


def test_contextual_models_are_saved_under_a_prefix(
    contextual: tuple[BilstmModel, Weights], notes: list[Document], tmp_path: Path
) -> None:
    detector = tiny_detector(contextual[0])
    artifact = save(detector, tmp_path / "m")
    assert artifact.read("contextual-factor.txt") == b"0.01"
    assert scored(load_bilstm(artifact).detect(notes)) == scored(detector.detect(notes))
    assert load_bilstm(artifact).files() == detector.files()
    with pytest.raises(ArtifactError, match="do not run together"):
        BilstmTagger(replace(contextual[0], contextual=None))
