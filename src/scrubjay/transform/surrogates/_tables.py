"""The tables behind surrogates of places and names: `resources/surrogates`, read once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.features.lexicons import find_lexicon, fold_accents
from scrubjay.resources import load_table, table_names
from scrubjay.transform.name_words import find_name_words
from scrubjay.transform.surrogates.draw import fold

DEFAULT_LANGUAGE = "en"
_NAME = re.compile(r"[^\W\d_]{4,9}")
_COMMON_CLASS = 6  # names of the 32,000 most frequent ranks: what readers take for a name


@dataclass(frozen=True, slots=True)
class Area:
    """A town with its surroundings: what of it fits together.

    `key` is `country.CODE`; `wide` holds the names of the larger region around it, if any.
    """

    key: str
    country: str
    code: str
    region: str
    short: str
    wide: tuple[str, ...]
    zips: tuple[str, ...]
    phones: tuple[str, ...]
    towns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Country:
    """A country with areas: its names, the form of its postal codes, where records of it go.

    `before` are the words that may stand before a region ("Co. Cork"); made-up notes of
    `scrubjay.synthesis` are from no country that is not `invented`.
    """

    key: str
    names: tuple[str, ...]
    code: re.Pattern[str]
    tail: str
    gap: int
    moves: tuple[str, ...]
    before: tuple[str, ...]
    invented: bool


@dataclass(frozen=True, slots=True, repr=False)
class Places:
    """The places of a language. The mappings of names have folded keys (`draw.fold`).

    `nation_keys` are those of `nations`, and `spoken_of` those that each adjective is of.

    `regions` and `towns` give the key of the area by a name; a town of two areas is in none,
    unless one calls it its own. `phones` gives it by a prefix, `own_phones` by that in a country.
    `forms` gives for each area all names that tell it, `starts` the area by country and by the
    beginning of an old postal code.
    """

    home: str
    countries: Mapping[str, Country]
    areas: Mapping[str, Area]
    by_country: Mapping[str, tuple[str, ...]]
    regions: Mapping[str, str]
    towns: Mapping[str, str]
    forms: Mapping[str, frozenset[str]]
    starts: Mapping[str, Mapping[str, str]]
    phones: Mapping[str, str]
    own_phones: Mapping[tuple[str, str], str]
    names: Mapping[str, str]
    nations: Mapping[str, tuple[str, ...]]
    adjectives: Mapping[str, tuple[str, int]]
    nation_keys: frozenset[str]
    spoken_of: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True, repr=False)
class NamingWords:
    """What made-up names of a language are built from, and which words of its are no names."""

    nature: tuple[str, ...]
    heads: tuple[str, ...]
    feminine_heads: Mapping[str, tuple[str, ...]]
    """The second parts behind those first parts that others stand behind: "fuente nueva"."""
    glue: str
    saints: tuple[str, ...]
    saint_names: tuple[str, ...]
    """What may stand behind "St."; none in a language where "San" and "Santa" tell the gender."""
    devotions: Mapping[str, tuple[str, ...]]
    """Names behind words for saints, and of Our Lady behind each "of": "Virgen del Rocío"."""
    agreeing: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    """Nouns that agree with an article before them, and second parts that agree: "los olivos"."""
    lead: bool
    street_end: re.Pattern[str] | None
    keep: frozenset[str]
    kinds: frozenset[str]
    """Further words of kinds of institutions: "Juzgado de Instrucción"."""
    firms: frozenset[str]
    """Words that end, or begin, the name of a firm which may look like a person's: "Midwives"."""
    services: frozenset[str]
    """Names of the services of a region among the words of institutions: "OSAKIDETZA"."""
    units: frozenset[str]
    openers: frozenset[str]
    """Words that say what a part of a town is where they begin it: "Torre 3", "Villa El Sol"."""
    numbered: frozenset[str]
    ways: frozenset[str]
    """Further words of kinds of streets, most of them short: "Orchard Cl", "Mill Gro"."""
    mail: frozenset[str]
    feminine: tuple[str, ...]
    article: bool
    jobs: tuple[str, ...]
    """Jobs to draw from; those of the lexicon where there are none."""


def languages() -> list[str]:
    """Return the languages that have tables, sorted."""
    pairs = (name.split(".") for name in table_names("surrogates"))
    return [language for kind, *languages in pairs if kind == "words" for language in languages]


@lru_cache(maxsize=64)
def language_of(language: str) -> str:
    """Return the language whose tables serve a text ("en-GB" -> "en", none -> English).

    Raises `ConfigError` for a language without tables: its places would not be recognised.
    """
    name = language.lower().replace("_", "-").partition("-")[0] or DEFAULT_LANGUAGE
    if name not in _languages():
        raise ConfigError(
            f"there are no tables of surrogates for the language {language!r}",
            hint=f"Known: {', '.join(languages())}. Tables are added in resources/surrogates",
        )
    return name


@cache
def find_words(language: str) -> NamingWords:
    """Return what made-up names of a language are built from."""
    data = _read(f"words.{language_of(language)}.toml")
    end = data["street_end"]
    return NamingWords(
        nature=tuple(data["nature"].split()),
        heads=tuple(data["heads"].split()),
        feminine_heads=dict.fromkeys(
            data.get("nature_feminine", "").split(), tuple(data.get("heads_feminine", "").split())
        ),
        glue=data["glue"],
        saints=tuple(data["saints"]),
        saint_names=tuple(data["saint_names"].split()),
        devotions={of: tuple(names.split()) for of, names in data.get("devotions", {}).items()},
        agreeing={
            article: (tuple(row["nouns"].split()), tuple(row["heads"].split()))
            for article, row in data.get("agreeing", {}).items()
        },
        lead=data["lead"],
        street_end=re.compile(rf"(?:{end})(?:je)?\.?$", re.IGNORECASE) if end else None,
        keep=frozenset(data["keep"]),
        kinds=frozenset(data.get("kinds", "").split()),
        firms=frozenset(data.get("firms", "").split()),
        services=frozenset(data.get("services", "").split()),
        units=frozenset(data["units"].split()),
        openers=frozenset(data.get("openers", "").split()),
        numbered=frozenset(data["numbered"].split()),
        ways=frozenset(data.get("ways", "").split()),
        mail=frozenset(data["mail"]),
        feminine=tuple(data["feminine"].split()),
        article=data["article"],
        jobs=_listed(data.get("jobs", "").replace("\n", " ")),
    )


@cache
def find_surnames(language: str) -> tuple[str, ...]:
    """Return the frequent surnames of a language: single words, lower case, sorted."""
    return _names(f"{language_of(language)}.surnames")


@cache
def find_first_names(language: str) -> tuple[str, ...]:
    """Return the frequent first names of a language: single words, lower case, sorted."""
    return _names(f"{language_of(language)}.first-names")


@cache
def find_places(language: str) -> Places:
    """Return the places of a language."""
    data = _read(f"places.{language_of(language)}.toml")
    countries = {key: _country(key, row) for key, row in data["countries"].items()}
    rows = [
        (_area(country, code, row), row, data["countries"][country])
        for country, group in data["areas"].items()
        for code, row in group.items()
    ]
    forms = {area.key: frozenset(_forms(area, country)) for area, _, country in rows}
    spoken_of: dict[str, set[str]] = {}
    for name, adjectives in data["nations"].items():
        for word in adjectives.split():
            spoken_of.setdefault(fold(word), set()).add(fold(name))
    regions: dict[str, str] = {}
    starts: dict[str, dict[str, str]] = {country: {} for country in countries}
    phones: dict[str, str] = {}
    own_phones: dict[tuple[str, str], str] = {}
    for area, row, _ in rows:  # what comes first wins: the country of the language
        for form in sorted(forms[area.key]):
            regions.setdefault(form, area.key)
        for start in expand(row["from"]):
            starts[area.country].setdefault(start, area.key)
        for phone in (*area.phones, *row.get("known_phone", "").split()):
            phones.setdefault(phone, area.key)
            own_phones.setdefault((area.country, phone), area.key)
    return Places(
        home=data["home"],
        countries=countries,
        areas={area.key: area for area, _, _ in rows},
        by_country={
            country: tuple(area.key for area, _, _ in rows if area.country == country)
            for country in countries
        },
        regions=regions,
        towns=_unique_towns((area, row) for area, row, _ in rows),
        forms=forms,
        starts=starts,
        phones=phones,
        own_phones=own_phones,
        names={
            fold(name): key
            for key, row in data["countries"].items()
            for name in (*row["names"], *row.get("known", ()))
        },
        nations={name: tuple(adjectives.split()) for name, adjectives in data["nations"].items()},
        adjectives={
            fold(word): (name, number)
            for name, adjectives in data["nations"].items()
            for number, word in enumerate(adjectives.split())
        },
        nation_keys=frozenset(map(fold, data["nations"])),
        spoken_of={word: frozenset(names) for word, names in spoken_of.items()},
    )


def unaccented_twins(entries: Iterable[str]) -> set[str]:
    """Return the forms without accents of the entries that have some ("garcia" of "garcía")."""
    accented = [entry for entry in entries if not entry.isascii()]
    # All in one go; no entry holds an end of a line.
    return set(fold_accents("\n".join(accented)).split("\n")) if accented else set()


def expand(ranges: str) -> list[str]:
    """Return the beginnings that ranges stand for: "430-432 K" -> 430, 431, 432, K."""
    found: list[str] = []
    for part in ranges.split():
        low, _, high = part.partition("-")
        if high:
            found += [str(n).zfill(len(low)) for n in range(int(low), int(high) + 1)]
        else:
            found.append(low)
    return found


@cache
def _languages() -> frozenset[str]:
    return frozenset(languages())


def _read(name: str) -> dict[str, Any]:
    return load_table("surrogates", name)


def _names(lexicon: str) -> tuple[str, ...]:
    entries = find_lexicon(lexicon)
    # Few of the names are frequent: the others are looked at only where those are too few.
    frequent = _plain_names(
        lexicon, [n for n, group in entries.items() if 0 < group <= _COMMON_CLASS]
    )
    return frequent if len(frequent) >= 500 else _plain_names(lexicon, entries)


def _plain_names(lexicon: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of some names of a lexicon that are one word and no other word, sorted."""
    eponyms, never = find_lexicon("world.eponyms"), find_name_words().never
    twins = unaccented_twins(find_lexicon(lexicon))
    return tuple(
        sorted(
            name
            for name in names
            if name not in eponyms
            and name not in twins
            and name not in never
            and _NAME.fullmatch(name)
        )
    )


def _country(key: str, row: Mapping[str, Any]) -> Country:
    return Country(
        key=key,
        names=tuple(row["names"]),
        code=re.compile(row["code"], re.ASCII),
        tail=row["tail"],
        gap=row["gap"],
        moves=tuple(row["moves"]),
        before=tuple(row.get("before", ())),
        invented=row.get("invented", True),
    )


def _area(country: str, code: str, row: Mapping[str, str]) -> Area:
    return Area(
        key=f"{country}.{code}",
        country=country,
        code=code,
        region=row["region"],
        short=row.get("short", ""),
        wide=_listed(row.get("wide", "")),
        zips=tuple(expand(row["zip"])),
        phones=tuple(row["phone"].split()),
        towns=_listed(row["towns"]),
    )


def _listed(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(",") if name.strip())


def _forms(area: Area, country: Mapping[str, Any]) -> Iterable[str]:
    yield fold(area.region)
    for word in country.get("before", ()):
        yield fold(f"{word} {area.region}")
    yield from map(fold, area.wide)
    if area.short:
        yield fold(area.short)
    if country.get("codes"):
        yield area.code.lower()
        yield ".".join(area.code.lower()) + "."


def _unique_towns(rows: Iterable[tuple[Area, Mapping[str, str]]]) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    own: dict[str, str] = {}
    for area, row in rows:
        own |= {fold(town): area.key for town in _listed(row.get("own", ""))}
        for town in (*area.towns, *_listed(row.get("known", ""))):
            found.setdefault(fold(town), set()).add(area.key)
    return {town: keys.pop() for town, keys in found.items() if len(keys) == 1} | own
