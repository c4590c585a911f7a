"""Days without a year that are written as others are that were found: "4/20  5/8  5/16", "(7/3)".

A tagger that finds "4/20" at the head of a column passes over "5/8" beside it, and over "3/6" where
the words around it are new to it. Where a row of heads holds two that were found, all of their form
there are days, if nothing else stands in the row; where two lines and more begin with days that
were found, so do others that begin so, in a language with days of both orders. Elsewhere a day is
told from a score ("pain 3/10") by its month, which is one of those found or stands beside one, and
by where it stands: it begins a line, or stands alone in brackets, or can be no fraction ("29/5")
and no setting ("BiPAP 14/6"). A zero before one of its numbers tells it where one was found: no
score has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES, date_label
from scrubjay.taggers._mending.uncovered import add_uncovered
from scrubjay.text.months import month_words

SOURCE = "days-alike"
LABELS = {language: date_label(language) for language in ("en", "es", "nl")}
"""The label of a day, in the languages of which notes were tried."""

_DAY_FIRST = frozenset({"es", "nl"})
"""Languages in which a day stands before its month; in others those found tell of it."""

_FEWEST, _MONTHS, _WEEK, _BEFORE, _BLANKS = 2, 12, 7, 16, 4
"""Days that were found, so that others are looked for; and characters before one that are read, for
a value and for the begin of a line."""

_NUMBER = r"(?:0?[1-9]|[12]\d|3[01])"
_DAY = rf"(?P<one>{_NUMBER})(?P<sign>[/-])(?P<two>{_NUMBER})"
_SHORT = re.compile(rf"{_DAY}(?!\d)")
_ALONE = re.compile(
    rf"(?<![\w/.,:+°%-]){_DAY}"
    r"(?![\w/%+-]|[.,:]\d|[ ]?(?:m?c?g|m[lL]|mmHg|cm|mm|%|x)(?!\w)|[ ]?[-–][ ]?\d)"
)
_BEGINS = re.compile(rf"^[ \t•*>-]{{0,4}}{_DAY}(?=:?[ ]{{1,3}}\D|[:;,][ ])", re.MULTILINE)
_BEGIN = re.compile(r"(?:\A|\n)[ ]{0,3}\Z")
_CELL = re.compile(r"[^ \t|]+")
_HEAD = re.compile(
    rf"{_NUMBER}[/-]{_NUMBER}(?:[/-]\d\d(?:\d\d)?)?|(?:{month_words('en', 'es', 'nl')})[.]?|"
    r"[012]\d:?[0-5]\d|[12]?\d|3[01]|[–—-]",
    re.IGNORECASE,
)
# Values that have the shape of a day: settings of a ventilator, pressures, sight and scores.
_VALUE = {
    language: re.compile(rf"(?:(?<!\w)(?:{words})[.:]?|[x×*@=~≥≤<>])[ :=]{{0,2}}\Z", re.IGNORECASE)
    for language, words in {
        "en": "bi-?pap|[ie]pap|cpap|peep|pip|ps|pc|nippv|niv|vent|settings?|at|bp|va|vision|acuity|"
        r"o[dsu]|grade|stage|score[ds]?|power|pain|nodes?|t\dn\d|l?sln|of|in|ratio",
        "es": r"(?:bi|i|e|c)?pap|p[asi]|t[.]?a|(?:presi[óo]n|tensi[óo]n|arterial)(?:[ ]de)?",
        "nl": r"(?:bi|c)pap|ps|rr|tensie|bloeddruk|pijn|nrs|vas|visus|score",
    }.items()
}


def may_be_short_day(mention: str) -> bool:
    """Tell whether a date is a day and a month in figures, in either order: "6/5", "5-16"."""
    return _SHORT.fullmatch(mention) is not None


def add_days_alike(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with days that are written as others that were found.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    known: dict[str, list[re.Match[str]]] = {}
    for span in spans:
        day = _SHORT.fullmatch(text, span.start, span.end) if span.label in DATES else None
        if day is not None:
            known.setdefault(day["sign"], []).append(day)
    found = [
        place
        for sign, days in sorted(known.items())
        for find in (_in_rows, _in_lines, _elsewhere)
        for place in find(text, days, sign, language)
    ]
    label = LABELS[language]
    return add_uncovered(spans, ((*place, label) for place in found), SOURCE) if found else spans


_Places = Iterator[tuple[int, int]]


def _in_rows(text: str, known: Sequence[re.Match[str]], sign: str, language: str) -> _Places:
    """Yield the days of lines in whose columns stand days alone, behind a head of the row."""
    read = -1
    for day in known if len(known) >= _FEWEST else ():
        if day.start() < read:
            continue
        start = text.rfind("\n", 0, day.start()) + 1
        read = text.find("\n", day.end())
        read = len(text) if read < 0 else read
        cells = list(_CELL.finditer(text, start, read))
        heads = sum(start <= one.start() < read for one in known)
        if heads < _FEWEST or not all(_HEAD.fullmatch(cell[0]) for cell in cells[1:]):
            continue
        for cell in cells:
            one = _SHORT.match(text, *cell.span())
            if one is not None and one["sign"] == sign and _HEAD.fullmatch(cell[0]):
                yield one.span()


def _in_lines(text: str, known: Sequence[re.Match[str]], sign: str, language: str) -> _Places:
    """Yield the days that lines begin with, where half of them were found.

    Where the language tells which number is the month, `_elsewhere` looks at the month besides.
    """
    if language in _DAY_FIRST or len(known) < _FEWEST:
        return
    places = {day.start() for day in known}
    begins = [day for day in _BEGINS.finditer(text) if day["sign"] == sign]
    seen = sum(day.start("one") in places for day in begins)
    if seen >= _FEWEST and len(begins) <= 2 * seen:
        for day in begins:
            if min(int(day["one"]), int(day["two"])) <= _MONTHS:
                yield day.start("one"), day.end("two")


def _elsewhere(text: str, known: Sequence[re.Match[str]], sign: str, language: str) -> _Places:
    """Yield the days that can be nothing else by what they are and where they stand."""
    if language in _DAY_FIRST or _stand_first("one", "two", known):
        own, other = "one", "two"
    elif _stand_first("two", "one", known):
        own, other = "two", "one"
    else:
        return
    months = [int(day[other]) for day in known]
    near = {(month + by - 1) % _MONTHS + 1 for month in months for by in (-1, 0, 1)}
    for day in _ALONE.finditer(text):
        month = int(day[other])
        if day["sign"] == sign and (
            (month <= _MONTHS and "0" in (day["one"][0], day["two"][0]))
            or (len(known) >= _FEWEST and month in near and _stands_so(text, day, own, language))
        ):
            yield day.span()


def _stand_first(own: str, other: str, known: Sequence[re.Match[str]]) -> bool:
    """Tell whether days, and no months, are the numbers of a place in most that tell of it."""
    counts = (sum(int(day[place]) > _MONTHS for day in known) for place in (own, other))
    return next(counts) > _FEWEST * next(counts)


def _stands_so(text: str, day: re.Match[str], own: str, language: str) -> bool:
    """Tell whether a day and its month stand where no score, fraction or setting does."""
    start, end = day.span()
    value = _VALUE[language]
    one, two = int(day["one"]), int(day["two"])
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        return one != two and not value.search(text, max(0, start - _BEFORE), start - 1)
    if _BEGIN.search(text, max(0, start - _BLANKS), start):
        return True
    is_spell = two == _WEEK and one % _WEEK == 0
    return (
        own == "one"
        and one > _MONTHS
        and not is_spell
        and not value.search(text, max(0, start - _BEFORE), start)
    )
