"""Numbers in words, each by a word of its own."""

from __future__ import annotations

import re

import pytest

from scrubjay.languages import LANGUAGES
from scrubjay.text.numerals import AGAIN, numerals, words_among_digits


@pytest.mark.parametrize(
    ("language", "number", "word"),
    [
        ("en", 0, "zero"), ("en", 20, "twenty"), ("en", 45, "forty-five"),
        ("en", 100, "one hundred"), ("en", 113, "one hundred and thirteen"),
        ("es", 22, "veintidós"), ("es", 30, "treinta"), ("es", 91, "noventa y uno"),
        ("es", 100, "cien"), ("es", 120, "ciento veinte"),
        ("nl", 19, "negentien"), ("nl", 23, "drieëntwintig"), ("nl", 64, "vierenzestig"),
        ("nl", 101, "honderdeen"),
    ],
)  # fmt: skip
def test_numbers_in_words(language: str, number: int, word: str) -> None:
    assert numerals(language)[number] == word


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_tell_digits(language: str) -> None:
    words, among = numerals(language), words_among_digits(language)
    assert len(words) == len(set(words)) == 121
    assert not set(words[:10]) & set(among)
    assert all(re.fullmatch(rf"[0-9{AGAIN}]*", told) for told in among.values())
    assert AGAIN in among.values()
