"""Which words of a street are its name, where all of them are words of streets.

"12 Mill Lane", "Lake View Dr", "Plaza del Puerto" and "Grote Markt" have no word that could only
be a name. One word says what it is and stays; the others are the name. Where none is left, a name
is put beside it: "The Crescent" -> "The Osprey Crescent", "Markt" -> "Merelmarkt".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from scrubjay.transform.surrogates._tables import NamingWords
from scrubjay.transform.surrogates.draw import fold

WHOLE, BEFORE, AFTER, STEM = range(4)
"""What a new name does: it takes the place of some words, or stands before one, after one, or is
its first part."""

BREAK, NAME, UNIT, SMALL, CUE = range(5)
"""Kinds of words: none that a chain goes on with, a name, one of a part of a house ("Apt"), a small
word or a direction, a word of streets."""

_LINKS = frozenset({"and", "at", "y", "e", "en"})
_NUMBER_AFTER = re.compile(r"[\s#]*(?:[^\W\d_]{1,2}[- ]?)?\d")  # "Ctra. N-332", too
_NUMBER_BEFORE = re.compile(
    r"(?:\d(?:st|nd|rd|th)|(?<![^\W_])[^\W\d_]\.?|(?<![^\W_])[nsew]\.?\s+\d+)\s*\Z", re.IGNORECASE
)
_AROUND = 40
"""Characters before a word in which a number of a street may stand."""
_LEAST_DIRECTION = 4
_OPEN_AFTER = frozenset(("", *",;0123456789"))
_MARKS = ("/", "./", ",", ":")
_JOINS = " \t\r\n."  # with the full stop of "C/. Mayor"


class Word(NamedTuple):
    """A word of a street: its place, and its kind."""

    start: int
    end: int
    kind: int


class Renamed(NamedTuple):
    """A stretch of a street that changes: how, and the key that the new name is drawn by."""

    start: int
    end: int
    how: int
    key: str


def kind_of_word(word: str, words: NamingWords, is_cue: Callable[[str], bool]) -> int:
    """Return the kind of a word of a street; `is_cue` tells the words of streets."""
    plain = word.rstrip("./").lower()
    if any(map(str.isdigit, word)) or (len(plain) == 1 and not (len(word) > 1 and is_cue(word))):
        return BREAK
    if plain in words.units:
        return UNIT
    if is_compound(word, words):
        return NAME
    if plain in words.keep:
        return BREAK if plain in _LINKS else SMALL
    return CUE if is_cue(word) else NAME


def is_compound(word: str, words: NamingWords) -> bool:
    """Tell whether a word is a name and what it is the name of: "Kerkstraat"."""
    end = words.street_end
    if end is None or word.rstrip(".").lower() in words.units:
        return False
    found = end.search(word)
    return found is not None and found.start() > 1


def is_opener(match: re.Match[str], words: NamingWords) -> bool:
    """Tell whether a word says what a part of a town is: at the start, or behind a number."""
    if match[0].rstrip(".").lower() not in words.openers:
        return False
    return match.string[: match.start()].rstrip()[-1:] in _OPEN_AFTER


def renamed_words(text: str, found: Sequence[Word], words: NamingWords) -> list[Renamed]:
    """Return what changes in a street besides its names: `found` are its words in order.

    Words are of one street while only white space is between them. One says what it is and stays;
    the others are of its name, and go with it.
    """
    chains = _chains_of(text, found, words)
    new = [one for chain in chains for one in _renamed(text, chain, words)]
    if new or len(chains) != 1:
        return new
    return _directions(text, chains[0], words)


def _chains_of(text: str, found: Sequence[Word], words: NamingWords) -> list[list[Word]]:
    chains: list[list[Word]] = [[]]
    for word in found:
        chain = chains[-1]
        between = text[chain[-1].end : word.start] if chain else ""
        if (between.strip(_JOINS) and not _goes_on(chain, between, words)) or word.kind == BREAK:
            chains.append([])
        if word.kind != BREAK:
            chains[-1].append(word)
    return [chain for chain in chains if chain]


def _goes_on(chain: Sequence[Word], between: str, words: NamingWords) -> bool:
    """Tell whether a mark stands behind what a street is, before its name: "Av/ Mayor"."""
    is_first = len(chain) == 1 and chain[0].kind == CUE
    return is_first and not words.lead and words.street_end is None and between.strip() in _MARKS


def _renamed(text: str, chain: Sequence[Word], words: NamingWords) -> list[Renamed]:
    """Return what changes in a row of words besides names that stand alone before what it is."""
    cues = [word for word in chain if word.kind == CUE]
    if not cues:
        return []
    if any(word.kind == NAME for word in chain):
        return _with_names(text, chain, cues[-1] if words.lead else cues[0])
    if _is_numbered(text, chain, words):
        return []
    whole = fold(text[chain[0].start : chain[-1].end])
    if words.street_end is not None:
        for word in reversed(cues):
            if words.street_end.fullmatch(text[word.start : word.end]):
                return [Renamed(word.start, word.end, STEM, whole)]
    kind, names = (cues[-1], cues[:-1]) if words.lead else (cues[0], cues[1:])
    if not names and words.lead:
        names = [word for word in chain if word.kind == SMALL and word.end <= kind.start]
        names = names if any(_is_long(text, word) for word in names) else []
    if not names and words.street_end is not None:
        names = [kind]
    if names:
        start, end = names[0].start, names[-1].end
        return [Renamed(start, end, WHOLE, fold(text[start:end].rstrip(".")))]
    if _NUMBER_BEFORE.search(text, max(0, chain[0].start - _AROUND), chain[0].start):
        return []  # "5th Avenue", "K Street", "W 42 St"
    return [Renamed(kind.start, kind.end, BEFORE if words.lead else AFTER, whole)]


def _with_names(text: str, chain: Sequence[Word], kind: Word) -> list[Renamed]:
    """Return the name of a street that holds words of streets, too: "Old Mill" of "Old Mill Lane".

    `kind` is the word that says what it is.
    """
    before = [word for word in chain if word.end <= kind.start and word.kind in (CUE, NAME)]
    after = [word for word in chain if word.start >= kind.end and word.kind in (CUE, NAME)]
    kinds = [{word.kind for word in side} for side in (before, after)]
    return [
        Renamed(start, end, WHOLE, fold(text[start:end].rstrip(".")))
        for side, told in zip((before, after), kinds, strict=True)
        if told == {CUE, NAME}
        for start, end in [(side[0].start, side[-1].end)]
    ]


def _directions(text: str, chain: Sequence[Word], words: NamingWords) -> list[Renamed]:
    """Return a street that is a direction alone, as a name: "Noord 5"."""
    if any(word.kind != SMALL for word in chain) or _is_numbered(text, chain, words):
        return []
    start, end = chain[0].start, chain[-1].end
    long = any(_is_long(text, word) for word in chain)
    return [Renamed(start, end, WHOLE, fold(text[start:end]))] if long else []


def _is_long(text: str, word: Word) -> bool:
    return len(text[word.start : word.end].rstrip(".")) >= _LEAST_DIRECTION


def _is_numbered(text: str, chain: Sequence[Word], words: NamingWords) -> bool:
    """Tell whether the number behind the words is the name: "County Road 5", "Calle 15"."""
    if _NUMBER_AFTER.match(text, chain[-1].end) is None:
        return False
    if len(chain) == 1 and words.lead:
        return True
    if len(chain) > 1 and not words.lead:
        return False
    plain = [text[word.start : word.end].rstrip("./").lower() for word in chain]
    return all(word in words.numbered for word in plain)
