"""What a mention tells of dates, as years, months and days: read, and nothing shifted."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.transform.surrogates._date_groups import Group, compact_fields, month_of_day
from scrubjay.transform.surrogates._date_mentions import STRANGE, Reading, read_mention
from scrubjay.transform.surrogates._date_order import find_order
from scrubjay.transform.surrogates._nth_weekdays import NTH
from scrubjay.transform.surrogates.calendar_words import words_of


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
    if group.kind not in ("date", NTH):
        return [ParsedDate(year, kind=group.kind, short_year=short)]
    month = None if group.month is None else tokens[group.month].value
    if group.month is not None:
        word = tokens[group.month].word
        month = None if word is not None and word.ending == STRANGE else month
    if not group.days or group.kind == NTH:
        return [ParsedDate(year, month, None, "date", short)]
    found = []
    for place, day in enumerate(group.days):
        own: tuple[int | None, int | None] = (year, month)
        if place < group.early:
            before = month_of_day(tokens, group, place, year or 0)
            own = (None if year is None else before[0], before[1])
        found.append(ParsedDate(*own, tokens[day].value, "date", short))
    return found
