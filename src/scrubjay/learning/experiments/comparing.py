"""Systems side by side on one test corpus, each against a reference (kind "compare").

Zhao 2020, Tables 4, 5 and 6; He 2015, Table 5 and Figures 2 and 3; Jiang 2017, Tables 4 and 5
and Figures 4, 5 and 6; Trienes 2020, Tables 5 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scrubjay.analysis.plots import draw_bars
from scrubjay.errors import ConfigError
from scrubjay.evaluation.counts import show_ratio
from scrubjay.evaluation.intervals import FloatArray
from scrubjay.evaluation.significance import Comparison, Difference, compare_systems
from scrubjay.evaluation.tables import Table
from scrubjay.learning.experiments.bench import Bench
from scrubjay.learning.experiments.cells import WHOLE, Cell, CellResult
from scrubjay.learning.experiments.data import Numbers
from scrubjay.learning.experiments.reading import (
    read_list,
    read_text,
    read_truth,
    read_whole,
    require_settings,
)
from scrubjay.learning.experiments.report import HEADER, Report, Row, make_row
from scrubjay.learning.experiments.systems import System

if TYPE_CHECKING:
    from scrubjay.learning.experiments.declaration import Experiment

_KEYS = {"reference", "shuffles", "evaluations", "by-label"}


@dataclass(frozen=True, slots=True)
class Comparing:
    """Settings: `reference` is the system that all others are tested against, "" for none.

    `shuffles` are those of each test, `evaluations` the figures of the i2b2 scorer that get a
    table of their own, and `by_label` asks for one of every label.
    """

    reference: str = ""
    shuffles: int = 9_999
    evaluations: tuple[str, ...] = ()
    by_label: bool = False

    def identity(self) -> Mapping[str, Any]:
        """Return nothing: reports are made anew from the cells."""
        return {}

    def extent(self) -> Mapping[str, Any]:
        """Return what the report shows: a test, shuffles and tables may be added to it."""
        return {
            "reference": self.reference,
            "shuffles": self.shuffles,
            "evaluations": list(self.evaluations),
            "by-label": self.by_label,
        }

    def run(self, experiment: Experiment, bench: Bench) -> Report:
        """Train each system with each seed, score all on the same documents."""
        scored = bench.data.require_scored()
        results = run_systems(experiment, bench, scored)
        rows = [make_row(system.name, results[system.name]) for system in experiment.systems]
        tests = self._tests(experiment.seeds[0], bench, results, scored)
        tables = [self._main_table(rows, tests)]
        if self.evaluations:
            tables.append(self._evaluation_table(rows))
        if self.by_label:
            tables.append(_label_table(rows))
        means = {row.name: row.summary("f1").mean for row in rows}
        spreads = {row.name: row.summary("f1").deviation for row in rows}
        plot = draw_bars(
            experiment.title,
            {name: value for name, value in means.items() if value is not None},
            x="strict F1",
            spreads={name: value for name, value in spreads.items() if value is not None},
        )
        return Report(
            rows,
            tables,
            plots={"f1.svg": plot},
            details={"reference": self.reference, "significance": _tests_json(tests)},
            notes=self._notes(tests),
        )

    def _tests(
        self,
        seed: int,
        bench: Bench,
        results: Mapping[str, Sequence[CellResult]],
        scored: Numbers,
    ) -> dict[str, Comparison]:
        """Return the test of the reference against each other system."""
        if not self.reference or not self.shuffles:
            return {}
        rows = {name: mean_rows(bench, found, scored) for name, found in results.items()}
        return {
            name: compare_systems(rows[self.reference], other, shuffles=self.shuffles, seed=seed)
            for name, other in rows.items()
            if name != self.reference
        }

    def _main_table(self, rows: Sequence[Row], tests: Mapping[str, Comparison]) -> Table:
        header: tuple[str, ...] = ("system", *HEADER)
        lines: list[tuple[str, ...]] = []
        for row in rows:
            line = (row.name, *row.cells())
            if tests:
                test = tests.get(row.name)
                line = (*line, *(_against(test["f1"]) if test else ("-", "-")))
            lines.append(line)
        if tests:
            header = (*header, "change", "p")
        return Table("Systems", header, lines)

    def _evaluation_table(self, rows: Sequence[Row]) -> Table:
        measures = ("precision", "recall", "f1")
        lines = [
            (row.name, name, *(str(row.evaluation(name, measure)) for measure in measures))
            for row in rows
            for name in self.evaluations
        ]
        header = ("system", "evaluation", *measures)
        return Table("By evaluation", header, lines, text_columns=2)

    def _notes(self, tests: Mapping[str, Comparison]) -> list[str]:
        if not tests:
            return []
        return [
            f"p: two-sided approximate randomization of strict F1 against {self.reference}, "
            f"{self.shuffles} shuffles, paired by document; systems with several seeds by their "
            "mean counts on each document. Not corrected for the number of comparisons."
        ]


def run_systems(
    experiment: Experiment, bench: Bench, scored: Numbers
) -> dict[str, list[CellResult]]:
    """Train every system on the training corpus, with each seed that matters to it."""
    data = bench.data
    cells: list[Cell] = []
    for system in experiment.systems:
        for seed in experiment.seeds_of(system):
            train, stop = experiment.learning_parts(data, system, data.train, seed=seed)
            name = f"{system.name}, seed {seed}"
            cells.append(Cell(name, system, seed, train, {WHOLE: scored}, stop))
    found: dict[str, list[CellResult]] = {system.name: [] for system in experiment.systems}
    for result in bench.run(cells):
        found[result.cell.system.name].append(result)
    return found


def mean_rows(bench: Bench, results: Sequence[CellResult], numbers: Numbers) -> FloatArray:
    """Return the strict counts on each document, the mean over the trainings of a system."""
    total = np.sum([bench.strict_rows(result, numbers) for result in results], axis=0)
    mean: FloatArray = total / len(results)
    return mean


def _against(difference: Difference) -> tuple[str, str]:
    """Return how a system differs from the reference, which is the first of the two, and p."""
    return f"{-difference.difference:+.4f}", f"{difference.p:.4f}"


def _label_table(rows: Sequence[Row]) -> Table:
    labels = sorted({label for row in rows for one in row.figures for label in one.labels})
    records = [row.to_json()["labels-f1"] for row in rows]
    lines = [(label, *(show_ratio(record.get(label)) for record in records)) for label in labels]
    return Table("Strict F1 by label", ("label", *(row.name for row in rows)), lines)


def _tests_json(tests: Mapping[str, Comparison]) -> dict[str, Any]:
    return {
        name: {
            difference.figure: {"difference": difference.difference, "p": difference.p}
            for difference in test.differences
        }
        for name, test in tests.items()
    }


def read_comparing(
    table: Mapping[str, Any], *, systems: Sequence[System], replaced: bool
) -> Comparing:
    """Read the settings of a comparison; raises `ConfigError`."""
    require_settings(table, _KEYS, systems, what="a comparison")
    reference = read_text(table, "reference", "")
    if reference and reference not in {system.name for system in systems}:
        if not replaced:
            raise ConfigError(
                f"the reference {reference!r} is none of the systems",
                hint=f"There are: {', '.join(system.name for system in systems)}",
            )
        reference = systems[0].name if len(systems) > 1 else ""
    return Comparing(
        reference,
        read_whole(table, "shuffles", 9_999, least=0),
        tuple(read_list(table, "evaluations", [], kind=str)),
        read_truth(table, "by-label", False),
    )
