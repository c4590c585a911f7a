"""Candidates of an ensemble: the spans that its members propose, each once, as arrays.

Spans with the same borders and label are one candidate, which remembers who proposed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.document import Document, Span

Found = Sequence[Sequence[Sequence[Span]]]
"""The spans of each member, for each document; a source names rules, `RULE,RULE`, or nothing."""

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """`n` candidates over a batch of documents, sorted by document, start, end and label.

    `documents`, `starts`, `ends` and `labels` (n,) are the number of the document, half-open
    character offsets in its text and the number of the label. `proposed` (n, members) says which
    members propose it and `scores` (n, members) with what probability, nan where a member gives
    none. `rules` are the rules behind it, as `(member, name)`.
    """

    documents: IntArray
    starts: IntArray
    ends: IntArray
    labels: IntArray
    proposed: BoolArray
    scores: FloatArray
    rules: tuple[tuple[tuple[int, str], ...], ...]

    def __len__(self) -> int:
        return len(self.starts)

    def keys(self, labels: Sequence[str]) -> list[tuple[int, int, int, str]]:
        """Return `(document, start, end, label)` of each candidate."""
        columns = (self.documents, self.starts, self.ends)
        places = zip(*(column.tolist() for column in columns), strict=True)
        names = [labels[number] for number in self.labels.tolist()]
        return [(*place, name) for place, name in zip(places, names, strict=True)]


def collect_candidates(found: Found, labels: Mapping[str, int]) -> Candidates:
    """Return the candidates of a batch; `labels` number the labels that a candidate can have."""
    merged: dict[tuple[int, int, int, int], list[tuple[int, Span]]] = {}
    for member, batch in enumerate(found):
        for document, spans in enumerate(batch):
            for span in spans:
                key = (document, span.start, span.end, labels[span.label])
                merged.setdefault(key, []).append((member, span))
    ordered = sorted(merged)
    places = np.array(ordered, dtype=np.int64).reshape(-1, 4)
    proposed = np.zeros((len(ordered), len(found)), dtype=np.bool_)
    scores = np.full(proposed.shape, np.nan)
    rules = []
    for row, key in enumerate(ordered):
        for member, span in merged[key]:
            proposed[row, member] = True
            if span.score is not None:
                scores[row, member] = span.score
        rules.append(tuple(_rules(merged[key])))
    documents, starts, ends, numbers = places.T
    return Candidates(documents, starts, ends, numbers, proposed, scores, tuple(rules))


def _rules(proposals: Iterable[tuple[int, Span]]) -> Iterable[tuple[int, str]]:
    for member, span in proposals:
        for name in span.source.split(",") if span.source else ():
            yield member, name


def count_words(candidates: Candidates, documents: Sequence[Document]) -> IntArray:
    """Return how many words, parted by white space, each candidate has; at least 1."""
    places = zip(
        candidates.documents.tolist(),
        candidates.starts.tolist(),
        candidates.ends.tolist(),
        strict=True,
    )
    counts = [len(documents[number].text[start:end].split()) for number, start, end in places]
    return np.maximum(np.array(counts, dtype=np.int64), 1)


def overlapping_pairs(candidates: Candidates) -> tuple[IntArray, IntArray]:
    """Return the pairs of different candidates that share a character, each in both orders.

    The rows are sorted by document and start, so the later partners of one stand in one run.
    """
    count = len(candidates)
    reach = int(candidates.ends.max()) + 1 if count else 1
    begins = candidates.documents * reach + candidates.starts
    stops = np.searchsorted(begins, candidates.documents * reach + candidates.ends, side="left")
    sizes = stops - np.arange(count) - 1
    first = np.repeat(np.arange(count), sizes)
    ranks = np.arange(len(first)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    second = first + 1 + ranks
    return np.concatenate([first, second]), np.concatenate([second, first])


def to_spans(
    candidates: Candidates,
    rows: Iterable[int],
    probabilities: FloatArray,
    *,
    size: int,
    labels: Sequence[str],
    members: Sequence[str],
    source: str = "",
) -> list[tuple[Span, ...]]:
    """Return the chosen rows as the spans of `size` documents, with probability and source.

    A score has six decimals and is never 0. The source is `source` and the members: "crf+tbed".
    """
    spans: list[list[Span]] = [[] for _ in range(size)]
    columns: list[list[Any]] = [
        column.tolist()
        for column in (candidates.documents, candidates.starts, candidates.ends, candidates.labels)
    ]
    for row in rows:
        document, start, end, label = (column[row] for column in columns)
        names = (members[m] for m in np.flatnonzero(candidates.proposed[row]).tolist())
        score = min(max(round(float(probabilities[row]), 6), 1e-6), 1.0)
        spans[document].append(
            Span(start, end, labels[label], score=score, source=source + "+".join(names))
        )
    return [tuple(found) for found in spans]
