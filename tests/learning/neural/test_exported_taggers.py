"""Taggers of exported networks: scores to the last bit the same whatever else is in a batch."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="networks need the extra `train`")
pytest.importorskip("onnx", reason="networks need the extra `train`")
pytest.importorskip("onnxruntime", reason="recurrent taggers need the extra `neural`")

import torch

from scrubjay.learning.bilstm_config import (
    BilstmConfig,
    CharacterSettings,
    NetworkSettings,
    WordSettings,
)
from scrubjay.learning.neural.export import export_network
from scrubjay.learning.neural.network import Network, Sizes
from scrubjay.learning.neural.quantization import quantize
from scrubjay.taggers._recurrent.scores import WindowScorer
from scrubjay.taggers.bilstm import BilstmDetector
from tests.corpus_samples import make_notes
from tests.tiny_bilstm import tiny_detector, tiny_model


def make_detector(recurrent: str, characters: str) -> BilstmDetector:
    """Return a detector with an exported network of random weights."""
    model = tiny_model(size=20, context=6)[0]
    config = BilstmConfig(
        "tiny",
        words=WordSettings(dimension=19),
        characters=CharacterSettings(
            network=characters, longest=model.inputs.longest, hidden=25, kernels=(2, 3)
        ),
        network=NetworkSettings(recurrent=recurrent, hidden=64),
    )
    sizes = Sizes(
        len(model.inputs.vocabulary) + 2,
        len(model.inputs.characters) + 2,
        tuple(model.inputs.feature_sizes()),
        model.tag_count,
    )
    torch.manual_seed(1)
    words, sequence = export_network(Network(config, sizes).eval())
    return tiny_detector(replace(model, words=words, sequence=sequence))


@pytest.mark.parametrize("weights", ["float", "int8"])
@pytest.mark.parametrize("characters", ["cnn", "lstm", "none"])
@pytest.mark.parametrize("recurrent", ["lstm", "coupled"])
def test_scores_do_not_depend_on_the_batch(recurrent: str, characters: str, weights: str) -> None:
    detector = make_detector(recurrent, characters)
    if weights == "int8":
        detector = quantize(detector)
    notes = [note.text for note in make_notes(6, seed=2)]
    lines = [line for note in notes for line in note.splitlines()]
    words = sorted({word for line in lines for word in line.split()})[:40]
    for texts in (notes, lines, words):
        batch = [detector.tokenizer.tokenize(text) for text in texts]
        # Neither detector has seen a word yet: they meet them in other company.
        together = fresh_scorer(detector).score(batch)[0]
        scorer = fresh_scorer(detector)
        alone = np.concatenate([scorer.score([tokens])[0] for tokens in batch])
        np.testing.assert_array_equal(alone, together)
        assert together.std() > 0


def fresh_scorer(detector: BilstmDetector) -> WindowScorer:
    """Return a scorer of the detector's model without any cache."""
    return WindowScorer(pickle.loads(pickle.dumps(detector.tagger.model)))
