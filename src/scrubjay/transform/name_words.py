"""What words of names mean: their keys, how frequent they are, gender, titles, particles.

The lists are those of all languages together; a name of one is a name in the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import find_lexicon, fold_accents
from scrubjay.languages import LANGUAGES
from scrubjay.resources import load_table, resource

Gender = Literal["male", "female", ""]

Role = Literal[
    "title", "given", "last", "either", "initial", "particle", "suffix", "link", "ending"
]
"""What a part of a mention is: a name may be `either` a first name or a surname."""

UNKNOWN = 9
"""The class of a word that no list of names has."""

OFTEN_FIRST = 3
"""The class of first names up to which a name without a title is one: "sister Jordan"."""

_OFTEN_MC = 5
"""The class of surnames up to which "Mc" and "Mac" before the same are one name."""
_LISTS = (*LANGUAGES, "world")
_STROKES = str.maketrans("łŁøØđĐıħĦ", "lLoOdDihH")


@dataclass(frozen=True, slots=True)
class NameWords:
    """Words beside names; titles with the gender that they tell; `all` has all words.

    `abbreviations` are short for titles, and `patronymics` tell a gender: "s/o", "binte".
    `never` are names that no surrogate has.

    Of Gaelic particles and what stands behind those (`_gaelic`), it has the long ones alone.
    """

    titles: Mapping[str, Gender]
    before_first: frozenset[str]
    generations: frozenset[str]
    credentials: frozenset[str]
    particles: frozenset[str]
    links: frozenset[str]
    gaelic: frozenset[str]
    after_gaelic: frozenset[str]
    abbreviations: frozenset[str]
    patronymics: Mapping[str, Gender]
    never: frozenset[str]
    all: frozenset[str]
    genders: Mapping[str, Mapping[str, Gender]]
    """Language -> first name -> gender, where it is that of one language alone; "any" for all."""


class NameWord(NamedTuple):
    """What a word of a name is by itself: its key, its classes (`name_classes`), its length.

    `is_plain` tells that it is a name or nothing, written as one is: four letters or more, in
    one case but for the first, and no word beside names.
    """

    key: str
    first: int
    last: int
    is_plain: bool
    size: int


@text_cache(16_384)
def read_word(word: str) -> NameWord:
    """Return what a word of a name is; a third of those of new notes were never met before."""
    key = surname_key(name_key(word))
    plain = len(key) > 3 and word.isalpha() and (word[1:].islower() or word.isupper())
    plain = plain and key not in find_name_words().all
    return NameWord(key, *name_classes(key), plain, len(word))


def name_key(word: str) -> str:
    """Return the key under which a part of a name is remembered: no accents, no case."""
    if word.isascii():
        return word.lower()
    return plain_letters(word.replace("’", "'")).casefold()


def surname_key(key: str) -> str:
    """Return the one key of a surname that begins with O' or Mac: O'Brien, OBrien; MacCarthy.

    Mac is written as Mc where more people are called so, and none by that as a first name.
    """
    if key[:2] == "o'" and len(key) > 4:
        return "o" + key[2:]
    if key[:3] == "mac" and len(key) > 6:
        first, last = name_classes(key)
        short = _class_in("surnames", "mc" + key[3:])
        if short <= _OFTEN_MC and short < last and first > _OFTEN_MC:
            return "mc" + key[3:]
    return key


def plain_letters(text: str) -> str:
    """Return the text without accents, and without the strokes of Bogusław and Søren."""
    return fold_accents(text).translate(_STROKES)


@cache
def listed_genders() -> Mapping[str, Gender]:
    """Return the gender of first names by key, as those who bear them were counted."""
    import gzip

    packed = resource("surrogates", "names", "gender.txt.gz").read_bytes()
    data = gzip.decompress(packed).decode("utf-8")
    found: dict[str, Gender] = {}
    male, _, female = data.removeprefix("#= male\n").partition("#= female\n")
    found.update(dict.fromkeys(male.split(), "male"))
    found.update(dict.fromkeys(female.split(), "female"))
    return found


def gender_of(key: str, language: str = "") -> Gender:
    """Return the gender that nine of ten bearers of a first name have, or "".

    With a language those are its own bearers, where they differ from all together: Ángel.
    """
    known = listed_genders().get(key)
    if known:
        return known
    genders = find_name_words().genders
    return genders["any"].get(key) or genders.get(language[:2], {}).get(key, "")


@text_cache(16_384)  # of a word several rooms ask in turn
def name_classes(key: str) -> tuple[int, int]:
    """Return how frequent a word is as first name and as surname: 1 to 8, 9 for not at all."""
    return _class_in("first-names", key), _class_in("surnames", key)


def _class_in(kind: str, key: str) -> int:
    """Return the least class of a name over the lexicons of all languages, 8 for not known."""
    least = UNKNOWN
    for lexicon in _lexicons(kind):
        found = lexicon.get(key)
        if found is not None:
            least = min(least, found or 8)
    return least


@cache
def _lexicons(kind: str) -> Sequence[Mapping[str, int]]:
    return [find_lexicon(f"{name}.{kind}") for name in _LISTS]


def is_known_name(key: str) -> bool:
    """Tell whether a word is a name that many bear, and so hardly another one misspelled."""
    return min(name_classes(key)) <= 7


@cache
def find_name_words() -> NameWords:
    """Return the words that stand beside names, by key."""
    table = load_table("surrogates", "name-words.toml")
    titles: dict[str, Gender] = dict.fromkeys(table["titles"]["other"].split(), "")
    titles.update(dict.fromkeys(table["titles"]["male"].split(), "male"))
    titles.update(dict.fromkeys(table["titles"]["female"].split(), "female"))
    lists = (
        frozenset(table["titles"]["first"].split()),
        frozenset(table["suffixes"]["generations"].split()),
        frozenset(table["suffixes"]["credentials"].split()),
        frozenset(table["particles"]["words"].split()),
        frozenset(table["links"]["words"].split()),
    )
    beside = frozenset(titles).union(*lists)
    gaelic, after = (
        frozenset(table["particles"][kind].split()) for kind in ("gaelic", "after-gaelic")
    )
    # Short ones are looked for by themselves: "O" and "A" are initials, too.
    beside = beside.union(key for key in (*gaelic, *after) if len(key) > 3)
    patronymics: dict[str, Gender] = dict.fromkeys(table["patronymics"]["either"].split(), "")
    patronymics.update(dict.fromkeys(table["patronymics"]["male"].split(), "male"))
    patronymics.update(dict.fromkeys(table["patronymics"]["female"].split(), "female"))
    abbreviations = frozenset(table["abbreviations"]["words"].split())
    beside = beside.union(abbreviations, patronymics)
    return NameWords(
        titles,
        *lists,
        gaelic=gaelic,
        after_gaelic=after,
        abbreviations=abbreviations,
        patronymics=patronymics,
        never=frozenset(table["never"]["words"].split()),
        all=beside,
        genders=_genders_in(table["genders"]),
    )


def _genders_in(table: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, Gender]]:
    found: dict[str, dict[str, Gender]] = {}
    for language, row in table.items():
        found[language] = dict.fromkeys(row["male"].split(), "male")
        found[language].update(dict.fromkeys(row["female"].split(), "female"))
    return found
