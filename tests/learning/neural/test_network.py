"""The whole network: windows in company are windows alone, over every switch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from scrubjay.learning.neural.batches import make_batch
from scrubjay.learning.neural.coupled import CoupledLstm
from scrubjay.learning.neural.devices import computes_bfloat16
from scrubjay.learning.neural.network import FeatureEmbedding, Network, Sizes, core_scores
from tests.learning.neural.samples import (
    ALPHABET,
    CONFIGS,
    FEATURES,
    TAGS,
    VOCABULARY,
    all_windows,
    make_data,
    make_network,
    window_of,
)

SIZES = Sizes(VOCABULARY, ALPHABET, FEATURES, TAGS)


@pytest.mark.parametrize("name", CONFIGS)
@given(seed=st.integers(0, 999), tokens=st.integers(1, 40))
@settings(max_examples=3)
def test_windows_in_company_are_windows_alone(name: str, seed: int, tokens: int) -> None:
    network = make_network(name, seed=seed, contextual=2)
    data = make_data(seed=seed, tokens=tokens, contextual=2)
    with torch.no_grad():
        together = network(all_windows(data))
        for number, size in enumerate(data.windows.sizes().tolist()):
            alone = network(make_batch(data, np.array([number])))
            assert alone.shape == (1, size, TAGS)
            torch.testing.assert_close(together[number, :size], alone[0], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", CONFIGS)
def test_every_parameter_learns(name: str) -> None:
    network = make_network(name, spread=0.5).train()
    torch.manual_seed(0)
    losses = [network.loss(all_windows(make_data(seed=seed, tokens=200))) for seed in range(3)]
    torch.autograd.backward(sum(losses, torch.zeros(())))
    for label, parameter in network.named_parameters():
        assert parameter.grad is not None, label
        assert torch.isfinite(parameter.grad).all(), label
        assert parameter.grad.abs().sum() > 0, label


@pytest.mark.parametrize("name", ["default", "coupled", "softmax"])
def test_steps_lower_the_loss(name: str) -> None:
    torch.manual_seed(1)
    network = Network(CONFIGS[name], SIZES).eval()
    batch = all_windows(make_data(seed=4))
    optimizer = torch.optim.Adam(network.parameters(), lr=0.03)
    losses = []
    for _ in range(40):
        optimizer.zero_grad()
        loss = network.loss(batch)
        torch.autograd.backward(loss)
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.7 * losses[0]


def test_cores_are_cut_out_of_what_is_read() -> None:
    data = make_data(seed=5)
    batch = all_windows(data)
    scores = torch.arange(batch.places.numel() * 2.0).view(*batch.places.shape, 2)
    found = core_scores(scores, batch)
    assert found.shape[:2] == batch.mask.shape
    for number in range(len(data.windows)):
        read, core = window_of(data, number)
        first, size = core.start - read.start, core.stop - core.start
        assert batch.mask[number].sum() == size
        assert torch.equal(found[number, :size], scores[number, first : first + size])


def test_loss_looks_at_cores_alone() -> None:
    data = make_data(seed=6)
    network, batch = make_network("default"), all_windows(data)
    scores = network(batch).detach().requires_grad_()
    network.forward = lambda _: scores  # type: ignore[method-assign]
    torch.autograd.backward(network.loss(batch))
    assert scores.grad is not None
    for number in range(len(data.windows)):
        read, core = window_of(data, number)
        touched = scores.grad[number].abs().sum(dim=1).gt(0).nonzero().flatten().tolist()
        assert touched == list(range(core.start - read.start, core.stop - read.start))


def test_features_lie_side_by_side() -> None:
    layer = FeatureEmbedding((3, 1, 5), 2)
    numbers = torch.tensor([[[2, 0, 4], [0, 0, 1]]])
    found = layer(numbers)
    assert found.shape == (1, 2, layer.dimension) == (1, 2, 6)
    rows = layer.table.weight
    torch.testing.assert_close(found[0, 0], torch.cat([rows[2], rows[3], rows[8]]))
    torch.testing.assert_close(found[0, 1], torch.cat([rows[0], rows[3], rows[5]]))


def test_rare_words_are_taken_for_unknown_in_training_alone() -> None:
    network, data = make_network("no characters"), make_data(seed=7)
    assert network.words is not None
    batch = all_windows(data)
    torch.manual_seed(0)
    seen = []
    network.words.register_forward_hook(lambda _, inputs, __: seen.append(inputs[0]))
    with torch.no_grad():
        network(batch)
        for _ in range(40):
            network.train()(batch)
    assert torch.equal(seen[0], batch.words)
    share = torch.stack([one == 1 for one in seen[1:]]).float().mean(dim=0)
    usual = batch.words != 1
    assert not share[usual & ~batch.rare].any()
    assert share[usual & batch.rare].sub(0.5).abs().max() < 0.35


def test_whole_tokens_are_dropped_in_training() -> None:
    network = make_network("locked dropout").train()
    torch.manual_seed(0)
    dropped = network._drop_words(torch.ones(30, 40, 3))
    assert torch.equal(dropped[:, :, :1].expand(-1, -1, 3), dropped)
    assert float(dropped.mean()) == pytest.approx(0.8, abs=0.05)
    assert torch.equal(network.eval()._drop_words(torch.ones(2, 2, 1)), torch.ones(2, 2, 1))


@pytest.mark.parametrize("name", CONFIGS)
def test_first_weights_are_sane(name: str) -> None:
    torch.manual_seed(2)
    network = Network(CONFIGS[name], SIZES)
    for label, parameter in network.named_parameters():
        assert torch.isfinite(parameter).all(), label
        assert float(parameter.detach().abs().max()) < 2, label
        zero = "bias" in label or "transitions" in label
        assert zero or float(parameter.detach().std()) > 0.01, label
    for module in network.modules():
        if isinstance(module, nn.Embedding) and module.padding_idx == 0:
            assert not module.weight[0].any()
        if isinstance(module, CoupledLstm):
            for gate in module.weight_hh.detach().chunk(3):
                torch.testing.assert_close(gate @ gate.T, torch.eye(len(gate)), atol=1e-5, rtol=0)
        if isinstance(module, nn.LSTM):
            bias = module.bias_ih_l0.detach().chunk(4)
            assert [float(gate.mean()) for gate in bias] == [0, 1, 0, 0]
            for gate in module.weight_hh_l0.detach().chunk(4):
                torch.testing.assert_close(gate @ gate.T, torch.eye(len(gate)), atol=1e-5, rtol=0)


@pytest.mark.skipif(
    not computes_bfloat16("cpu"), reason="this processor has no recurrent layers in bfloat16"
)
@pytest.mark.parametrize("name", CONFIGS)
def test_mixed_precision_moves_the_loss_little(name: str) -> None:
    torch.manual_seed(3)
    network = Network(CONFIGS[name], SIZES).eval()
    batch = all_windows(make_data(seed=8))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = network.loss(batch)
    torch.autograd.backward(mixed)
    assert mixed.dtype == torch.float32
    assert float(mixed.detach()) == pytest.approx(float(network.loss(batch).detach()), rel=0.03)
    assert all(torch.isfinite(p.grad).all() for p in network.parameters() if p.grad is not None)


def test_transitions_are_zeros_without_a_lattice() -> None:
    assert not make_network("softmax").transitions().any()
    network = make_network("default")
    assert network.crf is not None
    found = network.transitions()
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found.astype(np.float32), network.crf.transitions.detach())


def test_a_batch_moves_to_a_device() -> None:
    batch = all_windows(make_data())
    moved = batch.to(torch.device("cpu"))
    assert moved.contextual is None
    assert torch.equal(moved.places, batch.places)
