"""Training windows as batches of tensors, bucketed by length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from scrubjay.features.inputs import NetworkInputs
from scrubjay.learning.neural.network import Batch
from scrubjay.taggers._recurrent.windows import Windows
from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """Encoded documents, cut into windows, with tables of their distinct words.

    `words`, `rare` (types,) and `spellings` (types, longest) are indexed by `inputs.types`;
    `tags` (n,) are gold, `contextual` (n, e) embeddings or None.
    """

    inputs: NetworkInputs
    windows: Windows
    words: IntArray
    spellings: IntArray
    rare: npt.NDArray[np.bool_]
    tags: TagArray
    contextual: npt.NDArray[Any] | None = None

    @property
    def sizes(self) -> IntArray:
        """Return the tokens of each window."""
        return self.windows.sizes()

    def batch(self, chosen: Sequence[int]) -> Batch:
        """Return the windows of these numbers, padded to the longest."""
        return make_batch(self, np.array(chosen, dtype=np.int64))


def bucketed_batches(
    sizes: IntArray, *, batch: int, generator: np.random.Generator | None
) -> list[npt.NDArray[np.int64]]:
    """Share windows out into batches of about one length, in random order.

    Every window is in exactly one batch. With a generator lengths are jittered before sorting, so
    that the batches differ from epoch to epoch; with None they stand in order of length.
    """
    keys = sizes.astype(np.float64)
    if generator is not None:
        keys = keys * generator.uniform(0.9, 1.1, len(keys))
    order = np.argsort(keys, kind="stable")
    parts = [order[i : i + batch] for i in range(0, len(order), batch)]
    if generator is None:
        return parts
    return [parts[i] for i in generator.permutation(len(parts))]


def make_batch(data: TrainingData, chosen: npt.NDArray[np.int64]) -> Batch:
    """Return the chosen windows as tensors."""
    windows = data.windows
    starts, ends = windows.starts[chosen], windows.ends[chosen]
    firsts, lasts = windows.firsts[chosen], windows.lasts[chosen]
    tokens, read = _grid(starts, ends)
    core, mask = _grid(firsts, lasts)
    # Type 0 stands first in the table of the batch's words, for padding.
    types = np.where(read, data.inputs.types[tokens], 0)
    distinct, places = np.unique(types, return_inverse=True)
    if distinct[0] != 0:
        distinct, places = np.concatenate([[0], distinct]), places + 1
    features = np.where(read[:, :, None], data.inputs.features[tokens], 0)
    contextual = None
    if data.contextual is not None:
        found = np.where(read[:, :, None], data.contextual[tokens], 0)
        contextual = torch.from_numpy(found.astype(np.float32))
    return Batch(
        words=_long(data.words[distinct]),
        spellings=_long(data.spellings[distinct]),
        rare=torch.from_numpy(data.rare[distinct]),
        places=_long(places.reshape(types.shape)),
        features=_long(features),
        contextual=contextual,
        lengths=_long(ends - starts),
        firsts=_long(firsts - starts),
        mask=torch.from_numpy(mask),
        tags=_long(np.where(mask, data.tags[core], 0)),
    )


def iterate_batches(
    data: TrainingData, *, batch: int
) -> Iterator[tuple[npt.NDArray[np.int64], Batch]]:
    """Yield every window once, in batches by length: their numbers and their tensors."""
    for chosen in bucketed_batches(data.sizes, batch=batch, generator=None):
        yield chosen, make_batch(data, chosen)


def _grid(starts: IntArray, ends: IntArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return token indices `(b, width)` of half-open ranges, and which of them are real."""
    width = int((ends - starts).max())
    tokens = starts[:, None].astype(np.int64) + np.arange(width)
    real = tokens < ends[:, None]
    return np.where(real, tokens, starts[:, None]), real


def _long(values: npt.NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(values, dtype=np.int64))
