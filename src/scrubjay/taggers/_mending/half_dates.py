"""The other half of a date: "January | fifteenth", "January | 14", "2 to | 7 May", "May 2 | and 3".

A tagger that finds a month alone leaves the day beside it where it is a word or stands on another
line, and of two days that share a month the first: "from 2nd to 7th November", "del 2 al 7 de
noviembre", "van 2 tot 7 november". The first day is a date for itself, and so are the first of two
days in figures ("8-1 | t/m 17-1-24") and a later one behind a month with its day, whatever number
it was taken for ("Mar 20 and 21", English). A year of two figures that ends a line or a column
belongs to the day before it: "16 mayo | 25".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from scrubjay.document import Span
from scrubjay.resources import load_table
from scrubjay.taggers._mending.label_groups import DATES
from scrubjay.taggers._mending.uncovered import Found, put_joined, touched_by
from scrubjay.text.months import month_words

SOURCE, _AGE, _LETTERS = "half-date", "AGE", "stndrhSTNDRH"

_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_TH = r"(?:st|nd|rd|th)"
_FARTHEST, _LINE_END = 40, r"[ \t]{0,3}\r?\n[ \t]{0,8}"
_ORDINALS = "|".join(
    word.replace("-", "[ -]")
    for word in sorted(load_table("dates", "en.toml")["numbers"]["ordinals"], key=len, reverse=True)
)
_NO_DAY = r"(?![\w%/:°-]|[.,]\d|[ ]?(?:m?c?g|m[lL]|mmol|years?|jaar|jr|años|x)(?!\w))"


_FIGURES = re.compile(
    rf"{_DAY}(?P<sign>[-/.])(?:0?[1-9]|[12]\d|3[01])(?:(?P=sign)(?:\d{{4}}|\d\d))?"
)
_SHORT_YEAR = re.compile(r"[ ]['’]?[0-3]\d(?=[ ]{2}|[ \t]*(?:\r?\n|\Z))")
_JOINS = {
    "en": r"to|until|till|through|thru|-|–",
    "nl": r"t/m|tm|tot(?:[ ]en[ ]met)?|-|–",
    "es": r"al?|hasta(?:[ ]el)?|-|–",
}


class _Halves(NamedTuple):
    """What stands behind a month of a date, before one, and before the second day of two.

    `last` is the second day of two behind a month with its first.
    """

    behind: re.Pattern[str] | None
    before: re.Pattern[str] | None
    first: re.Pattern[str]
    last: re.Pattern[str] | None = None


_BY_LANGUAGE = {
    "en": _Halves(
        re.compile(
            rf"[ ](?:the[ ])?(?:{_ORDINALS})(?!\w)|"
            rf"{_LINE_END}{_DAY}{_TH}?{_NO_DAY}",
            re.IGNORECASE,
        ),
        None,
        re.compile(
            rf"(?<!\w)(?:from|between)[ ](?:the[ ])?(?P<day>{_DAY}{_TH}?)[ ]"
            r"(?:to|and|till?|until|through|-|–)[ ](?:the[ ])?\Z",
            re.IGNORECASE,
        ),
        re.compile(
            r"(?:[ ](?:and|&|to|thru|through|until)[ ]|,[ ]?(?=\d{1,2}(?:[.,;)]|\s|\Z)))"
            rf"(?P<day>{_DAY}{_TH}?){_NO_DAY}(?![ ]?(?:units?|weeks?|wks?|days?|months?|lbs?|of|"
            r"[ap]m)(?!\w))",
            re.IGNORECASE,
        ),
    ),
    "nl": _Halves(
        None,
        re.compile(rf"(?<![\w.,/-])(?P<day>{_DAY}){_LINE_END}\Z"),
        re.compile(
            rf"(?<!\w)(?:van|tussen)[ ](?P<day>{_DAY}e?)[ ]"
            r"(?:tot(?:[ ]en[ ]met)?|t/?m|en|-|–)[ ]\Z",
            re.IGNORECASE,
        ),
    ),
    "es": _Halves(
        None,
        re.compile(rf"(?<![\w.,/-])(?P<day>{_DAY})(?:[ ]de)?{_LINE_END}(?:de[ ])?\Z"),
        re.compile(
            rf"(?<!\w)(?:del?|entre[ ]el|desde[ ]el)[ ](?P<day>{_DAY})[ ](?:al?|y(?:[ ]el)?|"
            r"hasta[ ]el)[ ]\Z",
            re.IGNORECASE,
        ),
    ),
}
LANGUAGES = frozenset(_BY_LANGUAGE)
_FIRST = {
    language: re.compile(
        rf"(?<![\w.,/+-])(?P<day>{_DAY}[-/](?:0?[1-9]|[12]\d|3[01]))[ ](?:{joins})[ ]\Z",
        re.IGNORECASE,
    )
    for language, joins in _JOINS.items()
}
"""What stands before the second day of two in figures, by language."""


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a month, with a year or not, of a day with its month, and turned."""
    month = rf"(?:{month_words(language)})[.]?"
    year = r"(?:,?[ ](?:del?[ ])?(?:19|20)\d\d)?"
    return (
        re.compile(rf"{month}{year}", re.IGNORECASE),
        re.compile(rf"{_DAY}(?:{_TH}|e)?[ ](?:(?:de|of)[ ])?{month}{year}", re.IGNORECASE),
        re.compile(rf"{month}[ ](?P<day>{_DAY}){_TH}?", re.IGNORECASE),
    )


def may_be_half(mention: str, label: str, language: str) -> bool:
    """Tell whether a mention is a month alone, the two together, or a day in figures."""
    return label in DATES and (
        _FIGURES.fullmatch(mention) is not None
        or any(one.fullmatch(mention) for one in _patterns(language))
    )


def complete_dates(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text, half dates with their other half, and first days besides.

    `spans` are sorted and disjoint, and so are those that are returned.
    """
    rows: list[Span] | None = None
    for span in spans:
        if not may_be_half(text[span.start : span.end], span.label, language):
            continue
        for start, end, label in _halves(text, span, language):
            rows = list(spans) if rows is None else rows
            before = touched_by(rows, start, min(end, span.start))
            behind = touched_by(rows, max(start, span.end), end)
            is_other = behind is not None and (behind.start, behind.end, behind.label) == (
                start, end, _AGE,
            )  # fmt: skip
            if before is None and (behind is None or is_other):
                put_joined(rows, start, end, label, SOURCE)
    return spans if rows is None else tuple(rows)


def _halves(text: str, span: Span, language: str) -> Iterator[Found]:
    halves, (month, _, turned) = _BY_LANGUAGE[language], _patterns(language)
    floor = max(0, span.start - _FARTHEST)
    if _FIGURES.fullmatch(text, span.start, span.end):
        if day := _FIRST[language].search(text, floor, span.start):
            yield *day.span("day"), span.label
        return
    if month.fullmatch(text, span.start, span.end):
        if halves.behind and (day := halves.behind.match(text, span.end)):
            yield span.start, day.end(), span.label
        if halves.before and (day := halves.before.search(text, floor, span.start)):
            yield day.start("day"), span.end, span.label
        return
    if one := turned.fullmatch(text, span.start, span.end):
        last = halves.last.match(text, span.end) if halves.last else None
        if last and int(one["day"]) < int(last["day"].rstrip(_LETTERS)):
            yield *last.span("day"), span.label
    elif day := halves.first.search(text, floor, span.start):
        yield *day.span("day"), span.label
    if not text[span.end - 2 : span.end].isdigit() and (year := _SHORT_YEAR.match(text, span.end)):
        yield span.start, year.end(), span.label
