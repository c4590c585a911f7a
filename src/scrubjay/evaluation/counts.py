"""Counts of matches, the ratios of them, and their means over documents."""

from __future__ import annotations

import math
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any


def mean_of(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are defined, None where none is."""
    defined = [value for value in values if value is not None]
    return math.fsum(defined) / len(defined) if defined else None


def show_ratio(value: float | None) -> str:
    """Return a ratio with four decimals, "-" where it is undefined."""
    return "-" if value is None else f"{value:.4f}"


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives.

    A ratio without denominator is None, not 0: nothing predicted has no precision.
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def gold(self) -> int:
        """Items in gold."""
        return self.tp + self.fn

    @property
    def predicted(self) -> int:
        """Items that the system predicted."""
        return self.tp + self.fp

    @property
    def precision(self) -> float | None:
        """The share of the predicted items that are right."""
        return self.tp / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        """The share of the gold items that were found."""
        return self.tp / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; 0 where only one side has items."""
        total = self.gold + self.predicted
        return 2 * self.tp / total if total else None

    def ratios(self) -> dict[str, float | None]:
        """Return precision, recall and F1 by their names."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}

    def record(self) -> dict[str, Any]:
        """Return the counts and their ratios as JSON values."""
        return {"tp": self.tp, "fp": self.fp, "fn": self.fn, **self.ratios()}


def count_sets(gold: AbstractSet[Any], predicted: AbstractSet[Any]) -> Counts:
    """Return the counts of two sets of items."""
    both = len(gold & predicted)
    return Counts(both, len(predicted) - both, len(gold) - both)


@dataclass(frozen=True, slots=True)
class Macro:
    """Means over documents with population standard deviations, as the i2b2 2014 scorer has them.

    A document without gold counts with recall 0 and one without predictions with precision 0.
    `f1` is the harmonic mean of the two means, None where both are 0. All are None where there
    is no document.
    """

    precision: float | None
    precision_sd: float | None
    recall: float | None
    recall_sd: float | None
    f1: float | None


class Mean:
    """A running mean and deviation in constant memory (Welford 1962)."""

    __slots__ = ("_mean", "_size", "_squares")

    def __init__(self) -> None:
        self._size = 0
        self._mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """Take one value in."""
        self._size += 1
        gap = value - self._mean
        self._mean += gap / self._size
        self._squares += gap * (value - self._mean)

    def padded(self, size: int) -> tuple[float, float]:
        """Return mean and population deviation as if zeros had filled the values up to `size`.

        The two groups are joined by the formula of Chan, Golub and LeVeque (1983).
        """
        zeros = size - self._size
        mean = self._mean * self._size / size
        squares = self._squares + self._mean * self._mean * self._size * zeros / size
        return mean, math.sqrt(squares / size)


class Tally:
    """Counts summed over documents, with what the macro means need."""

    __slots__ = ("_fn", "_fp", "_precision", "_recall", "_tp")

    def __init__(self) -> None:
        self._tp = self._fp = self._fn = 0
        self._precision = Mean()
        self._recall = Mean()

    def add(self, tp: int, fp: int, fn: int) -> None:
        """Take in the counts of one document; documents without any may be left out."""
        self._tp += tp
        self._fp += fp
        self._fn += fn
        self._precision.add(tp / (tp + fp) if tp else 0.0)
        self._recall.add(tp / (tp + fn) if tp else 0.0)

    @property
    def counts(self) -> Counts:
        """The sums."""
        return Counts(self._tp, self._fp, self._fn)

    def macro(self, documents: int) -> Macro:
        """Return the means over that many documents, those that were left out included."""
        if documents == 0:
            return Macro(None, None, None, None, None)
        precision, precision_sd = self._precision.padded(documents)
        recall, recall_sd = self._recall.padded(documents)
        both = precision + recall
        f1 = 2 * precision * recall / both if both else None
        return Macro(precision, precision_sd, recall, recall_sd, f1)
