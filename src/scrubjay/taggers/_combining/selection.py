"""The best set of spans that do not overlap: weighted interval scheduling."""

from __future__ import annotations

import numpy as np

from scrubjay.taggers._combining.candidates import Candidates, FloatArray, IntArray

#: Weights are compared in whole millionths, so that equal sums are equal on every machine.
_UNITS = 1_000_000


def select_best(
    candidates: Candidates, weights: FloatArray, *, words: IntArray | None = None, dial: float = 0.0
) -> list[int]:
    """Return the rows of the disjoint candidates with the largest sum of weights, ascending.

    `dial` is added to a weight for each of the candidate's `words`: then the words that are
    covered in all never get fewer as the dial rises (the sum is `f(S) + dial * words(S)`, and of
    two dials the larger one's best set has at least the other's words). Candidates whose weight
    is not above 0 are left out. Of equal sets, the one that does without later candidates wins.

    Dynamic programming over the ends: Kleinberg and Tardos 2005, section 6.1.
    """
    units = np.rint(weights * _UNITS).astype(np.int64)
    if dial:
        assert words is not None
        units = units + round(dial * _UNITS) * words
    rows = np.flatnonzero(units > 0)
    order = rows[np.lexsort((rows, candidates.ends[rows], candidates.documents[rows]))]
    reach = int(candidates.ends[rows].max()) + 1 if len(rows) else 1
    base = candidates.documents[order] * reach
    # How many of the ordered candidates end before this one begins.
    before = np.searchsorted(
        base + candidates.ends[order], base + candidates.starts[order], "right"
    )
    best = [0]
    for unit, free in zip(units[order].tolist(), before.tolist(), strict=True):
        best.append(max(best[-1], unit + best[free]))
    chosen: list[int] = []
    position = len(order)
    while position:
        if best[position] > best[position - 1]:
            chosen.append(int(order[position - 1]))
            position = int(before[position - 1])
        else:
            position -= 1
    return sorted(chosen)
