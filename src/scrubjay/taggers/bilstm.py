"""The recurrent tagger: a bidirectional LSTM run by ONNX Runtime, and the best path of its CRF.

Zhao 2020 (BLSTM-CNNs-CRF), Jiang 2017 (section 5) and Trienes 2020 (section 4.3) by what the
networks hold. Inference needs no PyTorch; see `learning/bilstm.py` for training.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from scrubjay.artifacts import Artifact
from scrubjay.errors import ArtifactError
from scrubjay.taggers._decoding.chain import ChainDecoder, Reading, split_tags
from scrubjay.taggers._decoding.chain_detector import ChainDetector
from scrubjay.taggers._recurrent.model import BilstmModel, model_files, read_model, stored_words
from scrubjay.taggers._recurrent.scores import WindowScorer
from scrubjay.taggers._stored import read_tokenizer_and_dial
from scrubjay.tags import IndexArray, TagArray
from scrubjay.text.tokens import Tokens

__all__ = [
    "KIND",
    "BilstmDetector",
    "BilstmModel",
    "BilstmTagger",
    "load_bilstm",
    "model_files",
    "read_model",
    "stored_words",
]

KIND = "bilstm"


class BilstmTagger:
    """Tags tokens with the best path through the scores of a recurrent network.

    `dial` is subtracted from the score of `O` at every token: above 0 it finds more (recall),
    below 0 less (precision), 0 is the model as trained. Tags do not depend on what else is in
    a batch. Several threads may use one tagger.

    Raises `MissingExtraError` without ONNX Runtime, and `ArtifactError` for networks that
    cannot be run or do not belong to the model.
    """

    def __init__(
        self, model: BilstmModel, *, dial: float = 0.0, scorer: WindowScorer | None = None
    ) -> None:
        self.model = model
        self.dial = dial
        self.labels = model.labels
        self._scorer = WindowScorer(model) if scorer is None else scorer
        self._decoder = ChainDecoder(
            model.transitions, scheme=model.scheme, labels=model.labels, dial=dial
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(BilstmTagger, dial=self.dial), (self.model,)

    def with_dial(self, dial: float) -> BilstmTagger:
        """Return the same tagger at another point between precision and recall."""
        return BilstmTagger(self.model, dial=dial, scorer=self._scorer)

    def tag(self, batch: Sequence[Tokens]) -> list[TagArray]:
        """Return the tags of each text, int16 arrays of its length."""
        return split_tags(self.read(batch).decoded.tags, batch)

    def read(self, batch: Sequence[Tokens]) -> Reading:
        """Return what the tagger makes of the texts."""
        return Reading(self._decoder, *self._scorer.score(batch), batch)

    def read_ranges(self, batch: Sequence[Tokens], ranges: IndexArray) -> Reading:
        """Return what the tagger makes of some tokens of the texts: half-open ranges (k, 2).

        They are sorted and disjoint, and each lies in one text; what stands around them is read
        as far as the windows of the network reach.
        """
        scores, bounds = self._scorer.score(batch, ranges=ranges)
        steps = np.zeros(len(scores) + 1, dtype=np.int8)
        steps[ranges[:, 0]] += 1
        steps[ranges[:, 1]] -= 1
        known = np.cumsum(steps[:-1], dtype=np.int8) > 0
        return Reading(self._decoder, scores, bounds, batch, known=known)

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact."""
        return model_files(self.model)


BilstmDetector = ChainDetector[BilstmTagger]
"""Finds PHI in documents with one tokenizer and one recurrent tagger."""


def load_bilstm(artifact: Artifact) -> BilstmDetector:
    """Return the detector that an artifact of kind "bilstm" describes, at its recall dial.

    Raises like `BilstmTagger` and `read_model`, and `ArtifactError` for a tokenizer that this
    release does not know.
    """
    tokenizer, dial = read_tokenizer_and_dial(artifact)
    model = read_model(artifact)
    try:
        tagger = BilstmTagger(model, dial=dial)
    except ArtifactError as error:
        raise ArtifactError(f"{artifact.folder}: {error}") from error
    return BilstmDetector(tokenizer, tagger, manifest=artifact.manifest)
