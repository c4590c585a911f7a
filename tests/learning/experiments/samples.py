"""Tiny corpora and experiments for tests, which train in a blink."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrubjay.labels import find_label_set
from scrubjay.learning.experiments.bench import Bench
from scrubjay.learning.experiments.cells import CellResult
from scrubjay.learning.experiments.data import ExperimentData
from scrubjay.learning.experiments.declaration import Experiment, build_experiment
from scrubjay.learning.experiments.store import open_store
from tests.corpus_samples import make_notes
from tests.tiny_crf import TINY
from tests.tiny_tbed import TINY_RULES


def make_data(*, train: int = 12, dev: int = 6, test: int = 0) -> ExperimentData:
    """Return invented notes in three pools."""
    pools = [make_notes(n, seed=seed) for seed, n in enumerate((train, dev, test), start=1)]
    documents = [document for pool in pools for document in pool]
    return ExperimentData(
        documents=tuple(documents),
        train=tuple(range(train)),
        dev=tuple(range(train, train + dev)),
        test=tuple(range(train + dev, train + dev + test)),
        label_set=find_label_set("i2b2-2014"),
        label_set_name="i2b2-2014",
    )


def write_configs(folder: Path) -> None:
    """Write `crf.toml`, `rules.toml` and `both.toml`, an ensemble of the two."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "crf.toml").write_text(TINY)
    (folder / "rules.toml").write_text(TINY_RULES)
    members = "".join(
        f'[members.{name}]\nconfig = "{(folder / name).as_posix()}.toml"\n'
        for name in ("crf", "rules")
    )
    (folder / "both.toml").write_text(f'kind = "ensemble"\n{members}[combiner]\nmethod = "union"\n')


def declare(folder: Path, **table: Any) -> Experiment:
    """Return an experiment of a table; configurations are those of `write_configs`."""
    write_configs(folder)
    return build_experiment({"kind": "compare", **table}, default_name="tried", folder=folder)


def system(config: str, name: str = "", **more: Any) -> Mapping[str, Any]:
    """Return an entry of `[[systems]]`."""
    return {"config": config, **({"name": name} if name else {}), **more}


@dataclass
class Noting:
    """A watch that notes what it is told."""

    cells: int = 0
    stages: list[tuple[str, str]] = field(default_factory=list)
    done: list[tuple[str, bool]] = field(default_factory=list)

    def planned(self, cells: int) -> None:
        self.cells += cells

    def stage(self, cell: str, stage: str, share: float) -> None:
        self.stages.append((cell, stage))

    def finished(self, result: CellResult, *, stored: bool) -> None:
        self.done.append((result.cell.name, stored))


def make_bench(folder: Path, data: ExperimentData, *, jobs: int = 1, watch: Any = None) -> Bench:
    """Return a bench that keeps its cells in a folder."""
    store = open_store(folder, {"data": data.identity()}, extent={})
    return Bench(data, store, jobs, watch or Noting())


def column(rows: Sequence[Sequence[str]], number: int) -> list[str]:
    """Return one column of a table."""
    return [row[number] for row in rows]
