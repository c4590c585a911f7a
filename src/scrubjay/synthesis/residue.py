"""Residual PHI: what looks real in a text, is replaced by nothing, and must not teach a model.

It errs on the side of marking: a drug that no list has is taken for a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from scrubjay.features.lexicons import Lexicon, find_lexicon, lexicon_names
from scrubjay.synthesis.implant_tables import Tables

_WORD = re.compile(r"(?<![\w'’])[^\W\d_]+(?:['’-][^\W\d_]+)*")
_TITLE_CASE = re.compile(r"(?:(?:Mc|Mac|De|O['’])?[A-ZÀ-Þ][a-zß-ÿ]+(?:['’][a-z]+)?-?)+")
_BEGINS = re.compile(r"(?:^|[.:;?!•*>)\]-]\s*|\n\s*|\d[.)]\s*|[\"“]\s*)$")
_PLAIN_LISTS = ("common", "titles", "relatives", "facility-words", "organization-words",
                "credentials", "id-words")  # fmt: skip
_NAME_LISTS = ("first-names", "surnames", "cities", "regions", "countries")
_FREQUENT = 5
"""Names of this class of frequency and more frequent ones are told where they are words, too."""


def find_residue(text: str, tables: Tables) -> tuple[tuple[int, int], ...]:
    """Return what looks like PHI by patterns, and names; unsorted, and may overlap."""
    patterns = (match.span() for find in tables.residue for match in find.finditer(text))
    return (*(span for span in patterns if span[0] < span[1]), *_names(text, tables))


def _names(text: str, tables: Tables) -> Iterator[tuple[int, int]]:
    """Yield the words that may be names: known ones, and in a sentence unknown ones."""
    language = tables.language
    matches = list(_WORD.finditer(text))
    small = {match[0] for match in matches if match[0].islower()} | tables.plain
    upper_before = False
    for number, match in enumerate(matches):
        word = match[0]
        key = word.lower()
        if len(word) > 2 and word.isupper():
            after = matches[number + 1][0] if number + 1 < len(matches) else ""
            named = _is_name(key, language) and not _is_plain(key, language) and key not in small
            if named and (upper_before or (after.isupper() and _is_name(after.lower(), language))):
                yield match.span()
            upper_before = named
            continue
        upper_before = False
        if len(word) < 3 or not _TITLE_CASE.fullmatch(word):
            continue
        if _looks_like_name(key, text, match.start(), small, language):
            yield match.span()


def _looks_like_name(key: str, text: str, start: int, small: set[str], language: str) -> bool:
    bare = re.sub(r"['’]s$", "", key)
    if _is_clinical(bare, language):
        return False
    plain = small.issuperset(bare.split("-")) or _is_plain(key, language)
    if _BEGINS.search(text, max(0, start - 6), start) or start == 0:
        return not plain and _is_name(key, language)
    if not plain:
        return True
    if _in_heading(text, start):
        return False
    lists = (find_lexicon(f"{language}.first-names"), find_lexicon(f"{language}.surnames"))
    return any(0 < lexicon.get(key, 0) <= _FREQUENT for lexicon in lists)


def _in_heading(text: str, start: int) -> bool:
    """Tell whether most words of the line begin with a capital."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    words: list[str] = _WORD.findall(text[first : last if last >= 0 else len(text)])
    return 2 * sum(word[0].isupper() for word in words) > len(words)


@cache
def _is_plain(word: str, language: str) -> bool:
    """Tell whether a word, or all parts of one with hyphens, is no name by some list."""
    known = _lexicons(tuple(f"{language}.{name}" for name in _PLAIN_LISTS))
    parts = re.split(r"[-'’]", re.sub(r"['’]s$", "", word))
    return all(
        any(part in lexicon for lexicon in known)
        or any(part.endswith(end) and part[: -len(end)] in known[0] for end in ("s", "es", "ed"))
        for part in parts
        if len(part) > 1
    )


@cache
def _is_clinical(word: str, language: str) -> bool:
    """Tell whether a word, or each part of one with hyphens, names a drug, a disease or people."""
    lists = ("world.drugs", "world.eponyms", f"{language}.eponyms", f"{language}.demonyms")
    known = _lexicons(lists)
    return all(any(part in lexicon for lexicon in known) for part in word.split("-"))


@cache
def _is_name(word: str, language: str) -> bool:
    key = re.sub(r"['’]s$", "", word)
    return any(
        key in lexicon for lexicon in _lexicons(tuple(f"{language}.{n}" for n in _NAME_LISTS))
    )


@cache
def _lexicons(names: tuple[str, ...]) -> tuple[Lexicon, ...]:
    """Return those of the lists that there are."""
    there = set(lexicon_names())
    return tuple(find_lexicon(name) for name in names if name in there)
