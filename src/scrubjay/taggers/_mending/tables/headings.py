"""What heads the columns of tables, and which cells say that nothing or nobody stands there.

The words are those of `resources/tables`, a file for each language.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import TYPE_CHECKING

from scrubjay.caching import text_cache

if TYPE_CHECKING:
    from collections.abc import Mapping

STAFF, SIGNED, PATIENT, PERSON, RELATIVE, AGE, DATE, PHONE, IDENT, CLINICAL, OTHER = (
    "staff", "signed", "patient", "person", "relative", "age", "date", "phone", "ident", "clinical",
    "other",
)  # fmt: skip
"""What a column may hold by its heading."""

KINDS = (STAFF, SIGNED, PATIENT, PERSON, RELATIVE, AGE, DATE, PHONE, IDENT, CLINICAL, OTHER)

_BLANK = "blank"
_MARKS = " \t.:#*?!()[]-–—_=\"'"
_LONGEST = 28
_TEXT = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Headings:
    """What the headings of a language stand for, and the words of cells that say nothing."""

    kinds: Mapping[str, str]
    blanks: frozenset[str]


def has_headings(language: str) -> bool:
    """Tell whether the headings of a language are known."""
    return _file(language).is_file()


@cache
def find_headings(language: str) -> Headings:
    """Return the headings of a language; it has none if nothing is known of them."""
    if not has_headings(language):
        return Headings(MappingProxyType({}), frozenset())
    listed = tomllib.loads(_file(language).read_text(encoding="utf-8"))
    kinds: dict[str, str] = {}
    for kind in KINDS:
        for word in _words(listed[kind]):
            kinds.setdefault(word, kind)
    return Headings(MappingProxyType(kinds), frozenset(_words(listed[_BLANK])))


def _file(language: str) -> Traversable:
    return resources.files("scrubjay.resources").joinpath("tables", f"{language}.toml")


def _words(listed: str) -> list[str]:
    return [word for part in listed.split(",") if (word := " ".join(part.split()).strip(_MARKS))]


@text_cache(8192)
def heading_kind(cell: str, language: str) -> str:
    """Return what a column holds by its heading; the empty string if that tells nothing."""
    if len(cell) > _LONGEST:
        return ""
    kinds = find_headings(language).kinds
    word = " ".join(cell.lower().split()).strip(_MARKS)
    found = kinds.get(word)
    if found is None and ":" not in word and not any(map(str.isdigit, word)):
        for sign in ("/", "(", ","):
            head = word.partition(sign)[0].strip(_MARKS)
            if head != word:
                found = found or kinds.get(head)
        if found is None and kinds.get(word.partition(" ")[0]) == AGE:
            found = AGE
    return found or ""


@text_cache(8192)
def is_blank(cell: str, language: str) -> bool:
    """Tell whether a cell says that nothing or nobody stands there."""
    if _TEXT.search(cell) is None:
        return True
    word = " ".join(cell.lower().split()).strip(_MARKS)
    return word in find_headings(language).blanks
