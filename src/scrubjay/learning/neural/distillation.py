"""Distillation: a network learns to give the scores of another one, its teacher, too."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from scrubjay.learning.encoder_bilstm_config import TeacherSettings
from scrubjay.learning.neural.encoded_network import EncodedBatch, EncodedNetwork


class Teacher:
    """A trained network that another one, its student, is held to; it stays as it is.

    Source: Hinton, Vinyals and Dean 2015, "Distilling the knowledge in a neural network",
    sections 2 and 2.1.
    """

    def __init__(
        self, network: EncodedNetwork, settings: TeacherSettings, *, device: torch.device
    ) -> None:
        self._network = network.to(device).eval().requires_grad_(False)
        self._settings = settings

    def loss(self, student: EncodedNetwork, batch: EncodedBatch) -> Tensor:
        """Return the mean loss of a window: by the gold tags, and by the teacher's scores."""
        share, mask = self._settings.share, batch.tokens.mask
        emissions = student.emissions(batch)
        with torch.no_grad():
            wanted = self._network.emissions(batch)
        gold = student.network.gold_loss(emissions, batch.tokens)
        taught = divergence(wanted, emissions, mask, temperature=self._settings.temperature)
        return (1 - share) * gold + share * taught


def divergence(wanted: Tensor, found: Tensor, mask: Tensor, *, temperature: float) -> Tensor:
    """Return how far found scores `(b, t, k)` lie from wanted ones, a scalar of at least 0.

    It is the Kullback-Leibler divergence of the tags of each token, both distributions softened
    by the temperature, summed over the tokens of a row as the loss of a path is; the mean of the
    rows. The square of the temperature keeps its gradients at the scale of those of gold tags.
    """
    theirs, ours = (
        functional.log_softmax(scores[mask].float() / temperature, dim=1)
        for scores in (wanted, found)
    )
    total = functional.kl_div(ours, theirs, reduction="sum", log_target=True)
    return total * temperature**2 / len(mask)
