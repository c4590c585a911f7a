"""Which places of an allowed term are freed: not those where a person is called by it.

"Heather" in an allow-list is a drug, and "sister Heather" is not. A name of the record that is
found again stays where the list holds several words around it ("Merkel cell ca"), and of one word
before a dose ("Camila 0.35 mg").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TypeAlias

from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.known._word_tables import fold
from scrubjay.known.eponyms import PERSON_WORDS, Placed, line_around, names_nobody
from scrubjay.known.terms import Keys, Terms
from scrubjay.known.words import split_words_anew
from scrubjay.languages import LANGUAGES

Match: TypeAlias = tuple[int, int, Keys]
"""Where a name stands again: start, end and the keys of its words."""

_BEFORE = re.compile(r"([^\W\d_]+)\.?(?:[ \t]*:)?[ \t]+\Z")
_AROUND = 40
_NO_LEADS = frozenset(["child", "kind", "man", "baby", "pt"])
"""Words for a person that lead to other things without a colon: "Child Pugh", "pt Foley"."""
_OWNS = re.compile(r"['’][sS][ ](?:mother|father|son|daughter|wife|husband|sister|brother|mom|dad)")
_DOSE = re.compile(
    r"[ ]\d{1,4}(?:[.,]\d{1,3})?(?:[-/]\d{1,4}(?:[.,]\d{1,3})?)?[ ]?"
    r"(?:mg|mcg|µg|ug|g|gr|ml|units?|iu|ie|ui|%|tabs?|tablets?|caps?)(?!\w)",
    re.IGNORECASE,
)


def calls_person(text: str, start: int, end: int) -> bool:
    """Tell whether a title or a word for a person stands before words, or they own a relative."""
    if not text[start].isalpha():
        return False
    if _OWNS.match(text, end):
        return True
    before = _BEFORE.search(text, max(0, start - _AROUND), start)
    if before is None:
        return False
    key = fold(before[1])
    if key in _NO_LEADS and ":" not in before[0]:
        return False
    return key in PERSON_WORDS or is_listed(
        key, *(f"{language}.relatives" for language in LANGUAGES)
    )


def without_allowed(
    texts: Sequence[str],
    found: Sequence[Sequence[Span]],
    matches: Sequence[Sequence[Match]],
    allow: Terms,
    language: str,
) -> list[list[Match]]:
    """Return the places where what was found stands again, but for those that an allow-list frees.

    `matches` are those of each text, `found` its spans, sorted. A place is free within a listed
    term of several words, and of one word before a dose; where no longer name has the word, too,
    but for those at which a person is called by it.
    """
    longer = {
        key
        for text, spans in zip(texts, found, strict=True)
        for span in spans
        if len(keys := split_words_anew(text[span.start : span.end]).keys) > 1
        for key in keys
    }
    left = []
    for text, spans, places in zip(texts, found, matches, strict=True):
        left.append(
            [
                (start, end, keys)
                for start, end, keys in places
                if not (
                    _is_alone(text, start, end, keys, allow, longer)
                    or stays_listed(text, start, end, allow, language, outside=spans)
                )
            ]
        )
    return left


def _is_alone(
    text: str, start: int, end: int, keys: Keys, allow: Terms, longer: Collection[str]
) -> bool:
    """Tell whether a listed word is called nobody here, and no longer name of the record has it."""
    is_listed_word = len(keys) == 1 and keys[0] not in longer and allow.holds_words(keys)
    return is_listed_word and not calls_person(text, start, end)


def stays_listed(
    text: str, start: int, end: int, allow: Terms, language: str, *, outside: Sequence[Placed]
) -> bool:
    """Tell whether a name that stands again is what the list means: within a term of several
    words, or before a dose where the list holds it whole. `outside` are the mentions, sorted."""
    place = _term_around(text, start, end, allow)
    if place is None and allow.holds(text[start:end]):
        dose = _DOSE.match(text, end)
        place = None if dose is None else (start, dose.end())
    if place is None or calls_person(text, start, end):
        return False
    return names_nobody(text, (start, end), place, language, outside)


def _term_around(text: str, start: int, end: int, allow: Terms) -> tuple[int, int] | None:
    """Return the listed term of several words that words are a part of, None where there is none.

    It is looked for among the words of the same line alone.
    """
    begin, limit = line_around(text, start, end)
    for first, last, keys in allow.find(split_words_anew(text[begin:limit])):
        if len(keys) > 1 and begin + first <= start and end <= begin + last:
            return begin + first, begin + last
    return None
