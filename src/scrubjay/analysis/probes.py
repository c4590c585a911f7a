"""What a detector makes of the probes: clinical terms taken for PHI, and names of the same words.

Both are counted without regard to labels. A term is hit where any letter or digit of it lies in
a predicted span, since a term that lost a part is lost. A name is found where every letter and
digit of it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from scrubjay.analysis.probe_sets import KEEP, Probe, ProbeSet
from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.evaluation.intervals import exact_interval

_BATCH = 64


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many; `record` adds the ratio and its exact interval."""

    count: int
    of: int

    def __add__(self, other: Share) -> Share:
        return Share(self.count + other.count, self.of + other.of)

    @property
    def ratio(self) -> float | None:
        """Return the ratio, or None where there was nothing to count."""
        return self.count / self.of if self.of else None

    def record(self) -> dict[str, Any]:
        """Return the share as plain values; raises `MissingExtraError` without scipy."""
        interval = exact_interval(self.count, self.of)
        return {
            "count": self.count,
            "of": self.of,
            "ratio": self.ratio,
            "low": interval.low,
            "high": interval.high,
        }


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """One category: its terms that were hit, and its names that were found."""

    category: str
    title: str
    hit: Share
    found: Share


@dataclass(frozen=True, slots=True)
class ProbeMiss:
    """A place of a probe where the detector was wrong: a term hit, or a name not found whole.

    `label` is `KEEP` or the label of the name; `predicted` are the labels of the spans that
    touch the place, as they stand in the text. The text is that of the probe, which is ours.
    """

    probe: str
    category: str
    start: int
    end: int
    label: str
    predicted: tuple[str, ...]
    text: str

    @property
    def surface(self) -> str:
        """Return what stands there."""
        return self.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """Counts by category, in the order of the file, and every miss.

    `elsewhere` counts predicted spans that touch neither a term nor a name: they lie in the words
    around them.
    """

    language: str
    probes: int
    categories: tuple[CategoryCount, ...]
    misses: tuple[ProbeMiss, ...]
    elsewhere: int

    @property
    def hit(self) -> Share:
        """Return the terms that were hit, of all categories."""
        return sum((one.hit for one in self.categories), Share(0, 0))

    @property
    def found(self) -> Share:
        """Return the names that were found, of all categories."""
        return sum((one.found for one in self.categories), Share(0, 0))

    def record(self) -> dict[str, Any]:
        """Return every figure and miss as plain values for JSON."""
        return {
            "language": self.language,
            "probes": self.probes,
            "terms_hit": self.hit.record(),
            "names_found": self.found.record(),
            "spans_elsewhere": self.elsewhere,
            "categories": [
                {
                    "category": one.category,
                    "title": one.title,
                    "terms_hit": one.hit.record(),
                    "names_found": one.found.record(),
                }
                for one in self.categories
            ],
            "misses": [
                {
                    "probe": one.probe,
                    "category": one.category,
                    "start": one.start,
                    "end": one.end,
                    "label": one.label,
                    "predicted": list(one.predicted),
                    "text": one.text,
                }
                for one in self.misses
            ],
        }


def run_probes(detector: Detector, probes: ProbeSet) -> ProbeReport:
    """Return what a detector makes of every probe; errors are those of the detector."""
    documents = [probe.document.with_spans(()) for probe in probes.probes]
    counts: Counter[tuple[str, str]] = Counter()
    misses: list[ProbeMiss] = []
    elsewhere = 0
    detected = detect_all(detector, documents)
    for probe, (_, spans) in zip(probes.probes, detected, strict=True):
        for span in probe.document.spans:
            kind = "hit" if span.label == KEEP else "found"
            covered, size = coverage(probe.document.text, span, spans)
            counted = covered > 0 if kind == "hit" else covered == size
            counts[probe.category, f"{kind} of"] += 1
            counts[probe.category, kind] += counted
            if counted == (kind == "hit"):
                misses.append(_miss(probe, span, spans))
        elsewhere += sum(not touching(span, probe.document.spans) for span in spans)
    categories = tuple(
        CategoryCount(
            category,
            title,
            Share(counts[category, "hit"], counts[category, "hit of"]),
            Share(counts[category, "found"], counts[category, "found of"]),
        )
        for category, title in probes.titles.items()
    )
    return ProbeReport(probes.language, len(documents), categories, tuple(misses), elsewhere)


def detect_all(
    detector: Detector, documents: Iterable[Document]
) -> Iterator[tuple[Document, tuple[Span, ...]]]:
    """Yield each document with the spans that a detector finds in it, read in batches."""
    stream = iter(documents)
    while batch := list(islice(stream, _BATCH)):
        yield from zip(batch, detector.detect(batch), strict=True)


def coverage(text: str, span: Span, predicted: Iterable[Span]) -> tuple[int, int]:
    """Return how many letters and digits of a span lie in predicted spans, and of how many."""
    others = touching(span, predicted)
    places = [place for place in range(span.start, span.end) if text[place].isalnum()]
    covered = sum(any(one.start <= place < one.end for one in others) for place in places)
    return covered, len(places)


def touching(span: Span, others: Iterable[Span]) -> Sequence[Span]:
    """Return those of the others that share a character with a span."""
    return [one for one in others if one.start < span.end and span.start < one.end]


def _miss(probe: Probe, span: Span, predicted: Iterable[Span]) -> ProbeMiss:
    document = probe.document
    labels = tuple(one.label for one in sorted(touching(span, predicted)))
    return ProbeMiss(
        document.id, probe.category, span.start, span.end, span.label, labels, document.text
    )
