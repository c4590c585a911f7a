"""Settings of experiments, read from a table with their types checked."""

from __future__ import annotations

from collections.abc import Mapping, Set, Sized
from typing import Any, TypeVar

from scrubjay.errors import ConfigError, require_choice
from scrubjay.features.templates import require_known

T = TypeVar("T")


def require_settings(
    table: Mapping[str, Any], known: Set[str], systems: Sized, *, what: str
) -> None:
    """Raise `ConfigError` for an unknown setting of a kind of experiment, or without systems."""
    require_known(table, known, where=what)
    if not systems:
        raise ConfigError(f"{what} needs [[systems]]", hint="Or give --config")


def read_truth(table: Mapping[str, Any], name: str, default: bool) -> bool:
    """Return true or false; raises `ConfigError` for anything else."""
    value = table.get(name, default)
    if not isinstance(value, bool):
        raise ConfigError(f"{name} must be true or false")
    return value


def read_text(table: Mapping[str, Any], name: str, default: str) -> str:
    """Return a string; raises `ConfigError` for anything else."""
    value = table.get(name, default)
    if not isinstance(value, str):
        raise ConfigError(f"{name} must be a string")
    return value


def read_whole(table: Mapping[str, Any], name: str, default: int, *, least: int) -> int:
    """Return a whole number of at least `least`; raises `ConfigError`."""
    value = table.get(name, default)
    if type(value) is not int or value < least:
        raise ConfigError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return value


def read_share(table: Mapping[str, Any], name: str, default: float) -> float:
    """Return a number above 0 and below 1; raises `ConfigError`."""
    value = table.get(name, default)
    if type(value) not in (int, float) or not 0 < value < 1:
        raise ConfigError(f"{name} must be a share above 0 and below 1, not {value!r}")
    return float(value)


def read_choice(table: Mapping[str, Any], name: str, known: tuple[str, ...]) -> str:
    """Return one of the known values, the first by default; raises `ConfigError`."""
    return require_choice(name, table.get(name, known[0]), known)


def read_list(table: Mapping[str, Any], name: str, default: list[T], *, kind: type[T]) -> list[T]:
    """Return a list of values of one type; whole numbers pass for numbers. Raises `ConfigError`."""
    value = table.get(name, default)
    kinds = (int, float) if kind is float else (kind,)
    if not isinstance(value, list) or not all(type(item) in kinds for item in value):
        wanted = {str: "strings", int: "whole numbers", float: "numbers"}.get(kind, kind.__name__)
        raise ConfigError(f"{name} must be a list of {wanted}")
    return [kind(item) for item in value] if kind is float else value  # type: ignore[call-arg]
