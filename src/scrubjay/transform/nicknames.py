"""Short forms of first names: which names a short form may stand for, and the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain

from scrubjay.languages import LANGUAGES
from scrubjay.resources import load_table
from scrubjay.transform.name_words import Gender, name_key


@dataclass(frozen=True, slots=True, repr=False)
class Nicknames:
    """The names of one language and gender, each with its short forms, as they are written."""

    language: str
    gender: Gender
    forms: Mapping[str, tuple[str, ...]]


@cache
def nickname_tables() -> tuple[Nicknames, ...]:
    """Return the shipped tables, in a fixed order."""
    tables = load_table("surrogates", "nicknames.toml")
    genders: tuple[Gender, Gender] = ("male", "female")
    return tuple(
        Nicknames(language, gender, _forms(tables[language][gender]))
        for language in LANGUAGES
        for gender in genders
    )


def formal_names(key: str) -> tuple[str, ...]:
    """Return the keys of the names that a word may stand for: its own first, if it is one.

    A word that no table has stands for itself alone.
    """
    return _formal().get(key, (key,))


def are_same_name(key: str, other: str) -> bool:
    """Tell whether two first names may be one: the same, or short forms of the same name."""
    return key == other or not set(formal_names(key)).isdisjoint(formal_names(other))


def _forms(lines: str) -> dict[str, tuple[str, ...]]:
    rows = (line.partition(":") for line in lines.split("\n") if line)
    return {name: tuple(short.split()) for name, _, short in rows}


@cache
def _formal() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    rows = list(chain.from_iterable(table.forms.items() for table in nickname_tables()))
    also = load_table("surrogates", "nicknames.toml")["also"]
    rows += [
        row for table in also.values() for forms in table.values() for row in _forms(forms).items()
    ]
    for name, _ in rows:
        found[name_key(name)] = [name_key(name)]
    for name, short_forms in rows:
        for short in short_forms:
            # A name in its own right ("Harry", "Eliza") stays one beside what it is short for.
            formal = found.setdefault(name_key(short), [])
            if name_key(name) not in formal:
                formal.append(name_key(name))
    return {key: tuple(names) for key, names in found.items()}
