"""Networks over the characters of a word, giving one vector per distinct word."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from scrubjay.learning.neural.recurrent import Bidirectional


class CharacterCnn(nn.Module):
    """Convolutions of several widths over character embeddings, each followed by a maximum.

    Zhao 2020, Table 3 (kernels 2 to 5, 8 channels, 16-dimensional characters), after Ma and
    Hovy 2016. Every kernel begins at each of the `longest` places of a word, reading padding
    where it reaches beyond the end.
    """

    def __init__(
        self, alphabet: int, *, dimension: int, kernels: Sequence[int], channels: int
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(alphabet, dimension, padding_idx=0)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(dimension, channels, width) for width in kernels
        )
        self.widest = max(kernels)
        self.dimension = channels * len(kernels)

    def forward(self, spellings: Tensor) -> Tensor:
        """Return `(w, dimension)` for spellings `(w, longest)` of character numbers.

        All kernels are one product with windows of the widest, several times as fast as
        convolving: narrower ones are zero beyond their width.
        """
        padded = nn.functional.pad(spellings, (0, self.widest - 1))
        vectors = self.embedding(padded).flatten(1)
        size = self.embedding.embedding_dim
        windows = vectors.unfold(1, self.widest * size, size)
        weights, bias = self.matrix()
        scores = windows @ weights.transpose(1, 2).flatten(1).T
        best: Tensor = scores.max(dim=1).values + bias
        return best

    def matrix(self) -> tuple[Tensor, Tensor]:
        """Return all kernels as one convolution: weights `(dimension, size, widest)`, biases."""
        weights: list[Tensor] = []
        biases: list[Tensor] = []
        for kernel in self.convolutions:
            weight = kernel.get_parameter("weight")
            missing = self.widest - weight.shape[2]
            weights.append(nn.functional.pad(weight, (0, missing)))
            biases.append(kernel.get_parameter("bias"))
        return torch.cat(weights), torch.cat(biases)


class CharacterLstm(nn.Module):
    """A bidirectional LSTM over the characters: both last states (Jiang 2017, section 5.1)."""

    def __init__(self, alphabet: int, *, dimension: int, hidden: int, recurrent: str) -> None:
        super().__init__()
        self.embedding = nn.Embedding(alphabet, dimension, padding_idx=0)
        self.lstm = Bidirectional(recurrent, dimension, hidden)
        self.dimension = 2 * hidden

    def forward(self, spellings: Tensor) -> Tensor:
        """Return `(w, dimension)` for spellings `(w, longest)` of character numbers."""
        lengths = (spellings != 0).sum(dim=1).clamp_min(1)
        return self.lstm.last_states(self.embedding(spellings.T), lengths)
