"""Ranges of days with one whole date: 3-4/4/21 is the 3rd and the 4th of April 2021."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform.surrogates._date_order import DateOrder, count_orders, find_order
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.draw import Draw, fold
from scrubjay.transform.surrogates.parsed_dates import parse_dates
from tests.transform.surrogates.shifting import shift_dates

RANGE = re.compile(
    r"([0-9]{1,2})(?:([/.])([0-9]{1,2}))?[-–]([0-9]{1,2})([/.])([0-9]{1,2})\5([0-9]{2,4})"
)


def shifted(texts: list[str], days: int, order: DateOrder | None, language: str) -> list[str]:
    return shift_dates(texts, language, days=days, draw=Draw(b"k" * 16, "p"), order=order)


def read(text: str, century: int) -> tuple[date, date]:
    """Return the days of a range as a person reads it, by a way of its own."""
    match = RANGE.fullmatch(text)
    assert match is not None, text
    year = int(match[7]) + (century if len(match[7]) == 2 else 0)
    last = date(year, int(match[6]), int(match[4]))
    month = int(match[3]) if match[3] else last.month
    return date(year - (month > last.month), month, int(match[1])), last


@given(
    st.dates(date(2004, 1, 1), date(2045, 12, 31)),
    st.integers(1, 7),  # longer ones may be lists: 22-3/3
    st.integers(190, 1095).flatmap(lambda days: st.sampled_from([days, -days])),
    st.sampled_from([None, DateOrder(True), DateOrder(False)]),
    st.sampled_from(["es", "nl", "en"]),
    st.sampled_from(["-", "–"]),
    st.sampled_from(["/", "."]),
    st.booleans(),
    st.booleans(),
)
def test_both_days_of_a_range_move_alike(
    first: date,
    length: int,
    days: int,
    order: DateOrder | None,
    language: str,
    dash: str,
    mark: str,
    short: bool,
    padded: bool,
) -> None:
    last = first + timedelta(length)
    width = 2 if padded else 1
    year = f"{last.year % 100:02d}" if short else f"{last.year}"
    text = (
        f"{first.day:0{width}d}{dash}{last.day:0{width}d}{mark}{last.month:0{width}d}{mark}{year}"
    )
    moved = timedelta(days)
    (new,) = shifted([text], days, order, language)
    # Of two digits 2050 is written as 1950 is.
    century = (last + moved).year // 100 * 100
    assert read(new, century) == (first + moved, last + moved)
    assert fold(new) != fold(text)


@pytest.mark.parametrize("order", [None, DateOrder(True)])
def test_a_range_found_as_two_mentions(order: DateOrder | None) -> None:
    assert shifted(["3", "4/4/21"], 227, order, "es") == ["16", "17/11/21"]
    assert shifted(["30", "1/5/21"], 227, order, "es") == ["13", "14/12/21"]


def test_the_end_of_a_range_tells_no_order() -> None:
    assert count_orders("3-4/4/21") == (0, 0, 0)
    assert count_orders("1-2/11/22") == count_orders("1/2-11-22") == (0, 0, 1)
    assert count_orders("12-13/4/21") == count_orders("12–13.4.21") == (1, 0, 0)
    assert count_orders("4/13-4/14/21") == (0, 2, 0)
    assert find_order(["3-4/4/21"], words_of("es")) == DateOrder(True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1-2/11/22", [(2022, 11, 1), (2022, 11, 2)]),
        ("1, 2/11/22", [(2022, 11, 1), (2022, 11, 2)]),
        ("1,2-3/11/22", [(2022, 11, 1), (2022, 11, 2), (2022, 11, 3)]),
        ("30-1/5/21", [(2021, 4, 30), (2021, 5, 1)]),
        ("31-1/1/22", [(2021, 12, 31), (2022, 1, 1)]),
        ("30, 1/5/21", [(2021, 5, 30), (2021, 5, 1)]),  # a list is no range
        ("28/2-3/4/21", [(2021, 2, 28), (2021, 4, 3)]),  # has a month of its own
        ("mayo 3, 4/6/21", [(2021, 5, 3), (2021, 6, 4)]),
    ],
)
def test_what_a_range_tells(text: str, expected: list[tuple[int, int, int]]) -> None:
    found = [(each.year or 2021, each.month, each.day) for each in parse_dates(text, "es")]
    assert found == expected


@pytest.mark.parametrize(
    ("language", "text", "mentions", "days", "expected"),
    [
        ("nl", "5-3-24. 4 t/m 18 mrt", ["5-3-24", "4", "18 mrt"], -274, ["4 jun", "18 jun"]),
        ("nl", "5-3-24. 4 t/m 18 mrt", ["5-3-24", "4", "18 mrt"], -273, ["5", "19 jun"]),
        ("nl", "5-3-24. 30 t/m 4 april", ["5-3-24", "30", "4 april"], -274, ["30 juni", "5 juli"]),
        ("en", "4 to 18 March 2024", ["4", "18 March 2024"], 450, ["28 May", "11 June 2025"]),
        ("es", "8 al 17 de enero de 2024", ["8", "17 de enero de 2024"], -274,
         ["9", "18 de abril de 2023"]),
    ],
)  # fmt: skip
def test_a_range_of_two_mentions_keeps_its_days(
    language: str, text: str, mentions: list[str], days: int, expected: list[str]
) -> None:
    new = shift_dates(mentions, language, days=days, draw=Draw(b"k" * 16, "p"), around=text)
    assert new[-2:] == expected
