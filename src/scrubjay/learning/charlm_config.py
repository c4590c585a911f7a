"""Configuration of character language models (Akbik et al. 2018; Trienes et al. 2020)."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from pathlib import Path

from scrubjay.errors import ConfigError, require_choice

OPTIMIZERS = ("adam", "sgd")
DIRECTIONS = ("forward", "backward")


@dataclass(frozen=True, slots=True, kw_only=True)
class CharLMConfig:
    """How a character language model looks and learns; the same for both directions.

    The network: `embedding` numbers for each character, one LSTM with `hidden` units, a softmax
    over the alphabet. Characters seen less than `min_count` times are unknown ones.

    The texts of an epoch stand one after another, shuffled, and are cut into `batch` streams,
    which are read `window` characters at a time; the gradient goes back no further than that
    (truncated backpropagation through time). The state is carried from window to window, and at
    the rate `forget` it is not, so that the model also learns to begin amid a text. `dropout`
    acts on the states before the softmax.

    The learning rate falls linearly to zero over the `epochs` (or over the time allowed), and is
    halved besides after each `patience` measurements without a better held-out text; after
    `early_stop` such measurements training ends. Measured is after each epoch, and within it
    every `measure_every` characters. `clip` bounds the norm of the gradient. `held_out` is the
    share of characters, in whole documents, that is measured on and never trained on.
    """

    hidden: int = 256
    embedding: int = 32
    dropout: float = 0.1
    min_count: int = 3
    batch: int = 16
    window: int = 64
    forget: float = 0.1
    epochs: int = 15
    optimizer: str = "adam"
    learning_rate: float = 0.006
    clip: float = 1.0
    patience: int = 2
    early_stop: int = 6
    measure_every: int = 2_000_000
    held_out: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        require_choice("optimizer", self.optimizer, OPTIMIZERS)
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.type == "int" and entry.name != "seed" and value < 1:
                raise ConfigError(f"{_spelled(entry.name)} must be 1 or more, not {value}")
            if entry.type == "float" and not (math.isfinite(value) and value >= 0):
                raise ConfigError(f"{_spelled(entry.name)} must not be negative: {value}")
        for name in ("dropout", "forget"):
            if getattr(self, name) >= 1:
                raise ConfigError(f"{name} must be below 1")
        if not 0 < self.held_out <= 0.5:
            raise ConfigError("held-out must be above 0 and at most 0.5")
        if self.learning_rate == 0 or self.clip == 0:
            raise ConfigError("learning-rate and clip must be above 0")
        if self.seed < 0:
            raise ConfigError("seed must not be negative")


@dataclass(frozen=True, slots=True, kw_only=True)
class CharLMRun:
    """How a pair of character language models is trained on this machine.

    `minutes` bound the time of both together; `threads` 0 means one for each core; `device` is
    "auto" or a name that torch knows. `checkpoint` is a folder that an interrupted training goes
    on from; it is removed once the models are saved, unless the clock ended the training.
    """

    minutes: float | None = None
    threads: int = 0
    device: str = "auto"
    checkpoint: Path | None = None

    def __post_init__(self) -> None:
        if self.minutes is not None and not self.minutes > 0:
            raise ConfigError("minutes must be above 0")
        if self.threads < 0:
            raise ConfigError("threads must not be negative")
        if self.checkpoint is not None and self.checkpoint.is_file():
            raise ConfigError(
                "the checkpoint is a file", path=self.checkpoint, hint="Give a folder"
            )


def _spelled(name: str) -> str:
    return name.replace("_", "-")
