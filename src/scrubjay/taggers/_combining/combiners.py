"""Ways to make one set of spans of those that several members propose.

`Votes` scores each candidate by how many members, or how good ones, propose it; the best disjoint
set wins. `Union`, `Intersection` and `PerLabel` take members' spans as they are. `Filled` adds
members that speak where another combiner is silent. Two have modules of their own: `stacker`
scores candidates by a support vector machine, `pool` adds up members' scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import numpy.typing as npt

from scrubjay.document import Document, Span
from scrubjay.taggers._combining.candidates import (
    Candidates,
    FloatArray,
    Proposals,
    collect_candidates,
    count_words,
    to_spans,
)
from scrubjay.taggers._combining.selection import select_best

Asked = Literal["spans", "opinions", "scores"]
"""What a combiner asks of members: their spans; spans, the rules behind them and readings to
form opinions; or, of those that have them, readings alone."""

Arrays = Mapping[str, npt.NDArray[Any]]
Spans = list[tuple[Span, ...]]


class Combiner(Protocol):
    """Makes one set of disjoint spans for each document out of those of the members."""

    @property
    def turns_members(self) -> bool:
        """Tell whether the recall dial is that of the members rather than its own."""

    @property
    def asked(self) -> Asked:
        """Tell what it asks of the members that it combines."""

    def combine(self, proposals: Proposals, *, source: str = "", dial: float = 0.0) -> Spans:
        """Return the spans of each document, sorted and disjoint.

        The source of a span is `source` and the members behind it: "crf+tbed" for "". `dial`
        above 0 finds more, below 0 less; one that `turns_members` passes it over.
        """

    def record(self) -> dict[str, Any]:
        """Return what an artifact keeps of it as JSON."""

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return what an artifact keeps of it as arrays."""


class Arrayless:
    """A combiner without arrays."""

    __slots__ = ()

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {}


@dataclass(frozen=True, slots=True)
class Votes(Arrayless):
    """Takes what more than half of the members propose; `weights` are the votes of each.

    The score of a span is its share of the votes.
    """

    members: tuple[str, ...]
    labels: tuple[str, ...]
    weights: tuple[float, ...]
    method: str = "majority"

    def __post_init__(self) -> None:
        if len(self.weights) != len(self.members) or min(self.weights) < 0 or not sum(self.weights):
            raise ValueError("each member has a weight of at least 0, and not all are 0")

    turns_members: ClassVar[bool] = False
    asked: ClassVar[Asked] = "spans"

    def combine(self, proposals: Proposals, *, source: str = "", dial: float = 0.0) -> Spans:
        numbers = {name: n for n, name in enumerate(self.labels)}
        candidates = collect_candidates(proposals.found, numbers)
        shares = candidates.proposed @ (np.array(self.weights) / sum(self.weights))
        return choose(
            candidates, shares - 0.5, proposals.documents, dial=dial,
            probabilities=shares, labels=self.labels, members=self.members, source=source,
        )  # fmt: skip

    def record(self) -> dict[str, Any]:
        return {"method": self.method, "weights": list(self.weights)}


def choose(
    candidates: Candidates,
    weights: FloatArray,
    documents: Sequence[Document],
    *,
    dial: float,
    probabilities: FloatArray,
    labels: Sequence[str],
    members: Sequence[str],
    source: str,
) -> Spans:
    """Return the best disjoint set of candidates as spans of the documents."""
    words = count_words(candidates, documents) if dial else None
    rows = select_best(candidates, weights, words=words, dial=dial)
    return to_spans(
        candidates, rows, probabilities, size=len(documents), labels=labels,
        members=members, source=source,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Union(Arrayless):
    """Takes every span of the first member, and of each later one what overlaps none so far.

    Scores are the members' own.
    """

    members: tuple[str, ...]

    turns_members: ClassVar[bool] = True
    asked: ClassVar[Asked] = "spans"

    def combine(self, proposals: Proposals, *, source: str = "", dial: float = 0.0) -> Spans:
        names = [f"{source}{member}" for member in self.members]
        return [
            _in_order([batch[number] for batch in proposals.found], names)
            for number in range(len(proposals.documents))
        ]

    def record(self) -> dict[str, Any]:
        return {"method": "union"}


def _in_order(proposals: Sequence[Sequence[Span]], names: Sequence[str | None]) -> tuple[Span, ...]:
    """Return the spans of the first, and of each later one what is free; None keeps a source."""
    taken: list[Span] = []
    for spans, name in zip(proposals, names, strict=True):
        # Both are sorted and disjoint: one walk along both finds what is free.
        free, position, count = [], 0, len(taken)
        for span in spans:
            while position < count and taken[position].end <= span.start:
                position += 1
            if position == count or span.end <= taken[position].start:
                free.append(span)
        if name is not None:
            free = [
                s if s.source == name else Span(s.start, s.end, s.label, s.score, name)
                for s in free
            ]
        if taken and free:
            free = sorted([*taken, *free], key=attrgetter("start"))
        taken = free or taken
    return tuple(taken)


@dataclass(frozen=True, slots=True)
class Intersection(Arrayless):
    """Takes what all members propose, with the same borders and label.

    The score is the mean of those that members give.
    """

    members: tuple[str, ...]

    turns_members: ClassVar[bool] = True
    asked: ClassVar[Asked] = "spans"

    def combine(self, proposals: Proposals, *, source: str = "", dial: float = 0.0) -> Spans:
        name = source + "+".join(self.members)
        return [
            tuple(_common([batch[number] for batch in proposals.found], name))
            for number in range(len(proposals.documents))
        ]

    def record(self) -> dict[str, Any]:
        return {"method": "intersection"}


def _common(proposals: Sequence[Sequence[Span]], name: str) -> Iterator[Span]:
    others = [{span: span for span in spans} for spans in proposals[1:]]
    for span in proposals[0]:
        twins = [spans.get(span) for spans in others]
        if None not in twins:
            scores = [s.score for s in (span, *twins) if s is not None and s.score is not None]
            score = round(fmean(scores), 6) if scores else None
            yield Span(span.start, span.end, span.label, score, name)


@dataclass(frozen=True, slots=True)
class PerLabel(Arrayless):
    """Takes each label from one member: rules for some, a learned tagger for others.

    This is how the best systems of the 2014 i2b2 task were put together (Yang and Garibaldi
    2015; Liu 2015). `choice` leads from label to member, `precision` says how often that member
    was right about the label; where two labels overlap the larger sum of precisions wins. The
    score of a span is the member's own, or else its precision for the label.
    """

    members: tuple[str, ...]
    choice: Mapping[str, str]
    precision: Mapping[str, float]

    def __post_init__(self) -> None:
        if not set(self.choice.values()) <= set(self.members) or not all(
            0 < self.precision[label] <= 1 for label in self.choice
        ):
            raise ValueError("each label has a member and a precision above 0")

    turns_members: ClassVar[bool] = True
    asked: ClassVar[Asked] = "spans"

    def combine(self, proposals: Proposals, *, source: str = "", dial: float = 0.0) -> Spans:
        kept = [
            [[s for s in spans if self.choice.get(s.label) == member] for spans in batch]
            for member, batch in zip(self.members, proposals.found, strict=True)
        ]
        labels = tuple(sorted(self.choice))
        candidates = collect_candidates(kept, {name: n for n, name in enumerate(labels)})
        sure = np.array([self.precision[label] for label in labels])[candidates.labels]
        given = np.where(candidates.proposed, candidates.scores, np.nan)
        own = np.where(np.isnan(given), -1.0, given).max(axis=1, initial=-1.0)
        return choose(
            candidates, sure, proposals.documents, dial=0.0, labels=labels, members=self.members,
            probabilities=np.where(own >= 0, own, sure), source=source,
        )  # fmt: skip

    def record(self) -> dict[str, Any]:
        return {
            "method": "per-label",
            "choice": dict(self.choice),
            "precision": dict(self.precision),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """Takes what another combiner makes of some members, and what others say where that is silent.

    `members` are all of them; those of `fill` speak in their order, each where the text is still
    free. They are for what the combiner has no say in: patterns of a kind of note that it was not
    fitted to, for example.
    """

    base: Combiner
    members: tuple[str, ...]
    fill: tuple[str, ...]

    @property
    def turns_members(self) -> bool:
        return self.base.turns_members

    @property
    def asked(self) -> Asked:
        return self.base.asked

    def combine(self, proposals: Proposals, *, source: str = "", dial: float = 0.0) -> Spans:
        found, readings = proposals.found, proposals.readings
        rows = [n for n, name in enumerate(self.members) if name not in self.fill]
        some = Proposals(
            proposals.documents,
            [found[row] for row in rows],
            [readings[row] for row in rows] if readings else (),
        )
        combined = self.base.combine(some, source=source, dial=dial)
        said = [found[self.members.index(name)] for name in self.fill]
        names = [None, *(f"{source}{name}" for name in self.fill)]
        return [
            _in_order([spans, *(batch[number] for batch in said)], names)
            for number, spans in enumerate(combined)
        ]

    def record(self) -> dict[str, Any]:
        return {**self.base.record(), "fill": list(self.fill)}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return self.base.arrays()
