"""Names that are spelled: "nkemelu spelled n k e m e l u", "Arvid. A R V I D", "Roe, R, double O".

A tagger takes single letters for nothing, or for a part of the name before them. Letters one by one
that are those of a word shortly before them, or that stand behind "spelled" and its like, or behind
the key of a name ("N a m e :  A N A  R O E"), are the name of whoever is told of there, and the
word that they spell is one, too.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.uncovered import touched_by
from scrubjay.text.occurrences import places_of
from scrubjay.text.spelling import Spelled, may_begin, read_spelled

SOURCE = "spelled"
LABELS = {"en": "PATIENT", "nl": "NAME", "es": "NOMBRE_SUJETO_ASISTENCIA"}
"""The label of a name beside which nobody is found."""

_BEFORE, _LEAST = 64, 5
"""Characters before the letters in which their word stands; letters that need no such word."""

_NEXT = re.compile(r"[ ]{2,4}")
"""What parts the letters of two names."""

_LETTER = r"[^\W\d_]"
_WORD = re.compile(rf"(?<![^\W_]){_LETTER}{{2,}}(?![^\W_])")
CUES = {
    "en": ("ouble ", " as in ", "spel", "Spel"),
    "nl": ("ubbel", "spel", "Spel"),
    "es": ("oble ", "eletre"),
}
"""What is said by who spells."""
_APART_LETTERS = re.compile(rf" {_LETTER}(?:[ -]{_LETTER}[ -]|[,.] {_LETTER}[,.] ){_LETTER}")
"""What else a text has in which something is spelled: `rare_steps` tells the same."""

_APART = ("", "-")
_SURE = 3
"""Letters of a word from which on it needs not be found as a name to be one that is spelled."""
_HYPHEN = re.compile(rf"[ ]{_LETTER}{{4,8}}[ ]{_LETTER}[ -]{_LETTER}(?![^\W_])")
"""What parts the letters of two parts of a name, in the mention of both."""
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
    r"se[ ]escribe|surname|(?:first|last)[ ]name|achternaam|voornaam|apellidos?)"
    r"(?:[ ](?:ik|u|je|is|it|that|as|out|als|het|así|el|es|apellido|name|naam)){0,3}[:,]?[ ]\Z",
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
    rows, done, read = list(spans), 0, 0
    for start in _starts(text, language):
        run = read_spelled(text, start) if start >= read else None
        if run is None:
            continue
        read = run.ends[-1]
        is_next = done and _NEXT.fullmatch(text, done, start)
        name = (None, start, run.ends[-1]) if is_next else _name_of(text, start, run, rows)
        if name is None:
            continue
        word, start, end = name
        own = touched_by(rows, start, end)
        if own is not None and own.start == start and _HYPHEN.match(text, end, own.end):
            continue  # "W-o-l-d-e hyphen M-a-r-i-a-m"
        done = read = end
        label = _label(rows, word or (start, end), language)
        if word is not None and touched_by(rows, *word) is None:
            _put(text, rows, Span(*word, label, source=SOURCE))
        _put(text, rows, Span(start, end, label, source=SOURCE))
    return tuple(rows) if done else spans


def _starts(text: str, language: str) -> Iterator[int]:
    """Yield where something may be spelled, near to what tells so."""
    cues = [letters.start() for letters in _APART_LETTERS.finditer(text)]
    for cue in CUES[language]:
        cues += places_of(cue, text)
    place = 0
    for near in sorted(cues):
        for begin in may_begin().finditer(text, max(place, near - _BEFORE)):
            if begin.start() > near + 2 * _BEFORE:
                break
            place = begin.end()
            yield begin.start()


def _name_of(
    text: str, start: int, run: Spelled, rows: Sequence[Span]
) -> tuple[tuple[int, int] | None, int, int] | None:
    """Return where the word that letters spell stands, if it does, and where they begin and end.

    None stands for letters that spell no name: days of a week, headings, initials.
    """
    letters = run.letters
    is_apart = run.is_told or run.sign in _APART  # "A, B, C" and "p.r.n." are mostly no names
    floor = max(0, start - _BEFORE)
    for whole, spelled in _words_before(text, floor, start, letters):
        place = _place_of(spelled, run)
        if place is None:
            continue
        if len(spelled) < _SURE or not is_apart:
            known = touched_by(rows, *whole)
            if known is None or known.label not in PERSONS:
                continue
        return whole, *place
    before = text[floor:start]
    is_told = (is_apart and len(letters) >= _SURE and _KEYED.search(before)) or (
        len(letters) >= _LEAST and _TOLD.search(before)
    )
    return (None, start, _end_of_one_case(text, run)) if is_told else None


def _words_before(
    text: str, floor: int, end: int, letters: str
) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield where words and several together stand before a place, the last first, and what of.

    Those that letters begin with come before those that they hold.
    """
    words = [(word.span(), word[0].lower()) for word in _WORD.finditer(text, floor, end)]
    for number in reversed(range(len(words))):
        (start, _), spelled = words[number]
        for (_, stop), further in words[number + 1 :]:
            if not letters.startswith(spelled):
                break
            spelled += further
            if letters.startswith(spelled):
                yield (start, stop), spelled
    yield from (word for word in reversed(words) if letters.startswith(word[1]))
    yield from (word for word in reversed(words) if len(word[1]) >= _SURE)


def _place_of(spelled: str, run: Spelled) -> tuple[int, int] | None:
    """Return from where to where a word is spelled, None if it is not: "N voor Nico, V, O, S"."""
    begin = 0 if run.letters.startswith(spelled) else run.letters.rfind(spelled)
    end = begin + len(spelled)
    if begin < 0 or len(run.letters) > end + 1 or not run.ends[end]:
        return None
    return run.starts[begin], run.ends[end]


def _end_of_one_case(text: str, run: Spelled) -> int:
    """Return where letters end before the case changes, behind the second one: "V o s A"."""
    if run.is_told:
        return run.ends[-1]
    cases = [text[end - 1].islower() for end in run.ends[1:]]
    last = next((n for n in range(2, len(cases)) if cases[n] != cases[1]), len(cases))
    return run.ends[last]


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
