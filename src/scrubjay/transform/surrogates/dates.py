"""Surrogates of dates: shifted by a secret number of days per patient, written as they were.

All dates of a patient move by the same number of days, drawn under the key, so that the days
between any two of them stay what they were, in all documents. The format is read off each
mention and kept: order, marks, leading zeros, short months, case, what is glued or misplaced.

    03/04/2012 -> 11/21/2012    Mon 4 Apr. -> Wed 21 Nov.    Spring '98 -> Fall '98

What tells less than a day moves with the middle of what it tells: a month, a season, a year, but
a year that is that of a whole date goes where that date goes; a
holiday becomes the one nearest to its shifted day that stands on the same side of the other dates,
else that day ("March 21"); a weekday moves along. A decade becomes the
next one. Invalid dates stay invalid ones, with other numbers. Words that are none of dates are
left out, since nobody knows what they tell. Times of day stay.

Since intervals are exact, a shifted date may be what another date of the record was: "2011" may
become "2012" where 2012 becomes 2013. `avoid` binds only what is drawn freely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import MINYEAR
from functools import lru_cache

from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates._date_groups import (
    CROSSING,
    Group,
    compact_fields,
    month_of_day,
)
from scrubjay.transform.surrogates._date_mentions import (
    STRANGE,
    Day,
    Reading,
    read_mention,
    whole_day,
)
from scrubjay.transform.surrogates._date_order import (
    DAY_FIRST,
    ORDERS,
    DateOrder,
    find_order,
    signs_day_first,
)
from scrubjay.transform.surrogates._date_shifting import Habits, Shifter
from scrubjay.transform.surrogates._holidays import articles_before, settle_holidays, settle_years
from scrubjay.transform.surrogates._named_times import OutOfReachError, move_day
from scrubjay.transform.surrogates.calendar_words import CalendarWords, words_of
from scrubjay.transform.surrogates.draw import Draw
from scrubjay.transform.surrogates.maker import Wanted, step_by_step

DIRECTIONS = ("", "past", "future")
"""Where dates may move; "" is either way."""

MIN_DAYS = 190
"""The least shift: any year, on its own, becomes another one."""

_YEAR_DAYS = 365.2425
_LEAST_REST = 50  # days off a whole number of years: any season and month becomes another one
_DEFAULT_YEAR = 2001
_RECENT_YEARS = 3
"""How many years before the latest whole date of a text others still tell the year of the rest."""
_NEVER = 2299
"""The last year that is told of a day: later ones are written for "never"."""
_FAR_OFF = 2036
"""From this year on, two digits rather tell of a birth a century before."""
_HALF_YEAR = 6 * 31
"""Days after which another year is nearer, of months of 31 days."""


@dataclass(frozen=True, slots=True)
class ParsedDate:
    """What a mention tells of a date; None for what it does not tell.

    `kind` is date, season, holiday, week, quarter or decade; the year of a decade is its first.
    `short_year` tells that the century was guessed: two digits lie in 1950 to 2049.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    kind: str = "date"
    short_year: bool = False


@dataclass(frozen=True, slots=True)
class DateMaker:
    """Makes surrogates of dates (a `Maker`); `max_days` is the largest shift.

    `direction` is "past" or "future" where all patients' dates are to move that way; "" moves
    those of some patients back, of others on.

    With `keep_weekday` the shift is a number of whole weeks: each date keeps its weekday, and
    weekdays on their own stay as they are, which makes the shift easier to guess. `order` ("dmy",
    "mdy") tells what 3/4/2012 means; "" leaves that to each document (`_date_order`), and to
    `usual` where that does not tell it. Raises `ConfigError` for a `max_days` that leaves too few
    shifts, and for another order or direction.
    """

    keep_weekday: bool = False
    max_days: int = 1095
    order: str = ""
    usual: str = ""
    direction: str = ""

    def __post_init__(self) -> None:
        for order in (self.order, self.usual):
            if order not in ORDERS:
                raise ConfigError(
                    f"dates have no order {order!r}",
                    hint='"dmy" (the day first) or "mdy" (the month first); "" leaves it to each '
                    "note",
                )
        if self.direction not in DIRECTIONS:
            raise ConfigError(
                f"dates have no direction {self.direction!r}",
                hint='"past" or "future"; "" moves those of some patients back, of others on',
            )
        if not 400 <= self.max_days <= 36500:
            raise ConfigError(
                "the largest shift of dates must be 400 to 36500 days",
                hint="For example: max-days = 1095",
            )

    def days(self, draw: Draw) -> int:
        """Return the patient's shift in days, below 0 into the past; never near whole years."""
        amounts = _amounts(self.keep_weekday, self.max_days, self.direction)
        # Each way has a draw of its own: what one tells of a patient helps nobody with the others.
        name = f"date shift {self.direction}" if self.direction else "date shift"
        return amounts[draw.whole(0, len(amounts) - 1, name)]

    def __call__(
        self,
        mention_texts: Sequence[str],
        record: Record,
        draw: Draw,
        *,
        avoid: frozenset[str],
    ) -> list[str]:
        """Return each date shifted by the days of the patient, in its own format."""
        (found,) = self.make_many([(mention_texts, record, draw, avoid, ())])
        if isinstance(found, Exception):
            raise found
        return found

    def make_many(self, wanted: Sequence[Wanted]) -> list[list[str] | Exception]:
        """Return what the maker gives for each document, or what it raises (a `ManyMaker`)."""
        works = [_Work(self, *each[:4]) for each in wanted]
        return step_by_step(works, (_Work.tell_order, _Work.read, _Work.shift))

    def order_of(self, texts: Sequence[str], record: Record) -> DateOrder:
        """Return the order of the numbers in the dates of a document: the set one, or its own."""
        if self.order:
            return DateOrder(self.order == DAY_FIRST)
        return find_order(texts, words_of(record.language), around=record.text, usual=self.usual)


class _Work:
    """The dates of a document on their way to new ones, step by step."""

    __slots__ = (
        "_avoid", "_draw", "_maker", "_order", "_readings", "_record", "_texts", "error", "new",
    )  # fmt: skip

    def __init__(
        self,
        maker: DateMaker,
        texts: Sequence[str],
        record: Record,
        draw: Draw,
        avoid: frozenset[str],
    ) -> None:
        self._maker = maker
        self._texts, self._record, self._draw, self._avoid = texts, record, draw, avoid
        self.new: list[str] = []
        self.error: Exception | None = None

    def tell_order(self) -> None:
        """Tell the order of the numbers."""
        self._order = self._maker.order_of(self._texts, self._record)

    def read(self) -> None:
        """Read the mentions."""
        language = words_of(self._record.language).language
        day_first = self._order.day_first
        self._readings = [read_mention(text, language, day_first=day_first) for text in self._texts]

    def shift(self) -> None:
        """Write them shifted."""
        self.new = _shifted(
            self._texts, self._readings, words_of(self._record.language), self._order,
            days=self._maker.days(self._draw), draw=self._draw, avoid=self._avoid,
            around=self._record.text,
        )  # fmt: skip


make = DateMaker()
"""The maker with its defaults: three years either way, weekdays moved."""


def shift_dates(
    texts: Sequence[str],
    language: str,
    *,
    days: int,
    draw: Draw,
    avoid: frozenset[str] = frozenset(),
    order: DateOrder | None = None,
    around: str = "",
) -> list[str]:
    """Return the mentions of one document, in their order, shifted by `days`.

    Years, months and, but for an `order`, the order of numbers that a mention leaves open are taken
    from the mentions around it. `draw` and `avoid` serve what cannot be shifted;
    `around` is the text of the document, for the articles before holidays.
    """
    words = words_of(language)
    order = order or find_order(texts, words)
    readings = [read_mention(text, words.language, day_first=order.day_first) for text in texts]
    return _shifted(texts, readings, words, order, days=days, draw=draw, avoid=avoid, around=around)


def _shifted(
    texts: Sequence[str],
    readings: Sequence[Reading],
    words: CalendarWords,
    order: DateOrder,
    *,
    days: int,
    draw: Draw,
    avoid: frozenset[str],
    around: str,
) -> list[str]:
    """Return the mentions of one document, as they were read, shifted by `days`."""
    habits = Habits(order.day_first, _paddings(readings))
    contexts = _contexts(readings)
    holidays = {}
    if True in [reading.has_holiday for reading in readings]:
        contexts = settle_years(readings, contexts, words)
        articles = articles_before(around, texts, words)
        american = order.told != DAY_FIRST and not signs_day_first(around, words)
        holidays = settle_holidays(
            readings, contexts, words, days=days, articles=articles, american=american
        )
    shifter = Shifter(words, days, draw, habits, avoid, holidays, _new_years(readings, days))
    return [
        shifter.shift(text, reading, context)
        for text, reading, context in zip(texts, readings, contexts, strict=True)
    ]


def parse_dates(text: str, language: str) -> tuple[ParsedDate, ...]:
    """Return all dates that a mention tells, in their order: two for a range of days."""
    words = words_of(language)
    day_first = find_order((text,), words).day_first
    reading = read_mention(text, words.language, day_first=day_first)
    return tuple(found for group in reading.groups for found in _parsed(reading, group))


def parse_date(text: str, language: str) -> ParsedDate | None:
    """Return the first date of a mention that has a year, else its first date, else None.

    Dates may be invalid, as "31/02/2012" is; their year counts all the same.
    """
    found = parse_dates(text, language)
    return next((each for each in found if each.year is not None), found[0] if found else None)


def _parsed(reading: Reading, group: Group) -> list[ParsedDate]:
    tokens = reading.tokens
    year = group.year_value
    short = group.year is not None and len(tokens[group.year].text) == 2
    if group.kind == "compact" and group.main is not None:
        values = compact_fields(tokens[group.main], group.layout)
        short = "YYYY" not in group.layout
        return [ParsedDate(values["Y"], values["M"], values.get("D"), "date", short)]
    if group.kind == "odd":
        years = [tokens[n] for n in group.odd if len(tokens[n].text) == 4]
        return [ParsedDate(token.value) for token in years if 1800 <= token.value <= 2199]
    if group.kind == "decade" and group.main is not None:
        token = tokens[group.main]
        if token.value >= 100:
            return [ParsedDate(token.value, kind="decade")]
        century = 1900 if token.value >= 30 else 2000
        return [ParsedDate(century + token.value, kind="decade", short_year=True)]
    if group.kind != "date":
        return [ParsedDate(year, kind=group.kind, short_year=short)]
    month = None if group.month is None else tokens[group.month].value
    if group.month is not None:
        word = tokens[group.month].word
        month = None if word is not None and word.ending == STRANGE else month
    if not group.days:
        return [ParsedDate(year, month, None, "date", short)]
    found = []
    for place, day in enumerate(group.days):
        own: tuple[int | None, int | None] = (year, month)
        if place < group.early:
            before = month_of_day(tokens, group, place, year or 0)
            own = (None if year is None else before[0], before[1])
        found.append(ParsedDate(*own, tokens[day].value, "date", short))
    return found


@lru_cache(maxsize=16)
def _amounts(keep_weekday: bool, longest: int, direction: str = "") -> tuple[int, ...]:
    """Return all shifts that may be drawn, sorted: before and after, or in one direction."""
    found = []
    for days in range(MIN_DAYS, longest + 1):
        rest = days % _YEAR_DAYS
        if min(rest, _YEAR_DAYS - rest) >= _LEAST_REST and (days % 7 == 0) == keep_weekday:
            found += {"past": [-days], "future": [days]}.get(direction, [-days, days])
    return tuple(sorted(found))


def _paddings(readings: Sequence[Reading]) -> dict[tuple[str, bool, bool], bool]:
    """Return whether the document writes leading zeros, by the shape of its dates."""
    found: dict[tuple[str, bool, bool], bool] = {}
    for reading in readings:
        for key, padded in reading.paddings:
            if padded is not None:
                found.setdefault(key, padded)
    return found


def _new_years(readings: Sequence[Reading], days: int) -> dict[int, int]:
    """Return the new years of those years that stand alone and are the year of whole dates, too.

    They go where those dates go, if all go to one year, and that is another year.
    """
    alone = {
        group.year_value
        for reading in readings
        for group in reading.groups
        if group.kind == "date" and group.month is None and not group.days
    }
    found: dict[int, set[int]] = {}
    for reading in readings if alone else ():
        for group in reading.groups:
            day = whole_day(reading.tokens, group)
            if day is not None and day[0] in alone:
                try:
                    found.setdefault(day[0], set()).add(move_day(*day, days).year)
                except OutOfReachError:
                    continue
    return {year: min(new) for year, new in found.items() if len(new) == 1 and new != {year}}


def _contexts(readings: Sequence[Reading]) -> list[tuple[int, int | None]]:
    """Return for each mention the year and the month of the dates around it.

    The year is the one that brings the mention nearest to a whole date: the last one before, else
    the first after. Whole dates long before the latest one count only where there is no other:
    births, history. So does a year of two digits that would be far off: "30 May 49" is a birth.
    Where there is no whole date, it is that of the last mention before with a year, else of the
    first after. The month serves a day on its own: that of the next mention
    where its days come later, else of the one before.
    """
    whole = [None if r.whole is None or r.whole[0] > _NEVER else r.whole for r in readings]
    far = [r.is_short and r.whole is not None and r.whole[0] >= _FAR_OFF for r in readings]
    pairs = list(zip(whole, far, strict=True))
    sure = max([day[0] for day, late in pairs if day and not late], default=0)
    if sure and True in far:
        most = sure + _RECENT_YEARS
        whole = [None if day and late and day[0] > most else day for day, late in pairs]
    latest = max([day[0] for day in whole if day is not None], default=0)
    whole = [None if day is None or day[0] < latest - _RECENT_YEARS else day for day in whole]
    near = next((day for day in whole if day is not None), None)
    year = next((each.year for each in readings if each.year is not None), _DEFAULT_YEAR)
    contexts: list[tuple[int, int | None]] = []
    for index, reading in enumerate(readings):
        year = reading.year or year
        near = whole[index] or near
        own = reading.year or (year if near is None else _year_beside(near, reading.open_day))
        contexts.append((own, _open_month(readings, index) if reading.lacks_month else None))
    return contexts


def _year_beside(near: Day, day: tuple[int, int] | None) -> int:
    """Return the year in which a month and a day are nearest to a whole date, its own if none."""
    year, month, number = near
    if day is None:
        return year
    months = (day[0] - month) * 31 + day[1] - number
    return max(year + (months < -_HALF_YEAR) - (months > _HALF_YEAR), MINYEAR)


def _open_month(readings: Sequence[Reading], index: int) -> int | None:
    def month_and_day(reading: Reading) -> tuple[int, int] | None:
        for group in reading.groups:
            if group.kind == "date" and group.month is not None and group.days:
                tokens = reading.tokens
                return tokens[group.month].value, tokens[group.days[0]].value
        return None

    own = next(
        readings[index].tokens[g.days[0]].value
        for g in readings[index].groups
        if g.days and g.month is None
    )
    following = next((r for r in readings[index + 1 :] if not r.lacks_month), None)
    after = month_and_day(following) if following is not None else None
    if after is not None and after[1] > own:
        return after[0]
    for place in range(index - 1, -1, -1):
        before = month_and_day(readings[place])
        if before is not None:
            return before[0]
    if after is not None and own - after[1] > CROSSING:
        return (after[0] - 2) % 12 + 1  # 30-1/5/21 as two mentions
    return after[0] if after is not None else None
