"""Values of many words at once against those of each word alone."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.features._word_values import WordValues
from scrubjay.features.lexicons import find_lexicon
from scrubjay.features.resources import make_word_attribute
from scrubjay.features.words import WORD_ATTRIBUTES

LISTS = ("lexicon:en.surnames", "lexicon:es.cities", "lexicon:en.months", "lexicon:nl.cities")
NAMES = (
    *WORD_ATTRIBUTES,
    *LISTS,
    "cluster:en:6",
    "cluster:es:4",
    "cluster:en:16",
    "dictionary:CITY",
)
DICTIONARIES = {"CITY": frozenset({"millbrook"})}
VALUES = WordValues(NAMES, DICTIONARIES)

# An end of a line, which no token holds, too: what is read line by line must not be misled.
listed = sorted(word for name in LISTS for word in find_lexicon(name[8:]) if word.isalpha())[::501]
words = st.one_of(
    st.text(st.characters(exclude_categories=["Zs", "Cc", "Cs"]), min_size=1, max_size=8),
    st.sampled_from(listed),
    st.sampled_from(listed).map(lambda word: word.upper().replace("E", "É").replace("A", "Å")),
    st.sampled_from(
        ["Millbrook", "O’Brien", "MÉYER", "Ámsterdam", "1946", "a-b", "\u0301", "ran\ning"]
    ),
)


@given(st.lists(words, max_size=12))
def test_values_are_those_of_each_word(drawn: Sequence[str]) -> None:
    found: list[list[str | None]] = [[None] * len(NAMES) for _ in drawn]
    for column, places, values in VALUES.read(drawn):
        numbers = list(range(len(drawn)))[places] if isinstance(places, slice) else places
        for number, value in zip(numbers, values, strict=True):
            found[number][column] = value
    functions = [make_word_attribute(name, DICTIONARIES) for name in NAMES]
    assert found == [[function(word) for function in functions] for word in drawn]
