"""Spans of several finders laid over each other, so that nothing found is left uncovered."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from operator import le
from typing import TypeVar

from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.errors import DetectionError, counted
from scrubjay.spans import require_disjoint
from scrubjay.text.disguises import read_disguises

T = TypeVar("T")
Detect = Callable[[T, Sequence[Document]], list[tuple[Span, ...]]]


@dataclass(frozen=True, slots=True)
class Joined:
    """Several detectors as one, whose spans are laid over each other: earlier ones win."""

    detectors: tuple[Detector, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of all, each once."""
        return tuple(dict.fromkeys(label for each in self.detectors for label in each.labels))

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document.

        Raises `SpanError` where a detector gives spans that overlap, and `DetectionError` where it
        does not give one result for each document.
        """
        found = [each.detect(documents) for each in self.detectors]
        for each, results in zip(self.detectors, found, strict=True):
            if len(results) != len(documents):
                raise DetectionError(
                    f"{type(each).__name__} gave {counted(len(results), 'result')} for "
                    f"{counted(len(documents), 'document')}"
                )
        return [
            overlay(
                document.text,
                [
                    span
                    for spans in layers
                    for span in require_disjoint(spans, document_id=document.id)
                ],
            )
            for document, *layers in zip(documents, *found, strict=True)
        ]


def overlay(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return disjoint spans that cover everything the given ones cover, sorted.

    Earlier spans win: a later one keeps only what lies outside them, in pieces if need be, and
    goes where no letter or digit of it is left. A later span around earlier ones of its own
    label takes their place whole; one that is found again changes nothing.
    """
    spans = tuple(spans)
    starts, ends = [span.start for span in spans], [span.end for span in spans]
    if all(map(le, ends, starts[1:])):  # they are in order and apart, as those of a model alone
        return spans
    chosen: list[Span] = []
    for span in spans:
        if not chosen or chosen[-1].end <= span.start:  # nearly always, since most come in order
            chosen.append(span)
            continue
        first = bisect_left(chosen, span.start, key=lambda other: other.end)
        while first < len(chosen) and chosen[first].end <= span.start:
            first += 1
        last = first
        while last < len(chosen) and chosen[last].start < span.end:
            last += 1
        inside = chosen[first:last]
        if inside == [span]:  # found again
            continue
        around = inside and span.start <= inside[0].start and inside[-1].end <= span.end
        if around and all(other.label == span.label for other in inside):
            chosen[first:last] = [Span(span.start, span.end, span.label, None, inside[0].source)]
            continue
        chosen[first:last] = sorted([*inside, *_pieces(text, span, inside)])
    return tuple(chosen)


def seeing_disguises(detect: Detect[T]) -> Detect[T]:
    """Return a method `detect` that looks once more at the texts that hold words in disguise.

    What is found then goes below what was found in the texts as they are.
    """

    @wraps(detect)
    def detect_twice(self: T, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = detect(self, documents)
        pairs = [(place, read_disguises(each.text)) for place, each in enumerate(documents)]
        seen = [(place, one) for place, one in pairs if one is not None]
        plain = [replace(documents[place], text=one.text, spans=()) for place, one in seen]
        again = detect(self, plain) if plain else []
        for (place, one), spans in zip(seen, again, strict=True):
            more = [piece for span in spans for piece in one.back(span)]
            found[place] = overlay(documents[place].text, [*found[place], *more])
        return found

    return detect_twice


def _pieces(text: str, span: Span, inside: list[Span]) -> list[Span]:
    """Return what of a span lies outside the others, without marks and blanks at its ends."""
    if not inside:
        return [span]
    borders = [span.start]
    for other in inside:
        borders += [other.start, other.end]
    borders.append(span.end)
    pieces = []
    for start, end in zip(borders[::2], borders[1::2], strict=True):
        while start < end and not text[start].isalnum():
            start += 1
        while start < end and not text[end - 1].isalnum():
            end -= 1
        if start < end:
            pieces.append(Span(start, end, span.label, span.score, span.source))
    return pieces
