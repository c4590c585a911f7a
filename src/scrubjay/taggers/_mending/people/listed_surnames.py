"""Surnames that a list has before a first name: "DE LA FUENTE GIL, ROSA", "3. Coumbs, Arlene".

A tagger finds the first name, and often not what stands before its comma, or not the particles
before that (Spanish). In capitals the surnames may stand anywhere, else where a line begins. In
English it is one word there that is in no list: no everyday word, no term, no place and no key.
"""

from __future__ import annotations

import re

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.features.protected import protected_pieces, protected_terms
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


_UNLISTED = re.compile(r"[A-Z][a-z]{2,}(?:[-'’][A-Z][a-z]+)*\Z|[A-Z]{3,}(?:[-'’][A-Z]+)*\Z")
_HEAD = re.compile(r"(?:\A|[\r\n;])[ \t*•>-]{0,8}(?:#?\d{1,4}(?:-\d{1,2})?[.:)]?[ ]{1,4})?\Z")
_LONGEST = 32
_NO_SURNAMES = tuple(
    f"en.{kind}"
    for kind in (
        "cities", "countries", "regions", "relatives", "months", "weekdays", "credentials",
        "titles", "professions", "facility-words", "organization-words", "id-words", "demonyms",
        "date-words",
    )
)  # fmt: skip


def unlisted_begins(text: str, start: int, end: int) -> int:
    """Return where the one unlisted surname before an English first name begins, else `start`.

    The name of `[start, end)` stands behind a comma and a blank, the surname where an entry begins.
    """
    first = WORD.match(text, start, end)
    if (
        first is None
        or not is_first(first[0], "en")
        or text.startswith(("'s", "’s"), end)  # "Afia, Kofi's sister"
    ):
        return start
    begin, floor = start - 2, max(0, start - 2 - _LONGEST)
    while begin > floor and (text[begin - 1].isalpha() or text[begin - 1] in "-'’"):
        begin -= 1
    word = text[begin : start - 2]
    if (
        not _is_unlisted(word)
        or (word.isupper() and not first[0].isupper())
        or not _HEAD.search(text, max(0, begin - _AROUND), begin)
    ):
        return start
    return begin


@text_cache(2048)
def _is_unlisted(word: str) -> bool:
    """Tell whether a word in no list may be a surname: "Warmly" and "Metoprolol" are none."""
    lower = word.lower()
    return (
        _UNLISTED.match(word) is not None
        and not lower.endswith("ly")
        and not is_common(lower, "en")
        and lower not in protected_terms("en", spared=True)
        and lower not in protected_pieces("en", spared=True)
        and all(look_up(find_lexicon(name), lower) is None for name in _NO_SURNAMES)
    )
