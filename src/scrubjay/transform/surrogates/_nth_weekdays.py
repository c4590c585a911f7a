"""The nth weekday of a month: "2nd Tuesday of Feb", "last Friday in June", "eerste maandag".

It is a day, moves as one, and is written in the same form: as the nth weekday that the moved day
is in its month. Several of one month ("1st and 3rd Monday of May") tell a habit rather than days:
they keep their numbers, and so does one without a month, which moves with its weekday.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from scrubjay.transform.surrogates._date_groups import Group
from scrubjay.transform.surrogates._date_tokens import Token
from scrubjay.transform.surrogates._date_writing import ordinal_ending, recase_word
from scrubjay.transform.surrogates.calendar_words import CalendarWords, Holiday, word_key

NTH = "nth"
"""The kind of a group of an nth weekday: `days` are its ordinals, `main` is the weekday."""

_LAST = -1
_MOST = 5  # weekdays of one name in a month
_USUAL = 4  # those that each month has
_SIGNS = "ºª°"


def find_nths(tokens: list[Token], words: CalendarWords) -> list[tuple[list[int], int, int | None]]:
    """Return the ordinals, the weekday and the month, if it tells one, of each nth weekday.

    "Last Friday" is one with its month alone: else it is the Friday before.
    """
    found: list[tuple[list[int], int, int | None]] = []
    for place, token in enumerate(tokens):
        if token.kind != "weekday" or place < 2 or not tokens[place - 1].text.isspace():
            continue
        nth = nth_of(tokens[place - 2], words)
        month = _month_behind(tokens, place, words) if nth else None
        if nth and not (nth == _LAST and month is None):
            found.append((_earlier(tokens, place - 2, words), place, month))
    return found


def nth_of(token: Token, words: CalendarWords) -> int:
    """Return which weekday of a month an ordinal tells, -1 for the last one and 0 for none."""
    if token.kind != "number":
        return words.nth_values.get(word_key(token.text), 0)
    is_ordinal = token.suffix.lower() in words.ordinal_suffixes
    return token.value if is_ordinal and 1 <= token.value <= _MOST else 0


def move_nths(
    tokens: list[Token], group: Group, year: int, words: CalendarWords, *, days: int
) -> tuple[dict[int, str], date | None]:
    """Return what stands for the ordinals of a group, and the day of its month, moved.

    Raises `ValueError` or `OverflowError` where that lies in no year of the calendar.
    """
    new = {place: tokens[place].whole for place in group.days}
    if group.month is None:
        for place in new if days % 7 == 0 else ():  # the weekday stays: the number may not
            new[place] = _write(tokens[place], nth_of(tokens[place], words) % _USUAL + 1, words)
        return new, None
    month = tokens[group.month].value
    if len(group.days) > 1:
        return new, date(year, month, 15) + timedelta(days)
    (place,), weekday = group.days, 0 if group.main is None else tokens[group.main].value
    nth = nth_of(tokens[place], words)
    day = Holiday((), "nth", (month, weekday, nth)).day(year) + timedelta(days)
    if nth != _LAST or day.day + 7 <= monthrange(day.year, day.month)[1]:
        new[place] = _write(tokens[place], (day.day - 1) // 7 + 1, words)
    return new, day


def _write(token: Token, nth: int, words: CalendarWords) -> str:
    """Return an ordinal as the token has it: in figures with its ending, or in words."""
    if token.kind != "number":
        return recase_word(words.nths[nth - 1], token.text)
    old = token.suffix
    if words.language != "es":
        return f"{nth}{ordinal_ending(nth, old, words.language)}"
    ending = old if old in _SIGNS else "er" if nth in (1, 3) else "º"  # 1er, 2º
    return f"{nth}{ending}"


def _earlier(tokens: list[Token], place: int, words: CalendarWords) -> list[int]:
    """Return an ordinal with those that are joined to it: 1st and 3rd, 1st/3rd."""
    places = [place]
    while True:
        other = places[0] - 1
        while other >= 0 and _joins(tokens[other], words):
            other -= 1
        if other < 0 or other == places[0] - 1 or nth_of(tokens[other], words) < 1:
            return places
        places.insert(0, other)


def _joins(token: Token, words: CalendarWords) -> bool:
    if token.kind == "link":
        return word_key(token.text) in words.joiners
    return token.kind == "sep" and token.text.strip() in ("", ",", "&", "/", "-", "+")


def _month_behind(tokens: list[Token], place: int, words: CalendarWords) -> int | None:
    """Return the month that a weekday is one of, None where none or another date follows."""
    linked = False
    for index in range(place + 1, len(tokens)):
        token = tokens[index]
        if token.kind == "link" and word_key(token.text) not in words.joiners:
            linked = True
        elif token.kind != "sep" or token.text.strip(" \t\r\n."):
            after = tokens[index + 2] if index + 2 < len(tokens) else None
            has_day = after is not None and after.kind == "number" and len(after.text) <= 2
            return index if token.kind == "month" and (linked or not has_day) else None
    return None
