"""The CRF layer: transition scores over tags, and the loss of gold paths."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

#: How far below the best, as logarithms, a tag of a token or a move between tags can lie: what
#: is further down counts as this. Their sum stays well within a double's reach of 708.
_DEEPEST_TAG, _DEEPEST_MOVE = -300.0, -200.0


class CrfLayer(nn.Module):
    """Scores of moves from tag to tag (row to column), the same at every token.

    This is Jiang 2017's decoding lattice (section 5.3, equations 3 to 5): a path's score is the
    sum of its emissions and transitions, and its probability a softmax over all paths.
    """

    def __init__(self, tag_count: int) -> None:
        super().__init__()
        self.transitions = nn.Parameter(torch.zeros(tag_count, tag_count))

    def log_normalizer(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """Return the log of the summed exponential scores of all paths, shape `(b,)`.

        `emissions` (b, t, k) and `mask` (b, t): True for tokens, which stand first in each row;
        every row has at least one. A tag 300 below a token's best, or a move 200 below the best
        move, counts as one of that depth.
        """
        result: Tensor = _LogNormalizer.apply(  # type: ignore[no-untyped-call]
            emissions, self.transitions, mask.sum(dim=1)
        )
        return result

    def path_score(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Return the score of one path per row, shape `(b,)`; `tags` (b, t) are its tags."""
        chosen = emissions.gather(2, tags[:, :, None])[:, :, 0]
        moves = self.transitions[tags[:, :-1], tags[:, 1:]]
        return (chosen * mask).sum(dim=1) + (moves * mask[:, 1:]).sum(dim=1)

    def loss(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Return the mean negative log probability of the gold paths of a batch, a scalar."""
        emissions = emissions.float()
        return (
            self.log_normalizer(emissions, mask) - self.path_score(emissions, tags, mask)
        ).mean()


class _LogNormalizer(torch.autograd.Function):
    """The log of the sum over all paths, `(b,)`, with the marginals as its gradient.

    The gradient by an emission is the probability of that tag at that token, and by a transition
    the expected number of such moves. Both come out of one loop over the tokens, which reads the
    rows from both ends at once, in doubles and scaled at every step.
    """

    @staticmethod
    def forward(context: Any, emissions: Tensor, transitions: Tensor, lengths: Tensor) -> Tensor:
        rows, steps = emissions.shape[:2]
        places = torch.arange(steps, device=emissions.device)[:, None]
        last = lengths[None, :] - 1
        mirror = torch.where(places <= last, last - places, places)
        row = torch.arange(rows, device=emissions.device)[None, :]

        scores = emissions.detach().double().transpose(0, 1)
        highest = scores.amax(dim=2, keepdim=True)
        potentials = (scores - highest).clamp_min_(_DEEPEST_TAG).exp_()
        highest_move = transitions.detach().double().amax()
        moves = (transitions.detach().double() - highest_move).clamp_min_(_DEEPEST_MOVE).exp_()

        both = torch.stack([potentials, potentials[mirror, row]], dim=1)
        ways = torch.stack([moves, moves.t()])
        reached, before, scales = _advance(both, ways)
        real = places <= last
        total = torch.where(real, scales[:, 0].log() + highest[:, :, 0], 0.0).sum(dim=0)
        total += last[0] * highest_move
        if any(context.needs_input_grad):
            ahead, behind = reached[:, 0], before[:, 1][mirror, row]
            marginals = ahead * behind
            norms = marginals.sum(dim=2, keepdim=True)
            marginals *= real[:, :, None] / norms
            left = (ahead / norms)[:-1]
            right = reached[:, 1][mirror, row][1:] * real[1:, :, None]
            context.save_for_backward(marginals, left, right, moves)
            context.dtype = emissions.dtype
        return total.to(emissions.dtype)

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        marginals, left, right, moves = context.saved_tensors
        weights = gradients[0].double()[None, :, None]
        by_emission = (marginals * weights).transpose(0, 1).to(context.dtype)
        tags = len(moves)
        pairs = (left * weights).reshape(-1, tags).t() @ right.reshape(-1, tags)
        return by_emission, (pairs * moves).to(context.dtype), None


def _advance(potentials: Tensor, ways: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Walk over potentials `(t, 2, b, k)` with moves `(2, k, k)`.

    Returns what has been reached at each step in all, as shares `(t, 2, b, k)`; the same before
    the step's own potentials; and the scales `(t, 2, b)` that the shares were divided by.
    """
    reached, before = torch.empty_like(potentials), torch.empty_like(potentials)
    scales = potentials.new_empty(potentials.shape[:3])
    before[0] = 1.0
    for step in range(len(potentials)):
        if step:
            torch.bmm(reached[step - 1], ways, out=before[step])
        here = torch.mul(before[step], potentials[step], out=reached[step])
        scale = torch.sum(here, dim=2, out=scales[step])
        here /= scale[:, :, None]
    return reached, before, scales
