"""Borders of what a tagger found, mended by the characters around them.

A tagger sets borders between tokens alone, and learns them from few examples of untidy layout.
What follows holds for any note: a column gap or a new list item ends a mention, brackets and
quotation marks come in pairs, and two dates with a hyphen are two dates. Keys that are glued to a
number ("MRNKP11904") are cut off it. Apart from these keys, each letter and digit that was covered
stays covered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.text.months import month_words

Interval = tuple[int, int]

_GAP = re.compile(r"[ \t]{3,}|\t|[ \t]*\r?\n[ \t]*(?:[-*•>][ \t]*|(?=\r?\n))")
_PAIRS = (('"', '"'), ("(", ")"), ("“", "”"), ("[", "]"))
_SIGNS = re.compile(r'[\t\n"()“”\[\]]| {3}')  # of a gap or a pair

# Keys that notes in a hurry glue to a number.
_KEY = re.compile(r"(?:ACCT|UHID|MRN|ACC|LOT|MR|SN)(?=[^\W_]{2})")
_NUMBERS = frozenset({
    "ACCOUNT", "BIOID", "DEVICE", "HEALTHPLAN", "IDNUM", "LICENSE", "MEDICALRECORD", "SSN",
    "VEHICLE",
})  # fmt: skip

_MONTH = rf"(?:{month_words('en')})[a-z]*\.?"
_DAY = rf"{_MONTH} ?\d{{1,2}}(?:st|nd|rd|th)?"
_RANGE = re.compile(rf"({_DAY}(?:,? \d{{4}})?)(?: ?[-–] ?)({_DAY}.*)", re.IGNORECASE | re.DOTALL)
_WEEKDAY = re.compile(r"(?:mon|tues?|wed|thur?s?|fri|sat|sun)(?:[a-z]*day)?\.?", re.IGNORECASE)
_WEEKDAYS = re.compile(rf"(?:{_WEEKDAY.pattern})(?:[/,] ?(?:{_WEEKDAY.pattern}))+", re.IGNORECASE)
# How a mention of several dates begins.
_DATES = re.compile(rf"{_MONTH}[^-–]*[-–]|(?:{_WEEKDAY.pattern})[/,]", re.IGNORECASE)


def may_be_mended(mention: str, label: str) -> bool:
    """Tell whether a mention may have other borders; a look at the signs of most says no."""
    return (
        _SIGNS.search(mention) is not None
        or (label in _NUMBERS and _KEY.match(mention) is not None)
        or (label == "DATE" and mention[0].isalpha() and _DATES.match(mention) is not None)
    )


def mend_borders(
    text: str, spans: Iterable[Span], *, may_be: Callable[[str, str], object] = may_be_mended
) -> tuple[Span, ...]:
    """Return the spans of a text with mended borders, sorted and disjoint as they came.

    The words are those of English; a span that nothing here speaks of stays as it is. `may_be`
    tells of a mention and its label what `may_be_mended` does, or remembers it.
    """
    rows = tuple(spans)
    found: list[Span] = []
    for number, span in enumerate(rows):
        if not may_be(text[span.start : span.end], span.label):
            found.append(span)
            continue
        # A span may grow by a bracket, never into its neighbours.
        floor = found[-1].end if found else 0
        roof = rows[number + 1].start if number + 1 < len(rows) else len(text)
        intervals: list[Interval] = [(span.start, span.end)]
        for step in _STEPS:
            intervals = [
                made for one in intervals for made in step(text, one, span.label, (floor, roof))
            ]
        found += [replace(span, start=start, end=end) for start, end in intervals if start < end]
    return tuple(found)


def _part_at_gaps(text: str, at: Interval, label: str, room: Interval) -> Iterator[Interval]:
    start, end = at
    for gap in _GAP.finditer(text, start, end):
        if start < gap.start():
            yield start, gap.start()
        start = gap.end()
    if start < end:
        yield start, end


def _pair_brackets(text: str, at: Interval, label: str, room: Interval) -> Iterator[Interval]:
    start, end = at
    inside = text[start:end]
    for opening, closing in _PAIRS:
        if opening == closing:
            lacks_begin = lacks_end = inside.count(opening) == 1
        else:
            lacks_begin = closing in inside and opening not in inside
            lacks_end = opening in inside and closing not in inside
        if lacks_begin and start > room[0] and text[start - 1] == opening:
            yield start - 1, end
            return
        if lacks_end and end < room[1] and text[end] == closing:
            yield start, end + 1
            return
    yield at


def _cut_key(text: str, at: Interval, label: str, room: Interval) -> Iterator[Interval]:
    start, end = at
    key = _KEY.match(text, start, end) if label in _NUMBERS else None
    is_begun = start > 0 and text[start - 1].isalpha()
    yield (start, end) if key is None or is_begun else (key.end(), end)


def _part_dates(text: str, at: Interval, label: str, room: Interval) -> Iterator[Interval]:
    start, end = at
    if label == "DATE":
        if both := _RANGE.fullmatch(text, start, end):
            yield both.span(1)
            yield both.span(2)
            return
        if _WEEKDAYS.fullmatch(text, start, end):
            yield from (day.span() for day in _WEEKDAY.finditer(text, start, end))
            return
    yield at


_Step = Callable[[str, Interval, str, Interval], Iterator[Interval]]
_STEPS: tuple[_Step, ...] = (_part_at_gaps, _pair_brackets, _cut_key, _part_dates)
