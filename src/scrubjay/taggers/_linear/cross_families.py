"""Crosses that are shifts of one another, laid out so that one look-up finds the weights of all.

What "lower@-1 lower@0" reads at a token, "lower@0 lower@1" reads at the one before. Of such a
family each combination of values has one key; each of its weights tells which of the tokens around
gets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.features.templates import MAX_PARTS
from scrubjay.taggers._linear.cross_table import CrossTable, KeyArray, build_table, leading_bits
from scrubjay.taggers._linear.emission_plan import Cross, cross_keys
from scrubjay.text.tokens import IntArray

HashArray = npt.NDArray[np.uint32] | npt.NDArray[np.uint64]

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

    A slot that is 0 is empty. Any other has in its lowest 8 bits the highest of the hash of a key,
    and above where the record of the key begins among `records`, in pairs of numbers. A record is
    the key, a size, and so many entries: in its lower half the place in rows of sums for tokens in
    a row, in its upper half units. A size below 0 stands for rows of `dense` (rows, width): how
    many in its lowest 8 bits, and above the first. The masks and the sieve are those of a
    `CrossTable`.
    """

    slots: HashArray
    mask: np.uint64
    sieve: KeyArray
    sieve_mask: np.uint64
    records: npt.NDArray[np.int64]
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
    chosen = np.arange(counts.sum()) + np.repeat(
        features.indptr[rows] - (np.cumsum(counts) - counts), counts
    )
    entries = np.repeat(places * width, counts) + features.tags[chosen]
    units = features.units[chosen].astype(np.int64)
    owners = np.repeat(which[order], counts)
    sizes = np.bincount(owners, minlength=len(distinct)).astype(np.int64)

    height = np.where(sizes >= DENSE_FROM * reach, reach, 0)
    below = np.cumsum(height) - height
    dense = np.zeros((int(height.sum()), width), dtype=features.units.dtype)
    whole = height[owners] > 0
    np.add.at(dense.reshape(-1), below[owners[whole]] * width + entries[whole], units[whole])

    numbers = np.where(height > 0, 0, sizes)
    begins, records = _lay_records(
        distinct,
        np.where(height > 0, -(below << 8 | height), sizes),
        (units << 32 | entries)[~whole],
        numbers,
    )
    table = build_table(distinct, np.arange(len(distinct), dtype=np.int32))
    slots = _lay_hashes(table, begins)
    return Slots(slots, table.mask, table.sieve, table.sieve_mask, records, dense)


def _lay_records(
    keys: KeyArray,
    sizes: npt.NDArray[np.int64],
    entries: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return where the record of each key begins, and all records.

    Each is a key, its size, and so many of the entries as `counts` says. None begins at 0.
    """
    pairs = (2 + counts + 1) // 2
    begins = 2 * (1 + np.cumsum(pairs) - pairs)
    records = np.zeros(2 + 2 * int(pairs.sum()), dtype=np.int64)
    records[begins], records[begins + 1] = keys.view(np.int64), sizes
    within = np.arange(len(entries)) - np.repeat(np.cumsum(counts) - counts, counts)
    records[np.repeat(begins + 2, counts) + within] = entries
    return begins, records


def _lay_hashes(table: CrossTable, begins: npt.NDArray[np.int64]) -> HashArray:
    """Return the slots of a table whose rows have their records there."""
    held = np.flatnonzero(table.rows >= 0)
    slots = np.zeros(len(table.keys), dtype=np.uint64)
    pairs = (begins[table.rows[held]] // 2).astype(np.uint64)
    slots[held] = pairs << np.uint64(8) | leading_bits(table.keys[held])
    # Half as wide where that is enough, as it is for all but the largest models.
    return slots if slots.max(initial=0) >= 2**32 else slots.astype(np.uint32)


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
