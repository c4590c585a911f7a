"""Words for decades of life follow an age in the same document: "octogenarian, 81".

Where 81 becomes 78, an octogenarian becomes a septuagenarian, and the eighties the seventies. Where
81 becomes 84, the word would stay what it was: the age in figures stands for it ("84-year-old"),
or the decade in another form ("eighties" for "80s").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from scrubjay.transform.surrogates._age_reading import Part, is_decade, is_small, known_parts
from scrubjay.transform.surrogates._articles import article_before, wants_an
from scrubjay.transform.surrogates._date_writing import recase_word
from scrubjay.transform.surrogates.calendar_words import CalendarWords, phrase_key
from scrubjay.transform.surrogates.draw import fold

_MIDDLE = 5  # of a decade
_OLDEST_DECADE = 90
_YOUNGEST_DECADE = 20
_PLAIN = frozenset({"link", "sep", "ending"})

Near = Callable[[int], Iterator[int]]
"""Gives the ages that an age may become, its own first."""


class Decades:
    """The words for decades among the ages of a document.

    `texts` are the mentions whose one telling word is such a one. `articles` tells of the ages
    that they follow whether their words stand behind "an", or "a" (False).
    """

    __slots__ = ("_ages", "_own", "_refused", "_words", "articles", "texts")

    def __init__(
        self, texts: Sequence[str], words: CalendarWords, text: str, refused: frozenset[str]
    ) -> None:
        self._words, self._refused = words, refused
        self.articles: dict[int, bool] = {}
        self._own: dict[str, bool | None] = {}
        found = {one: _decade(one, words) for one in texts}
        self.texts = {one: part for one, part in found.items() if part is not None}
        self._ages = _ages_of(texts, words) if self.texts else {}
        for one, (part, decade) in self.texts.items():
            english = words.language == "en" and part.kind == "stage"
            an = self._own[one] = article_before(text, one) if english else None
            age = self._told(decade)
            if an is not None and age is not None:
                self.articles.setdefault(age, an)

    def replace(self, text: str, done: Mapping[str, str], near: Near) -> str | None:
        """Return what stands for one of `texts`, None where no age tells, nor an article.

        `done` has what the ages of the document became.
        """
        part, decade = self.texts[text]
        age = self._told(decade)
        new = self._became(age, done) if age is not None else None
        if new is not None:
            options = self._of_age(part, decade, new)
        elif self._own[text] is not None:
            ages = near(decade + _MIDDLE)
            words = self._words.ages.rows[phrase_key(part.text)]
            options = [*words, *map(self._words.ages.in_figures.format, ages)]
        else:
            return None
        for option in options:
            made = _put(text, part, recase_word(option, part.text))
            if self._fits(made, text):
                return made
        return None

    def age_of(self, text: str) -> str | None:
        """Return the mention whose age one of `texts` follows, None where none tells it."""
        age = self._told(self.texts[text][1])
        return None if age is None else self._ages[age][0]

    def _fits(self, made: str, text: str) -> bool:
        an, key = self._own[text], fold(made)
        return an in (None, wants_an(made)) and key != fold(text) and key not in self._refused

    def _told(self, decade: int) -> int | None:
        """Return the first age of a decade that the document tells in figures or in words."""
        for age in self._ages:
            if age // 10 * 10 == decade or (decade == 100 and age >= decade):
                return age
        return None

    def _became(self, age: int, done: Mapping[str, str]) -> int | None:
        text, place = self._ages[age]
        if text not in done:
            return None
        parts = _numbers(done[text], self._words)
        return parts[place].value if place < len(parts) else None

    def _of_age(self, part: Part, decade: int, age: int) -> list[str]:
        """Return what may stand for a word of a decade now that the person is of an age."""
        ages = self._words.ages
        new = min(age // 10 * 10, _OLDEST_DECADE)
        figures = ages.in_figures.format(age)
        if part.kind == "stage":
            row = ages.rows[phrase_key(part.text)]
            return [word for word in row if ages.of_decades.get(phrase_key(word)) == new] + [
                figures
            ]
        name = ages.decade_names.get(new, "")
        if part.kind == "decade":
            if new != decade:
                return [name] if name else []
            return [f"{new}s"] if self._words.language == "en" else [figures]
        if new < _YOUNGEST_DECADE:
            return []
        if new != decade:
            return [str(new)]
        return [name] if name and self._words.language == "en" else []


def _decade(text: str, words: CalendarWords) -> tuple[Part, int] | None:
    """Return the part of a mention that tells a decade, and which, if nothing else tells an age."""
    parts = known_parts(text, words.language)
    telling = [index for index, part in enumerate(parts) if part.kind not in _PLAIN]
    if len(telling) != 1:
        return None
    part = parts[telling[0]]
    if part.kind == "decade":
        return part, part.value
    if part.kind == "stage":
        decade = words.ages.of_decades.get(phrase_key(part.text))
        return (part, decade) if decade is not None else None
    if part.kind == "number" and is_decade(parts, telling[0]):
        return part, part.value
    return None


def _put(text: str, part: Part, new: str) -> str:
    """Return a mention with its word for a decade replaced; words need no "s" behind them."""
    if part.kind == "number" and not new[:1].isdecimal():
        return re.sub(rf"{part.text}['’]?s", lambda _: new, text, count=1, flags=re.IGNORECASE)
    return text.replace(part.text, new, 1)


def _ages_of(texts: Sequence[str], words: CalendarWords) -> dict[int, tuple[str, int]]:
    """Return the ages of grown persons that mentions tell: the mention and the place in it."""
    found: dict[int, tuple[str, int]] = {}
    for text in texts:
        parts = known_parts(text, words.language)
        for place, part in enumerate(_numbers(text, words)):
            index = next(i for i, one in enumerate(parts) if one is part)
            if not is_small(parts, index, words) and not is_decade(parts, index):
                found.setdefault(part.value, (text, place))
    return found


def _numbers(text: str, words: CalendarWords) -> list[Part]:
    return [p for p in known_parts(text, words.language) if p.kind in ("number", "spelled")]
