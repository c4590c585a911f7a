"""The capitals that a text without any, or all in capitals, would have: "dr smit" as "Dr Smit".

What finds names has learned from text with capitals, and passes names over where all words are
lower case, or takes all words for names where all are upper case. A linear classifier of words, by
their letters, by the lists that have them and by their neighbours, tells which would begin with a
capital (Lita et al. 2003, tRuEcasIng). No letter moves: each place is that of the text as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import islice
from zlib import crc32

import numpy as np
import numpy.typing as npt

from scrubjay.caching import text_cache
from scrubjay.errors import ConfigError
from scrubjay.features.lexicons import find_lexicon, lexicon_names, look_up

BUCKETS = 1 << 16
"""Numbers that features are hashed to."""

_FOLDER = "capitals"
_KEPT = 32_768
"""Words whose sums are remembered."""

_SHORTEST = 3
"""Characters of a word with what parts it from the next, at least: no more words than these."""

_FEWEST, _FEWEST_UPPER = 5, 8
"""Words of a text without capitals, and of one in capitals, at least."""

_SHARE, _UPPER = 0.02, 0.5
"""Share of words that may begin with a capital, and that are capitals in a text of nothing else."""

_LONGEST_INITIALS, _NEVER = 4, -1e9
"""Letters of initials, and the score of what has no capital at its head alone."""

_NEAR = 200
"""Characters before a word and behind it that are looked at."""

_WORD = re.compile(r"[^\W\d_]+")
_LONG = re.compile(r"[^\W\d_]{2,}")
_VOWEL = re.compile("[aeiouyà-æè-ïò-öøù-ÿ]")
_TITLED = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]")

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
        """Return a text that lacks capitals, or has no others, with those that it would have.

        Any other text comes back as it is. The length stays, and letters change by case alone.
        """
        if not lacks_capitals(text):
            return text
        if _is_upper(text):
            text = _lowered(text)
        signs = list(text)
        for start in self._starts(text):
            raised = signs[start].upper()
            if len(raised) == 1:
                signs[start] = raised
        return "".join(signs)

    def _starts(self, text: str) -> Iterator[int]:
        """Yield where the words begin that would begin with a capital."""
        sums, weights, species = _summing(self.language), self.weights, _species()
        gaps: dict[tuple[str, str], float] = {}
        for match, gap, before, behind, end in _walk(text):
            word = match[0].lower()
            if (gap, end) not in gaps:
                beside = _of_gap("word", gap), _of_gap("behind", end)
                gaps[gap, end] = float(weights[list(beside)].sum()) + self.offset
            score = sums(word)[0] + sums(before)[1] + sums(behind)[2] + gaps[gap, end]
            if score + weights[_hash("g" + gap, word)] > 0 and not (
                (len(before) == 1 and f"{before}. {word}" in species)
                or (len(word) == 1 and f"{word}. {behind}" in species)
            ):
                yield match.start()


@cache
def find_capitals(language: str) -> Capitals:
    """Return the classifier of a language. Raises `ConfigError` where none ships."""
    file = resources.files("scrubjay.resources").joinpath(_FOLDER, f"{language}.npz")
    if not file.is_file():
        raise ConfigError(
            f"capitals are not restored in {language!r}",
            hint="Leave the model without --capitals: English, Spanish and Dutch have them",
        )
    with file.open("rb") as stream, np.load(stream) as stored:
        weights = np.zeros(BUCKETS)
        weights[stored["buckets"]] = stored["weights"] * stored["scale"][0]
        return Capitals(language, weights, float(stored["scale"][1]))


def lacks_capitals(text: str) -> bool:
    """Tell whether hardly a word of a text has a capital at its head and small letters behind."""
    most = 1 + int(_SHARE * len(text) / _SHORTEST)
    titled = sum(1 for _ in islice(_TITLED.finditer(text), most + 1))
    if titled > most:
        return False
    words = _LONG.findall(text)
    if len(words) < _FEWEST or titled > _SHARE * len(words):
        return False
    return len(words) >= _FEWEST_UPPER or not all(map(str.isupper, words))


def stands_in_capitals(text: str, start: int, end: int) -> bool:
    """Tell whether a word stands among capitals alone, so that its own tells nothing.

    Its line is looked at, and the text around it, `_NEAR` characters each way at most.
    """
    if not text[start:end].isupper():
        return False
    first, last = max(0, start - _NEAR), end + _NEAR
    around = text[first:last]
    row = text[max(first, text.rfind("\n", first, start) + 1) : end]
    row += text[end:last].partition("\n")[0]
    return any(lacks_capitals(each) and _is_upper(each) for each in (around, row))


def _is_upper(text: str) -> bool:
    """Tell whether most words of a text are all in capitals."""
    words = _LONG.findall(text)
    return sum(map(str.isupper, words)) > _UPPER * len(words)


def read_places(text: str, language: str) -> Iterator[Place]:
    """Yield the words of a text with their features, for those who fit a classifier."""
    for match, gap, before, behind, end in _walk(text):
        word = match[0].lower()
        numbers = (
            *_features("word", word, language),
            *_features("before", before, language),
            *_features("behind", behind, language),
            _of_gap("word", gap),
            _of_gap("before", ""),
            _of_gap("behind", end),
        )
        own = _hash("w", word), _hash("g" + gap, word)
        yield Place(match[0], numbers, own)


def _walk(text: str) -> Iterator[tuple[re.Match[str], str, str, str, str]]:
    """Yield each word, what parts it from the one before, its neighbours, and what follows it."""
    last: re.Match[str] | None = None
    before = gap = ""
    place = 0
    for match in _WORD.finditer(text):
        fresh = _gap(text[place : match.start()])
        if last is not None:
            yield last, gap, before, match[0].lower(), fresh
            before = last[0].lower()
        last, gap, place = match, fresh, match.end()
    if last is not None:
        yield last, gap, before, "", _gap(text[place:])


def _gap(between: str) -> str:
    """Return what kind of signs stands between two words."""
    if between == " ":
        return "_"
    if "\n" in between:
        return "N"
    return between.strip()[:2] or "|"


def _features(role: str, word: str, language: str) -> Numbers:
    """Return the hashed features of a word beside another, or of one for itself ("word")."""
    lists = [f"{name}:{number}" for name, number in _listed(word, language)]
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


def _listed(word: str, language: str) -> Iterator[tuple[str, int]]:
    """Yield the lexicons of a language, and of the world, that have a word, with its class."""
    for name in _lexicons(language):
        number = look_up(find_lexicon(name), word)
        if number is not None:
            yield name, number


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
        itself = (*_features("word", word, language), _hash("w", word))
        before = (*_features("before", word, language), _of_gap("before", ""))
        behind = _features("behind", word, language)
        one, two, three = (float(weights[list(each)].sum()) for each in (itself, before, behind))
        return _NEVER if _is_initials(word, language) else one, two, three

    return sums


def _is_initials(word: str, language: str) -> bool:
    """Tell whether a word is initials or an abbreviation: short, without a vowel, in no list."""
    short = 1 < len(word) <= _LONGEST_INITIALS and _VOWEL.search(word) is None
    return short and next(_listed(word, language), None) is None


@cache
def _species() -> frozenset[str]:
    """Return the microbes of the lexicons by the initial of their genus: "e. coli"."""
    return frozenset(term for term in find_lexicon("world.protected") if term[1:3] == ". ")


def _lowered(text: str) -> str:
    """Return a text in small letters, with those as they are that have no small one of a sign."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
