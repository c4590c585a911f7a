"""Transfer: trained on each domain, scored on each (kind "cross-domain").

Trienes 2020, Tables 8 and 9. Where there is a corpus to score on, each domain's part of it is
scored; otherwise a share of each domain is set aside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.analysis.plots import draw_bars
from scrubjay.corpora.splits import parse_parts
from scrubjay.errors import InputError
from scrubjay.evaluation.tables import Table
from scrubjay.learning.experiments.bench import Bench
from scrubjay.learning.experiments.cells import Cell, CellResult
from scrubjay.learning.experiments.data import ExperimentData, Numbers
from scrubjay.learning.experiments.domains import find_domains
from scrubjay.learning.experiments.reading import (
    read_share,
    read_text,
    read_truth,
    require_settings,
)
from scrubjay.learning.experiments.report import HEADER, Report, Row, make_row
from scrubjay.learning.experiments.systems import System

if TYPE_CHECKING:
    from scrubjay.learning.experiments.declaration import Experiment

ALL = "all domains"


@dataclass(frozen=True, slots=True)
class Domains:
    """The documents of each domain: to learn from, and to be scored on."""

    train: Mapping[str, Numbers]
    scored: Mapping[str, Numbers]


@dataclass(frozen=True, slots=True)
class Transfer:
    """Settings: what tells a document's domain (`find_domains`), the share that is set aside in
    each domain where no other corpus is scored, and whether a model of all domains is trained too.
    """

    domains: str = "folder"
    test_share: float = 0.2
    together: bool = True

    def identity(self) -> Mapping[str, Any]:
        """Return the settings but for the file of the domains: cells know their documents."""
        return {"test-share": self.test_share, "together": self.together}

    def extent(self) -> Mapping[str, Any]:
        """Return nothing but the seeds grows."""
        return {}

    def run(self, experiment: Experiment, bench: Bench) -> Report:
        """Train every system on every domain and score it on all of them."""
        data = bench.data
        named = find_domains(self.domains, data)
        splits = {seed: self._split(experiment, data, named, seed) for seed in experiment.seeds}
        cells: dict[tuple[str, str], list[Cell]] = {}
        for system in experiment.systems:
            seeds = experiment.seeds if not data.scored else experiment.seeds_of(system)
            for seed in seeds:
                for source, chosen in splits[seed].train.items():
                    train, stop = experiment.learning_parts(data, system, chosen, seed=seed)
                    name = f"{system.name}, {source}, seed {seed}"
                    cell = Cell(name, system, seed, train, splits[seed].scored, stop)
                    cells.setdefault((system.name, source), []).append(cell)
                    if system.table is None:
                        break
        results = iter(bench.run([cell for group in cells.values() for cell in group]))
        found = {key: [next(results) for _ in group] for key, group in cells.items()}
        return self._report(experiment, found, splits[experiment.seeds[0]])

    def _split(
        self, experiment: Experiment, data: ExperimentData, named: Mapping[int, str], seed: int
    ) -> Domains:
        train = _by_domain(named, data.train)
        scored = _by_domain(named, data.scored)
        if len(train) < 2:
            raise InputError(
                f"all training documents are of one domain, {next(iter(train))!r}",
                hint="Give --domains: a file with the columns document and domain, or folder",
            )
        if not scored:
            shares = parse_parts(f"train={1 - self.test_share:.6f},test={self.test_share:.6f}")
            for domain, members in train.items():
                try:
                    parts = data.split(members, shares, seed=seed, grouping=experiment.grouping)
                except InputError as error:
                    raise InputError(f"domain {domain!r}: {error.what}", hint=error.hint) from None
                train[domain], scored[domain] = parts["train"], parts["test"]
        for role, domains in (("training", train), ("scored", scored)):
            for domain, members in domains.items():
                if not data.has_phi(members):
                    raise InputError(
                        f"the {role} documents of the domain {domain!r} have no PHI",
                        hint="Join it with another domain, or leave it out",
                    )
        if self.together:
            train[ALL] = tuple(sorted(n for members in train.values() for n in members))
        return Domains(train, scored)

    def _report(
        self,
        experiment: Experiment,
        found: Mapping[tuple[str, str], Sequence[CellResult]],
        domains: Domains,
    ) -> Report:
        rows: list[Row] = []
        elsewhere = list(_elsewhere(found, domains))
        tables = [
            Table(
                "Scored on the other domains",
                ("system", "trained on", *HEADER),
                [(system, source, *row.cells()) for system, source, row in elsewhere],
                text_columns=2,
            )
        ]
        for system in experiment.systems:
            header = ("trained on", *domains.scored, "documents")
            lines = []
            for source in domains.train:
                results = found.get((system.name, source))
                if results is None:
                    continue
                facts = {"system": system.name, "train": source if system.table else "nothing"}
                parts = [
                    make_row(f"{system.name}, {source} -> {to}", results, [to], **facts, test=to)
                    for to in domains.scored
                ]
                rows += parts
                size = str(len(results[0].cell.train)) if system.table else "-"
                lines.append((facts["train"], *(str(row.summary("f1")) for row in parts), size))
            tables.append(Table(f"{system.name}: strict F1 by domain", header, lines))
        means = {
            f"{system}, {source}": mean
            for system, source, row in elsewhere
            if (mean := row.summary("f1").mean) is not None
        }
        plots = {}
        if means:
            title = f"{experiment.title}: other domains"
            plots["transfer.svg"] = draw_bars(title, means, x="strict F1 on the other domains")
        return Report(rows, tables, plots=plots)


def _elsewhere(
    found: Mapping[tuple[str, str], Sequence[CellResult]],
    domains: Domains,
) -> Iterator[tuple[str, str, Row]]:
    """Yield systems, what each was trained on, and its row over all other domains together."""
    for (system, source), results in found.items():
        learns = results[0].cell.system.table is not None
        others = [name for name in domains.scored if name != source or not learns]
        if source != ALL and others:
            yield system, source if learns else "nothing", make_row("", results, others)


def _by_domain(named: Mapping[int, str], numbers: Numbers) -> dict[str, Numbers]:
    found: dict[str, list[int]] = {}
    for number in numbers:
        found.setdefault(named[number], []).append(number)
    return {name: tuple(found[name]) for name in sorted(found)}


def read_transfer(
    table: Mapping[str, Any], *, systems: Sequence[System], replaced: bool
) -> Transfer:
    """Read the settings of a transfer; raises `ConfigError`."""
    require_settings(table, {"domains", "test-share", "together"}, systems, what="a transfer")
    return Transfer(
        str(Path(read_text(table, "domains", "folder"))),
        read_share(table, "test-share", 0.2),
        read_truth(table, "together", True),
    )
