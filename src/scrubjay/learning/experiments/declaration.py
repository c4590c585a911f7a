"""Experiments as readable TOML: which kind, which systems, which seeds, and the kind's settings.

The experiments that ship stand in `scrubjay/resources/experiments`; any of them can be copied,
changed and given by its path.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from scrubjay.corpora.splits import parse_parts
from scrubjay.errors import ConfigError, InputError, counted
from scrubjay.features.templates import require_known, require_table
from scrubjay.files import parse_toml
from scrubjay.learning._named import read_named, shipped_names
from scrubjay.learning.experiments.bench import Bench
from scrubjay.learning.experiments.data import ExperimentData, Grouping, Numbers
from scrubjay.learning.experiments.report import Report
from scrubjay.learning.experiments.settings import set_values
from scrubjay.learning.experiments.systems import (
    System,
    choose_systems,
    named_systems,
    read_systems,
)

KINDS: Mapping[str, str] = {
    "compare": "scrubjay.learning.experiments.comparing:read_comparing",
    "cross-domain": "scrubjay.learning.experiments.transfer:read_transfer",
    "crossval": "scrubjay.learning.experiments.crossval:read_crossval",
    "learning-curve": "scrubjay.learning.experiments.curve:read_curve",
    "significance": "scrubjay.learning.experiments.significance:read_significance",
    "tune": "scrubjay.learning.experiments.tuning:read_tuning",
}
"""Kind of an experiment -> the function that reads its settings and gives its `Plan`."""

_COMMON = {
    "name", "kind", "title", "citation", "description", "seeds", "systems", "held-out", "groups",
}  # fmt: skip


class Plan(Protocol):
    """What a kind of experiment does, with its settings."""

    def identity(self) -> Mapping[str, Any]:
        """Return the settings that results depend on."""

    def extent(self) -> Mapping[str, Any]:
        """Return the settings that may grow without harm to results that are there."""

    def run(self, experiment: Experiment, bench: Bench) -> Report:
        """Run every cell that is missing and return the results."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """A declared experiment.

    `held_out` is the share of the training documents by which a network may stop where there is
    no dev corpus besides the one that is scored; 0 lets it train for all its epochs.
    """

    name: str
    kind: str
    title: str
    plan: Plan
    systems: tuple[System, ...] = ()
    seeds: tuple[int, ...] = (0,)
    held_out: float = 0.0
    grouping: Grouping = field(default_factory=Grouping)
    citation: str = ""

    def identity(self) -> dict[str, Any]:
        """Return everything that results depend on, data apart."""
        return {
            "kind": self.kind,
            "systems": {system.name: system.identity() for system in self.systems},
            "held-out": self.held_out,
            "groups": {"by": self.grouping.by, "key": self.grouping.key},
            "settings": dict(self.plan.identity()),
        }

    def extent(self) -> dict[str, Any]:
        """Return what may be added to later."""
        return {"seeds": list(self.seeds), **self.plan.extent()}

    def seeds_of(self, system: System) -> tuple[int, ...]:
        """Return the seeds that a system is trained with on the same documents."""
        return self.seeds if system.is_seeded else self.seeds[:1]

    def learning_parts(
        self, data: ExperimentData, system: System, train: Numbers, *, seed: int
    ) -> tuple[Numbers, Numbers]:
        """Return the documents to learn from and those to stop by.

        Raises `InputError` where a share is to be held out of too few documents.
        """
        if data.seen or not self.held_out or not system.stops_early:
            return train, data.seen
        shares = parse_parts(f"learn={1 - self.held_out:.6f},stop={self.held_out:.6f}")
        parts, groups = data.deal(train, shares, seed=seed, grouping=self.grouping)
        if not all(parts.values()):
            raise InputError(
                f"system {system.name!r} stops by documents that are held out of its training, and "
                f"held-out = {self.held_out:g} of {counted(len(train), 'document')} in "
                f"{counted(groups, 'group')} leaves none",
                hint="Train on more documents, give --dev to stop by beside --test to score, or "
                "let it train for all its epochs: --set held-out=0",
            )
        return parts["learn"], parts["stop"]


def experiment_names() -> tuple[str, ...]:
    """Return the names of the experiments that ship, sorted."""
    return shipped_names("experiments")


def describe_experiments() -> Iterator[tuple[str, str, str]]:
    """Yield name, title and source of every experiment that ships, by name."""
    for name in experiment_names():
        text, _ = _read(name)
        table = tomllib.loads(text)
        yield name, str(table.get("title", name)), str(table.get("citation", ""))


def find_experiment(
    name_or_path: str,
    *,
    configs: Sequence[str] = (),
    only: Sequence[str] = (),
    changes: Mapping[str, Any] | None = None,
) -> Experiment:
    """Return an experiment that ships, or read one from a TOML file.

    `configs` take the place of its systems, `only` names those of them that are run, `changes` set
    values by dotted paths. Raises `ConfigError` for an unknown name, an unreadable file, and a
    setting that is unknown or unsound.
    """
    text, path = _read(name_or_path)
    folder = None if path is None else path.parent
    table = parse_toml(text, path=name_or_path)
    try:
        return build_experiment(
            set_values(table, changes or {}),
            default_name=Path(name_or_path).stem,
            configs=configs,
            only=only,
            folder=folder,
        )
    except ConfigError as error:
        other = error.path if error.path not in (None, name_or_path) else None
        what = f"{other}: {error.what}" if other else error.what
        raise ConfigError(what, path=name_or_path, hint=error.hint) from None


def _read(name_or_path: str) -> tuple[str, Path | None]:
    return read_named(name_or_path, experiment_names(), kind="experiment", folder="experiments")


def build_experiment(
    table: Mapping[str, Any],
    *,
    default_name: str,
    configs: Sequence[str] = (),
    only: Sequence[str] = (),
    folder: Path | None = None,
) -> Experiment:
    """Build an experiment from its table; the errors do not name the file yet."""
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ConfigError(f"kind must be one of: {', '.join(KINDS)}")
    for name in ("name", "title", "citation", "description"):
        if not isinstance(table.get(name, ""), str):
            raise ConfigError(f"{name} must be a string")
    module, _, attribute = KINDS[kind].partition(":")
    own = {key: value for key, value in table.items() if key not in _COMMON}
    entries = table.get("systems", [])
    systems = named_systems(configs) if configs else read_systems(entries, folder=folder)
    if only:
        systems = choose_systems(systems, only)
    plan: Plan = getattr(importlib.import_module(module), attribute)(
        own, systems=systems, replaced=bool(configs or only)
    )
    name = table.get("name", default_name)
    return Experiment(
        name=name,
        kind=kind,
        title=table.get("title", name),
        plan=plan,
        systems=systems,
        seeds=_read_seeds(table.get("seeds", [0])),
        held_out=_read_share(table.get("held-out", 0.0)),
        grouping=_read_grouping(table.get("groups", {})),
        citation=table.get("citation", ""),
    )


def _read_seeds(value: Any) -> tuple[int, ...]:
    if (
        not isinstance(value, list)
        or not value
        or not all(type(seed) is int and seed >= 0 for seed in value)
        or len(set(value)) < len(value)
    ):
        raise ConfigError("seeds must be a list of different whole numbers of at least 0")
    return tuple(value)


def _read_share(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < 1:
        raise ConfigError("held-out must be a share of at least 0 and below 1")
    return float(value)


def _read_grouping(value: Any) -> Grouping:
    table = require_table(value, where="[groups]")
    require_known(table, {"by", "key"}, where="[groups]")
    if not all(isinstance(entry, str) for entry in table.values()):
        raise ConfigError("[groups]: by and key must be strings")
    grouping = Grouping(**table)
    grouping.finder()
    return grouping
