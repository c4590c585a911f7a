"""Decoding by marginals: of each token the probability of each tag, and the best path over those.

The best path through a chain is the likeliest as a whole, and says little of a token whose tag
is open. Here each token is judged by all paths through the chain, and of the paths that a tag
scheme allows the one is taken whose tags have the largest product of marginal probabilities
(posterior-Viterbi: Fariselli, Martelli and Casadio 2005, *A new decoding algorithm for hidden
Markov models improves the prediction of the topology of all-beta membrane proteins*). It takes
two passes more over the text.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from scrubjay.taggers._decoding.chain import ChainDecoder, Decoded
from scrubjay.taggers._decoding.probabilities import stretch_marginals
from scrubjay.taggers._decoding.viterbi import FloatArray, best_path
from scrubjay.tags import allowed_moves
from scrubjay.text.tokens import IntArray

#: What is added to each probability: a tag of which a chain is sure to 14 (the logarithm of this)
#: more than of another is as sure as can be.
_LEAST = 1e-6


class MarginalDecoder(ChainDecoder):
    """Turns emission scores into tags by their marginal probabilities.

    `dial` is subtracted from the logarithm of that of `O` at every token: above 0 it finds more.
    A token is judged alone by it, so a long mention is no likelier to come up than a short one.
    The probabilities of spans are those of the chain, as of any `ChainDecoder`.
    """

    def decode(self, scores: FloatArray, bounds: IntArray) -> Decoded:
        """Return the best path over the marginals in each stretch; impossible tags get -inf."""
        allowed = allowed_moves(self.scheme, len(self.labels))
        scores[:, self.unseen] = -np.inf
        transitions = np.where(allowed, self.transitions, -np.inf)
        logs = np.empty_like(scores)
        for begin, end in pairwise(bounds.tolist()):
            if begin < end:
                logs[begin:end] = stretch_marginals(scores[begin:end], transitions)
        np.log(logs + _LEAST, out=logs)
        logs[:, self.unseen] = -np.inf
        logs[:, 0] -= self.dial
        moves = np.where(np.isneginf(transitions), -np.inf, 0.0)
        return Decoded(scores, bounds, best_path(logs, bounds, moves))
