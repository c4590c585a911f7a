"""Detectors: what finds spans in documents.

Taggers, rules and known identifiers meet behind one protocol. A detector is immutable, so that
it can be shared and sent to worker processes; the functions here return another detector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError

GREATEST_DIAL = 20.0
"""How far a recall dial turns either way: far beyond where all is found, or nothing."""


class Detector(Protocol):
    """Finds spans in documents.

    `labels` are the labels that it can give. It reads text and metadata of a document, never
    its spans.
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """Return every label that `detect` can give."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, in order: sorted, disjoint, one tuple for each."""


@runtime_checkable
class Dialled(Protocol):
    """A detector whose recall can be raised at the cost of precision, or the reverse."""

    def with_dial(self, dial: float) -> Detector:
        """Return the same detector at another dial: above 0 it finds more, below 0 less."""


@runtime_checkable
class Unscoring(Protocol):
    """A detector that finds the same in less time where nobody asks how sure it is."""

    def without_scores(self) -> Detector:
        """Return the same detector, most of whose spans have no score."""


def drop_scores(detector: Detector) -> Detector:
    """Return a detector of the same spans, without scores where that saves time.

    Where scores decide, as in mending, those that do are still there.
    """
    return detector.without_scores() if isinstance(detector, Unscoring) else detector


def turn_recall_dial(detector: Detector, dial: float) -> Detector:
    """Return the detector with its recall dial at `dial`: above 0 finds more, below 0 less.

    Raises `ConfigError` for a detector without a dial, and for a dial beyond `GREATEST_DIAL`.
    """
    if not abs(dial) <= GREATEST_DIAL:  # NaN is not
        raise ConfigError(
            f"the recall dial (--recall-dial) must be a number from {-GREATEST_DIAL:g} to "
            f"{GREATEST_DIAL:g}, not {dial:g}",
            hint="0 is a model as it was trained; useful positions lie between 0 and about 3",
        )
    if not isinstance(detector, Dialled):
        raise ConfigError(
            f"the model of type {type(detector).__name__} has no recall dial",
            hint="Leave the recall dial out, or choose a model that has one",
        )
    return detector.with_dial(dial)


@dataclass(frozen=True, slots=True)
class ScoreFilter:
    """A detector that passes on the spans of another whose score is at least `min_score`.

    A label in `by_label` has that least score besides. Spans without a score pass: nothing says
    that they are wrong. Raises `ConfigError` for a score outside 0 to 1.
    """

    detector: Detector
    min_score: float
    by_label: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for least in (self.min_score, *self.by_label.values()):
            if not 0.0 <= least <= 1.0:
                raise ConfigError(f"the least score (--min-score) must be 0 to 1, not {least:g}")

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of the detector behind."""
        return self.detector.labels

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return what the detector behind finds, less the spans with a lower score."""
        return [
            tuple(span for span in spans if self._passes(span))
            for spans in self.detector.detect(documents)
        ]

    def _passes(self, span: Span) -> bool:
        least = max(self.min_score, self.by_label.get(span.label, 0.0))
        return span.score is None or span.score >= least
