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
from functools import lru_cache

from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates._date_contexts import (
    contexts_of,
    new_years,
    paddings,
    ranges_of,
    share_days,
    whole_days,
)
from scrubjay.transform.surrogates._date_mentions import Day, Reading, read_mention
from scrubjay.transform.surrogates._date_order import (
    DAY_FIRST,
    ORDERS,
    DateOrder,
    find_order,
    share_orders,
    signs_day_first,
)
from scrubjay.transform.surrogates._date_shifting import Habits, Shifter
from scrubjay.transform.surrogates._holidays import articles_before, settle_holidays, settle_years
from scrubjay.transform.surrogates.calendar_words import CalendarWords, words_of
from scrubjay.transform.surrogates.draw import Draw
from scrubjay.transform.surrogates.maker import Wanted, step_by_step

DIRECTIONS = ("", "past", "future")
"""Where dates may move; "" is either way."""

MIN_DAYS = 190
"""The least shift: any year, on its own, becomes another one."""

_YEAR_DAYS = 365.2425
_LEAST_REST = 50  # days off a whole number of years: any season and month becomes another one


@dataclass(frozen=True, slots=True)
class DateMaker:
    """Makes surrogates of dates; `max_days` is the largest shift.

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

    def make_many(self, wanted: Sequence[Wanted]) -> list[list[str] | Exception]:
        """Return the dates of each document, shifted by the days of the patient, in their formats.

        What cannot be made is what is raised (`maker.ManyMaker`).
        """
        works = [_Work(self, *each[:4]) for each in wanted]
        step_by_step(works, (_Work.tell_order,))
        records = _records(works)
        for record in records:
            _share_orders(record)
        step_by_step(works, (_Work.read,))
        for record in records:
            _share_days(record)
        return step_by_step(works, (_Work.shift,))

    def order_of(self, texts: Sequence[str], record: Record) -> DateOrder:
        """Return the order of the numbers in the dates of a document: the set one, or its own."""
        if self.order:
            return DateOrder(self.order == DAY_FIRST)
        return find_order(texts, words_of(record.language), around=record.text, usual=self.usual)


def _records(works: Sequence[_Work]) -> list[list[_Work]]:
    """Return the works of each record of several documents."""
    found: dict[tuple[int, str], list[_Work]] = {}
    for work in works:
        if work.record.shared >= 0:
            found.setdefault((work.record.shared, work.record.language), []).append(work)
    return [record for record in found.values() if len(record) > 1]


def _share_orders(record: Sequence[_Work]) -> None:
    """Let the documents that do not tell the order of their dates have that of the others."""
    together = [work for work in record if work.error is None]
    shared = share_orders([work.order.told for work in together])
    for work, told in zip(together, shared, strict=True):
        if told != work.order.told:
            work.order = DateOrder(told == DAY_FIRST, told)


def _share_days(record: Sequence[_Work]) -> None:
    """Let the documents without a whole date know those of the others."""
    together = [work for work in record if work.error is None]
    shared = share_days([whole_days(work.readings) for work in together])
    for work, whole in zip(together, shared, strict=True):
        work.whole = whole


class _Work:
    """The dates of a document on their way to new ones, step by step."""

    __slots__ = (
        "_avoid", "_draw", "_maker", "_texts",
        "error", "new", "order", "readings", "record", "whole",
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
        self._texts, self.record, self._draw, self._avoid = texts, record, draw, avoid
        self.order = DateOrder(day_first=False)
        self.readings: list[Reading] = []
        self.whole: Sequence[Day | None] | None = None
        self.new: list[str] = []
        self.error: Exception | None = None

    def tell_order(self) -> None:
        """Tell the order of the numbers."""
        self.order = self._maker.order_of(self._texts, self.record)

    def read(self) -> None:
        """Read the mentions."""
        language = words_of(self.record.language).language
        day_first = self.order.day_first
        self.readings = [read_mention(text, language, day_first=day_first) for text in self._texts]

    def shift(self) -> None:
        """Write them shifted."""
        self.new = shift_readings(
            self._texts, self.readings, words_of(self.record.language), self.order,
            days=self._maker.days(self._draw), draw=self._draw, avoid=self._avoid,
            around=self.record.text, whole=self.whole,
        )  # fmt: skip


def shift_readings(
    texts: Sequence[str],
    readings: Sequence[Reading],
    words: CalendarWords,
    order: DateOrder,
    *,
    days: int,
    draw: Draw,
    avoid: frozenset[str],
    around: str,
    whole: Sequence[Day | None] | None = None,
) -> list[str]:
    """Return the mentions of one document, as they were read, shifted by `days`.

    `whole` are the whole dates of its record that tell the years of the rest (`contexts_of`).
    """
    habits = Habits(order.day_first, paddings(readings))
    contexts = contexts_of(readings, whole)
    holidays = {}
    if True in [reading.has_holiday for reading in readings]:
        contexts = settle_years(readings, contexts, words)
        articles = articles_before(around, texts, words)
        american = order.told != DAY_FIRST and not signs_day_first(around, words)
        holidays = settle_holidays(
            readings, contexts, words, days=days, articles=articles, american=american
        )
    shifter = Shifter(words, days, draw, habits, avoid, holidays, new_years(readings, days))
    new = [
        shifter.shift(text, reading, context)
        for text, reading, context in zip(texts, readings, contexts, strict=True)
    ]
    if any(reading.lacks_month for reading in readings):
        for place in ranges_of(texts, readings, around):
            year = contexts[place + 1][0]
            new[place] = (
                shifter.first_of_range(readings[place], readings[place + 1], year) or (new[place])
            )
    return new


@lru_cache(maxsize=16)
def _amounts(keep_weekday: bool, longest: int, direction: str) -> tuple[int, ...]:
    """Return all shifts that may be drawn, sorted: before and after, or in one direction."""
    found = []
    for days in range(MIN_DAYS, longest + 1):
        rest = days % _YEAR_DAYS
        if min(rest, _YEAR_DAYS - rest) >= _LEAST_REST and (days % 7 == 0) == keep_weekday:
            found += {"past": [-days], "future": [days]}.get(direction, [-days, days])
    return tuple(sorted(found))
