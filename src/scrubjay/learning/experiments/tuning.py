"""Searching settings by their figures on development data (kind "tune").

"random": trials drawn from a space (Trienes 2020, section 4.2: 250 trials of both norms between
10^-4 and 10 in log space). "grid": every point. "forward": parts are added in turn, and a part
that makes the figure worse is left out again (Jiang 2017, section 4: n trainings for n parts).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scrubjay.analysis.plots import draw_lines
from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.tables import Table
from scrubjay.features.templates import require_known
from scrubjay.learning.experiments.bench import Bench
from scrubjay.learning.experiments.cells import WHOLE, Cell
from scrubjay.learning.experiments.data import Numbers
from scrubjay.learning.experiments.reading import read_choice, read_list, read_text, read_whole
from scrubjay.learning.experiments.report import HEADER, MEASURES, Report, Row, make_row
from scrubjay.learning.experiments.settings import drop_values, names_at, set_values
from scrubjay.learning.experiments.spaces import Dimension, draw_trials, grid_trials, read_space
from scrubjay.learning.experiments.systems import System
from scrubjay.learning.experiments.toml import write_toml

if TYPE_CHECKING:
    from scrubjay.learning.experiments.declaration import Experiment

SEARCHES = ("random", "grid", "forward")
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Tuning:
    """Settings: how to search, how many random trials, the space, and the figure to raise.

    A forward search adds the `parts` of the table at the path `over`, in their order there
    unless another is given.
    """

    search: str = "random"
    trials: int = 250
    space: tuple[Dimension, ...] = ()
    measure: str = "f1"
    over: str = "features.groups"
    parts: tuple[str, ...] = ()

    def identity(self) -> Mapping[str, Any]:
        """Return how is searched and what for."""
        space = {
            one.path: [list(one.values), one.low, one.high, one.scale, one.steps, one.whole]
            for one in self.space
        }
        return {
            "search": self.search,
            "measure": self.measure,
            "space": space,
            "over": self.over if self.search == "forward" else "",
            "parts": list(self.parts),
        }

    def extent(self) -> Mapping[str, Any]:
        """Return the number of trials: more may be added."""
        return {"trials": self.trials}

    def settings(self, *, seed: int) -> Iterator[dict[str, Any]]:
        """Yield the settings of each trial of a random search or of one over a grid."""
        if self.search == "grid":
            return grid_trials(self.space)
        return draw_trials(self.space, self.trials, seed=seed)

    def run(self, experiment: Experiment, bench: Bench) -> Report:
        """Run the search on dev; where there is a test corpus, score the best there once."""
        data = bench.data
        chosen_on = data.dev or data.require_scored()
        if not data.has_phi(chosen_on):
            raise InputError("the dev corpus has no PHI to choose settings by")
        (system,) = experiment.systems
        search = _Search(self, experiment, bench, system, chosen_on)
        if self.search == "forward":
            rows, best, best_row = search.forward()
        else:
            rows, best, best_row = search.trials()
        tables = [self._table(rows)]
        final: list[Row] = []
        if data.test:
            (result,) = bench.run([search.cell(best, f"{system.name}, best", data.test)])
            final = [make_row("best, on the test corpus", [result])]
            lines = [(row.name, *row.cells()) for row in final]
            tables.append(Table("The best on the test corpus", ("system", *HEADER), lines))
        assert best.table is not None
        return Report(
            [*rows, *final],
            tables,
            plots={"search.svg": self._plot(experiment.title, rows)},
            files={"best.toml": write_toml(best.table)},
            details={"best": dict(best_row.facts)},
            notes=[
                f"Chosen by {self.measure} on {len(chosen_on)} documents; "
                "the figures there are those of the choice and a little kind.",
                "best.toml is the best configuration: scrubjay train --config best.toml",
            ],
        )

    def _table(self, rows: Sequence[Row]) -> Table:
        if self.search == "forward":
            lines = [
                (str(row.facts["added"]), "kept" if row.facts["kept"] else "left out", *row.cells())
                for row in rows
            ]
            return Table("Parts in turn", ("part", "", *HEADER), lines, text_columns=2)
        ordered = sorted(rows, key=lambda row: _value(row, self.measure), reverse=True)[:_SHOWN]
        paths = [dimension.path for dimension in self.space]
        lines = [
            (row.name, *(str(row.facts["settings"][path]) for path in paths), *row.cells())
            for row in ordered
        ]
        title = f"The best {len(ordered)} of {len(rows)} trials"
        return Table(title, ("trial", *paths, *HEADER), lines)

    def _plot(self, title: str, rows: Sequence[Row]) -> str:
        values = [_value(row, self.measure) for row in rows]
        best = [max(values[: n + 1]) for n in range(len(values))]
        lines = {
            "trial": [(float(n), value) for n, value in enumerate(values, start=1)],
            "best so far": [(float(n), value) for n, value in enumerate(best, start=1)],
        }
        return draw_lines(title, lines, x="trial", y=self.measure)


@dataclass(frozen=True, slots=True)
class _Search:
    """One search: the system whose settings are searched, and where it is scored."""

    plan: Tuning
    experiment: Experiment
    bench: Bench
    system: System
    scored: Numbers

    def cell(self, system: System, name: str, scored: Numbers) -> Cell:
        """Return the cell of a system with the settings of a trial."""
        data, seed = self.bench.data, self.experiment.seeds[0]
        train, stop = self.experiment.learning_parts(data, system, data.train, seed=seed)
        # Dev is scored here, so nothing may stop by it either, test corpus or not.
        stop = tuple(number for number in stop if number not in frozenset(scored))
        return Cell(name, system, seed, train, {WHOLE: scored}, stop)

    def trials(self) -> tuple[list[Row], System, Row]:
        """Run every trial; return their rows, the best system and its row, the first of equals."""
        plan = self.plan
        settings = list(plan.settings(seed=self.experiment.seeds[0]))
        systems = [self._changed(values) for values in settings]
        cells = [
            self.cell(system, f"trial {number}", self.scored)
            for number, system in enumerate(systems, start=1)
        ]
        rows = [
            make_row(result.cell.name, [result], settings=values)
            for result, values in zip(self.bench.run(cells), settings, strict=True)
        ]
        best = max(rows, key=lambda row: _value(row, plan.measure))
        return rows, systems[rows.index(best)], best

    def forward(self) -> tuple[list[Row], System, Row]:
        """Add parts in turn, keep those that do no harm; return as `trials` does."""
        assert self.system.table is not None
        plan = self.plan
        known = names_at(self.system.table, plan.over)
        order = plan.parts or known
        if sorted(order) != sorted(known):
            raise ConfigError(f"parts must be all of {plan.over}: {', '.join(known)}")
        kept: list[str] = []
        rows: list[Row] = []
        best, best_value, best_row = self.system, -1.0, -1
        for part in order:
            trial = [*kept, part]
            system = self._only(trial)
            (result,) = self.bench.run([self.cell(system, f"with {', '.join(trial)}", self.scored)])
            row = make_row(result.cell.name, [result])
            keep = _value(row, plan.measure) >= best_value
            rows.append(replace(row, facts={"added": part, "kept": keep, "parts": list(trial)}))
            if keep:
                kept, best, best_value = trial, system, _value(row, plan.measure)
                best_row = len(rows) - 1
        return rows, best, rows[best_row]

    def _changed(self, values: Mapping[str, Any]) -> System:
        assert self.system.table is not None
        changed = replace(self.system, table=set_values(self.system.table, values))
        changed.config()
        return changed

    def _only(self, parts: Sequence[str]) -> System:
        assert self.system.table is not None
        over = self.plan.over
        rest = [name for name in names_at(self.system.table, over) if name not in parts]
        table = drop_values(self.system.table, [f"{over}.{name}" for name in rest])
        return replace(self.system, table=table)


def _value(row: Row, measure: str) -> float:
    mean = row.summary(measure).mean
    return -1.0 if mean is None else mean


_KEYS = {"search", "trials", "space", "measure", "over", "parts"}


def read_tuning(table: Mapping[str, Any], *, systems: Sequence[System], replaced: bool) -> Tuning:
    """Read the settings of a search; raises `ConfigError`."""
    require_known(table, _KEYS, where="a search")
    if len(systems) != 1 or systems[0].table is None:
        raise ConfigError(
            "a search needs one system that learns", hint="Give one of [[systems]], or --config"
        )
    search = read_choice(table, "search", SEARCHES)
    plan = Tuning(
        search=search,
        trials=read_whole(table, "trials", 250, least=1),
        space=() if search == "forward" else read_space(table.get("space", {})),
        measure=read_choice(table, "measure", ("f1", *MEASURES)),
        over=read_text(table, "over", "features.groups"),
        parts=tuple(read_list(table, "parts", [], kind=str)),
    )
    base = systems[0].table
    if search == "forward":
        names_at(base, plan.over)
    else:  # one trial that cannot be a configuration tells of all of them
        first = next(plan.settings(seed=0))
        replace(systems[0], table=set_values(base, first)).config()
    return plan
