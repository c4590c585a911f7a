"""The weights of a CRF as a flat list of entries, and which of them the tokens of notes touch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import compiled, use_compiled
from scrubjay.features.encoder import Encoded, Encoder
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers._linear.weights import FeatureWeights
from scrubjay.tags import TagArray

Ints = npt.NDArray[np.int64]

#: Pairs of token and entry that the numpy kernels hold at once.
_PAIRS_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Touched:
    """The features that `n` tokens have, and the entries (feature, tag) that they may change.

    `table` (f, 4) are template and value numbers of each feature, `rows` (n, templates) the
    features of each token, -1 for none. The entries of feature `i` are `indptr[i]` to
    `indptr[i + 1]`: `tags` and `weights`; `known` is the place of each in the model, -1 if new.
    """

    table: Ints
    rows: npt.NDArray[np.int32]
    indptr: Ints
    tags: Ints
    weights: FloatArray
    known: Ints
    tag_count: int

    def score(self, weights: FloatArray) -> FloatArray:
        """Return the emissions (n, tags) that the entries give with these weights."""
        shape = (len(self.rows), self.tag_count)
        if use_compiled(len(self.rows)):
            result: FloatArray = _compiled_score()(
                self.rows, self.indptr, self.tags, weights, np.zeros(shape)
            )
            return result
        scores = np.zeros(shape[0] * shape[1])
        for tokens, entries in self._pairs():
            flat = tokens * self.tag_count + self.tags[entries]
            scores += np.bincount(flat, weights=weights[entries], minlength=len(scores))
        return scores.reshape(shape)

    def gradient(self, by_emission: FloatArray) -> FloatArray:
        """Return the gradient by each weight, given that by the emissions."""
        if use_compiled(len(self.rows)):
            result: FloatArray = _compiled_gradient()(
                self.rows, self.indptr, self.tags, by_emission, np.zeros(len(self.tags))
            )
            return result
        gradient = np.zeros(len(self.tags))
        for tokens, entries in self._pairs():
            values = by_emission[tokens, self.tags[entries]]
            gradient += np.bincount(entries, weights=values, minlength=len(gradient))
        return gradient

    def _pairs(self) -> Any:
        """Yield (tokens, entries): each token with each entry of each of its features."""
        sizes = np.diff(self.indptr)
        every = np.where(self.rows >= 0, sizes[self.rows], 0).sum(axis=1)
        blocks = np.cumsum(every) // _PAIRS_AT_ONCE
        for block in np.unique(blocks):
            chosen = np.flatnonzero(blocks == block)
            lines, columns = np.nonzero(self.rows[chosen] >= 0)
            features = self.rows[chosen][lines, columns]
            counts = sizes[features]
            ends = np.cumsum(counts)
            total = int(ends[-1]) if len(ends) else 0
            entries = np.arange(total) + np.repeat(self.indptr[features] - ends + counts, counts)
            yield np.repeat(chosen[lines], counts), entries


def touch(
    encoder: Encoder, features: FeatureWeights, encoded: Encoded, gold: TagArray, *, tag_count: int
) -> Touched:
    """Return what the tokens touch: their features, known or new, and the entries of those.

    Entries are those of the model, and each feature with each gold tag that it is seen with, as
    CRFsuite makes them. `encoder` knows all values of the tokens.
    """
    table, rows = _find_features(encoder, features, encoded)
    active, flat = np.unique(rows[rows >= 0], return_inverse=True)
    local = np.full(rows.shape, -1, dtype=np.int32)
    local[rows >= 0] = flat
    size = len(features.templates)
    old = np.flatnonzero(active < size)
    begin, end = (features.indptr[active[old] + more].astype(np.int64) for more in (0, 1))
    counts = end - begin
    places = np.arange(counts.sum()) + np.repeat(end - np.cumsum(counts), counts)
    stored = np.repeat(old, counts) * tag_count + features.tags[places]
    lines, columns = np.nonzero(local >= 0)
    seen = np.unique(local[lines, columns].astype(np.int64) * tag_count + gold[lines])
    keys = np.union1d(stored, seen)
    known = np.full(len(keys), -1, dtype=np.int64)
    known[np.searchsorted(keys, stored)] = places
    weights = np.where(known >= 0, features.weights[known], 0.0).astype(np.float64)
    indptr = np.searchsorted(keys, np.arange(len(active) + 1) * tag_count)
    return Touched(table[active], local, indptr, keys % tag_count, weights, known, tag_count)


def _find_features(
    encoder: Encoder, features: FeatureWeights, encoded: Encoded
) -> tuple[Ints, npt.NDArray[np.int32]]:
    """Return all features, those of the model first, and which ones each token has."""
    tables = [np.column_stack([features.templates, features.values]).astype(np.int64)]
    rows = np.full((len(encoded), len(encoder.templates)), -1, dtype=np.int32)
    count = len(features.templates)
    for number, template in enumerate(encoder.templates):
        values = [encoder.part_values(encoded, *part).astype(np.int64) for part in template.parts]
        present = np.flatnonzero(np.logical_and.reduce([value > 0 for value in values]))
        radix = [len(encoder.alphabets[name]) + 1 for name, _ in template.parts]
        keys = _join([value[present] for value in values], radix)
        model = np.flatnonzero(features.templates == number)
        mine = _join([features.values[model, i].astype(np.int64) for i in range(len(radix))], radix)
        order = np.argsort(mine)
        distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        spot = np.searchsorted(mine[order], distinct)
        spot = np.minimum(spot, max(0, len(model) - 1))
        found = mine[order][spot] == distinct if len(model) else np.zeros(len(distinct), bool)
        ids = np.empty(len(distinct), dtype=np.int64)
        ids[found] = model[order][spot[found]]
        ids[~found] = count + np.arange(np.count_nonzero(~found))
        fresh = np.zeros((np.count_nonzero(~found), 4), dtype=np.int64)
        fresh[:, 0] = number
        for column, value in enumerate(values, start=1):
            fresh[:, column] = value[present][first[~found]]
        tables.append(fresh)
        count += len(fresh)
        rows[present, number] = ids[inverse]
    return np.concatenate(tables), rows


def _join(values: list[Ints], radix: list[int]) -> Ints:
    keys = np.zeros(len(values[0]), dtype=np.int64)
    for value, size in zip(values, radix, strict=True):
        keys = keys * size + value
    return keys


def write_back(
    features: FeatureWeights, touched: Touched, weights: FloatArray, *, least: float
) -> FeatureWeights:
    """Return the model's entries with the new weights, and the new entries of at least `least`.

    Features are sorted by template and values, the entries of each by tag; all that the tokens
    did not touch is as it was.
    """
    size = len(features.templates)
    owners = np.repeat(np.arange(len(touched.table)), np.diff(touched.indptr))
    values = features.weights.copy()
    old = touched.known >= 0
    values[touched.known[old]] = weights[old].astype(np.float32)
    fresh = np.flatnonzero(~old & (np.abs(weights) >= least) & (weights.astype(np.float32) != 0))
    table = np.concatenate(
        [np.column_stack([features.templates, features.values]).astype(np.int64), touched.table]
    )
    feature = np.concatenate(
        [np.repeat(np.arange(size), np.diff(features.indptr)), size + owners[fresh]]
    )
    tags = np.concatenate([features.tags.astype(np.int64), touched.tags[fresh]])
    values = np.concatenate([values, weights[fresh].astype(np.float32)])
    distinct, number = np.unique(table, axis=0, return_inverse=True)
    feature = number.reshape(-1)[feature]
    used, feature = np.unique(feature, return_inverse=True)
    order = np.lexsort((tags, feature))
    return FeatureWeights(
        templates=distinct[used, 0].astype(np.uint16),
        values=distinct[used, 1:].astype(np.int32),
        indptr=np.searchsorted(feature[order], np.arange(len(used) + 1)).astype(np.int32),
        tags=tags[order].astype(np.uint16),
        weights=values[order],
    )


def _score_loop(rows: Any, indptr: Any, tags: Any, weights: Any, scores: Any) -> Any:
    for token in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            feature = rows[token, column]
            if feature >= 0:
                for entry in range(indptr[feature], indptr[feature + 1]):
                    scores[token, tags[entry]] += weights[entry]
    return scores


def _gradient_loop(rows: Any, indptr: Any, tags: Any, by_emission: Any, gradient: Any) -> Any:
    for token in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            feature = rows[token, column]
            if feature >= 0:
                for entry in range(indptr[feature], indptr[feature + 1]):
                    gradient[entry] += by_emission[token, tags[entry]]
    return gradient


@cache
def _compiled_score() -> Callable[..., Any]:
    return compiled(_score_loop)


@cache
def _compiled_gradient() -> Callable[..., Any]:
    return compiled(_gradient_loop)
