"""Settings by dotted paths: read, set and drop what stands deep in a table of a configuration.

A path such as `training.c1` leads through tables; in a list of tables an entry is found by its
`name`, so `members.crf.config` is the configuration of the member `crf`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from scrubjay.errors import ConfigError


def set_values(table: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a table with a value at each path; missing tables are made.

    Raises `ConfigError` for a path that leads through anything but tables.
    """
    changed = copy.deepcopy(dict(table))
    for path, value in values.items():
        *parents, last = _steps(path)
        place: Any = changed
        for number, step in enumerate(parents):
            if isinstance(place, dict) and step not in place:
                place[step] = {}
            place = _enter(place, step, path=".".join(parents[: number + 1]))
        if isinstance(place, list):
            place[_index(place, last, path=path)] = copy.deepcopy(value)
        elif isinstance(place, dict):
            place[last] = copy.deepcopy(value)
        else:
            raise ConfigError(f"{'.'.join(parents)} is no table, so {path} cannot be set")
    return changed


def drop_values(table: Mapping[str, Any], paths: Sequence[str]) -> dict[str, Any]:
    """Return a copy of a table without what stands at the paths; raises `ConfigError`."""
    changed = copy.deepcopy(dict(table))
    for path in paths:
        *parents, last = _steps(path)
        place: Any = changed
        for number, step in enumerate(parents):
            place = _enter(place, step, path=".".join(parents[: number + 1]))
        if isinstance(place, list):
            del place[_index(place, last, path=path)]
        elif isinstance(place, dict) and last in place:
            del place[last]
        else:
            raise _missing(place, path)
    return changed


def names_at(table: Mapping[str, Any], path: str) -> tuple[str, ...]:
    """Return the names of what a path leads to: keys of a table, names of a list of tables.

    Raises `ConfigError` where there is neither.
    """
    place: Any = table
    steps = _steps(path)
    for number, step in enumerate(steps):
        place = _enter(place, step, path=".".join(steps[: number + 1]))
    if isinstance(place, dict):
        return tuple(place)
    if isinstance(place, list) and all(isinstance(entry, dict) for entry in place):
        return tuple(_name(entry, number) for number, entry in enumerate(place))
    raise ConfigError(f"{path} is neither a table nor a list of tables")


def _steps(path: str) -> list[str]:
    steps = path.split(".")
    if not all(steps):
        raise ConfigError(f"not a path of a setting: {path!r}", hint="Write it as training.c1")
    return steps


def _enter(place: Any, step: str, *, path: str) -> Any:
    if isinstance(place, list):
        return place[_index(place, step, path=path)]
    if isinstance(place, dict) and step in place:
        return place[step]
    raise _missing(place, path)


def _index(place: Sequence[Any], name: str, *, path: str) -> int:
    for number, entry in enumerate(place):
        if isinstance(entry, dict) and _name(entry, number) == name:
            return number
    raise _missing({_name(e, n): e for n, e in enumerate(place) if isinstance(e, dict)}, path)


def _name(entry: Mapping[str, Any], number: int) -> str:
    """Return the name of an entry of a list: its `name`, else its `config`, else its number."""
    return str(entry.get("name", entry.get("config", number)))


def _missing(place: Any, path: str) -> ConfigError:
    known = ", ".join(map(str, place)) if isinstance(place, dict) else ""
    return ConfigError(f"there is no setting {path}", hint=f"There are: {known}" if known else "")
