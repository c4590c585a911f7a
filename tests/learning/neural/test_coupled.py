"""The coupled LSTM against its equations, and its hand-written gradients against numbers."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.learning.neural.coupled import CoupledLstm, run_coupled
from tests.oracles.neural import coupled_lstm


def _layer(dimension: int, hidden: int, *, seed: int) -> CoupledLstm:
    torch.manual_seed(seed)
    layer = CoupledLstm(dimension, hidden).double()
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter, std=0.7)
    return layer


@given(
    st.integers(1, 6), st.integers(1, 3), st.integers(1, 4), st.integers(1, 4), st.integers(0, 99)
)
@settings(max_examples=30)
def test_it_is_its_equations(steps: int, rows: int, dimension: int, hidden: int, seed: int) -> None:
    layer = _layer(dimension, hidden, seed=seed)
    vectors = torch.randn(steps, rows, dimension, dtype=torch.double)
    states, nothing = layer(vectors)
    assert nothing is None
    torch.testing.assert_close(states, coupled_lstm(layer, vectors))


def test_gradients_are_those_of_the_equations() -> None:
    layer = _layer(3, 4, seed=1)
    vectors = torch.randn(7, 2, 3, dtype=torch.double, requires_grad=True)
    weights = torch.randn(7, 2, 4, dtype=torch.double)
    inputs = [vectors, *layer.parameters()]
    fast = torch.autograd.grad((layer(vectors)[0] * weights).sum(), inputs)
    plain = torch.autograd.grad((coupled_lstm(layer, vectors) * weights).sum(), inputs)
    for one, other in zip(fast, plain, strict=True):
        torch.testing.assert_close(one, other)


def test_gradients_are_those_of_small_changes() -> None:
    layers = [_layer(2, 3, seed=seed) for seed in (2, 3)]
    vectors = [torch.randn(4, 2, 2, dtype=torch.double, requires_grad=True) for _ in layers]

    def run(*values: torch.Tensor) -> torch.Tensor:
        return run_coupled(layers, values)

    assert torch.autograd.gradcheck(run, vectors)


def test_side_by_side_is_one_after_another() -> None:
    layers = [_layer(3, 4, seed=seed) for seed in (4, 5)]
    vectors = [torch.randn(6, 2, 3, dtype=torch.double) for _ in layers]
    together = run_coupled(layers, vectors)
    assert together.shape == (6, 2, 2, 4)
    for number, (layer, rows) in enumerate(zip(layers, vectors, strict=True)):
        torch.testing.assert_close(together[:, number], layer(rows)[0])


@pytest.mark.parametrize("steps", [1, 2])
def test_inputs_and_gradients_are_left_as_they_were(steps: int) -> None:
    layer = CoupledLstm(3, 2)
    vectors = torch.randn(steps, 1, 3, requires_grad=True)
    copy = vectors.detach().clone()
    states = layer(vectors)[0]
    outer = torch.ones_like(states)
    first = torch.autograd.grad(states, vectors, outer, retain_graph=True)[0]
    second = torch.autograd.grad(states, vectors, outer)[0]
    assert torch.equal(vectors.detach(), copy)
    assert torch.equal(outer, torch.ones_like(states))
    assert torch.equal(first, second)


def test_new_weights_are_finite_and_gates_undecided() -> None:
    layer = CoupledLstm(5, 4)
    assert float(layer.bias_ih.detach().abs().sum()) == 0
    for gate in layer.weight_hh.detach().chunk(3):
        torch.testing.assert_close(gate @ gate.T, torch.eye(4), atol=1e-5, rtol=0)
