"""What the shipped models find in a text, each loaded once."""

from __future__ import annotations

from functools import cache

from scrubjay.detectors import Detector
from scrubjay.document import Document
from scrubjay.models import load_model


@cache
def shipped_model(name: str) -> Detector:
    """Return the model of a name, which no test may change."""
    return load_model(name)


def find_mentions(name: str, text: str) -> list[str]:
    """Return the mentions that the model of a name finds in a text, in order."""
    (spans,) = shipped_model(name).detect([Document("note", text)])
    return [text[span.start : span.end] for span in spans]
