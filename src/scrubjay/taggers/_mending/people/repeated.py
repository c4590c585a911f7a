"""Names that were found once in a note are names wherever they come again (Dutch).

A tagger finds "Selamawit" where "mw" stands before her and misses "Selamawit vraagt waarom". A word
of a name is a person's each time that it is written so, unless it is an everyday word, a disease or
a device, or the note writes it in small letters, too. One in small letters has to be a first name,
or to say something in a chat ("18:22 tjitte: ja doe ik").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.people.person_names import is_common, is_eponym, rank_of
from scrubjay.taggers._mending.people.uncovered import Found, add_uncovered, touched_by
from scrubjay.taggers._mending.sparing.eponyms import is_eponym_there
from scrubjay.taggers._mending.sparing.spared import may_spare

SOURCE, LABEL, LANGUAGE = "repeated", "NAME", "nl"

_SHORTEST, _OFTEN, _KEPT = 4, 6, 32_768
"""Letters of a word, the class up to which a first name in small letters is one, and mentions that
are remembered."""

_WORD = re.compile(r"(?<![\w-])[A-ZÀ-ÖØ-Þ][^\W\d_]{3,}(?![\w-])")
_CLOCK = re.compile(r"\d[.:]\d\d\]?[ ]{1,2}\Z")
_NO_NAMES = frozenset(
    ["frans", "duits", "meneer", "mevrouw", "zuster", "broeder", "dokter", "kind"]
)
"""Words that are found with names, or are languages as well."""


def add_repeated(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Dutch text with names that come again where nothing was found.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    found: dict[str, int] = {}
    for span in spans:
        if span.label == LABEL:
            for word in _names_in(text[span.start : span.end]):
                found[word] = found.get(word, 0) + 1
    count = text.count
    words = [word for word, times in found.items() if count(word) > times]  # few do
    return add_uncovered(spans, _find(text, spans, words), SOURCE) if words else spans


@text_cache(_KEPT)
def _names_in(mention: str) -> tuple[str, ...]:
    """Return the words of a mention that are names wherever they come again."""
    words = _WORD.findall(mention)
    if not words and len(mention) >= _SHORTEST and mention.isalpha() and mention.islower():
        words = [mention]
    return tuple(
        word
        for word in words
        if word.lower() not in _NO_NAMES
        and not is_common(word.lower(), LANGUAGE)
        and not is_eponym(word.lower(), LANGUAGE)
    )


def _find(text: str, spans: tuple[Span, ...], words: list[str]) -> Iterator[Found]:
    for word in words:
        is_small = word.islower()
        ends = {place: place + len(word) for place in _places(text, word)}
        places = [at for at, end in ends.items() if touched_by(spans, at, end) is None]
        if not places:
            continue
        if not is_small and next(_places(text, word.lower()), -1) >= 0:
            continue
        is_told = not is_small or 0 < rank_of("first-names", word, LANGUAGE) <= _OFTEN
        for place in places:
            end = ends[place]
            if (is_told or _says(text, place, end)) and not _is_term(text, place, end):
                yield place, end, LABEL


def _is_term(text: str, place: int, end: int) -> bool:
    """Tell whether a term stands there, or something called after somebody: "Barthel 12/20"."""
    return any(may_spare(text, [(place, end)], LANGUAGE)) or is_eponym_there(
        text, Span(place, end, LABEL)
    )


def _says(text: str, place: int, end: int) -> bool:
    """Tell whether somebody says something in a chat there: "18:22 tjitte: ja"."""
    return text.startswith(":", end) and _CLOCK.search(text[max(0, place - 8) : place]) is not None


def _places(text: str, word: str) -> Iterator[int]:
    """Yield where a word stands by itself; one at the very begin is told as any other."""
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        before, after = text[place - 1 : place] if place else "", text[end : end + 1]
        if not (before.isalnum() or before == "-" or after.isalnum() or after == "-"):
            yield place
        place = text.find(word, end)
