"""Recurrent layers read in both directions, exact for rows of any length."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Bidirectional(nn.Module):
    """Two recurrent layers, one over each row and one over it reversed.

    Rows are reversed within their own lengths, so that padding comes last for both and changes
    nothing; the outputs are what a network without padding gives.
    """

    def __init__(self, kind: str, dimension: int, hidden: int) -> None:
        super().__init__()
        self.forwards = _make(kind, dimension, hidden)
        self.backwards = _make(kind, dimension, hidden)
        self.hidden = hidden

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return `(b, t, 2 * hidden)` for vectors `(b, t, d)` of rows with `lengths` (b,)."""
        mirror = _mirror(lengths, vectors.shape[1])
        ahead = self._run(self.forwards, vectors)
        behind = self._run(self.backwards, _reorder(vectors, mirror))
        return torch.cat([ahead, _reorder(behind, mirror)], dim=2)

    def last_states(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return the last state of both directions, `(b, 2 * hidden)`."""
        mirror = _mirror(lengths, vectors.shape[1])
        rows = torch.arange(len(lengths), device=lengths.device)
        ahead = self._run(self.forwards, vectors)[rows, lengths - 1]
        behind = self._run(self.backwards, _reorder(vectors, mirror))[rows, lengths - 1]
        return torch.cat([ahead, behind], dim=1)

    @staticmethod
    def _run(layer: nn.Module, vectors: Tensor) -> Tensor:
        states: Tensor = layer(vectors.transpose(0, 1).contiguous())[0]
        return states.transpose(0, 1)


def _make(kind: str, dimension: int, hidden: int) -> nn.Module:
    if kind == "coupled":
        from scrubjay.learning.neural.coupled import CoupledLstm

        return CoupledLstm(dimension, hidden)
    return nn.LSTM(dimension, hidden)


def _mirror(lengths: Tensor, width: int) -> Tensor:
    """Return for each place `(b, t)` where its mirror image lies; padding stays in place."""
    places = torch.arange(width, device=lengths.device)[None, :]
    mirrored = lengths[:, None] - 1 - places
    return torch.where(mirrored >= 0, mirrored, places)


def _reorder(vectors: Tensor, places: Tensor) -> Tensor:
    return vectors.gather(1, places[:, :, None].expand(-1, -1, vectors.shape[2]))
