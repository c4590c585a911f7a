"""Two corpora as pairs: labels mapped, documents paired by id, the label set named or guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from scrubjay.document import Document
from scrubjay.errors import LabelError
from scrubjay.evaluation.pairs import Pair, Pairing, Unpaired, naming_document
from scrubjay.intake import require_document
from scrubjay.labels import LabelMap, LabelSet, find_label_set, first_label_set

T = TypeVar("T")

GUESSING_DOCUMENTS = 200
"""How many documents are read before the label set is guessed."""


class Relabelling:
    """Applies a label map to documents and counts the spans that have no counterpart.

    Labels that are the map's target already stay. Without a map documents pass unchanged. What is
    no document raises `InputError`.
    """

    def __init__(self, label_map: LabelMap | None) -> None:
        self._map = label_map
        self._targets = frozenset(label_map.table.values()) if label_map else frozenset()
        self.outside: Counter[str] = Counter()

    def __call__(self, documents: Iterable[Document]) -> Iterable[Document]:
        """Return the documents with their labels mapped, one at a time."""
        checked = map(require_document, documents)
        return checked if self._map is None else map(self._relabel, checked)

    def _relabel(self, document: Document) -> Document:
        assert self._map is not None
        spans = []
        for span in document.spans:
            if span.label in self._map.outside:
                self.outside[span.label] += 1
            elif span.label in self._targets and span.label not in self._map.table:
                spans.append(span)
            else:
                with naming_document(document):
                    spans.append(replace(span, label=self._map.map(span.label)))
        return document.with_spans(spans)


class PairedCorpora:
    """The pairs of two corpora, streamed; iterate it once.

    `label_set` is the one that was named, else the target of the label map, else the first of
    `GUESSED_SETS` that has every label of the first documents (`guessed` is then true), else
    None. `gold_alone`, `predicted_alone`, `unlabelled` and `outside` (the spans of both sides whose
    label the map leaves without counterpart) count up while pairs are read.

    Raises `InputError` where documents do not pair (see `Pairing`), `LabelError` for a label
    that the label map does not have.
    """

    def __init__(
        self,
        gold: Iterable[Document],
        predicted: Iterable[Document],
        *,
        label_set: str | Path | LabelSet | None = None,
        label_map: LabelMap | None = None,
        unpaired: Unpaired = "error",
    ) -> None:
        self._relabel = Relabelling(label_map)
        self._pairing = Pairing(self._relabel(gold), self._relabel(predicted), unpaired)
        self._pairs: Iterator[Pair] = iter(self._pairing)
        self.label_set = named_label_set(label_set, label_map)
        self.guessed = self.label_set is None
        if self.guessed:
            self.label_set, self._pairs = guess_label_set(
                self._pairs, lambda pair: (pair.gold, pair.predicted)
            )

    def __iter__(self) -> Iterator[Pair]:
        return self._pairs

    @property
    def gold_alone(self) -> int:
        """Documents of gold that were skipped for want of a partner."""
        return self._pairing.gold_alone

    @property
    def predicted_alone(self) -> int:
        """Predicted documents that were skipped for want of a partner."""
        return self._pairing.predicted_alone

    @property
    def unlabelled(self) -> int:
        """Predicted spans that were taken away, since they lie in regions nobody labelled."""
        return self._pairing.unlabelled

    @property
    def outside(self) -> dict[str, int]:
        """Label -> spans that were left out, since the label map has no counterpart."""
        return dict(sorted(self._relabel.outside.items()))

    def explain(self, error: LabelError) -> LabelError:
        """Return the error of an unknown label, with what to do where the label set was guessed."""
        return explain_guess(error) if self.guessed else error


def explain_guess(error: LabelError) -> LabelError:
    """Return the error of a label that a guessed set does not know, with what to do about it."""
    return LabelError(
        error.what,
        path=error.path,
        place=error.place,
        hint=f"The label set was guessed from the first {GUESSING_DOCUMENTS} documents; name "
        "it (--label-set) or map the labels (--label-map)",
    )


def named_label_set(
    label_set: str | Path | LabelSet | None, label_map: LabelMap | None = None
) -> LabelSet | None:
    """Return the label set that was named, else the target of the map, else None."""
    if isinstance(label_set, LabelSet):
        return label_set
    if label_set is None and label_map is not None:
        return find_label_set(label_map.target)
    return find_label_set(label_set) if label_set is not None else None


def guess_label_set(
    stream: Iterator[T], documents: Callable[[T], Iterable[Document]]
) -> tuple[LabelSet | None, Iterator[T]]:
    """Return the first of `GUESSED_SETS` that has every label of the first items, or None.

    And the stream, from its beginning. `documents` are those of an item.
    """
    head = list(islice(stream, GUESSING_DOCUMENTS))
    spans = (span for item in head for document in documents(item) for span in document.spans)
    return first_label_set(span.label for span in spans), chain(head, stream)
