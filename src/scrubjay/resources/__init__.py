"""Data that ships with the package: readable tables, each with its origin beside it."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any


def resource(*place: str) -> Traversable:
    """Return a file or folder below this one; it need not be there."""
    return files(__name__).joinpath(*place)


def load_table(*place: str) -> dict[str, Any]:
    """Return a TOML file below this folder as a table."""
    return tomllib.loads(resource(*place).read_text("utf-8"))


def table_names(*place: str) -> tuple[str, ...]:
    """Return the names of the TOML files in a folder, sorted, without `.toml`."""
    names = (entry.name for entry in resource(*place).iterdir())
    return tuple(sorted(name[: -len(".toml")] for name in names if name.endswith(".toml")))
