"""Predicted spans judged against gold spans, one by one: right, or wrong in which way.

The kinds are those of He et al. 2015 (Section 3.4) and Jiang et al. 2017 (Section 8.3.1), both
after Wellner et al. 2007. Every predicted span has exactly one kind, told by what gold spans
there are, not by an assignment, so that the counts do not depend on any order:

- `correct`: a gold span has its borders and its label;
- `type`: a gold span has its borders, none of them its label;
- `extent`: no gold span has its borders, but one overlaps it; `short` where it lies within a gold
  span, else `short-and-long` where it covers only a part of one, else `long`;
- `spurious`: no gold span overlaps it.

Every gold span has exactly one kind as well: `correct`, `type` and `extent` by the same rules seen
from the other side, and `missing` where no predicted span overlaps it.

That `short-and-long` goes before `long` follows Jiang's example for it, of this form: a predicted
"roofs repair man" that covers one gold span, "repair man", and cuts another, "Tom Hardin roofs".
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from scrubjay.document import Span

Kind = Literal["correct", "type", "extent", "missing", "spurious"]
Extent = Literal["short", "long", "short-and-long"]
EXTENTS: tuple[Extent, ...] = ("short", "long", "short-and-long")

_Relation = Literal["within", "covers", "crosses"]
_RANKS: dict[_Relation, int] = {"within": 0, "crosses": 1, "covers": 2}
_OF_PREDICTED: dict[_Relation, Extent] = {
    "within": "short",
    "covers": "long",
    "crosses": "short-and-long",
}
_OF_GOLD: dict[_Relation, Extent] = {
    "within": "long",
    "covers": "short",
    "crosses": "short-and-long",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """One span, its kind, and the span of the other side that it is compared with.

    `partner` is None for missing and spurious spans alone. `extent` tells how the predicted span
    lies to the gold span, whichever of the two is `span`; it is None unless the kind is `extent`.
    `overlapped` counts the spans of the other side that share a character with this one.
    """

    span: Span
    kind: Kind
    partner: Span | None = None
    extent: Extent | None = None
    overlapped: int = 0


@dataclass(frozen=True, slots=True)
class Judgements:
    """The judgements of one document, each side sorted by its spans."""

    gold: tuple[Judgement, ...]
    predicted: tuple[Judgement, ...]


def judge_spans(gold: Iterable[Span], predicted: Iterable[Span]) -> Judgements:
    """Judge the spans of one document; duplicates (same borders, same label) count once.

    Partners, where several spans of the other side could be one:

    - at equal borders the span with the same label; the others of both sides in the order of
      their labels, first with first, and those of the longer side all with the last;
    - for an extent error of a predicted span the gold span that makes it short, before one that
      it crosses, before one that it covers; then the one that shares most characters; then
      one with its label; then the one that differs in fewest characters; then the first. A gold
      span chooses likewise: one that covers it, before one that crosses it, before one within.

    Spans of one side may overlap each other. Time grows with the pairs that overlap.
    """
    gold_side, predicted_side = _Side(gold), _Side(predicted)
    return Judgements(
        gold=_judge_side(gold_side, predicted_side, "missing", _OF_GOLD),
        predicted=_judge_side(predicted_side, gold_side, "spurious", _OF_PREDICTED),
    )


class _Side:
    """The spans of one side, found by their borders or by what they overlap."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.spans = sorted(set(spans))
        self.by_borders: dict[tuple[int, int], list[Span]] = defaultdict(list)
        for span in self.spans:
            self.by_borders[span.start, span.end].append(span)
        self._starts = [span.start for span in self.spans]
        # Ends never fall along this list, so that it can be searched even where spans overlap.
        self._reach = list(accumulate((span.end for span in self.spans), max))

    def overlapping(self, span: Span) -> list[Span]:
        first = bisect_right(self._reach, span.start)
        behind = bisect_left(self._starts, span.end)
        return [other for other in self.spans[first:behind] if other.end > span.start]


def _judge_side(
    side: _Side, others: _Side, alone: Kind, extents: dict[_Relation, Extent]
) -> tuple[Judgement, ...]:
    judged = []
    for span in side.spans:
        near = others.overlapping(span)
        same = others.by_borders.get((span.start, span.end))
        if same:
            partner = _partner_of_borders(span, side.by_borders[span.start, span.end], same)
            kind: Kind = "correct" if partner.label == span.label else "type"
            judged.append(Judgement(span, kind, partner, overlapped=len(near)))
        elif near:
            partner = min(near, key=_preference(span))
            extent = extents[_relation(span, partner)]
            judged.append(Judgement(span, "extent", partner, extent, len(near)))
        else:
            judged.append(Judgement(span, alone))
    return tuple(judged)


def _partner_of_borders(span: Span, own: Sequence[Span], same: Sequence[Span]) -> Span:
    """Return the span of `same` that belongs to `span`; all have the same borders."""
    if span in same:
        return same[same.index(span)]
    free = [other for other in same if other not in own] or same
    place = [other for other in own if other not in same].index(span)
    return free[min(place, len(free) - 1)]


def _relation(span: Span, other: Span) -> _Relation:
    if other.start <= span.start and span.end <= other.end:
        return "within"
    if span.start <= other.start and other.end <= span.end:
        return "covers"
    return "crosses"


def _preference(span: Span) -> Callable[[Span], tuple[int, int, bool, int, Span]]:
    def key(other: Span) -> tuple[int, int, bool, int, Span]:
        shared = min(span.end, other.end) - max(span.start, other.start)
        differing = len(span) + len(other) - 2 * shared
        rank = _RANKS[_relation(span, other)]
        return rank, -shared, other.label != span.label, differing, other

    return key
