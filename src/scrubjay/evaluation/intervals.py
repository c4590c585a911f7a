"""How far a figure may be off: exact intervals of shares, and the bootstrap by document.

A share of independent trials has the exact interval of Clopper and Pearson (1934). A figure of a
corpus has none, since the spans of one document depend on each other: whole documents are drawn
again, with replacement, and the figure is computed anew from each draw (Efron 1979; Efron and
Tibshirani 1993, section 13.3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError, InputError, MissingExtraError, require_choice

CONFIDENCE = 0.95
RESAMPLES = 2_000

FloatArray = npt.NDArray[np.float64]

Figure = Callable[[FloatArray], FloatArray]
"""Sums of the columns of rows, along the last axis, to a figure; NaN where it is undefined."""

#: Sums closer than this are equal: those of fractions differ in their last digits.
EQUAL = 1e-12

#: Documents drawn at once; bounds memory to some tens of megabytes.
_DRAWS = 1 << 22


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends of an interval, which belong to it."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def require_statistics() -> None:
    """Raise `MissingExtraError` where intervals cannot be calculated, before work that ends so."""
    exact_interval(0, 1)


def exact_interval(successes: int, trials: int, *, confidence: float = CONFIDENCE) -> Interval:
    """Return the two-sided Clopper-Pearson interval of a share; without trials all of [0, 1].

    It holds the true share with at least that confidence where trials are independent. Shares
    of spans are not quite: those of one document stand and fall together, so it is a little
    too narrow for them.

    Raises `ConfigError` for a confidence outside (0, 1), `InputError` for counts that are no
    share, `MissingExtraError` without scipy.
    """
    confidence = require_confidence(confidence)
    if not 0 <= successes <= trials:
        raise InputError(f"{successes} of {trials} is no share")
    if trials == 0:
        return Interval(0.0, 1.0)
    try:
        # Half the time of scipy.stats, whose beta.ppf calls the same function.
        from scipy.special import betaincinv
    except ImportError:
        raise MissingExtraError("scipy", "report") from None
    tail = (1.0 - confidence) / 2.0
    failures = trials - successes
    low = betaincinv(successes, failures + 1, tail) if successes else 0.0
    high = betaincinv(successes + 1, failures, 1.0 - tail) if failures else 1.0
    return Interval(float(low), float(high))


def upper_bound_when_none(trials: int, confidence: float = CONFIDENCE) -> float:
    """Return the one-sided upper bound of a share of which none was seen in so many trials.

    It is the exact `1 - (1 - confidence) ** (1 / trials)`, of which "the rule of three",
    3 / trials, is the approximation at 0.95 (Hanley and Lippman-Hand 1983). Without trials it
    is 1. Raises as `exact_interval`.
    """
    confidence = require_confidence(confidence)
    if trials < 0:
        raise InputError(f"{trials} is no number of trials")
    return -math.expm1(math.log1p(-confidence) / trials) if trials else 1.0


def f1_of(counts: FloatArray) -> FloatArray:
    """Return F1 of sums (tp, fp, fn)."""
    tp = 2.0 * counts[..., 0]
    return _ratio(tp, tp + counts[..., 1] + counts[..., 2])


def precision_of(counts: FloatArray) -> FloatArray:
    """Return the precision of sums (tp, fp, fn)."""
    return _ratio(counts[..., 0], counts[..., 0] + counts[..., 1])


def recall_of(counts: FloatArray) -> FloatArray:
    """Return the recall of sums (tp, fp, fn)."""
    return _ratio(counts[..., 0], counts[..., 0] + counts[..., 2])


FIGURES: dict[str, Figure] = {"f1": f1_of, "precision": precision_of, "recall": recall_of}
"""Figures of rows (tp, fp, fn) by name."""


def bootstrap_interval(
    rows: npt.ArrayLike,
    figure: str | Figure = "f1",
    *,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Return the percentile interval of a figure by the bootstrap over documents.

    `rows` has one row for each document, whose columns are summed: (tp, fp, fn) for the named
    figures, anything for a figure of one's own. Draws in which the figure is undefined are left
    out; where all are the interval is [0, 1]. The seed decides the draws.

    Raises `ConfigError` for an unknown figure, a confidence outside (0, 1) or less than one
    draw, `InputError` without rows.
    """
    chosen = figure
    if isinstance(chosen, str):
        chosen = FIGURES[require_choice("figure", chosen, FIGURES)]
    sums = bootstrap_sums(rows, resamples=resamples, seed=seed)
    return percentile_interval(chosen(sums), confidence=confidence)


def bootstrap_sums(rows: npt.ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0) -> FloatArray:
    """Return the sums of the columns of `rows` in each draw of as many rows as there are.

    The result is `(resamples, columns)`. Columns side by side see the same draws, so systems and
    labels that are to be compared belong in one call.
    """
    rows = _require_rows(rows)
    if resamples < 1:
        raise ConfigError(f"a bootstrap needs at least one draw, not {resamples}")
    return np.concatenate([weights @ rows for weights in _draws(len(rows), resamples, seed)])


def percentile_interval(values: FloatArray, *, confidence: float = CONFIDENCE) -> Interval:
    """Return the middle part of values that holds that share; NaN is left out.

    Where nothing else is there it is [0, 1].
    """
    confidence = require_confidence(confidence)
    known = values[~np.isnan(values)]
    if not len(known):
        return Interval(0.0, 1.0)
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(known, (tail, 1.0 - tail))
    return Interval(float(low), float(high))


def require_confidence(confidence: float) -> float:
    """Return the confidence, or raise `ConfigError` where it lies outside (0, 1)."""
    if not 0.0 < confidence < 1.0:
        raise ConfigError(
            f"a confidence lies between 0 and 1, {confidence:g} does not", hint="Give 0.95 for 95%"
        )
    return confidence


def _draws(size: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Yield how often each of `size` rows is drawn, one line for each draw."""
    rng = np.random.default_rng(seed)
    batch = max(1, _DRAWS // size)
    for begin in range(0, resamples, batch):
        lines = min(batch, resamples - begin)
        drawn = rng.integers(0, size, size=(lines, size))
        drawn += np.arange(lines)[:, np.newaxis] * size
        counted = np.bincount(drawn.ravel(), minlength=lines * size)
        yield counted.reshape(lines, size).astype(np.float64)


def _require_rows(rows: npt.ArrayLike) -> FloatArray:
    table = np.asarray(rows, dtype=np.float64)
    if table.ndim != 2 or not len(table):
        raise InputError("a bootstrap needs rows of counts, one for each document")
    return table


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    # Sums that come to nothing may miss 0 by a rounding where rows are means.
    present = whole > EQUAL
    return np.where(present, part / np.where(present, whole, 1.0), np.nan)
