"""Plain versions of the neural kernels: one equation after another, every path in turn."""

from __future__ import annotations

import itertools

import torch
from torch import Tensor, nn


def coupled_lstm(layer: nn.Module, vectors: Tensor) -> Tensor:
    """The equations of `CoupledLstm`, by single rows and steps: `(t, b, d)` -> `(t, b, hidden)`."""
    weights = dict(layer.named_parameters())
    w_i, w_o, w_z = weights["weight_ih"].chunk(3)
    u_i, u_o, u_z = weights["weight_hh"].chunk(3)
    v_i, v_o = weights["weight_ch"].chunk(2)
    b_i, b_o, b_z = weights["bias_ih"].chunk(3)
    columns = []
    for row in range(vectors.shape[1]):
        h = c = torch.zeros(len(b_i), dtype=vectors.dtype)
        states = []
        for x in vectors[:, row]:
            i = torch.sigmoid(w_i @ x + u_i @ h + v_i @ c + b_i)
            o = torch.sigmoid(w_o @ x + u_o @ h + v_o @ c + b_o)
            z = torch.tanh(w_z @ x + u_z @ h + b_z)
            c = i * z + (1 - i) * c
            h = o * torch.tanh(c)
            states.append(h)
        columns.append(torch.stack(states))
    return torch.stack(columns, dim=1)


def path_scores(emissions: Tensor, transitions: Tensor) -> dict[tuple[int, ...], Tensor]:
    """The score of each path through one row's emissions `(t, k)`."""
    steps, tags = emissions.shape
    found = {}
    for path in itertools.product(range(tags), repeat=steps):
        score = emissions.new_zeros(())
        for step, tag in enumerate(path):
            score = score + emissions[step, tag]
            if step:
                score = score + transitions[path[step - 1], tag]
        found[path] = score
    return found


def log_normalizer(emissions: Tensor, transitions: Tensor, mask: Tensor) -> Tensor:
    """The forward recursion by log-sum-exp (Jiang 2017, Appendix D), one autograd node per step."""
    alpha = emissions[:, 0]
    for step in range(1, emissions.shape[1]):
        following = torch.logsumexp(alpha[:, :, None] + transitions, dim=1) + emissions[:, step]
        alpha = torch.where(mask[:, step, None], following, alpha)
    return torch.logsumexp(alpha, dim=1)
