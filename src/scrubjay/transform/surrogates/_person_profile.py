"""What the mentions of a person tell, whatever the document: first names, surnames, gender, origin.

It is worked out once for a mention that is the only one of a person, as nearly all are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scrubjay.transform.name_words import OFTEN_FIRST, UNKNOWN, Gender, gender_of, name_classes
from scrubjay.transform.nicknames import are_same_name, formal_names
from scrubjay.transform.person_names import NamePart, PersonName
from scrubjay.transform.same_person import is_misspelled
from scrubjay.transform.surrogates.name_tables import nickname_home, origin_of

OldPart = tuple[Literal["given", "last"], str, Gender]
"""The role of a part, its key, and the gender of a first name."""


@dataclass(slots=True, repr=False)
class Profile:
    """What the mentions of a person tell, whatever the document.

    `givens` and `lasts` tell how often each first name and each surname is written; lone words
    are not counted. `parts` are the keys of parts as they were resolved (`part`), `steps`
    what `People` keeps of a mention that is the only one, and `keeps_words` whether that
    mention has words that stay.
    """

    language: str
    gender: Gender
    origin: str
    givens: dict[str, int]
    lasts: dict[str, int]
    parts: dict[tuple[str, bool], tuple[OldPart, str, str, str]]
    steps: Any = None
    keeps_words: bool = False

    @classmethod
    def of(cls, names: Sequence[PersonName], language: str) -> Profile:
        """Return the profile of a person, remembered with a mention that is the only one."""
        name = names[0]
        # As often as they are written, the same mentions tell the same.
        if len(names) > 1 and any(other is not name for other in names):
            return cls._of(names, language)
        found: Profile | None = name.profile
        if found is None or found.language != language:
            lone = len(name.parts) == 1 and name.parts[0].role == "either"
            found = (
                cls._lone(name.parts[0].key, name.gender, language)
                if lone
                else cls._of((name,), language)
            )
            name.profile = found
        return found

    @classmethod
    def _lone(cls, key: str, gender: Gender, language: str) -> Profile:
        """Return the profile of a person of whom a lone word is all that is known."""
        if is_rather_given(key):
            return cls(language, gender, "", {key: 0}, {}, {})
        return cls(language, gender, origin_of(key, "surnames", language), {}, {key: 0}, {})

    @classmethod
    def _of(cls, names: Sequence[PersonName], language: str) -> Profile:
        profile = cls(language, _gender(names, language), "", {}, {}, {})
        givens, lasts, lone = profile.givens, profile.lasts, False
        for name in names:
            for _, _, key, role in name.parts:
                if role == "given":
                    givens[key] = givens.get(key, 0) + 1
                elif role == "last":
                    lasts[key] = lasts.get(key, 0) + 1
                elif role == "either":
                    lone = True
        if lone:
            profile._place_lone_words(names)
        for surname in lasts:
            profile.origin = origin_of(surname, "surnames", language)
            break
        return profile

    def _place_lone_words(self, names: Sequence[PersonName]) -> None:
        """Put each lone word to the first names or surnames, wherever else it stands."""
        for name in names:
            lone = name.keys("either")
            if len(lone) > 1:
                self._place_compound(lone)
            for key in lone:
                if key in self.givens or key in self.lasts:
                    continue
                if _correct(key, self.lasts) != key:
                    self.lasts[key] = 0
                elif self._is_short(key) or _correct(key, self.givens) != key:
                    self.givens[key] = 0
                else:
                    side = self.givens if is_rather_given(key) else self.lasts
                    side[key] = 0

    def _place_compound(self, lone: Sequence[str]) -> None:
        """Put names that a hyphen joins to one side: where one of them is, or both belong."""
        known = [self.lasts, self.givens]
        sides = [side for side in known if any(key in side for key in lone)]
        side = self.givens if all(map(_is_oftener_given, lone)) else self.lasts
        for key in lone:
            if key not in self.givens and key not in self.lasts:
                (sides[0] if sides else side)[key] = 0

    def _is_short(self, key: str) -> bool:
        return any(are_same_name(key, other) for other in self.givens)

    def part(self, part: NamePart) -> tuple[OldPart, str, str, str]:
        """Return what a part that is a name is: `first` of it, its right spelling, a hint.

        The hint is the origin of the person, for the part of a first name.
        """
        given = part.role == "given" or (part.role == "either" and part.key in self.givens)
        known = self.parts.get((part.key, given))
        if known is None:
            right = _correct(part.key, self.givens if given else self.lasts)
            last: tuple[OldPart, str] = ("last", right, ""), ""
            known = *(self.first(right) if given else last), right, self.origin if given else ""
            self.parts[part.key, given] = known
        return known

    def first(self, key: str) -> tuple[OldPart, str]:
        """Return a first name in full, and the short form that the key is, or ""."""
        formal = formal_of(key, self.givens, self.language, self.gender)
        gender = self.gender or gender_of_key(formal, self.language)
        return ("given", formal, gender), key if formal != key else ""


def is_rather_given(key: str) -> bool:
    """Tell whether a name alone is rather a first name: a frequent one, or no oftener a surname.

    Whoever is called by a surname alone mostly has a title before it: "Jackson slept well".
    """
    return name_classes(key)[0] <= OFTEN_FIRST or _is_oftener_given(key)


def _is_oftener_given(key: str) -> bool:
    first, last = name_classes(key)
    return first <= last and first < UNKNOWN


def _gender(names: Iterable[PersonName], language: str) -> Gender:
    """Return the gender that a title tells, or the first of the first names, or ""."""
    listed = [name for name in names if not name.is_group]
    told = {name.gender for name in listed if name.gender}
    if len(told) == 1:
        return told.pop()
    for name in listed:
        for key in name.keys("given"):  # "Big Ed"
            found = gender_of_key(key, language)
            if found:
                return found
    return ""


def gender_of_key(key: str, language: str) -> Gender:
    gender = gender_of(key, language)
    if gender:
        return gender
    home = nickname_home(formal_of(key, (), language, ""), language)
    return home[1] if home else ""


def formal_of(key: str, known: Iterable[str], language: str, gender: Gender) -> str:
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
    if len(key) < 5 or (len(known) == 1 and key in known):
        return key
    own = known.get(key, 0)
    likely = [
        other for other, count in known.items()
        if other != key and count >= own
        and (count > own or name_classes(other) < name_classes(key)
             or (name_classes(other) == name_classes(key) and other < key))
        and is_misspelled(key, other)
    ]  # fmt: skip
    return min(likely, key=lambda other: (-known[other], name_classes(other), other), default=key)
