"""The training loop: epochs of gradient steps, measured on dev, stopped early, resumable."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from scrubjay.learning.bilstm_config import BilstmTraining
from scrubjay.learning.epochs import Epoch
from scrubjay.learning.neural.batches import TrainingData, iterate_batches
from scrubjay.learning.neural.devices import mixed_precision, random_state, restore_random_state
from scrubjay.learning.neural.network import Network

State = dict[str, Any]


@dataclass
class Run:
    """The state of a training between epochs: all that a checkpoint needs beside the weights."""

    epochs: list[Epoch] = field(default_factory=list)
    best: float = -1.0
    best_epoch: int = 0
    best_weights: dict[str, Tensor] | None = None
    average: dict[str, Tensor] | None = None
    rate: float = 0.0
    least_loss: float = math.inf
    stale: int = 0
    steps: int = 0


def train_network(
    network: Network,
    data: TrainingData,
    settings: BilstmTraining,
    *,
    seed: int,
    device: torch.device | None = None,
    measure: Callable[[Network], float] | None = None,
    load: Callable[[], State | None] = lambda: None,
    save: Callable[[State], None] = lambda state: None,
    report: Callable[[Epoch], None] = lambda epoch: None,
) -> list[Epoch]:
    """Train a network in place and return what each epoch did.

    `measure` gives the dev F1 of a network; without it the last epoch is kept, with it the best.
    `load` gives the state that an earlier call handed to `save` after an epoch, or None: training
    then goes on exactly as if it had not been interrupted.
    """
    device = device or torch.device("cpu")
    network.to(device)
    optimizer = _make_optimizer(network, settings)
    shuffling = np.random.default_rng(seed)
    run = Run(rate=settings.learning_rate)
    state = load()
    if state is not None:
        _restore(state, network, optimizer, shuffling, run, device)
    while not _finished(run, settings, measured=measure is not None):
        began = time.monotonic()
        loss = _train_epoch(network, data, settings, optimizer, shuffling, run, device)
        rate = optimizer.param_groups[0]["lr"]
        _follow_plateau(run, settings, loss)
        dev = _measure(network, run, measure) if measure else None
        number = len(run.epochs) + 1
        run.epochs.append(Epoch(number, loss, rate, time.monotonic() - began, dev))
        if dev is not None and dev > run.best:
            run.best, run.best_epoch = dev, number
            run.best_weights = _copy(run.average or network.state_dict())
        save(_capture(network, optimizer, shuffling, run, device))
        report(run.epochs[-1])
    weights = run.best_weights if measure else run.average
    if weights is not None:
        network.load_state_dict(weights)
    network.eval()
    return run.epochs


def _make_optimizer(network: Network, settings: BilstmTraining) -> torch.optim.Optimizer:
    parameters = list(network.parameters())
    rate, decay = settings.learning_rate, settings.weight_decay
    if settings.optimizer == "sgd":
        return torch.optim.SGD(parameters, lr=rate, weight_decay=decay)
    if settings.optimizer == "adamw":
        return torch.optim.AdamW(parameters, lr=rate, weight_decay=decay, fused=True)
    return torch.optim.Adam(parameters, lr=rate, weight_decay=decay, fused=True)


def _train_epoch(
    network: Network,
    data: TrainingData,
    settings: BilstmTraining,
    optimizer: torch.optim.Optimizer,
    shuffling: np.random.Generator,
    run: Run,
    device: torch.device,
) -> float:
    """Take one step per batch; return the mean loss of a window."""
    network.train()
    total = count = 0.0
    whole = settings.epochs * math.ceil(len(data.windows) / settings.batch)
    for chosen, batch in iterate_batches(data, batch=settings.batch, generator=shuffling):
        for group in optimizer.param_groups:
            group["lr"] = _rate(settings, run, whole)
        optimizer.zero_grad(set_to_none=True)
        with mixed_precision(device):
            loss = network.loss(batch.to(device))
        loss.backward()  # type: ignore[no-untyped-call]
        if settings.clip:
            torch.nn.utils.clip_grad_norm_(network.parameters(), settings.clip)
        optimizer.step()
        run.steps += 1
        _follow_average(network, run, settings.average)
        total += float(loss.detach()) * len(chosen)
        count += len(chosen)
    return total / count


def _rate(settings: BilstmTraining, run: Run, whole: int) -> float:
    """Return the learning rate of the next step; `whole` are the steps of all epochs."""
    rate = run.rate
    share = min(1.0, run.steps / max(1, whole))
    if settings.schedule == "cosine":
        rate *= 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * share))
    elif settings.schedule == "linear":
        rate *= 1.0 - 0.99 * share
    if run.steps < settings.warm_up:
        rate *= (run.steps + 1) / settings.warm_up
    return rate


def _follow_average(network: Network, run: Run, decay: float) -> None:
    if not decay:
        return
    weights = network.state_dict()
    if run.average is None:
        run.average = _copy(weights)
        return
    # Early on the average follows closely, so that the first random weights are forgotten.
    keep = min(decay, (1 + run.steps) / (10 + run.steps))
    for name, value in weights.items():
        if value.is_floating_point():
            run.average[name].lerp_(value, 1 - keep)


def _follow_plateau(run: Run, settings: BilstmTraining, loss: float) -> None:
    """Halve the rate when the training loss has not fallen for `patience` epochs."""
    if loss < run.least_loss:
        run.least_loss, run.stale = loss, 0
        return
    run.stale += 1
    if settings.schedule == "plateau" and run.stale >= settings.patience:
        run.rate, run.stale = run.rate / 2, 0


def _finished(run: Run, settings: BilstmTraining, *, measured: bool) -> bool:
    done = len(run.epochs)
    if done >= settings.epochs:
        return True
    if settings.schedule == "plateau" and run.rate < settings.least_rate:
        return True
    # Before anything is found at all a network may need long: that is no plateau.
    waited = done - run.best_epoch if run.best > 0 else 0
    return measured and 0 < settings.early_stop <= waited


def _measure(network: Network, run: Run, measure: Callable[[Network], float]) -> float:
    """Measure on dev with the averaged weights where they are kept."""
    network.eval()
    if run.average is None:
        return measure(network)
    current = _copy(network.state_dict())
    network.load_state_dict(run.average)
    try:
        return measure(network)
    finally:
        network.load_state_dict(current)


def _copy(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in weights.items()}


def _capture(
    network: Network,
    optimizer: torch.optim.Optimizer,
    shuffling: np.random.Generator,
    run: Run,
    device: torch.device,
) -> State:
    """Return everything that the next epoch depends on, as tensors and plain values."""
    return {
        "weights": network.state_dict(),
        "optimizer": optimizer.state_dict(),
        "shuffling": shuffling.bit_generator.state,
        "random": random_state(device),
        "run": {
            **{name: getattr(run, name) for name in run.__dataclass_fields__},
            "epochs": [asdict(epoch) for epoch in run.epochs],
        },
    }


def _restore(
    state: State,
    network: Network,
    optimizer: torch.optim.Optimizer,
    shuffling: np.random.Generator,
    run: Run,
    device: torch.device,
) -> None:
    network.load_state_dict(state["weights"])
    optimizer.load_state_dict(state["optimizer"])
    shuffling.bit_generator.state = state["shuffling"]
    restore_random_state(state["random"], device)
    for name, value in copy.deepcopy(state["run"]).items():
        setattr(run, name, value)
    run.epochs = [Epoch(**epoch) for epoch in state["run"]["epochs"]]
    if run.average is not None:
        # A state is read into main memory; the average is moved on beside the weights.
        run.average = {name: value.to(device) for name, value in run.average.items()}
