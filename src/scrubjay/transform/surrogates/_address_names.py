"""Names inside addresses: "j.smith" of John Smith becomes "p.weaver" where he is Peter Weaver.

A word of an address is what a mention of a person in the document says it is: a first name, a
surname, both glued, or an initial or two before or after one. Any other is taken for a first name
or a surname, as the lists of names have it, so that an address becomes the same in documents of the
patient that do not name the person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.transform.name_words import UNKNOWN, name_classes, name_key, plain_letters
from scrubjay.transform.operators import Record
from scrubjay.transform.person_names import ARTICLES
from scrubjay.transform.surrogates._people import People, people_of
from scrubjay.transform.surrogates.draw import Draw

_MIN_NAME = 3


@dataclass(frozen=True, slots=True, repr=False)
class AddressNames:
    """The words that stand for the persons of a document in its addresses.

    `words` maps a key to its new word, `initials` a letter and the key beside it to a letter, and
    `lasts` the surnames to theirs.
    """

    people: People
    words: Mapping[str, str]
    initials: Mapping[tuple[str, str], str]
    lasts: Mapping[str, str]

    def replaced(self, runs: Sequence[str]) -> list[str | None]:
        """Return the new word for each run of letters of an address, in its case.

        It is None for what is too short to be a name and no initial of one.
        """
        keys = [_letters(run) for run in runs]
        found = [self._new(place, keys) for place in range(len(keys))]
        return [new and _cased(new, run) for run, new in zip(runs, found, strict=True)]

    def _new(self, place: int, keys: Sequence[str]) -> str | None:
        key = keys[place]
        if len(key) == 1:
            beside = (*keys[place + 1 : place + 2], *keys[max(0, place - 1) : place])
            found = (self.initials.get((key, other)) for other in beside)
            return next((letter for letter in found if letter), None)
        if key in self.words:
            return self.words[key]
        glued = self._with_initials(key) or self._as_initials(key)
        if glued is not None or key in ARTICLES:
            return glued
        first, last = name_classes(key)
        if len(key) < _MIN_NAME or (len(key) == _MIN_NAME and first == last == UNKNOWN):
            return None
        given = first <= last and first < UNKNOWN
        return _letters(self.people.first(key) if given else self.people.last(key)) or None

    def _with_initials(self, key: str) -> str | None:
        """Return the new word for a surname with one initial or two glued to it: "jqdoe"."""
        for size in (1, 2):
            for letters, last in ((key[:size], key[size:]), (key[-size:], key[:-size])):
                new = self.lasts.get(last)
                if new is not None:
                    known = (self.initials.get((letter, last)) for letter in letters)
                    made = "".join(
                        one or self.people.letter(letter)
                        for one, letter in zip(known, letters, strict=True)
                    )
                    return new + made if key.startswith(last) else made + new
        return None

    def _as_initials(self, key: str) -> str | None:
        """Return the new initials for those of a person with two surnames: "las"."""
        for person in self.people.persons:
            lasts = list(person.lasts)
            letters = key[: -len(lasts)] if len(lasts) > 1 else ""
            if len(letters) == 1 and key[1:] == "".join(_letters(last)[:1] for last in lasts):
                given = next((one for one in person.givens if _letters(one)[:1] == letters), "")
                first = _letters(self.people.first_of(person, given))[:1] if given else ""
                new = [_letters(self.people.last(last))[:1] for last in lasts]
                return (first or self.people.letter(letters)) + "".join(new)
        return None


def address_names(
    texts: Sequence[str], record: Record, draw: Draw, avoid: frozenset[str]
) -> AddressNames:
    """Return the words of a document's addresses; its names must have been made before."""
    people = people_of(record, draw, avoid)
    together = _letters("".join(texts))
    words: dict[str, str] = {}
    initials: dict[tuple[str, str], str] = {}
    for person, given, lasts in people.pairs():
        old = _letters(given), _joined(lasts)
        # Whatever an address makes of a name holds the first name or the surname; what it makes
        # of the first name alone is told with each surname by itself.
        shown = old if len(lasts) == 1 else old[1:]
        if not all(old) or not any(name in together for name in shown):
            continue
        new = _letters(people.first_of(person, given)), _joined(map(people.last, lasts))
        if not all(new):
            continue
        for key, word in zip(_glued(*old), _glued(*new), strict=True):
            if len(key) >= _MIN_NAME:
                words.setdefault(key, word)
        for one, other in ((0, 1), (1, 0)):
            initials.setdefault((old[one][0], old[other]), new[one][0])
    told = {_letters(last): last for person in people.persons for last in person.lasts}
    surnames = {
        key: _letters(people.last(last))
        for key, last in told.items()
        if len(key) >= _MIN_NAME and key in together
    }
    for key, word in surnames.items():
        words.setdefault(key, word)
    return AddressNames(people, words, initials, surnames)


def _glued(given: str, last: str) -> tuple[str, ...]:
    """Return the words that addresses make of a first name and a surname."""
    return (
        given, last, given + last, last + given, given[0] + last, last + given[0],
        given + last[0],
    )  # fmt: skip


def _letters(word: str) -> str:
    """Return the letters of a word as addresses have them: small, without accents and marks."""
    if word.isascii() and word.isalpha():
        return word.lower()
    return "".join(c for c in plain_letters(name_key(word)) if "a" <= c <= "z")


def _joined(names: Iterable[str]) -> str:
    return "".join(map(_letters, names))


def _cased(new: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return new.upper()
    return new.capitalize() if like[0].isupper() else new
