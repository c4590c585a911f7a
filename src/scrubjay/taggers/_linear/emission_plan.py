"""How the weights of a model are laid out for the kernels that sum them.

Attributes of a place have tables of sums, crosses a table of slots; everything is in whole units.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoder
from scrubjay.features.templates import MAX_CROSSES
from scrubjay.taggers._linear.cross_table import KeyArray
from scrubjay.text.tokens import IntArray

_PLACED = np.dtype([("place", np.int32), ("units", np.int32)])

MOST_JOINT_VALUES = 4096
"""Values that attributes of a place have together, for one table of their sums."""

_LANES = 16  # numbers of 32 bits that a processor adds at once


def pad_width(tag_count: int) -> int:
    """Return the width of rows of sums: whole steps of what a processor adds at once."""
    return -(-tag_count // _LANES) * _LANES


@dataclass(frozen=True, slots=True)
class Cross:
    """One cross template: per part its column (words first, then positions) and offset."""

    number: int
    columns: tuple[int, ...]
    offsets: tuple[int, ...]
    radix: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """The sums of attributes of a place: `sums` has a row for each of their values together.

    `parts` are `(offset, column)`, `radix` how many values each has; the last counts in ones.
    """

    parts: tuple[tuple[int, int], ...]
    radix: tuple[int, ...]
    sums: IntArray


def find_crosses(encoder: Encoder) -> list[Cross]:
    """Return the crosses among the templates of an encoder, in their order.

    Raises `ConfigError` for more than `MAX_CROSSES`, and for one of more values than a key holds.
    """
    names = [*encoder.word_names, *encoder.position_names]
    column = {name: number for number, name in enumerate(names)}
    crosses = []
    for number, template in enumerate(encoder.templates):
        if not template.is_cross:
            continue
        sizes = tuple(len(encoder.alphabets[name]) + 1 for name, _ in template.parts)
        if np.prod([float(s) for s in sizes]) * MAX_CROSSES > 2**63:
            raise ConfigError(f"the feature cross {str(template)!r} has too many values")
        columns = tuple(column[name] for name, _ in template.parts)
        offsets = tuple(offset for _, offset in template.parts)
        crosses.append(Cross(number, columns, offsets, sizes))
    if len(crosses) > MAX_CROSSES:
        raise ConfigError(f"a model has at most {MAX_CROSSES} feature crosses")
    return crosses


def cross_keys(cross: Cross, order: int, values: Sequence[IntArray]) -> KeyArray:
    """Return the exact keys of one cross: its order, then its values in mixed radix."""
    key = np.zeros(len(values[0]), dtype=np.uint64)
    for value, size in zip(values, cross.radix, strict=True):
        key = key * np.uint64(size) + value.astype(np.uint64)
    return key * np.uint64(MAX_CROSSES) + np.uint64(order)


def join_places(places: Sequence[Place]) -> list[Place]:
    """Return the attributes in fewer tables, each of at most `MOST_JOINT_VALUES` rows.

    Those at one offset go together first: few of their values meet, so that few rows are used.
    """
    joined: list[Place] = []
    for place in sorted(places, key=lambda place: (place.parts[0][0], len(place.sums))):
        last = joined[-1] if joined else None
        if last is None or len(last.sums) * len(place.sums) > MOST_JOINT_VALUES:
            joined.append(place)
            continue
        sums = (last.sums[:, None, :] + place.sums[None]).reshape(-1, place.sums.shape[1])
        joined[-1] = Place(last.parts + place.parts, last.radix + place.radix, sums)
    return joined


def find_offsets(offsets: Collection[int]) -> list[int]:
    """Return the offsets from the last to the first, and those between them that are missing.

    So the sums of a word lie as the tokens do that get them: at offset 3 the third before it. 0
    is always among them.
    """
    return list(range(max([0, *offsets]), min([0, *offsets]) - 1, -1))


def spread(
    firsts: npt.NDArray[np.integer[Any]], counts: npt.NDArray[np.integer[Any]]
) -> npt.NDArray[np.int64]:
    """Return, one after another, the `counts[i]` whole numbers from `firsts[i]` on."""
    ends = np.cumsum(counts, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(firsts - (ends - counts), counts)


@dataclass(frozen=True, slots=True, eq=False)
class WordEntries:
    """The weights of words by the values of their attributes, one attribute after another.

    Value `v` of the attribute in `columns[i]` has the entries from `begins[bases[i] + v]` on, up
    to where the next begin: pairs of a place among the sums of a word (offsets, width) and units.
    What all offsets add for one value lies side by side.
    """

    columns: npt.NDArray[np.int64]
    bases: npt.NDArray[np.int64]
    begins: npt.NDArray[np.int64]
    entries: npt.NDArray[Any]


def lay_word_entries(
    word_rows: Sequence[tuple[int, int, IntArray]],
    offsets: Sequence[int],
    indptr: IntArray,
    tags: npt.NDArray[np.uint16],
    units: IntArray,
    width: int,
) -> WordEntries:
    """Return the attributes of words, `(offset, column, value -> row)`, as arrays for the kernel.

    The rows are those of the matrix `indptr`, `tags` and `units`; -1 is no row.
    """
    sizes = {column: len(rows) for _, column, rows in word_rows}
    columns = np.array(list(sizes), dtype=np.int64)
    ends = np.cumsum([0, *sizes.values()], dtype=np.int64)
    bases = dict(zip(sizes, ends.tolist(), strict=False))
    owners, places, amounts = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [units[:0]]
    for offset, column, rows in word_rows:
        values = np.flatnonzero(rows >= 0)
        firsts, counts = indptr[rows[values]], np.diff(indptr)[rows[values]]
        entries = spread(firsts, counts)
        owners.append(np.repeat(values + bases[column], counts))
        places.append(tags[entries] + np.int64(offsets.index(offset) * width))
        amounts.append(units[entries])
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    pairs = np.zeros(len(owner), dtype=_PLACED)
    pairs["place"], pairs["units"] = np.concatenate(places)[order], np.concatenate(amounts)[order]
    counted = np.bincount(owner, minlength=int(ends[-1]))
    begins = np.zeros(len(counted) + 1, dtype=np.int64)
    np.cumsum(counted, out=begins[1:])
    return WordEntries(columns, ends[:-1], begins, pairs)


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The attributes of places as arrays for the compiled kernel.

    `columns` are the distinct columns of all places and crosses. `place_parts` (parts, 3) are the
    offset, the number of the column and the number of values of each attribute of a place; table
    `i` of their sums begins at row `place_bases[i]` and reads the parts up to `place_ends[i]`.
    """

    place_sums: IntArray
    place_bases: npt.NDArray[np.int64]
    place_ends: npt.NDArray[np.int64]
    place_parts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]


def make_plan(
    places: Sequence[Place], crosses: Sequence[Cross], *, word_columns: int, empty: IntArray
) -> Plan:
    """Return the arrays of places, for sums as wide and of the type of these (0, width).

    Columns of positions are counted from `word_columns` on.
    """
    of_places = [word_columns + column for place in places for _, column in place.parts]
    of_crosses = chain.from_iterable(cross.columns for cross in crosses)
    numbers = {column: n for n, column in enumerate(dict.fromkeys([*of_places, *of_crosses]))}
    sizes = np.array([0, *(len(place.sums) for place in places)], dtype=np.int64)
    place_parts = [
        (offset, numbers[word_columns + column], size)
        for place in places
        for (offset, column), size in zip(place.parts, place.radix, strict=True)
    ]
    return Plan(
        place_sums=np.concatenate([empty, *(place.sums for place in places)]),
        place_bases=np.cumsum(sizes)[:-1],
        place_ends=np.cumsum([len(place.parts) for place in places], dtype=np.int64),
        place_parts=np.array(place_parts, dtype=np.int64).reshape(-1, 3),
        columns=np.array(list(numbers), dtype=np.int64),
    )
