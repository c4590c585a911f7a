"""Fine-tuning: epochs of AdamW steps with warm-up and linear decay, measured, resumable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from math import ceil, isfinite
from time import monotonic
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from scrubjay.errors import ConfigError
from scrubjay.learning.epochs import Epoch
from scrubjay.learning.neural.batches import bucketed_batches
from scrubjay.learning.neural.devices import mixed_precision
from scrubjay.learning.neural.state_files import State
from scrubjay.learning.transformer_config import TransformerTraining
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
        """Return the sub-tokens of each window."""

    def batch(self, chosen: Sequence[int]) -> Loadable:
        """Return the windows of these numbers, padded to the longest."""


def tune(
    classifier: nn.Module,
    windows: TrainingWindows,
    settings: TransformerTraining,
    *,
    seed: int,
    device: torch.device,
    loss: Callable[[Any], Tensor] | None = None,
    measure: Callable[[], float] | None = None,
    state: State | None = None,
    save: Callable[[State], None] = lambda state: None,
    report: Callable[[Sequence[Epoch], float], None] = lambda epochs, share: None,
) -> list[Epoch]:
    """Train a classifier in place and return what each epoch did.

    `loss(batch)` is lowered, the classifier's own unless another is given; parameters under
    `encoder` have a rate of their own, and those without a gradient are left as they are.

    With `measure`, which gives the dev F1, the best epoch is kept, otherwise the last. `save` gets
    the state after each epoch; a later call with that `state` goes on as if it had never stopped.
    `report` gets all epochs so far and the share of the work that is done, after each step. Raises
    `ConfigError` where the loss is no number any more.
    """
    classifier.to(device)
    tuning = _Tuning(classifier, windows, settings, seed, device, loss or classifier.loss)
    tuning.restore(state)
    while not tuning.finished(measured=measure is not None):
        began = monotonic()
        mean = tuning.train_epoch(report)
        dev = measure() if measure else None
        tuning.note(mean, dev, seconds=monotonic() - began)
        save(tuning.state())
        report(tuning.epochs, len(tuning.epochs) / settings.epochs)
    if tuning.best_weights is not None:
        classifier.load_state_dict(tuning.best_weights)
    classifier.eval()
    return tuning.epochs


class _Tuning:
    """One training between its epochs."""

    def __init__(
        self,
        classifier: nn.Module,
        windows: TrainingWindows,
        settings: TransformerTraining,
        seed: int,
        device: torch.device,
        loss: Any,
    ) -> None:
        self.classifier = classifier
        self.windows = windows
        self.settings = settings
        self.seed = seed
        self.device = device
        self.loss: Callable[[Any], Tensor] = loss
        self.epochs: list[Epoch] = []
        self.best_weights: Weights | None = None
        self._best = (-1.0, 0)
        self._sizes = windows.sizes
        self._steps = ceil(len(self._sizes) / settings.batch)
        whole = self._steps * settings.epochs
        warm = round(whole * settings.warm_up)
        self._optimizer = torch.optim.AdamW(_groups(classifier, settings))
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer,
            lambda step: min((step + 1) / (warm + 1), (whole - step) / max(1, whole - warm)),
        )

    def finished(self, *, measured: bool) -> bool:
        """Tell whether all epochs are done, or dev F1 has not risen for long enough."""
        done = len(self.epochs)
        best, best_epoch = self._best
        # Before anything is found at all tuning may need long: that is no plateau.
        waited = done - best_epoch if best > 0 else 0
        return done >= self.settings.epochs or (measured and 0 < self.settings.patience <= waited)

    def train_epoch(self, report: Callable[[Sequence[Epoch], float], None]) -> float:
        """Take one step per batch; return the mean loss of a window."""
        number = len(self.epochs)
        # Every epoch has randomness of its own, so that a resumed one is no other.
        torch.manual_seed(self.seed * 100_003 + number)
        generator = np.random.default_rng([self.seed, number])
        total = 0.0
        self.classifier.train()
        batches = bucketed_batches(self._sizes, batch=self.settings.batch, generator=generator)
        for done, chosen in enumerate(batches, start=1):
            total += self._step(chosen.tolist()) * len(chosen)
            report(self.epochs, (number + done / self._steps) / self.settings.epochs)
        self.classifier.eval()
        if not isfinite(total):
            raise ConfigError(
                f"training came apart in epoch {number + 1}: its loss is {total}",
                hint="Lower training.learning-rate and training.head-rate",
            )
        return total / len(self._sizes)

    def _step(self, chosen: Sequence[int]) -> float:
        batch = self.windows.batch(chosen).to(self.device)
        with mixed_precision(self.device, self.settings.precision):
            loss = self.loss(batch)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        if self.settings.clip:
            torch.nn.utils.clip_grad_norm_(self.classifier.parameters(), self.settings.clip)
        self._optimizer.step()
        self._schedule.step()
        return float(loss.detach())

    def note(self, loss: float, dev: float | None, *, seconds: float) -> None:
        """Note an epoch, and keep its weights where it is the best one."""
        rate = float(self._schedule.get_last_lr()[0])
        self.epochs.append(Epoch(len(self.epochs) + 1, loss, rate, seconds, dev))
        if dev is not None and dev > self._best[0]:
            self._best = (dev, len(self.epochs))
            state = self.classifier.state_dict()
            self.best_weights = {name: value.detach().clone() for name, value in state.items()}

    def state(self) -> State:
        """Return everything that the next epoch depends on."""
        return {
            "weights": self.classifier.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "schedule": self._schedule.state_dict(),
            "epochs": [asdict(epoch) for epoch in self.epochs],
            "best": self._best,
            "best-weights": self.best_weights,
        }

    def restore(self, state: State | None) -> None:
        """Go back to a state; None is the beginning."""
        if state is None:
            return
        self.classifier.load_state_dict(state["weights"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._schedule.load_state_dict(state["schedule"])
        self.epochs = [Epoch(**epoch) for epoch in state["epochs"]]
        self._best = tuple(state["best"])
        self.best_weights = state["best-weights"]


def _groups(classifier: nn.Module, settings: TransformerTraining) -> list[dict[str, Any]]:
    """Return the parameters by learning rate and decay: biases and norms do not decay."""
    groups: dict[tuple[float, float], list[Tensor]] = {}
    for name, parameter in classifier.named_parameters():
        if not parameter.requires_grad:
            continue
        rate = settings.learning_rate if name.startswith("encoder.") else settings.head_rate
        decay = settings.weight_decay if parameter.ndim > 1 else 0.0
        groups.setdefault((rate, decay), []).append(parameter)
    return [
        {"params": members, "lr": rate, "weight_decay": decay}
        for (rate, decay), members in groups.items()
    ]
