"""Dropout over rows of tokens."""

from __future__ import annotations

import torch
from torch import Tensor, nn

#: Rates are kept to one part in this many: the random numbers have 16 bits.
_PARTS = 1 << 16


class RowDropout(nn.Module):
    """Drops values of `(t, b, d)` vectors in training, scaling what stays.

    "plain" draws for each value, "locked" once per row and dimension, so that the same
    dimensions are missing at every token (Trienes 2020, section 4.3).
    """

    def __init__(self, rate: float, *, kind: str) -> None:
        super().__init__()
        self.rate = rate
        self.kind = kind

    def forward(self, vectors: Tensor) -> Tensor:
        """Return the vectors with values dropped; unchanged outside training."""
        if not self.training or self.rate == 0:
            return vectors
        _, rows, dimension = vectors.shape
        shape = vectors.shape if self.kind == "plain" else torch.Size((1, rows, dimension))
        kept = draw_kept(shape, self.rate, device=vectors.device)
        return vectors * kept.to(vectors.dtype).mul_(1 / (1 - self.rate))


def draw_kept(shape: torch.Size, rate: float, *, device: torch.device) -> Tensor:
    """Return booleans, False at a rate: which values dropout keeps.

    Four are made of each 64 random bits, several times as fast as `torch.bernoulli` on a CPU,
    where it took an eighth of a training step.
    """
    count = shape.numel()
    bits = torch.empty(-(-count // 4), dtype=torch.int64, device=device)
    bits.random_(-(1 << 63), None)
    border = round(rate * _PARTS) - _PARTS // 2
    return (bits.view(torch.int16)[:count] >= border).view(shape)
