"""The exact permutation test that approximate randomization approximates: all swaps, one by one.

And the interval of a difference between two systems, both summed over the same draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from scrubjay.evaluation.intervals import FIGURES, Interval, bootstrap_sums, percentile_interval

Row = tuple[int, int, int]


def figures(rows: Sequence[Row]) -> tuple[Fraction, Fraction, Fraction]:
    """Return f1, precision and recall of summed counts; undefined ones are 0."""
    tp, fp, fn = (sum(row[column] for row in rows) for column in range(3))
    return _share(2 * tp, 2 * tp + fp + fn), _share(tp, tp + fp), _share(tp, tp + fn)


def exact_shares(first: Sequence[Row], second: Sequence[Row]) -> tuple[Fraction, ...]:
    """Return for each figure the share of all 2^n swaps that differ at least as the systems do."""
    observed = _distance(first, second)
    hits = [0, 0, 0]
    for coins in product((False, True), repeat=len(first)):
        one = [b if coin else a for a, b, coin in zip(first, second, coins, strict=True)]
        other = [a if coin else b for a, b, coin in zip(first, second, coins, strict=True)]
        for number, (seen, found) in enumerate(zip(observed, _distance(one, other), strict=True)):
            hits[number] += found >= seen
    return tuple(Fraction(hit, 2 ** len(first)) for hit in hits)


def difference_interval(
    first: Sequence[Row], second: Sequence[Row], figure: str, *, resamples: int, seed: int
) -> Interval:
    """Return the interval of a figure of `first` minus that of `second`, on the same draws."""
    sums = bootstrap_sums(np.hstack((first, second)), resamples=resamples, seed=seed)
    gaps = FIGURES[figure](sums[:, :3]) - FIGURES[figure](sums[:, 3:])
    return percentile_interval(gaps, confidence=0.95)


def _distance(one: Sequence[Row], other: Sequence[Row]) -> list[Fraction]:
    return [abs(a - b) for a, b in zip(figures(one), figures(other), strict=True)]


def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)
