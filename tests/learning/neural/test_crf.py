"""The CRF layer against the enumeration of all paths, and against the plain recursion."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from scrubjay.learning.neural.crf import CrfLayer
from scrubjay.taggers._decoding.viterbi import best_path
from tests.oracles.neural import log_normalizer, path_scores


def _layer(tags: int, *, seed: int, spread: float = 1.0) -> CrfLayer:
    torch.manual_seed(seed)
    layer = CrfLayer(tags)
    torch.nn.init.normal_(layer.transitions, std=spread)
    return layer


def _mask(lengths: list[int]) -> Tensor:
    return torch.arange(max(lengths))[None, :] < torch.tensor(lengths)[:, None]


_lengths = st.lists(st.integers(1, 4), min_size=1, max_size=3)


@given(_lengths, st.integers(1, 4), st.integers(0, 999), st.sampled_from([0.1, 1.0, 20.0]))
@settings(max_examples=40)
def test_all_paths_are_summed(lengths: list[int], tags: int, seed: int, spread: float) -> None:
    layer = _layer(tags, seed=seed, spread=spread)
    emissions = torch.randn(len(lengths), max(lengths), tags) * spread
    found = layer.log_normalizer(emissions, _mask(lengths)).detach()
    for row, length in enumerate(lengths):
        paths = path_scores(emissions[row, :length], layer.transitions.detach())
        expected = torch.logsumexp(torch.stack(list(paths.values())).double(), dim=0)
        assert float(found[row]) == pytest.approx(float(expected), rel=1e-5, abs=1e-4)


@given(_lengths, st.integers(1, 4), st.integers(0, 999))
@settings(max_examples=40)
def test_the_loss_is_that_of_the_gold_path(lengths: list[int], tags: int, seed: int) -> None:
    layer = _layer(tags, seed=seed)
    emissions = torch.randn(len(lengths), max(lengths), tags)
    gold = torch.randint(0, tags, (len(lengths), max(lengths)))
    losses = []
    for row, length in enumerate(lengths):
        paths = path_scores(emissions[row, :length], layer.transitions)
        total = torch.logsumexp(torch.stack(list(paths.values())), dim=0)
        losses.append(total - paths[tuple(gold[row, :length].tolist())])
    expected = torch.stack(losses).mean()
    torch.testing.assert_close(layer.loss(emissions, gold, _mask(lengths)), expected)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(1, 6), st.integers(0, 999))
@settings(max_examples=30)
def test_gradients_are_those_of_the_plain_recursion(
    lengths: list[int], tags: int, seed: int
) -> None:
    layer = _layer(tags, seed=seed, spread=3.0).double()
    lengths = [*lengths, 2]  # one row at least moves from tag to tag
    emissions = torch.randn(len(lengths), max(lengths), tags, dtype=torch.double) * 3
    emissions.requires_grad_()
    mask, weights = _mask(lengths), torch.randn(len(lengths), dtype=torch.double)
    inputs = [emissions, layer.transitions]
    fast = layer.log_normalizer(emissions, mask)
    plain = log_normalizer(emissions, layer.transitions, mask)
    torch.testing.assert_close(fast, plain)
    ours = torch.autograd.grad((fast * weights).sum(), inputs)
    theirs = torch.autograd.grad((plain * weights).sum(), inputs)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("forbidden", [-1e4, -150.0, -30.0])
def test_very_low_transitions_keep_loss_and_gradients_finite(forbidden: float) -> None:
    layer = _layer(5, seed=0)
    with torch.no_grad():
        layer.transitions[:, 2] = forbidden
        layer.transitions[3, :] = forbidden
    emissions = (torch.randn(3, 40, 5) * 50).requires_grad_()
    gold = torch.randint(0, 5, (3, 40))
    loss = layer.loss(emissions, gold, _mask([40, 7, 1]))
    loss.backward()
    assert torch.isfinite(loss)
    assert float(loss.detach()) >= 0
    assert emissions.grad is not None
    assert torch.isfinite(emissions.grad).all()
    assert layer.transitions.grad is not None
    assert torch.isfinite(layer.transitions.grad).all()


def test_long_rows_are_summed_exactly() -> None:
    layer = _layer(4, seed=1)
    emissions = torch.randn(2, 3000, 4) * 10
    mask = _mask([3000, 2500])
    expected = log_normalizer(emissions.double(), layer.transitions.double(), mask)
    torch.testing.assert_close(layer.log_normalizer(emissions, mask).double(), expected)


def test_scores_of_minus_infinity_move_nothing_else() -> None:
    """A tag that is out of reach at a token has no probability there and no gradient."""
    layer = _layer(3, seed=2)
    emissions = torch.randn(1, 4, 3)
    emissions[0, 1, 2] = -torch.inf
    emissions.requires_grad_()
    layer.log_normalizer(emissions, _mask([4])).sum().backward()
    assert emissions.grad is not None
    assert float(emissions.grad[0, 1, 2]) == pytest.approx(0, abs=1e-30)
    torch.testing.assert_close(emissions.grad.sum(dim=2), torch.ones(1, 4))


def test_padding_has_no_gradient() -> None:
    layer = _layer(3, seed=3)
    emissions = torch.randn(2, 5, 3, requires_grad=True)
    mask = _mask([5, 2])
    layer.loss(emissions, torch.zeros(2, 5, dtype=torch.long), mask).backward()
    assert emissions.grad is not None
    assert not emissions.grad[~mask].any()
    assert emissions.grad[mask].any(dim=1).all()


@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 999))
@settings(max_examples=30)
def test_the_decoder_finds_the_best_of_all_paths(length: int, tags: int, seed: int) -> None:
    layer = _layer(tags, seed=seed)
    emissions = torch.randn(length, tags)
    paths = path_scores(emissions, layer.transitions.detach())
    best = max(paths, key=lambda path: float(paths[path]))
    found = best_path(
        emissions.double().numpy(),
        np.array([0, length], dtype=np.int32),
        layer.transitions.detach().double().numpy(),
    )
    assert tuple(found.tolist()) == best


def test_training_makes_the_gold_path_the_best() -> None:
    torch.manual_seed(4)
    layer = CrfLayer(3)
    emissions = torch.zeros(1, 6, 3, requires_grad=True)
    gold = torch.tensor([[0, 1, 2, 0, 1, 2]])
    optimizer = torch.optim.SGD([emissions, layer.transitions], lr=1.0)
    for _ in range(30):
        optimizer.zero_grad()
        layer.loss(emissions, gold, _mask([6])).backward()
        optimizer.step()
    found = best_path(
        emissions.detach()[0].double().numpy(),
        np.array([0, 6], dtype=np.int32),
        layer.transitions.detach().double().numpy(),
    )
    assert found.tolist() == gold[0].tolist()
    assert float(layer.transitions.detach()[0, 1]) > float(layer.transitions.detach()[0, 2])
