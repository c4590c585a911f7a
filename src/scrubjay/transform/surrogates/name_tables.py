"""The names that surrogates are drawn from, by origin and gender.

A table (`resources/surrogates/names/ORIGIN.toml`) holds male and female first names and surnames
of one origin, in lower case. To add an origin, add a table; to add a language, name the origin
of its people in `_OF_LANGUAGE` and give its nicknames (`nicknames.toml`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from scrubjay.errors import ConfigError
from scrubjay.features.lexicons import find_lexicon
from scrubjay.resources import load_table, table_names
from scrubjay.transform.name_words import Gender, name_key
from scrubjay.transform.nicknames import nickname_tables

_OF_LANGUAGE = {"en": "english", "es": "spanish", "nl": "dutch"}
_FIRST_ORIGINS = (
    "english", "gaelic", "spanish", "dutch", "german", "french", "italian", "portuguese", "arabic",
    "east-asian", "indian", "russian", "turkish", "slavic", "nordic",
)  # fmt: skip
# What surnames of an origin often end in, for those that no table has.
_ENDINGS = {
    "slavic": "wski wska czyk wicz ewicz owicz cki cka ński ńska nski nska ková kova ová ić vic "
    "ković sky ska iak czak",
    "russian": "enko chuk ov ova ev eva sky skaya yuk",
    "nordic": "sson sen qvist strom berg gaard dottir nen",
    "italian": "ini etti elli ucci acci ello ella iello ano otti",
    "spanish": "ez guez arro",
    "dutch": "stra sma inga kamp huis broek veld horst ink ers boom meijer maker dijk",
    "turkish": "oglu",
    "gaelic": "aigh aidh bhain bháin cháin gháin ghaile gallchóir bhair mhnaigh",
    "portuguese": "eira eiro ães",
    "german": "bauer mann schmidt hauser berger stein",
    "arabic": "allah eddine addine",
    "indian": "walia wala singh preet garwal",
}
_LONGEST_ENDING = 7
_KINDS = ("male", "female", "surnames")


@dataclass(frozen=True, slots=True, repr=False)
class NameTable:
    """Names of one origin, sorted; `keys` are those of all names in each of the three lists.

    `letters` are those that the keys of each list begin with, in the order of the list.
    """

    origin: str
    lists: Mapping[str, tuple[str, ...]]
    keys: Mapping[str, frozenset[str]]
    letters: Mapping[str, tuple[str, ...]]


def origin_of_language(language: str) -> str:
    """Return the origin of most names in a language; English for one without a table."""
    return _OF_LANGUAGE.get(language) or _OF_LANGUAGE.get(language[:2].lower(), "english")


@cache
def name_tables() -> Mapping[str, NameTable]:
    """Return the shipped tables by origin, those of the languages of the package first."""
    found = table_names("surrogates", "names")
    first = [origin for origin in _FIRST_ORIGINS if origin in found]
    rest = [origin for origin in found if origin not in first]
    return {origin: read_table(origin) for origin in (*first, *rest)}


def read_table(origin: str) -> NameTable:
    """Return a shipped table. Raises `ConfigError` where one of its lists is missing or short."""
    table = load_table("surrogates", "names", f"{origin}.toml")
    lists = {kind: tuple(sorted(set(str(table.get(kind, "")).split()))) for kind in _KINDS}
    keys = {kind: list(map(name_key, names)) for kind, names in lists.items()}
    letters = {kind: tuple([key[:1] for key in found]) for kind, found in keys.items()}
    for kind, found in letters.items():
        if len(set(found)) < 2:
            raise ConfigError(
                f"the table of {origin} names lacks a list of {kind} names",
                hint="Give names with different first letters, in lower case",
            )
    known = {kind: frozenset(found) for kind, found in keys.items()}
    return NameTable(origin, lists, known, letters)


def origin_of(key: str, kind: str, language: str) -> str:
    """Return the origin of a name: that of the language where its table has the name.

    Else the first of the tables that has it, or whose surnames end so; "" where none does. `kind`
    is "male", "female", "surnames", or "" for both lists of first names.
    """
    own = origin_of_language(language)
    found = _origins(kind).get(key, ())
    if own in found:
        return own
    if kind != "surnames":
        return found[0] if found else ""
    if own != "english" and 0 < find_lexicon(f"{language[:2]}.surnames").get(key, 0) <= 6:
        return own
    return found[0] if found else _by_ending(key)


def _by_ending(key: str) -> str:
    endings = _endings()
    # The longest ending tells most; a name has three letters or more before it.
    for size in range(min(_LONGEST_ENDING, len(key) - 3), 1, -1):
        if key[-size:] in endings:
            return endings[key[-size:]]
    return ""


@cache
def _endings() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for origin, endings in _ENDINGS.items():
        for ending in endings.split():
            found.setdefault(name_key(ending), origin)
    return found


@cache
def _origins(kind: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for origin, table in name_tables().items():
        for one in (kind,) if kind else ("male", "female"):
            for key in table.keys[one]:
                if origin not in found.get(key, ()):
                    found[key] = (*found.get(key, ()), origin)
    return found


@cache
def options(origin: str, kind: str, letter: str) -> tuple[str, ...]:
    """Return the names of a list that do not begin with `letter`; kind "" is both genders.

    So no initial becomes itself.
    """
    names, letters = _names(origin, kind)
    return tuple([name for name, first in zip(names, letters, strict=True) if first != letter])


@cache
def _names(origin: str, kind: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the names of a list with the first letters of their keys."""
    table = name_tables()[origin]
    if kind:
        return table.lists[kind], table.letters[kind]
    both = dict(zip(table.lists["male"], table.letters["male"], strict=True))
    both.update(zip(table.lists["female"], table.letters["female"], strict=True))
    names = sorted(both)
    return names, [both[name] for name in names]


@cache
def names_with_nicknames(language: str, gender: Gender, letter: str) -> tuple[str, ...]:
    """Return the names of a language that have short forms and do not begin with `letter`."""
    return tuple(
        sorted(
            name
            for table in nickname_tables()
            if table.language == language and gender in ("", table.gender)
            for name in table.forms
            if name_key(name)[0] != letter
        )
    )


@cache
def short_forms(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the short forms of each name that has some, those of the language first."""
    found: dict[str, tuple[str, ...]] = {}
    for table in sorted(nickname_tables(), key=lambda table: table.language != language[:2]):
        for name, forms in table.forms.items():
            found.setdefault(name, forms)
    return found


def nickname_home(key: str, language: str) -> tuple[str, Gender] | None:
    """Return language and gender of the table that has a name in full, or None.

    Of several it is the table of `language`, else the first.
    """
    homes = _homes().get(key)
    if homes is None:
        return None
    return next((home for home in homes if home[0] == language[:2]), homes[0])


@cache
def _homes() -> Mapping[str, tuple[tuple[str, Gender], ...]]:
    found: dict[str, tuple[tuple[str, Gender], ...]] = {}
    for table in nickname_tables():
        for name in table.forms:
            key = name_key(name)
            found[key] = (*found.get(key, ()), (table.language, table.gender))
    return found
