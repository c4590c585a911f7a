"""Initials of people whom a text names: "Sarah Quarmby" ... "(SQ)", "SQ to ring", "[YS] afebril".

A tagger passes over two or three capitals, which are tests and diseases elsewhere. Those of a name
that was found are that person's wherever they stand, if they are no term, no word and no
credential. If they are, where somebody signs: at the end of a line behind a sentence, a dash or a
date, behind a date in brackets, and all over a text where they stand in brackets behind their name.
So are those of a name that is none of the staff's (Spanish), and in other brackets.
In a list behind a word for signing all are somebody's, if half of them were found or are of a name.
With a number they are a value ("SG 1.018").
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES, PERSONS
from scrubjay.taggers._mending.people.initials import LINE_END, may_sign
from scrubjay.taggers._mending.uncovered import Found, add_uncovered, touched_by
from scrubjay.text.occurrences import places_of

SOURCE = "own-initials"
LABELS = {"en": "DOCTOR", "es": "NOMBRE_PERSONAL_SANITARIO", "nl": "INITIALS"}
"""The label of who signs, by language."""

_NAMED = {
    "en": frozenset({"DOCTOR"}),
    "es": PERSONS - {"INITIALS"},  # a tagger takes some of the staff for relatives
    "nl": frozenset({"NAME"}),
}
"""The labels of the names of those who sign."""

_STAFF = frozenset(LABELS.values()) | {"NAME"}
"""The labels of names whose initials are theirs anywhere."""

_TERMS = {
    "en": frozenset[str](),
    "es": frozenset({"civ", "cv", "hd", "nr"}),
    "nl": frozenset({"vb"}),
}
"""Findings and treatments that are in no list of terms."""

_FEWEST, _MOST, _LONGEST, _BEFORE, _KEPT = 2, 4, 60, 5, 32_768
"""Letters of initials, characters of a name and before initials, and names that are remembered."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_INNER = re.compile(r"(?<![^\W\d_])[A-ZÀ-ÖØ-Þ](?=[^\W\d_A-ZÀ-ÖØ-Þ]|[.'’])")
_SIGN = re.compile(r"[^\W\d_]{2,4}")
_CLOSED = re.compile(r"(?:[.!?)\"”]|\s[-–—~])[ ]?\Z")
_ALONE_BEFORE = re.compile(r"(?:\A|[^\w/.@&'’|-])(?<![A-ZÀ-ÖØ-Þ]{3}[ ])\Z")
_ALONE_BEHIND = re.compile(r"(?![\w&]|[/'’@._-]\w|[ ]?[:=<>]?[ ]?[\d+]|[ ]?[=<>≥≤~]|[ ][A-Z]{2})")
_BRACKETS = {"(": ")", "[": "]"}
_SIGNING = ("irma", "etekend", "araaf")
"""What the words that a list of signatures stands behind have in common."""

_LIST = re.compile(
    r"(?:n|do|s|ntes)?(?:[ ](?:por|door))?:[ ]"
    r"(?P<who>[A-ZÀ-ÖØ-Þ]{2,4}(?:(?:,|/|[ ][ye]|[ ]en)[ ]?[A-ZÀ-ÖØ-Þ]{2,4})+)(?![\w-])"
)


def may_have_initials(mention: str, *, label: str, language: str) -> bool:
    """Tell whether a mention is a name that somebody may sign by initials of."""
    return label in _NAMED[language] and bool(initials_of(mention))


def add_own_initials(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with the initials of those who are named in it.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    named, label = _NAMED[language], LABELS[language]
    signs: dict[str, list[Span]] = {}
    for span in spans:
        if span.label in named:
            for sign in initials_of(text[span.start : span.end]):
                signs.setdefault(sign, []).append(span)
    found: list[Found] = [
        (place, place + len(sign), label)
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
    inner = "".join(_INNER.findall(name))
    forms = {letters, letters.upper(), capitals, inner}
    if len(letters) > _FEWEST:  # a measure is written as two are: "pH"
        forms.add(letters[0].lower() + letters[1:])
    return tuple(
        sorted(form for form in forms if _FEWEST <= len(form) <= _MOST and form[-1].isupper())
    )


def _find(
    text: str, spans: Sequence[Span], sign: str, names: Sequence[Span], language: str
) -> Iterator[int]:
    """Yield where initials stand for a person; `names` are those that they are of."""
    is_term = sign.lower() in _TERMS[language] or not may_sign(sign.upper(), language)
    is_free = not is_term and any(name.label in _STAFF for name in names)
    is_free |= any(_is_told(text, name.end, sign) for name in names)
    for place in places_of(sign, text):
        end = place + len(sign)
        if touched_by(spans, place, end) is None and (
            _is_signed(text, spans, place, end, is_term=is_term)
            or (
                is_free
                and _ALONE_BEFORE.search(text, max(0, place - _BEFORE), place)
                and _ALONE_BEHIND.match(text, end)
            )
        ):
            yield place


def _is_told(text: str, end: int, sign: str) -> bool:
    """Tell whether initials stand in brackets behind a name."""
    close = end + 2 + len(sign)
    return (
        text[end : end + 2] in (" (", " [")
        and text.startswith(sign, end + 2)
        and text[close : close + 1] in (")", "]")
    )


def _is_signed(text: str, spans: Sequence[Span], place: int, end: int, *, is_term: bool) -> bool:
    """Tell whether a place is one where somebody signs."""
    begin = place
    if text[place - 1 : place] in _BRACKETS:
        if not text.startswith(_BRACKETS[text[place - 1]], end):
            return False
        begin, end = place - 1, end + 1
    day = touched_by(spans, max(0, begin - _FEWEST), begin)
    is_dated = day is not None and day.label in DATES and not text[day.end : begin].strip()
    if begin < place and (is_dated or not is_term):
        return True
    return LINE_END.match(text, end) is not None and (
        is_dated or _CLOSED.search(text, max(0, begin - _BEFORE), begin) is not None
    )


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
