"""A pre-trained encoder with scores of tags on top: forward, loss and batches of windows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from scrubjay.features.subtokens import SubtokenEncoder, Subtokens
from scrubjay.learning.neural.crf import CrfLayer
from scrubjay.text.tokens import IntArray


class TokenClassifier(nn.Module):
    """Scores of tags for each token, from the sub-tokens that `pooling` weighs.

    With `crf` the moves between tags are learned, too; otherwise they are 0.
    """

    def __init__(
        self, encoder: nn.Module, dimension: int, tag_count: int, *, dropout: float, crf: bool
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(dimension, tag_count)
        self.crf = CrfLayer(tag_count) if crf else None

    def forward(self, ids: Tensor, attention: Tensor) -> Tensor:
        """Return scores `(b, s, tags)` of sub-tokens `(b, s)`; `attention` is 0 for padding."""
        states = self.encoder(input_ids=ids, attention_mask=attention).last_hidden_state
        scores: Tensor = self.head(self.dropout(states))
        return scores

    def emissions(self, batch: WindowBatch) -> Tensor:
        """Return scores `(b, t, tags)` of the tokens that the windows score.

        A token without sub-tokens has those of a zero vector. Pooling after the linear layer is
        the same as before it, and what inference does.
        """
        scores = self(batch.ids, batch.attention).float()
        bias = self.head.bias.float()
        # Weights of a token sum to 1, or to 0 where it has no sub-token: the bias is left.
        pooled: Tensor = torch.bmm(batch.pooling, scores - bias) + bias
        return pooled

    def loss(self, batch: WindowBatch) -> Tensor:
        """Return the mean negative log probability of the gold tags of a window."""
        emissions = self.emissions(batch)
        if self.crf is not None:
            return self.crf.loss(emissions, batch.tags, batch.mask)
        losses = functional.cross_entropy(emissions.transpose(1, 2), batch.tags, reduction="none")
        return (losses * batch.mask).sum() / len(batch.tags)

    def transitions(self) -> npt.NDArray[np.float64]:
        """Return the scores of moves from tag to tag, shape `(tags, tags)`."""
        if self.crf is None:
            return np.zeros((self.head.out_features, self.head.out_features))
        moves: npt.NDArray[np.float64] = self.crf.transitions.detach().cpu().double().numpy()
        return moves


@dataclass(frozen=True, slots=True)
class Window:
    """One window of a text: its sub-tokens with the special ones, the pooling, gold tags."""

    ids: npt.NDArray[np.int64]
    pooling: npt.NDArray[np.float32]
    tags: npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class WindowBatch:
    """`b` windows of up to `s` sub-tokens that score up to `t` tokens.

    `ids` and `attention` are (b, s), `pooling` (b, t, s), `mask` and `tags` (b, t).
    """

    ids: Tensor
    attention: Tensor
    pooling: Tensor
    mask: Tensor
    tags: Tensor

    def to(self, device: torch.device) -> WindowBatch:
        """Return the batch on a device."""
        return WindowBatch(*(getattr(self, name).to(device) for name in self.__dataclass_fields__))


def make_windows(
    encoder: SubtokenEncoder, subtokens: Subtokens, tags: npt.NDArray[np.integer[Any]]
) -> list[Window]:
    """Return the windows of a text that score any token, with the tags of those tokens."""
    before, after = len(encoder.prefix), len(encoder.suffix)
    return [
        Window(
            encoder.window_ids(subtokens, number),
            np.pad(subtokens.pooling(number), ((0, 0), (before, after))),
            tags[subtokens.bounds[number] : subtokens.bounds[number + 1]],
        )
        for number in range(subtokens.windows)
        if subtokens.bounds[number] < subtokens.bounds[number + 1]
    ]


class ClassifierWindows:
    """The windows of training texts, to be tuned on; `padding` is the id that pads."""

    def __init__(self, windows: Sequence[Window], *, padding: int) -> None:
        self._windows = windows
        self._padding = padding
        self.sizes: IntArray = np.array([len(window.ids) for window in windows], dtype=np.int32)

    def batch(self, chosen: Sequence[int]) -> WindowBatch:
        """Return the windows of these numbers, padded to the longest."""
        return collate([self._windows[place] for place in chosen], padding=self._padding)


def collate(windows: Sequence[Window], *, padding: int) -> WindowBatch:
    """Return windows as tensors, padded to the longest; `padding` is the id that pads."""
    size = max(len(window.ids) for window in windows)
    tokens = max(len(window.tags) for window in windows)
    ids = np.full((len(windows), size), padding, dtype=np.int64)
    attention = np.zeros((len(windows), size), dtype=np.int64)
    pooling = np.zeros((len(windows), tokens, size), dtype=np.float32)
    mask = np.zeros((len(windows), tokens), dtype=bool)
    tags = np.zeros((len(windows), tokens), dtype=np.int64)
    for row, window in enumerate(windows):
        ids[row, : len(window.ids)] = window.ids
        attention[row, : len(window.ids)] = 1
        pooling[row, : len(window.tags), : len(window.ids)] = window.pooling
        mask[row, : len(window.tags)] = True
        tags[row, : len(window.tags)] = window.tags
    arrays: tuple[npt.NDArray[Any], ...] = (ids, attention, pooling, mask, tags)
    return WindowBatch(*map(torch.from_numpy, arrays))
