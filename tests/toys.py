"""Toy detectors for tests that need one and no model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from scrubjay.document import Document, Span

CANARY = "Quixotebury-77"
"""A text that must never come out of anything but an output document."""


@dataclass(frozen=True)
class DateDetector:
    """Finds dates such as 3/4/2019."""

    pattern: ClassVar[re.Pattern[str]] = re.compile(r"[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}")
    labels: ClassVar[tuple[str, ...]] = ("DATE",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the dates of each document."""
        return [
            tuple(
                Span(found.start(), found.end(), "DATE", score=0.75, source="toy")
                for found in self.pattern.finditer(document.text)
            )
            for document in documents
        ]


@dataclass(frozen=True)
class RaisingDetector(DateDetector):
    """Finds dates, and raises with the whole text in its message where it meets the canary."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the dates of each document, or raise."""
        for document in documents:
            if CANARY in document.text:
                raise RuntimeError(document.text)
        return super().detect(documents)
