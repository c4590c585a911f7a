"""Tables of crosses whose values together are few: where each combination of values leads."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from scrubjay.taggers._linear import direct_crosses as _direct_crosses
from scrubjay.taggers._linear.cross_families import FeatureRows, find_families
from scrubjay.taggers._linear.direct_crosses import DirectTables, lay_direct
from scrubjay.taggers._linear.emission_plan import Cross

#: Columns 0 and 1 with 10 and 20 values. The third is the first, three places on.
CROSSES = [
    Cross(0, (0, 1), (-1, 0), (10, 20)),
    Cross(1, (0, 0), (0, 1), (10, 10)),
    Cross(2, (1, 0), (3, 2), (20, 10)),
]
ROWS = FeatureRows(
    templates=np.array([0, 0, 1, 2], dtype=np.uint16),
    values=np.array([[7, 9, 0], [7, 4, 0], [2, 7, 0], [9, 7, 0]], dtype=np.int32),
    indptr=np.array([0, 2, 3, 4, 6], dtype=np.int32),
    tags=np.array([0, 4, 5, 1, 4, 6], dtype=np.uint16),
    units=np.array([-3, 8, 5, 6, 7, -9], dtype=np.int16),
)
FIRST_ROW, WIDTH = 40, 16

Expected = dict[tuple[int, ...], dict[tuple[int, int], int]]


def _laid(monkeypatch: pytest.MonkeyPatch, *, cells: int, weights: int) -> tuple[DirectTables, int]:
    """Return the tables of those families that may have one, and how many have none."""
    monkeypatch.setattr(_direct_crosses, "MOST_CELLS", cells)
    monkeypatch.setattr(_direct_crosses, "LEAST_WEIGHTS", weights)
    families = find_families(CROSSES)
    found, others = lay_direct(families, ROWS, np.array([0, 1]), first_row=FIRST_ROW, width=WIDTH)
    return found, len(others)


def test_values_lead_to_the_rows_of_all_that_read_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found, others = _laid(monkeypatch, cells=100, weights=1)
    assert others == 0
    assert found.plan.reaches.tolist() == [4, 1]
    assert found.rows.dtype == np.int16
    # At the token three before its largest shift, the first cross; at that itself, the third.
    first: Expected = {
        (7, 9): {(3, 0): -3, (3, 4): 8, (0, 4): 7, (0, 6): -9},
        (7, 4): {(3, 5): 5},
    }
    second: Expected = {(2, 7): {(0, 1): 6}}
    for family, sizes, expected in ((0, (10, 20), first), (1, (10, 10), second)):
        reach = int(found.plan.reaches[family])
        for values in product(*map(range, sizes)):
            parts = [*values, 1][:3]
            firsts = found.firsts[family].tolist()
            cell = sum(int(found.numbers[f + v]) for f, v in zip(firsts, parts, strict=True))
            begin = int(found.bases[family]) - FIRST_ROW + int(found.cells[cell]) * reach
            rows = found.rows[begin : begin + reach]
            met = {
                (int(r), int(t)): int(rows[r, t]) for r, t in zip(*np.nonzero(rows), strict=True)
            }
            assert met == expected.get(values, {}), (family, values)


def test_families_of_many_cells_or_of_few_weights_have_no_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The first has one value with weights of the one part and two of the other, besides none.
    assert _laid(monkeypatch, cells=6, weights=1)[1] == 0
    found, others = _laid(monkeypatch, cells=5, weights=1)
    assert (others, found.plan.reaches.tolist()) == (1, [1])
    found, others = _laid(monkeypatch, cells=100, weights=2)
    assert (others, found.plan.reaches.tolist()) == (1, [4])
    found, others = _laid(monkeypatch, cells=100, weights=6)
    assert others == 2
    assert len(found.rows) == len(found.bases) == len(found.cells) == 0
