"""Names that are spelled: "nkemelu spelled n k e m e l u", "Lundgren. Arvid. A R V I D".

A tagger takes single letters for nothing, or for a part of the name before them. Letters one by one
that are those of a word shortly before them, or that stand behind "spelled" and its like, or behind
the key of a name ("N a m e :  A N A  R O E"), are the name of whoever is told of there, and the
word that they spell is one, too.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.uncovered import touched_by

SOURCE = "spelled"
LABELS = {"en": "PATIENT", "nl": "NAME", "es": "NOMBRE_SUJETO_ASISTENCIA"}
"""The label of a name beside which nobody is found."""

_BEFORE, _LEAST = 64, 5
"""Characters before the letters in which their word stands; letters that need no such word."""

_NEXT = re.compile(r"[ ]{2,4}")
"""What parts the letters of two names."""

_LETTER = r"[^\W\d_]"
_START = re.compile(rf" {_LETTER}[ -]{_LETTER}[ -]{_LETTER}(?![^\W_])")
_RUN = re.compile(rf"{_LETTER}(?P<sign>[ -]){_LETTER}(?:(?P=sign){_LETTER}){{1,62}}(?![^\W_])")
_WORD = re.compile(rf"(?<![^\W_]){_LETTER}{{3,}}(?![^\W_])")
_SIGN = re.compile(r"[^\W_]")
_BEGIN, _END = attrgetter("start"), attrgetter("end")
_KEYS = "|".join(
    "[ ]?".join(key)
    for key in (
        "name", "surname", "naam", "achternaam", "voornaam", "nombre", "apellido", "apellidos",
    )
)  # fmt: skip
_KEYED = re.compile(rf"(?<![^\W_])(?:{_KEYS})[ ]?:[ ]{{1,4}}\Z", re.IGNORECASE)
_TOLD = re.compile(
    r"(?<![^\W_])(?:spell(?:ed|ing|s)?|spelt|spellen|spel(?:t|ling)?|gespeld|deletre[oaóé]\w{0,3}|"
    r"surname|(?:first|last)[ ]name|achternaam|voornaam|apellidos?)"
    r"(?:[ ](?:ik|is|it|that|as|out|als|het|así|el|es|apellido|name|naam))?[:,]?[ ]\Z",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"(?:[ ,:.]|(?<![^\W_])(?:spell(?:ed|ing|s)?|spelt|spellen|spel(?:t|ling)?|ik|gespeld|"
    r"deletre\w{1,4})(?![^\W_]))+\Z",
    re.IGNORECASE,
)


def add_spelled(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with names that are spelled, each for itself.

    `spans` are sorted and disjoint, and so are those that are returned.
    """
    rows, done = list(spans), 0
    for start in _START.finditer(text):
        run = _RUN.match(text, start.start() + 1)
        if run is None or run.start() < done:
            continue
        is_next = done and _NEXT.fullmatch(text, done, run.start())
        name = (None, run.end()) if is_next else _name_of(text, run)
        if name is None:
            continue
        word, end = name
        own = touched_by(rows, run.start(), end)
        if own is not None and own.start == run.start() and own.end > run.end() + 1:
            continue  # "W-o-l-d-e hyphen M-a-r-i-a-m"
        done = end
        label = _label(rows, word or run.span(), language)
        if word is not None and touched_by(rows, *word) is None:
            _put(text, rows, Span(*word, label, source=SOURCE))
        _put(text, rows, Span(run.start(), end, label, source=SOURCE))
    return tuple(rows) if done else spans


def _name_of(text: str, run: re.Match[str]) -> tuple[tuple[int, int] | None, int] | None:
    """Return where the word that letters spell stands, if it does, and where they end.

    None stands for letters that spell no name: days of a week, headings, initials.
    """
    letters = re.sub(r"[ -]", "", run[0]).lower()
    floor = max(0, run.start() - _BEFORE)
    words = list(_WORD.finditer(text, floor, run.start()))
    for word in reversed(words):
        spelled = word[0].lower()
        if letters.startswith(spelled) and len(letters) <= len(spelled) + 1:
            return word.span(), run.start() + 2 * len(spelled) - 1
    before = text[floor : run.start()]
    is_told = _KEYED.search(before) or (len(letters) >= _LEAST and _TOLD.search(before))
    return (None, run.start() + _of_one_case(run[0])) if is_told else None


def _of_one_case(letters: str) -> int:
    """Return how many signs go before the case changes, behind the second letter: "V o s A"."""
    is_small = letters[2].islower()
    for number in range(4, len(letters), 2):
        if letters[number].islower() != is_small:
            return number - 1
    return len(letters)


def _label(spans: Sequence[Span], place: tuple[int, int], language: str) -> str:
    """Return the label of who stands there, or of the last person shortly before."""
    own = touched_by(spans, *place)
    if own is not None and own.label in PERSONS:
        return own.label
    for number in range(bisect_right(spans, place[0], key=_END) - 1, -1, -1):
        span = spans[number]
        if span.end < place[0] - _BEFORE:
            break
        if span.label in PERSONS:
            return span.label
    return LABELS[language]


def _put(text: str, rows: list[Span], name: Span) -> None:
    """Put a name among the rows; what it touches keeps what stands before and after it."""
    first = bisect_right(rows, name.start, key=_END)
    last = bisect_left(rows, name.end, key=_BEGIN)
    before: list[Span] = []
    after: list[Span] = []
    for span in rows[first:last]:
        if span.start < name.start:
            link = _LINK.search(text, span.start, name.start)
            end = link.start() if link else name.start
            if end > span.start:
                before.append(replace(span, end=end))
        if rest := _SIGN.search(text, name.end, span.end):
            after.append(replace(span, start=rest.start()))
    rows[first:last] = [*before, name, *after]
