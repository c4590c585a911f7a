"""Holidays that no table has, general words of holidays, and words that nobody knows."""

from __future__ import annotations

import re

import pytest

from scrubjay.transform.surrogates._date_mentions import read_mention
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.draw import Draw, fold
from tests.transform.surrogates.shifting import shift_dates

HOLIDAYS = {holiday.names[0] for holiday in words_of("en").holidays}


def shifted(text: str, days: int) -> str:
    draw = Draw(b"golden-key-golden-key", "p")
    return shift_dates([text], "en", days=days, draw=draw)[0]


@pytest.mark.parametrize("days", [250, -600])
@pytest.mark.parametrize(
    "name",
    [
        "St. Stephen's Day", "St Stephen's Day", "St. Kevin's Day", "Feast of St. John",
        "Bank Holiday Monday", "Thanksgiving Monday", "Whit Monday",
    ],
)  # fmt: skip
def test_a_holiday_becomes_a_whole_name_with_its_year(name: str, days: int) -> None:
    assert shifted(name, days) in HOLIDAYS - {name}
    new = re.fullmatch(r"(.+) ([0-9]{4})", shifted(f"{name} 2025", days))
    assert new is not None
    assert new[1] in HOLIDAYS
    assert new[2] != "2025"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("August bank holiday", "April bank holiday"),
        ("the October bank holiday weekend", "the June bank holiday weekend"),
        ("Spring Bank Holiday Monday 2022", "Winter Bank Holiday Monday 2023"),
        ("Easter bank holiday", "Christmas Eve bank holiday"),
        ("dry season of 2058", "rainy season of 2059"),
        ("Trinity term 2024", "Hilary term 2025"),
        ("w/c 3/11/25", "w/c 11/16/25"),
        ("week commencing 3 November 2025", "week commencing 11 July 2026"),
        # Words that nobody knows go with what stands at one side of them.
        ("A-level year 2019", "year 2020"),
        ("Leaving Cert 2019", "2020"),
        ("lambing season 2019", "season 2020"),
        ("on Blort, 3 May 2019", "on 8 January 2020"),
        ("3 May 2019, Blort, 4 May 2019", "8 January 2020, 9 January 2020"),
        ("St. Kevin's Day, 3 June 2019", "8 February 2020"),
        ("3-Blort 5 May 2019", "10 10 January 2020"),
    ],
)
def test_what_stands_beside_a_date_reads_on(text: str, expected: str) -> None:
    assert shifted(text, 250) == expected


@pytest.mark.parametrize("season", ["dry season", "wet season", "monsoon", "Rainy season"])
@pytest.mark.parametrize("days", [230, 250, 320, -600])
def test_of_two_seasons_none_stays(season: str, days: int) -> None:
    assert fold(shifted(season, days)) != fold(season)
    assert shifted(season, days)[0].isupper() == season[0].isupper()


def test_the_day_of_a_feast_is_no_plain_date() -> None:
    assert not read_mention("St. Kevin's Day 2025", "en", day_first=True).is_plain


@pytest.mark.parametrize(
    ("language", "plan", "moved"),
    [
        ("en", "TTS", "MThSa"),
        ("en", "TTSS", "MTThSa"),
        ("en", "T/T/S", "M/Th/Sa"),
        ("en", "SS", "MT"),
        ("es", "L-M-M-J-V", "X-J-V-S-D"),
        ("es", "L-V", "X-D"),
        ("en", "M-F", "W-Su"),
        ("en", "F-M", "Su-W"),
        ("en", "FM", "SuW"),
        ("en", "MTWThFS", "MWThFSaSu"),
        ("en", "MWF", "WFSu"),
        ("en", "TThS", "MThSa"),
        ("en", "MTWThF", "WThFSaSu"),
        ("es", "M-J-S", "L-J-S"),
    ],
)
def test_letters_of_weekdays_move_along_and_stay_in_the_order_of_the_week(
    language: str, plan: str, moved: str
) -> None:
    assert shift_dates([plan], language, days=2, draw=Draw(b"0123456789abcdef", "p")) == [moved]
