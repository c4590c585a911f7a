"""Crosses that are shifts of one another, laid out so that one look-up finds the weights of all.

What "lower@-1 lower@0" reads at a token, "lower@0 lower@1" reads at the one before. Of such a
family each combination of values has one key; each of its weights tells which of the tokens around
gets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.features.templates import MAX_PARTS
from scrubjay.taggers._cross_table import KeyArray, build_table
from scrubjay.taggers._emission_plan import Cross, cross_keys
from scrubjay.text.tokens import IntArray

_SLOT = np.dtype([("key", np.uint64), ("begin", np.int32), ("end", np.int32)])
_ENTRY = np.dtype([("place", np.int32), ("units", np.int32)])

DENSE_FROM = 8
"""From how many weights for a token on those of a key are whole rows: adding them is quicker."""


@dataclass(frozen=True, slots=True, eq=False)
class FeatureRows:
    """Features and their weights in whole units, as in `FeatureWeights`."""

    templates: npt.NDArray[np.uint16]
    values: IntArray
    indptr: IntArray
    tags: npt.NDArray[np.uint16]
    units: IntArray


@dataclass(frozen=True, slots=True)
class Family:
    """Crosses of the same columns at the same distances.

    `cross` is the family as if it were one cross, of which the first part stands at offset 0; its
    parts are sorted. `members` are, for each of the crosses, its number, its parts in that order,
    and its shift: where it sees the family's offset 0.
    """

    cross: Cross
    members: tuple[tuple[int, tuple[int, ...], int], ...]

    @property
    def shifts(self) -> tuple[int, int]:
        """Return the least and the largest shift."""
        shifts = [shift for _, _, shift in self.members]
        return min(shifts), max(shifts)

    @property
    def reach(self) -> int:
        """Return how many tokens in a row get weights of a key."""
        least, largest = self.shifts
        return largest - least + 1


def find_families(crosses: Sequence[Cross]) -> list[Family]:
    """Return the crosses by families, in the order of their first members."""
    found: dict[tuple[tuple[int, int], ...], list[tuple[int, tuple[int, ...], int]]] = {}
    radix: dict[int, int] = {}
    for cross in crosses:
        shift = min(cross.offsets)
        parts = list(zip(cross.columns, cross.offsets, strict=True))
        order = tuple(sorted(range(len(parts)), key=parts.__getitem__))
        key = tuple((cross.columns[n], cross.offsets[n] - shift) for n in order)
        found.setdefault(key, []).append((cross.number, order, shift))
        radix.update(zip(cross.columns, cross.radix, strict=True))
    families = []
    for key, members in found.items():
        columns, offsets = zip(*key, strict=True)
        sizes = tuple(radix[column] for column in columns)
        families.append(Family(Cross(members[0][0], columns, offsets, sizes), tuple(members)))
    return families


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """The table of families with what is read together side by side.

    A slot that ends at 0 is empty. One that ends below 0 begins with the number of a row of `dense`
    (rows, width), the first of as many as the negative end says, for tokens in a row; any other
    with its first of `entries`, pairs of a place in such rows and its units. The masks and the
    sieve are those of a `CrossTable`.
    """

    slots: npt.NDArray[Any]
    mask: np.uint64
    sieve: KeyArray
    sieve_mask: np.uint64
    entries: npt.NDArray[Any]
    dense: IntArray


def lay_slots(families: Sequence[Family], features: FeatureRows, *, width: int) -> Slots:
    """Return the table of the weights of families, in rows of that width."""
    keys, rows, places, reaches = _list_keys(families, features)
    distinct, which = np.unique(keys, return_inverse=True)
    reach = np.zeros(len(distinct), dtype=np.int64)
    reach[which] = reaches
    order = np.argsort(which, kind="stable")
    rows, places = rows[order], places[order]
    counts = (features.indptr[rows + 1] - features.indptr[rows]).astype(np.int64)
    sizes = np.bincount(which[order], weights=counts, minlength=len(distinct)).astype(np.int64)
    chosen = np.arange(counts.sum()) + np.repeat(
        features.indptr[rows] - (np.cumsum(counts) - counts), counts
    )
    entries = np.zeros(len(chosen), dtype=_ENTRY)
    entries["place"] = np.repeat(places * width, counts) + features.tags[chosen]
    entries["units"] = features.units[chosen]
    table = build_table(distinct, np.arange(len(distinct), dtype=np.int32))
    lasts = np.cumsum(sizes)
    bounds = np.stack([lasts - sizes, lasts], axis=1)
    many = np.flatnonzero(sizes >= DENSE_FROM * reach)
    ends = np.cumsum(reach[many])
    dense = np.zeros((int(reach[many].sum()), width), dtype=np.int32)
    for row, end in zip(many.tolist(), ends.tolist(), strict=True):
        more = entries[slice(*bounds[row])]
        np.add.at(dense[end - reach[row] : end].reshape(-1), more["place"], more["units"])
    bounds[many] = np.stack([ends - reach[many], -reach[many]], axis=1)
    slots = np.zeros(len(table.keys), dtype=_SLOT)
    held = np.flatnonzero(table.rows >= 0)
    slots["key"][held] = table.keys[held]
    slots["begin"][held], slots["end"][held] = bounds[table.rows[held]].T
    return Slots(slots, table.mask, table.sieve, table.sieve_mask, entries, dense)


def _list_keys(
    families: Sequence[Family], features: FeatureRows
) -> tuple[KeyArray, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return for each weighted feature of a cross its key, its row, its place and its reach.

    The place is the number of the token that gets its weights among those in reach.
    """
    keys = [np.zeros(0, dtype=np.uint64)]
    rows = [np.zeros(0, dtype=np.int64)]
    places, reaches = list(rows), list(rows)
    weighted = np.diff(features.indptr) > 0
    for number, family in enumerate(families):
        largest = family.shifts[1]
        for template, order, shift in family.members:
            chosen = np.flatnonzero(weighted & (features.templates == template))
            values = features.values[chosen]
            keys.append(cross_keys(family.cross, number, [values[:, part] for part in order]))
            rows.append(chosen)
            places.append(np.full(len(chosen), largest - shift))
            reaches.append(np.full(len(chosen), family.reach))
    found = (np.concatenate(keys), np.concatenate(rows))
    return *found, np.concatenate(places), np.concatenate(reaches)


@dataclass(frozen=True, slots=True, eq=False)
class FamilyPlan:
    """The families as arrays for the compiled kernel.

    `parts` (families, 3) are the numbers of the columns of each, and `offsets` where they are read
    for the first key that may reach a token; after the last part stand the number of columns, and
    1 in `radix` and 0 in `counted`. `reaches` (families,) are the tokens that each reaches.
    """

    parts: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    radix: KeyArray
    counted: KeyArray
    reaches: npt.NDArray[np.int64]


def plan_families(families: Sequence[Family], columns: npt.NDArray[np.int64]) -> FamilyPlan:
    """Return the arrays of the families, whose columns are among `columns`."""
    numbers = {column: number for number, column in enumerate(columns.tolist())}
    shape = (len(families), MAX_PARTS)
    parts = np.full(shape, len(numbers), dtype=np.int64)
    offsets = np.zeros(shape, dtype=np.int64)
    radix, counted = np.ones(shape, dtype=np.uint64), np.zeros(shape, dtype=np.uint64)
    for number, family in enumerate(families):
        size = len(family.cross.columns)
        parts[number, :size] = [numbers[column] for column in family.cross.columns]
        offsets[number] = family.shifts[0]
        offsets[number, :size] += family.cross.offsets
        radix[number, :size] = family.cross.radix
        counted[number, :size] = 1
    reaches = np.array([family.reach for family in families], dtype=np.int64)
    return FamilyPlan(parts, offsets, radix, counted, reaches)
