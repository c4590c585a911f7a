"""Signs of characters: the classes of `re` and `str`, and what ignoring case makes one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text import signs
from scrubjay.text.signs import code_points, read_signs, sign_of_listed, signs_of_bmp
from tests.strategies import texts


def _sign(character: str) -> int:
    return int(read_signs(code_points(character))[0])


@given(st.one_of(texts(), st.text(st.characters(), max_size=20)))
def test_classes_are_ranges(text: str) -> None:
    for character, sign in zip(text, read_signs(code_points(text)).tolist(), strict=True):
        assert (signs.DECIMAL <= sign <= signs.NINE) == bool(re.match(r"\d", character))
        assert (signs.DECIMAL <= sign <= signs.LAST_WORD) == bool(re.match(r"\w", character))
        assert (signs.LETTER <= sign <= signs.LAST_LETTER) == character.isalpha()
        decimal = signs.DECIMAL <= sign <= signs.NINE
        assert (decimal or sign == signs.DIGIT) == character.isdigit()


def test_listed_characters_have_a_sign_whatever_their_case() -> None:
    for same in ("kK\u212a", "sSſ", "iIİı", "ñÑ", "µμΜ"):
        assert {_sign(character) for character in same} == {sign_of_listed(same[0])}
    assert _sign("\n") == signs.NEWLINE
    assert _sign("é") == _sign("ж") == signs.LETTER
    assert _sign("²") == signs.DIGIT
    assert _sign("½") == signs.WORD
    assert _sign("\U0001d7d8") == _sign("٣") == signs.DECIMAL
    assert _sign("\U0001d504") == signs.LETTER
    assert _sign("\U0001f468") == signs.OTHER
    assert len(set(signs_of_bmp().tolist())) == signs.COUNT


def test_other_characters_have_none_of_their_own() -> None:
    with pytest.raises(ValueError, match=r"U\+00E9"):
        sign_of_listed("é")
