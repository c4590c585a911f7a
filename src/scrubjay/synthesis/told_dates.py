"""Dates that a text tells, as names of days: all of a text are moved alike, so order stays.

`=2154-3-2` is a day, `=2154-3` a month, `=2154` a year, `=-3-2` a day of the year told last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from scrubjay.synthesis.pools import split_list, word_tables

_PARTS = re.compile(r"(\d{4}|\d{1,2})(?:[-/](\d{1,2}))?(?:[-/](\d{1,4}))?")
_FAR = 80
"""Two digits up to half of this are a year of this century, others one of the last."""


def told_tag(tag: str) -> tuple[str, str]:
    """Return the name and form of a date in a placeholder: 2154-3-2, 3-2, 2154-3, 2154."""
    match = _PARTS.fullmatch(tag)
    first, second, third = match.groups() if match else (tag, None, None)
    if len(first) == 4:
        if third:
            return f"={first}-{second}-{third}", ""
        return (f"={first}-{second}", "month") if second else (f"={first}", "year")
    if third:
        return f"={_year(third)}-{first}-{second}", ""
    return f"=-{first}-{second}", "short"


def told_date(value: str, language: str) -> str | None:
    """Return the name of a date in plain text of a language; None where it cannot be read."""
    numbers = [int(number) for number in re.findall(r"\d+", value)]
    months = split_list(word_tables(language)["dates"]["months"])
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", value)]
    named = [n for n, month in enumerate(months, 1) if month.lower() in words]
    if re.fullmatch(r"\d{4}", value):
        return f"={value}"
    if named and numbers:
        year = next((n for n in numbers if n > 31), None)
        if year is None:
            return None
        day = next((n for n in numbers if n <= 31), None)
        return f"={year}-{named[0]}-{day}" if day else f"={year}-{named[0]}"
    if len(numbers) != 3:
        return None
    if numbers[0] > 31:
        year, month, day = numbers
    elif language == "en":
        month, day, year = numbers
    else:
        day, month, year = numbers
    return f"={_year(str(year))}-{month}-{day}"


def _year(text: str) -> int:
    year = int(text)
    if len(text) > 2 or year > 99:
        return year
    return year + (2000 if year <= _FAR // 2 else 1900)


@dataclass(slots=True, repr=False)
class ToldDates:
    """Moves the dates of one text: the first goes to `base`, all others by as many days."""

    base: date
    days: int | None = None
    year: int | None = None

    def find(self, name: str) -> date:
        """Return the day of a name such as `=2154-3-2`; one that there is not ends its month."""
        parts = name[1:].split("-")
        if parts[0]:
            self.year = int(parts[0])
        elif self.year is None:
            self.year = self.base.year
        month = min(12, max(1, int(parts[1]))) if len(parts) > 1 else self.base.month
        day = max(1, int(parts[2])) if len(parts) > 2 else min(self.base.day, 28)
        told = _day(self.year, month, day)
        if self.days is None:
            self.days = (self.base - told).days
        try:
            return told + timedelta(days=self.days)
        except OverflowError:
            return self.base


def _day(year: int, month: int, day: int) -> date:
    while day > 28:
        try:
            return date(year, month, day)
        except ValueError:
            day -= 1
    return date(min(9999, max(1, year)), month, day)
