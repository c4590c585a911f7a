"""Dropout over rows of tokens."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class RowDropout(nn.Module):
    """Drops values of `(b, t, d)` vectors in training, scaling what stays.

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
        if self.kind == "plain":
            return nn.functional.dropout(vectors, self.rate)
        shape = (vectors.shape[0], 1, vectors.shape[2])
        kept = torch.empty(shape, device=vectors.device).bernoulli_(1 - self.rate)
        return vectors * (kept / (1 - self.rate))
