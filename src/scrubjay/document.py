"""The unit of input and its labelled intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter, lt
from typing import Any

from scrubjay.errors import InputError, SpanError, told_type


@dataclass(frozen=True, slots=True, order=True, init=False)
class Span:
    """A labelled half-open interval `[start, end)` in characters (code points) of a text.

    A span never holds text, so its repr is safe to log. `score` is the probability that the
    detector gives it, or None; `source` names the detector, rule or annotator behind it.
    Spans sort by start, end, label.
    """

    start: int
    end: int
    label: str
    score: float | None = field(default=None, compare=False)
    source: str = field(default="", compare=False)

    def __init__(
        self, start: int, end: int, label: str, score: float | None = None, source: str = ""
    ) -> None:
        # By hand, and into the slots: a mention has several spans on its way through a run, and
        # what a dataclass makes takes twice as long.
        if not 0 <= start < end:
            raise SpanError(f"a span needs 0 <= start < end, got [{start}, {end}) {label}")
        _set_start(self, start)
        _set_end(self, end)
        _set_label(self, label)
        _set_score(self, score)
        _set_source(self, source)

    def __len__(self) -> int:
        return self.end - self.start


_set_start, _set_end, _set_label, _set_score, _set_source = (
    Span.__dict__[name].__set__ for name in ("start", "end", "label", "score", "source")
)

span_order = attrgetter("start", "end", "label")
"""The key by which spans sort: what they compare by, and faster than to compare them."""


def in_order(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans sorted by start, end, label; most are so already, which a look tells."""
    found = tuple(spans)
    starts = [span.start for span in found]
    return found if all(map(lt, starts, starts[1:])) else tuple(sorted(found, key=span_order))


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """An immutable text with its id, spans and metadata.

    Text is never normalised: offsets are those of the file as it was read, line ends included.
    Spans are kept sorted. `metadata` holds what a reader found beside text and spans (patient,
    site, lines of the format that are no spans) under dotted names such as "brat.lines".

    Raises `SpanError` if a span ends beyond the text, and `InputError` for an id or a text that is
    no string, and for spans that are none. Overlaps are allowed here; see
    `scrubjay.spans.require_disjoint`.
    """

    id: str
    text: str
    spans: tuple[Span, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InputError(f"document {self.id!r}: the text is {told_type(self.text)}, no string")
        if not isinstance(self.id, str):
            raise InputError(f"the id of a document is {told_type(self.id)}, no string")
        try:
            spans = in_order(self.spans)
        except (AttributeError, TypeError):
            raise InputError(f"document {self.id!r}: its spans are no sequence of Span") from None
        if spans and max([span.end for span in spans]) > len(self.text):
            furthest = max(spans, key=lambda span: span.end)
            raise SpanError(
                f"document {self.id!r}: span [{furthest.start}, {furthest.end}) "
                f"{furthest.label} ends beyond the text of {len(self.text)} characters"
            )
        object.__setattr__(self, "spans", spans)

    def __repr__(self) -> str:
        return f"Document(id={self.id!r}, {len(self.text)} characters, {len(self.spans)} spans)"

    def with_spans(self, spans: Iterable[Span]) -> Document:
        """Return the same document with other spans."""
        return replace(self, spans=tuple(spans))
