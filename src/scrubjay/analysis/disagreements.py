"""Where annotators disagree: stretches of text over which they marked different spans.

Spans that overlap, of whichever annotator, belong to one stretch, so that nothing of a
disagreement lies outside of it. Where all annotators marked the same, there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from scrubjay.analysis._samples import around, span_record
from scrubjay.document import Span
from scrubjay.evaluation.annotators import Joined
from scrubjay.features.words import shape

Kind = Literal["missing", "label", "extent", "label and extent"]
KINDS: tuple[Kind, ...] = ("missing", "label", "extent", "label and extent")


@dataclass(frozen=True, slots=True)
class Case:
    """One disagreement: the characters `[start, end)` of a document, and who marked what there.

    `sides` has the distinct spans of each annotator who has the document, and `annotators` the
    number of each of them. `shape` is the text with letters as `A` and `a` and digits as `0`.
    `before`, `text` and `after` are text of the document, empty unless it was asked for.
    """

    document: str
    start: int
    end: int
    annotators: tuple[int, ...]
    sides: tuple[tuple[Span, ...], ...]
    shape: str
    before: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    after: str = field(default="", repr=False)

    @property
    def kind(self) -> Kind:
        """What the annotators disagree about.

        missing: one of them marked nothing there. label: the same borders, other labels. extent:
        the same labels, other borders. label and extent: both differ.
        """
        if not all(self.sides):
            return "missing"
        borders = {frozenset((span.start, span.end) for span in side) for side in self.sides}
        if len(borders) == 1:
            return "label"
        labels = {frozenset(span.label for span in side) for side in self.sides}
        return "extent" if len(labels) == 1 else "label and extent"

    @property
    def labels(self) -> tuple[str, ...]:
        """For each side its labels, joined by commas; empty for none."""
        return tuple(", ".join(dict.fromkeys(span.label for span in side)) for side in self.sides)

    def record(self) -> dict[str, Any]:
        """Return the case as JSON values; text only where it was asked for."""
        found: dict[str, Any] = {
            "document": self.document,
            "start": self.start,
            "end": self.end,
            "kind": self.kind,
            "shape": self.shape,
            "sides": {
                str(number): list(map(span_record, side))
                for number, side in zip(self.annotators, self.sides, strict=True)
            },
        }
        if self.text:
            found |= {"before": self.before, "text": self.text, "after": self.after}
        return found


def find_cases(joined: Joined, *, context: int | None = None) -> tuple[Case, ...]:
    """Return the disagreements in one document, in the order of the text.

    Annotators who do not have the document have no say in it. `context` asks for the text of the
    cases, with that many characters before and after; without it the cases hold none.
    """
    numbers = tuple(n for n, version in enumerate(joined.versions) if version is not None)
    sides = [_distinct(version.spans) for version in joined.present]
    if all(side == sides[0] for side in sides[1:]):
        return ()
    return tuple(
        _case(joined, numbers, start, end, found, context)
        for start, end, found in _regions(sides)
        if any(side != found[0] for side in found[1:])
    )


def _case(
    joined: Joined,
    numbers: tuple[int, ...],
    start: int,
    end: int,
    sides: tuple[tuple[Span, ...], ...],
    context: int | None,
) -> Case:
    text = joined.text
    shown = around(text, start, end, context)
    return Case(joined.id, start, end, numbers, sides, shape(text[start:end]), **shown)


class CaseCounter:
    """Counts the disagreements of the documents that pass through, and keeps the first ones.

    `most` cases are kept in `cases`; `kinds` counts all of them by kind. Documents pass
    unchanged, so that agreement is measured in the same reading.
    """

    def __init__(self, *, most: int | None = None, context: int | None = None) -> None:
        self.kinds: Counter[Kind] = Counter()
        self.cases: list[Case] = []
        self._most = most
        self._context = context

    def watch(self, documents: Iterable[Joined]) -> Iterator[Joined]:
        """Yield the documents, each after its disagreements are counted."""
        for joined in documents:
            room = self._most is None or len(self.cases) < self._most
            found = find_cases(joined, context=self._context if room else None)
            self.kinds.update(case.kind for case in found)
            if room:
                self.cases += found[: None if self._most is None else self._most - len(self.cases)]
            yield joined


def _distinct(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans sorted, each once: equal offsets and labels are one span."""
    return tuple(dict.fromkeys(sorted(spans)))


def _regions(
    sides: Sequence[Sequence[Span]],
) -> Iterator[tuple[int, int, tuple[tuple[Span, ...], ...]]]:
    """Yield the stretches that overlapping spans cover, with the spans of each side in them."""
    everything = sorted(
        (span.start, span.end, number, place)
        for number, side in enumerate(sides)
        for place, span in enumerate(side)
    )
    start, end = 0, 0
    found: list[list[Span]] = []
    for begins, ends, number, place in everything:
        if not found or begins >= end:
            if found:
                yield start, end, tuple(map(tuple, found))
            start, end, found = begins, ends, [[] for _ in sides]
        end = max(end, ends)
        found[number].append(sides[number][place])
    if found:
        yield start, end, tuple(map(tuple, found))
