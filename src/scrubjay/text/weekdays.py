"""How weekdays are written in the languages of this package: `resources/dates/LANGUAGE.toml`."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache

from scrubjay.resources import load_table

_MARKS = "\u0301"
"""What may be left out of a weekday: the accent of "mi\u00e9"."""


@cache
def weekday_forms(language: str) -> Mapping[str, frozenset[int]]:
    """Return how weekdays are written in a language ("en", "es", "nl"), each with what it may mean.

    Monday is 0. Words come in small letters, with a capital and in capitals, with and without
    accents; letters that stand for a day are capitals, and mean each day that begins with them.
    """
    table = load_table("dates", f"{language}.toml")
    letters = {(day, form) for day, forms in enumerate(table["weekday-letters"]) for form in forms}
    words = {(day, word) for row in table["weekdays"] for day, word in enumerate(row)}
    words |= {(day, form) for day, form in letters if len(form) > 1}
    found: dict[str, set[int]] = {}
    for day, word in words:
        for form in (word.lower(), word.capitalize(), word.upper()):
            for written in (form, _plain(form)):
                found.setdefault(written, set()).add(day)
    whole = [word.upper() for word in table["weekdays"][0]]
    for day, form in letters:
        if len(form) == 1:
            alike = (number for number, word in enumerate(whole) if word.startswith(form))
            found.setdefault(form, set()).update((day, *alike))
    return {form: frozenset(days) for form, days in found.items()}


def _plain(word: str) -> str:
    parts = unicodedata.normalize("NFD", word).replace(_MARKS, "")
    return unicodedata.normalize("NFC", parts)
