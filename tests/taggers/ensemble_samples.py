"""Members' proposals for tests: drawn ones, and detectors that say what they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from scrubjay.document import Document, Span

NAMES = ("A", "B", "C")
TEXT = "ab cd\nefg hi jkl\nmn o p qr st uv"


@st.composite
def found(draw: st.DrawFn, *, members: int = 3, documents: int = 2) -> list[list[tuple[Span, ...]]]:
    """Draw the disjoint spans of each member for each document of `TEXT`."""
    return [[draw(_disjoint()) for _ in range(documents)] for _ in range(members)]


@st.composite
def _disjoint(draw: st.DrawFn) -> tuple[Span, ...]:
    borders = sorted(draw(st.sets(st.integers(0, len(TEXT)), max_size=6)))
    spans = []
    for start, end in zip(borders[::2], borders[1::2], strict=False):
        score = draw(st.none() | st.floats(0.01, 1.0))
        source = draw(st.sampled_from(("", "one", "one,two")))
        spans.append(Span(start, end, draw(st.sampled_from(NAMES)), score=score, source=source))
    return tuple(spans)


def texts(documents: int) -> list[Document]:
    """Return that many documents of `TEXT`."""
    return [Document(str(number), TEXT) for number in range(documents)]


@dataclass(frozen=True)
class Parrot:
    """A detector that gives the spans that it was told, by the text of a document."""

    told: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    labels: tuple[str, ...] = NAMES

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return what it was told of each text, nothing of others."""
        return [self.told.get(document.text, ()) for document in documents]

    def files(self) -> dict[str, bytes]:
        """Return no files."""
        return {}
