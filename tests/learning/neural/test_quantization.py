"""Recurrent taggers with 8-bit weights: nearly the same scores, whatever else is in a batch."""

from __future__ import annotations

import logging
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="quantizing needs the extra `train`")
pytest.importorskip("onnxruntime", reason="recurrent taggers need the extra `neural`")

from scrubjay.artifacts import load_artifact, save_artifact
from scrubjay.document import Document
from scrubjay.errors import ConfigError, MissingExtraError
from scrubjay.learning.neural.quantization import NOTE, quantize
from scrubjay.taggers.bilstm import BilstmDetector, load_bilstm
from tests.corpus_samples import make_notes
from tests.tiny_bilstm import tiny_detector, tiny_model
from tests.toys import DateDetector


@pytest.fixture(scope="module")
def detector() -> BilstmDetector:
    """A detector with random weights."""
    return tiny_detector(tiny_model(hidden=16, dimension=20, size=40, context=10)[0])


@pytest.fixture(scope="module")
def small(detector: BilstmDetector) -> BilstmDetector:
    """The same with 8-bit weights."""
    return quantize(detector)


@pytest.fixture(scope="module")
def notes() -> list[Document]:
    """Notes that the model did not see."""
    return make_notes(12, seed=2)


def test_scores_are_nearly_the_same(
    detector: BilstmDetector, small: BilstmDetector, notes: list[Document]
) -> None:
    batch = [detector.tokenizer.tokenize(note.text) for note in notes]
    before, bounds = detector.tagger._scorer.score(batch)
    after, others = small.tagger._scorer.score(batch)
    assert bounds.tolist() == others.tolist()
    assert 0 < np.abs(after - before).mean() < 0.05 * before.std()
    same = (after.argmax(axis=1) == before.argmax(axis=1)).mean()
    assert same > 0.9


def test_tags_do_not_depend_on_what_else_is_in_the_batch(
    small: BilstmDetector, notes: list[Document]
) -> None:
    batch = [small.tokenizer.tokenize(note.text) for note in notes]
    score = small.tagger._scorer.score
    together = score(batch)[0]
    np.testing.assert_array_equal(np.concatenate([score([one])[0] for one in batch]), together)
    assert small.detect(notes[::-1])[::-1] == small.detect(notes)


def test_weights_are_smaller_and_the_same_each_time(
    detector: BilstmDetector, small: BilstmDetector
) -> None:
    assert len(small.files()["sequence.onnx"]) < len(detector.files()["sequence.onnx"])
    assert len(small.files()["words.onnx"]) < len(detector.files()["words.onnx"])
    assert quantize(detector).files() == small.files()


def test_it_is_saved_and_loaded_as_any_model(
    small: BilstmDetector, notes: list[Document], tmp_path: Path
) -> None:
    save_artifact(tmp_path / "m", small.manifest, files=small.files())
    loaded = load_bilstm(load_artifact(tmp_path / "m"))
    assert loaded.manifest.name == "tiny-int8"
    assert NOTE in loaded.manifest.notes
    assert loaded.detect(notes) == small.detect(notes)
    assert pickle.loads(pickle.dumps(small)).detect(notes) == small.detect(notes)


def test_dial_and_notes_are_kept(detector: BilstmDetector) -> None:
    noted = BilstmDetector(
        detector.tokenizer,
        detector.tagger.with_dial(1.5),
        manifest=replace(detector.manifest, notes="Of one night"),
    )
    made = quantize(noted)
    assert made.tagger.dial == 1.5
    assert made.manifest.notes == f"Of one night\n{NOTE}"


def test_other_detectors_and_a_second_time_are_refused(small: BilstmDetector) -> None:
    with pytest.raises(ConfigError, match="only recurrent taggers"):
        quantize(DateDetector())
    with pytest.raises(ConfigError, match="quantized already"):
        quantize(small)


def test_without_onnx_the_error_names_the_extra(
    detector: BilstmDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(MissingExtraError, match=r'pip install "scrubjay\[train\]"'):
        quantize(detector)


def test_the_root_logger_is_left_as_it_was(
    detector: BilstmDetector, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    quantize(detector)
    assert root.handlers == []
    assert capfd.readouterr() == ("", "")
