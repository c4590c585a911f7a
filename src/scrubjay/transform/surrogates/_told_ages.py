"""Ages that the dates of a note tell: birth and visit move by the same days, and so does the age.

Where a note says "71-year-old, DOB 11/19/1952, seen 2/27/2024", anybody can count the age from the
shifted dates. Any other age would be seen to be false and would hide nothing, so the age is the one
that they tell, mostly that of the note. A date of birth is one behind a word for it ("DOB",
"born"). Ages of 90 and more are none of these, nor are those beside a word for a relative.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple, Protocol

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, lexicon_names
from scrubjay.labels import kind_of
from scrubjay.languages import LANGUAGES
from scrubjay.transform._ages import age_words
from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates._age_reading import (
    DAYS,
    MONTHS,
    WEEKS,
    YEARS,
    Part,
    is_decade,
    is_denominator,
    unit_of,
)
from scrubjay.transform.surrogates._date_contexts import whole_days
from scrubjay.transform.surrogates._date_mentions import Reading, read_mention
from scrubjay.transform.surrogates._date_order import DateOrder
from scrubjay.transform.surrogates.calendar_words import CalendarWords, words_of

Told = Mapping[tuple[int, int], int]
"""What ages become: a unit and a number, and the new number."""

_OLDEST = 89
_MOST = {MONTHS: 72, WEEKS: 104, DAYS: 120}
_ROUNDED = 10  # days before it at which a month is said to be reached
_BEFORE = 40  # characters before a date, or an age, that tell what it is
_BEHIND = 32
_DIGIT = re.compile(r"\d")
_CLAUSE = re.compile(r"[.;:\n]")
_WORD = re.compile(r"[^\W\d_]+")
_NEAR = 4  # words behind an age among which that for a relative stands: "45 year old son"
_CENTURY = 36525
_SHORT_RELATIVES = frozenset({"dtr", "gf", "bf", "mgm", "mgf", "pgm", "pgf"})
_CHILDREN = frozenset({"child", "children", "kid", "kids", "kind", "kinderen"})
"""Words for relatives that are oftener for a patient: "well child"."""


class _Dates(NamedTuple):
    """The births and the visits that a note tells; of a birth perhaps the year alone."""

    births: tuple[date | int, ...]
    visits: tuple[date, ...]


class Note(Protocol):
    """A document at work: its mentions with their kinds (`operator`)."""

    @property
    def kinds(self) -> Sequence[str]:
        """What its mentions are."""

    @property
    def old(self) -> Sequence[str]:
        """The texts of its mentions."""

    @property
    def record(self) -> Record:
        """What is known of it."""

    @property
    def spans(self) -> Sequence[Span]:
        """Where the mentions are."""

    @property
    def days(self) -> int:
        """By how many days its dates move."""

    def order_of(self, texts: Sequence[str]) -> DateOrder:
        """Return the order of the numbers in its dates."""


def share_ages(notes: Sequence[Note]) -> list[Told]:
    """Return what the ages of each document of a record become, by all its births.

    The visits are those of the document, of one that has none those of the others.
    """
    if not any("age" in note.kinds for note in notes) or not any(map(_tells_birth, notes)):
        return [{}] * len(notes)
    dates = [_dates_of(note) for note in notes]
    births = list(dict.fromkeys(birth for each in dates for birth in each.births))
    every = tuple(dict.fromkeys(day for each in dates for day in each.visits))
    return [
        told_ages(births, each.visits or every, note.days)
        for note, each in zip(notes, dates, strict=True)
    ]


def told_ages(births: Sequence[date | int], visits: Sequence[date], days: int) -> dict[
    tuple[int, int], int
]:  # fmt: skip
    """Return what the ages become that births and visits tell, all moved by `days`."""
    told: dict[tuple[int, int], int] = {}
    for birth in births:
        for visit in visits:
            for unit, old, new in _ages_between(birth, visit, days):
                told.setdefault((unit, old), new)
    return told


def _ages_between(birth: date | int, visit: date, days: int) -> Iterator[tuple[int, int, int]]:
    """Yield unit, number and new number of the ages of one born then and seen then."""
    try:
        moved = visit + timedelta(days)
        if isinstance(birth, int):
            new_year = birth + (date(2001, 7, 2) + timedelta(days)).year - 2001
            for before in (0, 1):
                age, new = visit.year - birth - before, moved.year - new_year
                if 1 <= age <= _OLDEST and 1 <= new <= _OLDEST:
                    yield YEARS, age, age if age in (new, new - 1) else new - before
            return
        born = birth if birth <= visit else birth - timedelta(_CENTURY)  # 3/4/41 is 1941
        new_born = born + timedelta(days)
    except OverflowError:
        return
    for rounded in (0, _ROUNDED):
        old, new = (
            months_between(one, other + timedelta(rounded))
            for one, other in ((born, visit), (new_born, moved))
        )
        if not rounded and 12 <= old < 12 * (_OLDEST + 1) and new >= 12:
            yield YEARS, old // 12, min(new // 12, _OLDEST)
        if 1 <= old <= _MOST[MONTHS] and new:
            yield MONTHS, old, new
    passed = (visit - born).days
    for unit, size in ((WEEKS, 7), (DAYS, 1)):
        if size <= passed <= _MOST[unit] * size:
            yield unit, passed // size, passed // size


def months_between(one: date, other: date) -> int:
    """Return how many whole months are from one day to another."""
    months = (other.year - one.year) * 12 + other.month - one.month
    return months - (other.day < one.day)


def numbers_told(
    parts: Sequence[Part], unit: str, told: Told, words: CalendarWords
) -> dict[int, int]:
    """Return the new numbers of an age by their places, where dates tell it: "15 months", "2;3"."""
    places = [
        place
        for place, part in enumerate(parts)
        if part.kind in ("number", "spelled") and not is_denominator(parts, place)
    ]
    others = any(part.kind in ("decade", "stage", "drop") or part.rest for part in parts)
    if others or any(is_decade(parts, place) for place in places):
        return {}
    counts = [(unit_of(parts, place, words, unit), parts[place].value) for place in places]
    if len(counts) == 1:
        new = told.get(counts[0])
        return {} if new is None else {places[0]: new}
    if [count[0] for count in counts] != [YEARS, MONTHS]:
        return {}
    new = told.get((MONTHS, 12 * counts[0][1] + counts[1][1]))
    return {} if new is None else dict(zip(places, divmod(new, 12), strict=True))


def is_of_relative(text: str, span: Span, language: str) -> bool:
    """Tell whether an age is labelled as that of a relative, or stands beside a word for one."""
    if kind_of("", span.label) == "relative":
        return True
    before = _CLAUSE.split(text[max(0, span.start - _BEFORE) : span.start])[-1]
    behind = _CLAUSE.split(text[span.end : span.end + _BEHIND])[0].split(",")[0]
    near = [*_WORD.findall(before), *_WORD.findall(behind)[:_NEAR]]
    return not _relatives(language[:2]).isdisjoint(word.lower() for word in near)


@cache
def _relatives(language: str) -> frozenset[str]:
    known = [language] if language in LANGUAGES else [*LANGUAGES]
    listed = {*lexicon_names()}
    names = [name for one in known if (name := f"{one}.relatives") in listed]
    entries = frozenset(entry for name in names for entry in find_lexicon(name))
    return (entries | _SHORT_RELATIVES) - _CHILDREN


def _tells_birth(note: Note) -> bool:
    return any(True for _ in _births(note))


def _births(note: Note) -> Iterator[int]:
    """Yield the places of the dates behind a word for a birth."""
    birth = age_words(note.record.language[:2]).birth
    for place, (kind, span) in enumerate(zip(note.kinds, note.spans, strict=True)):
        if kind == "date":
            before = note.record.text[max(0, span.start - _BEFORE) : span.start]
            if birth.search(_DIGIT.split(before)[-1]) is not None:
                yield place


def _dates_of(note: Note) -> _Dates:
    words = words_of(note.record.language)
    places = [place for place, kind in enumerate(note.kinds) if kind == "date"]
    texts = [note.old[place] for place in places]
    first = note.order_of(texts).day_first
    readings = [read_mention(text, words.language, day_first=first) for text in texts]
    born = {*_births(note)}
    births = [
        birth
        for place, reading in zip(places, readings, strict=True)
        if place in born and (birth := _birth(reading)) is not None
    ]
    others = [reading for place, reading in zip(places, readings, strict=True) if place not in born]
    days = [_day(day) for day in whole_days(others).recent if day is not None]
    return _Dates(tuple(births), tuple([day for day in days if day is not None]))


def _birth(reading: Reading) -> date | int | None:
    """Return the day that a mention of a birth tells, or its year where that is all it has."""
    if reading.whole is not None:
        return _day(reading.whole)
    return None if reading.is_short else reading.year


def _day(day: tuple[int, int, int]) -> date | None:
    try:
        return date(*day)
    except ValueError:
        return None
