"""Crosses whose values together are few, laid out so that the values lead to the sums at once.

Words have many values, of which few are weighted together with those of a shape or a key: these
values are numbered, and a table has a cell for each combination of them. That needs neither a hash
nor a search, but a row is added to each token, of zeros where the combination has no weights: it
pays for families that many weights are left of, which are those that are often there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.features.templates import MAX_PARTS
from scrubjay.taggers._linear.cross_families import Family, FamilyPlan, FeatureRows, plan_families
from scrubjay.taggers._linear.emission_plan import spread
from scrubjay.text.tokens import IntArray

MOST_CELLS = 1 << 17
"""Combinations of values of a family that has a table: more do not stay near the processor."""

LEAST_WEIGHTS = 1024
"""Weights of a family that has a table: fewer are seldom met."""

_MOST_COMBINATIONS = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class DirectTables:
    """The tables of families as arrays for the compiled kernel.

    Value `v` of part `p` of family `i` has the number `numbers[firsts[i, p] + v]`; those of all
    parts add up to a cell. What stands in it, times the reach, leads from `bases[i]` to the first
    of as many rows as the family reaches tokens: that of the first token in the text. 0 leads to
    rows of zeros.
    """

    plan: FamilyPlan
    numbers: npt.NDArray[np.uint32]
    firsts: npt.NDArray[np.int64]
    cells: npt.NDArray[np.uint16]
    bases: npt.NDArray[np.int64]
    rows: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """The table of one family: its numbers by part, its cells, its rows."""

    numbers: tuple[npt.NDArray[np.int64], ...]
    cells: npt.NDArray[np.int64]
    rows: IntArray


def lay_direct(
    families: Sequence[Family],
    features: FeatureRows,
    columns: npt.NDArray[np.int64],
    *,
    first_row: int,
    width: int,
) -> tuple[DirectTables, list[Family]]:
    """Return the tables of those families that should have one, and the other families.

    The rows, as wide as told, are to lie behind `first_row` others. `columns` is what
    `plan_families` takes.
    """
    tables, direct, others = [], [], []
    for family in families:
        table = _lay_table(family, features, width)
        if table is None:
            others.append(family)
        else:
            tables.append(table)
            direct.append(family)
    # For the parts that a family lacks, whose only value is 1.
    numbers = [np.zeros(2, dtype=np.int64)]
    firsts = np.zeros((len(direct), MAX_PARTS), dtype=np.int64)
    cells = [np.zeros(0, dtype=np.int64)]
    rows: list[IntArray] = [np.zeros((0, width), dtype=features.units.dtype)]
    bases = np.zeros(len(direct), dtype=np.int64)
    size, below, begun = 2, 0, first_row
    for place, table in enumerate(tables):
        bases[place] = begun
        for part, number in enumerate(table.numbers):
            firsts[place, part] = size
            numbers.append(number + below if part == 0 else number)
            size += len(number)
        cells.append(table.cells)
        rows.append(table.rows)
        below, begun = below + len(table.cells), begun + len(table.rows)
    laid = DirectTables(
        plan_families(direct, columns),
        np.concatenate(numbers).astype(np.uint32),
        firsts,
        np.concatenate(cells).astype(np.uint16),
        bases,
        np.concatenate(rows),
    )
    return laid, others


def _lay_table(family: Family, features: FeatureRows, width: int) -> _Table | None:
    """Return the table of a family, None where it is not to have one."""
    chosen, values, places = _weighted(family, features)
    counts = (features.indptr[chosen + 1] - features.indptr[chosen]).astype(np.int64)
    if counts.sum() < LEAST_WEIGHTS:
        return None
    numbers: list[npt.NDArray[np.int64]] = []
    cell = np.zeros(len(chosen), dtype=np.int64)
    size = 1
    # The last part counts in ones. Number 0 is any value without weights.
    for part in reversed(range(values.shape[1])):
        known = np.unique(values[:, part])
        number = np.zeros(family.cross.radix[part], dtype=np.int64)
        number[known] = np.arange(1, len(known) + 1) * size
        cell += number[values[:, part]]
        numbers.append(number)
        size *= len(known) + 1
        if size > MOST_CELLS:
            return None
    met, which = np.unique(cell, return_inverse=True)
    if len(met) >= _MOST_COMBINATIONS:
        return None
    cells = np.zeros(size, dtype=np.int64)
    cells[met] = np.arange(1, len(met) + 1)
    rows = np.zeros(((len(met) + 1) * family.reach, width), dtype=features.units.dtype)
    entries = spread(features.indptr[chosen], counts)
    owners = np.repeat((which + 1) * family.reach + places, counts)
    np.add.at(rows.reshape(-1), owners * width + features.tags[entries], features.units[entries])
    return _Table(tuple(reversed(numbers)), cells, rows)


def _weighted(
    family: Family, features: FeatureRows
) -> tuple[npt.NDArray[np.int64], IntArray, npt.NDArray[np.int64]]:
    """Return the weighted features of a family: their rows, values of its parts, and places.

    The place is the number of the token that gets the weights among those in reach.
    """
    weighted = np.diff(features.indptr) > 0
    rows, values, places = [], [], []
    for template, order, shift in family.members:
        chosen = np.flatnonzero(weighted & (features.templates == template))
        rows.append(chosen)
        values.append(features.values[chosen][:, list(order)])
        places.append(np.full(len(chosen), family.shifts[1] - shift))
    return np.concatenate(rows), np.concatenate(values), np.concatenate(places)
