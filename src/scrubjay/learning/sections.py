"""Configuration files in parts: what all kinds have in common, and sections as dataclasses."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Any, Protocol, TypedDict, TypeVar

from scrubjay.errors import ConfigError
from scrubjay.features.templates import require_known, require_table
from scrubjay.tags import find_scheme

S = TypeVar("S")

#: The settings outside all sections, which every kind of configuration has.
COMMON = frozenset({"name", "kind", "citation", "description", "scheme", "tokenizer"})


class Common(TypedDict):
    """The common settings of a configuration, as its dataclass takes them."""

    name: str
    scheme: str
    tokenizer: Mapping[str, Any]
    citation: str


class HasCommon(Protocol):
    """A configuration of any kind."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def citation(self) -> str: ...
    @property
    def scheme(self) -> str: ...
    @property
    def tokenizer(self) -> Mapping[str, Any]: ...


def read_common(table: Mapping[str, Any], *, default_name: str) -> Common:
    """Return the settings that every kind of configuration has; raises `ConfigError`."""
    for name in ("name", "scheme", "citation"):
        if not isinstance(table.get(name, ""), str):
            raise ConfigError(f"{name} must be a string")
    return {
        "name": table.get("name", default_name),
        "scheme": find_scheme(table.get("scheme", "BIO")).name,
        "tokenizer": require_table(
            table.get("tokenizer", {"name": "subword"}), where="[tokenizer]"
        ),
        "citation": table.get("citation", ""),
    }


def write_common(config: HasCommon) -> dict[str, Any]:
    """Return the common settings of a configuration as plain values, as manifests keep them."""
    return {
        "name": config.name,
        "kind": config.kind,
        "citation": config.citation,
        "scheme": config.scheme,
        "tokenizer": dict(config.tokenizer),
    }


def read_section(
    kind: type[S],
    table: Any,
    *,
    where: str,
    may_be_zero: Collection[str] = (),
    shares: Collection[str] = (),
) -> S:
    """Return a section as its dataclass: the setting `some-name` is the field `some_name`.

    A value must be of the type of the field's default. Numbers are above 0, those named in
    `may_be_zero` at least 0, those in `shares` below 1. Raises `ConfigError`.
    """
    values: dict[str, Any] = {}
    for entry, value in section_values(kind, table, where=where):
        shown = f"{where} {entry.name.replace('_', '-')}"
        if isinstance(entry.default, str):
            if not isinstance(value, str):
                raise ConfigError(f"{shown} must be a string")
            values[entry.name] = value
        elif isinstance(entry.default, tuple):
            if not isinstance(value, list) or not all(type(item) is int for item in value):
                raise ConfigError(f"{shown} must be a list of whole numbers")
            values[entry.name] = tuple(value)
        else:
            whole = type(entry.default) is int
            values[entry.name] = _number(shown, value, whole, zero=entry.name in may_be_zero)
            if entry.name in shares and value >= 1:
                raise ConfigError(f"{shown} must be below 1, not {value!r}")
    return kind(**values)


def section_values(kind: Any, table: Any, *, where: str) -> Iterator[tuple[Field[Any], Any]]:
    """Yield the settings of a section that are given: the field of its dataclass, and the value.

    Raises `ConfigError` for what is no table, and for a setting that is no field.
    """
    known = {entry.name.replace("_", "-"): entry for entry in fields(kind)}
    table = require_table(table, where=where)
    require_known(table, set(known), where=where)
    for name, value in table.items():
        yield known[name], value


def _number(shown: str, value: Any, whole: bool, *, zero: bool) -> float:
    if type(value) is not int and (whole or type(value) is not float):
        raise ConfigError(f"{shown} must be a {'whole ' if whole else ''}number, not {value!r}")
    if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        raise ConfigError(f"{shown} must be {'at least 0' if zero else 'above 0'}, not {value!r}")
    return value if whole else float(value)


def write_encoder(settings: Any) -> dict[str, Any]:
    """Return the settings of an encoder, a section with a `path`, as manifests keep them.

    Of the path they keep the last part alone: the rest is about a machine.
    """
    return {**write_section(settings), "path": Path(settings.path).name}


def write_section(section: Any) -> dict[str, Any]:
    """Return the settings of a section as plain values, as manifests keep them."""
    return {entry.name.replace("_", "-"): getattr(section, entry.name) for entry in fields(section)}
