"""Names that were found once in a note are names wherever they come again.

A tagger finds "Selamawit" where "mw" stands before her and misses "Selamawit vraagt waarom". A word
of a name is a person's each time that it is written so, unless it is an everyday word, a disease or
a device, or the note writes it in small letters, too. One in small letters has to be a first name,
or to say something in a chat ("18:22 tjitte: ja doe ik"): those were tried in Dutch alone. Whose it
is, where labels tell, the first mention of it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.namesakes import NAMES
from scrubjay.taggers._mending.people.person_names import is_common, is_eponym, rank_of
from scrubjay.taggers._mending.sparing.named_after import is_named_after
from scrubjay.taggers._mending.sparing.spared import may_spare
from scrubjay.taggers._mending.uncovered import Found, add_uncovered, touched_by
from scrubjay.text.occurrences import places_of

SOURCE, LABEL, LANGUAGE = "repeated", "NAME", "nl"
_LABELS = {LANGUAGE: frozenset({LABEL}), "es": NAMES, "en": STAFF_AND_PATIENTS}
"""Labels of persons, by language."""

_SHORTEST, _OFTEN, _KEPT = 4, 6, 32_768
"""Letters of a word, the class up to which a first name in small letters is one, and mentions that
are remembered."""

_WORD = re.compile(r"(?<![\w-])[A-ZÀ-ÖØ-Þ][^\W\d_]{3,}(?![\w-])")
_CLOCK = re.compile(r"\d[.:]\d\d\]?[ ]{1,2}\Z")
_NO_NAMES = frozenset([
    "frans", "duits", "meneer", "mevrouw", "zuster", "broeder", "dokter", "kind", "señor", "señora",
])  # fmt: skip
"""Words that are found with names, or are languages as well."""


def add_repeated(text: str, spans: tuple[Span, ...], language: str = LANGUAGE) -> tuple[Span, ...]:
    """Return the spans of a text with names that come again where nothing was found.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    labels = _LABELS[language]
    found: dict[str, int] = {}
    whose: dict[str, str] = {}
    for span in spans:
        if span.label in labels:
            for word in _names_in(text[span.start : span.end], language):
                found[word] = found.get(word, 0) + 1
                whose.setdefault(word, span.label)
    count = text.count
    words = {word: whose[word] for word, times in found.items() if count(word) > times}  # few do
    return add_uncovered(spans, _find(text, spans, words, language), SOURCE) if words else spans


@text_cache(_KEPT)
def _names_in(mention: str, language: str) -> tuple[str, ...]:
    """Return the words of a mention that are names wherever they come again."""
    words = _WORD.findall(mention)
    is_small = len(mention) >= _SHORTEST and mention.isalpha() and mention.islower()
    if not words and is_small and language == LANGUAGE:
        words = [mention]
    return tuple(
        word
        for word in words
        if word.lower() not in _NO_NAMES
        and not is_common(word.lower(), language)
        and not is_eponym(word.lower(), language)
    )


def _find(
    text: str, spans: tuple[Span, ...], words: dict[str, str], language: str
) -> Iterator[Found]:
    for word, label in words.items():
        is_small = word.islower()
        size = len(word)
        places = [at for at in _alone(word, text) if touched_by(spans, at, at + size) is None]
        if not places:
            continue
        if not is_small and next(_alone(word.lower(), text), None) is not None:
            continue
        is_told = not is_small or 0 < rank_of("first-names", word, LANGUAGE) <= _OFTEN
        for place in places:
            end = place + size
            if (is_told or _says(text, place, end)) and not _is_term(
                text, Span(place, end, label), language
            ):
                yield place, end, label


def _is_term(text: str, span: Span, language: str) -> bool:
    """Tell whether a term stands there, or something that is called after somebody in Spanish."""
    if any(may_spare(text, [(span.start, span.end)], language)):
        return True
    return language != LANGUAGE and is_named_after(text, span)


def _says(text: str, place: int, end: int) -> bool:
    """Tell whether somebody says something in a chat there: "18:22 tjitte: ja"."""
    return text.startswith(":", end) and _CLOCK.search(text[max(0, place - 8) : place]) is not None


def _alone(word: str, text: str) -> Iterator[int]:
    """Yield where a word stands by itself."""
    for place in places_of(word, text):
        end = place + len(word)
        before, after = text[max(0, place - 1) : place], text[end : end + 1]
        if not (before.isalnum() or before == "-" or after.isalnum() or after == "-"):
            yield place
