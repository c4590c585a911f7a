"""The places that are looked for in a batch at once hold all that are found one by one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people.glued import add_glued
from scrubjay.taggers._mending.people.person_keys import find_telling

PIECES = st.sampled_from([
    "Patient", "PATIENT", "naam", "name", "pt", "Apellidos", "zus", "Signed by",
    "médico", "MÉDICO", "p\u212a", " ", "\t", ":", "|", "x", "?",
    "\n",
    "Dr", "dR", "DR", "Mevr", "mevrouw", "heer", "Hija", "espos", ".", "7", "é", "’", "-", "漢",
    "İ", "DRGRIMALDI", "DRGARCÍA", "ATTNTEIXEIRA", "GRIMALDI", "×", "Þ",
])  # fmt: skip
TEXTS = st.lists(st.lists(PIECES, max_size=10).map("".join), max_size=4)


@given(TEXTS, st.sampled_from(["en", "nl", "es"]))
def test_no_key_and_no_title_is_left_out(texts: list[str], language: str) -> None:
    known = find_telling(language)
    assert known is not None
    for text, cues in zip(texts, find_cues(texts, language), strict=True):
        keys = [
            place
            for place in (match.start() for match in re.finditer("[:|]", text))
            if known.keys.search(text[:place].rstrip(" \t"))
        ]
        titles = [
            place
            for place in range(len(text))
            if text.startswith(known.titles, place) and not text[place - 1 : place].isalnum()
        ]
        assert set(keys) <= set(cues.keys)
        assert set(titles) <= set(cues.titles)
        assert cues.keys == sorted(cues.keys)


@pytest.mark.parametrize("language", ["en", "nl", "es"])
def test_each_word_that_is_a_key_is_found(language: str) -> None:
    known = find_telling(language)
    assert known is not None
    words = set(re.findall(r"[^\W\d_]{2,}", known.keys.pattern.partition("(?P<staff>")[0]))
    words |= {"dr", "pt", "rn", "nok", "arts", "zus", "man", "pac", "autor", "hijo", "madre"}
    keys = [word for word in sorted(words) if known.keys.search(word)]
    assert len(keys) > 5
    for written in (str.lower, str.upper, str.capitalize):
        for cues in find_cues([f"{written(key)} : x" for key in keys], language):
            assert len(cues.keys) == 1
        for cues in find_cues([f"{written(key)}: x" for key in keys], language):
            assert len(cues.keys) == 1


@given(TEXTS)
def test_no_glued_name_is_left_out(texts: list[str]) -> None:
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        assert add_glued(text, (), cues.capitals) == add_glued(text, (), range(len(text)))


@pytest.mark.parametrize("texts", [[], ["", "Dr. Down"]])
def test_other_languages_have_none(texts: list[str]) -> None:
    found = find_cues(texts, "xx")
    assert len(found) == len(texts)
    assert not any(cues.keys or cues.titles or cues.capitals for cues in found)


def test_places_are_those_of_their_own_text() -> None:
    first, second, third = find_cues(["", "Patient: DRGRIMALDI", "Dr. Down"], "en")
    assert (first.keys, first.titles, first.capitals) == ([], [], [])
    assert (second.keys, second.titles, second.capitals) == ([7], [9], [9])
    assert (third.keys, third.titles, third.capitals) == ([], [0], [])
