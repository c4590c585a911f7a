"""Counts of tasks, added up so that a task that is done twice counts once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scrubjay.batch.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Counts:
    """What was done: `labels` are the spans per label, `failures` are counted by their codes."""

    documents: int = 0
    characters: int = 0
    labels: Mapping[str, int] = field(default_factory=dict)
    failures: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class TaskCounter:
    """Counts the outcomes of one task."""

    documents: int = 0
    characters: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)

    def note(self, outcome: Outcome) -> None:
        """Count an outcome; a document that failed counts with its characters and no span."""
        self.documents += 1
        self.characters += outcome.size
        self.labels.update(outcome.labels)
        if outcome.failure is not None:
            self.failures[outcome.failure.code] += 1

    def counts(self) -> Counts:
        """Return what was counted."""
        labels, failures = sorted(self.labels.items()), sorted(self.failures.items())
        return Counts(self.documents, self.characters, dict(labels), dict(failures))


def add_up(parts: Iterable[Counts]) -> Counts:
    """Return the sum of counts."""
    total = TaskCounter()
    for part in parts:
        total.documents += part.documents
        total.characters += part.characters
        total.labels.update(part.labels)
        total.failures.update(part.failures)
    return total.counts()


Stages = dict[int, dict[int, Counts]]
"""Stage -> partition -> the counts of its task."""


@dataclass(frozen=True, slots=True)
class ByPartition:
    """Merges counts by stage and partition: what comes again takes the place of what was.

    Its methods have the names that accumulators of Spark ask for.
    """

    def zero(self, value: Any) -> Stages:
        """Return no counts."""
        return {}

    def addInPlace(self, value1: Stages, value2: Stages) -> Stages:  # noqa: N802
        """Put the second counts into the first, and return these."""
        for stage, partitions in value2.items():
            value1.setdefault(stage, {}).update(partitions)
        return value1
