"""Words by array operations against the expression that says what a word is."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.known import words as splitting
from scrubjay.known.words import (
    camel_pieces,
    split_words,
    split_words_anew,
    split_words_plainly,
    word_keys,
)
from tests.known.samples import parts_of
from tests.strategies import texts

_FILLER = "Seen by Dr. Ana-María Núñez on 3/4/2019; MRN 00123AB, tel. 555 0100 (again). " * 2


@given(texts())
@example("x" * 100)
@example("a\u0301e\u0301 1\u03002 ")
@example("\u023a \u0130stanbul \u1e9e \u0661\u0662 \ud800 \U0001d400 _a_ \u00b2 \u00bd")
@example("\u2140 \u10a0")
def test_arrays_give_what_the_expression_gives(text: str) -> None:
    for whole in (text, _FILLER + text, text + _FILLER):
        expected = parts_of(split_words_plainly(whole))
        assert parts_of(split_words_anew(whole)) == expected
        assert parts_of(split_words(whole)) == expected


@given(st.lists(st.integers(0, 0x2400).filter(lambda code: code < 0xD800), min_size=80))
def test_every_character_of_the_tables_is_taken_as_the_expression_does(codes: list[int]) -> None:
    text = "".join(map(chr, codes))
    assert parts_of(split_words_anew(text)) == parts_of(split_words_plainly(text))


@given(texts(), st.integers(0, 40), st.integers(0, 40))
@example("e\u0301e\u0301 12ab", 1, 6)
def test_a_part_has_the_words_of_its_text(text: str, start: int, end: int) -> None:
    for whole in (text, text + _FILLER):
        start, end = sorted((min(start, len(whole)), min(end, len(whole))))
        part, expected = split_words(whole).part(start, end), split_words_plainly(whole[start:end])
        assert part.keys == expected.keys
        assert tuple(part.starts) == tuple(place + start for place in expected.starts)
        assert tuple(part.ends) == tuple(place + start for place in expected.ends)


def test_every_character_alone_between_others() -> None:
    for code in range(0x2400):
        text = "Aa1 " * 25 + chr(code) + "b2"
        assert parts_of(split_words_anew(text)) == parts_of(split_words_plainly(text)), hex(code)


def test_kept_words_stay_below_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "_CHARACTERS_KEPT", 1000)
    kept = splitting._Split()
    for number in range(200):
        text = f"{number} " * 20
        assert parts_of(kept[text]) == parts_of(split_words_plainly(text))
        assert sum(len(each) + splitting._COST_OF_TEXT for each in kept) <= 1000
    long = "word " * 1000
    assert parts_of(kept[long]) == parts_of(split_words_plainly(long))
    assert long not in kept


SAME = [
    ("Weiß", "WEISS"),
    ("Weiß", "WEI\u1e9e"),
    ("Dijkstra", "D\u0133kstra"),
    ("D\u0133kstra", "D\u0132KSTRA"),
    ("Griffith", "Gri\ufb03th"),
    ("Pfiffner", "P\ufb01\ufb00ner"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_character_of_several_letters_is_these_letters(one: str, other: str) -> None:
    assert word_keys(one) == word_keys(other)
    for around in ("", _FILLER):
        words = split_words(around + other)
        assert words.keys[-1:] == split_words(around + one).keys[-1:]
        assert words.surface(len(words) - 1) == other
    glued = split_words(f"van{other.title()}")
    assert [key for _, _, key in camel_pieces(glued, 0)][1:] == list(word_keys(one))
