"""Each language says ten digits, and nothing else with the same word."""

from __future__ import annotations

import re

import pytest

from scrubjay.languages import LANGUAGES
from scrubjay.text.digit_words import AGAIN, digit_words, words_among_digits


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_tell_digits(language: str) -> None:
    digits, among = digit_words(language), words_among_digits(language)
    assert len(set(digits)) == 10
    assert not set(digits) & set(among)
    assert all(re.fullmatch(rf"[0-9{AGAIN}]*", told) for told in among.values())
    assert AGAIN in among.values()
