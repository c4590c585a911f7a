"""How weekdays are written in the languages of this package: `resources/weekdays.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any


@cache
def weekday_forms(language: str) -> Mapping[str, frozenset[int]]:
    """Return how weekdays are written in a language, each with those that it may mean.

    Monday is 0. Words come in small letters, with a capital and in capitals; letters that
    stand for a day are capitals. A language without a table has none.
    """
    table = _table().get(language, {"words": [], "letters": []})
    found: dict[str, set[int]] = {}
    for day, words in enumerate(table["words"]):
        for word in words:
            for form in (word, word.capitalize(), word.upper()):
                found.setdefault(form, set()).add(day)
    for day, letters in enumerate(table["letters"]):
        for letter in letters:
            found.setdefault(letter, set()).add(day)
    return {form: frozenset(days) for form, days in found.items()}


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    file = resources.files("scrubjay.resources").joinpath("weekdays.toml")
    return tomllib.loads(file.read_text("utf-8"))
