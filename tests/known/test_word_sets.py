"""The words found among those wanted are those that the text has when it is split."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.known._word_sets import words_among
from scrubjay.known.words import split_words_plainly
from tests.strategies import texts


@given(st.text(max_size=120) | texts() | st.text("aB1é2 ñ_-ß½²\n\x1c\u0130", max_size=200))
def test_the_words_are_those_of_the_text(text: str) -> None:
    _require_words(text)


@given(st.text(st.characters(max_codepoint=0x250), min_size=80, max_size=200))
def test_the_words_of_a_long_text_of_european_letters(text: str) -> None:
    _require_words(text)


def _require_words(text: str) -> None:
    words = set(split_words_plainly(text).keys)
    # Parts of words are sought, too, and are not there.
    wanted = words | {word[:-1] for word in words} | {f"{word}a" for word in words} | {"quill"}
    assert words_among(text, wanted) == words & wanted == words
    half = set(sorted(wanted)[::2])
    assert words_among(text, half) == words & half
