"""Toy detectors for tests that need one and no model."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from scrubjay import models
from scrubjay.artifacts import Artifact, Manifest, encode_json, save_artifact
from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.taggers import kinds

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


def save_toy_model(
    folder: Path,
    *,
    kind: str = "toy",
    stores_words: bool = True,
    label_set: str = "i2b2-2014",
) -> None:
    """Save a model of the kind `toy`, with a file of words."""
    manifest = Manifest(
        name=folder.name,
        kind=kind,
        language="en",
        label_set=label_set,
        labels=("DATE",),
        stores_words=stores_words,
    )
    words = ["Núñez", "aspirin", "3/4/2019", "aspirin"]
    save_artifact(folder, manifest, files={"words.json": encode_json(words)})


def ship_toy_model(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *, detector: Detector | None = None
) -> None:
    """Make `folder` that of the shipped models, with one, `toy`, that loads as the detector."""

    def load_toy(artifact: Artifact) -> Detector:
        artifact.verify()
        return DateDetector() if detector is None else detector

    def stored_words(artifact: Artifact) -> Iterator[str]:
        yield from artifact.read_json("words.json")

    module = types.ModuleType("toy_kind")
    module.load_toy = load_toy  # type: ignore[attr-defined]
    module.stored_words = stored_words  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_kind", module)
    monkeypatch.setattr(kinds, "KINDS", {"toy": "toy_kind"})
    monkeypatch.setattr(models, "SHIPPED", folder)
    save_toy_model(folder / "toy")
