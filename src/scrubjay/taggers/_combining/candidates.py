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
from scrubjay.taggers._decoding.chain import Reading

Found = Sequence[Sequence[Sequence[Span]]]
"""The spans of each member, for each document; a source names rules, `RULE,RULE`, or nothing."""

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Proposals:
    """What each member found in some documents, and made of the batch where that is asked for."""

    documents: Sequence[Document]
    found: Found
    readings: Sequence[Reading | None] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """`n` candidates over a batch of documents, sorted by document, start, end and label.

    `documents`, `starts`, `ends` and `labels` (n,) are the number of the document, half-open
    character offsets in its text and the number of the label. `proposed` (n, members) says which
    members propose it and `scores` (n, members) with what probability, nan where a member gives
    none. `opinions` (n, members) is how likely a member holds it to be, whether it proposes it or
    not; nan for members that were not asked. `rules` are the rules behind it, as
    `(member, name)`.
    """

    documents: IntArray
    starts: IntArray
    ends: IntArray
    labels: IntArray
    proposed: BoolArray
    scores: FloatArray
    opinions: FloatArray
    rules: tuple[tuple[tuple[int, str], ...], ...]

    def __len__(self) -> int:
        return len(self.starts)

    def keys(self, labels: Sequence[str]) -> list[tuple[int, int, int, str]]:
        """Return `(document, start, end, label)` of each candidate."""
        columns = (self.documents, self.starts, self.ends)
        places = zip(*(column.tolist() for column in columns), strict=True)
        names = [labels[number] for number in self.labels.tolist()]
        return [(*place, name) for place, name in zip(places, names, strict=True)]


def collect_candidates(
    found: Found, labels: Mapping[str, int], readings: Sequence[Reading | None] = ()
) -> Candidates:
    """Return the candidates of a batch; `labels` number the labels that a candidate can have.

    The members that have a reading are asked for their opinion of each candidate.
    """
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
    opinions = _ask(
        readings, ordered, list(labels), proposed.shape, max(map(len, found), default=0)
    )
    return Candidates(documents, starts, ends, numbers, proposed, scores, opinions, tuple(rules))


def _ask(
    readings: Sequence[Reading | None],
    ordered: Sequence[tuple[int, int, int, int]],
    labels: Sequence[str],
    shape: tuple[int, ...],
    documents: int,
) -> FloatArray:
    opinions = np.full(shape, np.nan)
    asked: list[list[Span]] = [[] for _ in range(documents)]
    for document, start, end, label in ordered:
        asked[document].append(Span(start, end, labels[label]))
    for member, reading in enumerate(readings):
        if reading is not None:
            answers = reading.probabilities(asked)
            opinions[:, member] = [value for values in answers for value in values]
    return opinions


def join_candidates(parts: Sequence[Candidates], documents: Sequence[Sequence[int]]) -> Candidates:
    """Return the candidates of several batches as those of one.

    `documents` says for each batch which number each of its documents has in the whole.
    """
    numbers = [
        np.array(places, dtype=np.int64)[part.documents]
        for part, places in zip(parts, documents, strict=True)
    ]
    rows = np.concatenate(numbers)
    starts, ends, labels, proposed, scores, opinions = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("starts", "ends", "labels", "proposed", "scores", "opinions")
    )
    order = np.lexsort((labels, ends, starts, rows))
    rules = [rules for part in parts for rules in part.rules]
    return Candidates(
        rows[order],
        starts[order],
        ends[order],
        labels[order],
        proposed[order],
        scores[order],
        opinions[order],
        tuple(rules[row] for row in order.tolist()),
    )


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
