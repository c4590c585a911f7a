"""Strict figures label by label, as in He et al. 2015 (Table 4) and Jiang et al. 2017 (Table 5)."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.matching import match_exact, span_items
from scrubjay.evaluation.pairs import Pair
from scrubjay.labels import LabelSet


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One line of the table: a label, or a main category as a whole (`label` is None).

    Gold is `counts.gold`, system `counts.predicted`, agree `counts.tp`.
    """

    category: str
    label: str | None
    counts: Counts


class PerLabelScorer:
    """Takes pairs in and yields the strict counts of each label.

    A span is right where label, start and end are those of a gold span; duplicates count once.
    Labels count under the spelling of `label_set`, without regard to case; one that it does not
    know raises `LabelError`. Without a set every label is its own category.
    """

    def __init__(self, label_set: LabelSet | None = None) -> None:
        self._label_set = label_set
        self._counts: dict[str, Counts] = {}

    def add(self, pair: Pair) -> None:
        """Take in one pair."""
        spelled = self._label_set.spelled if self._label_set is not None else str
        gold = span_items(pair.gold.spans, spelled)
        predicted = span_items(pair.predicted.spans, spelled)
        for label, (tp, fp, fn) in match_exact(gold, predicted).items():
            self._counts[label] = self._counts.get(label, Counts()) + Counts(tp, fp, fn)

    def rows(self) -> tuple[LabelRow, ...]:
        """Return the labels that occurred, by main category in the order of the label set.

        A category with more than one label ends with a row for the whole of it.
        """
        rows: list[LabelRow] = []
        for category, labels in self._by_category().items():
            rows += [LabelRow(category, label, self._counts[label]) for label in labels]
            if len(labels) > 1:
                whole = sum((self._counts[label] for label in labels), Counts())
                rows.append(LabelRow(category, None, whole))
        return tuple(rows)

    def _by_category(self) -> dict[str, list[str]]:
        if self._label_set is None:
            return {label: [label] for label in sorted(self._counts)}
        order = {label: number for number, label in enumerate(self._label_set.labels)}
        groups: dict[str, list[str]] = {name: [] for name in self._label_set.main_categories}
        for label in self._counts:
            groups[self._label_set.category(label)].append(label)
        return {
            category: sorted(labels, key=order.__getitem__)
            for category, labels in groups.items()
            if labels
        }
