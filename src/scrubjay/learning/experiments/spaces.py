"""Spaces of settings: what a search may choose for each, and the trials that it makes.

[space]
"training.c1" = { low = 1e-4, high = 10.0, scale = "log" }
"network.hidden" = { values = [64, 128, 256] }
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from scrubjay.errors import ConfigError
from scrubjay.features.templates import require_known, require_table

_KEYS = {"values", "low", "high", "scale", "steps", "whole"}
SCALES = ("linear", "log")

#: Digits that a drawn number keeps: enough to tell trials apart, few enough to be copied.
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Dimension:
    """What one setting may be: one of `values`, or a number between `low` and `high`.

    `steps` are the values of a grid, both ends included; `whole` numbers are rounded.
    """

    path: str
    values: tuple[Any, ...] = ()
    low: float = 0.0
    high: float = 0.0
    scale: str = "linear"
    steps: int = 0
    whole: bool = False

    def draw(self, rng: np.random.Generator) -> Any:
        """Return a value at random, even over the values or over the scale."""
        if self.values:
            return self.values[int(rng.integers(len(self.values)))]
        return self._at(float(rng.uniform()))

    def grid(self) -> tuple[Any, ...]:
        """Return the values of a grid; raises `ConfigError` for a range without steps."""
        if self.values:
            return self.values
        if not self.steps:
            raise ConfigError(f"a grid needs steps or values for {self.path}")
        places = [n / max(1, self.steps - 1) for n in range(self.steps)]
        return tuple(dict.fromkeys(self._at(place) for place in places))

    def _at(self, share: float) -> Any:
        """Return the number at that share of the way from low to high."""
        if self.scale == "log":
            low, high = math.log10(self.low), math.log10(self.high)
            value = 10.0 ** (low + share * (high - low))
        else:
            value = self.low + share * (self.high - self.low)
        value = min(self.high, max(self.low, float(f"{value:.{_DIGITS}g}")))
        return round(value) if self.whole else value


def read_space(value: Any) -> tuple[Dimension, ...]:
    """Return the dimensions of `[space]`; raises `ConfigError`."""
    table = require_table(value, where="[space]")
    if not table:
        raise ConfigError("[space] names no setting to search")
    return tuple(_read_dimension(path, entry) for path, entry in table.items())


def _read_dimension(path: str, entry: Any) -> Dimension:
    where = f'[space] "{path}"'
    entry = require_table(entry, where=where)
    require_known(entry, _KEYS, where=where)
    if "values" in entry:
        values = entry["values"]
        if len(entry) > 1 or not isinstance(values, list) or not values:
            raise ConfigError(f"{where} has either values, a list, or low and high")
        return Dimension(path, values=tuple(values))
    low, high = entry.get("low"), entry.get("high")
    for name, number in (("low", low), ("high", high)):
        if type(number) not in (int, float) or not math.isfinite(number):
            raise ConfigError(f"{where}: {name} must be a number")
    scale, steps, whole = (
        entry.get("scale", "linear"), entry.get("steps", 0), entry.get("whole", False)
    )  # fmt: skip
    if scale not in SCALES:
        raise ConfigError(f"{where}: unknown scale {scale!r}", hint=f"Known: {', '.join(SCALES)}")
    if low >= high or (scale == "log" and low <= 0):
        raise ConfigError(f"{where}: low must be below high, and above 0 on a logarithmic scale")
    if type(steps) is not int or steps < 0 or steps == 1 or not isinstance(whole, bool):
        raise ConfigError(f"{where}: steps must be a whole number of at least 2, whole a truth")
    return Dimension(path, (), float(low), float(high), scale, steps, whole)


def draw_trials(
    space: tuple[Dimension, ...], trials: int, *, seed: int
) -> Iterator[dict[str, Any]]:
    """Yield the settings of random trials; more trials begin with the same ones."""
    for number in range(trials):
        rng = np.random.default_rng([seed, number])
        yield {dimension.path: dimension.draw(rng) for dimension in space}


def grid_trials(space: tuple[Dimension, ...]) -> Iterator[dict[str, Any]]:
    """Yield the settings of every point of the grid, the last dimension changing fastest."""
    for values in product(*(dimension.grid() for dimension in space)):
        yield dict(zip((dimension.path for dimension in space), values, strict=True))
