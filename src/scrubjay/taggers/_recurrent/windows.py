"""Windows: runs of neighbouring sentences, with context, that a network reads at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrubjay.tags import IndexArray
from scrubjay.text.tokens import IntArray

#: Tokens of a sentence that stands alone, before it is cut.
LONGEST_SENTENCE = 256


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Where a network reads and what it tags, all arrays of shape `(w,)`.

    Window `i` is read over the tokens `[starts[i], ends[i])` and tags its core
    `[firsts[i], lasts[i])`. The cores are in order and share out the tokens: each token is tagged
    once, whatever else is in the batch. Those of `cut_ranges` tag the tokens of ranges alone.
    """

    starts: IntArray
    firsts: IntArray
    lasts: IntArray
    ends: IntArray

    def __len__(self) -> int:
        return len(self.starts)

    def sizes(self) -> IntArray:
        """Return how many tokens each window reads."""
        return self.ends - self.starts

    def reads(self) -> IndexArray:
        """Return the ranges (k, 2) of tokens that windows read, in order and disjoint."""
        order = np.argsort(self.starts, kind="stable")
        starts, ends = self.starts[order], np.maximum.accumulate(self.ends[order])
        fresh = np.flatnonzero(np.concatenate([[True], starts[1:] >= ends[:-1]])[: len(starts)])
        lasts = np.append(fresh[1:], len(starts))[: len(fresh)] - 1
        return np.stack([starts[fresh], ends[lasts]], axis=1).astype(np.int64)

    def bounds(self) -> IntArray:
        """Return the borders of the cores, shape `(w + 1,)`: one path is sought in each."""
        return np.append(self.firsts, self.lasts[-1:]).astype(np.int32)


def cut_windows(bounds: IntArray, documents: IntArray, *, size: int, context: int) -> Windows:
    """Cut documents into windows of whole sentences with up to `size` tokens.

    `bounds` delimit the sentences of a batch and `documents` its documents, both as in
    `NetworkInputs`. A sentence longer than `size` is cut into even parts. With `size` 0 each
    sentence stands alone, cut only beyond `LONGEST_SENTENCE` tokens. Each window also reads
    `context` tokens before and after its core, as far as its document reaches.
    """
    firsts: list[int] = []
    lasts: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    marks = bounds.tolist()
    at = 0
    for begin, end in zip(documents[:-1].tolist(), documents[1:].tolist(), strict=True):
        while at < len(marks) and marks[at] <= begin:
            at += 1
        stops = []
        while at < len(marks) and marks[at] < end:
            stops.append(marks[at])
            at += 1
        for first, last in _cores(begin, [*stops, end], size, size or LONGEST_SENTENCE):
            firsts.append(first)
            lasts.append(last)
            starts.append(max(begin, first - context))
            ends.append(min(end, last + context))
    return Windows(*(np.array(column, dtype=np.int32) for column in (starts, firsts, lasts, ends)))


def cut_ranges(
    ranges: IndexArray, bounds: IntArray, documents: IntArray, *, size: int, context: int
) -> Windows:
    """Cut ranges of tokens into windows of up to `size` tokens, which tag nothing else.

    `ranges` (k, 2) are half-open, sorted, disjoint and each within one document; the others are
    as for `cut_windows`, which cuts a range that is a whole document. Another one longer than
    `size` (with 0: than `LONGEST_SENTENCE`) is cut into even parts.
    """
    number = np.searchsorted(documents, ranges[:, 0], side="right") - 1
    whole = (ranges[:, 0] == documents[number]) & (ranges[:, 1] == documents[number + 1])
    parted = _cut_evenly(ranges[~whole], documents, size=size, context=context)
    windows = cut_windows(bounds, documents, size=size, context=context)
    kept = np.isin(np.searchsorted(documents, windows.firsts, side="right") - 1, number[whole])
    order = np.argsort(np.concatenate([windows.firsts[kept], parted.firsts]), kind="stable")
    columns = (
        np.concatenate([getattr(windows, name)[kept], getattr(parted, name)])[order]
        for name in ("starts", "firsts", "lasts", "ends")
    )
    return Windows(*columns)


def _cut_evenly(ranges: IndexArray, documents: IntArray, *, size: int, context: int) -> Windows:
    begins = documents[np.searchsorted(documents, ranges[:, 0], side="right") - 1]
    limits = documents[np.searchsorted(documents, ranges[:, 0], side="right")]
    parts = -(-(ranges[:, 1] - ranges[:, 0]) // (size or LONGEST_SENTENCE))
    owner = np.repeat(np.arange(len(ranges)), parts)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(parts) - parts, parts)
    lengths = (ranges[:, 1] - ranges[:, 0])[owner]
    firsts = ranges[owner, 0] + number * lengths // parts[owner]
    lasts = ranges[owner, 0] + (number + 1) * lengths // parts[owner]
    starts = np.maximum(begins[owner], firsts - context)
    ends = np.minimum(limits[owner], lasts + context)
    return Windows(*(column.astype(np.int32) for column in (starts, firsts, lasts, ends)))


def _cores(begin: int, stops: list[int], size: int, longest: int) -> list[tuple[int, int]]:
    """Return the cores of one document that begins at `begin`, its sentences ending at `stops`.

    Sentences are joined up to `size` tokens, and cut above `longest`.
    """
    cores: list[tuple[int, int]] = []
    first = last = begin
    for stop in stops:
        if stop - first > size and last > first:
            cores.append((first, last))
            first = last
        while stop - first > longest:
            parts = -(-(stop - first) // longest)
            cut = first + -(-(stop - first) // parts)
            cores.append((first, cut))
            first = cut
        last = stop
    if last > first:
        cores.append((first, last))
    return cores
