"""Holidays of a document moved together: each stays on its side of the others and of the dates.

Each holiday becomes the nearest other one of the calendar that keeps this order. Where there is
none, the shifted day itself is written, as a month and a day: "febrile on March 21".
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, date
from functools import lru_cache

from scrubjay.transform.surrogates._date_groups import Group, compact_fields
from scrubjay.transform.surrogates._date_mentions import Reading
from scrubjay.transform.surrogates._date_tokens import Token
from scrubjay.transform.surrogates.calendar_words import CalendarWords, Holiday, words_of

Key = tuple[str, int, int]
"""The language of a holiday, its number there, and its year."""
Context = tuple[int, int | None]
_Choice = tuple[int, int] | None
"""The day of a new holiday and its number, None where the shifted day is written."""

_FARTHEST = 45
"""Days from its shifted day beyond which another holiday is none for it."""
_LAST_WORD = re.compile(r"(?<![^\W_])([^\W\d_]+)\s+\Z")
_ARTICLES = {"el": "el", "del": "el", "al": "el", "la": "la", "los": "los", "las": "las"}
_BEFORE_DAYS = {"la": "noche del ", "los": "días del ", "las": "fechas del "}
"""What stands between an article that fits no day of a month and such a day."""
_BLANKS = 8  # between an article and a mention
_MOST = 16
"""Holidays of a document that are put in order."""


def settle_years(
    readings: Sequence[Reading], contexts: Sequence[Context], words: CalendarWords
) -> list[Context]:
    """Return the contexts with the years of holidays that are told apart from all whole dates.

    Those have the year that brings them nearest to the holiday before: Christmas, New Year's Day.
    """
    if any(reading.whole is not None for reading in readings):
        return list(contexts)
    found = list(contexts)
    before: date | None = None
    for place, reading in enumerate(readings):
        for group in reading.groups:
            holiday = _holiday(reading, group, words)
            if holiday is None:
                continue
            year = group.year_value or found[place][0]
            if group.year_value is None and before is not None:
                near, own = before, holiday
                years = [y for y in (near.year, near.year + 1, near.year - 1) if _fits(own, y)]
                year = min(years, key=lambda y: abs((own.day(y) - near).days), default=year)
                found[place] = year, found[place][1]
            before = holiday.day(year) if _fits(holiday, year) else before
    return found


def settle_holidays(
    readings: Sequence[Reading],
    contexts: Sequence[Context],
    words: CalendarWords,
    *,
    days: int,
    articles: Sequence[str] = (),
    american: bool = True,
) -> dict[Key, tuple[str, int]]:
    """Return the name and the year of each holiday of a document, moved by `days`.

    `articles` are those before the mentions in the text, "" where none is (`articles_before`): a
    new name has to fit the one before the old name. But for `american` notes none becomes a holiday
    of the United States.
    """
    fixed: set[int] = set()
    wanted: dict[Key, int] = {}
    behind: dict[Key, str] = {}
    before = articles or [""] * len(readings)
    for reading, (year, _), outside in zip(readings, contexts, before, strict=True):
        for group in reading.groups:
            holiday = _holiday(reading, group, words)
            own = group.year_value or year
            if holiday is None:
                fixed.update(_days(reading.tokens, group, own))
            elif MINYEAR < _moved_year(holiday, own, days) < MAXYEAR:
                token = reading.tokens[group.main or 0]
                key = holiday_key(token, own, words)
                wanted[key] = holiday.day(own).toordinal()
                article = _article_of(reading.tokens, group.main or 0, outside)
                if article:
                    behind.setdefault(key, article)
    if not wanted or len(wanted) > _MOST:
        return {}
    return _in_order(wanted, sorted(fixed), days, behind, american)


def articles_before(text: str, mentions: Sequence[str], words: CalendarWords) -> list[str]:
    """Return the article right before each mention in a text, "" where there is none.

    Of "del" and "al" it is the article in them. `mentions` stand in their order in the text.
    """
    if not any(holiday.behind for holiday in words.holidays):
        return [""] * len(mentions)
    found, start = [], 0
    for mention in mentions:
        place = text.find(mention, start) if mention else -1
        match = _LAST_WORD.search(text[max(0, place - _BLANKS) : place]) if place >= 0 else None
        found.append(_ARTICLES.get(match[1].lower(), "") if match is not None else "")
        start = place + len(mention) if place >= 0 else start
    return found


def _article_of(tokens: Sequence[Token], place: int, outside: str) -> str:
    """Return the article before a token of a mention, `outside` for the first one."""
    if place == 0:
        return outside
    if place == 1 or not tokens[place - 1].text.isspace():
        return ""
    return _ARTICLES.get(tokens[place - 2].text.lower(), "")


def holiday_key(token: Token, year: int, words: CalendarWords) -> Key:
    """Return by which the new name of a holiday is found (`settle_holidays`)."""
    return token.word.language if token.word is not None else words.language, token.value, year


def _holiday(reading: Reading, group: Group, words: CalendarWords) -> Holiday | None:
    if group.kind != "holiday" or group.main is None:
        return None
    token = reading.tokens[group.main]
    table = words_of(token.word.language) if token.word is not None else words
    return table.holidays[token.value]


def _fits(holiday: Holiday, year: int) -> bool:
    try:
        holiday.day(year)
    except (ValueError, OverflowError):
        return False
    return True


def _moved_year(holiday: Holiday, year: int, days: int) -> int:
    try:
        return date.fromordinal(holiday.day(year).toordinal() + days).year
    except (ValueError, OverflowError):
        return MINYEAR


def _days(tokens: Sequence[Token], group: Group, year: int) -> list[int]:
    """Return the days that a date tells, as ordinals; none for less and for no valid ones."""
    if group.kind == "compact" and group.main is not None:
        fields = compact_fields(tokens[group.main], group.layout)
        rows = [(fields["Y"], fields["M"], fields.get("D", 0))]
    elif group.kind == "date" and group.month is not None:
        rows = [(year, tokens[group.month].value, tokens[day].value) for day in group.days]
    else:
        return []
    found = []
    for row in rows:
        try:
            found.append(date(*row).toordinal())
        except (ValueError, OverflowError):
            continue
    return found


def _in_order(
    wanted: Mapping[Key, int],
    fixed: Sequence[int],
    days: int,
    articles: Mapping[Key, str],
    american: bool,
) -> dict[Key, tuple[str, int]]:
    """Return the new names: those nearest in sum that stand in the order of the old ones.

    The best row of new days is sought holiday by holiday: each of the rows so far ends with a
    day, and goes on with a later one, or with none, where the shifted day is written.
    """
    keys = sorted(wanted, key=lambda key: (wanted[key], key))
    # By the last day of a row: what it costs, and its choices.
    rows: dict[int, tuple[int, tuple[_Choice, ...]]] = {0: (0, ())}
    for place, key in enumerate(keys):
        old = wanted[key]
        same = place > 0 and wanted[keys[place - 1]] == old
        longer: dict[int, tuple[int, tuple[_Choice, ...]]] = {}
        for last, (cost, row) in sorted(rows.items()):
            steps: list[tuple[int, int, _Choice]] = [(_FARTHEST, old + days, None)]
            before = row[-1] if same else None
            if before is not None and before[1] != key[1]:
                steps = [(0, last, before)]  # of two names for one day
            elif not same:
                near = _near(key, old, fixed, days, articles.get(key, ""))
                own = words_of(key[0]).holidays
                near = [each for each in near if american or not own[each[1]].american]
                steps += [(abs(d - old - days), d, (d, n)) for d, n in near]
            for more, day, choice in steps:
                if day <= last and not same:
                    continue
                known = longer.get(day)
                if known is None or cost + more < known[0]:
                    longer[day] = cost + more, (*row, choice)
        rows = longer or rows
    _, best = min(rows.values(), key=lambda row: (row[0], _order(row[1])))
    return {
        key: _written(choice, wanted[key] + days, key[0], articles.get(key, ""))
        for key, choice in zip(keys, best, strict=True)
    }


def _order(row: Sequence[_Choice]) -> list[tuple[int, int]]:
    return [each or (0, 0) for each in row]


def _near(
    key: Key, old: int, fixed: Sequence[int], days: int, article: str
) -> list[tuple[int, int]]:
    """Return the days and numbers of the holidays near the shifted day, on its side of the dates.

    One that falls on a date has to stay there. Behind an article a holiday has a name that fits.
    """
    target, place = old + days, bisect_left(fixed, old)
    if place < len(fixed) and fixed[place] == old:
        low = high = target
    else:
        low = max(target - _FARTHEST, fixed[place - 1] + days + 1 if place else 1)
        after = bisect_right(fixed, old)
        high = target + _FARTHEST
        high = min(high, fixed[after] + days - 1) if after < len(fixed) else high
    calendar = holiday_days(key[0], date.fromordinal(target).year)
    first, last = bisect_left(calendar, (low, 0)), bisect_left(calendar, (high + 1, 0))
    near = [each for each in calendar[first:last] if each[1] != key[1]]
    if not article:
        return near
    holidays = words_of(key[0]).holidays
    return [each for each in near if article in dict(holidays[each[1]].behind)]


def _written(choice: _Choice, target: int, language: str, article: str) -> tuple[str, int]:
    """Return how a day is written, by the name of a holiday or as a date, and its year."""
    day = date.fromordinal(target)
    table = words_of(language)
    if choice is not None:
        holiday = table.holidays[choice[1]]
        return dict(holiday.behind).get(article, holiday.names[0]), date.fromordinal(choice[0]).year
    month = table.months[0][day.month - 1]
    if not table.day_first:
        return f"{month} {day.day}", day.year
    start = _BEFORE_DAYS.get(article, "")
    return f"{start}{day.day} {'de ' if table.language == 'es' else ''}{month}", day.year


@lru_cache(maxsize=4096)
def holiday_days(language: str, year: int) -> tuple[tuple[int, int], ...]:
    """Return the days of the holidays that may be written, in a year and its neighbours."""
    holidays = words_of(language).holidays
    return tuple(
        sorted(
            (holiday.day(near).toordinal(), number)
            for number, holiday in enumerate(holidays)
            if holiday.drawn
            for near in (year - 1, year, year + 1)
            if MINYEAR <= near < MAXYEAR
        )
    )
