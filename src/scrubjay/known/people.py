"""Names of persons, taken apart: what to look for in a text so as to find a person's mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from scrubjay.features.lexicons import Lexicon, find_lexicon, look_up
from scrubjay.features.protected import BARE_EPONYM, protected_pieces, protected_terms
from scrubjay.known.identifiers import KnownName, NameKind
from scrubjay.known.words import word_keys
from scrubjay.languages import LANGUAGES
from scrubjay.text.particles import WITHIN
from scrubjay.transform.nicknames import nickname_tables

TITLES = frozenset([
    "mr", "mrs", "ms", "mx", "miss", "mister", "dr", "prof", "sra", "srta", "señor", "señora",
    "senor", "senora", "don", "doña", "dona", "dna", "dhr", "mevr", "mw", "mevrouw", "meneer",
    "heer", "drs", "ing", "fam", "family", "familie", "familia",
])  # fmt: skip
_SUFFIXES = frozenset([
    "jr", "sr", "ii", "iii", "iv", "md", "phd", "rn", "np", "pa", "esq",
])  # fmt: skip
# Words inside names that name nobody by themselves.
PARTICLES = WITHIN | {"al", "el", "le", "abu"}
_PIECES = re.compile(r"[\s\-‐‑–]+")
_LEAST_COMPOUND = 5
_ENGLISH, _CALLINGS = "en", ("professions", "titles")
_SELDOM = 5
"""The class from which on an everyday word is seldom used."""


class Strength(IntEnum):
    """How far a word points to a person on its own."""

    WEAK = 0
    """Only beside another word of the name: particles, suffixes, single letters."""
    COMMON = 1
    """Also an everyday word, or very short: only where it is written like a name."""
    STRONG = 2


@cache
def common_words(language: str) -> frozenset[str]:
    """Return the everyday words of a language, those of English where it has no list."""
    return frozenset(find_lexicon(f"{language if language in LANGUAGES else 'en'}.common"))


@cache
def is_also_a_name(key: str) -> bool:
    """Tell whether a lexicon of first names or surnames holds the word."""
    return is_surname(key) or _is_listed(key, "first-names")


def is_surname(key: str) -> bool:
    """Tell whether a lexicon of surnames holds the word."""
    return _is_listed(key, "surnames")


def _is_listed(key: str, kind: str) -> bool:
    return any(key in lexicon for lexicon in _lexicons_of(kind))


@cache
def _lexicons_of(kind: str) -> tuple[Lexicon, ...]:
    return tuple(find_lexicon(f"{place}.{kind}") for place in (*LANGUAGES, "world"))


def is_seldom_word(key: str, language: str) -> bool:
    """Tell whether a name is a seldom everyday word, too, and one of persons: "graves", "rice".

    None is what somebody is or part of a clinical term ("captain", "colon"), but for terms that
    are called after somebody. English alone: what is seldom elsewhere begins sentences often.
    """
    use = look_up(find_lexicon(f"{_ENGLISH}.common"), key) if language == _ENGLISH else None
    if use is None or use < _SELDOM or not is_also_a_name(key):
        return False
    if any(look_up(find_lexicon(f"{_ENGLISH}.{kind}"), key) is not None for kind in _CALLINGS):
        return False
    return (
        key not in protected_pieces(language) or protected_terms(language).get(key) == BARE_EPONYM
    )


def strength_of(key: str, language: str) -> Strength:
    """Return how far a part of a name points to a person on its own."""
    if len(key) < 2 or key in PARTICLES or key in _SUFFIXES:
        return Strength.WEAK
    if len(key) == 2 or key in common_words(language):
        return Strength.COMMON
    return Strength.STRONG


@dataclass(frozen=True, slots=True, repr=False)
class Person:
    """A person to look for.

    `words` are the keys of the parts of the name, with their strength; `compounds` the keys of
    parts that may be written as one or in pieces ("obrien", "vanderberg"); `initials` the first
    letters of the parts, and `orders` the initials in order, for "J.S." on its own.
    """

    kind: NameKind
    words: dict[str, Strength]
    compounds: frozenset[str]
    initials: frozenset[str]
    orders: frozenset[str]


def split_name(text: str, *, kind: NameKind = "name", surnames: int = 1) -> KnownName:
    """Return a whole name taken apart: `LAST, FIRST` at a comma, else the last parts are family.

    Titles are left out. `surnames` is how many family names close a name of more than two parts
    (two in Spanish); particles belong to the family name after them.
    """
    before, comma, after = text.partition(",")
    if comma and _parts(after) and not set(word_keys(after)) <= _SUFFIXES:
        return KnownName(kind, tuple(_parts(after)), tuple(_parts(before)))
    parts = _parts(text)
    keys = ["".join(word_keys(part)) for part in parts]
    end = len(parts)
    while end > 1 and keys[end - 1] in _SUFFIXES:
        end -= 1
    if end < 2:
        return KnownName(kind, (), tuple(parts))
    border = end - (surnames if end > 2 else 1)
    while border > 1 and keys[border - 1] in PARTICLES:
        border -= 1
    return KnownName(kind, tuple(parts[:border]), tuple(parts[border:]))


def _parts(text: str) -> list[str]:
    parts = [part for part in _PIECES.split(text.replace(",", " ")) if word_keys(part)]
    while len(parts) > 1 and word_keys(parts[0]) and word_keys(parts[0])[0] in TITLES:
        parts = parts[1:]
    return parts


def make_person(name: KnownName, *, language: str) -> Person:
    """Return what to look for to find a person; `language` decides which parts are words."""
    given, family, others = (
        [word_keys(piece) for entry in entries for piece in _parts(entry)]
        for entries in (name.given, name.family, (*name.others, *nicknames(name.given)))
    )
    words: dict[str, Strength] = {}
    compounds: set[str] = set()
    alone = {"".join(group[0]) for group in (given, family) if len(group) == 1}
    for keys in (*given, *family, *others):
        joined = "".join(keys)
        if len(joined) < 2:  # an initial
            continue
        strength = strength_of(joined, language)
        # A family may be called by what is a particle elsewhere: Le, Van.
        words[joined] = max(strength, Strength.COMMON) if joined in alone else strength
        if len(keys) > 1:
            compounds.add(joined)
    for ordered in ([*given, *family], [*family, *given]):
        compounds.update(_joins(["".join(keys) for keys in ordered]))
    firsts = [keys[0][0] for keys in given]
    lasts = [key[0] for keys in family if (key := keys[0]) not in PARTICLES | _SUFFIXES]
    orders = {"".join([*firsts, *lasts]), "".join([*firsts[:1], *lasts[:1]])}
    return Person(
        name.kind,
        words,
        frozenset(key for key in compounds if len(key) >= _LEAST_COMPOUND or key in words),
        frozenset([*firsts, *lasts]),
        frozenset(order for order in orders if len(order) > 1 and firsts and lasts),
    )


def _joins(parts: Sequence[str]) -> Iterable[str]:
    """Yield what two or three neighbouring parts look like when they are written as one."""
    for size in (2, 3):
        for first in range(len(parts) - size + 1):
            yield "".join(parts[first : first + size])


def nicknames(given: Iterable[str]) -> tuple[str, ...]:
    """Return the names that people with these given names also go by, sorted."""
    groups = nickname_groups()
    found = {
        other for name in given for piece in _parts(name)
        for other in groups.get("".join(word_keys(piece)), ())
    }  # fmt: skip
    return tuple(sorted(found))


@cache
def nickname_groups() -> dict[str, frozenset[str]]:
    """Return each first name with what its bearers are also called, as keys, in all languages.

    A short form goes with the names that it stands for and with their other short forms.
    """
    groups: dict[str, set[str]] = {}
    for table in nickname_tables():
        for name, short_forms in table.forms.items():
            members = {"".join(word_keys(entry)) for entry in (name, *short_forms)}
            for member in members:
                groups.setdefault(member, set()).update(members - {member})
    return {name: frozenset(others) for name, others in groups.items()}
