"""Characters as numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import ArtifactError
from scrubjay.features.alphabet import BORDER, UNKNOWN, Alphabet, make_alphabet, read_alphabet


@given(st.text(max_size=30), st.text(max_size=30))
def test_each_known_character_has_its_own_number(known: str, text: str) -> None:
    alphabet = make_alphabet([known])
    numbers = {character: place + 2 for place, character in enumerate(sorted(set(known)))}
    assert alphabet.encode(text).tolist() == [numbers.get(c, UNKNOWN) for c in text]
    assert len(alphabet) == len(numbers) + 2
    assert read_alphabet(alphabet.to_json().encode()) == alphabet


def test_rare_characters_are_unknown() -> None:
    alphabet = make_alphabet(["abcab", "aé\ud800é"], min_count=2)
    assert alphabet.characters == "abé"
    assert alphabet.encode("\ud800éca😀").tolist() == [UNKNOWN, 4, UNKNOWN, 2, UNKNOWN]
    assert BORDER not in alphabet.encode("".join(map(chr, range(300))))


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"characters": 3}', b'{"characters": "ab", "unknown": 5}', b"\xff"]
)
def test_a_damaged_alphabet_is_refused(content: bytes) -> None:
    with pytest.raises(ArtifactError, match="alphabet"):
        read_alphabet(content)


def test_an_unsorted_alphabet_is_refused() -> None:
    with pytest.raises(ArtifactError, match="not sorted"):
        Alphabet("ba")


def test_the_repr_tells_sizes_alone() -> None:
    assert repr(make_alphabet(["xyz"])) == "Alphabet(3 characters)"
