"""Numbers as they are dictated: "five five five, double two" becomes "nine zero four, one seven".

Letters drawn for letters would read as nothing, and the lengths of the words would tell the digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from scrubjay.features.lexicons import find_lexicon, normal_word
from scrubjay.text.numerals import AGAIN, numerals, words_among_digits
from scrubjay.transform._ages import age_words
from scrubjay.transform.surrogates._fresh import LONGER, Characters
from scrubjay.transform.surrogates.draw import Draw, fold

_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\W_])")
"""A word of letters: most numbers have none."""
_APART = re.compile(r"[\s,;.()/–+-]*")
_FIGURES_GLUED = re.compile("[0-9]")
_STAYING = ("id-words", "common")
_LEAST = 2
"""Digits that such a number has at least."""

Renew = Callable[[str, Characters], str]
"""Gives other digits for those of a number, as many where they can be said."""


def say_another(
    text: str,
    draw: Draw,
    attempt: int,
    *,
    language: str,
    renew: Renew | None = None,
    among_words: bool = False,
) -> str:
    """Return other digits for a number in words, as many, with what is between them.

    Those that it has in figures stay figures, and letters that are said among them become others.
    `renew` gives the digits where all of them are told; else each is drawn by itself. With
    `among_words` it may have other words beside two of numbers: everyday ones and those that
    announce a number stay, the letters of others change. Returns "" where the text has other words,
    or none of numbers, and for late attempts: there digits in words may be used up.
    """
    alone = _WORD.findall(text) if attempt < LONGER else ()
    if not alone:
        return ""
    said, pattern = _said(language)
    if not any(map(said.get, map(str.lower, alone))):
        return ""
    words = pattern.findall(text)
    worth = [word if word.isdecimal() else said.get(_key(word)) for word in words]
    count = sum(map(len, filter(None, worth)))
    others = pattern.sub("", text)
    if not _APART.fullmatch(others):
        spoken = sum(1 for word in words if said.get(_key(word)))
        if not among_words or spoken < _LEAST or _FIGURES_GLUED.search(others):
            return ""
    if count < _LEAST:
        return ""
    characters = Characters(draw, "said", fold(text), str(attempt))
    new = renew(_told(worth), characters) if renew is not None and None not in worth else ""
    digits = iter(new if len(new) == count else characters.digits(count))

    def other(match: re.Match[str]) -> str:
        word = match[0]
        old = word if word.isdecimal() else said.get(_key(word))
        if old is None:
            return characters.like(word)
        drawn = [next(digits) for _ in old]
        if word.isdecimal():
            return "".join(drawn)
        spoken = " ".join(numerals(language)[int(digit)] for digit in drawn) or word
        if word.isupper() and len(word) > 1:
            return spoken.upper()
        return spoken.capitalize() if word[0].isupper() else spoken

    def other_word(match: re.Match[str]) -> str:
        if _key(match[0]) in said or any(
            normal_word(match[0]) in find_lexicon(f"{language}.{kind}") for kind in _STAYING
        ):
            return match[0]
        return "".join(map(characters.like, match[0]))

    return pattern.sub(other, _WORD.sub(other_word, text))


def _told(worth: Sequence[str | None]) -> str:
    """Return the digits of a number, those that are one once more written out."""
    digits = ""
    for part in reversed(worth):
        for sign in reversed(part or ""):
            digits = (digits[:1] or "0" if sign == AGAIN else sign) + digits
    return digits


def _key(written: str) -> str:
    return " ".join(written.lower().split())


@cache
def _said(language: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """Return the digits that each word or phrase stands for, and what finds them, lone letters and
    figures.

    A word that stands for none stays.
    """
    among = words_among_digits(language)
    values = age_words(language).values.items()
    # "Eight hundred five five five": no phrase begins with a word that has digits of its own.
    said = {phrase: str(value) for phrase, value in values if phrase.split()[0] not in among}
    said |= among
    phrases = sorted(said, key=lambda phrase: (-len(phrase), phrase))
    alternatives = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases)
    found = rf"(?<![^\W_])(?:{alternatives}|[^\W\d_]|[0-9]+)(?![^\W_])"
    return said, re.compile(found, re.IGNORECASE)
