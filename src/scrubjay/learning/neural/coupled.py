"""The LSTM with coupled gates and peepholes of Jiang 2017, with its own backward pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn


class CoupledLstm(nn.Module):
    """An LSTM whose forget gate is one less its input gate (Jiang 2017, section 5.1, Appendix C).

    The equations (12) to (16) are images that the text of the paper lacks; they are rebuilt from
    the prose around them. "There are two gates, which are calculated by the weight combination of
    current embedding x_t, last h_{t-1} and last c_{t-1}"; z_t is "exactly the same as in
    Equation (1)"; W (hidden, dimension), U and V (hidden, hidden) are matrices:

        i_t = sigmoid(W_i x_t + U_i h_{t-1} + V_i c_{t-1} + b_i)
        o_t = sigmoid(W_o x_t + U_o h_{t-1} + V_o c_{t-1} + b_o)
        z_t = tanh(W_z x_t + U_z h_{t-1} + b_z)
        c_t = i_t * z_t + (1 - i_t) * c_{t-1}
        h_t = o_t * tanh(c_t)

    Parameters are stacked in the order i, o, z: `weight_ih` W, `weight_hh` U, `weight_ch` V
    (i and o alone), `bias_ih` b.
    """

    def __init__(self, dimension: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.weight_ih = nn.Parameter(torch.empty(3 * hidden, dimension))
        self.weight_hh = nn.Parameter(torch.empty(3 * hidden, hidden))
        self.weight_ch = nn.Parameter(torch.empty(2 * hidden, hidden))
        self.bias_ih = nn.Parameter(torch.zeros(3 * hidden))
        self.reset()

    def reset(self) -> None:
        """Draw the weights: orthogonal recurrences, input weights by Glorot, gates undecided."""
        nn.init.zeros_(self.bias_ih)
        for gate in self.weight_ih.data.chunk(3):
            nn.init.xavier_uniform_(gate)
        for gate in (*self.weight_hh.data.chunk(3), *self.weight_ch.data.chunk(2)):
            nn.init.orthogonal_(gate)

    def forward(self, vectors: Tensor) -> tuple[Tensor, None]:
        """Return the states `(t, b, hidden)` of vectors `(t, b, d)`, from zero on, and None."""
        return run_coupled([self], [vectors])[:, 0], None

    def inputs(self, vectors: Tensor) -> Tensor:
        """Return what the gates see of the vectors, `(t, b, 3 * hidden)`."""
        return nn.functional.linear(vectors, self.weight_ih, self.bias_ih)

    def recurrence(self) -> Tensor:
        """Return U and V as one matrix that takes `[h, c]` to the gates, (2 * hidden, 3 * hidden).

        z sees no cell: its block is 0.
        """
        cells = nn.functional.pad(self.weight_ch, (0, 0, 0, self.hidden))
        return torch.cat([self.weight_hh, cells], dim=1).t()


def run_coupled(layers: Sequence[CoupledLstm], vectors: Sequence[Tensor]) -> Tensor:
    """Run each layer over its vectors `(t, b, d)`, side by side; returns `(t, layers, b, hidden)`.

    All have one hidden size. Side by side costs less than one after another: most of the time of
    a small layer goes into starting its operations.
    """
    with torch.autocast(vectors[0].device.type, enabled=False):
        pairs = list(zip(layers, vectors, strict=True))
        seen = [layer.inputs(rows.to(layer.bias_ih.dtype)) for layer, rows in pairs]
        gates = torch.stack(seen, dim=1)
        matrices = torch.stack([layer.recurrence() for layer in layers])
        states: Tensor = _Recurrence.apply(gates, matrices)  # type: ignore[no-untyped-call]
    return states


class _Recurrence(torch.autograd.Function):
    """The recurrence over time: gates `(t, n, b, 3h)` and matrices `(n, 2h, 3h)` -> states.

    Written by hand because autograd keeps dozens of small nodes per step.
    """

    @staticmethod
    def forward(context: Any, gates: Tensor, matrices: Tensor) -> Tensor:
        steps, layers, rows, width = gates.shape
        hidden = width // 3
        values = gates.clone()  # becomes what the gates let through
        # Place t + 1 holds [h_t, c_t].
        memory = gates.new_zeros(steps + 1, layers, rows, 2 * hidden)
        bounded = gates.new_empty(steps, layers, rows, hidden)
        for step in range(steps):
            gate, before, after = values[step], memory[step], memory[step + 1]
            gate.baddbmm_(before, matrices)
            gate[..., : 2 * hidden].sigmoid_()
            candidate = gate[..., 2 * hidden :].tanh_()
            cell = after[..., hidden:]
            torch.lerp(before[..., hidden:], candidate, gate[..., :hidden], out=cell)
            torch.tanh(cell, out=bounded[step])
            torch.mul(bounded[step], gate[..., hidden : 2 * hidden], out=after[..., :hidden])
        context.save_for_backward(values, memory, bounded, matrices)
        return memory[1:, ..., :hidden].contiguous()

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        values, memory, bounded, matrices = context.saved_tensors
        steps, layers, rows, hidden = bounded.shape
        outer = gradients[0]
        backwards = matrices.transpose(1, 2).contiguous()
        pre, carry = _slopes(values, memory, bounded)
        # What flows to [h, c] of the step before, and what its own step adds to it.
        flow = memory.new_zeros(layers, rows, 2 * hidden)
        for step in range(steps - 1, -1, -1):
            slope = pre[step]
            state, cell = flow[..., :hidden], flow[..., hidden:]
            state += outer[step]
            # To c_t, through h_t = o_t * tanh(c_t).
            total = torch.addcmul(cell, state, carry[step, ..., hidden:])
            slope[..., :hidden] *= total
            slope[..., hidden : 2 * hidden] *= state
            slope[..., 2 * hidden :] *= total
            flow = torch.bmm(slope, backwards)
            flow[..., hidden:].addcmul_(total, carry[step, ..., :hidden])
        inputs = memory[:-1].transpose(0, 1).reshape(layers, steps * rows, 2 * hidden)
        outputs = pre.transpose(0, 1).reshape(layers, steps * rows, 3 * hidden)
        return pre, torch.bmm(inputs.transpose(1, 2), outputs)


def _slopes(values: Tensor, memory: Tensor, bounded: Tensor) -> tuple[Tensor, Tensor]:
    """Return the local derivatives of all steps at once.

    First of c_t (for i and z) and h_t (for o) by the gates' arguments, `(t, n, b, 3h)`; then of
    c_t by c_{t-1} and of h_t by c_t side by side, `(t, n, b, 2h)`.
    """
    hidden = bounded.shape[-1]
    entry, exit_, candidate = values.chunk(3, dim=-1)
    cells = memory[:-1, ..., hidden:]
    slopes = torch.empty_like(values)
    torch.mul((candidate - cells) * entry, 1 - entry, out=slopes[..., :hidden])
    torch.mul(bounded * exit_, 1 - exit_, out=slopes[..., hidden : 2 * hidden])
    torch.mul(1 - candidate * candidate, entry, out=slopes[..., 2 * hidden :])
    return slopes, torch.cat([1 - entry, (1 - bounded * bounded) * exit_], dim=-1)
