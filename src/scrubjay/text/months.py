"""How months are written in the languages of this package: `resources/months.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from scrubjay.resources import load_table


def month_words(*languages: str) -> str:
    """Return a pattern of the names of months in some languages, and what they are shortened to.

    It is in lower case, without periods, and no group; longer words come first.
    """
    words = {
        word
        for language in languages
        for word in (*_table()[language]["names"], *_table()[language]["short"])
    }
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def month_names(language: str) -> str:
    """Return a pattern of the whole names of months, as `month_words`."""
    return "|".join(_table()[language]["names"])


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    return load_table("months.toml")
