"""Persons of a note: names of many origins, and the forms in which notes write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from random import Random

from scrubjay.features.draws import Pool
from scrubjay.resources import load_table
from scrubjay.synthesis.pools import Half, lexicon_pool, make_pool, split_list, title, word_tables
from scrubjay.transform.name_words import listed_genders
from scrubjay.transform.nicknames import nickname_tables
from scrubjay.transform.surrogates.name_tables import name_tables

_APART = ("words", "dutch")  # drawn by their names alone


@dataclass(frozen=True, slots=True, repr=False)
class Person:
    """A person with one name through the whole note; `nick` is a short form or the first name.

    `style` is a number from 0 to 1 that decides what varies between persons: a middle initial,
    whether capitals of particles are kept.
    """

    first: str
    middle: str
    last: str
    suffix: str
    nick: str
    female: bool
    style: float


class Crowd:
    """Draws persons of a language from one half of the names."""

    def __init__(
        self, language: str, half: Half, own: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        own = own or {}
        self.language = language
        rows = [row.split() for row in split_list(word_tables(language)["persons"]["mix"])]
        self._mix = [
            (_first_names(first, half, own), _surnames(last, half, own)) for _, first, last in rows
        ]
        self._weights = tuple(accumulate(float(weight) for weight, _, _ in rows))
        self._nicknames = _nicknames(language)

    def surname(self, rng: Random) -> str:
        """Return a surname alone, as for a street or a firm."""
        return self._pair(rng)[1].draw(rng)

    def first_name(self, rng: Random) -> str:
        """Return a first name of either gender."""
        return self._pair(rng)[0][rng.random() < 0.5].draw(rng)

    def draw(self, rng: Random, *, female: bool | None = None) -> Person:
        """Return a person, of the given gender or of either."""
        if female is None:
            female = rng.random() < 0.5
        first_names, surnames = self._pair(rng)
        first = first_names[female].draw(rng)
        middle = first_names[female].draw(rng)
        if middle == first:
            middle = first_names[female].draw(rng)
        last = surnames.draw(rng)
        roll = rng.random()
        if self.language == "es":
            if roll < 0.72 and " " not in last:
                last = f"{last} {surnames.draw(rng)}"
            if rng.random() < 0.18 and " " not in first:
                first = f"{first} {middle}"
        elif roll < (0.1 if self.language == "nl" and female else 0.03) and "-" not in last:
            last = f"{last}-{surnames.draw(rng)}"
        elif roll < 0.04 and self.language == "en":
            last = f"{last} {surnames.draw(rng)}"
        if self.language == "en":
            last = _english_case(last, rng)
            if rng.random() < 0.012:
                first = f"{first}-{middle}"
            elif rng.random() < 0.012:
                first = f"{first} {middle}"
        suffix = ""
        if self.language == "en" and not female and rng.random() < 0.03:
            suffix = rng.choice(("Jr.", "Jr", "III", "Sr.", "II", "IV", "Sr"))
        nicks = self._nicknames[female].get(first.lower(), ())
        nick = rng.choice(nicks) if nicks else _shortened(first, rng)
        return Person(first, middle, last, suffix, nick, female, rng.random())

    def _pair(self, rng: Random) -> tuple[tuple[Pool, Pool], Pool]:
        point = rng.random() * self._weights[-1]
        for number, bound in enumerate(self._weights):
            if point < bound:
                return self._mix[number]
        return self._mix[-1]


def relate(person: Person, other: Person) -> Person:
    """Return the first person with the surname of the other."""
    return replace(person, last=other.last, suffix="")


def write_name(person: Person, form: str, language: str) -> str:
    """Return a person's name in a form of the template language ("" is first and last)."""
    first, last = person.first, person.last
    whole = f"{last} {person.suffix}" if person.suffix else last
    initial = first[0]
    if form == "":
        if language == "en" and person.style < 0.22:
            return f"{first} {person.middle[0]}{'.' if person.style < 0.17 else ''} {whole}"
        return f"{first} {whole}"
    if form == "first":
        return first
    if form == "last":
        return _alone(last, person, language)
    if form == "last-first":
        middle = f" {person.middle[0]}{'.' if person.style < 0.1 else ''}"
        return f"{_alone(whole, person, language)}, {first}" + (
            middle if language == "en" and person.style < 0.25 else ""
        )
    if form == "last-initial":
        return f"{_alone(last, person, language)}, {initial}."
    if form == "first-initial":
        return f"{first} {last[0].upper()}."
    if form == "initials":
        return _initials(person, language)
    if form == "formal":
        if person.style < 0.2:
            return f"{initial}.{person.middle[0]}. {whole}"
        if person.style < 0.3:
            return f"{initial}. {person.middle[0]}. {whole}"
        return f"{initial}{'' if person.style > 0.93 else '.'} {whole}"
    if form == "nick":
        return person.nick
    if form == "upper":
        comma = "," if person.style < 0.9 else ", "
        comma = ", " if person.style < 0.75 else comma
        return f"{whole}{comma}{first}".upper()
    if form == "full":
        return f"{first} {person.middle} {whole}"
    if form == "middle":
        return person.middle
    if form == "last-upper":
        return last.upper()
    if form == "first-upper":
        return first.upper()
    if form == "last-lower":
        return last.lower()
    if form == "first-lower":
        return first.lower()
    return f"{first} {last}".lower()


def _initials(person: Person, language: str) -> str:
    letters = [person.first[0], *(word[0] for word in person.last.replace("-", " ").split())]
    style = person.style
    if language == "nl":
        return _dutch_initials(letters, person)
    middle = [person.middle[0]] if style < 0.55 else []
    rows = [letters[0], *middle, letters[-1]]
    if style < 0.12:
        return ".".join(rows).upper() + "."
    if 0.9 < style < 0.97:
        return "".join(rows).lower()
    return "".join(rows).upper()


def _dutch_initials(letters: list[str], person: Person) -> str:
    """Return initials with those of the particles: "PvdZ", "pvdz", "P.v.d.Z.", "P.", "PZw"."""
    style = person.style
    if style < 0.28:
        return "".join(letters).lower()
    if style < 0.6:
        return "".join(letters)
    if style < 0.8:
        return "".join(f"{letter}." for letter in letters)
    if style < 0.9:
        return f"{letters[0]}."
    if style < 0.94:
        return letters[0]
    word = person.last.replace("-", " ").split()[-1]
    return f"{letters[0]}{word[:2].capitalize()}"


def _alone(last: str, person: Person, language: str) -> str:
    """Return a surname without a first name: Dutch then writes the particle with a capital."""
    if language == "nl" and last[:1].islower() and person.style < 0.5:
        return last[:1].upper() + last[1:]
    return last


def _english_case(last: str, rng: Random) -> str:
    """Return a surname whose particles have capitals or not: "De La Cruz", "van der Berg"."""
    if " " in last and rng.random() < 0.6:
        return " ".join(word[:1].upper() + word[1:] for word in last.split(" "))
    return last


def _shortened(first: str, rng: Random) -> str:
    word = first.replace("-", " ").split()[0]
    if len(word) > 5 and rng.random() < 0.5:
        stem = word[: 3 + int(rng.random() * 2)]
        return stem + rng.choice(("", "y", "ie", "i", "o")) if stem[-1] not in "aeiouy" else stem
    return first


def _first_names(source: str, half: Half, own: Mapping[str, tuple[str, ...]]) -> tuple[Pool, Pool]:
    """Return the male and the female first names of a source."""
    if "first-names" in own or "male" in own or "female" in own:
        both = own.get("first-names", ())
        male = own.get("male", both) or own["female"]
        female = own.get("female", both) or own["male"]
        return make_pool(male, half), make_pool(female, half)
    kind, _, name = source.partition(":")
    if kind == "own":
        male_names, female_names, _ = _group(name, half)
        return male_names, female_names
    if kind == "table":
        lists = name_tables()[name].lists
        return (
            make_pool(map(title, lists["male"]), half),
            make_pool(map(title, lists["female"]), half),
        )
    return _gendered(source, half)


@cache
def _gendered(lexicon: str, half: Half) -> tuple[Pool, Pool]:
    """Return a lexicon of first names as two pools; names of no known gender are in both."""
    pool = _lexicon(lexicon, "all")
    genders = listed_genders()
    weights = dict(zip(pool.entries, _differences(pool.cumulative), strict=True))
    told = {name: _gender(name.lower(), genders) for name in pool.entries}
    male = [name for name in pool.entries if told[name] != "female"]
    female = [name for name in pool.entries if told[name] != "male"]
    return make_pool(male, half, weights=weights), make_pool(female, half, weights=weights)


def _gender(name: str, genders: Mapping[str, str]) -> str:
    """Return what is known of a name, or of the first part of one such as "rosa maría"."""
    return genders.get(name) or genders.get(re.split(r"[ -]", name)[0], "")


def _differences(cumulative: tuple[float, ...]) -> list[float]:
    return [b - a for a, b in zip((0.0, *cumulative), cumulative, strict=False)]


def _surnames(source: str, half: Half, own: Mapping[str, tuple[str, ...]]) -> Pool:
    if "surnames" in own:
        return make_pool(own["surnames"], half)
    kind, _, name = source.partition(":")
    if kind == "own":
        return _group(name, half)[2]
    if kind == "table":
        return make_pool(map(title, name_tables()[name].lists["surnames"]), half)
    return _lexicon(source, half)


def _lexicon(source: str, half: Half) -> Pool:
    name, _, rarest = source.partition("@")
    if rarest:
        return lexicon_pool(name, half, title, rarest=int(rarest), unknown=False)
    return lexicon_pool(name, half, title)


@cache
def _groups() -> Mapping[str, Mapping[str, str]]:
    return load_table("synthesis", "shared.names.toml")


@cache
def _group(name: str, half: Half) -> tuple[Pool, Pool, Pool]:
    """Return male, female and surnames of a group of shared.names.toml, or of all but a few."""
    groups = _groups()
    chosen = [groups[name]] if name else [groups[key] for key in groups if key not in _APART]
    lists = [
        [entry for group in chosen for entry in split_list(group[kind])]
        for kind in ("male", "female", "surnames")
    ]
    male, female, surnames = (make_pool(rows, half) for rows in lists)
    return male, female, surnames


@cache
def _nicknames(
    language: str,
) -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, tuple[str, ...]]]:
    found = {
        table.gender: {name: tuple(map(title, forms)) for name, forms in table.forms.items()}
        for table in nickname_tables()
        if table.language == language
    }
    return found.get("male", {}), found.get("female", {})
