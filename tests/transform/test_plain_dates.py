"""The order of whole dates in a text, seen by their form alone."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform.plain_dates import plain_order

_PIECES = st.lists(
    st.one_of(
        st.sampled_from(["/", "-", ".", " ", "\n", "2020", "19", "x", "٣", "²"]),
        st.integers(0, 40).map(str),
        st.integers(0, 40).map(lambda number: f"{number:02d}"),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seen 25/12/2020.", "dmy"),
        ("Seen 12/25/20, well", "mdy"),
        ("25-12-2020", "dmy"),
        ("25.12.2020", "dmy"),
        ("-25/12/2020: seen", "dmy"),
        ("Seen 25/12/2020 and 12/25/2020", "both"),
        # Either order, or no whole date.
        ("Seen 3/4/2021, 12/12/2020, on 25/12", ""),
        # The year first, numbers of another sort, no such day or month, two marks.
        ("2020-12-25, 20-12-25-3, 1.25.12.2020, 120/25/2020, 25/12/20201", ""),
        ("v10.25.12, 25/13/2020, 12/32/2020, 0/25/2020, 25/12-2020, 25/12/0020, 25/12/202", ""),
        ("10.25.12.20 and 192.25.1.2020", ""),
    ],
)
def test_what_the_dates_of_a_text_tell(text: str, expected: str) -> None:
    assert plain_order(text) == expected


@given(
    st.dates(date(1900, 1, 1), date(2099, 12, 31)).filter(lambda day: day.day > 12),
    st.sampled_from("/-."),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["", "On ", "(", "\n", "°"]),
    st.sampled_from(["", ".", ",", ") 1/2", "\n", "h"]),
)
def test_any_date_of_a_day_after_the_12th_tells(
    day: date, mark: str, day_first: bool, padded: bool, before: str, after: str
) -> None:
    numbers = [day.day, day.month] if day_first else [day.month, day.day]
    written = [f"{number:02d}" if padded else str(number) for number in numbers]
    text = before + mark.join([*written, str(day.year)]) + after
    assert plain_order(text) == ("dmy" if day_first else "mdy")


@given(_PIECES)
def test_the_same_is_told_by_the_plain_definition(pieces: list[str]) -> None:
    text = "".join(pieces)
    orders = set()
    for run in re.findall(r"[0-9./-]+", text):
        date_like = re.sub(r"^[./-](?![./-])", "", run).rstrip("./-")
        match = re.fullmatch(r"([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{2}|[0-9]{4})", date_like)
        if match is None or (match[2] == "." and len(match[4]) == 2):
            continue
        one, two, year = int(match[1]), int(match[3]), int(match[4])
        if len(match[4]) == 4 and not 1850 <= year <= 2150:
            continue
        orders |= {"dmy"} if 13 <= one <= 31 and 1 <= two <= 12 else set()
        orders |= {"mdy"} if 13 <= two <= 31 and 1 <= one <= 12 else set()
    expected = "both" if len(orders) == 2 else "".join(orders)
    assert plain_order(text) == expected
