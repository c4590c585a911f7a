"""Words that are spelled are read letter by letter, with what people say in between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.spelling import has_phrase, may_begin, read_spelled


@pytest.mark.parametrize(
    ("text", "letters", "end"),
    [
        ("H, A, N, N, A, H, well", "hannah", 16),
        ("h. a. n. n. a. h.", "hannah", 16),
        ("L I", "li", 3),
        ("R-O-double S", "ross", 12),
        ("N as in Nancy, A, double S, E, R", "nasser", 32),
        ("S for Sam, A, M", "sam", 15),
        ("T I dubbel M E R", "timmer", 16),
        ("M van Marie, U, L voor Lode", "mul", 27),
        ("doble ele, O, P, I, S", "llopis", 21),
        ("B de Barcelona, A, R", "bar", 20),
        ("A, B C", "ab", 4),
        ("A B, C", "ab", 3),
        ("A B CD", "ab", 3),
        ("N as in Roe, A", None, 0),
        ("double vision", None, 0),
        ("A de la noche", None, 0),
    ],
)
def test_what_is_spelled(text: str, letters: str | None, end: int) -> None:
    run = read_spelled(text, 0)
    assert (run and run.letters) == letters
    assert (run.ends[-1] if run else 0) == end


@given(st.lists(st.sampled_from(["A", "b", "double ", "S", " as in Sam", ", ", "-", " ", "x1"])))
def test_places_of_letters_are_within_the_text_and_rise(pieces: list[str]) -> None:
    text = "".join(pieces)
    for begin in may_begin().finditer(text):
        run = read_spelled(text, begin.start())
        if run is None:
            continue
        assert len(run.letters) == len(run.starts) == len(run.ends) - 1 > 1
        known = [end for end in run.ends[1:] if end]
        assert known == sorted(known)
        assert known[-1] <= len(text)
        assert not run.is_told or has_phrase(text)
