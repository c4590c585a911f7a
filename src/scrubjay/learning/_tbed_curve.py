"""Strict F1 of tags, renewed document by document as rules change them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrubjay.tags import Scheme, TagArray
from scrubjay.text.tokens import Alignment, Tokens

LongArray = npt.NDArray[np.int64]


class SpanCounter:
    """Counts the spans that tags decode to, and those of them that are gold.

    A gold span that falls inside a token or that lost its tokens to another can never be found;
    it counts as missed. Decoding is that of `tags.decode_tags`, on arrays.
    """

    def __init__(
        self,
        batch: Sequence[Tokens],
        aligned: Sequence[Alignment],
        tags: TagArray,
        *,
        scheme: Scheme,
        labels: Sequence[str],
        gold_spans: int,
    ) -> None:
        self._scheme = scheme
        self._gold_spans = gold_spans
        sizes = [len(tokens) for tokens in batch]
        self._bounds: LongArray = np.cumsum([0, *sizes], dtype=np.int64)
        self._documents: LongArray = np.repeat(np.arange(len(batch), dtype=np.int64), sizes)
        self._ends: LongArray = np.zeros(len(self._documents), dtype=np.int64)
        self._labels: LongArray = np.full(len(self._documents), -1, dtype=np.int64)
        number = {label: place for place, label in enumerate(labels)}
        for tokens, alignment, offset in zip(batch, aligned, self._bounds[:-1], strict=True):
            missed = {tokens.token_range(s.start, s.end) for s in alignment.misaligned}
            for first, last, label in alignment.ranges:
                if label in number and (first, last) not in missed:
                    self._ends[offset + first] = offset + last
                    self._labels[offset + first] = number[label]
        self._found: LongArray = np.zeros(len(batch), dtype=np.int64)
        self._right: LongArray = np.zeros(len(batch), dtype=np.int64)
        self.tags = tags.copy()
        self._renew(np.arange(len(batch), dtype=np.int64))

    def change(self, positions: LongArray, tag: int) -> None:
        """Give the tokens at `positions` another tag."""
        self.tags[positions] = tag
        self._renew(np.unique(self._documents[positions]))

    def f1(self) -> float:
        """Return strict F1 over all documents; 0 where there is no span at all."""
        total = int(self._found.sum()) + self._gold_spans
        return 2 * int(self._right.sum()) / total if total else 0.0

    def _renew(self, documents: LongArray) -> None:
        begins, ends = self._bounds[documents], self._bounds[documents + 1]
        sizes = ends - begins
        starts = np.cumsum(sizes) - sizes
        tokens = np.arange(int(sizes.sum())) - np.repeat(starts - begins, sizes)
        tokens = tokens[self.tags[tokens] != 0]
        first, last, labels = self._spans(tokens)
        right = (self._ends[first] == last) & (self._labels[first] == labels)
        count = len(self._found)
        owners = self._documents[first]
        self._found[documents] = np.bincount(owners, minlength=count)[documents]
        self._right[documents] = np.bincount(owners[right], minlength=count)[documents]

    def _spans(self, tokens: LongArray) -> tuple[LongArray, LongArray, LongArray]:
        """Return first token, end and label of the spans on tagged tokens (ascending)."""
        scheme = self._scheme
        labels, prefixes = np.divmod(self.tags[tokens].astype(np.int64) - 1, len(scheme.prefixes))
        begins = np.isin(prefixes, [scheme.first, scheme.only])
        closing = list({scheme.last, scheme.only} - {scheme.inner, scheme.first})
        begins[1:] |= np.isin(prefixes[:-1], closing)
        begins[1:] |= labels[1:] != labels[:-1]
        begins[1:] |= np.diff(tokens) != 1
        begins[1:] |= np.diff(self._documents[tokens]) != 0
        begins[:1] = True
        places = np.flatnonzero(begins)
        last = np.append(places[1:], len(tokens)) - 1
        return tokens[places], tokens[last[: len(places)]] + 1, labels[places]
