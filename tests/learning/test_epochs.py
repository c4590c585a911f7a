"""Epochs: which one is kept, and what manifests and screens say of them."""

from __future__ import annotations

from scrubjay.learning.epochs import Epoch, describe_epochs, epoch_table, kept_epoch


def epochs(*figures: float | None) -> list[Epoch]:
    return [Epoch(n, 1.0 / n, 0.1, 1.0, dev) for n, dev in enumerate(figures, start=1)]


def test_the_first_of_the_best_epochs_is_kept() -> None:
    assert kept_epoch(epochs(0.1, 0.7, 0.7, 0.2)) == 2
    assert kept_epoch(epochs(0.0, 0.0)) == 1
    assert kept_epoch(epochs(None, None, None)) == 3


def test_a_line_tells_the_last_epoch_and_the_best_figure() -> None:
    assert (
        describe_epochs(epochs(0.1, 0.75, 0.5), most=40)
        == "train: epoch 3 of 40, dev F1 0.5000 (best 0.7500)"
    )
    assert describe_epochs(epochs(None, None), most=4) == "train: epoch 2 of 4, loss 0.5000"


def test_manifests_keep_number_loss_and_dev() -> None:
    assert epoch_table(epochs(0.25, None)) == [
        {"number": 1, "loss": 1.0, "dev": 0.25},
        {"number": 2, "loss": 0.5, "dev": None},
    ]
