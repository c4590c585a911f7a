"""Abbreviations in English, Spanish and Dutch, by what a period after them means.

The words themselves are data: `abbreviations.txt`, beside this file.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

GROUPS = ("title", "inner", "number", "closing")


@cache
def abbreviations(group: str) -> frozenset[str]:
    """Return the abbreviations of one group, of all languages, in lower case.

    `title` and `inner` never end a sentence, `number` ends none where a digit follows, and
    `closing` may end one. None has its final period.
    """
    if group not in GROUPS:
        raise ValueError(f"unknown group {group!r}; known: {', '.join(GROUPS)}")
    listing = resources.files("scrubjay.text").joinpath("abbreviations.txt")
    words: set[str] = set()
    inside = False
    for line in listing.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            inside = line.split()[0] == f"[{group}"
        elif inside and not line.startswith("#"):
            words.update(line.split())
    return frozenset(words)


@cache
def _with_own_period() -> frozenset[str]:
    return abbreviations("title") | abbreviations("inner") | abbreviations("closing")


def is_abbreviation(word: str) -> bool:
    """Tell whether a period right after `word` belongs to it.

    True for a single letter (an initial), for letters with periods between them (`M.D`) and
    for the known abbreviations, save those that are ordinary words too (`no`).
    """
    folded = word.casefold()
    if folded in _with_own_period():
        return True
    return all(len(part) == 1 and part.isalpha() for part in folded.split("."))
