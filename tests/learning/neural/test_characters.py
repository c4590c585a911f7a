"""Networks over characters: against convolution by definition, and word by word."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from scrubjay.learning.neural.characters import CharacterCnn, CharacterLstm

LONGEST = 6


def _spellings(lengths: list[int], *, seed: int) -> Tensor:
    torch.manual_seed(seed)
    rows = torch.randint(1, 9, (len(lengths), LONGEST))
    return torch.where(torch.arange(LONGEST) < torch.tensor(lengths)[:, None], rows, 0)


def _cnn(*kernels: int) -> CharacterCnn:
    layer = CharacterCnn(9, dimension=3, kernels=kernels, channels=2)
    nn.init.normal_(layer.embedding.weight)
    with torch.no_grad():
        layer.embedding.weight[0] = 0
    return layer


@given(
    st.lists(st.integers(0, LONGEST), min_size=1, max_size=4),
    st.lists(st.integers(1, LONGEST), min_size=1, max_size=3),
    st.integers(0, 99),
)
@settings(max_examples=30)
def test_convolutions_are_those_of_torch(lengths: list[int], kernels: list[int], seed: int) -> None:
    spellings = _spellings(lengths, seed=seed)
    layer = _cnn(*kernels)
    parts = []
    for kernel in layer.convolutions:
        assert isinstance(kernel, nn.Conv1d)
        width = kernel.kernel_size[0]
        padded = nn.functional.pad(spellings, (0, width - 1))
        parts.append(kernel(layer.embedding(padded).transpose(1, 2)).amax(dim=2))
    expected = torch.cat(parts, dim=1)
    assert expected.shape == (len(lengths), layer.dimension)
    torch.testing.assert_close(layer(spellings), expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("recurrent", ["lstm", "coupled"])
def test_an_lstm_reads_each_word_from_both_ends(recurrent: str) -> None:
    spellings = _spellings([1, 4, LONGEST, 2], seed=1)
    layer = CharacterLstm(9, dimension=3, hidden=2, recurrent=recurrent)
    found = layer(spellings)
    assert found.shape == (4, layer.dimension)
    for row, length in enumerate([1, 4, LONGEST, 2]):
        vectors = layer.embedding(spellings[row, :length])[:, None]
        ahead = layer.lstm.forwards(vectors)[0][-1, 0]
        behind = layer.lstm.backwards(vectors.flip(0))[0][-1, 0]
        torch.testing.assert_close(found[row], torch.cat([ahead, behind]), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", ["cnn", "lstm", "coupled"])
def test_the_padding_word_gives_finite_numbers(kind: str) -> None:
    layer = _cnn(2, 3) if kind == "cnn" else CharacterLstm(9, dimension=3, hidden=2, recurrent=kind)
    assert torch.isfinite(layer(torch.zeros(1, LONGEST, dtype=torch.long))).all()


@pytest.mark.parametrize("kind", ["cnn", "lstm", "coupled"])
def test_one_other_character_changes_the_vector(kind: str) -> None:
    torch.manual_seed(3)
    layer = _cnn(1, 2) if kind == "cnn" else CharacterLstm(9, dimension=3, hidden=2, recurrent=kind)
    first, second = layer(torch.tensor([[2, 3, 4, 0, 0, 0], [2, 3, 5, 0, 0, 0]]))
    assert not torch.equal(first, second)
