"""The words of doses: their units, what is dosed, and what a scheme of doses may say besides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.resources import load_table

SOURCE = "dose-week"
"""The source of the weekdays that are put among the spans beside doses."""
WORD = re.compile(r"[^\W\d_½¼¾⅓⅔]+")


def is_drug(word: str) -> bool:
    """Tell whether a word is what is dosed: a drug by any of its names."""
    return (
        word.lower() in _words()["drugs"] or look_up(find_lexicon("world.drugs"), word) is not None
    )


def may_follow_drug(word: str) -> bool:
    """Tell whether a word may stand between a drug and its scheme: "schema", "mg"."""
    return word.lower() in _words()["schemes"] or word in _words()["units"]


@cache
def unit_pattern() -> str:
    """Return an expression of a unit right behind an amount: " mg", "E."."""
    units = _words()["units"]
    return (
        rf"[ ]?(?:(?i:{either(word for word in units if word.islower())})|"
        rf"{either(word for word in units if not word.islower())})(?![^\W_])[.]?"
    )


def either(words: Iterable[str]) -> str:
    """Return an expression of any of some words, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


@cache
def _words() -> Mapping[str, frozenset[str]]:
    return {kind: frozenset(words) for kind, words in load_table("dose-words.toml").items()}
