"""Recurrent layers in both directions: rows side by side are rows alone."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.learning.neural.recurrent import Bidirectional

KINDS = ("lstm", "coupled")
_lengths = st.lists(st.integers(1, 6), min_size=1, max_size=4)


def _layer(kind: str, *, seed: int) -> Bidirectional:
    torch.manual_seed(seed)
    layer = Bidirectional(kind, 3, 2)
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter)
    return layer


@pytest.mark.parametrize("kind", KINDS)
@given(lengths=_lengths, padding=st.integers(0, 2), seed=st.integers(0, 99))
@settings(max_examples=25)
def test_padding_changes_nothing(kind: str, lengths: list[int], padding: int, seed: int) -> None:
    layer = _layer(kind, seed=seed)
    vectors = torch.randn(max(lengths) + padding, len(lengths), 3)
    with torch.no_grad():
        states = layer(vectors, torch.tensor(lengths))
        last = layer.last_states(vectors, torch.tensor(lengths))
        for row, length in enumerate(lengths):
            alone = vectors[:length, row : row + 1]
            ahead = layer.forwards(alone)[0][:, 0]
            behind = layer.backwards(alone.flip(0))[0].flip(0)[:, 0]
            expected = torch.cat([ahead, behind], dim=1)
            torch.testing.assert_close(states[:length, row], expected, atol=1e-5, rtol=1e-5)
            ends = torch.cat([ahead[-1], behind[0]])
            torch.testing.assert_close(last[row], ends, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_those_of_rows_alone(kind: str) -> None:
    layer = _layer(kind, seed=1).double()
    lengths = [5, 2, 1]
    vectors = torch.randn(5, 3, 3, dtype=torch.double, requires_grad=True)
    weights = torch.randn(5, 3, 4, dtype=torch.double)
    together = sum(
        (layer(vectors, torch.tensor(lengths)) * weights)[:length, row].sum()
        for row, length in enumerate(lengths)
    )
    alone = sum(
        (
            layer(vectors[:length, row : row + 1], torch.tensor([length]))[:, 0]
            * weights[:length, row]
        ).sum()
        for row, length in enumerate(lengths)
    )
    inputs = [vectors, *layer.parameters()]
    for one, other in zip(
        torch.autograd.grad(together, inputs), torch.autograd.grad(alone, inputs), strict=True
    ):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("kind", KINDS)
def test_both_directions_reach_every_token(kind: str) -> None:
    layer = _layer(kind, seed=2)
    vectors = torch.randn(4, 1, 3, requires_grad=True)
    states = layer(vectors, torch.tensor([4]))
    for token in range(4):
        (gradient,) = torch.autograd.grad(states[token].sum(), vectors, retain_graph=True)
        assert gradient.abs().sum(dim=2).gt(0).all()
