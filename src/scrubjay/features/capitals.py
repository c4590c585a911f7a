"""The capitals that a text without any, or all in capitals, would have: "dr smit" as "Dr Smit".

What finds names has learned from text with capitals, and passes names over where all words are
lower case, or takes all words for names where all are upper case. A linear classifier of words, by
their letters, by the lists that have them and by their neighbours, tells which would begin with a
capital (Lita et al. 2003, tRuEcasIng). Where a text has capitals, lines of it may lack them: those
in which more words within sentences have lost theirs, by the classifier, than have one. No letter
moves: each place is that of the text as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, groupby
from zlib import crc32

import numpy as np
import numpy.typing as npt

from scrubjay.caching import text_cache
from scrubjay.compiling import use_compiled
from scrubjay.errors import ConfigError
from scrubjay.features._case_walk import KERNEL, Look, look_through, sieve_words
from scrubjay.features.lexicons import find_lexicon, lexicon_names, look_up
from scrubjay.features.protected import find_protected
from scrubjay.resources import resource
from scrubjay.text.one_case import (
    is_upper,
    lacks_capitals,
    lower_lines,
    lower_signs,
    most_titled,
    upper_parts,
)

BUCKETS = 1 << 16
"""Numbers that features are hashed to."""

_FOLDER = "capitals"
_KEPT = 32_768
"""Words whose sums are remembered."""

_SURE, _TELLING = 10.0, 20.0
"""Score of a word that gets a capital in a text that has others; and that of a word for itself,
where it is to tell that a text lacks some."""

_FOR_ONE = 2
"""Capitals within sentences for each telling word, under which lines are looked at."""

_PLACES = ("cities", "counties", "regions", "countries")
_NAMES = ("first-names", "surnames", *_PLACES)
"""Kinds of lexicons that have telling words, of those that `common` lacks."""

_SMALL = 3
"""Letters of a word within the name of a place that has no capital, at most ("of", "del")."""

_LONGEST_INITIALS, _NEVER, _NAMED = 4, -1e9, 1e9
"""Letters of initials, the score of what has no capital at its head alone, and of phrases."""

_WORD = re.compile(r"[^\W\d_]+")
_VOWEL = re.compile("[aeiouyà-æè-ïò-öøù-ÿ]")
_WITHIN = re.compile(r"(?<=[a-zß-öø-ÿ,;&/][ -])[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]")
_LINE = re.compile("[^\\n]+")
_LETTERS = bytes(code if chr(code).isalpha() else 32 for code in range(256))
_ENDS = frozenset(".!?:N|")

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A word of a text, and its features: `own` are those of this very word."""

    word: str
    numbers: Numbers
    own: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Capitals:
    """A classifier of words: `weights` (BUCKETS,) for what is said of one, and the `offset`."""

    language: str
    weights: npt.NDArray[np.float64]
    offset: float

    def restore(self, text: str) -> str:
        """Return a text with the capitals that it would have, where it lacks them.

        That is all of a text that has hardly any or no other letters, lines in capitals alone, and
        lines in which more words lack their capitals than have them. Any other text comes back as
        it is. The length stays, and letters change by case alone.
        """
        lowered: Iterable[tuple[int, int]] = ()
        if is_whole := lacks_capitals(text):
            plain = lower_signs(text) if is_upper(text) else text
        elif (plain := lower_lines(text)) is not text:
            is_whole, lowered = lacks_capitals(plain), upper_parts(text)
        if is_whole:
            return _raised(plain, self._starts(plain, 0, len(plain)))
        sure = (start for part in lowered for start in self._starts(plain, *part))
        lost = (start for part in self._lacking(plain) for start in self._lost(plain, *part))
        return _raised(plain, chain(sure, lost))

    def restore_all(self, texts: Sequence[str]) -> list[str]:
        """Return what `restore` does of each text, in less time."""
        if not use_compiled(0, late=KERNEL):
            return [self.restore(text) for text in texts]
        looks = look_through(texts, _sieve(self.language))
        return [self._restored(text, look) for text, look in zip(texts, looks, strict=True)]

    def _restored(self, text: str, look: Look) -> str:
        """Return what `restore` does of a text that a walk has seen."""
        if look.titled <= most_titled(len(text)) or not (
            look.is_plain or lower_lines(text) is text
        ):
            return self.restore(text)
        parts = self._lacking_among(text, look) if look.words else ()
        return _raised(text, (start for part in parts for start in self._lost(text, *part)))

    def _lacking_among(self, text: str, look: Look) -> Iterator[tuple[int, int]]:
        """Yield what `_lacking` does for a text of which a walk has seen the words that may tell.

        They are by their places.
        """
        words = [(text[start:end], line, within) for start, end, line, within in look.words]
        told = self._among_telling({word for word, _, _ in words})
        if _FOR_ONE * len(told) > look.within:
            yield 0, len(text)
            return
        lines: dict[tuple[int, int], set[str]] = {}
        for word, line, within in words:
            if word in told:
                lines.setdefault((line, within), set()).add(word)
        for (line, within), own in lines.items():
            if _FOR_ONE * len(own) > within:
                end = text.find("\n", line)
                yield line, end if end >= 0 else len(text)

    def _lacking(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where a text that has capitals may lack some: the whole, or lines of it."""
        telling = self._telling(text)
        if not telling:
            return
        if _FOR_ONE * len(telling) > len(_WITHIN.findall(text)):
            yield 0, len(text)
            return
        for line in _LINE.finditer(text):
            if not any(map(line[0].__contains__, telling)):
                continue
            own = telling.intersection(_words_of(line[0]))
            if _FOR_ONE * len(own) > len(_WITHIN.findall(line[0])):
                yield line.span()

    def _telling(self, text: str) -> set[str]:
        """Return the words in small letters of a text that hardly ever stand so."""
        return self._among_telling(_words_of(text))

    def _among_telling(self, words: Iterable[str]) -> set[str]:
        sums = _summing(self.language)
        listed = _names(self.language).intersection(words)
        return {word for word in listed if sums(word)[0] > _TELLING}

    def _lost(self, text: str, first: int, last: int) -> Iterator[int]:
        """Yield where words begin that lack a capital, of lines in which more do than have one."""
        lost = [
            (start, gap)
            for start, gap, score in self._words(text, first, last)
            if score > _SURE and text[start].islower()
        ]
        lines = [line.span() for line in _LINE.finditer(text, first, last)]
        for number, rows in groupby(lost, lambda one: bisect_right(lines, (one[0], last)) - 1):
            own, line = list(rows), slice(*lines[number])
            within = sum(gap[:1] not in _ENDS for _, gap in own)
            if within > len(_WITHIN.findall(text[line])):
                terms = _terms(text[line], line.start, self.language)
                yield from (start for start, _ in own if start not in terms)

    def _starts(self, text: str, first: int, last: int) -> Iterator[int]:
        """Yield where the words of a part begin that would begin with a capital."""
        return (start for start, _, score in self._words(text, first, last) if score > 0)

    def _words(self, text: str, first: int, last: int) -> Iterator[tuple[int, str, float]]:
        """Yield where each word of a part begins, what parts it from the last, and its score."""
        sums, species = _summing(self.language), _species()
        between, of_gap = _weighing(self.language)
        phrases, named = _phrases(self.language), set[int]()
        was_named = False
        told, sum_before, sum_behind = sums(""), 0.0, sums("")
        for match, word, gap, before, behind, end in _walk(text, first, last):
            start, sum_before = match.start(), told[1]
            told = sum_behind if before else sums(word)
            sum_behind = sums(behind)
            if word in phrases:
                named.update(_words_of_phrase(text, start, phrases[word]))
            is_code = gap == "," and _is_code(word, end, before, self.language, is_named=was_named)
            was_named = start in named
            if was_named or is_code:
                yield start, gap, _NAMED
                if is_code:
                    yield start + 1, gap, _NAMED
                continue
            if not (
                (len(before) == 1 and f"{before}. {word}" in species)
                or (len(word) == 1 and f"{word}. {behind}" in species)
            ):
                score = told[0] + sum_before + sum_behind[2] + between(gap, end)
                yield start, gap, score + of_gap(word, gap)


@cache
def find_capitals(language: str) -> Capitals:
    """Return the classifier of a language. Raises `ConfigError` where none ships."""
    file = resource(_FOLDER, f"{language}.npz")
    if not file.is_file():
        raise ConfigError(
            f"capitals are not restored in {language!r}",
            hint="Leave the model without --capitals: English, Spanish and Dutch have them",
        )
    with file.open("rb") as stream, np.load(stream) as stored:
        weights = np.zeros(BUCKETS)
        weights[stored["buckets"]] = stored["weights"] * stored["scale"][0]
        return Capitals(language, weights, float(stored["scale"][1]))


def read_places(text: str, language: str) -> Iterator[Place]:
    """Yield the words of a text with their features, for those who fit a classifier."""
    for match, word, gap, before, behind, end in _walk(text):
        numbers = (
            *_features("word", word, _lists(word, language)),
            *_features("before", before, _lists(before, language)),
            *_features("behind", behind, _lists(behind, language)),
            _of_gap("word", gap),
            _of_gap("before", ""),
            _of_gap("behind", end),
        )
        own = _hash("w", word), _hash("g" + gap, word)
        yield Place(match[0], numbers, own)


def _walk(
    text: str, first: int = 0, end: int | None = None
) -> Iterator[tuple[re.Match[str], str, str, str, str, str]]:
    """Yield each word, also in small letters, with what parts it from the one before.

    Its neighbours in small letters follow, and what parts it from the next.
    """
    last: re.Match[str] | None = None
    word = before = gap = ""
    place = first
    for match in _WORD.finditer(text, first, len(text) if end is None else end):
        fresh, behind = _gap(text[place : match.start()]), match[0].lower()
        if last is not None:
            yield last, word, gap, before, behind, fresh
            before = word
        last, word, gap, place = match, behind, fresh, match.end()
    if last is not None:
        yield last, word, gap, before, "", _gap(text[place:end])


def _gap(between: str) -> str:
    """Return what kind of signs stands between two words."""
    if between == " ":
        return "_"
    if "\n" in between:
        return "N"
    return between.strip()[:2] or "|"


def _features(role: str, word: str, lists: Sequence[str]) -> Numbers:
    """Return the hashed features of a word beside another, or of one for itself ("word")."""
    kinds = "|".join(name.partition(":")[0] for name in lists)
    numbers = [_hash(role + "=", kinds), *(_hash(role, name) for name in lists)]
    if role != "word":
        return (_hash(role, word), *numbers)
    whole = f"^{word}$"
    grams = (whole[i : i + n] for n in (2, 3, 4) for i in range(len(whole) - n + 1))
    numbers += [_hash("n", gram) for gram in grams]
    numbers += [_hash("p", word[:5]), _hash("s", word[-4:]), _hash("l", str(min(len(word), 9)))]
    return tuple(numbers)


def _of_gap(role: str, gap: str) -> int:
    """Return the hashed feature of what parts a word from another."""
    return _hash(role + gap, "")


def _hash(kind: str, what: str) -> int:
    return crc32(f"{kind} {what}".encode()) % BUCKETS


def _lists(word: str, language: str) -> list[str]:
    """Return the lexicons of a language, and of the world, that have a word, with its class."""
    found = ((name, look_up(find_lexicon(name), word)) for name in _lexicons(language))
    return [f"{name}:{number}" for name, number in found if number is not None]


@cache
def _lexicons(language: str) -> tuple[str, ...]:
    return tuple(name for name in lexicon_names() if name.partition(".")[0] in (language, "world"))


@cache
def _summing(language: str) -> Callable[[str], tuple[float, float, float]]:
    """Return what sums the weights of a word for itself, before another and behind another.

    What it sums it remembers.
    """
    weights = find_capitals(language).weights

    @text_cache(_KEPT)
    def sums(word: str) -> tuple[float, float, float]:
        lists = _lists(word, language)
        itself = (*_features("word", word, lists), _hash("w", word))
        before = (*_features("before", word, lists), _of_gap("before", ""))
        behind = _features("behind", word, lists)
        one, two, three = (float(weights[list(each)].sum()) for each in (itself, before, behind))
        return _NEVER if not lists and _is_short(word) else one, two, three

    return sums


@cache
def _weighing(language: str) -> tuple[Callable[[str, str], float], Callable[[str, str], float]]:
    """Return what tells the weight of what stands before and behind a word, with the offset, and
    that of a word with what stands before it."""
    known = find_capitals(language)
    weights = known.weights

    @text_cache(_KEPT)
    def between(gap: str, end: str) -> float:
        return float(weights[[_of_gap("word", gap), _of_gap("behind", end)]].sum()) + known.offset

    @text_cache(_KEPT)
    def of_gap(word: str, gap: str) -> float:
        return float(weights[_hash("g" + gap, word)])

    return between, of_gap


def _is_short(word: str) -> bool:
    """Tell whether a word has few letters and no vowel, as initials and abbreviations have."""
    return 1 < len(word) <= _LONGEST_INITIALS and _VOWEL.search(word) is None


@cache
def _species() -> frozenset[str]:
    """Return the microbes of the lexicons by the initial of their genus: "e. coli"."""
    return frozenset(term for term in find_lexicon("world.protected") if term[1:3] == ". ")


def _terms(line: str, first: int, language: str) -> Container[int]:
    """Return the places of a line that begins at `first` in clinical terms of several words."""
    found = find_protected(line, language)
    kept = (range(one.start, one.end) for one in found if not line[one.start : one.end].isalpha())
    return frozenset(first + place for place in chain.from_iterable(kept))


@cache
def _names(language: str) -> frozenset[str]:
    """Return the words of the lists of names and places of a language, but common ones."""
    listed = frozenset().union(*map(find_lexicon, _of_kinds(language, *_NAMES)))
    return listed.difference(find_lexicon(f"{language}.common"))


@cache
def _sieve(language: str) -> npt.NDArray[np.uint8]:
    return sieve_words(_names(language))


def _is_code(word: str, end: str, before: str, language: str, *, is_named: bool) -> bool:
    """Tell whether a word behind a comma is the code of a state, behind a town that is listed.

    `is_named` is that a phrase goes before. One that is a common word, too, ends a clause.
    """
    return (
        _is_listed(word, "state-codes", language)
        and (is_named or _is_listed(before, "cities", language))
        and (end != "_" or not _is_listed(word, "common", language))
    )


def _is_listed(word: str, kind: str, language: str) -> bool:
    return any(word in find_lexicon(name) for name in _of_kinds(language, kind))


@cache
def _of_kinds(language: str, *kinds: str) -> tuple[str, ...]:
    return tuple(name for name in _lexicons(language) if name.partition(".")[2] in kinds)


@cache
def _phrases(language: str) -> dict[str, list[str]]:
    """Return the places of several words that no particle leads, by their first word."""
    particles = find_lexicon(f"{language}.particles")
    phrases: dict[str, list[str]] = {}
    for phrase in chain(*map(find_lexicon, _of_kinds(language, *_PLACES))):
        head, _, rest = phrase.partition(" ")
        if rest and head not in particles:
            phrases.setdefault(head, []).append(phrase)
    return phrases


def _words_of_phrase(text: str, start: int, phrases: Sequence[str]) -> Iterator[int]:
    """Yield where the words begin of those phrases that stand in a text there, but short ones."""
    for phrase in phrases:
        end = start + len(phrase)
        if text[start:end].lower() == phrase and not text[end : end + 1].isalpha():
            for word in _WORD.finditer(phrase):
                if not word.start() or len(word[0]) > _SMALL:
                    yield start + word.start()


def _words_of(text: str) -> list[str]:
    """Return the words of a text, cut at all that is no letter of Latin-1."""
    return text.encode("latin-1", "replace").translate(_LETTERS).decode("latin-1").split()


def _raised(text: str, places: Iterable[int]) -> str:
    """Return a text with capitals in some places, where a letter has one of a sign."""
    signs = None
    for place in places:
        raised = text[place].upper()
        if len(raised) == 1:
            signs = list(text) if signs is None else signs
            signs[place] = raised
    return text if signs is None else "".join(signs)
