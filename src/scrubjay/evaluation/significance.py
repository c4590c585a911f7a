"""Whether two systems differ by more than chance: approximate randomization.

If the two systems were alike, it would not matter which of them gave which answer to a document.
So the answers are swapped, document by document, by the throw of a coin, and the difference of
the swapped systems is compared with the one that was seen. Noreen 1989; Chinchor 1992; Yeh 2000;
used two-sided with 9,999 shuffles by Trienes 2020 (section 4.5), and by Jiang 2017 (section 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.counts import Counts, count_sets
from scrubjay.evaluation.intervals import EQUAL, FIGURES, FloatArray
from scrubjay.evaluation.matching import span_items
from scrubjay.evaluation.pairs import Pair

SHUFFLES = 9_999

#: Coins thrown at once; bounds memory to some tens of megabytes.
_COINS = 1 << 22

#: From so many documents on those with the same counts share one throw: how many of them swap.
_MANY = 1_000


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of two systems: `difference` is first minus second, `p` the two-sided p-value.

    A precision of nothing predicted, and a recall of nothing to find, count as 0 here.
    """

    figure: str
    first: float
    second: float
    difference: float
    p: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a test: its size, and the differences in f1, precision and recall."""

    documents: int
    shuffles: int
    seed: int
    differences: tuple[Difference, ...]

    def __getitem__(self, figure: str) -> Difference:
        """Return the difference of a figure; raises `KeyError` for an unknown one."""
        for difference in self.differences:
            if difference.figure == figure:
                return difference
        raise KeyError(figure)


def count_strict(pair: Pair) -> Counts:
    """Return the strict counts of one pair, as the evaluation "Strict" of the i2b2 scorer."""
    return count_sets(
        span_items(pair.gold.spans, str.upper), span_items(pair.predicted.spans, str.upper)
    )


def strict_rows(pairs: Iterable[Pair]) -> FloatArray:
    """Return the strict counts of each pair as rows `(tp, fp, fn)`."""
    rows = [(count.tp, count.fp, count.fn) for count in map(count_strict, pairs)]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def compare_systems(
    first: FloatArray, second: FloatArray, *, shuffles: int = SHUFFLES, seed: int = 0
) -> Comparison:
    """Test whether two systems differ on the same documents, in the same order.

    `first` and `second` are rows of counts as `strict_rows` gives them, or means of such rows
    over several trainings. `p` is `(c + 1) / (shuffles + 1)`, where `c` of the shuffles differ at
    least as much as the systems do, in either direction. The seed decides the shuffles.

    Raises `InputError` where the rows do not belong to the same documents, `ConfigError` for
    less than one shuffle.
    """
    if shuffles < 1:
        raise ConfigError(f"a test needs at least one shuffle, not {shuffles}")
    first, second = _require_paired(first), _require_paired(second)
    if len(first) != len(second):
        raise InputError(
            f"the systems have {len(first)} and {len(second)} documents",
            hint="Both must have answered the same documents",
        )
    if not np.allclose(_gold(first), _gold(second)):
        row = int(np.argmax(~np.isclose(_gold(first), _gold(second))))
        raise InputError(
            f"document {row} of the two systems has different numbers of gold spans",
            hint="Both must be compared with the same gold, in the same order",
        )
    one, other = _figures(first.sum(axis=0)), _figures(second.sum(axis=0))
    exceeded = _count_exceeding(first, second, np.abs(one - other), shuffles, seed)
    differences = tuple(
        Difference(name, float(a), float(b), float(a - b), (int(count) + 1) / (shuffles + 1))
        for name, a, b, count in zip(FIGURES, one, other, exceeded, strict=True)
    )
    return Comparison(len(first), shuffles, seed, differences)


def correct_holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for being so many, by the method of Holm (1979).

    Calling those below 0.05 significant then errs once or more in all of them with a chance of
    at most 0.05, however they depend on each other.
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected = [0.0] * len(values)
    worst = 0.0
    for rank, place in enumerate(order):
        worst = max(worst, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = worst
    return corrected


def _count_exceeding(
    first: FloatArray, second: FloatArray, observed: FloatArray, shuffles: int, seed: int
) -> npt.NDArray[np.int64]:
    """Return for each figure how many shuffles differ at least as much as was observed."""
    rng = np.random.default_rng(seed)
    moved = second - first
    # A document with the same counts in both systems changes nothing when it is swapped.
    moved = moved[np.any(moved != 0.0, axis=1)]
    throw = _throw_coins if len(moved) < _MANY else _throw_groups
    total_first, total_second = first.sum(axis=0), second.sum(axis=0)
    exceeded = np.zeros(len(FIGURES), dtype=np.int64)
    for swapped in throw(moved, shuffles, rng):
        difference = np.abs(_figures(total_first + swapped) - _figures(total_second - swapped))
        exceeded += np.count_nonzero(difference >= observed - EQUAL, axis=0)
    return exceeded


def _throw_coins(
    moved: FloatArray, shuffles: int, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Yield the sums of the rows that swap, some shuffles at a time: one coin for each row."""
    batch = max(1, _COINS // max(1, len(moved)))
    for begin in range(0, shuffles, batch):
        size = min(batch, shuffles - begin)
        coins = rng.integers(0, 2, size=(size, len(moved)), dtype=np.int8)
        yield coins.astype(np.float64) @ moved


def _throw_groups(
    moved: FloatArray, shuffles: int, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Yield sums as `_throw_coins` does, of the same distribution: equal rows share a throw."""
    rows, sizes = np.unique(moved, axis=0, return_counts=True)
    batch = max(1, _COINS // max(1, len(rows)))
    for begin in range(0, shuffles, batch):
        lines = min(batch, shuffles - begin)
        # One group after another: numpy prepares a binomial once for each of its settings.
        drawn = np.empty((len(rows), lines))
        for group, size in enumerate(sizes):
            drawn[group] = rng.binomial(size, 0.5, size=lines)
        yield drawn.T @ rows


def _figures(counts: FloatArray) -> FloatArray:
    """Return each of `FIGURES` along the last axis; undefined ones are 0."""
    return np.nan_to_num(np.stack([figure(counts) for figure in FIGURES.values()], axis=-1))


def _gold(rows: FloatArray) -> FloatArray:
    found: FloatArray = rows[:, 0] + rows[:, 2]
    return found


def _require_paired(rows: FloatArray) -> FloatArray:
    rows = np.asarray(rows, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 3 or not len(rows):
        raise InputError("a test needs rows of tp, fp and fn, one for each document")
    return rows
