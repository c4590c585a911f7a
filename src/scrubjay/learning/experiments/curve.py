"""Learning curves: figures over the share of the training data (kind "learning-curve").

Trienes 2020, Figure 2. Each share holds the smaller ones of its seed, so that a curve shows what
more documents bring, not other ones.
"""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrubjay.analysis.plots import Point, draw_lines
from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.tables import Table
from scrubjay.learning.experiments.bench import Bench
from scrubjay.learning.experiments.cells import WHOLE, Cell, CellResult
from scrubjay.learning.experiments.data import ExperimentData, Grouping, Numbers
from scrubjay.learning.experiments.reading import read_list, require_settings
from scrubjay.learning.experiments.report import HEADER, Report, Row, make_row
from scrubjay.learning.experiments.systems import System

if TYPE_CHECKING:
    from scrubjay.learning.experiments.declaration import Experiment

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Curve:
    """Settings: the shares of the training documents, growing."""

    shares: tuple[float, ...] = SHARES

    def identity(self) -> Mapping[str, object]:
        """Return nothing: the share is part of each cell."""
        return {}

    def extent(self) -> Mapping[str, object]:
        """Return the shares: more of them may be added."""
        return {"shares": list(self.shares)}

    def run(self, experiment: Experiment, bench: Bench) -> Report:
        """Train every system on every share, with every seed's own choice of documents."""
        data = bench.data
        scored = data.require_scored()
        orders = {
            seed: ordered_groups(data, experiment.grouping, seed) for seed in experiment.seeds
        }
        cells: dict[tuple[str, float], list[Cell]] = {}
        for system in experiment.systems:
            for share in self.shares:
                for seed in experiment.seeds_of(system) if share == 1 else experiment.seeds:
                    chosen = _first(orders[seed], share, data)
                    train, stop = _parts(experiment, data, system, chosen, seed, share)
                    name = f"{system.name}, share {share:g}, seed {seed}"
                    cell = Cell(name, system, seed, train, {WHOLE: scored}, stop)
                    cells.setdefault((system.name, share), []).append(cell)
                    if system.table is None:
                        break  # patterns do not learn: one answer for all shares and seeds
                if system.table is None:
                    break
        results = iter(bench.run([cell for row in cells.values() for cell in row]))
        rows = [
            _row(system, share, [next(results) for _ in group], data)
            for (system, share), group in cells.items()
        ]
        return self._report(experiment, rows, data)

    def _report(self, experiment: Experiment, rows: Sequence[Row], data: ExperimentData) -> Report:
        lines: dict[str, list[Point]] = {}
        for row in rows:
            mean = row.summary("f1").mean
            if mean is not None:
                point = (float(row.facts["documents-train"]), mean)
                lines.setdefault(str(row.facts["system"]), []).append(point)
        for name, line in lines.items():
            if len(line) == 1:  # what does not learn is a level line
                lines[name] = [(1.0, line[0][1]), (float(len(data.train)), line[0][1])]
        table = Table(
            "Shares of the training data",
            ("system", "share", "documents", *HEADER),
            [
                (
                    str(row.facts["system"]),
                    f"{row.facts['share']:g}",
                    f"{row.facts['documents-train']:g}",
                    *row.cells(),
                )
                for row in rows
            ],
        )
        plot = draw_lines(experiment.title, lines, x="training documents", y="strict F1")
        return Report(rows, [table], plots={"curve.svg": plot} if lines else {})


def ordered_groups(data: ExperimentData, grouping: Grouping, seed: int) -> list[Numbers]:
    """Return the groups of the training documents, in an order that the seed decides."""
    find = grouping.finder()
    groups: dict[str, list[int]] = {}
    for number in data.train:
        groups.setdefault(find(data.documents[number]), []).append(number)

    def place(name: str) -> bytes:
        return hashlib.sha256(f"{seed}:{name}".encode("utf-8", "surrogatepass")).digest()

    return [tuple(groups[name]) for name in sorted(groups, key=lambda name: (place(name), name))]


def _first(groups: Sequence[Numbers], share: float, data: ExperimentData) -> Numbers:
    """Return the documents of the first groups that reach the share, in the corpus's order."""
    wanted = share * len(data.train)
    chosen: list[int] = []
    for group in groups:
        if len(chosen) >= wanted - 1e-9:
            break
        chosen += group
    if not data.has_phi(chosen):
        raise InputError(
            f"the share {share:g} of the training data, {len(chosen)} documents, has no PHI",
            hint="Begin with a greater share: --set shares=[0.5,1.0]",
        )
    return tuple(sorted(chosen))


def _parts(
    experiment: Experiment,
    data: ExperimentData,
    system: System,
    chosen: Numbers,
    seed: int,
    share: float,
) -> tuple[Numbers, Numbers]:
    """Return `Experiment.learning_parts`; errors name the share that is too small."""
    try:
        return experiment.learning_parts(data, system, chosen, seed=seed)
    except InputError as error:
        raise InputError(
            f"the share {share:g} of the training data: {error.what}",
            hint="Begin with a greater share: --set shares=[0.5,1.0]; or let networks train for "
            "all their epochs: --set held-out=0",
        ) from None


def _row(system: str, share: float, results: Sequence[CellResult], data: ExperimentData) -> Row:
    sizes = [len(result.cell.train) + len(result.cell.stop) for result in results]
    held_out = set(results[0].cell.stop) <= set(data.train)
    if not held_out:
        sizes = [len(result.cell.train) for result in results]
    facts: dict[str, Any] = {"documents-train": statistics.fmean(sizes)}
    return make_row(f"{system}, share {share:g}", results, system=system, share=share, **facts)


def read_curve(table: Mapping[str, object], *, systems: Sequence[System], replaced: bool) -> Curve:
    """Read the settings of a learning curve; raises `ConfigError`."""
    require_settings(table, {"shares"}, systems, what="a learning curve")
    shares = read_list(table, "shares", list(SHARES), kind=float)
    if not shares or sorted(set(shares)) != shares or not 0 < shares[0] <= shares[-1] <= 1:
        raise ConfigError("shares must grow, above 0 and up to 1")
    return Curve(tuple(shares))
