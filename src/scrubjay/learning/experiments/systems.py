"""The systems of an experiment: named configurations, with settings changed, dropped or added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.features.templates import require_known
from scrubjay.learning.configs import Config, build_config, read_config_table
from scrubjay.learning.experiments.settings import drop_values, names_at, set_values
from scrubjay.learning.learners import is_seeded, stops_by_dev

PATTERNS = "patterns"
"""The configuration that learns nothing: the patterns of the language (Zhao 2020, Table 1)."""

_KEYS = {"name", "config", "set", "drop", "drop-each", "grow", "swap-copies"}


@dataclass(frozen=True, slots=True)
class System:
    """A system that is trained and scored; `table` is its configuration, None for patterns alone.

    Each training document is joined by `swap_copies` copies with other PHI.
    """

    name: str
    table: Mapping[str, Any] | None
    swap_copies: int = 0

    def config(self) -> Config | None:
        """Return the configuration; raises `ConfigError` for one that is not sound."""
        if self.table is None:
            return None
        return build_config(self.table, origin=f"system {self.name!r}")

    @property
    def kind(self) -> str:
        """The kind of the model, "patterns" where nothing is learned."""
        return PATTERNS if self.table is None else str(self.table.get("kind"))

    @property
    def is_seeded(self) -> bool:
        """Whether another seed may give another model on the same documents."""
        config = self.config()
        return config is not None and (self.swap_copies > 0 or is_seeded(config))

    @property
    def stops_early(self) -> bool:
        """Whether the learner looks at documents besides those it learns from, to stop by."""
        config = self.config()
        return config is not None and stops_by_dev(config)

    def identity(self) -> dict[str, Any]:
        """Return what decides what the system learns, as plain values."""
        config = self.config()
        # The table that the configuration gives back: defaults filled in, spelled one way.
        table = config.table() if config is not None else PATTERNS
        if isinstance(table, dict):
            table = {key: value for key, value in table.items() if key not in ("name", "citation")}
        return {"name": self.name, "config": table, "swap-copies": self.swap_copies}


def read_systems(entries: Any, *, folder: Path | None = None) -> tuple[System, ...]:
    """Return the systems of `[[systems]]`; configuration files are looked for in `folder` too.

    Raises `ConfigError` for an unknown setting, an unsound configuration, and two systems of one
    name.
    """
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ConfigError("[[systems]] must be a list of tables")
    systems: list[System] = []
    for number, entry in enumerate(entries, start=1):
        try:
            systems += _read_entry(entry, folder)
        except ConfigError as error:
            where = f"[[systems]] {entry.get('name', number)}: "
            raise ConfigError(f"{where}{error.what}", path=error.path, hint=error.hint) from None
    names = [system.name for system in systems]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigError(f"two systems have the name {twice[0]!r}", hint="Give each its own name")
    return tuple(systems)


def named_systems(configs: Sequence[str]) -> tuple[System, ...]:
    """Return one system for each configuration, named after it."""
    return read_systems([{"config": config} for config in configs])


def choose_systems(systems: Sequence[System], names: Sequence[str]) -> tuple[System, ...]:
    """Return the systems of these names, in their own order; raises `ConfigError` for others."""
    known = [system.name for system in systems]
    for name in names:
        if name not in known:
            raise ConfigError(
                f"there is no system {name!r} to run", hint=f"There are: {', '.join(known)}"
            )
    return tuple(system for system in systems if system.name in names)


def _read_entry(entry: Mapping[str, Any], folder: Path | None) -> list[System]:
    require_known(entry, _KEYS, where="a system")
    chosen = entry.get("config")
    if not isinstance(chosen, str):
        raise ConfigError("config must be the name of a configuration or a TOML file")
    name = entry.get("name", Path(chosen).stem if chosen.endswith(".toml") else chosen)
    copies = entry.get("swap-copies", 0)
    if not isinstance(name, str) or not name.strip():
        raise ConfigError("name must be a string that is not empty")
    if type(copies) is not int or copies < 0:
        raise ConfigError("swap-copies must be a whole number of at least 0")
    changing = [key for key in ("set", "drop", "drop-each", "grow") if entry.get(key)]
    if chosen == PATTERNS:
        if changing:
            raise ConfigError(f"patterns have no settings to change, but there is {changing[0]!r}")
        return [System(name, None)]
    table = read_config_table(_locate(chosen, folder))
    table = set_values(table, _read_table(entry, "set"))
    table = drop_values(table, _read_list(entry, "drop"))
    found = list(_variants(name, table, entry))
    for variant, changed in found:
        System(variant, changed).config()
    return [System(variant, changed, copies) for variant, changed in found]


def _variants(
    name: str, table: Mapping[str, Any], entry: Mapping[str, Any]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the system itself, or one for each part that is dropped or added in turn."""
    dropped, grown = entry.get("drop-each"), entry.get("grow")
    if dropped and grown:
        raise ConfigError("a system has either drop-each or grow")
    if not dropped and not grown:
        yield name, table
        return
    path = dropped or grown
    if not isinstance(path, str):
        raise ConfigError("drop-each and grow are paths such as features.groups")
    parts = names_at(table, path)
    if len(parts) < 2:
        raise ConfigError(f"{path} has fewer than two parts")
    if dropped:
        for part in parts:
            yield f"{name} without {part}", drop_values(table, [f"{path}.{part}"])
        return
    for size in range(1, len(parts) + 1):
        rest = [f"{path}.{part}" for part in parts[size:]]
        yield f"{name} {'+ ' if size > 1 else ''}{parts[size - 1]}", drop_values(table, rest)


def _locate(config: str, folder: Path | None) -> str:
    if config.endswith(".toml") and folder is not None and (folder / config).is_file():
        return str(folder / config)
    return config


def _read_table(entry: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = entry.get(key, {})
    if not isinstance(value, dict):
        raise ConfigError(f'{key} must be a table such as {{ "training.c1" = 0.1 }}')
    return value


def _read_list(entry: Mapping[str, Any], key: str) -> list[str]:
    value = entry.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f'{key} must be a list of paths such as ["features.groups.shapes"]')
    return value
