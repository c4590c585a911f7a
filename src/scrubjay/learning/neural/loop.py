"""The training loop of networks: epochs of gradient steps, measured on dev, resumable."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any, Literal, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from scrubjay.errors import ConfigError
from scrubjay.learning.epochs import Epoch
from scrubjay.learning.neural.batches import bucketed_batches
from scrubjay.learning.neural.devices import (
    mixed_precision,
    random_state,
    require_precision,
    restore_random_state,
)
from scrubjay.learning.neural.state_files import State
from scrubjay.text.tokens import IntArray

Weights = dict[str, Tensor]


class Loadable(Protocol):
    """A batch of windows, as tensors."""

    def to(self, device: torch.device) -> Any:
        """Return the batch on a device."""


class TrainingWindows(Protocol):
    """The windows of the training texts."""

    @property
    def sizes(self) -> IntArray:
        """Return the length of each window, in what the network reads."""

    def batch(self, chosen: Sequence[int]) -> Loadable:
        """Return the windows of these numbers, padded to the longest."""


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """What trainings differ in.

    `rate` gives the learning rate of a step from that of its parameters at first, the number of
    the step and that of all steps. `batch` counts windows, `clip` bounds the norm of the gradient
    (0: no bound), and `early_stop` epochs without a better dev F1 end a training (0: none do).

    `seeds` says whether the training is seeded or each of its epochs. `average` > 0 keeps a moving
    average of the weights with that decay. After `plateau` epochs without a better training loss
    the rates are halved (0: never); a training ends where the first is below `least_rate`.
    """

    optimizer: torch.optim.Optimizer
    rate: Callable[[float, int, int], float]
    epochs: int
    batch: int
    clip: float
    early_stop: int
    seeds: Literal["training", "epoch"]
    average: float = 0.0
    plateau: int = 0
    least_rate: float = 0.0
    precision: str = "auto"


def train_network(
    network: nn.Module,
    windows: TrainingWindows,
    recipe: Recipe,
    *,
    seed: int,
    device: torch.device,
    loss: Callable[[Any], Tensor] | None = None,
    measure: Callable[[Any], float] | None = None,
    state: State | None = None,
    save: Callable[[State], None] = lambda state: None,
    report: Callable[[Sequence[Epoch], float], None] = lambda epochs, share: None,
) -> list[Epoch]:
    """Train a network in place, on a device, and return what each epoch did.

    `loss(batch)` is lowered, the network's own unless another is given. With `measure`, which
    gives the dev F1 of a network, the best epoch is kept, otherwise the last. `save` gets the
    state after each epoch; a later call with that `state` goes on as if it had never stopped.
    `report` gets all epochs so far and the share of the work that is done, after each step. Raises
    `ConfigError` where the loss or a weight is no number any more.
    """
    network.to(device)
    training = _Training(network, windows, recipe, seed, device, loss or network.loss)
    training.restore(state)
    while not training.finished(measured=measure is not None):
        began = monotonic()
        mean = training.train_epoch(report)
        dev = training.measure(measure) if measure else None
        training.note(mean, dev, seconds=monotonic() - began)
        save(training.state())
        report(training.run.epochs, len(training.run.epochs) / recipe.epochs)
    kept = training.run.best_weights if measure else training.run.average
    if kept is not None:
        network.load_state_dict(kept)
    network.eval()
    return training.run.epochs


@dataclass
class _Run:
    """Where a training stands between epochs, beside its weights."""

    epochs: list[Epoch] = field(default_factory=list)
    best: float = -1.0
    best_epoch: int = 0
    best_weights: Weights | None = None
    average: Weights | None = None
    least_loss: float = math.inf
    stale: int = 0
    halvings: int = 0
    steps: int = 0


class _Training:
    """One training between its epochs."""

    def __init__(
        self,
        network: nn.Module,
        windows: TrainingWindows,
        recipe: Recipe,
        seed: int,
        device: torch.device,
        loss: Any,
    ) -> None:
        require_precision(network, device, recipe.precision)
        self.run = _Run()
        self._network = network
        self._windows = windows
        self._recipe = recipe
        self._seed = seed
        self._device = device
        self._loss: Callable[[Any], Tensor] = loss
        self._sizes = windows.sizes
        self._steps = math.ceil(len(self._sizes) / recipe.batch)
        self._rates = [float(group["lr"]) for group in recipe.optimizer.param_groups]
        self._shuffling = np.random.default_rng(seed)

    def finished(self, *, measured: bool) -> bool:
        """Tell whether all epochs are done, the rate is too low, or dev F1 has not risen."""
        run, recipe = self.run, self._recipe
        done = len(run.epochs)
        # Before anything is found at all a network may need long: that is no plateau.
        waited = done - run.best_epoch if run.best > 0 else 0
        return (
            done >= recipe.epochs
            or (recipe.plateau > 0 and self._halved(self._rates[0]) < recipe.least_rate)
            or (measured and 0 < recipe.early_stop <= waited)
        )

    def train_epoch(self, report: Callable[[Sequence[Epoch], float], None]) -> float:
        """Take one step per batch; return the mean loss of a window."""
        number, recipe = len(self.run.epochs), self._recipe
        if recipe.seeds == "epoch":
            torch.manual_seed(self._seed * 100_003 + number)
            self._shuffling = np.random.default_rng([self._seed, number])
        total = 0.0
        self._network.train()
        batches = bucketed_batches(self._sizes, batch=recipe.batch, generator=self._shuffling)
        for done, chosen in enumerate(batches, start=1):
            total += self._step(chosen.tolist()) * len(chosen)
            report(self.run.epochs, (number + done / self._steps) / recipe.epochs)
        self._network.eval()
        self._require_finite(total / len(self._sizes))
        return total / len(self._sizes)

    def _step(self, chosen: Sequence[int]) -> float:
        recipe, run = self._recipe, self.run
        whole = self._steps * recipe.epochs
        for group, first in zip(recipe.optimizer.param_groups, self._rates, strict=True):
            group["lr"] = recipe.rate(self._halved(first), run.steps, whole)
        batch = self._windows.batch(chosen).to(self._device)
        with mixed_precision(self._device, recipe.precision):
            loss = self._loss(batch)
        recipe.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        if recipe.clip:
            torch.nn.utils.clip_grad_norm_(self._network.parameters(), recipe.clip)
        recipe.optimizer.step()
        run.steps += 1
        self._follow_average()
        return float(loss.detach())

    def _halved(self, rate: float) -> float:
        return rate * 0.5**self.run.halvings

    def _follow_average(self) -> None:
        run, decay = self.run, self._recipe.average
        if not decay:
            return
        weights = self._network.state_dict()
        if run.average is None:
            run.average = _copy(weights)
            return
        # Early on the average follows closely, so that the first random weights are forgotten.
        keep = min(decay, (1 + run.steps) / (10 + run.steps))
        for name, value in weights.items():
            if value.is_floating_point():
                run.average[name].lerp_(value, 1 - keep)

    def _require_finite(self, loss: float) -> None:
        # The last step of an epoch may break the weights when its loss is known already.
        whole = all(bool(value.isfinite().all()) for value in self._network.state_dict().values())
        if not (math.isfinite(loss) and whole):
            raise ConfigError(
                f"training came apart in epoch {len(self.run.epochs) + 1}: its loss is {loss}, "
                f"its weights are {'' if whole else 'not '}all finite",
                hint="Lower the rates in [training], or bound the gradient with training.clip",
            )

    def measure(self, measure: Callable[[Any], float]) -> float:
        """Measure on dev, with the averaged weights where they are kept."""
        if self.run.average is None:
            return measure(self._network)
        current = _copy(self._network.state_dict())
        self._network.load_state_dict(self.run.average)
        try:
            return measure(self._network)
        finally:
            self._network.load_state_dict(current)

    def note(self, loss: float, dev: float | None, *, seconds: float) -> None:
        """Note an epoch, and keep its weights where it is the best one."""
        run = self.run
        number = len(run.epochs) + 1
        rate = float(self._recipe.optimizer.param_groups[0]["lr"])
        run.epochs.append(Epoch(number, loss, rate, seconds, dev))
        if dev is not None and dev > run.best:
            run.best, run.best_epoch = dev, number
            run.best_weights = _copy(run.average or self._network.state_dict())
        if loss < run.least_loss:
            run.least_loss, run.stale = loss, 0
            return
        run.stale += 1
        if run.stale == self._recipe.plateau:
            run.halvings, run.stale = run.halvings + 1, 0

    def state(self) -> State:
        """Return everything that the next epoch depends on, as tensors and plain values."""
        names = _Run.__dataclass_fields__
        return {
            "weights": self._network.state_dict(),
            "optimizer": self._recipe.optimizer.state_dict(),
            "shuffling": self._shuffling.bit_generator.state,
            "random": random_state(self._device),
            "run": {
                **{name: getattr(self.run, name) for name in names},
                "epochs": [asdict(epoch) for epoch in self.run.epochs],
            },
        }

    def restore(self, state: State | None) -> None:
        """Go back to a state; None is the beginning."""
        if state is None:
            return
        self._network.load_state_dict(state["weights"])
        self._recipe.optimizer.load_state_dict(state["optimizer"])
        self._shuffling.bit_generator.state = state["shuffling"]
        restore_random_state(state["random"], self._device)
        self.run = run = _Run(**copy.deepcopy(state["run"]))
        run.epochs = [Epoch(**epoch) for epoch in state["run"]["epochs"]]
        if run.average is not None:
            # A state is read into main memory; the average is moved on beside the weights.
            run.average = {name: value.to(self._device) for name, value in run.average.items()}


def _copy(weights: Weights) -> Weights:
    return {name: value.detach().clone() for name, value in weights.items()}
