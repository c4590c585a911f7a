"""Examples that are shown: a sample of them that depends on no order, their text and its shape."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Generic, Protocol, TypeVar

from scrubjay.document import Span
from scrubjay.features.words import shape


class Finding(Protocol):
    """A place in a document of which something is told."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    def record(self) -> dict[str, Any]: ...


F = TypeVar("F", bound=Finding)
Example = TypeVar("Example")

SHAPE_LENGTH = 60
"""The most characters of a shape that is shown."""


def name_hash(named: tuple[object, ...]) -> bytes:
    """Return 8 bytes that stand for what is named, the same in every run."""
    return blake2b(repr(named).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def short_shape(text: str) -> str:
    """Return the shape of a text, cut where it is long."""
    return shortened(shape(text))


def shortened(text: str) -> str:
    """Return a text, cut where it is longer than a shape may be."""
    return text if len(text) <= SHAPE_LENGTH else f"{text[: SHAPE_LENGTH - 1]}…"


def around(text: str, start: int, end: int, context: int | None) -> dict[str, str]:
    """Return a stretch of text with so much before and after it; nothing without a context."""
    if context is None:
        return {}
    return {
        "before": text[max(0, start - context) : start],
        "text": text[start:end],
        "after": text[end : end + context],
    }


@dataclass(frozen=True, slots=True)
class Shown(Generic[F]):
    """A finding to be shown, with the text around it where that was asked for."""

    found: F
    before: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    after: str = field(default="", repr=False)

    def record(self) -> dict[str, Any]:
        """Return finding and text as JSON values."""
        texts = {"before": self.before, "text": self.text, "after": self.after}
        return self.found.record() | texts


def show(found: F, text: str, context: int | None) -> Shown[F]:
    """Return a finding in a text as an example; without a context it holds no text."""
    return Shown(found, **around(text, found.start, found.end, context))


def span_record(span: Span) -> dict[str, Any]:
    """Return a span as JSON values."""
    return {"start": span.start, "end": span.end, "label": span.label}


class Sample(Generic[Example]):
    """The examples with the smallest hashes of what names them, up to a number of them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[int, int, Example]] = []
        self._seen = 0

    def offer(self, named: tuple[object, ...], make: Callable[[], Example]) -> None:
        """Take an example in, made only where there is room for it."""
        rank = -int.from_bytes(name_hash(named))
        if self._size < 1 or (len(self._heap) == self._size and rank <= self._heap[0][0]):
            return
        self._seen += 1
        heapq.heappush(self._heap, (rank, self._seen, make()))
        if len(self._heap) > self._size:
            heapq.heappop(self._heap)

    def examples(self) -> list[Example]:
        """Return what was kept, in no order."""
        return [example for _, _, example in self._heap]
