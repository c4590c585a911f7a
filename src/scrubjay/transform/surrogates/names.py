"""Surrogates of persons: each becomes another person, in all the forms of its mentions.

    John Q. Smith, Mr. Smith, SMITH, JOHN, Jack, JS
    Peter F. Weaver, Mr. Weaver, WEAVER, PETER, Pete, PW

Each part of a name has one new part, drawn by its own key: so the parts, and the members of a
family, fit together, and do so in all documents of the patient. Gender, origin, order, case,
marks and glue stay; titles, particles (van, de la) and generations (Jr.) are kept; no new part
begins with the letter of the old one, so that no initial stays. Short forms become short forms,
and misspelled repeats misspelled ones. Digits change too.

Where two parts would become one, or a draw is a word of an original of the record, the next draw
is taken: only there can the documents of a patient differ. Only past some hundred persons in one
document may two share a new name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

from scrubjay.errors import ConfigError
from scrubjay.transform.coreference import cluster_names
from scrubjay.transform.name_words import Gender, gender_of, name_classes, name_key, plain_letters
from scrubjay.transform.nicknames import are_same_name, formal_names
from scrubjay.transform.operators import Record
from scrubjay.transform.person_names import NAME_ROLES, NamePart, PersonName, parse_name
from scrubjay.transform.same_person import is_misspelled
from scrubjay.transform.surrogates.case import display
from scrubjay.transform.surrogates.draw import Draw, fold
from scrubjay.transform.surrogates.name_tables import (
    names_with_nicknames,
    nickname_home,
    options,
    origin_of,
    origin_of_language,
    short_forms,
)

LETTERS = "abcdefghijklmnoprstvw"
_WORDS = re.compile(r"[^\W\d_]+")
_INNER_CAPITAL = re.compile(r"(?:Ma?c|De|La|Le|Van|O['’]|D['’])[A-Z][a-zß-ÿ]+$")
_TRIES = 24


def make(
    mention_texts: Sequence[str], record: Record, draw: Draw, *, avoid: frozenset[str]
) -> list[str]:
    """Return another name for each, one person for one person (a `Maker`).

    Raises `ConfigError` where the originals of the record leave no name.
    """
    parsed = {text: parse_name(text, record.language) for text in set(mention_texts)}
    names = [parsed[text] for text in mention_texts]
    people = people_of(record, draw, avoid)
    numbers = cluster_names(names)
    members: dict[int, list[PersonName]] = {}
    for number, name in zip(numbers, names, strict=True):
        members.setdefault(number, []).append(name)
    persons = {number: Person(members[number], people) for number in members}
    people.persons += persons.values()
    done: dict[tuple[int, str], str] = {}
    for number, text in zip(numbers, mention_texts, strict=True):
        if (number, text) not in done:
            done[number, text] = people.render(text, parsed[text], persons[number])
    return [done[pair] for pair in zip(numbers, mention_texts, strict=True)]


def people_of(record: Record, draw: Draw, avoid: frozenset[str]) -> People:
    """Return the persons of a document, the same for all makers at work on it."""
    return draw.once(("people", record), draw.refused(avoid), lambda: People(record, draw, avoid))


class People:
    """The new parts of the names of a document, and what none of them may be."""

    def __init__(self, record: Record, draw: Draw, avoid: frozenset[str]) -> None:
        self.language = record.language
        self.draw = draw
        self.refused = draw.refused(avoid)
        # No word of the text at all: it may hold names that no span covers.
        text = record.text
        self._text = " ".join((text.lower() if text.isascii() else fold(text), *self.refused))
        self._known_words: frozenset[str] | None = None
        self._plain = record.text.isascii()
        self._new: dict[tuple[str, str, str], str] = {}
        self._taken: set[str] = set()
        self.persons: list[Person] = []

    @property
    def _words(self) -> frozenset[str]:
        if self._known_words is None:
            self._known_words = frozenset(_WORDS.findall(self._text))
        return self._known_words

    def _is_word(self, key: str) -> bool:
        # Most names stand nowhere in the text, not even inside a word.
        return key in self._text and key in self._words

    def given(self, key: str, gender: Gender, *, short: str = "", origin: str = "") -> str:
        """Return the new first name for an old one, or the short form of it for a short form.

        `origin` is that of the surname, for a first name of which none is known.
        """
        formal = self._part("given", key, gender, origin)
        if not short:
            return formal
        forms = tuple(
            form
            for form in short_forms(self.language).get(formal, ())
            if name_key(form)[0] != short[0]
        )
        new = self._draw(("short", short, key), forms, short)
        return new or formal

    def first(self, key: str) -> str:
        """Return the new first name for one of which nothing else is known."""
        formal = _formal_of(key, (), self.language, "")
        gender = _gender_of_key(formal, self.language)
        return self.given(formal, gender, short=key if formal != key else "")

    def pairs(self) -> Iterator[tuple[Person, str, str]]:
        """Yield each person of the document with each of their first names and surnames."""
        for person in self.persons:
            for given, last in product(person.givens, person.lasts):
                yield person, given, last

    def last(self, key: str) -> str:
        """Return the new surname for an old one."""
        return self._part("last", key, "", "")

    def _part(self, role: str, key: str, gender: Gender, origin: str) -> str:
        known = self._new.get((role, key, gender))
        if known is None:
            known = self._draw_part(role, key, gender, origin)
            self._new[role, key, gender] = known
            self._taken.add(name_key(known))
        return known

    def _draw_part(self, role: str, key: str, gender: Gender, hint: str) -> str:
        kind = "surnames" if role == "last" else gender
        home = nickname_home(key, self.language) if role == "given" else None
        own = origin_of_language(self.language)
        origin = origin_of(key, kind, self.language)
        if home and (home[0] == self.language[:2] or origin != own):
            near = names_with_nicknames(home[0], gender or home[1], key[0])
            new = self._draw((role, gender, key), near, key)
            if new:
                return new
        for one in (origin or hint or own, own):
            new = self._draw((role, gender, key), options(one, kind, key[0]), key)
            if new:
                return new
        # All lists are used up: two persons share a name, but none of the originals.
        listed = options(origin_of_language(self.language), kind, key[0])
        return self._fit(self.draw.choose(listed, role, gender, key, avoid=self._words))

    def _draw(self, what: tuple[str, ...], listed: Sequence[str], key: str) -> str:
        """Return a name of a list that is free, or "" after some draws."""
        for attempt in range(_TRIES if listed else 0):
            place = self.draw.whole(0, len(listed) - 1, "name", *what, str(attempt))
            new = listed[place]
            word = name_key(new)
            if word not in self._taken and not self._is_word(word) and not _shows(key, word):
                return self._fit(new)
        return ""

    def _fit(self, new: str) -> str:
        return new if not self._plain else plain_letters(new)

    def letter(self, old: str, *what: str) -> str:
        """Return another letter for an initial of which no name is known."""
        own = name_key(old)[:1]
        return self.draw.choose([c for c in LETTERS if c != own], "letter", own, *what)

    def render(self, text: str, name: PersonName, person: Person) -> str:
        """Return a mention with all its parts new; what lies between them stays."""
        for attempt in range(_TRIES):
            new = self._rendered(text, name, person, attempt)
            key = self.draw.fold(new)
            if key and key not in self.refused and key != self.draw.fold(text):
                return new
        for attempt in range(_TRIES):
            # Initials that are all taken: longer ones are free.
            extra = "".join(self.letter(text, "longer", str(attempt), str(i)) for i in range(3))
            if extra not in self.refused and fold(text) != extra:
                return extra if text.islower() else extra.upper()
        raise ConfigError(
            "no surrogate is left for a name: the originals of the record hold all",
            hint="Give the label of names another operator, such as placeholder",
        )

    def _rendered(self, text: str, name: PersonName, person: Person, attempt: int) -> str:
        if not name.parts:
            return self._without_letters(text, attempt)
        pieces, position = [], 0
        for index, part in enumerate(name.parts):
            pieces.append(self._digits(text[position : part.start], attempt))
            pieces.append(self._replaced(text, name, person, index, attempt))
            position = part.end
        return "".join(pieces) + self._digits(text[position:], attempt)

    def _replaced(
        self, text: str, name: PersonName, person: Person, index: int, attempt: int
    ) -> str:
        part = name.parts[index]
        old = text[part.start : part.end]
        if part.role == "initial":
            letters = [
                person.letter(letter, at, part, name, attempt)
                for at, letter in enumerate(name_key(old))
            ]
            return _like("".join(letters), old)
        if part.role not in NAME_ROLES:
            return old
        return _like(person.new(part), old)

    def _without_letters(self, text: str, attempt: int) -> str:
        if any(c.isdigit() for c in text):
            return self._digits(text, attempt)
        listed = options(origin_of_language(self.language), "surnames", "")
        drawn = self.draw.choose(
            listed, "no letters", text, str(attempt), avoid=self._words | self._taken
        )
        return display(self._fit(drawn))

    def _digits(self, text: str, attempt: int) -> str:
        if text in ("", " ") or not any(c.isdigit() for c in text):
            return text
        what = ("digits", text, str(attempt))
        return "".join(
            str(self.draw.whole(0, 9, *what, str(place))) if c.isdigit() else c
            for place, c in enumerate(text)
        )


class Person:
    """One person of a document: what its name parts are, and what they become."""

    def __init__(self, names: Sequence[PersonName], people: People) -> None:
        self._people = people
        self.gender = _gender(names, people.language)
        # How often each first name and each surname is written; lone words are not counted.
        self.givens: dict[str, int] = {}
        self.lasts: dict[str, int] = {}
        for name in names:
            for part in name.parts:
                if part.role == "given":
                    self.givens[part.key] = self.givens.get(part.key, 0) + 1
                elif part.role == "last":
                    self.lasts[part.key] = self.lasts.get(part.key, 0) + 1
        self._place_lone_words(names)
        surname = next(iter(self.lasts), None)
        self._origin = "" if surname is None else origin_of(surname, "surnames", people.language)

    def _place_lone_words(self, names: Sequence[PersonName]) -> None:
        """Put each lone word to the first names or surnames, wherever else it stands."""
        for name in names:
            for key in name.keys("either"):
                if key in self.givens or key in self.lasts:
                    continue
                if _correct(key, self.lasts) != key:
                    self.lasts[key] = 0
                elif self._is_short(key) or _correct(key, self.givens) != key:
                    self.givens[key] = 0
                else:
                    first, last = name_classes(key)
                    side = self.givens if first <= last and first < 9 else self.lasts
                    side[key] = 0

    def _is_short(self, key: str) -> bool:
        return any(are_same_name(key, other) for other in self.givens)

    def new(self, part: NamePart) -> str:
        """Return the new part, in lower case, for a part that is a name."""
        given = part.role == "given" or (part.role == "either" and part.key in self.givens)
        right = _correct(part.key, self.givens if given else self.lasts)
        new = self.first(right) if given else self._people.last(right)
        return new if right == part.key else self._misspelled(new, part.key)

    def first(self, key: str) -> str:
        """Return the new first name for one that the person has."""
        language = self._people.language
        formal = _formal_of(key, self.givens, language, self.gender)
        gender = self.gender or _gender_of_key(formal, language)
        return self._people.given(
            formal, gender, short=key if formal != key else "", origin=self._origin
        )

    def _misspelled(self, new: str, old: str) -> str:
        """Return the new name with two neighbours swapped: a slip, as in the old one."""
        places = [i for i in range(1, len(new) - 1) if new[i] != new[i + 1]]
        if not places:
            return new
        place = places[self._people.draw.whole(0, len(places) - 1, "slip", old)]
        return new[:place] + new[place + 1] + new[place] + new[place + 2 :]

    def letter(self, letter: str, at: int, part: NamePart, name: PersonName, attempt: int) -> str:
        """Return the new letter for one of the letters of an initial."""
        alone = not any(other.role in NAME_ROLES for other in name.parts)
        ends = alone and (part is name.parts[-1] and at == len(part.key) - 1) and (
            len(name.parts) > 1 or len(part.key) > 1
        )  # fmt: skip
        if not attempt:
            spoken = {other.key for other in name.parts}
            order = (self.lasts, self.givens) if ends else (self.givens, self.lasts)
            for side in order:
                for key in side:
                    if key[:1] == letter and key not in spoken:
                        given = side is self.givens
                        new = self.first(key) if given else self._people.last(key)
                        return name_key(new)[0]
        return self._people.letter(letter, *((str(attempt),) if attempt else ()))


def _gender(names: Iterable[PersonName], language: str) -> Gender:
    """Return the gender that a title tells, or the first of the first names, or ""."""
    listed = [name for name in names if not name.is_group]
    told = {name.gender for name in listed if name.gender}
    if len(told) == 1:
        return told.pop()
    for name in listed:
        for key in name.keys("given")[:1]:
            found = _gender_of_key(key, language)
            if found:
                return found
    return ""


@lru_cache(maxsize=4096)  # of words of names alone, as `parse_name`
def _gender_of_key(key: str, language: str) -> Gender:
    home = nickname_home(_formal_of(key, (), language, ""), language)
    return gender_of(key) or (home[1] if home else "")


def _formal_of(key: str, known: Iterable[str], language: str, gender: Gender) -> str:
    """Return the name in full that a short form stands for.

    First comes one that the person has, then a name in its own right, then one of the gender and
    of the language of the document ("Jan" is Janet in English and Johannes in Dutch).
    """
    formal = formal_names(key)
    if formal == (key,):
        return key
    others = {name for other in known if other != key for name in formal_names(other)}

    def rank(name: str) -> tuple[bool, bool, bool, bool]:
        home = nickname_home(name, language)
        return (
            name not in others,
            name != key,
            bool(gender and home and home[1] != gender),
            home is None or home[0] != language[:2],
        )

    return min(formal, key=rank)


def _correct(key: str, known: Mapping[str, int]) -> str:
    """Return the more frequent spelling of which a word looks like a slip, else the word."""
    if len(key) < 5:
        return key
    own = known.get(key, 0)
    likely = [
        other for other, count in known.items()
        if other != key and count >= own and is_misspelled(key, other)
        and (count > own or name_classes(other) < name_classes(key)
             or (name_classes(other) == name_classes(key) and other < key))
    ]  # fmt: skip
    return min(likely, key=lambda other: (-known[other], name_classes(other), other), default=key)


def _shows(old: str, new: str) -> bool:
    """Tell whether the new name holds the old one: Ann in Joanna."""
    return len(old) > 2 and old in new


def _like(new: str, old: str) -> str:
    """Return a name in the letter case of the old one, odd cases ("SMith") included."""
    if old.islower():
        return new
    if old.isupper():
        return new.upper() if len(old) > 1 or len(new) == 1 else display(new)
    if old[:1].isupper() and (old[1:].islower() or sum(c.isupper() for c in old) == 1):
        return display(new)
    if _INNER_CAPITAL.match(old):
        return display(new)
    pattern = [c.isupper() for c in old if c.isalpha()] or [False]
    pattern += [pattern[-1]] * len(new)
    return "".join(c.upper() if pattern[i] else c for i, c in enumerate(new))
