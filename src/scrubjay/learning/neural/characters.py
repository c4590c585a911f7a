"""Networks over the characters of a word, giving one vector per distinct word."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from scrubjay.learning.neural.recurrent import Bidirectional


class CharacterCnn(nn.Module):
    """Convolutions of several widths over character embeddings, each followed by a maximum.

    Zhao 2020, Table 3 (kernels 2 to 5, 8 channels, 16-dimensional characters), after Ma and
    Hovy 2016. A word is padded by the widest kernel less one on the right, so that the shortest
    word meets every kernel.
    """

    def __init__(
        self, alphabet: int, *, dimension: int, kernels: Sequence[int], channels: int
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(alphabet, dimension, padding_idx=0)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(dimension, channels, width) for width in kernels
        )
        self.padding = max(kernels) - 1
        self.dimension = channels * len(kernels)

    def forward(self, spellings: Tensor) -> Tensor:
        """Return `(w, dimension)` for spellings `(w, longest)` of character numbers."""
        padded = nn.functional.pad(spellings, (0, self.padding))
        vectors = self.embedding(padded).transpose(1, 2)
        found = [convolution(vectors).amax(dim=2) for convolution in self.convolutions]
        return torch.cat(found, dim=1)


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
        return self.lstm.last_states(self.embedding(spellings), lengths)
