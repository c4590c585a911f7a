"""Strict F1 on dev documents of a network in training, decoded as its tagger will decode."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from scrubjay.document import Document, Span
from scrubjay.evaluation.counts import Counts, count_sets
from scrubjay.learning.neural.batches import TrainingData, iterate_batches
from scrubjay.learning.neural.network import Network, core_scores
from scrubjay.taggers._decoding.chain import ChainDecoder
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.text.tokens import IntArray, Tokens

#: Windows scored at once.
_BATCH = 64


class DevScore:
    """Gives the exact-span F1 of a network on documents with gold spans.

    `data` are the encoded documents, `batch` their tokens. A gold label that the training data
    lacks counts as missed.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        batch: Sequence[Tokens],
        data: TrainingData,
        *,
        scheme: str,
        labels: tuple[str, ...],
    ) -> None:
        self._batch = batch
        self._data = data
        self._scheme = scheme
        self._labels = labels
        self._gold = [document.spans for document in documents]

    def __call__(self, network: Network) -> float:
        """Return the F1, 0 where it is undefined."""
        return self.count(network).f1 or 0.0

    def count(self, network: Network) -> Counts:
        """Return how many spans are found, wrong and missed."""
        windows = self._data.windows
        if not len(windows):
            return Counts(fn=sum(map(len, self._gold)))
        return self.count_scores(emission_scores(network, self._data), network.transitions())

    def count_scores(self, scores: FloatArray, transitions: FloatArray) -> Counts:
        """Return what `count` does, for scores (n, tags) and those of moves."""
        decoder = ChainDecoder(transitions, scheme=self._scheme, labels=self._labels)
        bounds = self._data.windows.bounds()
        return count_decoded(decoder, scores, bounds, self._batch, self._gold)


def count_decoded(
    decoder: ChainDecoder,
    scores: FloatArray,
    bounds: IntArray,
    batch: Sequence[Tokens],
    gold: Sequence[Sequence[Span]],
) -> Counts:
    """Return how many of the gold spans of each text are found, wrong and missed."""
    decoded = decoder.decode(scores, bounds)
    found = decoder.spans(decoded, batch, source="", scores="none")
    return sum(map(count_sets, map(set, gold), map(set, found)), Counts())


def emission_scores(network: Network, data: TrainingData) -> FloatArray:
    """Return the scores of all tokens, `(n, tags)`, on the device that the network is on."""
    device = next(network.parameters()).device
    scores = np.zeros((len(data.inputs), network.sizes.tags))
    with torch.no_grad():
        for chosen, batch in iterate_batches(data, batch=_BATCH):
            placed = batch.to(device)
            found = core_scores(network(placed), placed).cpu().numpy()
            for row, number in enumerate(chosen.tolist()):
                first, last = int(data.windows.firsts[number]), int(data.windows.lasts[number])
                scores[first:last] = found[row, : last - first]
    return scores
