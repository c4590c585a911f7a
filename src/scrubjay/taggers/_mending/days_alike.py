"""Days without a year that are written as others are that were found: "4/20  5/8  5/16".

A tagger that finds "4/20" at the head of a column passes over "5/8" beside it. Where a row of heads
holds two that were found, all of their form there are days, if nothing else stands in the row;
where two lines and more begin with days that were found, so do others that begin so. In running
text what has its day first and can be no fraction is one ("29/5"), where that is the order of those
found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES
from scrubjay.taggers._mending.uncovered import add_uncovered
from scrubjay.text.months import month_words

SOURCE = "days-alike"
LABELS = {"en": "DATE"}
"""The label of a day, in the languages of which notes were tried."""

_FEWEST, _MONTHS, _WEEK, _BEFORE = 2, 12, 7, 16
"""Days that were found, so that others are looked for; and characters before one that are read."""

_NUMBER = r"(?:0?[1-9]|[12]\d|3[01])"
_DAY = rf"(?P<one>{_NUMBER})(?P<sign>[/-])(?P<two>{_NUMBER})"
_SHORT = re.compile(rf"{_DAY}(?!\d)")
_ALONE = re.compile(rf"(?<![\w/.,:+-]){_DAY}(?![\w/-]|[.,:]\d|[ ]?[%x])")
_BEGINS = re.compile(rf"^[ \t•*>-]{{0,4}}{_DAY}(?=:?[ ]{{1,3}}\D|[:;,][ ])", re.MULTILINE)
_CELL = re.compile(r"[^ \t|]+")
_HEAD = re.compile(
    rf"{_NUMBER}[/-]{_NUMBER}(?:[/-]\d\d(?:\d\d)?)?|(?:{month_words('en')})[.]?|"
    r"[012]\d:?[0-5]\d|[12]?\d|3[01]|[–—-]",
    re.IGNORECASE,
)
# Values that have the shape of a day: settings of a ventilator, pressures, sight and scores.
_VALUE = re.compile(
    r"(?:bi-?pap|[ie]pap|cpap|peep|pip|ps|pc|nippv|niv|vent|settings?|at|bp|va|vision|acuity|o[dsu]|"
    r"grade|stage|score[ds]?|power|pain|nodes?|l?sln|of|in|ratio|[x×*@=~≥≤<>])[ :=]{0,2}\Z",
    re.IGNORECASE,
)


def add_days_alike(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with days that are written as others that were found.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    known = [
        day
        for span in spans
        if span.label in DATES and (day := _SHORT.fullmatch(text, span.start, span.end))
    ]
    if len(known) < _FEWEST:
        return spans
    found = [
        place
        for sign in sorted({day["sign"] for day in known})
        for place in _find(text, [day for day in known if day["sign"] == sign], sign)
    ]
    label = LABELS[language]
    return add_uncovered(spans, ((*place, label) for place in found), SOURCE) if found else spans


def _find(text: str, known: Sequence[re.Match[str]], sign: str) -> Iterator[tuple[int, int]]:
    places = {day.start() for day in known}
    yield from _in_rows(text, known, sign)
    begins = [day for day in _BEGINS.finditer(text) if day["sign"] == sign]
    seen = sum(day.start("one") in places for day in begins)
    if seen >= _FEWEST and len(begins) <= 2 * seen:
        yield from (day.span("one")[:1] + day.span("two")[1:] for day in begins if _has_month(day))
    if _is_first(known):
        for day in _ALONE.finditer(text):
            if day["sign"] == sign and _is_no_value(text, day):
                yield day.span()


def _in_rows(text: str, known: Sequence[re.Match[str]], sign: str) -> Iterator[tuple[int, int]]:
    """Yield the days of lines in whose columns stand days alone, behind a head of the row."""
    read = -1
    for day in known:
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


def _is_first(known: Sequence[re.Match[str]]) -> bool:
    """Tell whether days stand before their months, in most that tell of it."""
    firsts = sum(int(day["one"]) > _MONTHS for day in known)
    return firsts > _FEWEST * sum(int(day["two"]) > _MONTHS for day in known)


def _has_month(day: re.Match[str]) -> bool:
    return min(int(day["one"]), int(day["two"])) <= _MONTHS


def _is_no_value(text: str, day: re.Match[str]) -> bool:
    """Tell whether a day and its month can be no fraction, no count of days, and no setting."""
    one, two = int(day["one"]), int(day["two"])
    is_spell = two == _WEEK and one % _WEEK == 0
    floor = max(0, day.start() - _BEFORE)
    return two <= _MONTHS < one and not is_spell and not _VALUE.search(text, floor, day.start())
