"""Whether the day or the month comes first in the numeric dates of a document: 08/10/2025.

What tells it, the surest first: a date that leaves no choice; a weekday, or the same day written
with its month ("3rd November 2025"), beside a date that may be either ("Wed 8/5", in the year of
the date before it); where both orders are in
use (`order-signs` in the table of the language) the days in the order of the text, and signs of a
country: phone numbers, postal codes, spelling. Where nothing does, the order that is usual among
the documents around it holds, if somebody knows it, else the default of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from itertools import pairwise

from scrubjay.caching import text_cache
from scrubjay.transform.surrogates._date_groups import Group
from scrubjay.transform.surrogates._date_mentions import Reading, read_mention
from scrubjay.transform.surrogates.calendar_words import CalendarWords, word_key, words_of

DAY_FIRST, MONTH_FIRST = "dmy", "mdy"
ORDERS = ("", DAY_FIRST, MONTH_FIRST)
"""What a policy may say of the order; "" leaves it to the document."""
OPEN = "open"
"""What a document tells of the order that has dates which may be either, and nothing to tell it."""

_NUMERIC = re.compile(
    # The first day of a range, which has no month of its own: 3-4/4/21.
    r"(?<![0-9])(?:[0-9]{1,2}[ ]?([-–/])[ ]?(?=[0-9]{1,2}(?!\1)([/.-])[0-9]{1,2}\2[0-9]{2}))?"
    r"([0-9]{1,2})[ ]?([/.-])[ ]?([0-9]{1,2})"
    r"(?:[ ]?\4[ ]?(?:[0-9]{4}|[0-9]{2}))?(?![0-9])"
)
_YEAR_FIRST = re.compile(
    r"(?<![0-9])[0-9]{4}[ ]?([/.-])[ ]?[0-9]{1,2}[ ]?\1[ ]?[0-9]{1,2}(?![0-9])"
)
_WORD_BEFORE = re.compile(r"(?<!\w)([^\W\d_]{2,})\.?,?[ \t]{1,3}\Z")
_LONGEST_WEEKDAY = 16
_IN_ORDER = 2
"""How many signs of a country weigh as much as days that go on in their order."""
_MOST_COUNTED = 256
"""Texts whose signs are remembered: as many as a batch holds."""
_counted: dict[tuple[bytes, str], int] = {}


@dataclass(frozen=True, slots=True)
class DateOrder:
    """Whether the day comes first, and what the document tells of that: an order, `OPEN` or ""."""

    day_first: bool
    told: str = ""


def find_order(
    texts: Sequence[str], words: CalendarWords, *, around: str = "", usual: str = ""
) -> DateOrder:
    """Return the order of the numbers in the dates of a document, whose text is `around`.

    `usual` is the order of most documents that it stands among, "" where nobody knows it.
    """
    counts = [count_orders(text) for text in texts]
    day_first = sum(count[0] for count in counts)
    month_first = sum(count[1] for count in counts)
    if bool(day_first) != bool(month_first):
        return _told(day_first - month_first)
    default = usual == DAY_FIRST if usual else words.day_first
    if not words.order_signs or not any(count[2] for count in counts):
        return DateOrder(default)
    texts = _with_weekdays(texts, around, words)
    ways = [
        [read_mention(text, words.language, day_first=first) for text in texts]
        for first in (True, False)
    ]
    points = (
        _weekdays(*ways)
        or _written(*ways)
        or _IN_ORDER * _in_order(*ways) + _style(ways[0]) + _signs(around, words.language)
    )
    return _told(points) if points else DateOrder(default, OPEN)


def share_orders(told: Sequence[str]) -> list[str]:
    """Return what the documents of a record tell of the order, the open ones as most others do."""
    points = told.count(DAY_FIRST) - told.count(MONTH_FIRST)
    return [_told(points).told if points and each == OPEN else each for each in told]


def _told(points: int) -> DateOrder:
    return DateOrder(points > 0, DAY_FIRST if points > 0 else MONTH_FIRST)


@text_cache(4096)  # as `read_mention`
def count_orders(text: str) -> tuple[int, int, int]:
    """Return how many dates have the day before the month, the month before the day, or either.

    Dates that begin with the year tell nothing: 2024-12-20 is written beside 07/01/2025, too.
    """
    day_first = month_first = either = 0
    text = _YEAR_FIRST.sub(";", text)
    for match in _NUMERIC.finditer(text):
        one, two = int(match[3]), int(match[5])
        whole = match[4] == "/" or text.count(match[4]) > 1
        day_first += whole and 12 < one <= 31 and 1 <= two <= 12
        month_first += whole and 12 < two <= 31 and 1 <= one <= 12
        either += whole and 1 <= one <= 12 and 1 <= two <= 12 and one != two
    return day_first, month_first, either


# --- what tells the order; each returns more than 0 for the day first, less for the month first


def _with_weekdays(texts: Sequence[str], around: str, words: CalendarWords) -> list[str]:
    """Return the dates that may be either with the day of the week that stands before them."""
    found: list[str] = []
    for text in texts:
        place = around.find(text) if count_orders(text)[2] else -1
        before = _WORD_BEFORE.search(around, max(0, place - _LONGEST_WEEKDAY), place)
        word = words.phrases.get(word_key(before[1])) if place > 0 and before is not None else None
        named = before is not None and word is not None and word.kind == "weekday"
        found.append(f"{before[1]} {text}" if named and before is not None else text)
    return found


def _weekdays(one: Sequence[Reading], other: Sequence[Reading]) -> int:
    """Compare weekdays with the dates that they stand beside: "Mon 03/11/2025"."""
    return _right_weekdays(one) - _right_weekdays(other)


def _right_weekdays(readings: Sequence[Reading]) -> int:
    """Count weekdays that are right, of a date without a year in that of the one before it."""
    right = 0
    year = next((reading.year for reading in readings if reading.year is not None), None)
    for reading in readings:
        year = reading.year or year
        named = [reading.tokens[place].value for place in reading.weekdays]
        dates = [_day(reading, group, year) for group in reading.groups if group.kind == "date"]
        if len(named) == len(dates) == 1 and reading.groups[0].numeric:
            right += dates[0] is not None and dates[0].weekday() == named[0]
    return right


def _written(one: Sequence[Reading], other: Sequence[Reading]) -> int:
    """Count dates that are written with their month, too: "3rd November", "03/11/2025"."""
    written = {told for reading in one for told in _months_and_days(reading, numeric=False)}
    if not written:
        return 0
    points = 0
    for a, b in zip(one, other, strict=True):
        first = set(_months_and_days(a, numeric=True))
        second = set(_months_and_days(b, numeric=True))
        points += len((first - second) & written) - len((second - first) & written)
    return points


def _months_and_days(reading: Reading, *, numeric: bool) -> Iterator[tuple[int, int]]:
    for group in reading.groups:
        if group.kind == "date" and group.month is not None and group.numeric == numeric:
            for day in group.days:
                yield reading.tokens[group.month].value, reading.tokens[day].value


def _in_order(one: Sequence[Reading], other: Sequence[Reading]) -> int:
    """Tell by which order alone no day comes before the one that stands before it in the text."""
    first, second = _steps(one), _steps(other)
    return (min(first, default=0) >= 0) - (min(second, default=0) >= 0)


def _steps(readings: Sequence[Reading]) -> list[int]:
    """Return the days from each whole date to the next."""
    days = [
        day.toordinal()
        for reading in readings
        for group in reading.groups
        if group.kind == "date" and (day := _day(reading, group)) is not None
    ]
    return [after - before for before, after in pairwise(days)]


def _day(reading: Reading, group: Group, year: int | None = None) -> date | None:
    """Return the first day of a whole date, None for less and for one that no calendar has.

    `year` is that of a date without one.
    """
    year = group.year_value or year
    if group.month is None or not group.days or year is None:
        return None
    tokens = reading.tokens
    try:
        return date(year, tokens[group.month].value, tokens[group.days[0]].value)
    except ValueError:
        return None


def _style(readings: Sequence[Reading]) -> int:
    """Tell how dates are written with their month: "3 November", or "November 3".

    Not "12-May-98" nor "the 4th of July", which all countries write.
    """
    found = {
        group.month_first
        for reading in readings
        for group in reading.groups
        if group.kind == "date" and not group.numeric and _stands_apart(reading, group)
    }
    return 0 if len(found) != 1 else -1 if True in found else 1


def _stands_apart(reading: Reading, group: Group) -> bool:
    """Tell whether but spaces and commas part a day from its month."""
    if group.month is None or not group.days:
        return False
    low, high = sorted((group.days[0 if group.month_first else -1], group.month))
    between = "".join(token.text for token in reading.tokens[low + 1 : high])
    return bool(between) and not between.strip(" ,.")


def signs_day_first(around: str, words: CalendarWords) -> bool:
    """Tell whether a text has more signs of countries that write the day first than of others."""
    return bool(words.order_signs) and _signs(around, words.language) > 0


def _signs(text: str, language: str) -> int:
    """Return what `count_signs` does, once for a text that a batch asks for several times.

    Its dates ask, its holidays, and at the end what it tells of the order; in between no text is
    kept, nor here: what was counted is found by a digest.
    """
    key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest(), language
    known = _counted.get(key)
    if known is None:
        if len(_counted) >= _MOST_COUNTED:
            _counted.clear()
        known = _counted[key] = count_signs(text, language)
    return known


def count_signs(text: str, language: str) -> int:
    """Count the signs of countries in a text, each once, those of day first as positive."""
    lowered = text.lower()
    points = 0
    for sign in words_of(language).order_signs:
        around = lowered if len(sign.forms) > 1 else text
        for form in sign.forms:
            if form.search(around) is not None:
                points += 1 if sign.day_first else -1
                break
    return points
