"""The distinct words of a text are those that it has when it is split."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.known._word_sets import distinct_words
from scrubjay.known._words import split_words_plainly
from tests.strategies import texts


@given(st.text(max_size=120) | texts() | st.text("aB1é2 ñ_-ß½²\n\x1c\u0130", max_size=200))
def test_the_distinct_words_are_those_of_the_text(text: str) -> None:
    assert distinct_words(text) == set(split_words_plainly(text).keys)


@given(st.text(st.characters(max_codepoint=0x250), min_size=80, max_size=200))
def test_the_distinct_words_of_a_long_text_of_european_letters(text: str) -> None:
    assert distinct_words(text) == set(split_words_plainly(text).keys)
