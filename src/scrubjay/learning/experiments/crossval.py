"""Cross-validation: each fold is scored by a model of all the others (kind "crossval").

Folds are made of whole patients. The pooled figures count every fold together, the means and
deviations are over the folds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scrubjay.analysis.plots import draw_bars
from scrubjay.corpora.splits import Share
from scrubjay.errors import InputError, counted
from scrubjay.evaluation.tables import Table
from scrubjay.learning.experiments.bench import Bench
from scrubjay.learning.experiments.cells import WHOLE, Cell, CellResult, sum_figures
from scrubjay.learning.experiments.data import ExperimentData, Numbers
from scrubjay.learning.experiments.reading import read_choice, read_whole, require_settings
from scrubjay.learning.experiments.report import HEADER, Report, Row, make_row
from scrubjay.learning.experiments.systems import System

if TYPE_CHECKING:
    from scrubjay.learning.experiments.declaration import Experiment

_KEYS = {"folds", "missing-labels"}


@dataclass(frozen=True, slots=True)
class Crossval:
    """Settings: how many folds, and whether a label that a fold cannot learn is an error.

    Of a label that stands in one group alone, the fold with that group is scored by a model
    without it: "report" says so beside the figures, "error" refuses.
    """

    folds: int = 10
    missing_labels: str = "report"

    def identity(self) -> Mapping[str, Any]:
        """Return the number of folds."""
        return {"folds": self.folds}

    def extent(self) -> Mapping[str, Any]:
        """Return nothing but the seeds grows."""
        return {}

    def run(self, experiment: Experiment, bench: Bench) -> Report:
        """Train every system on all folds but one, for each fold and seed."""
        data = bench.data
        if data.test:
            raise InputError(
                "cross-validation scores the training corpus itself",
                hint="Leave --test out; --dev may give documents to stop by",
            )
        folds = {seed: self._folds(experiment, data, seed) for seed in experiment.seeds}
        notes = [note for seed, parts in folds.items() for note in self._check(data, seed, parts)]
        cells = [
            self._cell(experiment, data, system, seed, parts, fold)
            for system in experiment.systems
            for seed, parts in folds.items()
            for fold in parts
        ]
        found: dict[tuple[str, int], list[CellResult]] = {}
        for result in bench.run(cells):
            found.setdefault((result.cell.system.name, result.cell.seed), []).append(result)
        return self._report(experiment, found, notes)

    def _folds(self, experiment: Experiment, data: ExperimentData, seed: int) -> dict[str, Numbers]:
        shares = [Share(f"fold {n}", Fraction(1, self.folds)) for n in range(1, self.folds + 1)]
        if len(data.train) < self.folds:
            raise InputError(
                f"{counted(len(data.train), 'document')} cannot make {self.folds} folds",
                hint="Ask for fewer folds: --set folds=N",
            )
        return data.split(data.train, shares, seed=seed, grouping=experiment.grouping)

    def _check(
        self, data: ExperimentData, seed: int, folds: Mapping[str, Numbers]
    ) -> Sequence[str]:
        """Return notes on labels that cannot be learned; raises `InputError` without PHI."""
        notes = []
        for fold, scored in folds.items():
            if not data.has_phi(scored):
                raise InputError(
                    f"{fold} of seed {seed} has no PHI: its {len(scored)} documents have no span",
                    hint="Ask for fewer folds, or another seed",
                )
            rest = _without(data, folds, fold)
            if not data.has_phi(rest):
                raise InputError(
                    f"all PHI is in {fold} of seed {seed}: nothing is left to learn from",
                    hint="Ask for more folds, or group by document",
                )
            missing = sorted(data.labels(scored) - data.labels(rest))
            if missing and self.missing_labels == "error":
                raise InputError(
                    f"{fold} of seed {seed} has labels that its training part lacks: "
                    f"{', '.join(missing)}",
                    hint='Ask for fewer folds, or set missing-labels = "report"',
                )
            if missing:
                notes.append(f"Seed {seed}, {fold}: its training part has no {', '.join(missing)}.")
        return notes

    def _cell(
        self,
        experiment: Experiment,
        data: ExperimentData,
        system: System,
        seed: int,
        folds: Mapping[str, Numbers],
        fold: str,
    ) -> Cell:
        rest = _without(data, folds, fold)
        # Nothing is scored on the dev corpus here, so learners may stop by it.
        train, stop = rest, data.dev
        if not data.dev:
            train, stop = experiment.learning_parts(data, system, rest, seed=seed)
        name = f"{system.name}, seed {seed}, {fold}"
        return Cell(name, system, seed, train, {WHOLE: folds[fold]}, stop)

    def _report(
        self,
        experiment: Experiment,
        found: Mapping[tuple[str, int], Sequence[CellResult]],
        notes: Sequence[str],
    ) -> Report:
        pooled: list[Row] = []
        by_fold: list[Row] = []
        for system in experiment.systems:
            seeds = [found[system.name, seed] for seed in experiment.seeds]
            figures = [[result.figures for result in results] for results in seeds]
            pooled.append(
                Row(
                    system.name,
                    experiment.seeds,
                    tuple(map(sum_figures, figures)),
                    tuple(sum(r.seconds["training"] for r in results) for results in seeds),
                    {"folds": self.folds},
                )
            )
            by_fold.append(make_row(system.name, [r for results in seeds for r in results]))
        tables = [
            Table(
                f"{self.folds} folds together", ("system", *HEADER),
                [(row.name, *row.cells()) for row in pooled],
            ),
            Table(
                "Mean and deviation over folds", ("system", *HEADER),
                [(row.name, *row.cells()) for row in by_fold],
            ),
        ]  # fmt: skip
        plot = draw_bars(
            experiment.title,
            {row.name: row.summary("f1").mean or 0.0 for row in by_fold},
            x="strict F1, mean over folds",
            spreads={row.name: row.summary("f1").deviation or 0.0 for row in by_fold},
        )
        grouped = f"Folds are made of whole groups: by {experiment.grouping.by}."
        return Report(
            pooled,
            tables,
            plots={"folds.svg": plot},
            details={"folds": [row.to_json() for row in by_fold]},
            notes=[grouped, *notes],
        )


def _without(data: ExperimentData, folds: Mapping[str, Numbers], fold: str) -> Numbers:
    left_out = frozenset(folds[fold])
    return tuple(number for number in data.train if number not in left_out)


def read_crossval(
    table: Mapping[str, Any], *, systems: Sequence[System], replaced: bool
) -> Crossval:
    """Read the settings of a cross-validation; raises `ConfigError`."""
    require_settings(table, _KEYS, systems, what="a cross-validation")
    return Crossval(
        read_whole(table, "folds", 10, least=2),
        read_choice(table, "missing-labels", ("report", "error")),
    )
