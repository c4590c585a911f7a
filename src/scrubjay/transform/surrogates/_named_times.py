"""Times of the year that have names: seasons, quarters, weeks and holidays, moved by days."""

from __future__ import annotations

from bisect import bisect_left
from datetime import date, timedelta

from scrubjay.transform.surrogates._date_tokens import Token
from scrubjay.transform.surrogates._date_writing import write_number, write_season
from scrubjay.transform.surrogates._holidays import holiday_days
from scrubjay.transform.surrogates.calendar_words import CalendarWords, words_of
from scrubjay.transform.surrogates.case import recase

_MIDDLES = (2, 5, 8, 11)  # the middle month of each quarter


class OutOfReachError(Exception):
    """A shifted date lies in no year from 1 to 9999."""


def move_day(year: int, month: int, day: int, days: int) -> date:
    """Return a day moved; raises `OutOfReachError` for one that is none, before or after."""
    try:
        return date(year, month, day) + timedelta(days)
    except (ValueError, OverflowError) as error:
        raise OutOfReachError from error


def move_named(
    kind: str, token: Token, year: int, words: CalendarWords, *, days: int
) -> tuple[str, int]:
    """Return what stands for a token that names a time of the year, and its new year.

    `kind` is season, quarter, week or holiday (`Group`).
    """
    if kind == "season":
        moved = move_day(year, _MIDDLES[token.value], 15, days)
        return write_season(token, (moved.month - 1) // 3), moved.year
    if kind == "quarter":
        moved = move_day(year, _MIDDLES[token.value - 1], 15, days)
        return write_number(token, (moved.month - 1) // 3 + 1, words), moved.year
    if kind == "week":
        try:
            thursday = date.fromisocalendar(year, min(token.value, 52), 4)
        except ValueError as error:
            raise OutOfReachError from error
        moved = move_day(thursday.year, thursday.month, thursday.day, days)
        calendar = moved.isocalendar()
        return write_number(token, calendar.week, words), calendar.year
    return _move_holiday(token, year, words, days)


def _move_holiday(token: Token, year: int, own: CalendarWords, days: int) -> tuple[str, int]:
    words = words_of(token.word.language) if token.word is not None else own
    try:
        target = words.holidays[token.value].day(year).toordinal() + days
        moved = date.fromordinal(target)
        calendar = holiday_days(words.language, moved.year)
    except (ValueError, OverflowError) as error:
        raise OutOfReachError from error
    place = bisect_left(calendar, (target, 0))
    near = [day for day in calendar[max(0, place - 3) : place + 3] if day[1] != token.value]
    ordinal, number = min(near, key=lambda day: (abs(day[0] - target), day))
    name = recase(words.holidays[number].names[0], token.text)
    return name, date.fromordinal(ordinal).year
