"""How numbers are said digit by digit in the languages of this package: `resources/digits.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from scrubjay.resources import load_table

AGAIN = "+"
"""Stands for a digit that is the next one once more: "double"."""


def digit_words(language: str) -> tuple[str, ...]:
    """Return the words of 0 to 9 in a language ("en", "es", "nl")."""
    return tuple(_table()[language]["digits"])


def words_among_digits(language: str) -> Mapping[str, str]:
    """Return what else is said among digits, with the digits (and `AGAIN`) that it stands for."""
    among: Mapping[str, str] = _table()[language]["among"]
    return among


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    return load_table("digits.toml")
