"""The CRF layer: transition scores over tags, and the loss of gold paths."""

from __future__ import annotations

import torch
from torch import Tensor, nn

#: Keeps logarithms finite where a tag is out of reach.
_TINY = 1e-30


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
        every row has at least one.
        """
        moves = self.transitions.exp()
        alpha = emissions[:, 0]
        for step in range(1, emissions.shape[1]):
            highest = alpha.detach().amax(dim=1, keepdim=True)
            reached = ((alpha - highest).exp() @ moves).clamp_min(_TINY).log()
            following = reached + highest + emissions[:, step]
            alpha = torch.where(mask[:, step, None], following, alpha)
        return torch.logsumexp(alpha, dim=1)

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
