"""The persons of a document: what their name parts become, and what none of them may be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product

from scrubjay.caching import text_cache
from scrubjay.transform.name_words import Gender, gender_of, name_key, plain_letters
from scrubjay.transform.operators import Record
from scrubjay.transform.person_names import ARTICLES
from scrubjay.transform.surrogates._fresh import LEAST_LETTERS, whole_originals
from scrubjay.transform.surrogates._name_layout import (
    NAME,
    styled,
)
from scrubjay.transform.surrogates._person_profile import (
    OldPart,
    Profile,
    formal_of,
    gender_of_key,
)
from scrubjay.transform.surrogates.case import display, display_known
from scrubjay.transform.surrogates.draw import (
    Draw,
    heading,
    letters_of,
)
from scrubjay.transform.surrogates.name_tables import (
    names_with_nicknames,
    nickname_home,
    options,
    origin_of,
    origin_of_language,
    short_forms,
)

Step = tuple[str, OldPart | None, Sequence[Sequence[str]], bytes, int]
"""A stretch of a mention that stays, or a part of it with what `lists_for` gives, and its style.
"""

LETTERS = "abcdefghijklmnoprstvw"
_WORDS = re.compile(r"[^\W\d_]+")
TRIES = 24


def people_of(record: Record, draw: Draw, avoid: frozenset[str]) -> People:
    """Return the persons of a document, the same for all makers at work on it."""
    what = "people", record.language, record.text
    return draw.once(what, draw.refused(avoid), lambda: People(record, draw, avoid))


class People:
    """The new parts of the names of a document, and what none of them may be."""

    def __init__(self, record: Record, draw: Draw, avoid: frozenset[str]) -> None:
        self.language = record.language
        self.draw = draw
        self.refused = draw.refused(avoid)
        # No word of the text at all: it may hold names that no span covers.
        self._text = " ".join((letters_of(record.text), *self.refused))
        self._known_words: frozenset[str] | None = None
        self._plain = record.text.isascii()
        self.whole = whole_originals(draw, avoid)
        self._new: dict[OldPart, str] = {}
        self._taken: set[str] = set()
        self.persons: list[Profile] = []

    @property
    def _words(self) -> frozenset[str]:
        if self._known_words is None:
            self._known_words = frozenset(_WORDS.findall(self._text))
        return self._known_words

    def _is_word(self, key: str) -> bool:
        """Tell whether a word is one of `_words`, mostly without a look at all of them."""
        text, size = self._text, len(key)
        place = text.find(key)
        if place < 0 or _WORDS.fullmatch(key) is None:
            return False
        while place >= 0:
            end = place + size
            if not (_is_letter(text[place - 1 : place]) or _is_letter(text[end : end + 1])):
                return True
            place = text.find(key, place + 1)
        return False

    def given(self, key: str, gender: Gender, *, short: str = "", origin: str = "") -> str:
        """Return the new first name for an old one, or the short form of it for a short form.

        `origin` is that of the surname, for a first name of which none is known.
        """
        formal = self.part(("given", key, gender), origin)
        if not short:
            return formal
        forms = _forms_for(formal, gender, short[0], self.language)
        return self._draw(forms, heading("name", "short", short, key), short) or formal

    def first(self, key: str) -> str:
        """Return the new first name for one of which nothing else is known."""
        formal = formal_of(key, (), self.language, "")
        gender = gender_of_key(formal, self.language)
        return self.given(formal, gender, short=key if formal != key else "")

    def pairs(self) -> Iterator[tuple[Profile, str, tuple[str, ...]]]:
        """Yield each person of the document with each of their first names and surnames.

        A surname is one, or two that follow each other: "Smith-Jones", "García López".
        """
        for person in self.persons:
            lasts = [(last,) for last in person.lasts]
            for given, row in product(person.givens, [*lasts, *pairwise(person.lasts)]):
                yield person, given, row

    def first_of(self, person: Profile, key: str) -> str:
        """Return the new first name for one that a person has."""
        (_, formal, gender), short = person.first(key)
        return self.given(formal, gender, short=short, origin=person.origin)

    def last(self, key: str) -> str:
        """Return the new surname for an old one."""
        return self.part(("last", key, ""), "")

    def part(self, old: OldPart, origin: str) -> str:
        """Return the new part for an old one: its role, its key, and the gender of a first name."""
        known = self._new.get(old)
        if known is None:
            role, key, gender = old
            known = self._draw_part(old, *lists_for(key, role, gender, origin, self.language))
        return known

    def written(self, steps: Sequence[Step]) -> str:
        """Return what the steps of a mention make (`steps_of`)."""
        pieces: list[str] = []
        for text, old, lists, head, style in steps:
            if old is None:
                pieces.append(text)
                continue
            made = self._new.get(old)
            if made is None:
                made = self._draw_part(old, lists, head)
            pieces.append(display_known(made) if style == NAME else styled(made, text, style))
        return "".join(pieces)

    def _draw_part(self, old: OldPart, lists: Sequence[Sequence[str]], head: bytes) -> str:
        """Return the new part for one that has none, and keep it."""
        role, key, gender = old
        if key in ARTICLES:
            return self._new.setdefault(
                old, self.draw.choose(sorted(ARTICLES), "article", key, avoid={key})
            )
        new = ""
        for listed in lists:
            new = self._draw(listed, head, key)
            if new:
                break
        else:
            # All lists are used up: two persons share a name, none of the originals.
            kind = "surnames" if role == "last" else gender
            listed = options(origin_of_language(self.language), kind, key[0])
            new = self._fit(self.draw.choose(listed, role, gender, key, avoid=self._words))
        self._new[old] = new
        self._taken.add(name_key(new))
        return new

    def _draw(self, listed: Sequence[str], head: bytes, key: str) -> str:
        """Return a name of a list that is free, or "" after some draws."""
        size = len(listed)
        below, taken, text = self.draw.below, self._taken, self._text
        may_show = len(key) > 2  # Ann in Joanna
        for attempt in range(TRIES if size else 0):
            new = listed[below(size, head, attempt)]
            word = new if new.isascii() else name_key(new)  # the lists are in lower case
            # Most names stand nowhere in the text, not even inside a word.
            if word in taken or (word in text and self._is_word(word)):
                continue
            if may_show and key in word:
                continue
            if not word.isalpha() and any(map(self._is_word, _long_words(word))):
                continue
            return self._fit(new)
        return ""

    def _fit(self, new: str) -> str:
        return plain_letters(new) if self._plain and not new.isascii() else new

    def letter(self, old: str, *what: str) -> str:
        """Return another letter for an initial of which no name is known."""
        own = name_key(old)[:1]
        return self.draw.choose(LETTERS.replace(own, ""), "letter", own, *what)

    def nameless(self, *what: str) -> str:
        """Return a surname for a mention that has no letters."""
        listed = options(origin_of_language(self.language), "surnames", "")
        drawn = self.draw.choose(listed, "no letters", *what, avoid=self._words | self._taken)
        return display(self._fit(drawn))


@text_cache(8192)
def lists_for(
    key: str, role: str, gender: Gender, hint: str, language: str
) -> tuple[Sequence[Sequence[str]], bytes]:
    """Return the lists that the new part for an old one is drawn from, one after the other.

    And the heading of these draws.
    """
    letter, own = key[0], origin_of_language(language)
    head = heading("name", role, gender, key)
    kind = "surnames" if role == "last" else gender
    origin = origin_of(key, kind, language)
    lists = [options(one, kind, letter) for one in (origin or hint or own, own)]
    home = nickname_home(key, language) if role == "given" else None
    if home and (home[0] == language[:2] or origin != own):
        lists.insert(0, names_with_nicknames(home[0], gender or home[1], letter))
    return lists, head


@lru_cache(maxsize=4096)  # by names of the tables alone: never by a text
def _forms_for(formal: str, gender: Gender, letter: str, language: str) -> tuple[str, ...]:
    """Return the short forms of a new name that do not begin with a letter."""
    forms = short_forms(language).get(formal, ())
    forms = tuple([form for form in forms if name_key(form)[0] != letter])
    # "Sandy" is rather no son.
    fit = tuple([form for form in forms if gender_of(name_key(form)) in ("", gender)])
    return fit if gender and fit else forms


def _is_letter(character: str) -> bool:
    """Tell whether a character is one of those of `_WORDS`; "" is none."""
    return character.isalnum() and not character.isdecimal()


def _long_words(name: str) -> list[str]:
    """Return the words of "jean-claude" that tell something by themselves."""
    return [word for word in _WORDS.findall(name) if len(word) >= LEAST_LETTERS]
