"""Numbers in words, how they are said digit by digit (`resources/numerals.toml`), and ordinals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from scrubjay.resources import load_table

AGAIN = "+"
"""Stands for a digit that is the next one once more: "double"."""
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


@cache
def numerals(language: str) -> tuple[str, ...]:
    """Return the words of 0 to 120 in a language ("en", "es", "nl")."""
    table = _table()[language]
    words = list(table["small"])
    for tens in table["tens"]:
        words.append(tens)
        for unit in words[1:10]:
            form = table.get("after-e", table["compound"]) if unit[-1] == "e" else table["compound"]
            words.append(form.format(tens=tens, unit=unit))
    over = (table["over-hundred"].format(rest=rest) for rest in words[1:21])
    return (*words, table["hundred"], *over)


def english_ending(number: int) -> str:
    """Return what is glued to an English ordinal in figures: "st" of 1, "nd" of 22, "th" of 113."""
    return "th" if 10 <= number % 100 <= 20 else _ENDINGS.get(number % 10, "th")


def words_among_digits(language: str) -> Mapping[str, str]:
    """Return what else is said among digits, with the digits (and `AGAIN`) that it stands for."""
    among: Mapping[str, str] = _table()[language]["among"]
    return among


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    return load_table("numerals.toml")
