"""Entries of TOML files, as of patterns and of look-alikes: their kinds, fragments and expressions.

Whoever reads such a file names it, and the entry, in each error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.taggers._search.bounded import find_hazards

ENTRY_NAME = re.compile(r"[a-z][a-z0-9-]*")
_FRAGMENT = re.compile(r"\{([a-z][a-z0-9-]{0,40})\}")

_IS: dict[str, Callable[[Any], bool]] = {
    "a string": lambda value: isinstance(value, str),
    "a list of strings": lambda value: isinstance(value, list) and _are_strings(value),
    "a table of strings": lambda value: isinstance(value, dict) and _are_strings(value.values()),
    "a number": lambda value: type(value) in (int, float),
    "a whole number": lambda value: type(value) is int,
    "true or false": lambda value: isinstance(value, bool),
    "a table": lambda value: isinstance(value, dict),
    "[[patterns]] tables": lambda value: isinstance(value, list),
    "[[look-alikes]] tables": lambda value: isinstance(value, list),
}
"""What a value of a file may have to be, in the words of an error."""


def _are_strings(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def require_kinds(table: Any, kinds: Mapping[str, str], *, path: str, place: str) -> None:
    """Raise `ConfigError` for a key of a table that is none of `kinds`, and for a wrong value."""
    if not isinstance(table, Mapping):
        raise ConfigError("must be a table", path=path, place=place)
    for key, value in table.items():
        if key not in kinds:
            hint = f"Known: {', '.join(sorted(kinds))}"
            raise ConfigError(f"unknown key {key!r}", path=path, place=place, hint=hint)
        if not _IS[kinds[key]](value):
            raise ConfigError(f"`{key}` must be {kinds[key]}", path=path, place=place)


def require_own_names(names: Iterable[str], what: str, *, path: str) -> None:
    """Raise `ConfigError` where two entries of a file have one name."""
    for name, count in Counter(names).items():
        if count > 1:
            raise ConfigError(f"two {what} are named {name!r}", path=path)


def fill(text: str, fragments: Mapping[str, str], *, path: str, place: str) -> str:
    """Put the fragments in the place of their names in braces; raises `ConfigError` for others."""

    def fragment(found: re.Match[str]) -> str:
        if found[1] not in fragments:
            hint = f"Known: {', '.join(sorted(fragments))}"
            raise ConfigError(f"unknown fragment {{{found[1]}}}", path=path, place=place, hint=hint)
        return f"(?:{fragments[found[1]]})"

    return _FRAGMENT.sub(fragment, text)


def add_fragments(
    table: Mapping[str, Any],
    shared: Mapping[str, str],
    *,
    path: str,
    bare: Callable[[str], str] = str,
) -> dict[str, str]:
    """Return the shared fragments and those of a file, each with the ones before it put in.

    `bare` takes from a text what is none of its expression, such as the ends of lines.
    """
    known = dict(shared)
    for name, text in table.get("fragments", {}).items():
        known[name] = fill(bare(text), known, path=path, place=f"fragment {name!r}")
    return known


def field_values(
    entry: Mapping[str, Any],
    expressions: Iterable[str],
    fragments: Mapping[str, str],
    *,
    path: str,
    place: str,
    bare: Callable[[str], str] = str,
) -> dict[str, Any]:
    """Return an entry by names of fields: lists as tuples, expressions with their fragments."""
    values: dict[str, Any] = {
        key.replace("-", "_"): tuple(value) if isinstance(value, list) else value
        for key, value in entry.items()
    }
    for name in expressions:
        values[name] = fill(bare(values.get(name, "")), fragments, path=path, place=place)
    return values


def find_flaw(key: str, expression: str, *, may_be_empty: bool) -> str:
    """Return what is wrong with the expression of a key, or nothing; "" is none, and good."""
    try:
        hazards = find_hazards(expression, may_be_empty=may_be_empty) if expression else []
    except (re.error, OverflowError, RecursionError):
        return f"`{key}` is no regular expression"
    return f"`{key}` is not safe: {hazards[0]}" if hazards else ""
