"""The weights of a linear model over templates, laid out for fast sums.

A feature is a template with the value numbers of its parts; its weights, one per tag it was
seen with, are a row of a sparse matrix. Features of one part at one offset depend on the word
alone, so their sum is computed once per distinct word; crosses go through a hash table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import use_compiled
from scrubjay.features.encoder import MAX_CACHED_WORDS, Encoded, Encoder
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers._linear.cross_families import (
    FamilyPlan,
    FeatureRows,
    Slots,
    find_families,
    lay_slots,
    plan_families,
)
from scrubjay.taggers._linear.cross_table import CrossTable, build_table
from scrubjay.taggers._linear.direct_crosses import DirectTables, lay_direct
from scrubjay.taggers._linear.emission_plan import (
    Place,
    cross_keys,
    find_crosses,
    find_offsets,
    join_places,
    lay_word_entries,
    make_plan,
    pad_width,
    spread,
)
from scrubjay.taggers._linear.units import Units, find_units
from scrubjay.taggers._reading_loops import compiled_scores, compiled_words
from scrubjay.text.tokens import IntArray

SCORING = ("taggers/_reading_loops.py", "scores_loop")
READING = ("taggers/_reading_loops.py", "reading_loop")
"""The kernel of scores, and the one that goes on to paths, as `use_compiled` names them."""

_KERNELS_BEHIND = 2  # of a CRF, through which scores go on: the best path, its probabilities
_WORDS_AT_ONCE = 64  # of which the numpy kernel sums the weights: they stay near the processor


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

    def units(self, groups: Sequence[int] = ()) -> Units:
        """Return the units in which scores are sums of whole numbers, and the type of those.

        No sum overflows that has one feature of each template, nor a part of it. With `groups`, a
        number for each template, those of each are summed apart.
        Raises `ConfigError` where a weight is no finite number or so large that units would be
        too coarse for the others: what they say of PHI would be passed over in silence.
        """
        templates = int(self.templates.max(initial=0)) + 1
        numbers = np.array(groups, dtype=np.int64) if len(groups) else np.zeros(templates, np.int64)
        return find_units(self._bound(numbers[:templates]), rounded=templates)

    def _bound(self, groups: npt.NDArray[np.int64]) -> float:
        """Return how far from 0 a sum for a tag may lie, of one weight of each of a group."""
        shape = (len(groups), int(self.tags.max(initial=0)) + 1)
        cells = np.repeat(self.templates.astype(np.int64) * shape[1], np.diff(self.indptr))
        weights = self.weights.astype(np.float64)
        if not np.isfinite(weights).all():
            return np.inf
        bound = 0.0
        for sign in (1.0, -1.0):
            largest = np.zeros(shape)
            np.maximum.at(largest.reshape(-1), cells + self.tags, sign * weights)
            sums = np.zeros((int(groups.max(initial=0)) + 1, shape[1]))
            np.add.at(sums, groups, largest)
            bound = max(bound, float(sums.max()))
        return bound


class Emissions:
    """Computes the emission scores of batches that one encoder encoded.

    Sums are of whole units (`FeatureWeights.units`), and so are the weights of crosses; those of a
    word or a place are added first. So that units may be finer, what a token gives itself, what
    its neighbours give and what comes of places and crosses are added apart. Keeps a cache per
    distinct word beside the encoder's; the result depends neither on it nor on the kernel.
    """

    def __init__(self, encoder: Encoder, features: FeatureWeights, tag_count: int) -> None:
        self.encoder = encoder
        self.features = features
        self.tag_count = tag_count
        self.width = pad_width(tag_count)
        self.units = units = features.units(self._groups())
        self._counted = units.count(features.weights)
        self._crosses = find_crosses(encoder)
        parts = units.count_parts(features.weights)
        self._word_rows, positions = self._index_singles(parts)
        self._offsets = find_offsets({offset for offset, _, _ in self._word_rows})
        rows = (features.indptr, features.tags, parts)
        self._word_entries = lay_word_entries(self._word_rows, self._offsets, *rows, self.width)
        self._places = [
            replace(place, sums=units.round(place.sums)) for place in join_places(positions)
        ]
        self._plan = make_plan(
            self._places,
            self._crosses,
            word_columns=len(encoder.word_names),
            empty=np.zeros((0, self.width), dtype=self.units.kind),
        )
        self._generation = -1
        self._known = 0
        self._sums = np.zeros((0, len(self._offsets), self.width), dtype=self.units.kind)

    def _groups(self) -> list[int]:
        """Return for each template the number of the sum that its weights go into."""
        words = set(self.encoder.word_names)
        return [
            2 if t.is_cross or t.parts[0][0] not in words else int(t.parts[0][1] != 0)
            for t in self.encoder.templates
        ]

    @cached_property
    def _families(self) -> tuple[FamilyPlan, Slots, DirectTables, IntArray]:
        """Return the crosses for the compiled kernel, and all rows of places and of crosses."""
        features, plan = self.features, self._plan
        rows = FeatureRows(
            features.templates, features.values, features.indptr, features.tags, self._counted
        )
        direct, families = lay_direct(
            find_families(self._crosses),
            rows,
            plan.columns,
            first_row=len(plan.place_sums),
            width=self.width,
        )
        slots = lay_slots(families, rows, width=self.width)
        sums = np.concatenate([plan.place_sums, direct.rows])
        return plan_families(families, plan.columns), slots, direct, sums

    @cached_property
    def _table(self) -> CrossTable:
        """Return the table of crosses that have weights, for the numpy kernel."""
        keys = [np.zeros(0, dtype=np.uint64)]
        rows = [np.zeros(0, dtype=np.int32)]
        weighted = np.diff(self.features.indptr) > 0
        for order, cross in enumerate(self._crosses):
            chosen = np.flatnonzero(weighted & (self.features.templates == cross.number))
            values = self.features.values[chosen, : len(cross.columns)]
            keys.append(cross_keys(cross, order, list(values.T)))
            rows.append(chosen.astype(np.int32))
        return build_table(np.concatenate(keys), np.concatenate(rows))

    def _index_singles(
        self, parts: IntArray
    ) -> tuple[list[tuple[int, int, IntArray]], list[Place]]:
        """Return `(offset, column, value -> row)` for words, and the sums of positions.

        Those are of the weights in `parts` of units.
        """
        encoder, features = self.encoder, self.features
        words: list[tuple[int, int, IntArray]] = []
        positions: list[Place] = []
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
                dense = self._sum_rows(rows, parts)
                part = (offset, encoder.position_names.index(name))
                positions.append(Place((part,), (len(dense),), dense))
        return words, positions

    def _sum_rows(self, rows: IntArray, parts: IntArray) -> IntArray:
        """Return for each of `rows` (m,) the `parts` of that feature row, (m, width), 0 for -1."""
        sums = np.zeros((len(rows), self.width), dtype=np.int32)
        there = np.flatnonzero(rows >= 0)
        self._add_rows(sums, there, rows[there], parts)
        return sums

    def _add_rows(
        self,
        sums: npt.NDArray[np.integer[Any]],
        targets: npt.NDArray[np.int64],
        rows: IntArray,
        units: IntArray,
    ) -> None:
        """Add `units` of feature row `rows[i]` to row `targets[i]` of `sums` (m, width)."""
        indptr = self.features.indptr
        counts = indptr[rows + 1] - indptr[rows]
        entries = spread(indptr[rows], counts)
        flat = np.repeat(targets, counts) * self.width + self.features.tags[entries]
        np.add.at(sums.reshape(-1), flat, units[entries])

    def _word_sums(self, sum_words: Callable[[IntArray, IntArray], None]) -> IntArray:
        """Return the summed contribution of cached words, shape `(words, offsets, width)`.

        `sum_words` is one of the kernels, for the words that are new.
        """
        encoder = self.encoder
        with encoder.lock:
            if self._generation != encoder.generation:
                self._begin_generation()
            known, count = self._known, encoder.word_count
            if count > len(self._sums):
                grown = self._room(count + count // 2)
                grown[:known] = self._sums[:known]
                self._sums = grown
            if count > known:
                sum_words(encoder.word_rows()[known:count], self._sums[known:count])
                self._known = count
            return self._sums

    def _begin_generation(self) -> None:
        """Let the sums follow the encoder's words; those of words that it keeps are kept."""
        kept = self.encoder.kept_words
        if self._generation + 1 != self.encoder.generation:
            kept = kept[:0]
        kept = kept[: np.searchsorted(kept, self._known)]
        # Word 0 is no word: its sums are 0. Memory that is not written to yet costs nothing.
        fresh = self._room(MAX_CACHED_WORDS + MAX_CACHED_WORDS // 4)
        if len(kept):  # in one go: they are many
            np.take(self._sums, kept, axis=0, out=fresh[1 : len(kept) + 1], mode="clip")
        self._sums = fresh
        self._known = len(kept) + 1
        self._generation = self.encoder.generation

    def _room(self, size: int) -> IntArray:
        """Return the sums of so many words, all of them 0."""
        return np.zeros((size, len(self._offsets), self.width), dtype=self.units.kind)

    def sum_words_numpy(self, values: IntArray, sums: IntArray) -> None:
        """Write the sums (words, offsets, width) of words with these values, some at a time."""
        laid = self._word_entries
        flat = sums.reshape(len(sums), -1)
        for first in range(0, len(values), _WORDS_AT_ONCE):
            some = values[first : first + _WORDS_AT_ONCE]
            rows = (laid.bases + some[:, laid.columns]).reshape(-1)
            counts = laid.begins[rows + 1] - laid.begins[rows]
            entries = laid.entries[spread(laid.begins[rows], counts)]
            owners = np.repeat(np.arange(len(some)) * flat.shape[1], len(laid.columns))
            places = np.repeat(owners, counts) + entries["place"]
            parts = np.zeros((len(some), flat.shape[1]), dtype=np.int32)
            np.add.at(parts.reshape(-1), places, entries["units"])
            flat[first : first + _WORDS_AT_ONCE] = self.units.round(parts)

    def sum_words_compiled(self, values: IntArray, sums: IntArray) -> None:
        """Write what `sum_words_numpy` does, in one pass."""
        laid = self._word_entries
        flat = sums.reshape(len(sums), -1)
        rows = (laid.columns, laid.bases, laid.begins, laid.entries)
        compiled_words()(values, *rows, self.units.spare, flat)

    def score(self, encoded: Encoded) -> FloatArray:
        """Return the emission scores of every token, shape `(n, tags)`."""
        held = self.hold(encoded)
        return self.score_numpy(encoded) if held is None else held.score(encoded)

    def hold(self, encoded: Encoded, *, kernel: tuple[str, str] = SCORING) -> Held | None:
        """Return what scores these tokens by a compiled kernel; None where that does not pay.

        It may be used when word ids hold no more, and by several threads at once.
        """
        if not use_compiled(len(encoded), ahead=_KERNELS_BEHIND, late=kernel):
            return None
        _ = self._families  # made here, once for all threads
        return self.held()

    def held(self) -> Held:
        """Return what scores tokens of the words that are known by a compiled kernel."""
        return Held(self, self.encoder.word_rows(), self._word_sums(self.sum_words_compiled))

    def scorer(self, encoded: Encoded) -> Callable[[Encoded], FloatArray]:
        """Return what scores any part of these tokens by the kernel that pays for all of them.

        It may be used when word ids hold no more, and by several threads at once.
        """
        held = self.hold(encoded)
        if held is not None:
            return held.score
        words = self.encoder.word_rows(), self._word_sums(self.sum_words_numpy)
        _ = self._table  # made here, once for all threads
        return partial(self._sum_numpy, *words)

    def score_numpy(self, encoded: Encoded) -> FloatArray:
        """The numpy kernel: one pass over the batch per offset, position attribute and cross."""
        sums = self._word_sums(self.sum_words_numpy)
        return self._sum_numpy(self.encoder.word_rows(), sums, encoded)

    def _sum_numpy(self, word_rows: IntArray, sums: IntArray, encoded: Encoded) -> FloatArray:
        scores = np.zeros((len(encoded), self.width), dtype=np.int64)
        for number, offset in enumerate(self._offsets):
            scores += sums[encoded.shift(encoded.word_ids, offset), number]
        for place in self._places:
            rows = np.zeros(len(encoded), dtype=np.int64)
            for (offset, column), size in zip(place.parts, place.radix, strict=True):
                values = np.ascontiguousarray(encoded.positions[:, column])
                rows = rows * size + encoded.shift(values, offset)
            scores += place.sums[rows]
        if self._crosses:
            self._add_crosses(word_rows, encoded, scores)
        weights: FloatArray = scores[:, : self.tag_count] * np.float64(1 / self.units.scale)
        return weights

    def _add_crosses(
        self, word_rows: IntArray, encoded: Encoded, scores: npt.NDArray[np.int64]
    ) -> None:
        """Add what crosses give each token to its scores (n, width)."""
        parts: dict[tuple[str, int], IntArray] = {}
        for order, cross in enumerate(self._crosses):
            values = []
            for part in self.encoder.templates[cross.number].parts:
                if part not in parts:
                    parts[part] = self.encoder.part_values(encoded, *part, word_rows=word_rows)
                values.append(parts[part])
            present = np.flatnonzero(np.logical_and.reduce([value > 0 for value in values]))
            found = self._table.find(cross_keys(cross, order, [v[present] for v in values]))
            hits = found >= 0
            self._add_rows(scores, present[hits], found[hits], self._counted)

    def tables(self, word_rows: IntArray, word_sums: IntArray) -> tuple[Any, ...]:
        """Return what the compiled kernel is given last, with the values and the sums of words.

        Both arrays grow, and start afresh as others: what an id led to in them it leads to for
        good.
        """
        plan, (crosses, found, direct, rows) = self._plan, self._families
        return (
            word_rows, word_sums, max(self._offsets),
            rows, plan.place_bases, plan.place_ends, plan.place_parts, plan.columns,
            direct.plan.parts, direct.plan.offsets, direct.plan.reaches,
            direct.numbers, direct.firsts, direct.cells, direct.bases,
            crosses.parts, crosses.offsets, crosses.radix, crosses.counted, crosses.reaches,
            found.slots, found.mask, found.sieve, found.sieve_mask, found.records, found.dense,
            self.tag_count, 1 / self.units.scale,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The values and the summed weights of the words of a batch, and what scores tokens by them."""

    emissions: Emissions
    word_rows: IntArray
    word_sums: IntArray

    def room(self, size: int) -> FloatArray:
        """Return an array for the scores of so many tokens, whose numbers are any."""
        return np.empty((size, self.emissions.tag_count), dtype=np.float64)

    def score(self, encoded: Encoded) -> FloatArray:
        """Return the emission scores of the batch, `(n, tags)`."""
        scores = self.room(len(encoded))
        compiled_scores()(
            encoded.word_ids, encoded.positions, encoded.segments, scores, *self.tables()
        )
        return scores

    def tables(self) -> tuple[Any, ...]:
        """Return what kernels are given of the model and of these words."""
        return self.emissions.tables(self.word_rows, self.word_sums)
