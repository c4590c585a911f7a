"""The names of months, as patterns."""

from __future__ import annotations

import re

import pytest

from scrubjay.text.months import month_names, month_words
from scrubjay.transform.surrogates.calendar_words import words_of


@pytest.mark.parametrize("language", ["en", "es", "nl"])
def test_they_are_those_of_the_dates_that_are_shifted(language: str) -> None:
    names, short, *_ = words_of(language).months
    assert set(map(str.lower, names)) <= set(month_names(language).split("|"))
    assert {*map(str.lower, names), *map(str.lower, short)} <= set(month_words(language).split("|"))


def test_a_longer_name_is_tried_first() -> None:
    pattern = re.compile(month_words("en", "es", "nl"))
    for word in ("marzo", "maart", "march", "june", "juni", "sept", "septiembre", "mayo"):
        found = pattern.match(word)
        assert found is not None
        assert found.group() == word
