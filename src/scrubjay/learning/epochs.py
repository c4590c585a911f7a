"""Epochs of a training: what each did, which one is kept, and how both are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Epoch:
    """What one pass over the training data did: mean loss, learning rate, seconds, dev F1."""

    number: int
    loss: float
    rate: float
    seconds: float
    dev: float | None = None


def kept_epoch(epochs: Sequence[Epoch]) -> int:
    """Return the number of the first epoch with the best dev F1, or of the last without dev."""
    if epochs[-1].dev is None:
        return epochs[-1].number
    return max(epochs, key=lambda epoch: (epoch.dev or 0.0, -epoch.number)).number


def epoch_table(epochs: Sequence[Epoch]) -> list[dict[str, Any]]:
    """Return the epochs as manifests keep them: number, mean loss, dev F1 or None."""
    return [
        {
            "number": epoch.number,
            "loss": round(epoch.loss, 6),
            "dev": None if epoch.dev is None else round(epoch.dev, 6),
        }
        for epoch in epochs
    ]


def report_epochs(
    progress: Callable[[str, float], None], *, most: int
) -> Callable[[Sequence[Epoch], float], None]:
    """Return what tells `progress` of the epochs so far and the share of the training."""

    def report(epochs: Sequence[Epoch], share: float) -> None:
        progress(describe_epochs(epochs, most=most) if epochs else "train", share)

    return report


def describe_epochs(epochs: Sequence[Epoch], *, most: int) -> str:
    """Return a line about the last epoch, "train: epoch 7 of 40, dev F1 0.9512 (best 0.9533)"."""
    last = epochs[-1]
    line = f"train: epoch {last.number} of {most}"
    if last.dev is None:
        return f"{line}, loss {last.loss:.4f}"
    best = max(epoch.dev or 0.0 for epoch in epochs)
    return f"{line}, dev F1 {last.dev:.4f} (best {best:.4f})"
