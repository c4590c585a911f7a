"""What taggers with scores for tags and for moves between them share: the way to tags and spans.

A tagger gives emission scores; the chain finds the best path through each sentence (or window)
and turns it into spans, each with the probability of its own part of the path.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, repeat
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from scrubjay.document import Span
from scrubjay.errors import DetectionError
from scrubjay.taggers._decoding.probabilities import Rows, segment_probabilities
from scrubjay.taggers._decoding.viterbi import FloatArray, best_path
from scrubjay.tags import IndexArray, TagArray, TokenRange, decode_joined, encode_tags, find_scheme
from scrubjay.text.tokens import IntArray, Tokens


class Wanted(Protocol):
    """Tells which of the mentions of a text, as start, end and label, should have a score."""

    def __call__(self, text: str, mentions: Sequence[tuple[int, int, str]], /) -> list[bool]: ...


Scores = Literal["path", "none"] | Wanted
"""Which spans have a score, the probability of their part of the path: all, none, or some."""


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """A decoded batch of `n` tokens, one text after another.

    `scores` (n, tags) are emissions without the dial, `bounds` (s + 1,) delimit the stretches
    in each of which one path was sought, `tags` (n,) are those paths.
    """

    scores: Rows
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
        self.unseen = np.flatnonzero(np.isneginf(transitions).all(axis=0))

    def decode(self, scores: FloatArray, bounds: IntArray) -> Decoded:
        """Return the best path in each stretch; `scores` (n, tags) are changed in place."""
        scores[:, self.unseen] = -np.inf
        scores[:, 0] -= self.dial
        tags = best_path(scores, bounds, self.transitions)
        scores[:, 0] += self.dial
        return Decoded(scores, bounds, tags)

    def spans(
        self, decoded: Decoded, batch: Sequence[Tokens], *, source: str, scores: Scores = "path"
    ) -> list[tuple[Span, ...]]:
        """Return the spans of each text, with the probabilities of their paths or no score.

        The probability of a path takes several times as long as the path itself.
        """
        offsets = text_offsets(batch)
        firsts, ends, numbers = decode_joined(decoded.tags, offsets, scheme=self.scheme)
        if not len(firsts):
            return [()] * len(batch)
        mentions = list(
            zip(
                np.concatenate([tokens.starts for tokens in batch])[firsts].tolist(),
                np.concatenate([tokens.ends for tokens in batch])[ends - 1].tolist(),
                [self.labels[number] for number in numbers.tolist()],
                strict=True,
            )
        )
        cuts = list(pairwise(np.searchsorted(firsts, offsets).tolist()))
        values: Iterable[float | None] = repeat(None)
        if scores != "none":
            asked = np.ones(len(firsts), dtype=np.bool_)
            if scores != "path":
                asked = _asked(scores, batch, mentions, cuts)
                # What joins sentences changes the scores in them, whether its own is wanted or not.
                bounds = decoded.bounds
                asked |= np.searchsorted(bounds, firsts, side="right") != np.searchsorted(
                    bounds, ends - 1, side="right"
                )
            if asked.any():
                values = self._scores(decoded, np.stack([firsts, ends], axis=1), asked)
        spans = [
            Span(start, end, label, value, source)
            for (start, end, label), value in zip(mentions, values, strict=False)
        ]
        return [tuple(spans[begin:end]) for begin, end in cuts]

    def _scores(
        self, decoded: Decoded, segments: IndexArray, asked: npt.NDArray[np.bool_]
    ) -> list[float | None]:
        """Return the score of each segment (k, 2) that is asked for, None for the others."""
        values = segment_probabilities(
            decoded.scores, decoded.bounds, self.transitions, segments[asked], decoded.tags
        )
        # Six decimals, and never 0: a score lies in (0, 1].
        rounded = iter([max(round(value, 6), 1e-6) for value in values.tolist()])
        return [next(rounded) if one else None for one in asked.tolist()]


class Finding(Protocol):
    """What a tagger found in some texts."""

    @property
    def batch(self) -> Sequence[Tokens]:
        """Return the texts."""

    def spans(self, *, source: str, scores: Scores = "path") -> list[tuple[Span, ...]]:
        """Return the spans of each text, with the probabilities of their paths or no score."""


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """The paths through some texts, of which nothing but spans is asked."""

    decoder: ChainDecoder
    decoded: Decoded
    batch: Sequence[Tokens]

    def spans(self, *, source: str, scores: Scores = "path") -> list[tuple[Span, ...]]:
        """Return the spans of each text, with the probabilities of their paths or no score."""
        return self.decoder.spans(self.decoded, self.batch, source=source, scores=scores)


class Reading:
    """What a tagger made of a batch: its spans, and how likely it holds any others to be.

    `scores` (n, tags) and `bounds` are what `ChainDecoder.decode` takes. The paths are sought when
    they are first asked for, unless `tags` (n,) tells them; before that the scores are as the
    tagger gave them. One that was asked for some tokens alone has scores for those that are
    `known` (n,), None being all: it speaks in a pool, and has no paths of its own.
    """

    def __init__(
        self,
        decoder: ChainDecoder,
        scores: FloatArray,
        bounds: IntArray,
        batch: Sequence[Tokens],
        *,
        known: npt.NDArray[np.bool_] | None = None,
        tags: TagArray | None = None,
    ) -> None:
        self.decoder = decoder
        self._tags = tags
        self.known = known
        self.scores = scores
        self.bounds = bounds
        self.batch = batch

    @cached_property
    def decoded(self) -> Decoded:
        """Return the best paths; raises `ValueError` for scores of some tokens alone."""
        if self.known is not None:
            raise ValueError("a reading of some tokens alone has no paths")
        if self._tags is not None:
            return Decoded(self.scores, self.bounds, self._tags)
        return self.decoder.decode(self.scores, self.bounds)

    def spans(self, *, source: str, scores: Scores = "path") -> list[tuple[Span, ...]]:
        """Return the spans of each text, with the probabilities of their paths or no score."""
        return self.decoder.spans(self.decoded, self.batch, source=source, scores=scores)

    def probabilities(self, asked: Sequence[Sequence[Span]]) -> list[list[float]]:
        """Return the probability of each of the spans asked for, text by text.

        It is the share of all paths whose tags are those of this span and that do not go on with
        it, to six decimals. The spans of a text may overlap. One whose borders are no token
        borders, or with a label that the tagger does not know, has probability 0.
        """
        offsets = text_offsets(self.batch).tolist()
        known = set(self.decoder.labels)
        ranges: list[TokenRange] = []
        places: list[tuple[int, int]] = []
        answers = [[0.0] * len(spans) for spans in asked]
        for text, (tokens, spans) in enumerate(zip(self.batch, asked, strict=True)):
            for number, span in enumerate(spans):
                found = tokens.token_range(span.start, span.end, mode="strict")
                if found is not None and span.label in known:
                    first, last = found
                    ranges.append((first + offsets[text], last + offsets[text], span.label))
                    places.append((text, number))
        for (text, number), value in zip(places, self._exactly(ranges), strict=True):
            answers[text][number] = round(value, 6)
        return answers

    def _exactly(self, ranges: Sequence[TokenRange]) -> list[float]:
        """Return the probability that a span has these tokens, neither fewer nor more.

        The tags of a BIO span do not tell where it ends: the paths on which it goes on are taken
        off.
        """
        values = self._along(ranges)
        scheme = self.decoder.scheme
        if scheme.last != scheme.inner:
            return values
        ends = set(self.decoded.bounds.tolist())
        longer = [n for n, (_, last, _) in enumerate(ranges) if last not in ends]
        extended = [(ranges[n][0], ranges[n][1] + 1, ranges[n][2]) for n in longer]
        for number, more in zip(longer, self._along(extended), strict=True):
            values[number] = max(0.0, values[number] - more)
        return values

    def _along(self, ranges: Sequence[TokenRange]) -> list[float]:
        """Return the probability of the tags of each range."""
        values = [0.0] * len(ranges)
        for layer in _disjoint_layers(ranges):
            chosen = [ranges[number] for number in layer]
            found = segment_probabilities(
                self.decoded.scores,
                self.decoded.bounds,
                self.decoder.transitions,
                np.array([(first, last) for first, last, _ in chosen], dtype=np.int64),
                encode_tags(
                    chosen,
                    len(self.decoded.scores),
                    scheme=self.decoder.scheme,
                    labels=self.decoder.labels,
                ),
            ).tolist()
            for number, value in zip(layer, found, strict=True):
                values[number] = value
        return values


def _disjoint_layers(ranges: Sequence[TokenRange]) -> list[list[int]]:
    """Return the numbers of the ranges in as few layers as can be, each sorted and disjoint."""
    layers: list[list[int]] = []
    ends: list[int] = []
    for number in sorted(range(len(ranges)), key=lambda number: ranges[number]):
        first, last, _ = ranges[number]
        free = next((n for n, end in enumerate(ends) if end <= first), len(ends))
        if free == len(ends):
            layers.append([])
            ends.append(0)
        layers[free].append(number)
        ends[free] = last
    return layers


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
    return [tags[begin:end] for begin, end in pairwise(text_offsets(batch).tolist())]


def text_offsets(batch: Sequence[Tokens]) -> IntArray:
    """Return where each text begins in the batch, and where the last ends."""
    return np.cumsum([0, *(len(tokens) for tokens in batch)], dtype=np.int32)


def _asked(
    wanted: Wanted,
    batch: Sequence[Tokens],
    mentions: Sequence[tuple[int, int, str]],
    cuts: Iterable[tuple[int, int]],
) -> npt.NDArray[np.bool_]:
    """Return which mentions of all texts are wanted; those of each text lie between its cuts."""
    asked: list[bool] = []
    for tokens, (begin, end) in zip(batch, cuts, strict=True):
        if begin < end:
            asked += wanted(tokens.text, mentions[begin:end])
    return np.frombuffer(bytearray(asked), np.bool_)  # a list is read value by value
