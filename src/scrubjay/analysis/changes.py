"""What one system does otherwise than another: which spans, in which documents.

Each change is a place in a document. A gold span that one system hits and the other does not is
`fixed` or `broken`; one that both miss, with different spans in its place, is `wrong otherwise`.
A wrong span that one of them alone predicts is told by the gold span that it overlaps, if that
is among the changes, and is a change of its own if not: `spurious gone` or `spurious new`. So a
document has a change exactly where the two systems predict different spans in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from scrubjay.analysis._samples import Sample, Shown, short_shape, show, span_record
from scrubjay.document import Span
from scrubjay.evaluation.aligned import Aligned
from scrubjay.evaluation.comparison import speller
from scrubjay.evaluation.matching import Item, Items, span_items
from scrubjay.labels import LabelSet

ChangeKind = Literal["fixed", "broken", "wrong otherwise", "spurious gone", "spurious new"]
CHANGE_KINDS: tuple[ChangeKind, ...] = (
    "fixed",
    "broken",
    "wrong otherwise",
    "spurious gone",
    "spurious new",
)
BETTER: frozenset[ChangeKind] = frozenset({"fixed", "spurious gone"})
WORSE: frozenset[ChangeKind] = frozenset({"broken", "spurious new"})

EXAMPLES_OF_KIND = 25
CONTEXT = 40


@dataclass(frozen=True, slots=True)
class Change:
    """One place where two systems differ; `gold` is None for spurious spans.

    `first` and `second` are the spans that each system has there: those that overlap the gold
    span, or the spurious span itself. `shape` tells the form of the gold span, or else of the
    spurious one, without its text.
    """

    document: str
    kind: ChangeKind
    gold: Span | None
    first: tuple[Span, ...]
    second: tuple[Span, ...]
    shape: str = ""

    @property
    def start(self) -> int:
        """Where the gold span begins, or else the spurious one."""
        return self._span.start

    @property
    def end(self) -> int:
        """Where the gold span ends, or else the spurious one."""
        return self._span.end

    @property
    def _span(self) -> Span:
        return self.gold or (*self.first, *self.second)[0]

    def record(self) -> dict[str, Any]:
        """Return the change as JSON values, without any text of its document."""
        return {
            "document": self.document,
            "kind": self.kind,
            "gold": span_record(self.gold) if self.gold is not None else None,
            "first": list(map(span_record, self.first)),
            "second": list(map(span_record, self.second)),
            "shape": self.shape,
        }


@dataclass(frozen=True, slots=True)
class Changes:
    """Every change from one system to another."""

    first: str
    second: str
    documents: int
    changes: tuple[Change, ...] = field(repr=False)
    examples: tuple[Shown[Change], ...] = field(repr=False)

    @property
    def counts(self) -> dict[ChangeKind, int]:
        """The changes of each kind; every kind has a count."""
        found = Counter(change.kind for change in self.changes)
        return {kind: found[kind] for kind in CHANGE_KINDS}

    def by_label(self) -> dict[str, dict[ChangeKind, int]]:
        """Return the changes of each kind by label: of gold, or else of the spurious span."""
        found: dict[str, dict[ChangeKind, int]] = {}
        for change in self.changes:
            row = found.setdefault(change._span.label, dict.fromkeys(CHANGE_KINDS, 0))
            row[change.kind] += 1
        return dict(sorted(found.items()))

    def by_document(self) -> dict[str, dict[ChangeKind, int]]:
        """Return the changes of each kind by document, for those that have any, in their order."""
        found: dict[str, dict[ChangeKind, int]] = {}
        for change in self.changes:
            row = found.setdefault(change.document, dict.fromkeys(CHANGE_KINDS, 0))
            row[change.kind] += 1
        return found

    def document_counts(self) -> dict[str, int]:
        """Return how many documents got better, worse, both, or otherwise wrong, or stayed."""
        kinds = Counter(map(_judge_document, self.by_document().values()))
        changed = sum(kinds.values())
        names = ("better", "worse", "both", "otherwise")
        return {name: kinds[name] for name in names} | {"same": self.documents - changed}

    def record(self) -> dict[str, Any]:
        """Return everything as JSON values; text of documents only in `examples`, if at all."""
        return {
            "first": self.first,
            "second": self.second,
            "counts": dict(self.counts),
            "documents": self.document_counts(),
            "by_label": {label: dict(row) for label, row in self.by_label().items()},
            "by_document": {name: dict(row) for name, row in self.by_document().items()},
            "examples": [one.record() for one in self.examples if one.text],
            "list": [change.record() for change in self.changes],
        }


class ChangeCollector:
    """Takes aligned documents in and yields the changes of pairs of systems.

    `systems` are those of the documents, `pairs` which of them are compared. Labels count under
    the spelling of `label_set`, as in `SystemRows`. Of each kind up to `examples` changes are
    kept to be shown, chosen by a hash of document and offsets, so that they are spread over the
    corpus; text of theirs, with `context` characters to both sides, only where `context` is given.
    """

    def __init__(
        self,
        systems: Sequence[str],
        pairs: Iterable[tuple[str, str]],
        label_set: LabelSet | None = None,
        *,
        examples: int = EXAMPLES_OF_KIND,
        context: int | None = None,
    ) -> None:
        self._places = {system: number for number, system in enumerate(systems)}
        self._spelled = speller(label_set)
        self._context = context
        self._documents = 0
        self._changes: dict[tuple[str, str], list[Change]] = {pair: [] for pair in pairs}
        self._samples: dict[tuple[str, str], dict[ChangeKind, Sample[Shown[Change]]]] = {
            pair: {kind: Sample(examples) for kind in CHANGE_KINDS} for pair in self._changes
        }

    def add(self, aligned: Aligned) -> None:
        """Take in one document."""
        self._documents += 1
        gold = span_items(aligned.gold.spans, self._spelled)
        items = [span_items(one.spans, self._spelled) for one in aligned.predicted]
        for (first, second), changes in self._changes.items():
            one, other = items[self._places[first]], items[self._places[second]]
            if one == other:
                continue
            text = aligned.gold.text
            for change in find_changes(aligned.gold.id, text, gold, one, other):
                changes.append(change)
                make = partial(show, change, text, self._context)
                self._samples[first, second][change.kind].offer(_named(change), make)

    def changes(self) -> tuple[Changes, ...]:
        """Return the changes of each pair so far."""
        return tuple(
            Changes(
                first,
                second,
                self._documents,
                tuple(found),
                tuple(
                    one
                    for sample in self._samples[first, second].values()
                    for one in sorted(sample.examples(), key=_example_place)
                ),
            )
            for (first, second), found in self._changes.items()
        )


def find_changes(
    document: str, text: str, gold: Items, first: Items, second: Items
) -> list[Change]:
    """Return the changes of one document, sorted by where they are.

    Items are `(label, start, end)`. Spans that both systems have, right or wrong, are no change.
    """
    changes: list[Change] = []
    told: list[Item] = []
    # Where nothing that overlaps a gold span differs, the gold span has not changed either.
    moved = first ^ second
    for item in sorted(gold, key=_order):
        if not _overlapping(item, moved):
            continue
        left, right = _overlapping(item, first), _overlapping(item, second)
        kind: ChangeKind
        if item in first:
            if item in second:
                continue
            kind = "broken"
        else:
            kind = "fixed" if item in second else "wrong otherwise"
        told.append(item)
        changes.append(
            Change(document, kind, _span(item), left, right, short_shape(text[item[1] : item[2]]))
        )
    for item in moved - gold:
        if not any(_overlap(item, other) for other in told):
            kind = "spurious gone" if item in first else "spurious new"
            spurious = (_span(item),)
            left, right = (spurious, ()) if item in first else ((), spurious)
            changes.append(
                Change(document, kind, None, left, right, short_shape(text[item[1] : item[2]]))
            )
    return sorted(changes, key=_place)


def _named(change: Change) -> tuple[object, ...]:
    return change.document, change.start, change.end, change._span.label


def _judge_document(row: dict[ChangeKind, int]) -> str:
    better, worse = (any(row[kind] for kind in kinds) for kinds in (BETTER, WORSE))
    if better and worse:
        return "both"
    return "better" if better else "worse" if worse else "otherwise"


def _overlap(one: Item, other: Item) -> bool:
    return one[1] < other[2] and other[1] < one[2]


def _overlapping(item: Item, others: Items) -> tuple[Span, ...]:
    return tuple(sorted(_span(other) for other in others if _overlap(item, other)))


def _span(item: Item) -> Span:
    label, start, end = item
    return Span(start, end, label)


def _order(item: Item) -> tuple[int, int, str]:
    label, start, end = item
    return start, end, label


def _place(change: Change) -> tuple[int, int, str, str]:
    return change.start, change.end, change.kind, change._span.label


def _example_place(example: Shown[Change]) -> tuple[str, tuple[int, int, str, str]]:
    return example.found.document, _place(example.found)
