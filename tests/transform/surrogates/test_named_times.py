"""Seasons, quarters, weeks and holidays moved by days: to the nearest, never to the same one."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform.surrogates._date_tokens import Token, tokenize
from scrubjay.transform.surrogates._named_times import OutOfReachError, move_day, move_named
from scrubjay.transform.surrogates.calendar_words import words_of

LANGUAGES = ("en", "es", "nl")
SPOKEN = st.sampled_from(LANGUAGES)
YEARS, DAYS = st.integers(1900, 2100), st.integers(-1500, 1500)


def token_of(text: str, language: str) -> Token:
    """Return the one token of a text that names something."""
    (token,) = [each for each in tokenize(text, words_of(language)) if each.kind != "sep"]
    return token


def seasons(language: str) -> list[tuple[int, str]]:
    """Return the seasons of rows of four; of a row of two (dry, rainy) the other one is written."""
    rows = [row for row in words_of(language).seasons if len(set(row)) == len(row)]
    return [(number, name) for row in rows for number, name in enumerate(row)]


@given(SPOKEN, YEARS, DAYS, st.data())
def test_a_season_is_that_of_its_moved_middle(
    language: str, year: int, days: int, data: st.DataObject
) -> None:
    season, name = data.draw(st.sampled_from(seasons(language)))
    new, moved = move_named("season", token_of(name, language), year, words_of(language), days=days)
    middle = date(year, 3 * season + 2, 15) + timedelta(days)
    assert (token_of(new, language).value, moved) == ((middle.month - 1) // 3, middle.year)
    assert token_of(new, language).kind == "season"


@given(SPOKEN, YEARS, DAYS, st.integers(1, 4))
def test_a_quarter_is_that_of_its_moved_middle(
    language: str, year: int, days: int, quarter: int
) -> None:
    token = Token("number", str(quarter), quarter)
    new, moved = move_named("quarter", token, year, words_of(language), days=days)
    middle = date(year, 3 * quarter - 1, 15) + timedelta(days)
    assert (int(new), moved) == ((middle.month + 2) // 3, middle.year)


@given(SPOKEN, YEARS, st.integers(-200, 200), st.integers(1, 52))
def test_weeks_move_by_whole_weeks(language: str, year: int, weeks: int, week: int) -> None:
    token = Token("number", str(week), week)
    new, moved = move_named("week", token, year, words_of(language), days=7 * weeks)
    between = date.fromisocalendar(moved, int(new), 4) - date.fromisocalendar(year, week, 4)
    assert between == timedelta(weeks=weeks)


def test_a_week_keeps_its_width_and_53_is_the_last() -> None:
    words = words_of("nl")
    assert move_named("week", Token("number", "07", 7), 2020, words, days=-14) == ("05", 2020)
    assert move_named("week", Token("number", "53", 53), 2021, words, days=0) == ("52", 2021)


@given(SPOKEN, YEARS, DAYS, st.data())
def test_a_holiday_becomes_the_nearest_other_one(
    language: str, year: int, days: int, data: st.DataObject
) -> None:
    words = words_of(language)
    number = data.draw(st.sampled_from(range(len(words.holidays))))
    token = Token("holiday", words.holidays[number].names[0], number)
    new, moved = move_named("holiday", token, year, words, days=days)
    target = words.holidays[number].day(year) + timedelta(days)
    others = [
        (abs(holiday.day(near) - target), holiday.day(near), place)
        for place, holiday in enumerate(words.holidays)
        for near in range(target.year - 1, target.year + 2)
        if holiday.drawn and place != number
    ]
    _, day, place = min(others)
    assert new.lower() == words.holidays[place].names[0].lower()
    assert moved == day.year
    assert place != number


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("year", [1, 2, 9998, 9999])
@pytest.mark.parametrize("days", [-800, -190, 190, 800])
def test_times_beyond_all_years_are_told(language: str, year: int, days: int) -> None:
    """It is another time of the year, or `OutOfReachError`; never another error."""
    words = words_of(language)
    tokens = [
        *((kind, Token("number", "1", 1)) for kind in ("quarter", "week")),
        *(("season", token_of(name, language)) for _, name in seasons(language)),
        *(
            ("holiday", Token("holiday", holiday.names[0], number))
            for number, holiday in enumerate(words.holidays)
        ),
    ]
    for kind, token in tokens:
        try:
            new, moved = move_named(kind, token, year, words, days=days)
        except OutOfReachError:
            continue
        assert new
        assert 1 <= moved <= 9999


def test_a_day_that_is_none_is_out_of_reach() -> None:
    assert move_day(2020, 2, 28, 1) == date(2020, 2, 29)
    for year, month, day, days in (
        (2021, 2, 29, 1),
        (1, 1, 1, -1),
        (9999, 12, 31, 1),
        (0, 1, 1, 1),
    ):
        with pytest.raises(OutOfReachError):
            move_day(year, month, day, days)
    with pytest.raises(OutOfReachError):
        move_day(2020, 1, 1, 10**12)
