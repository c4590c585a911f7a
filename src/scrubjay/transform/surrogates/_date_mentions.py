"""Mentions of dates read: tokens, the groups they make up, and what one tells of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scrubjay.caching import text_cache
from scrubjay.transform.surrogates._date_groups import Group, compact_fields, year_value
from scrubjay.transform.surrogates._date_numbers import read_numbers
from scrubjay.transform.surrogates._date_phrases import FEAST, join_phrases
from scrubjay.transform.surrogates._date_reading import read_groups
from scrubjay.transform.surrogates._date_tokens import Token, tokenize
from scrubjay.transform.surrogates._date_writing import padding_key, tells_padding
from scrubjay.transform.surrogates._nth_weekdays import NTH
from scrubjay.transform.surrogates.calendar_words import CalendarWords, Word, word_key, words_of

STRANGE = "?"
"""The ending of a word that is read as a month, though nobody knows which."""


Day = tuple[int, int, int]
"""A year, a month and a day, as they are written: no calendar may have it."""

_ANY_YEAR = 2001
MIDDLE = 15
"""The day of a month that stands for it."""


@dataclass(slots=True)
class Reading:
    """A mention as tokens and groups, in the order of the text.

    `paddings` tells of each group that is a date its shape (`padding_key`), and whether it has
    leading zeros, None where nothing shows it; `year` is that of the last group that has one,
    `whole` the last date with a year, a month and a day, `is_short` whether that year has only two
    digits, and `open_day` month and day of the first
    date or else holiday that lacks a year, none of them where there is none. `lacks_month` tells
    that a day stands without its month. `is_plain` tells that it is one date at most, of one day at
    most, and not a day without its month, without a word that nobody knows. `pieces` are
    the tokens as they are written, and `weekdays` the places of days of the week among them.
    """

    tokens: list[Token]
    groups: list[Group]
    paddings: tuple[tuple[tuple[str, bool, bool], bool | None], ...] = ()
    year: int | None = None
    whole: Day | None = None
    open_day: tuple[int, int] | None = None
    lacks_month: bool = False
    is_plain: bool = False
    has_holiday: bool = False
    pieces: tuple[str, ...] = ()
    weekdays: tuple[int, ...] = ()
    is_short: bool = False


@text_cache(4096)  # many dates are in several documents; nobody changes a reading
def read_mention(text: str, language: str, *, day_first: bool) -> Reading:
    """Return what a mention tells; `day_first` decides where 3/4 may be either.

    `language` is that of the words; see `calendar_words.words_of`.
    """
    found = read_numbers(text, day_first=day_first)
    if found is None:
        return read_any(text, language, day_first=day_first)
    tokens, group, shape = found
    return Reading(
        tokens, [group], (shape,), group.year_value,
        whole_day(tokens, group),
        None if group.year is not None else _month_and_day(tokens, group),
        is_plain=True,
        pieces=tuple([token.text for token in tokens]),
        is_short=group.year is not None and len(tokens[group.year].text) == 2,
    )  # fmt: skip


def read_any(text: str, language: str, *, day_first: bool) -> Reading:
    """Return what `read_mention` does of any mention, token by token."""
    words = words_of(language)
    tokens = tokenize(text, words)
    letters = _weekday_letters(tokens, words)
    if letters is not None:
        return Reading(letters, [])
    _double_weekdays(tokens, words)
    join_phrases(tokens, words)
    _leading_letters(tokens, words)
    groups = read_groups(tokens, words, day_first=day_first)
    _strange_month(tokens, groups, words)
    for group in groups:
        group.year_value = year_value(tokens, group)
    _share_years(tokens, groups)
    return _summed_up(tokens, groups)


def _is_plain(date: Group) -> bool:
    return not date.days if date.month is None else len(date.days) <= 1


def _summed_up(tokens: list[Token], groups: list[Group]) -> Reading:
    """Return a reading with what its tokens and groups tell together."""
    dates = [group for group in groups if group.kind == "date"]
    years = [group.year_value for group in groups if group.year_value is not None]
    whole = [(day, g) for g in groups if (day := whole_day(tokens, g)) is not None]
    holidays = [group for group in groups if group.kind == "holiday"]
    no_year = [
        group
        for group in groups
        if group.kind in ("date", NTH) and group.year_value is None and group.month is not None
    ]
    return Reading(
        tokens,
        groups,
        tuple([(padding_key(tokens, date), tells_padding(tokens, date)) for date in dates]),
        years[-1] if years else None,
        whole[-1][0] if whole else None,
        _month_and_day(tokens, no_year[0])
        if no_year
        else _day_of_holiday(tokens, holidays[0])
        if holidays
        else None,
        any(date.month is None and date.days for date in dates),
        (not groups or (len(groups) == len(dates) == 1 and _is_plain(dates[0])))
        and not {"unknown", FEAST} & {token.kind for token in tokens},
        bool(holidays),
        tuple([token.whole for token in tokens]),
        tuple([n for n, token in enumerate(tokens) if token.kind in ("weekday", "letter")]),
        bool(whole) and _has_short_year(tokens, whole[-1][1]),
    )


def _has_short_year(tokens: list[Token], group: Group) -> bool:
    """Tell whether the year of a whole date has two digits, so that its century is a guess."""
    if group.kind == "compact":
        return "YYYY" not in group.layout
    return group.year is not None and len(tokens[group.year].text) == 2


def whole_day(tokens: list[Token], group: Group) -> Day | None:
    """Return the last day that a group tells with its month and its year, None for less."""
    if group.kind == "compact" and group.main is not None:
        fields = compact_fields(tokens[group.main], group.layout)
        return (fields["Y"], fields["M"], fields["D"]) if "D" in fields else None
    if group.kind != "date" or group.year_value is None or group.month is None or not group.days:
        return None
    return group.year_value, tokens[group.month].value, tokens[group.days[-1]].value


def _month_and_day(tokens: list[Token], date: Group) -> tuple[int, int]:
    month = tokens[date.month].value if date.month is not None else 1
    return month, tokens[date.days[0]].value if date.days else MIDDLE


def _day_of_holiday(tokens: list[Token], group: Group) -> tuple[int, int] | None:
    """Return about when in a year a holiday without a year is, as month and day."""
    if group.main is None or group.year_value is not None:
        return None
    token = tokens[group.main]
    if token.word is None:
        return None
    day = words_of(token.word.language).holidays[token.value].day(_ANY_YEAR)
    return day.month, day.day


def _strange_month(tokens: list[Token], groups: list[Group], words: CalendarWords) -> None:
    """Let a month of the language stand for a word that nobody knows beside a day: 14 Rajab."""
    unknown = [index for index, token in enumerate(tokens) if token.kind == "unknown"]
    if len(unknown) != 1:
        return
    months = any(token.kind == "month" for token in tokens)
    days = [group for group in groups if group.kind == "date" and group.days]
    if months or len(days) != 1 or days[0].month is not None:
        return
    place, day = unknown[0], days[0].days[0]
    if abs(place - day) != 2 or not tokens[place].text.isalpha() or tokens[day].kind != "number":
        return
    group = days[0]
    group.month, group.month_first = place, place < day
    tokens[place] = Token(
        "month", tokens[place].text, 1, Word("month", 1, 0, words.language, STRANGE)
    )
    for other in groups:
        if other is not group and other.kind == "date" and not other.days and other.month is None:
            group.year = other.year
            groups.remove(other)
            break


def _share_years(tokens: list[Token], groups: list[Group]) -> None:
    """Give dates without a year that of the next one of the mention, else of the one before."""
    if len(groups) < 2:
        return

    def month(group: Group) -> int:
        return tokens[group.month].value if group.month is not None else 1

    dated = [group for group in groups if group.kind in ("date", "compact", NTH)]
    for index in range(len(dated) - 2, -1, -1):
        group, after = dated[index], dated[index + 1]
        if group.year_value is None and group.month is not None and after.year_value:
            group.year_value = after.year_value - (month(group) > month(after))
    for before, group in pairwise(dated):
        if group.year_value is None and group.month is not None and before.year_value:
            group.year_value = before.year_value + (month(before) > month(group))


def _weekday_letters(tokens: list[Token], words: CalendarWords) -> list[Token] | None:
    """Return tokens where a whole mention is letters of weekdays (MWF, T/Th), else None."""
    if not words.letters or any(t.kind not in ("unknown", "link", "sep") for t in tokens):
        return None
    found: list[Token] = []
    for token in tokens:
        if token.kind == "sep":
            found.append(token)
            continue
        pieces = _split_letters(token.text, words)
        if pieces is None or len(token.text) > 7:
            return None
        found += [Token("letter", piece, words.letter_days[word_key(piece)]) for piece in pieces]
    _tell_twins_apart([token for token in found if token.kind == "letter"], words)
    return found if any(token.kind == "letter" for token in found) else None


def _tell_twins_apart(letters: Sequence[Token], words: CalendarWords) -> None:
    """Read a letter that comes again at once as the next day of that letter: TTS, TTSS, L-M-M."""
    initials = [day[:1] for day in words.weekdays[0]]
    for before, letter in pairwise(letters):
        if letter.value == before.value and letter.text == before.text:
            later = initials[letter.value + 1 :]
            if initials[letter.value] in later:
                letter.value += 1 + later.index(initials[letter.value])


def _leading_letters(tokens: list[Token], words: CalendarWords) -> None:
    """Read a letter before a date in numbers as the weekday: Th 2/16."""
    if len(tokens) < 5 or tokens[0].kind not in ("unknown", "link") or tokens[0].text.islower():
        return
    day = words.letter_days.get(word_key(tokens[0].text))
    if day is not None and tokens[2].kind == "number" and tokens[4].kind == "number":
        tokens[0] = Token("letter", tokens[0].text, day)


def _split_letters(text: str, words: CalendarWords) -> list[str] | None:
    pieces: list[str] = []
    position = 0
    while position < len(text):
        for size in (2, 1):
            piece = text[position : position + size]
            if len(piece) == size and word_key(piece) in words.letter_days:
                pieces.append(piece)
                position += size
                break
        else:
            return None
    return pieces


def _double_weekdays(tokens: list[Token], words: CalendarWords) -> None:
    """Read a word that is a month and a weekday as the weekday, unless a number needs a month."""
    for index, token in enumerate(tokens):
        word = words.doubles.get(word_key(token.text)) if token.kind == "month" else None
        if word is None:
            continue
        others = any(t.kind == "month" and t is not token for t in tokens)
        before = index >= 2 and tokens[index - 2].kind == "number"
        numbers = sum(t.kind == "number" for t in tokens[index + 1 :])
        if others or (not before and numbers != 1):
            token.kind, token.value, token.word = "weekday", word.value, word
