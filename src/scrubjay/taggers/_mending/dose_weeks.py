"""Doses by weekday are no days: "acenocoumarol ma 2, di 1, wo 2", "Mon 5 mg, Tue 2.5 mg".

A tagger takes "ma 2" for a date, and a dose that is shifted as one harms. Numbers beside weekdays,
or in a row below them, are doses where they cannot be the days of a calendar, as those of "Mon 3,
Tue 4, Wed 5" can, or where they have a unit or stand behind a drug. Of a date the weekdays are left
there, and all weekdays of the scheme are dates where some are: it stays one when they move. Those
in a row without numbers are left to `weekday_rows.py`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from scrubjay.document import Span
from scrubjay.taggers._mending.dose_words import (
    SOURCE,
    WORD,
    either,
    is_drug,
    may_follow_drug,
    unit_pattern,
)
from scrubjay.taggers._mending.label_groups import DATES
from scrubjay.taggers._mending.uncovered import place_of, put_uncovered, touching
from scrubjay.taggers._mending.weekday_rows import date_rows
from scrubjay.text.months import month_words
from scrubjay.text.weekdays import weekday_forms

LABELS = {"en": "DATE", "es": "FECHAS", "nl": "DATE"}
"""The labels of weekdays beside a dose, by language."""

FARTHEST = 96
"""Characters between the ends of two weekdays of a scheme at most."""

_FEWEST, _FEWEST_DOSED, _MOST, _MOST_LINES = 3, 2, 42, 12
"""Numbers of a scheme, of one that tells of doses besides, and of a long one; lines of a table."""
_AROUND = 200
"""Characters of a line before and behind a scheme in which a drug may stand."""

_NUMBER = (
    r"(?:(?:\d{1,3}[ ])?(?:1/[2348]|2/3|3/4)|\d{1,3}(?:[.,]\d{1,3})?[½¼¾⅓⅔]?|[½¼¾⅓⅔])"
    r"(?![\d%°½¼¾⅓⅔]|[ ]?[-–/:.,]\d)"
)
_NUMBERS_ALONE = re.compile(r"[\d½¼¾⅓⅔/.,]{1,6}(?:[\s|;]+[\d½¼¾⅓⅔/.,]{1,6}){1,13}")
_NUMBERED = re.compile(r"(?<![^\W_])[A-Z]{1,2}[ :=]{0,2}\d|\d[ ][A-Z]{1,2}(?![^\W_])")
_NO_NUMBER_BEFORE = r"(?<![\w.,/½¼¾⅓⅔-])"
_NUMBER_BEGINS = re.compile(rf"{_NO_NUMBER_BEFORE}[\d½¼¾⅓⅔]")
_BETWEEN = r"[ \t]{0,3}[:=|(–-]?[ \t]{0,3}"
_JOIN = r"(?:[ ]?[/,+&–-][ ]?|[ ](?:and|en|y|t/m)[ ]|[ ])"
_COLUMN = r"(?:[ \t]{0,12}[|;/][ \t]{0,12}|,[ ]|[ \t]{1,12})"
_PART = re.compile(
    r"[ \t]{0,3}[])]?[ \t]{0,3}[,.;/|+·•–-]?\s{0,8}[|•*–-]?[ ]?(?:(?:and|en|y|&)[ ])?"
)
_SIGNS = re.compile(r"[\s|+:=–-]*")
_NUMBER_NEXT = re.compile(rf"{_BETWEEN}{_NUMBER}")
_TRIMMED = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)
_DAY_NUMBER = re.compile(r"(\d+)(?:[./](\d+))?")
_SIZES, _MOST_DAYS, _MOST_MONTHS, _NEXT_DAYS = range(28, 32), 31, 12, 14
"""Days of months, and how far a day is at most from one of the month before beside it."""

_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Shapes:
    """How doses by weekday are written: weekdays before their number, behind it, and in a row."""

    day: re.Pattern[str]
    before: re.Pattern[str]
    behind: re.Pattern[str]
    row: re.Pattern[str]
    cell: str
    dosed: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Scheme:
    """Numbers with the weekdays that each may be of, and where numbers and weekdays stand."""

    numbers: Sequence[tuple[str, frozenset[int]]]
    days: Sequence[_Place]
    places: Sequence[_Place]
    has_unit: bool
    is_dated: bool = False


def spare_doses(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text, dates within a scheme of doses cut to its weekdays.

    Weekdays in a row without numbers become dates together, as `date_rows` tells.
    `spans` are sorted and disjoint, and so are those that are returned.
    """
    shapes = _shapes(language)
    days = [day.span() for day in shapes.day.finditer(text)]
    if len(days) < _FEWEST_DOSED:
        return spans
    rows = list(spans)
    if any(_may_be_dose(text, span, days) for span in spans if span.label in DATES):
        for scheme in _find_schemes(text, shapes, days, language):
            if _holds_doses(text, scheme, shapes, language):
                _cut(text, rows, scheme, shapes)
    date_rows(text, rows, days, language, label=LABELS[language])
    return tuple(rows) if rows != list(spans) else spans


def _may_be_dose(text: str, date: Span, days: Sequence[_Place]) -> bool:
    """Tell whether a date is near weekdays, or a row of numbers: else no scheme reaches it.

    `days` are where all weekdays of the text stand.
    """
    start, end = date.start, date.end
    if _NUMBERS_ALONE.fullmatch(text, start, end):
        return True
    begin, stop = max(0, start - FARTHEST), end + FARTHEST
    near = days[bisect_left(days, (begin,)) : bisect_left(days, (stop,))]
    if len(near) >= _FEWEST or sum(b - a > 1 for a, b in near) >= _FEWEST_DOSED:
        return True
    return len(near) >= _FEWEST_DOSED and (
        len(_NUMBERED.findall(text, begin, stop)) >= _FEWEST_DOSED
    )


def _find_schemes(
    text: str, shapes: _Shapes, weekdays: Sequence[_Place], language: str
) -> Iterator[_Scheme]:
    forms = weekday_forms(language)
    begins = [start for start, _ in weekdays]
    figures = _figures_before(text, begins)
    for shape, starts in ((shapes.before, begins), (shapes.behind, figures)):
        for items in _find_runs(text, shape, starts):
            is_next = shape is shapes.behind and _NUMBER_NEXT.match(text, items[-1].end())
            if len(items) >= _FEWEST_DOSED and not is_next:
                yield _Scheme(
                    [(item["number"], forms[item["day"]]) for item in items],
                    [
                        day.span()
                        for item in items
                        for day in shapes.day.finditer(text, *item.span("days"))
                    ],
                    [(items[0].start(), items[-1].end())],
                    has_unit=any(item["unit"] for item in items),
                    is_dated=any(item["month"] for item in items),
                )
    for row in _match_at(text, shapes.row, begins):
        days = list(shapes.day.finditer(text, *row.span("days")))
        cell = shapes.cell
        cells = re.compile(
            rf"{_NO_NUMBER_BEFORE}{cell}(?:{_COLUMN}{cell}){{{len(days) - 1}}}[ \t|;]*\Z"
        )
        for start, end in _lines_below(text, row.end()):
            found = cells.search(text[start:end])
            if found is None:
                break
            numbers = re.findall(_NUMBER, found[0])
            if len(numbers) == len(days):
                yield _Scheme(
                    [(number, forms[day[0]]) for number, day in zip(numbers, days, strict=True)],
                    [day.span() for day in days],
                    [row.span("days"), (start + found.start(), end)],
                    has_unit=shapes.dosed.search(found[0]) is not None,
                )


def _figures_before(text: str, places: Iterable[int]) -> Iterator[int]:
    """Yield where numbers begin that stand before a place, and near to it."""
    known = 0
    for place in places:
        for figure in _NUMBER_BEGINS.finditer(text, max(known, place - FARTHEST), place):
            yield figure.start()
        known = place


def _find_runs(
    text: str, shape: re.Pattern[str], starts: Iterable[int]
) -> Iterator[list[re.Match[str]]]:
    """Yield items that follow each other, apart from others."""
    place = 0
    for item in _match_at(text, shape, starts):
        if item.start() < place:
            continue
        items = [item]
        while len(items) < _MOST:
            part = _PART.match(text, items[-1].end())
            further = shape.match(text, part.end()) if part else None
            if further is None:
                break
            items.append(further)
        yield items
        place = items[-1].end()


def _match_at(text: str, shape: re.Pattern[str], starts: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield what `shape.finditer` does, by a look at the places where a match may begin alone."""
    place = 0
    for start in starts:
        if start >= place and (found := shape.match(text, start)) is not None:
            yield found
            place = found.end()


def _lines_below(text: str, place: int) -> Iterator[_Place]:
    """Yield the lines from a place on, but those of blanks and rules."""
    for _ in range(_MOST_LINES):
        if place >= len(text):
            return
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        if not _SIGNS.fullmatch(text, place, end):
            yield place, end
        place = end + 1


def _holds_doses(text: str, scheme: _Scheme, shapes: _Shapes, language: str) -> bool:
    if scheme.is_dated:
        return False
    if scheme.has_unit:
        return True
    start = scheme.places[0][0]
    near = max(0, start - _AROUND)
    before = text[max(near, text.rfind("\n", near, start) + 1) : start]
    if _may_be_days(scheme, language):
        return _ends_with_drug(before)
    if len(scheme.numbers) >= _FEWEST:
        return True
    end = scheme.places[-1][1]
    line = before + text[start:end] + text[end : end + _AROUND].partition("\n")[0]
    return shapes.dosed.search(line) is not None or any(map(is_drug, WORD.findall(line)))


def _may_be_days(scheme: _Scheme, language: str) -> bool:
    """Tell whether numbers are days of a month, as far apart as their weekdays are."""
    for month_first in (False, True) if language == "en" else (False,):
        days = [
            (_read_day(number, month_first=month_first), weekdays)
            for number, weekdays in scheme.numbers
        ]
        if all(day for day, _ in days) and all(
            _may_follow(second - first, {(b - a) % 7 for a in before for b in behind})
            for (first, before), (second, behind) in pairwise(days)
        ):
            return True
    return False


def _read_day(number: str, *, month_first: bool) -> int:
    """Return the day that a number is, alone or beside its month; 0 where it is none."""
    found = _DAY_NUMBER.fullmatch(number)
    if found is None:
        return 0
    day, month = int(found[1]), int(found[2] or 1)
    if month_first and found[2]:
        day, month = month, day
    return day if day <= _MOST_DAYS and 1 <= month <= _MOST_MONTHS else 0


def _may_follow(gap: int, weekdays: set[int]) -> bool:
    """Tell whether days so far apart, in one month or the next, may be so many weekdays apart."""
    gaps = [gap, *(gap + month for month in _SIZES if gap < 0 and gap + month <= _NEXT_DAYS)]
    return any(one % 7 in weekdays for one in gaps)


def _ends_with_drug(before: str) -> bool:
    """Tell whether nothing but words of a scheme stand behind the last drug."""
    for word in reversed(WORD.findall(before)):
        if is_drug(word):
            return True
        if not may_follow_drug(word):
            return False
    return False


def _cut(text: str, rows: list[Span], scheme: _Scheme, shapes: _Shapes) -> None:
    """Take the numbers of a scheme from the dates, and put its weekdays among them."""
    dates = {
        row: None
        for start, end in scheme.places
        for row in touching(rows, start, end)
        if row.label in DATES
    }
    labels = [
        row.label for row in dates if any(a < row.end and row.start < b for a, b in scheme.days)
    ]
    for row in dates:
        if any(map(str.isnumeric, text[row.start : row.end])):
            place = place_of(rows, row)
            rows[place : place + 1] = _left_of(text, row, scheme, shapes)
    if labels:
        put_uncovered(rows, [(*day, labels[0]) for day in scheme.days], SOURCE)


def _left_of(text: str, row: Span, scheme: _Scheme, shapes: _Shapes) -> Iterator[Span]:
    """Yield the parts of a date before and behind a scheme that have a number or a weekday."""
    cuts = [row.start, *(cut for place in scheme.places for cut in place), row.end]
    for start, end in zip(cuts[::2], cuts[1::2], strict=True):
        start, end = max(start, row.start), min(end, row.end)
        part = _TRIMMED.search(text, start, end) if start < end else None
        if part and (any(map(str.isnumeric, part[0])) or shapes.day.search(part[0])):
            yield replace(row, start=part.start(), end=part.end())


@cache
def _shapes(language: str) -> _Shapes:
    days = either(weekday_forms(language))
    day = rf"(?<![^\W_])(?:{days})(?![^\W_])"
    one = rf"(?<![^\W_])(?P<day>{days})(?![^\W_])[.]?"
    month = (
        rf"(?P<month>(?:[ ](?:de[ ]|of[ ])?|[-/])(?!{day}{_BETWEEN}{_NUMBER})"
        rf"(?i:{month_words(language)})(?![^\W_]))"
    )
    unit = unit_pattern()
    dose = (
        rf"(?P<number>{_NUMBER})(?:{month}|(?P<unit>{unit}(?:[ ](?!{day})[^\W\d_]{{1,8}}){{0,2}}))?"
    )
    return _Shapes(
        re.compile(_by_firsts(weekday_forms(language))),
        re.compile(rf"(?P<days>(?:{day}[.]?{_JOIN}){{0,6}}{one}){_BETWEEN}{dose}(?![^\W_])"),
        re.compile(
            rf"{_NO_NUMBER_BEFORE}{dose}[ ](?:(?:on|op|el|los)[ ])?"
            rf"(?P<days>{one}(?:{_JOIN}{day}){{0,6}})"
        ),
        re.compile(rf"(?P<days>{day}[.]?(?:{_COLUMN}{day}[.]?){{2,13}})[ \t|;:]{{0,12}}\r?\n"),
        rf"{_NUMBER}(?:{unit})?",
        re.compile(rf"[\d½¼¾⅓⅔]{unit}"),
    )


def _by_firsts(words: Iterable[str]) -> str:
    """Return an expression of whole words that begins with their first letters.

    It is sought three times as fast as one that begins with a look behind.
    """
    rest: dict[str, list[str]] = {}
    for word in words:
        rest.setdefault(word[0], []).append(word[1:])
    return "|".join(
        rf"{first}(?<![^\W_].)(?:{either(tails)})(?![^\W_])" for first, tails in rest.items()
    )
