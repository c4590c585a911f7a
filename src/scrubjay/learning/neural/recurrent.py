"""Recurrent layers read in both directions, exact for rows of any length."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from scrubjay.learning.neural.coupled import CoupledLstm, run_coupled


class Bidirectional(nn.Module):
    """Two recurrent layers, one over each row and one over it reversed.

    Rows are reversed within their own lengths, so that padding comes last for both and changes
    nothing; the outputs are what a network without padding gives. Time comes first everywhere.
    """

    def __init__(self, kind: str, dimension: int, hidden: int) -> None:
        super().__init__()
        make = CoupledLstm if kind == "coupled" else nn.LSTM
        self.forwards = make(dimension, hidden)
        self.backwards = make(dimension, hidden)
        self.hidden = hidden

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return `(t, b, 2 * hidden)` for vectors `(t, b, d)` of rows with `lengths` (b,)."""
        mirror = _mirror(lengths, len(vectors))
        ahead, behind = self._run(vectors, _reorder(vectors, mirror))
        return torch.cat([ahead, _reorder(behind, mirror)], dim=2)

    def last_states(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return the last state of both directions, `(b, 2 * hidden)`."""
        rows = torch.arange(len(lengths), device=lengths.device)
        states = self._run(vectors, _reorder(vectors, _mirror(lengths, len(vectors))))
        return torch.cat([direction[lengths - 1, rows] for direction in states], dim=1)

    def _run(self, vectors: Tensor, mirrored: Tensor) -> tuple[Tensor, Tensor]:
        if isinstance(self.forwards, CoupledLstm) and isinstance(self.backwards, CoupledLstm):
            ahead, behind = run_coupled(
                [self.forwards, self.backwards], [vectors, mirrored]
            ).unbind(1)
            return ahead, behind
        return self.forwards(vectors)[0], self.backwards(mirrored)[0]


def _mirror(lengths: Tensor, steps: int) -> Tensor:
    """Return for each place of `(t, b)`, counted row by row, where its mirror image lies.

    Padding stays in place. Mirroring twice changes nothing.
    """
    times = torch.arange(steps, device=lengths.device)[:, None]
    mirrored = lengths[None, :] - 1 - times
    mirrored = torch.where(mirrored >= 0, mirrored, times)
    rows = torch.arange(len(lengths), device=lengths.device)
    return (mirrored * len(lengths) + rows).flatten()


def _reorder(vectors: Tensor, places: Tensor) -> Tensor:
    result: Tensor = _Swap.apply(vectors, places)  # type: ignore[no-untyped-call]
    return result


class _Swap(torch.autograd.Function):
    """Puts vectors `(t, b, d)` in an order that is its own inverse: so is its gradient.

    Autograd would add gradients up value by value, as it cannot know that no place is read twice.
    """

    @staticmethod
    def forward(context: Any, vectors: Tensor, places: Tensor) -> Tensor:
        context.save_for_backward(places)
        return vectors.flatten(0, 1).index_select(0, places).view(vectors.shape)

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (places,) = context.saved_tensors
        gradient = gradients[0]
        return gradient.flatten(0, 1).index_select(0, places).view(gradient.shape), None
