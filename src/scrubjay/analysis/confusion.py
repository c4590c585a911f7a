"""Which label was taken for which: confusion over all labels, with missing and spurious margins.

The tables are those of He et al. 2015 (Tables 7 and 8) and Jiang et al. 2017 (Table A.1, and
Figure 7 in percent): rows are gold labels, columns predicted ones, and the cells count spans whose
borders are right. Predicted spans with other borders stand in the margins `short`, `long` and
`short-and-long` under their own label; gold spans that were found with other borders are in no
cell, nor in the total of their row, as in the papers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrubjay.analysis.judging import EXTENTS, Extent, Judgements, Kind

Cell = tuple[str, str]
"""A gold label and a predicted label."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of judged spans by label.

    `cells` counts predicted spans with the borders of a gold span, by the labels of both;
    `extents` those with other borders, by the label of the gold span that they are compared with,
    their own, and the way in which they differ. `spurious` counts predicted spans by label, `gold`
    gold spans by label and kind. Where no two spans of one side have the same borders, a row of
    cells sums to the correct and type kinds of its gold label.
    """

    labels: tuple[str, ...]
    cells: Mapping[Cell, int]
    extents: Mapping[tuple[str, str, Extent], int]
    spurious: Mapping[str, int]
    gold: Mapping[tuple[str, Kind], int]

    def missing(self, label: str) -> int:
        """Gold spans of that label that no predicted span overlaps."""
        return self.gold.get((label, "missing"), 0)

    def touched(self, label: str) -> int:
        """Gold spans of that label that were found with other borders alone."""
        return self.gold.get((label, "extent"), 0)

    def gold_total(self, label: str) -> int:
        """All gold spans of that label."""
        kinds: tuple[Kind, ...] = ("correct", "type", "extent", "missing")
        return sum(self.gold.get((label, kind), 0) for kind in kinds)

    def row_total(self, label: str) -> int:
        """The papers' total of a row: its cells and its missing spans."""
        return self.row_cells(label) + self.missing(label)

    def row_cells(self, label: str) -> int:
        """Spans found with the right borders, of that gold label."""
        return sum(self.cells.get((label, column), 0) for column in self.labels)

    def column_cells(self, label: str) -> int:
        """Predicted spans of that label with the borders of a gold span."""
        return sum(self.cells.get((row, label), 0) for row in self.labels)

    def extent_total(self, label: str, extent: Extent | None = None) -> int:
        """Predicted spans of that label with other borders: in one of the ways, or in any."""
        wanted = EXTENTS if extent is None else (extent,)
        return sum(self.extents.get((row, label, one), 0) for row in self.labels for one in wanted)

    def system_total(self, label: str) -> int:
        """All predicted spans of that label."""
        margins = self.spurious.get(label, 0) + self.extent_total(label)
        return self.column_cells(label) + margins

    def row_percent(self, label: str, count: int) -> float | None:
        """Return a count of a row in percent of the papers' row total; None where that is 0."""
        return percent(count, self.row_total(label))

    def column_percent(self, label: str, count: int) -> float | None:
        """Return a count of a column in percent of all predicted spans of its label.

        So Jiang's Figure 7 counts. He's Table 7 leaves extent errors out of the whole: see
        `spurious_percent`.
        """
        return percent(count, self.system_total(label))

    def spurious_percent(self, label: str) -> float | None:
        """Return the spurious spans in percent of cells and spurious spans (He, Table 7)."""
        count = self.spurious.get(label, 0)
        return percent(count, count + self.column_cells(label))

    def type_errors(self) -> tuple[tuple[Cell, int], ...]:
        """Return the cells off the diagonal that are not empty, the largest first."""
        wrong = [(cell, count) for cell, count in self.cells.items() if cell[0] != cell[1]]
        order = {label: number for number, label in enumerate(self.labels)}
        return tuple(sorted(wrong, key=lambda one: (-one[1], order[one[0][0]], order[one[0][1]])))

    def error_counts(self) -> dict[Kind, int]:
        """Return the errors of each kind (He, Table 6).

        Type, extent and spurious errors are predicted spans, missing errors gold spans.
        """
        return {
            "type": sum(count for _, count in self.type_errors()),
            "extent": sum(self.extents.values()),
            "missing": sum(map(self.missing, self.labels)),
            "spurious": sum(self.spurious.values()),
        }

    def record(self) -> dict[str, Any]:
        """Return counts and percentages as JSON values, in the order of `labels`."""
        labels = self.labels
        matrix = [[self.cells.get((row, column), 0) for column in labels] for row in labels]
        return {
            "labels": list(labels),
            "cells": matrix,
            "row_percent": [
                [self.row_percent(label, count) for count in row]
                for label, row in zip(labels, matrix, strict=True)
            ],
            "column_percent": [
                [
                    self.column_percent(label, count)
                    for label, count in zip(labels, row, strict=True)
                ]
                for row in matrix
            ],
            "gold": [self._gold_margin(label) for label in labels],
            "predicted": [self._predicted_margin(label) for label in labels],
            "extents": [
                {"gold": row, "predicted": column, "extent": extent, "count": count}
                for (row, column, extent), count in sorted(self.extents.items())
            ],
        }

    def _gold_margin(self, label: str) -> dict[str, Any]:
        missing = self.missing(label)
        return {
            "label": label,
            "total": self.gold_total(label),
            "correct": self.gold.get((label, "correct"), 0),
            "type": self.gold.get((label, "type"), 0),
            "other_borders": self.touched(label),
            "missing": missing,
            "row_total": self.row_total(label),
            "missing_percent_of_row": self.row_percent(label, missing),
            "missing_percent_of_gold": percent(missing, self.gold_total(label)),
        }

    def _predicted_margin(self, label: str) -> dict[str, Any]:
        extents = {extent: self.extent_total(label, extent) for extent in EXTENTS}
        spurious = self.spurious.get(label, 0)
        return {
            "label": label,
            "total": self.system_total(label),
            "cells": self.column_cells(label),
            "spurious": spurious,
            "spurious_percent_of_column": self.spurious_percent(label),
            "spurious_percent_of_predicted": self.column_percent(label, spurious),
            **{name.replace("-", "_"): count for name, count in extents.items()},
            "extent_percent_of_predicted": self.column_percent(label, sum(extents.values())),
        }


class ConfusionCounter:
    """Takes judgements in, document by document, and yields their `Confusion`."""

    def __init__(self) -> None:
        self._cells: Counter[Cell] = Counter()
        self._extents: Counter[tuple[str, str, Extent]] = Counter()
        self._spurious: Counter[str] = Counter()
        self._gold: Counter[tuple[str, Kind]] = Counter()

    def add(self, judgements: Judgements) -> None:
        """Take in the judgements of one document."""
        for one in judgements.gold:
            self._gold[one.span.label, one.kind] += 1
        for one in judgements.predicted:
            if one.partner is None:
                self._spurious[one.span.label] += 1
            elif one.extent is not None:
                self._extents[one.partner.label, one.span.label, one.extent] += 1
            else:
                self._cells[one.partner.label, one.span.label] += 1

    def confusion(self, order: Sequence[str] | None = None) -> Confusion:
        """Return the counts so far; labels that occurred stand in that order, else sorted."""
        found = self._labels()
        labels = sorted(found) if order is None else [name for name in order if name in found]
        assert len(labels) == len(found), "the order must have every label"
        return Confusion(
            labels=tuple(labels),
            cells=dict(self._cells),
            extents=dict(self._extents),
            spurious=dict(self._spurious),
            gold=dict(self._gold),
        )

    def _labels(self) -> set[str]:
        pairs: Iterable[Cell] = [*self._cells, *((row, column) for row, column, _ in self._extents)]
        paired = {label for pair in pairs for label in pair}
        return paired | set(self._spurious) | {label for label, _ in self._gold}


def percent(count: int, whole: int) -> float | None:
    """Return a count in percent of a whole; None where the whole is 0."""
    return 100.0 * count / whole if whole else None
