"""Words of many texts split together against those of each text split alone."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.known import words as splitting
from scrubjay.known._many import ManyWords, split_ahead
from scrubjay.known.words import split_words, split_words_plainly
from tests.known.samples import parts_of
from tests.strategies import texts

AWKWARD = st.text("aB1é2 ñ_-ß½²µ\xad\xa0\x85\n\x1c\u0130\u2019\u0301张\ud800", max_size=40)


@given(st.lists(AWKWARD | texts() | st.text(max_size=40), max_size=8))
@example(["", "a", "", "b1", "é2é", "’x", "a\u0301e", "end"])
@example(["20mg", "mg20", "20", "mg"])
def test_the_words_of_many_are_those_of_each(together: list[str]) -> None:
    many = ManyWords(together)
    for place, text in enumerate(together):
        expected = split_words_plainly(text)
        assert parts_of(many.words(place)) == parts_of(expected)


def test_every_character_is_taken_as_it_is_alone() -> None:
    together = [f"Aa1 {chr(code)}b2 {chr(code)}" for code in range(0x2400)]
    many = ManyWords(together)
    for place, text in enumerate(together):
        assert parts_of(many.words(place)) == parts_of(split_words_plainly(text)), hex(place)


@given(st.lists(AWKWARD, max_size=8))
def test_what_was_split_ahead_is_what_is_asked_for(together: list[str]) -> None:
    split_ahead(together)
    for text in together:
        assert parts_of(split_words(text)) == parts_of(split_words_plainly(text))


def test_words_split_ahead_are_kept_below_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "_CHARACTERS_KEPT", 1000)
    kept = splitting._Split()
    monkeypatch.setattr(splitting, "_SPLIT", kept)
    for number in range(50):
        together = [f"{number} {name}" * 10 for name in ("zara", "quill", "zara")]
        split_ahead(together)
        assert set(together) <= kept.keys()
        assert sum(len(each) + splitting._COST_OF_TEXT for each in kept) <= 1000
    split_ahead(["word " * 1000])
    assert "word " * 1000 not in kept
    assert set(together) <= kept.keys()
