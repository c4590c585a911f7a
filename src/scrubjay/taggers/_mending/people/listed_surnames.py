"""Surnames that a list has before a first name: "DE LA FUENTE GIL, ROSA", "De la Fuente, Rosa".

A tagger finds the first name, and often not what stands before its comma, or not the particles
before that (Spanish). In capitals the surnames may stand anywhere, else where a line begins.
"""

from __future__ import annotations

import re

from scrubjay.taggers._mending.people.person_names import (
    WORD,
    is_common,
    is_first,
    is_often,
    rank_of,
)

_AROUND, _OFTEN = 60, 4
"""Characters before a first name, and the class up to which an everyday word is a surname."""

_PARTICLES = r"(?:de[ ]las?|de[ ]los|del|de|y|i|van|von|da|do|dos|la)"
_LOUD, _WRITTEN = (
    re.compile(
        rf"(?<![^\W_])(?:(?i:{_PARTICLES})[ ])?{word}"
        rf"(?:[ -](?:(?i:{_PARTICLES})[ ])?{word}){{0,3}}\Z"
    )
    for word in (r"[A-ZÀ-ÖØ-Þ]{2,20}", r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{1,20}")
)
_NAME = re.compile(r"[^\W\d_]+")
_ARTICLES = ("LA ", "LAS ", "LOS ")
_HEADS = frozenset(["de", "del", "la", "las", "los", "y", "i", "van", "von", "da", "do", "dos"])
_LINE = re.compile(r"(?:\A|[\r\n])[ \t*•-]{0,8}(?:\d{1,4}(?:-\d{1,2})?[.:)]?[ ]{1,4})?\Z")


def surnames_begin(text: str, start: int, end: int) -> int:
    """Return where the surnames before a first name of `[start, end)` begin, `start` for none.

    The name may have an article before its first surname: "DE" before "LA FUENTE, ROSA".
    """
    if text.startswith(_ARTICLES, start) and text[start - 3 : start] == "DE ":
        before = text[start - 4 : start - 3]
        return start if before.isalnum() or before == "_" else start - 3
    first = WORD.match(text, start, end)
    if text[start - 2 : start] != ", " or first is None or not is_first(first[0], "es"):
        return start
    is_loud = len(first[0]) > 1 and first[0].isupper()
    floor = max(0, start - _AROUND)
    found = (_LOUD if is_loud else _WRITTEN).search(text, floor, start - 2)
    if found is None or (floor and found.start() == floor):
        return start
    begin = _first_surname(text, found)
    if begin == found.end() or (not is_loud and not _LINE.search(text, floor, begin)):
        return start
    return begin


def _first_surname(text: str, found: re.Match[str]) -> int:
    """Return where the surnames begin with which a run of words ends, with their particles."""
    begin, is_read = found.end(), False
    for word in reversed(list(_NAME.finditer(text, found.start(), found.end()))):
        if word[0].lower() in _HEADS:
            begin = word.start() if is_read else begin
        elif _is_surname(word[0]):
            begin, is_read = word.start(), True
        else:
            break
    return begin


def _is_surname(word: str) -> bool:
    if is_common(word.lower(), "es"):
        return is_often("surnames", word, "es", most=_OFTEN)
    return rank_of("surnames", word, "es") > 0
