"""What taggers with scores for tags and for moves between them share: the way to tags and spans.

A tagger gives emission scores; the chain finds the best path through each sentence (or window)
and turns it into spans, each with the probability of its own part of the path. A detector is such
a tagger behind a tokenizer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from scrubjay.artifacts import Manifest
from scrubjay.document import Document, Span
from scrubjay.errors import DetectionError
from scrubjay.taggers._viterbi import FloatArray, best_path, segment_probabilities
from scrubjay.tags import TagArray, TokenRange, decode_tags, find_scheme
from scrubjay.text.tokenizers import Tokenizer
from scrubjay.text.tokens import IntArray, Tokens


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """A decoded batch of `n` tokens, one text after another.

    `scores` (n, tags) are emissions without the dial, `bounds` (s + 1,) delimit the stretches
    in each of which one path was sought, `tags` (n,) are those paths.
    """

    scores: FloatArray
    bounds: IntArray
    tags: TagArray


class ChainDecoder:
    """Turns emission scores into tags and spans.

    `transitions` (tags, tags) score moves from row to column; a tag that cannot be reached from
    any (a column of -inf) is never given. Zeros make a chain of independent tokens. `dial` is
    subtracted from the score of `O` at every token: above 0 it finds more (recall), below 0 less
    (precision). It moves the path and leaves the probabilities to the model.
    """

    def __init__(
        self, transitions: FloatArray, *, scheme: str, labels: tuple[str, ...], dial: float = 0.0
    ) -> None:
        self.transitions = transitions
        self.scheme = find_scheme(scheme)
        self.labels = labels
        self.dial = dial
        self._unseen = np.flatnonzero(np.isneginf(transitions).all(axis=0))

    def decode(self, scores: FloatArray, bounds: IntArray) -> Decoded:
        """Return the best path in each stretch; `scores` (n, tags) are changed in place."""
        scores[:, self._unseen] = -np.inf
        scores[:, 0] -= self.dial
        tags = best_path(scores, bounds, self.transitions)
        scores[:, 0] += self.dial
        return Decoded(scores, bounds, tags)

    def spans(
        self, decoded: Decoded, batch: Sequence[Tokens], *, source: str
    ) -> list[tuple[Span, ...]]:
        """Return the spans of each text, each with the probability of its path as score."""
        found: list[list[TokenRange]] = [
            decode_tags(part, scheme=self.scheme, labels=self.labels)
            for part in split_tags(decoded.tags, batch)
        ]
        offsets = _offsets(batch).tolist()
        segments = [
            (first + offset, last + offset)
            for ranges, offset in zip(found, offsets[:-1], strict=True)
            for first, last, _ in ranges
        ]
        values = iter(
            segment_probabilities(
                decoded.scores,
                decoded.bounds,
                self.transitions,
                np.array(segments, dtype=np.int64).reshape(-1, 2),
                decoded.tags,
            ).tolist()
        )
        return [
            _make_spans(tokens, ranges, values, source=source)
            for tokens, ranges in zip(batch, found, strict=True)
        ]


class ChainTagger(Protocol):
    """A tagger that decodes by a `ChainDecoder`, and knows the files of its model."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Return every label that `tag_spans` can give."""

    def tag_spans(self, batch: Sequence[Tokens], *, source: str = ...) -> list[tuple[Span, ...]]:
        """Return the spans of each text, each with the probability of its path as score."""

    def with_dial(self, dial: float) -> Self:
        """Return the same tagger at another point between precision and recall."""

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact."""


T = TypeVar("T", bound=ChainTagger)


@dataclass(frozen=True, eq=False, repr=False)
class ChainDetector(Generic[T]):
    """Finds PHI in documents with one tokenizer and one tagger; the manifest names the model."""

    tokenizer: Tokenizer
    tagger: T
    manifest: Manifest = field(kw_only=True)

    @property
    def labels(self) -> tuple[str, ...]:
        """Return every label that `detect` can give."""
        return self.tagger.labels

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, sorted and disjoint."""
        return self.detect_tokens([self.tokenizer.tokenize(d.text) for d in documents])

    def detect_tokens(self, batch: Sequence[Tokens]) -> list[tuple[Span, ...]]:
        """Return what `detect` does, of texts that its tokenizer has cut already."""
        return self.tagger.tag_spans(batch, source=self.manifest.name or self.manifest.kind)

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact."""
        return self.tagger.files()

    def with_dial(self, dial: float) -> ChainDetector[T]:
        """Return the same detector at another point between precision and recall."""
        return replace(self, tagger=self.tagger.with_dial(dial))


def require_finite(scores: npt.NDArray[np.floating[Any]]) -> None:
    """Raise `DetectionError` where a network gave a score that is no finite number.

    Such scores have no best path: whatever came out could pass over PHI in silence.
    """
    if not np.isfinite(scores).all():
        raise DetectionError(
            "a network gave scores that are no finite numbers. Copy the model again from where it "
            "came, or train it again"
        )


def split_tags(tags: TagArray, batch: Sequence[Tokens]) -> list[TagArray]:
    """Return the tags of each text of a batch."""
    return [tags[begin:end] for begin, end in pairwise(_offsets(batch).tolist())]


def _offsets(batch: Sequence[Tokens]) -> IntArray:
    """Return where each text begins in the batch, and where the last ends."""
    return np.cumsum([0, *(len(tokens) for tokens in batch)], dtype=np.int32)


def _make_spans(
    tokens: Tokens, ranges: Sequence[TokenRange], values: Iterator[float], *, source: str
) -> tuple[Span, ...]:
    if not ranges:
        return ()
    firsts = tokens.starts[[first for first, _, _ in ranges]].tolist()
    lasts = tokens.ends[[last - 1 for _, last, _ in ranges]].tolist()
    # Six decimals, and never 0: a score lies in (0, 1].
    return tuple(
        Span(start, end, label, score=max(round(next(values), 6), 1e-6), source=source)
        for start, end, (_, _, label) in zip(firsts, lasts, ranges, strict=True)
    )
