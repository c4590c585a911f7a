"""Very long documents: found in windows that overlap, so that memory and time stay in bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from scrubjay.detectors import Detector, drop_scores
from scrubjay.document import Document, Span

_BORDERS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"[.;:]\s"), re.compile(r"\s"))


@dataclass(frozen=True, slots=True)
class Windowed:
    """A detector that gives texts longer than `longest` to another in windows.

    A window holds a core of at most `core` characters, which begins at a blank line if there is
    one near, else at a line, a sentence or a word, and `overlap` characters around it. A span
    counts where a part of it is in the core: one that is not longer than the overlap is never
    cut, and of a longer one every part is found. Shorter texts are given as they are. If `silent`,
    no span has a score.
    """

    detector: Detector
    longest: int = 400_000
    core: int = 200_000
    overlap: int = 4_000
    silent: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of the detector behind."""
        return self.detector.labels

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, sorted and disjoint."""
        short = [document for document in documents if len(document.text) <= self.longest]
        found = iter(self.detector.detect(short) if short else ())
        rows = [
            next(found) if len(document.text) <= self.longest else self._detect(document)
            for document in documents
        ]
        return list(map(_without_scores, rows)) if self.silent else rows

    def without_scores(self) -> Windowed:
        """Return the same without scores, over a detector that computes none but those it needs."""
        return replace(self, detector=drop_scores(self.detector), silent=True)

    def _detect(self, document: Document) -> tuple[Span, ...]:
        chosen: list[Span] = []
        for start, end in pairwise(self._borders(document.text)):
            first, last = max(0, start - self.overlap), end + self.overlap
            window = replace(document, text=document.text[first:last], spans=())
            (found,) = self.detector.detect([window])
            for span in found:
                if span.start + first < end and span.end + first > start:
                    moved = replace(span, start=span.start + first, end=span.end + first)
                    chosen += _beside(moved, chosen[-1].end if chosen else 0)
        return tuple(chosen)

    def _borders(self, text: str) -> list[int]:
        borders = [0]
        while len(text) - borders[-1] > self.core:
            latest = borders[-1] + self.core
            nearest = max(borders[-1] + 1, latest - self.overlap)
            borders.append(next(_ends(text, nearest, latest), latest))
        return [*borders, len(text)]


def _without_scores(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    return tuple(
        span if span.score is None else Span(span.start, span.end, span.label, source=span.source)
        for span in spans
    )


def _ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield where a border would be best, the best first."""
    for pattern in _BORDERS:
        for match in pattern.finditer(text, start, end):
            yield match.end()


def _beside(span: Span, taken: int) -> list[Span]:
    """Return what of a span lies behind what is taken: the window before found another end."""
    if span.start >= taken:
        return [span]
    return [replace(span, start=taken)] if span.end > taken else []
