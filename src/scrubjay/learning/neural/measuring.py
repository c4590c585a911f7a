"""Strict F1 on dev documents of a network in training, decoded as its tagger will decode."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch

from scrubjay.document import Document
from scrubjay.evaluation.counts import Counts
from scrubjay.learning.neural.batches import TrainingData, iterate_batches
from scrubjay.learning.neural.network import Network, core_scores
from scrubjay.taggers._decoding.viterbi import FloatArray, best_path
from scrubjay.tags import decode_tags, find_scheme
from scrubjay.text.tokens import Tokens

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
        self._scheme = find_scheme(scheme)
        self._labels = labels
        self._gold = [
            {(span.start, span.end, span.label) for span in document.spans}
            for document in documents
        ]

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
        tags = best_path(scores, self._data.windows.bounds(), transitions)
        total = Counts()
        borders = pairwise(self._data.inputs.documents.tolist())
        for tokens, gold, (first, last) in zip(self._batch, self._gold, borders, strict=True):
            ranges = decode_tags(tags[first:last], scheme=self._scheme, labels=self._labels)
            found = {(int(tokens.starts[a]), int(tokens.ends[b - 1]), c) for a, b, c in ranges}
            hits = len(found & gold)
            total += Counts(tp=hits, fp=len(found) - hits, fn=len(gold) - hits)
        return total


def emission_scores(network: Network, data: TrainingData) -> FloatArray:
    """Return the scores of all tokens, `(n, tags)`, on the device that the network is on."""
    device = next(network.parameters()).device
    scores = np.zeros((len(data.inputs), network.sizes.tags))
    with torch.no_grad():
        for chosen, batch in iterate_batches(data, batch=_BATCH, generator=None):
            placed = batch.to(device)
            found = core_scores(network(placed), placed).cpu().numpy()
            for row, number in enumerate(chosen.tolist()):
                first, last = int(data.windows.firsts[number]), int(data.windows.lasts[number])
                scores[first:last] = found[row, : last - first]
    return scores
