"""Classes of characters and the units of a text."""

from __future__ import annotations

import re
import sys
import unicodedata

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.text.characters import (
    ALPHA,
    BREAK,
    CHANGES,
    DIGIT,
    KIND,
    LOWER,
    LOWERED,
    MARK,
    OTHER,
    SPACE,
    TITLED,
    UPPER,
    UPPERED,
    WORD,
    classify,
    kind_of,
    traits_of_bmp,
)
from tests.strategies import texts


@pytest.mark.parametrize(
    ("character", "kind"),
    [
        ("a", LOWER),
        ("ñ", LOWER),
        ("º", LOWER),
        ("张", LOWER),
        ("É", UPPER),
        ("ǅ", UPPER),
        ("𝔄", UPPER),
        ("7", DIGIT),
        ("٣", DIGIT),
        ("²", OTHER),
        ("½", OTHER),
        ("_", OTHER),
        ("\u200b", OTHER),
        ("\ufeff", OTHER),
        ("😀", OTHER),
        ("\u0301", MARK),
        ("\u200d", MARK),
        ("\u00ad", MARK),
        ("\ufe0f", MARK),
        ("\x1c", SPACE),
        ("\x85", SPACE),
        ("\u00a0", SPACE),
        ("\u3000", SPACE),
    ],
)
def test_kind_of(character: str, kind: int) -> None:
    assert kind_of(character) == kind


def test_space_is_what_isspace_says() -> None:
    spaces = {code for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    text = "".join(map(chr, range(0x4000)))
    units = classify(text)
    assert units.offsets is not None
    found = {ord(text[units.offsets[i]]) for i in np.flatnonzero(units.kinds == SPACE)}
    assert found == spaces


def test_a_mark_belongs_to_the_character_before_it() -> None:
    units = classify("e\u0301 \u0301x")
    assert units.kinds.tolist() == [LOWER, SPACE, OTHER, LOWER]
    assert units.offsets is not None
    assert units.offsets.tolist() == [0, 2, 3, 4, 5]


def test_astral_characters_and_lone_surrogates_are_one_unit_each() -> None:
    assert classify("𝔄a\ud800 7").kinds.tolist() == [UPPER, LOWER, OTHER, SPACE, DIGIT]


@given(texts())
def test_units_are_the_plain_classes(text: str) -> None:
    expected: list[tuple[int, int]] = []
    for offset, character in enumerate(text):
        kind = kind_of(character)
        if kind == MARK and (offset == 0 or text[offset - 1].isspace()):
            kind = OTHER
        if kind != MARK:
            expected.append((offset, kind))
    units = classify(text)
    offsets = range(len(text)) if units.offsets is None else units.offsets[:-1].tolist()
    assert list(zip(offsets, units.kinds.tolist(), strict=True)) == expected


@given(st.text(st.characters(max_codepoint=0x24F)))
def test_composed_and_decomposed_latin_text_have_the_same_units(text: str) -> None:
    composed = classify(unicodedata.normalize("NFC", text))
    decomposed = classify(unicodedata.normalize("NFD", text))
    assert decomposed.kinds.tolist() == composed.kinds.tolist()


@given(st.characters(max_codepoint=0xFFFF))
@example("_")
@example("ǅ")
@example("ª")
@example("\x1c")
def test_traits_are_what_str_says(character: str) -> None:
    traits = int(traits_of_bmp()[ord(character)])
    assert traits & KIND == kind_of(character)
    assert bool(traits & BREAK) == (len(f"a{character}b".splitlines()) == 2)
    assert bool(traits & WORD) == bool(re.match(r"\w", character))
    assert bool(traits & ALPHA) == character.isalpha()
    assert bool(traits & LOWERED) == character.islower()
    assert bool(traits & UPPERED) == character.isupper()
    assert bool(traits & TITLED) == (character.istitle() and not character.isupper())
    assert bool(traits & CHANGES) == (character != character.upper())
