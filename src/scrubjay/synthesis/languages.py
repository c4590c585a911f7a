"""The tables of a language: its label set, the label of each slot, its words and customs.

They stand in `resources/synthesis/LANGUAGE.toml`, the templates in the folder beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.labels import LabelSet, find_label_set
from scrubjay.resources import load_table, resource, table_names


@dataclass(frozen=True, slots=True, repr=False)
class Language:
    """What `synth` knows of a language. `labels` maps a slot, or `slot.form`, to its label."""

    name: str
    label_set: LabelSet
    labels: Mapping[str, str]
    words: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"Language({self.name!r})"

    def label(self, slot: str, form: str) -> str | None:
        """Return the label of a slot in a form; None where it is no PHI."""
        found = self.labels.get(f"{slot}.{form}") if form else None
        return (self.labels.get(slot) if found is None else found) or None


def language_names() -> tuple[str, ...]:
    """Return the languages that notes can be written in, sorted."""
    return tuple(name for name in table_names("synthesis") if "." not in name)


def folder() -> Traversable:
    """Return the folder of the tables and of the templates."""
    return resource("synthesis")


@cache
def find_language(name: str) -> Language:
    """Return the tables of a language. Raises `ConfigError` for an unknown one."""
    if name not in language_names():
        raise ConfigError(
            f"there are no templates for the language {name!r}",
            hint=f"Known: {', '.join(language_names())}",
        )
    table = load_table("synthesis", f"{name}.toml")
    label_set = find_label_set(table["label_set"])
    labels = table.pop("labels")
    for label in labels.values():
        if label:
            label_set.require(label)
    return Language(name, label_set, labels, table)
