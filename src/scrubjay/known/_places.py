"""Finding known addresses, towns and institutions: phrases, abbreviated or misspelled or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from scrubjay.known._codes import Found
from scrubjay.known.identifiers import KnownValue
from scrubjay.known.people import PARTICLES, common_words
from scrubjay.known.words import Words, is_capitalised, word_keys
from scrubjay.resources import load_table
from scrubjay.text.distance import distance

_PHRASE_GAP = re.compile(r"[\s,.\-/#º°'’()]{0,4}")
_POSTAL_CODE = re.compile(r"\b[0-9]{5}(?:-[0-9]{4})?\b|\b[0-9]{4}\s?[A-Z]{2}\b")
_LEAST_FUZZY = 5
_LEAST_FUZZY_ALONE = 6
_LEAST_ALONE = 4


@dataclass(frozen=True, slots=True, repr=False)
class Phrase:
    """Words in order, canonical where they have short forms, and the kind of what they name."""

    words: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True, repr=False)
class PhraseIndex:
    """Phrases by their first word, longest first, and every word in any of them."""

    language: str
    phrases: dict[str, tuple[Phrase, ...]] = field(default_factory=dict)
    vocabulary: frozenset[str] = frozenset()


def make_phrase_index(values: Iterable[KnownValue], *, language: str) -> PhraseIndex:
    """Return the index of the streets, towns, regions, countries and organizations."""
    by_first: dict[str, set[Phrase]] = {}
    for value in values:
        for phrase in _phrases(value, language):
            by_first.setdefault(phrase.words[0], set()).add(phrase)
    return PhraseIndex(
        language,
        {
            first: tuple(sorted(found, key=lambda phrase: (-len(phrase.words), phrase.words)))
            for first, found in sorted(by_first.items())
        },
        frozenset(word for found in by_first.values() for phrase in found for word in phrase.words),
    )


def _phrases(value: KnownValue, language: str) -> Iterator[Phrase]:
    if value.kind == "street":
        segments = [part for part in re.split(r"[,;\n]", value.value) if part.strip()]
        for segment in segments:
            yield from _street_phrases(segment, language)
        if len(segments) > 1 and len(words := _canonical_keys(value.value)) > 2:
            yield Phrase(words, value.kind)
        return
    words = _canonical_keys(value.value)
    if len("".join(words)) >= _LEAST_ALONE:
        yield Phrase(words, value.kind)


def _street_phrases(text: str, language: str) -> Iterator[Phrase]:
    """Yield a part of an address whole, without the unit, and by the name of the street alone."""
    words = _canonical_keys(text)
    if not words or words[0] in _unit_words():
        return
    unit = next((place for place, word in enumerate(words) if word in _unit_words()), len(words))
    street = words[:unit]
    names = [word for word in street if not any(mark.isdigit() for mark in word)]
    if not names:
        return
    if len(words) > 1:
        yield Phrase(words, "street")
    if 1 < len(street) < len(words):
        yield Phrase(street, "street")
    core = _without_numbers(street)
    kinds = frozenset(street_words().values())
    ends = [place for place, word in enumerate(street) if word in kinds and place > 1]
    if ends and ends[0] + 1 < len(street):  # "12 Elm St Springfield OH"
        yield Phrase(street[: ends[0] + 1], "street")
        core = _without_numbers(street[: ends[0] + 1])
    own = [word for word in core if word not in kinds and word not in PARTICLES]
    if own and (len(core) > 1 or _tells_alone(core[0], language)):
        yield Phrase(core, "street")
    # The number and the name without the kind of street: "12 Elm".
    bare = tuple(word for word in street if word not in kinds)
    if own and len(bare) > len(own) and bare != street:
        yield Phrase(bare, "street")


def _without_numbers(street: tuple[str, ...]) -> tuple[str, ...]:
    """Return the longest stretch without a number: the name of the street and its kind."""
    stretches: list[list[str]] = [[]]
    for word in street:
        if word.isdigit() or (len(word) == 1 and len(stretches[-1]) != 0):
            stretches.append([])
        else:
            stretches[-1].append(word)
    longest: list[str] = max(stretches, key=len)
    return tuple(longest)


def _tells_alone(word: str, language: str) -> bool:
    ends = any(word.endswith(kind) for kind in ("str", "weg", "laan", "plein", "gracht", "kade"))
    return (ends and len(word) > 5) or (len(word) >= 7 and word not in common_words(language))


@cache
def street_words() -> dict[str, str]:
    """Return the short and the long forms of kinds of streets -> one canonical form."""
    groups = map(str.split, load_table("known", "streets.toml")["kinds"])
    return {form: group[0] for group in groups for form in group}


@cache
def _unit_words() -> frozenset[str]:
    return frozenset(load_table("known", "streets.toml")["units"])


def _canonical(key: str) -> str:
    found = street_words().get(key)
    if found is not None:
        return found
    return f"{key[:-6]}str" if key.endswith("straat") else key


def _canonical_keys(text: str) -> tuple[str, ...]:
    return tuple(_canonical(key) for key in word_keys(text))


def find_phrases(words: Words, index: PhraseIndex) -> list[Found]:
    """Return where the phrases stand, the longest at each word; a later one may overlap."""
    if not index.phrases:
        return []
    meant = _Meanings(index)
    found: list[Found] = []
    position = 0
    while position < len(words):
        hit = _longest(words, position, index, meant)
        if hit is not None:
            last, phrase, exact = hit
            found.append(Found(words.starts[position], words.ends[last], phrase.kind, exact))
            position = last
        position += 1
    return found


class _Meanings:
    """Which words of phrases each word of a text may stand for, worked out once a word."""

    def __init__(self, index: PhraseIndex) -> None:
        self._index = index
        self._known: dict[str, dict[str, bool]] = {}

    def of(self, key: str) -> dict[str, bool]:
        """Return the words meant -> whether that is exact."""
        if key not in self._known:
            self._known[key] = self._look_up(_canonical(key))
        return self._known[key]

    def _look_up(self, word: str) -> dict[str, bool]:
        vocabulary = self._index.vocabulary
        if word in vocabulary:
            return {word: True}
        if len(word) < _LEAST_FUZZY or not word.isalpha():
            return {}
        if word in common_words(self._index.language):
            return {}
        return {
            known: False
            for known in sorted(vocabulary)
            if len(known) >= _LEAST_FUZZY and known.isalpha() and distance(word, known, 1) == 1
        }


def _longest(
    words: Words, first: int, index: PhraseIndex, meant: _Meanings
) -> tuple[int, Phrase, bool] | None:
    best: tuple[int, Phrase, bool] | None = None
    for word, exact in meant.of(words.keys[first]).items():
        for phrase in index.phrases.get(word, ()):
            if best is not None and len(phrase.words) <= len(best[1].words):
                break
            whole = _match(words, first, phrase, meant)
            if whole is not None and _is_plausible(words, first, phrase, whole, index):
                best = (first + len(phrase.words) - 1, phrase, exact and whole)
                break
    return best


def _match(words: Words, first: int, phrase: Phrase, meant: _Meanings) -> bool | None:
    """Return whether the words from `first` are the phrase exactly; None if they are not it."""
    last = first + len(phrase.words) - 1
    if last >= len(words):
        return None
    exact = True
    for place, wanted in enumerate(phrase.words, start=first):
        if place > first and not _PHRASE_GAP.fullmatch(words.gap(place - 1)):
            return None
        answers = meant.of(words.keys[place])
        if wanted not in answers:
            return None
        exact = exact and answers[wanted]
    return exact


def _is_plausible(
    words: Words, first: int, phrase: Phrase, exact: bool, index: PhraseIndex
) -> bool:
    """Tell whether a single word is written so that it can be the place, not an everyday word."""
    if len(phrase.words) > 1:
        return True
    (word,) = phrase.words
    if not exact and (len(word) < _LEAST_FUZZY_ALONE or phrase.kind in ("state", "country")):
        return False
    if exact and word not in common_words(index.language):
        return True
    return is_capitalised(words.surface(first))


def split_address(value: KnownValue) -> list[KnownValue]:
    """Return the parts of a whole address: the street, and the towns and postal codes after it.

    Parts are told by commas, semicolons and line ends; the first is the street.
    """
    first, *rest = [part for part in re.split(r"[,;\n]", value.value) if part.strip()] or [""]
    parts = [KnownValue("street", first)]
    for part in rest:
        codes = _POSTAL_CODE.findall(part)
        parts += [KnownValue("zip", code) for code in codes]
        town = _POSTAL_CODE.sub(" ", part).strip()
        parts += [KnownValue("city", town)] if town else []
    return parts
