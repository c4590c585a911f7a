"""What heads the columns of tables, and which cells say that nothing or nobody stands there.

The words are those of `resources/tables`, a file for each language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from scrubjay.caching import LONGEST_KEPT, text_cache
from scrubjay.features.lexicons import look_up, shipped_lexicons
from scrubjay.resources import load_table, resource

if TYPE_CHECKING:
    from collections.abc import Mapping

(
    STAFF, SIGNED, CODED, PATIENT, PERSON, RELATIVE, AGE, DATE, PHONE, CALL, IDENT, NUMBER,
    ROOM, SEX, INSURER, LOGIN, FACILITY, CLINICAL, PLAIN, OTHER,
) = (
    "staff", "signed", "coded", "patient", "person", "relative", "age", "date", "phone", "call",
    "ident", "number", "room", "sex", "insurer", "login", "facility", "clinical", "plain", "other",
)  # fmt: skip
"""What a column may hold by its heading."""

KINDS = (
    STAFF, SIGNED, CODED, PATIENT, PERSON, RELATIVE, AGE, DATE, PHONE, CALL, IDENT, NUMBER,
    ROOM, SEX, INSURER, LOGIN, FACILITY, CLINICAL, PLAIN, OTHER,
)  # fmt: skip

ROTA = "rota"
"""What the columns of days hold, all together: who is on duty."""

_BLANK, _ANSWER, _VAGUE = "blank", "answer", "vague"
_MARKS = " \t.:#*?!()[]-–—_=\"'"
_LONGEST = 28
_PARTS = re.compile(r"/|[(].*")
_DATES = frozenset({"date", "datum", "fecha"})
_TEXT = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Headings:
    """What the headings of a language stand for, and the words of cells that say nothing.

    `answers` look like initials or names: "SR", "NC", "bd", "III", "good"; `vague` headings
    head such answers as well as persons.
    """

    kinds: Mapping[str, str]
    blanks: frozenset[str]
    answers: frozenset[str] = frozenset()
    vague: frozenset[str] = frozenset()


def has_headings(language: str) -> bool:
    """Tell whether the headings of a language are known."""
    return resource("tables", f"{language}.toml").is_file()


@cache
def find_headings(language: str) -> Headings:
    """Return the headings of a language; it has none if nothing is known of them."""
    if not has_headings(language):
        return Headings(MappingProxyType({}), frozenset())
    listed = load_table("tables", f"{language}.toml")
    kinds: dict[str, str] = {}
    for kind in KINDS:
        for word in _words(listed.get(kind, "")):
            kinds.setdefault(word, kind)
    return Headings(
        MappingProxyType(kinds),
        frozenset(_words(listed[_BLANK])),
        frozenset(_words(listed[_ANSWER])),
        frozenset(_words(listed[_VAGUE])),
    )


def _words(listed: str) -> list[str]:
    return [word for part in listed.split(",") if (word := " ".join(part.split()).strip(_MARKS))]


def heading_kind(cell: str, language: str) -> str:
    """Return what a column holds by its heading; the empty string if that tells nothing."""
    # Long cells are no headings, and would empty the cache.
    return _kind_of(cell, language) if len(cell) <= _LONGEST else ""


@text_cache(8192)
def _kind_of(cell: str, language: str) -> str:
    if cell == "#":
        return PLAIN
    kinds = find_headings(language).kinds
    word = " ".join(cell.lower().split()).strip(_MARKS)
    found = kinds.get(word)
    if found is None and ":" not in word and not any(map(str.isdigit, word)):
        words = [part.strip(_MARKS) for part in _PARTS.split(word)]
        parts = [kinds.get(part, "") for part in words]
        # "sex/age" holds ages, and "drug / nurse" both; of "Na/K" the letter is no room.
        told = [
            kind
            for part, kind in zip(words, parts, strict=True)
            if kind not in (CLINICAL, PLAIN, "") and not (kind == ROOM and len(part) == 1)
        ]
        if len(parts) > 1 and told:
            found = AGE if AGE in told else told[0]
        if found is None:
            words = word.split()
            if words and kinds.get(words[0]) == AGE:
                found = AGE  # "age at onset"
            elif not _DATES.isdisjoint(words):
                found = DATE
    return found or ""


def is_weekday(cell: str, language: str) -> bool:
    """Tell whether a cell begins with a day of the week: "Lun 3", "MON", "za 2"."""
    return len(cell) <= _LONGEST and _is_weekday(cell.split(" ", 1)[0], language)


@text_cache(8192)
def _is_weekday(word: str, language: str) -> bool:
    return any(
        look_up(lexicon, word) is not None for lexicon in shipped_lexicons(language, "weekdays")
    )


def is_part_of_date(word: str, language: str) -> bool:
    """Tell whether a word is a day of the week or a month."""
    return any(
        look_up(lexicon, word.strip(_MARKS)) is not None
        for kind in ("weekdays", "months")
        for lexicon in shipped_lexicons(language, kind)
    )


def is_blank(cell: str, language: str) -> bool:
    """Tell whether a cell says that nothing or nobody stands there."""
    return (_is_blank if len(cell) <= LONGEST_KEPT else _is_blank_anew)(cell, language)


def _is_blank_anew(cell: str, language: str) -> bool:
    if _TEXT.search(cell) is None:
        return True
    word = " ".join(cell.lower().split()).strip(_MARKS)
    return word in find_headings(language).blanks


_is_blank = text_cache(8192)(_is_blank_anew)


def is_answer(cell: str, language: str) -> bool:
    """Tell whether what looks like initials or a name is a rhythm, a route or a state as well."""
    return cell.lower() in find_headings(language).answers


def is_vague(cell: str, language: str) -> bool:
    """Tell whether a heading of persons heads what they did, or how they are, as well."""
    word = " ".join(cell.lower().split()).strip(_MARKS)
    return word in find_headings(language).vague
