"""Attributes of places, by hand; against their definitions see test_encoder.py."""

from __future__ import annotations

import importlib.util
import math

import numpy as np
import pytest
from hypothesis import given, settings

from scrubjay.errors import ConfigError, MissingExtraError
from scrubjay.features.positions import (
    PLACE_VALUES,
    POSITION_ATTRIBUTES,
    Place,
    find_position_attribute,
    is_position_attribute,
)
from scrubjay.features.spacy_tags import load_pipeline
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.strategies import tokens


def _place(drawn: Tokens) -> Place:
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(word, len(numbers) + 1) for word in drawn.words()]
    return Place(drawn, np.array(ids, dtype=np.int32))


def _values(name: str, text: str, *, sentences: str = "line") -> list[str | None]:
    drawn = make_tokenizer("subword", sentences=sentences).tokenize(text)
    found = find_position_attribute(name)(_place(drawn))
    return [found.values[number] if number >= 0 else None for number in found.index.tolist()]


def test_keys() -> None:
    text = "Name: Ann Lee\nseen by Ann"
    assert _values("key", text) == [None, None, "name", "name", None, None, None]
    assert _values("key-distance", text) == [None, None, "0", "1", None, None, None]
    assert _values("key-distance", "A: " + "b " * 9)[-1] == "6"
    assert _values("previous-line-key", text) == [*4 * [None], "name", "name", "name"]
    assert _values("echo-key", text) == [*6 * [None], "name"]
    assert _values("section", "PLAN\nrest well at home for two weeks")[-1] == "plan"


def test_the_echo_is_that_of_an_earlier_token() -> None:
    assert _values("echo-key", "Name: Ann") == [None, None, None]
    assert _values("echo-key", "Ann\nName: Ann") == [None, None, None, None]


def test_blank_lines_do_not_hide_the_key_of_the_line_before() -> None:
    assert _values("previous-line-key", "Name: Ann\n\n\nseen")[-1] == "name"


def test_lines() -> None:
    assert _values("line-position", "a b\nc") == ["0", "1", "0"]
    assert _values("line-position", "a " * 12)[-1] == "8"
    lines = {line: _values("line-number", "a" + "\n" * line + "a")[-1] for line in range(40)}
    steps = [line for line in range(1, 40) if lines[line] != lines[line - 1]]
    assert steps == [1, 2, 3, 5, 9, 17, 33]
    assert lines[0] == "0"


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 9, 128, 129, 500])
def test_sentence_length(size: int) -> None:
    expected = str(min(7, math.ceil(math.log2(size))))
    assert _values("sentence-length", "a " * size, sentences="none") == [expected] * size


def test_borders_of_sentences() -> None:
    assert _values("sentence-begins", "a b c\nd") == ["1", None, None, "1"]
    assert _values("sentence-ends", "a b c\nd") == [None, None, "1", "1"]


def test_space_before() -> None:
    expected = ["glued", "space", "glued", "line", "glued", "line"]
    assert _values("space-before", "a b, \r\nc.\n\n d") == expected
    assert _values("space-before", " a") == ["space"]


@pytest.mark.parametrize("name", [*PLACE_VALUES, "key", "previous-line-key", "section", "echo-key"])
def test_blank_lines_above_a_text_tell_nothing(name: str) -> None:
    text = "WARD 4\nName: Ann Lee\n\nSeen 3/4, Ann is well."
    for above in ("\n", " \n\n", "\r\n", "\n" * 40):
        assert _values(name, above + text) == _values(name, text)
        assert _values(name, above + " " + text) == _values(name, " " + text)


def test_patterns() -> None:
    text = "on 3/4 at 7:05"
    assert _values("pattern", text)[:4] == [None, "short-date", "short-date+", "short-date+"]
    assert _values("pattern-kind", text)[:4] == [None, "date", "date+", "date+"]
    assert _values("pattern-kind", text)[-1] == "time+"


def test_phrases_of_a_lexicon() -> None:
    assert _values("phrase:en.cities", "in Los Angeles today") == [None, "first", "later", None]
    assert _values("phrase:en.cities", "Los\nAngeles") == [None, None]
    assert is_position_attribute("phrase:en.cities")
    with pytest.raises(ConfigError, match="no lexicon"):
        find_position_attribute("phrase:en.no-such-list")


@pytest.mark.parametrize("name", POSITION_ATTRIBUTES)
def test_any_text_has_values(name: str) -> None:
    @settings(max_examples=25)
    @given(tokens())
    def check(drawn: Tokens) -> None:
        if not len(drawn):
            return
        found = find_position_attribute(name)(_place(drawn))
        assert found.index.shape == (len(drawn),)
        assert ((found.index >= -1) & (found.index < len(found.values))).all()
        assert all(isinstance(value, str) and value for value in found.values)

    check()


def test_words_and_places_are_told_apart() -> None:
    assert all(map(is_position_attribute, POSITION_ATTRIBUTES))
    assert is_position_attribute("spacy-pos:any")
    assert not is_position_attribute("lower")
    assert not is_position_attribute("lexicon:en.cities")


@pytest.mark.parametrize("name", ["keys", "spacy-pos", "spacy-dep:x"])
def test_an_unknown_attribute_names_the_known_ones(name: str) -> None:
    with pytest.raises(ConfigError, match=r"unknown position attribute.*key-distance"):
        find_position_attribute(name)


@pytest.mark.skipif(importlib.util.find_spec("spacy") is not None, reason="spaCy is installed")
def test_tags_of_spacy_need_spacy() -> None:
    load_pipeline.cache_clear()
    with pytest.raises(MissingExtraError, match=r"scrubjay\[pos\]"):
        _values("spacy-pos:en_core_web_sm", "a b")
