"""Initials of people whom a text names: "Yaiza Soler (YS)" ... "[YS] afebril" (Spanish, Dutch).

A tagger passes over two or three capitals, which are tests and diseases elsewhere. Those of a name
that was found are that person's where they sign: in brackets, at the end of a line behind a
sentence, and in a list behind a word for signing, where half of the others are somebody's, too.
Where they stand in brackets behind their name, they are the person's all over the text. A clinical
term is one only behind a date, in such a list, or so introduced.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.label_groups import DATES, PERSONS
from scrubjay.taggers._mending.people.person_names import is_common
from scrubjay.taggers._mending.uncovered import Found, add_uncovered, touched_by
from scrubjay.text.occurrences import places_of

SOURCE = "own-initials"
LABELS = {"es": "NOMBRE_PERSONAL_SANITARIO", "nl": "INITIALS"}
"""The label of who signs, by language."""

_NAMED = PERSONS - {"INITIALS"}
_FEWEST, _MOST, _LONGEST, _KEPT = 2, 4, 60, 32_768
"""Letters of initials, characters of a name, and names that are remembered."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SIGN = re.compile(r"[^\W\d_]{2,4}")
_BEFORE = re.compile(r"(?:\A|\n|[.!?:;»\"”)\]–-][ ])[ ]{0,3}\Z")
_END = re.compile(r"[.]?[ \t]*(?:[\r\n]|\Z)")
_MEASURED = re.compile(r"[ ]?[:=<>]?[ ]?[\d+-]")
_JOINING = "-'’@._/"
_SIGNING = ("irma", "etekend", "araaf")
"""What the words that a list of signatures stands behind have in common."""

_LIST = re.compile(
    r"(?:n|do|s|ntes)?(?:[ ](?:por|door))?:[ ]"
    r"(?P<who>[A-ZÀ-ÖØ-Þ]{2,4}(?:(?:,|/|[ ][ye]|[ ]en)[ ]?[A-ZÀ-ÖØ-Þ]{2,4})+)(?![\w-])"
)


def add_own_initials(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with the initials of those who are named in it.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    signs: dict[str, list[int]] = {}
    for span in spans:
        if span.label in _NAMED and " " in text[span.start : span.end]:
            for sign in initials_of(text[span.start : span.end]):
                signs.setdefault(sign, []).append(span.end)
    label = LABELS[language]
    found: list[Found] = [
        (*place, label)
        for sign, names in signs.items()
        if sign in text
        for place in _find(text, spans, sign, names, language)
    ]
    found += [(*place, label) for place in _listed(text, spans, signs)]
    return add_uncovered(spans, found, SOURCE) if found else spans


@text_cache(_KEPT)
def initials_of(name: str) -> tuple[str, ...]:
    """Return how the initials of a name may be written; none of a single word."""
    words = _WORD.findall(name) if len(name) <= _LONGEST else []
    letters = "".join(word[0] for word in words)
    capitals = "".join(letter for letter in letters if letter.isupper())
    if len(words) < _FEWEST or not capitals:
        return ()
    forms = {letters, letters.upper(), letters[0].lower() + letters[1:], capitals}
    return tuple(
        sorted(form for form in forms if _FEWEST <= len(form) <= _MOST and form[-1].isupper())
    )


def _find(
    text: str, spans: Sequence[Span], sign: str, names: Sequence[int], language: str
) -> Iterator[tuple[int, int]]:
    """Yield where initials stand for a person; `names` are the ends of the names they are of."""
    size = len(sign)
    places = [
        place
        for place in places_of(sign, text)
        if _is_alone(text, place, place + size) and touched_by(spans, place, place + size) is None
    ]
    if not places:
        return
    lower = sign.lower()
    is_term = is_common(lower, language) or lower in protected_terms(language, spared=True)
    is_told = any(
        text[end : end + 2] in (" (", " [")
        and text.startswith(sign, end + 2)
        and text[end + 2 + size : end + 3 + size] in (")", "]")
        for end in names
    )
    for place in places:
        end = place + size
        if (is_told and not _MEASURED.match(text, end)) or _signs(
            text, spans, place, end, is_term=is_term
        ):
            yield place, end


def _listed(text: str, spans: Sequence[Span], signs: Container[str]) -> Iterator[tuple[int, int]]:
    """Yield all who sign in a list in which half are named or were found."""
    rows = (
        _LIST.match(text, place + len(word))
        for word in (_SIGNING if signs else ())
        for place in places_of(word, text)
    )
    for row in rows:
        if row is None:
            continue
        items = [one.span() for one in _SIGN.finditer(text, *row.span("who")) if one[0].isupper()]
        known = sum(
            text[start:end] in signs or touched_by(spans, start, end) is not None
            for start, end in items
        )
        if known * 2 >= len(items):
            yield from items


def _is_alone(text: str, start: int, end: int) -> bool:
    """Tell whether letters are a word for themselves, and no part of one with signs."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    if before.isalnum() or after.isalnum() or (before and before in _JOINING):
        return False
    return not (after and after in _JOINING and text[end + 1 : end + 2].isalnum())


def _signs(text: str, spans: Sequence[Span], start: int, end: int, *, is_term: bool) -> bool:
    """Tell whether initials stand where somebody signs."""
    before, after = text[max(0, start - 2) : start], text[end : end + 1]
    if before[-1:] in ("(", "[") and after in (")", "]", ","):
        dated = touched_by(spans, max(0, start - 4), start)
        return not is_term or (dated is not None and dated.label in DATES)
    return (
        not is_term
        and _END.match(text, end) is not None
        and _BEFORE.search(text, max(0, start - 5), start) is not None
    )
