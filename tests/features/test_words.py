"""Attributes of words by hand, and against their plain definitions on any word."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.features.words import (
    WORD_ATTRIBUTES,
    find_word_attribute,
    shape,
    short_shape,
    stem,
)
from tests.oracles.features import word_value
from tests.strategies import texts

BY_HAND = [
    ("lower", "Núñez", "núñez"),
    ("length", "x" * 25, "20"),
    ("length", "abc", "3"),
    ("has-letter", "12", None),
    ("has-letter", "4N", "1"),
    ("has-upper", "mRNA", "1"),
    ("has-upper", "abc", None),
    ("begins-upper", "Éva", "1"),
    ("begins-upper", "éva", None),
    ("all-upper", "ICU", "1"),
    ("all-upper", "ICU-4", None),
    ("all-upper", "72", None),
    ("capital-code", "Vincent", "1110"),
    ("capital-code", "ICU", "1111"),
    ("capital-code", "mRNA", "1100"),
    ("capital-code", "and", "1000"),
    ("capital-code", "7", "0000"),
    ("has-digit", "B12", "1"),
    ("all-digits", "0123", "1"),
    ("all-digits", "12a", None),
    ("has-punctuation", "O'Brien", "1"),
    ("has-punctuation", "Nun\u0303ez", None),
    ("letters-and-digits", "B12", "1"),
    ("letters-and-digits", "B-12", None),
    ("digits-and-punctuation", "3/4", "1"),
    ("digits-and-punctuation", "3/a", None),
    ("digits-and-punctuation", "/", None),
    ("prefix3", "ab", None),
    ("prefix3", "Abcd", "Abc"),
    ("suffix3", "Abcd", "bcd"),
    ("suffix1", "A", "A"),
    ("lower-prefix3", "ABcd", "abc"),
    ("lower-suffix2", "abCD", "cd"),
    ("shape+length", "Valdez", "Aa\t6"),
    ("suffix3+short-shape", "Valdez", "dez\tAa"),
    ("suffix3+short-shape", "Va", None),
    ("number-kind", "7", "month"),
    ("number-kind", "12", "month"),
    ("number-kind", "13", "day"),
    ("number-kind", "31", "day"),
    ("number-kind", "32", "two"),
    ("number-kind", "00", "two"),
    ("number-kind", "1999", "year"),
    ("number-kind", "2150", "year"),
    ("number-kind", "2151", "four"),
    ("number-kind", "123", "digits3"),
    ("number-kind", "1" * 5000, "digits12"),
    ("number-kind", "\u0663\u0664", None),
    ("number-kind", "12a", None),
]


@pytest.mark.parametrize(("name", "word", "expected"), BY_HAND)
def test_values_by_hand(name: str, word: str, expected: str | None) -> None:
    assert find_word_attribute(name)(word) == expected


@pytest.mark.parametrize(
    ("word", "long", "short"),
    [
        ("Valdez", "Aaaaaa", "Aa"),
        ("4North-ICU", "0Aaaaa-AAA", "0Aa-A"),
        ("3/4/2019", "0/0/0000", "0/0/0"),
        ("Nun\u0303ez", "Aaaaaa", "Aa"),
        ("\u5f20\u4f1f", "aa", "a"),
        ("...", "...", "."),
        ("\U0001d504x", "Aa", "Aa"),
    ],
)
def test_shapes(word: str, long: str, short: str) -> None:
    assert (shape(word), short_shape(word)) == (long, short)


@pytest.mark.parametrize(
    ("words", "root"),
    [
        ("walking walked walks walk", "walk"),
        ("hospitals Hospital", "hospital"),
        ("operaciones operación", "oper"),
        ("ingresada ingresado ingresados", "ingres"),
        ("afdelingen", "afdel"),
        ("is as los his", None),
    ],
)
def test_stems(words: str, root: str | None) -> None:
    for word in words.split():
        assert stem(word) == (root or word)


@settings(max_examples=100)
@given(texts(), st.text(min_size=1, max_size=8))
def test_values_are_those_of_the_definitions(text: str, odd: str) -> None:
    for word in (*text.split(), odd):
        for name, (_, function) in WORD_ATTRIBUTES.items():
            value = function(word)
            assert value is None or (isinstance(value, str) and value), name
            if name != "number-kind":
                assert value == word_value(name, word), name


def test_a_very_long_word_takes_linear_time() -> None:
    for character in ("1", "a", "-", "s"):
        word = character * 200_000
        for name, (_, function) in WORD_ATTRIBUTES.items():
            value = function(word)
            assert value is None or len(value) <= len(word), name


def test_every_attribute_belongs_to_a_group_of_the_papers() -> None:
    groups = {group for group, _ in WORD_ATTRIBUTES.values()}
    assert groups == {"lexical", "orthographic", "shape", "morphological"}


def test_an_unknown_attribute_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"'lowr'.*Known: word, lower"):
        find_word_attribute("lowr")
