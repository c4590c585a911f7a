"""The weights of a linear model over templates, laid out for fast sums.

A feature is a template with the value numbers of its parts; its weights, one per tag it was
seen with, are a row of a sparse matrix. Features of one part at one offset depend on the word
alone, so their sum is computed once per distinct word; crosses go through a hash table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoded, Encoder
from scrubjay.features.templates import MAX_CROSSES
from scrubjay.taggers._viterbi import FloatArray, compiled, use_compiled
from scrubjay.text.tokens import IntArray

KeyArray = npt.NDArray[np.uint64]

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


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


@dataclass(frozen=True, slots=True, eq=False)
class _CrossTable:
    """Open addressing over exact 64-bit keys; an empty slot has row -1."""

    keys: KeyArray
    rows: IntArray
    mask: np.uint64

    def find(self, keys: KeyArray) -> IntArray:
        """Return the row of each key, -1 where there is none."""
        slots = _slots(keys, self.mask)
        found = self.rows[slots]
        pending = np.flatnonzero((found >= 0) & (self.keys[slots] != keys))
        while len(pending):
            slots[pending] = (slots[pending] + 1) & np.int64(self.mask)
            found[pending] = self.rows[slots[pending]]
            wrong = (found[pending] >= 0) & (self.keys[slots[pending]] != keys[pending])
            pending = pending[wrong]
        return found


def _slots(keys: KeyArray, mask: np.uint64) -> npt.NDArray[np.int64]:
    mixed = keys * _MIX
    return ((mixed ^ (mixed >> _SHIFT)) & mask).astype(np.int64)


def _build_table(keys: KeyArray, rows: IntArray) -> _CrossTable:
    size = 1 << max(4, int(np.ceil(np.log2(max(1, len(keys)) * 2.5))))
    mask = np.uint64(size - 1)
    table_keys = np.zeros(size, dtype=np.uint64)
    table_rows = np.full(size, -1, dtype=np.int32)
    slots = _slots(keys, mask)
    pending = np.arange(len(keys))
    while len(pending):
        # Of all keys that want a free slot the first gets it; the others step on.
        free = table_rows[slots[pending]] < 0
        slot, first = np.unique(slots[pending[free]], return_index=True)
        winners = pending[free][first]
        table_keys[slot], table_rows[slot] = keys[winners], rows[winners]
        lost = np.ones(len(keys), dtype=bool)
        lost[winners] = False
        pending = pending[lost[pending]]
        slots[pending] = (slots[pending] + 1) & np.int64(mask)
    return _CrossTable(table_keys, table_rows, mask)


@dataclass(frozen=True, slots=True)
class _Cross:
    """One cross template: per part its column (words first, then positions) and offset."""

    number: int
    columns: tuple[int, ...]
    offsets: tuple[int, ...]
    radix: tuple[int, ...]


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
        self._word_rows, self._position_rows = self._index_singles()
        self._offsets = sorted({offset for offset, _, _ in self._word_rows})
        self._plan = _make_plan(self._offsets, self._position_rows, self._crosses, tag_count)
        self._generation = -1
        self._known = 0
        self._sums = np.zeros((0, 0, tag_count))

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

    def _index_crosses(self) -> _CrossTable:
        if len(self._crosses) > MAX_CROSSES:
            raise ConfigError(f"a model has at most {MAX_CROSSES} feature crosses")
        keys = [np.zeros(0, dtype=np.uint64)]
        rows = [np.zeros(0, dtype=np.int32)]
        for order, cross in enumerate(self._crosses):
            chosen = np.flatnonzero(self.features.templates == cross.number)
            values = self.features.values[chosen, : len(cross.columns)]
            keys.append(self._cross_keys(order, list(values.T)))
            rows.append(chosen.astype(np.int32))
        return _build_table(np.concatenate(keys), np.concatenate(rows))

    def _index_singles(
        self,
    ) -> tuple[list[tuple[int, int, IntArray]], list[tuple[int, int, FloatArray]]]:
        """Return `(offset, column, value -> row)` for words, and dense sums for positions."""
        encoder, features = self.encoder, self.features
        words: list[tuple[int, int, IntArray]] = []
        positions: list[tuple[int, int, FloatArray]] = []
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
                positions.append((offset, encoder.position_names.index(name), dense))
        return words, positions

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

    def _word_sums(self) -> FloatArray:
        """Return the summed contribution of cached words, shape `(offsets, words, tags)`."""
        encoder = self.encoder
        if self._generation != encoder.generation:
            self._generation, self._known = encoder.generation, 0
            self._sums = np.zeros((len(self._offsets), 1024, self.tag_count))
        known, count = self._known, encoder.word_count
        if count > known:
            values = encoder.word_rows()[known:count]
            if count > self._sums.shape[1]:
                grown = np.zeros((len(self._offsets), 2 * count, self.tag_count))
                grown[:, :known] = self._sums[:, :known]
                self._sums = grown
            for number, offset in enumerate(self._offsets):
                rows = [r[values[:, c]] for o, c, r in self._word_rows if o == offset]
                self._sums[number, known:count] = self._sum_rows(np.stack(rows, axis=1))
            self._known = count
        return self._sums

    def score(self, encoded: Encoded) -> FloatArray:
        """Return the emission scores of every token, shape `(n, tags)`."""
        if use_compiled(len(encoded)):
            return self.score_compiled(encoded)
        return self.score_numpy(encoded)

    def score_numpy(self, encoded: Encoded) -> FloatArray:
        """The numpy kernel: one pass over the batch per offset, position attribute and cross."""
        sums = self._word_sums()
        scores = np.zeros((len(encoded), self.tag_count))
        for number, offset in enumerate(self._offsets):
            scores += sums[number][encoded.shift(encoded.word_ids, offset)]
        for offset, column, dense in self._position_rows:
            values = np.ascontiguousarray(encoded.positions[:, column])
            scores += dense[encoded.shift(values, offset)]
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
        """The compiled kernel: one pass over the tokens, the same sums in the same order."""
        features, table, plan = self.features, self._table, self._plan
        scores: FloatArray = _compiled_scores()(
            encoded.word_ids, self.encoder.word_rows(), encoded.positions, encoded.segments,
            self._word_sums(), plan.offsets,
            plan.position_sums, plan.position_bases, plan.position_columns, plan.position_offsets,
            plan.columns, plan.column_offsets, plan.cross_parts, plan.radix,
            table.keys, table.rows, table.mask,
            features.indptr, features.tags, features.weights,
        )  # fmt: skip
        return scores


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """The templates as arrays for the compiled kernel.

    `columns` and `column_offsets` are the distinct parts of all crosses; `cross_parts`
    (crosses, parts) index them, -1 after a cross's last part.
    """

    offsets: npt.NDArray[np.int64]
    position_sums: FloatArray
    position_bases: npt.NDArray[np.int64]
    position_columns: npt.NDArray[np.int64]
    position_offsets: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    column_offsets: npt.NDArray[np.int64]
    cross_parts: npt.NDArray[np.int64]
    radix: KeyArray


def _make_plan(
    offsets: Sequence[int],
    position_rows: Sequence[tuple[int, int, FloatArray]],
    crosses: Sequence[_Cross],
    tag_count: int,
) -> _Plan:
    pairs = [list(zip(cross.columns, cross.offsets, strict=True)) for cross in crosses]
    parts = {part: number for number, part in enumerate(dict.fromkeys(chain.from_iterable(pairs)))}
    shape = (len(crosses), max(map(len, pairs), default=1))
    cross_parts = np.full(shape, -1, dtype=np.int64)
    radix = np.ones(shape, dtype=np.uint64)
    for order, (cross, pair) in enumerate(zip(crosses, pairs, strict=True)):
        cross_parts[order, : len(pair)] = [parts[part] for part in pair]
        radix[order, : len(pair)] = cross.radix
    tables = [dense for _, _, dense in position_rows]
    sizes = np.array([0, *(len(dense) for dense in tables)], dtype=np.int64)
    return _Plan(
        offsets=np.array(offsets, dtype=np.int64),
        position_sums=np.concatenate([np.zeros((0, tag_count)), *tables]),
        position_bases=np.cumsum(sizes)[:-1],
        position_columns=np.array([column for _, column, _ in position_rows], dtype=np.int64),
        position_offsets=np.array([offset for offset, _, _ in position_rows], dtype=np.int64),
        columns=np.array([column for column, _ in parts], dtype=np.int64),
        column_offsets=np.array([offset for _, offset in parts], dtype=np.int64),
        cross_parts=cross_parts,
        radix=radix,
    )


def _scores_loop(
    word_ids: Any, word_rows: Any, positions: Any, segments: Any,
    word_sums: Any, offsets: Any,
    position_sums: Any, position_bases: Any, position_columns: Any, position_offsets: Any,
    columns: Any, column_offsets: Any, cross_parts: Any, radix: Any,
    keys: Any, rows: Any, mask: Any,
    indptr: Any, tags: Any, weights: Any,
) -> Any:  # fmt: skip
    size, words, width = len(word_ids), word_rows.shape[1], word_sums.shape[2]
    scores = np.zeros((size, width), dtype=np.float64)
    crossed = np.zeros(width, dtype=np.float64)
    values = np.zeros(len(columns), dtype=np.uint64)
    for token in range(size):
        score = scores[token]
        for number in range(len(offsets)):
            there = token + offsets[number]
            word = 0
            if 0 <= there < size and segments[there] == segments[token]:
                word = word_ids[there]
            for tag in range(width):
                score[tag] += word_sums[number, word, tag]
        for number in range(len(position_columns)):
            there = token + position_offsets[number]
            if 0 <= there < size and segments[there] == segments[token]:
                value = positions[there, position_columns[number]]
                if value:
                    row = position_bases[number] + value
                    for tag in range(width):
                        score[tag] += position_sums[row, tag]
        for number in range(len(columns)):
            there = token + column_offsets[number]
            value = 0
            if 0 <= there < size and segments[there] == segments[token]:
                if columns[number] < words:
                    value = word_rows[word_ids[there], columns[number]]
                else:
                    value = positions[there, columns[number] - words]
            values[number] = value
        touched = False
        for order in range(cross_parts.shape[0]):
            key = np.uint64(0)
            complete = True
            for part in range(cross_parts.shape[1]):
                number = cross_parts[order, part]
                if number < 0:
                    break
                if values[number] == 0:
                    complete = False
                    break
                key = key * radix[order, part] + values[number]
            if not complete:
                continue
            key = key * np.uint64(MAX_CROSSES) + np.uint64(order)
            mixed = key * np.uint64(0x9E3779B97F4A7C15)
            slot = (mixed ^ (mixed >> np.uint64(29))) & mask
            while rows[slot] >= 0:
                if keys[slot] == key:
                    touched = True
                    row = rows[slot]
                    for entry in range(indptr[row], indptr[row + 1]):
                        crossed[tags[entry]] += weights[entry]
                    break
                slot = (slot + np.uint64(1)) & mask
        if touched:
            for tag in range(width):
                score[tag] += crossed[tag]
                crossed[tag] = 0.0
    return scores


@cache
def _compiled_scores() -> Callable[..., Any]:
    return compiled(_scores_loop)
