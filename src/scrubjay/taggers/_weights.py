"""The weights of a linear model over templates, laid out for fast sums.

A feature is a template with the value numbers of its parts; its weights, one per tag it was
seen with, are a row of a sparse matrix. Features of one part at one offset depend on the word
alone, so their sum is computed once per distinct word; crosses go through a hash table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import use_compiled
from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoded, Encoder
from scrubjay.features.templates import MAX_CROSSES
from scrubjay.taggers._cross_table import CrossTable, KeyArray, build_table
from scrubjay.taggers._emission_loop import compiled_scores, compiled_words
from scrubjay.taggers._viterbi import FloatArray
from scrubjay.text.tokens import IntArray

_SLOT = np.dtype([("key", np.uint64), ("begin", np.int32), ("end", np.int32)])
_ENTRY = np.dtype([("tag", np.int32), ("weight", np.float32)])

#: Values that attributes of a place have together, for one table of their sums.
MOST_JOINT_VALUES = 4096

_KERNELS_BEHIND = 2  # of a CRF, through which scores go on: the best path, its probabilities


@dataclass(frozen=True, slots=True, eq=False)
class FeatureWeights:
    """Weights by feature, `r` features in all.

    `templates` (r,) is the template of each feature, `values` (r, MAX_PARTS) the value numbers
    of its parts (0 where it has fewer). `indptr` (r + 1,), `tags` and `weights` are the rows.
    """

    templates: npt.NDArray[np.uint16]
    values: IntArray
    indptr: IntArray
    tags: npt.NDArray[np.uint16]
    weights: npt.NDArray[np.float32]

    def without_small(self, least: float) -> FeatureWeights:
        """Return the weights of `least` or more by their size; features that lose all theirs go."""
        kept = np.abs(self.weights) >= least
        owners = np.repeat(np.arange(len(self.templates)), np.diff(self.indptr))
        counts = np.bincount(owners[kept], minlength=len(self.templates))
        left = counts > 0
        ends = np.concatenate([[0], np.cumsum(counts[left])])
        return FeatureWeights(
            templates=self.templates[left],
            values=self.values[left],
            indptr=ends.astype(self.indptr.dtype),
            tags=self.tags[kept],
            weights=self.weights[kept],
        )


@dataclass(frozen=True, slots=True)
class _Cross:
    """One cross template: per part its column (words first, then positions) and offset."""

    number: int
    columns: tuple[int, ...]
    offsets: tuple[int, ...]
    radix: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """The sums of attributes of a place: `sums` has a row for each of their values together.

    `parts` are `(offset, column)`, `radix` how many values each has; the last counts in ones.
    """

    parts: tuple[tuple[int, int], ...]
    radix: tuple[int, ...]
    sums: FloatArray


def _join_places(places: Sequence[_Place]) -> list[_Place]:
    """Return the attributes in fewer tables, each of at most `MOST_JOINT_VALUES` rows.

    Those at one offset go together first: few of their values meet, so that few rows are used.
    """
    joined: list[_Place] = []
    for place in sorted(places, key=lambda place: (place.parts[0][0], len(place.sums))):
        last = joined[-1] if joined else None
        if last is None or len(last.sums) * len(place.sums) > MOST_JOINT_VALUES:
            joined.append(place)
            continue
        sums = (last.sums[:, None, :] + place.sums[None]).reshape(-1, place.sums.shape[1])
        joined[-1] = _Place(last.parts + place.parts, last.radix + place.radix, sums)
    return joined


class Emissions:
    """Computes the emission scores of batches that one encoder encoded.

    Keeps a cache per distinct word beside the encoder's; the result does not depend on it.
    """

    def __init__(self, encoder: Encoder, features: FeatureWeights, tag_count: int) -> None:
        self.encoder = encoder
        self.features = features
        self.tag_count = tag_count
        self._crosses = self._prepare_crosses()
        self._table = self._index_crosses()
        self._word_rows, positions = self._index_singles()
        self._word_parts = _pack_word_rows(self._word_rows)
        self._places = _join_places(positions)
        self._offsets = sorted({offset for offset, _, _ in self._word_rows})
        self._plan = _make_plan(self._offsets, self._places, self._crosses, tag_count)
        self._slots, self._entries = self._lay_slots()
        self._generation = -1
        self._known = 0
        self._sums = np.zeros((0, len(self._offsets), tag_count))

    def _prepare_crosses(self) -> list[_Cross]:
        encoder = self.encoder
        names = [*encoder.word_names, *encoder.position_names]
        column = {name: number for number, name in enumerate(names)}
        crosses = []
        for number, template in enumerate(encoder.templates):
            if not template.is_cross:
                continue
            sizes = tuple(len(encoder.alphabets[name]) + 1 for name, _ in template.parts)
            if np.prod([float(s) for s in sizes]) * MAX_CROSSES > 2**63:
                raise ConfigError(f"the feature cross {str(template)!r} has too many values")
            crosses.append(
                _Cross(
                    number,
                    tuple(column[name] for name, _ in template.parts),
                    tuple(offset for _, offset in template.parts),
                    sizes,
                )
            )
        return crosses

    def _cross_keys(self, order: int, values: Sequence[IntArray]) -> KeyArray:
        """Return the exact keys of one cross: its order, then its values in mixed radix."""
        cross = self._crosses[order]
        key = np.zeros(len(values[0]), dtype=np.uint64)
        for value, size in zip(values, cross.radix, strict=True):
            key = key * np.uint64(size) + value.astype(np.uint64)
        return key * np.uint64(MAX_CROSSES) + np.uint64(order)

    def _index_crosses(self) -> CrossTable:
        if len(self._crosses) > MAX_CROSSES:
            raise ConfigError(f"a model has at most {MAX_CROSSES} feature crosses")
        keys = [np.zeros(0, dtype=np.uint64)]
        rows = [np.zeros(0, dtype=np.int32)]
        for order, cross in enumerate(self._crosses):
            chosen = np.flatnonzero(self.features.templates == cross.number)
            values = self.features.values[chosen, : len(cross.columns)]
            keys.append(self._cross_keys(order, list(values.T)))
            rows.append(chosen.astype(np.int32))
        return build_table(np.concatenate(keys), np.concatenate(rows))

    def _index_singles(
        self,
    ) -> tuple[list[tuple[int, int, IntArray]], list[_Place]]:
        """Return `(offset, column, value -> row)` for words, and the sums of positions."""
        encoder, features = self.encoder, self.features
        words: list[tuple[int, int, IntArray]] = []
        positions: list[_Place] = []
        for number, template in enumerate(encoder.templates):
            if template.is_cross:
                continue
            name, offset = template.parts[0]
            rows = np.full(len(encoder.alphabets[name]) + 1, -1, dtype=np.int32)
            chosen = np.flatnonzero(features.templates == number)
            rows[features.values[chosen, 0]] = chosen
            if name in encoder.word_names:
                words.append((offset, encoder.word_names.index(name), rows))
            else:
                dense = self._sum_rows(rows[:, None])
                part = (offset, encoder.position_names.index(name))
                positions.append(_Place((part,), (len(dense),), dense))
        return words, positions

    def _lay_slots(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return the table of crosses and the weights with what is read together side by side.

        An empty slot ends at 0; the weights begin with a 0 for features that have none.
        """
        features, table = self.features, self._table
        slots = np.zeros(len(table.keys), dtype=_SLOT)
        held = np.flatnonzero(table.rows >= 0)
        rows = table.rows[held]
        slots["key"][held] = table.keys[held]
        begins, ends = features.indptr[rows] + 1, features.indptr[rows + 1] + 1
        slots["begin"][held] = np.where(begins < ends, begins, 0)
        slots["end"][held] = np.where(begins < ends, ends, 1)
        entries = np.zeros(len(features.tags) + 1, dtype=_ENTRY)
        entries["tag"][1:], entries["weight"][1:] = features.tags, features.weights
        return slots, entries

    def _sum_rows(self, rows: IntArray) -> FloatArray:
        """Return for each line of `rows` (m, k) the sum of those feature rows, (m, tags)."""
        lines, columns = np.nonzero(rows.T >= 0)
        return self._sum_pairs(columns, rows.T[lines, columns], len(rows))

    def _sum_pairs(self, targets: npt.NDArray[np.int64], rows: IntArray, size: int) -> FloatArray:
        """Add feature row `rows[i]` to target `targets[i]`, in the order given."""
        indptr = self.features.indptr
        counts = indptr[rows + 1] - indptr[rows]
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        entries = np.arange(total) + np.repeat(indptr[rows] - (ends - counts), counts)
        flat = np.repeat(targets, counts) * self.tag_count + self.features.tags[entries]
        sums = np.bincount(
            flat, weights=self.features.weights[entries], minlength=size * self.tag_count
        )
        return sums.astype(np.float64, copy=False).reshape(size, self.tag_count)

    def _word_sums(self, sum_words: Callable[[IntArray, FloatArray], None]) -> FloatArray:
        """Return the summed contribution of cached words, shape `(words, offsets, tags)`.

        `sum_words` is one of the kernels, for the words that are new.
        """
        encoder = self.encoder
        shape = (len(self._offsets), self.tag_count)
        if self._generation != encoder.generation:
            self._generation, self._known = encoder.generation, 0
            self._sums = np.zeros((1024, *shape))
        known, count = self._known, encoder.word_count
        if count > known:
            if count > len(self._sums):
                grown = np.zeros((count + count // 2, *shape))
                grown[:known] = self._sums[:known]
                self._sums = grown
            # Another thread may be at the same words: what both write is the same.
            fresh = np.zeros((count - known, *shape))
            sum_words(encoder.word_rows()[known:count], fresh)
            self._sums[known:count] = fresh
            self._known = count
        return self._sums

    def sum_words_numpy(self, values: IntArray, sums: FloatArray) -> None:
        """Write the sums of words with these values: one pass over the words per offset.

        `sums` (words, offsets, tags) are 0 before.
        """
        for number, offset in enumerate(self._offsets):
            rows = [r[values[:, c]] for o, c, r in self._word_rows if o == offset]
            sums[:, number] = self._sum_rows(np.stack(rows, axis=1))

    def sum_words_compiled(self, values: IntArray, sums: FloatArray) -> None:
        """Write what `sum_words_numpy` does, the same sums in the same order: one pass."""
        features = self.features
        compiled_words()(
            values, *self._word_parts, features.indptr, features.tags, features.weights, sums
        )

    def score(self, encoded: Encoded) -> FloatArray:
        """Return the emission scores of every token, shape `(n, tags)`."""
        if use_compiled(len(encoded), ahead=_KERNELS_BEHIND):
            return self.score_compiled(encoded)
        return self.score_numpy(encoded)

    def score_numpy(self, encoded: Encoded) -> FloatArray:
        """The numpy kernel: one pass over the batch per offset, position attribute and cross."""
        sums = self._word_sums(self.sum_words_numpy)
        scores = np.zeros((len(encoded), self.tag_count))
        for number, offset in enumerate(self._offsets):
            scores += sums[encoded.shift(encoded.word_ids, offset), number]
        for place in self._places:
            rows = np.zeros(len(encoded), dtype=np.int64)
            for (offset, column), size in zip(place.parts, place.radix, strict=True):
                values = np.ascontiguousarray(encoded.positions[:, column])
                rows = rows * size + encoded.shift(values, offset)
            scores += place.sums[rows]
        if self._crosses:
            scores += self._score_crosses(encoded)
        return scores

    def _score_crosses(self, encoded: Encoded) -> FloatArray:
        parts: dict[tuple[str, int], IntArray] = {}
        targets: list[npt.NDArray[np.int64]] = []
        rows: list[IntArray] = []
        for order, cross in enumerate(self._crosses):
            values = []
            for part in self.encoder.templates[cross.number].parts:
                if part not in parts:
                    parts[part] = self.encoder.part_values(encoded, *part)
                values.append(parts[part])
            present = np.flatnonzero(np.logical_and.reduce([value > 0 for value in values]))
            found = self._table.find(self._cross_keys(order, [v[present] for v in values]))
            hits = found >= 0
            targets.append(present[hits])
            rows.append(found[hits])
        return self._sum_pairs(np.concatenate(targets), np.concatenate(rows), len(encoded))

    def score_compiled(self, encoded: Encoded) -> FloatArray:
        """The compiled kernel: two passes over the tokens, the same sums in the same order."""
        table, plan = self._table, self._plan
        scores: FloatArray = compiled_scores()(
            encoded.word_ids, self.encoder.word_rows(), encoded.positions, encoded.segments,
            self._word_sums(self.sum_words_compiled), plan.offsets,
            plan.place_sums, plan.place_bases, plan.place_ends, plan.place_parts,
            plan.columns, plan.column_offsets, plan.cross_parts, plan.radix,
            self._slots, table.mask, table.sieve, table.sieve_mask, self._entries,
        )  # fmt: skip
        return scores


def _pack_word_rows(
    word_rows: Sequence[tuple[int, int, IntArray]],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64], IntArray]:
    """Return the attributes of words as arrays for the compiled kernel.

    They are, for each attribute at an offset, the number of the offset, the column and where its
    rows begin among all rows, which come last.
    """
    offsets = sorted({offset for offset, _, _ in word_rows})
    sizes = [len(rows) for _, _, rows in word_rows]
    return (
        np.array([offsets.index(offset) for offset, _, _ in word_rows], dtype=np.int64),
        np.array([column for _, column, _ in word_rows], dtype=np.int64),
        np.cumsum([0, *sizes], dtype=np.int64)[:-1],
        np.concatenate([np.zeros(0, dtype=np.int32), *(rows for _, _, rows in word_rows)]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """The templates as arrays for the compiled kernel.

    `place_parts` (parts, 3) are the offset, the column and the number of values of each attribute
    of a place; table `i` of their sums begins at row `place_bases[i]` and reads the parts up to
    `place_ends[i]`.
    `columns` and `column_offsets` are the distinct parts of all crosses; `cross_parts`
    (crosses, parts) index them, with their number after a cross's last part.
    """

    offsets: npt.NDArray[np.int64]
    place_sums: FloatArray
    place_bases: npt.NDArray[np.int64]
    place_ends: npt.NDArray[np.int64]
    place_parts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    column_offsets: npt.NDArray[np.int64]
    cross_parts: npt.NDArray[np.int64]
    radix: KeyArray


def _make_plan(
    offsets: Sequence[int],
    places: Sequence[_Place],
    crosses: Sequence[_Cross],
    tag_count: int,
) -> _Plan:
    pairs = [list(zip(cross.columns, cross.offsets, strict=True)) for cross in crosses]
    parts = {part: number for number, part in enumerate(dict.fromkeys(chain.from_iterable(pairs)))}
    shape = (len(crosses), max(map(len, pairs), default=1))
    cross_parts = np.full(shape, len(parts), dtype=np.int64)
    radix = np.ones(shape, dtype=np.uint64)
    for order, (cross, pair) in enumerate(zip(crosses, pairs, strict=True)):
        cross_parts[order, : len(pair)] = [parts[part] for part in pair]
        radix[order, : len(pair)] = cross.radix
    sizes = np.array([0, *(len(place.sums) for place in places)], dtype=np.int64)
    place_parts = [
        (*part, size)
        for place in places
        for part, size in zip(place.parts, place.radix, strict=True)
    ]
    return _Plan(
        offsets=np.array(offsets, dtype=np.int64),
        place_sums=np.concatenate([np.zeros((0, tag_count)), *(place.sums for place in places)]),
        place_bases=np.cumsum(sizes)[:-1],
        place_ends=np.cumsum([len(place.parts) for place in places], dtype=np.int64),
        place_parts=np.array(place_parts, dtype=np.int64).reshape(-1, 3),
        columns=np.array([column for column, _ in parts], dtype=np.int64),
        column_offsets=np.array([offset for _, offset in parts], dtype=np.int64),
        cross_parts=cross_parts,
        radix=radix,
    )
