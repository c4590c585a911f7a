"""How networks learn: the recipes of recurrent taggers and of encoders that are tuned."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

from scrubjay.learning.bilstm_config import BilstmTraining
from scrubjay.learning.neural.loop import Recipe
from scrubjay.learning.transformer_config import TransformerTraining


def recurrent_recipe(network: nn.Module, settings: BilstmTraining) -> Recipe:
    """Return how a recurrent network learns: its optimizer, schedule, average of weights."""
    parameters = list(network.parameters())
    rates: dict[str, Any] = {"lr": settings.learning_rate, "weight_decay": settings.weight_decay}
    optimizer: torch.optim.Optimizer
    if settings.optimizer == "sgd":
        optimizer = torch.optim.SGD(parameters, **rates)
    elif settings.optimizer == "adamw":
        optimizer = torch.optim.AdamW(parameters, **rates, fused=True)
    else:
        optimizer = torch.optim.Adam(parameters, **rates, fused=True)

    def rate(first: float, step: int, whole: int) -> float:
        share = min(1.0, step / max(1, whole))
        if settings.schedule == "cosine":
            first *= 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * share))
        elif settings.schedule == "linear":
            first *= 1.0 - 0.99 * share
        if step < settings.warm_up:
            first *= (step + 1) / settings.warm_up
        return first

    return Recipe(
        optimizer,
        rate,
        epochs=settings.epochs,
        batch=settings.batch,
        clip=settings.clip,
        early_stop=settings.early_stop,
        seeds="training",
        average=settings.average,
        plateau=settings.patience if settings.schedule == "plateau" else 0,
        least_rate=settings.least_rate,
    )


def tuning_recipe(network: nn.Module, settings: TransformerTraining) -> Recipe:
    """Return how an encoder and what stands above it are tuned: AdamW, a warm-up, linear decay.

    Parameters under `encoder` have a rate of their own, and those without a gradient are left as
    they are.
    """

    def rate(first: float, step: int, whole: int) -> float:
        warm = round(whole * settings.warm_up)
        return first * min((step + 1) / (warm + 1), (whole - step) / max(1, whole - warm))

    return Recipe(
        torch.optim.AdamW(_groups(network, settings)),
        rate,
        epochs=settings.epochs,
        batch=settings.batch,
        clip=settings.clip,
        early_stop=settings.patience,
        seeds="epoch",
        precision=settings.precision,
    )


def _groups(network: nn.Module, settings: TransformerTraining) -> list[dict[str, Any]]:
    """Return the parameters by learning rate and decay: biases and norms do not decay."""
    groups: dict[tuple[float, float], list[Tensor]] = {}
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        rate = settings.learning_rate if name.startswith("encoder.") else settings.head_rate
        decay = settings.weight_decay if parameter.ndim > 1 else 0.0
        groups.setdefault((rate, decay), []).append(parameter)
    return [
        {"params": members, "lr": rate, "weight_decay": decay}
        for (rate, decay), members in groups.items()
    ]
