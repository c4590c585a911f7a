"""Numbers as they are dictated: "five five five, double two" becomes "nine zero four, one seven".

Letters drawn for letters would read as nothing, and the lengths of the words would tell the digits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from scrubjay.transform._ages import age_words
from scrubjay.transform.surrogates._fresh import LONGER, Characters
from scrubjay.transform.surrogates._tables import find_words
from scrubjay.transform.surrogates.draw import Draw, fold

_APART = re.compile(r"[\s,;.()/–-]*")
_DIGIT = re.compile(r"\d")
_LEAST = 2
"""Digits that such a number has at least."""


def say_another(text: str, draw: Draw, attempt: int, *, language: str) -> str:
    """Return other digits in words, as many as a number in words has, with what is between them.

    Letters that are said among them become others. Returns "" where the text has other words or
    figures, and for late attempts: there digits in words may be used up.
    """
    if attempt >= LONGER or not text[:1].isalpha() or _DIGIT.search(text):
        return ""
    said, pattern = _said(language)
    words = pattern.findall(text)
    worth = [said.get(_key(word), 0) for word in words]
    if sum(worth) < _LEAST or not _APART.fullmatch(pattern.sub("", text)):
        return ""
    characters = Characters(draw, "said", fold(text), str(attempt))

    def other(match: re.Match[str]) -> str:
        word = match[0]
        count = said.get(_key(word))
        if count is None:
            return characters.like(word)
        new = " ".join(_digits(language)[characters.below(10)] for _ in range(count)) or word
        if word.isupper() and len(word) > 1:
            return new.upper()
        return new.capitalize() if word[0].isupper() else new

    return pattern.sub(other, text)


def _key(written: str) -> str:
    return " ".join(written.lower().split())


@cache
def _digits(language: str) -> tuple[str, ...]:
    """Return the words of 0 to 9."""
    values = age_words(language).values
    return tuple(next(word for word, value in values.items() if value == n) for n in range(10))


@cache
def _said(language: str) -> tuple[Mapping[str, int], re.Pattern[str]]:
    """Return the digits that each word or phrase is worth, and what finds them, and lone letters.

    A word that is worth none stays.
    """
    values = age_words(language).values
    said = {phrase: len(str(value)) for phrase, value in values.items()}
    said |= find_words(language).said
    phrases = sorted(said, key=lambda phrase: (-len(phrase), phrase))
    alternatives = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases)
    found = rf"(?<![^\W\d_])(?:{alternatives}|[^\W\d_])(?![^\W\d_])"
    return said, re.compile(found, re.IGNORECASE)
