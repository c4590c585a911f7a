"""The compiled search for numbers against the expressions of `patterns.py`."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.text._number_words import number_words, spell_out
from scrubjay.text.patterns import MONTHS, UNITS, number_matches
from scrubjay.text.signs import code_points, read_signs
from tests.strategies import texts
from tests.text.test_patterns import COUNTER_EXAMPLES, EXAMPLES

pytest.importorskip("numba")

PIECES = (
    *("0123456789" * 2),
    *"/-.:,+() '’%_\n\u00a0x²½٣é",
    *("12", "3", "45", "678", "19", "20", "21", "1987", "2019", "1\u0301"),
    *("mg", "mg/dl", "µg", "Μg", "g", "°C", "ºc", "cc", "x/min", "u/l", "İU", "\u212ag"),
    *("st", "nd", "ſt", "rd", "th", "º", "ª", " de ", " of ", " del ", " año ", " del AÑO "),
    *(" march", " mar", "marzo", " ago ", "Sep", "ſept", " september ", "oKt", "dic.", "May "),
    *("\U0001d7d8", "\U0001f468", "a ", "\ufb05"),
)
"""What numbers are made of, and characters that ignoring case makes of them."""


def _compiled(text: str) -> list[tuple[int, ...]]:
    from scrubjay.text._number_kernel import number_matches_compiled

    found = number_matches_compiled(read_signs(code_points(text + "\n")))
    return [tuple(match) for match in found.tolist()]


@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), texts()))
@example("(12) 345-67-89 +31 (0)20-555 12 34 56")
@example("3 mar 4 mar 2019 del año 5")
@example("may 1st2 june 3rd, 2020 ago de 4")
def test_the_kernel_finds_what_the_expressions_find(text: str) -> None:
    assert _compiled(text) == list(number_matches(text))


@pytest.mark.parametrize(
    "text", [t for table in (EXAMPLES, COUNTER_EXAMPLES) for texts in table.values() for t in texts]
)
def test_examples(text: str) -> None:
    whole = f"seen {text} today\n({text}) 3 {text}"
    assert _compiled(whole) == list(number_matches(whole))


@pytest.mark.parametrize("piece", ["1", "1.", "(", "+1", "12 34 ", "+1234 ", "may 1 ", "1/2/"])
def test_long_texts_end(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    assert _compiled(text) == list(number_matches(text))


def test_words_are_spelled_out() -> None:
    assert list(spell_out("sept?(?:ember)?")) == ["september", "sept", "sepember", "sep"]
    assert list(spell_out("del? (?:año )?")) == ["del año ", "del ", "de año ", "de "]
    for words in (MONTHS, UNITS):
        spelled = [word for one in words.split("|") for word in spell_out(one)]
        assert all(re.fullmatch(words, word) for word in spelled)
    steps, ranks = number_words()
    assert steps.shape[0] == len(ranks)
    assert (ranks >= 0).sum() > 60
