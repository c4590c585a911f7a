"""Days in numbers read at a look, against what reading them token by token gives."""

from __future__ import annotations

from itertools import product

import pytest

from scrubjay.transform.surrogates._date_mentions import read_any, read_mention
from scrubjay.transform.surrogates._date_numbers import read_numbers

NUMBERS = (
    "0",
    "00",
    "1",
    "2",
    "4",
    "9",
    "01",
    "09",
    "10",
    "11",
    "12",
    "13",
    "24",
    "31",
    "32",
    "99",
)
YEARS = (
    *("", "0", "00", "1", "01", "12", "13", "31", "49", "50", "99"),
    *("123", "0987", "1000", "2012", "2999", "3000"),
)


@pytest.mark.parametrize("language", ["en", "es", "nl", ""])
@pytest.mark.parametrize("day_first", [True, False])
def test_days_in_numbers_are_read_as_token_by_token(language: str, day_first: bool) -> None:
    quick = 0
    for one, two, year, mark in product(NUMBERS, NUMBERS, YEARS, "/.-"):
        text = f"{one}{mark}{two}" + (f"{mark}{year}" if year else "")
        assert read_mention(text, language, day_first=day_first) == read_any(
            text, language, day_first=day_first
        ), text
        quick += read_numbers(text, day_first=day_first) is not None
    assert quick > 1000


@pytest.mark.parametrize(
    "text", ["3/4-2012", "3 / 4", "3/4/2012 ", "3/4/2012-", "١/٢", "3/4/201", "3"]
)
def test_what_is_written_otherwise_is_left_to_the_tokens(text: str) -> None:
    assert read_numbers(text, day_first=True) is None
    assert read_mention(text, "en", day_first=True) == read_any(text, "en", day_first=True)
