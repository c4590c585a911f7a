"""Days that share a month are a date each, and words and times around a date are none of it.

"5 y 12 de febrero de 2024" are two days, "mié 30 oct 10.20" is a day and a time of the clock, and
of "día 8" the number is the date, where a month has so many days: "día 52" is one of a stay. Words
before a day or a month are none of it ("providencia de 12 de noviembre", "de marzo del 2021"), and
weekdays are a date each, one by one ("mié-vie") and behind a day in figures ("21-08 domingo"). In
Dutch the article and words for a part stand outside, as in nl-notes: of "eind mei" the month.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.text.months import month_words
from scrubjay.text.weekdays import weekday_forms

_DAY = r"(?:[12]?\d|3[01])"
_JOIN = r"(?:,[ ]|[ ](?:y|o|u|e|al?)[ ])"
_MONTH = rf"(?:{month_words('es')})[.]?"
_LIST = re.compile(
    rf"{_DAY}(?:{_JOIN}{_DAY})*[ ](?:y|o|u|e|al?)[ ]{_DAY}(?:[ ](?:de[ ])?{_MONTH}(?:[ ].*)?)?",
    re.IGNORECASE | re.DOTALL,
)
_THE_DAY = re.compile(r"d[íi]a[ ](?P<number>\d{1,3})(?![\d/-])", re.IGNORECASE)
_MOST_DAYS = 31
_YEAR = r"(?:[ ](?:del?[ ])?(?:19|20)\d\d)"
_FORMS = sorted({form.lower() for form in weekday_forms("es") if len(form) > 2})
_WEEKDAY = rf"(?:{'|'.join(reversed(_FORMS))})(?![^\W\d_])[.]?"
_BEFORE = re.compile(
    rf"(?!{_WEEKDAY})(?:(?:[^\W\d_]+[ ])?[^\W\d_]{{4,}},?[ ](?:de[ ])?"
    rf"(?={_DAY}[ ](?:de[ ])?{_MONTH}{_YEAR}?\Z)|de[ ](?={_MONTH}{_YEAR}\Z))",
    re.IGNORECASE,
)
_WEEKDAYS = re.compile(rf"{_WEEKDAY}(?:[-/]{_WEEKDAY})+", re.IGNORECASE)
_FIGURES_AND_WEEKDAY = re.compile(
    rf"(?P<day>\d{{1,2}}[-/]\d{{1,2}}(?:[-/](?:\d\d){{1,2}})?)[ ](?P<weekday>{_WEEKDAY}(?:[ ].*)?)",
    re.IGNORECASE,
)
_PART = re.compile(r"(?:(?:begin|medio|half|halverwege|einde?|de)[ ]+)+(?=\w)", re.IGNORECASE)
_DAY_AND_JOIN = re.compile(rf"({_DAY}){_JOIN}", re.IGNORECASE)
_TIME = re.compile(
    rf"(?P<day>.*{_MONTH}),?[ ](?:[01]?\d|2[0-3])(?P<minutes>[.:][0-5]\d)?", re.IGNORECASE
)
_MINUTES = re.compile(r"[.:][0-5]\d(?!\d|[.:/-]\d)")
_MONTH_AND_TWO = re.compile(rf"(?P<month>{month_words('nl')})[ ](?P<age>\d\d)", re.IGNORECASE)
_TURNED = re.compile(r"[ ](?:is[ ])?(?:werd|wordt|geworden)(?!\w)", re.IGNORECASE)
_TURNS = re.compile(r"(?<!\w)(?:werd|wordt)[ ](?:in|eind|begin|half)[ ]\Z", re.IGNORECASE)


def may_be_day_list(mention: str) -> bool:
    """Tell whether `part_days` may change a date: by how it begins, and what it is made of."""
    return (
        _BEFORE.match(mention) is not None
        or _WEEKDAYS.fullmatch(mention) is not None
        or _FIGURES_AND_WEEKDAY.fullmatch(mention) is not None
        or _LIST.fullmatch(mention) is not None
        or _TIME.fullmatch(mention) is not None
        or _THE_DAY.match(mention) is not None
    )


def may_be_dutch(mention: str) -> bool:
    """Tell whether `part_dutch` may part a Dutch date: by its first word, or by two last digits."""
    return _PART.match(mention) is not None or _MONTH_AND_TWO.fullmatch(mention) is not None


def part_dutch(text: str, span: Span) -> Iterator[Span]:
    """Yield a Dutch date without its article and words for a part of it, and an age for itself.

    "die in mei 91 werd" and "wordt in mei 91" tell of a birthday: the number is no year.
    """
    part = _PART.match(text, span.start, span.end)
    start = span.start if part is None else part.end()
    both = _MONTH_AND_TWO.fullmatch(text, start, span.end)
    if both is not None and (_TURNED.match(text, span.end) or _TURNS.search(text[:start][-40:])):
        yield replace(span, start=start, end=both.end("month"))
        yield replace(span, start=both.start("age"), label="AGE")
        return
    yield replace(span, start=start)


def part_days(text: str, span: Span) -> Iterator[Span]:
    """Yield each day of a list for itself, and a date without what stands before or behind it."""
    if both := _FIGURES_AND_WEEKDAY.fullmatch(text, span.start, span.end):
        yield replace(span, end=both.end("day"))
        yield replace(span, start=both.start("weekday"))
        return
    if _WEEKDAYS.fullmatch(text, span.start, span.end):
        for weekday in re.finditer(r"[^-/]+", text[span.start : span.end]):
            start, end = weekday.span()
            yield replace(span, start=span.start + start, end=span.start + end)
        return
    if before := _BEFORE.match(text[span.start : span.end]):
        span = replace(span, start=span.start + before.end())
    day = _THE_DAY.match(text, span.start, span.end)
    if day is not None:
        if int(day["number"]) > _MOST_DAYS:
            return
        span = replace(span, start=day.start("number"))
    timed = _TIME.fullmatch(text, span.start, span.end)
    if timed is not None and (timed["minutes"] or _MINUTES.match(text, span.end)):
        span = replace(span, end=timed.end("day"))
    start = span.start
    if _LIST.fullmatch(text, start, span.end):
        while (one := _DAY_AND_JOIN.match(text, start, span.end)) is not None:
            yield replace(span, start=start, end=one.end(1))
            start = one.end()
    yield replace(span, start=start)
