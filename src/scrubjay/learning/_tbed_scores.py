"""Scores of every candidate rule, kept up to date as tags change; plain numpy.

What is counted: for each group, how many of its tokens have tag `a` and right tag `c`. The rule
`a -> c` on the group fixes count(a, c) tags and breaks count(a, a); its score is the difference
(Zhao 2020, s(r) of the pseudocode). When tags change, only the counts of the groups that changed
tokens and their neighbours belong to are touched (Ngai and Florian 2001, fnTBL).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Protocol

import numpy as np

from scrubjay.learning._tbed_index import LongArray, RuleIndex
from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray

#: The score of what is no rule: tokens whose tag is right.
NO_RULE = -(2**30)


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """The candidates of the best score: their packed groups, tags, and how many they fix."""

    score: int
    groups: LongArray
    sources: LongArray
    targets: LongArray
    fixed: LongArray


class Scores(Protocol):
    """The scores of all candidate rules for the tags of the moment."""

    tags: TagArray

    def best(self, *, min_score: int, min_accuracy: float) -> Ties | None:
        """Return every rule of the highest score, or None where none is good enough."""

    def change(self, positions: LongArray, tag: int) -> None:
        """Give the tokens at `positions` (ascending) another tag."""


def choose_ties(
    scores: IntArray | LongArray,
    counts: IntArray | LongArray,
    *,
    min_score: int,
    min_accuracy: float,
) -> LongArray:
    """Return the indices of the highest score among the rules that are good enough.

    The accuracy of a rule is fixed / (fixed + broken).
    """
    least = max(1, min_score)
    if not len(scores) or int(scores.max()) < least:
        return np.zeros(0, dtype=np.int64)
    if min_accuracy <= 0:
        return np.flatnonzero(scores == scores.max())
    enough = np.flatnonzero(scores >= least)
    fixed = counts[enough].astype(np.int64)
    broken = fixed - scores[enough]
    enough = enough[fixed / (fixed + broken) >= min_accuracy]
    if not len(enough):
        return enough
    most: LongArray = enough[scores[enough] == scores[enough].max()]
    return most


class PlainScores:
    """Counts as one sorted array of packed (group, tag, right tag)."""

    def __init__(self, index: RuleIndex, tags: TagArray) -> None:
        self.index = index
        self.tags = tags.copy()
        self._pairs = index.tag_count**2
        found = [np.unique(keys, return_counts=True) for keys in self._keys_of_all()]
        blocks = sorted((part for part in found if len(part[0])), key=lambda part: part[0][0])
        empty = np.zeros(0, dtype=np.int64)
        self._keys: LongArray = np.concatenate([empty, *(keys for keys, _ in blocks)])
        self._counts: LongArray = np.concatenate([empty, *(counts for _, counts in blocks)])
        self._scores = np.full(len(self._keys), NO_RULE, dtype=np.int64)
        self._rescore(np.unique(self._keys // index.tag_count))

    def best(self, *, min_score: int, min_accuracy: float) -> Ties | None:
        """Return every rule of the highest score, or None where none is good enough."""
        found = choose_ties(
            self._scores, self._counts, min_score=min_score, min_accuracy=min_accuracy
        )
        if not len(found):
            return None
        groups, pairs = np.divmod(self._keys[found], self._pairs)
        sources, targets = np.divmod(pairs, self.index.tag_count)
        return Ties(int(self._scores[found[0]]), groups, sources, targets, self._counts[found])

    def change(self, positions: LongArray, tag: int) -> None:
        """Give the tokens at `positions` (ascending) another tag."""
        near = self.index.reach(positions)
        before = list(self._keys_of(positions, near))
        self.tags[positions] = tag
        after = list(self._keys_of(positions, near))
        keys = np.concatenate([*before, *after])
        signs = np.ones(len(keys), dtype=np.int64)
        signs[: sum(map(len, before))] = -1
        self._add(keys, signs)

    def _keys_of_all(self) -> Iterator[LongArray]:
        every = np.arange(len(self.index), dtype=np.int64)
        return self._keys_of(every, every)

    def _keys_of(self, positions: LongArray, near: LongArray) -> Iterator[LongArray]:
        """Yield the packed counts that tokens belong to, template by template.

        Templates without tags concern `positions` alone, those with tags all of `near`.
        """
        for number, entry in enumerate(self.index.templates):
            tokens = near if entry.is_dynamic else positions
            found = list(self._variants(number, tokens))
            pairs = self.tags[tokens].astype(np.int64) * self.index.tag_count
            pairs += self.index.gold[tokens]
            keys = []
            for place, groups in enumerate(found):
                fresh = groups >= 0
                for earlier in found[:place]:
                    fresh &= groups != earlier
                keys.append(groups[fresh] * self._pairs + pairs[fresh])
            yield np.concatenate(keys)

    def _variants(self, number: int, tokens: LongArray) -> Iterator[LongArray]:
        """Yield the packed groups of tokens in one template, -1 for none."""
        index = self.index
        entry = index.templates[number]
        if entry.static is None:
            statics = [np.zeros(len(tokens), dtype=np.int64)]
        else:
            statics = [index.columns[c][tokens].astype(np.int64) for c in entry.static.columns]
        for static, offsets in product(statics, entry.tags):
            groups, missing = static + entry.base, static < 0
            if offsets:
                packed = np.zeros(len(tokens), dtype=np.int64)
                for offset in offsets:
                    tags = index.tags_at(tokens, self.tags, offset)
                    missing = missing | (tags < 0)
                    packed = packed * index.tag_count + tags
                groups = (groups - index.static_size) * index.tag_width + packed
                groups += index.static_size
            yield np.where(missing, -1, groups)

    def _add(self, keys: LongArray, signs: LongArray) -> None:
        """Add to the counts of keys, which need not be there yet, and renew the scores."""
        changed, inverse = np.unique(keys, return_inverse=True)
        sums = np.bincount(inverse, weights=signs, minlength=len(changed)).astype(np.int64)
        changed, sums = changed[sums != 0], sums[sums != 0]
        places = np.searchsorted(self._keys, changed)
        known = np.zeros(len(changed), dtype=bool)
        inside = places < len(self._keys)
        known[inside] = self._keys[places[inside]] == changed[inside]
        self._counts[places[known]] += sums[known]
        if not known.all():
            new = places[~known]
            self._keys = np.insert(self._keys, new, changed[~known])
            self._counts = np.insert(self._counts, new, sums[~known])
            self._scores = np.insert(self._scores, new, NO_RULE)
        self._rescore(np.unique(changed // self.index.tag_count))

    def _rescore(self, heads: LongArray) -> None:
        """Renew the scores of all keys under sorted, distinct (group, tag) heads."""
        width = self.index.tag_count
        first = np.searchsorted(self._keys, heads * width)
        sizes = np.searchsorted(self._keys, (heads + 1) * width) - first
        owner = np.repeat(np.arange(len(heads)), sizes)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        places = first[owner] + within
        keys, counts = self._keys[places], self._counts[places]
        right = keys % width == heads[owner] % width
        broken = np.zeros(len(heads), dtype=np.int64)
        broken[owner[right]] = counts[right]
        self._scores[places] = np.where(right, NO_RULE, counts - broken[owner])
