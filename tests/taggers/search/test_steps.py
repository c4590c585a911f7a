"""Machines match all that their expressions do, forward and backward, and little else."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.taggers._search import automaton
from scrubjay.taggers._search.automaton import Automaton, walk, walk_back
from scrubjay.taggers._search.steps import Steps
from tests.taggers.expression_samples import EXPRESSIONS, Sample


def _matches(pattern: str, flags: int, text: str, place: int, *, backward: bool = False) -> bool:
    """Tell whether the machine of an expression matches at a place."""
    steps = Steps()
    first = steps.add(pattern, flags, steps.accept(7), backward=backward)
    start = Automaton(steps).start([first])
    return (walk_back if backward else walk)(start, text, place).matched == (7,)


@pytest.mark.parametrize(
    ("pattern", "texts", "others"),
    [
        (r"a|bc", ["a", "bc", "axx"], ["b", "", "c"]),
        (r"\d{2,3}(?!\d)", ["12", "123x"], ["1", "1234"]),
        (r"(?:ab){0,2}c", ["c", "abc", "ababc"], ["abababc", "ab"]),
        (r"x{17}(?!\w)", ["x" * 17], ["x" * 16, "x" * 18]),
        (r"x{30}y", ["x" * 30 + "y", "x" * 31 + "y"], ["x" * 12 + "y", "x" * 30]),
        (r"[a-c]{1,400}\Z", ["abcabc"], ["abcx", ""]),
        (r"a(?=[ ]{0,2}(?:x|\Z))", ["a", "a ", "ax"], ["ay"]),
        (r"a(?=(?!b)c|d$)", ["ac", "ad"], ["ab"]),
        (r"a(?!b|-c|[d-f]{1,3})", ["a", "a-c"], ["ab", "ae"]),
        (r"a(?<=a)b", ["ab"], ["b"]),
        (r"a(?<!a)b", [], ["ab"]),
        (r"(?>a{1,2})b++", ["aab"], ["aa"]),
        (r"a(?!)|c", ["c"], ["a"]),
        (r"(a)(?(1)b|c)", ["a"], ["b"]),
        (r"k\u017f", ["K\u017f", "\u212as"], ["ab"]),
    ],
)
def test_what_a_machine_matches(pattern: str, texts: list[str], others: list[str]) -> None:
    assert [text for text in texts if not _matches(pattern, re.IGNORECASE, text, 0)] == []
    assert [text for text in others if _matches(pattern, re.IGNORECASE, text, 0)] == []


@pytest.mark.parametrize(
    ("pattern", "text", "place", "found"),
    [
        (r"(?<!\w)ab", "xab", 1, False),
        (r"(?<!\w)ab", " ab", 1, True),
        (r"(?<![^\n])ab", "ab", 0, True),
        (r"\Aab", "ab", 0, True),
        (r"\Aab", " ab", 1, False),
        (r"(?m:^)ab", "\nab", 1, True),
    ],
)
def test_what_stands_before_is_looked_at(pattern: str, text: str, place: int, found: bool) -> None:
    assert _matches(pattern, 0, text, place) is found


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"(?<!\w)ab[ ]\Z", "x ab ", True),
        (r"(?<!\w)ab[ ]\Z", "xab ", False),
        (r"(?:\A|[;,])[ ]\Z", " ", True),
        (r"(?:\A|[;,])[ ]\Z", "; ", True),
        (r"(?:\A|[;,])[ ]\Z", "x ", False),
        (r"a(?=b)b", "ab", True),
        (r"a(?!b)[bc]", "ab", False),
        (r"(?<=x)a", "xa", True),
        (r"(?<=x)a", "ya", False),
    ],
)
def test_what_ends_at_a_place(pattern: str, text: str, found: bool) -> None:
    assert _matches(pattern, 0, text + "b", len(text), backward=True) is found


_AROUND = st.text("ab7 -\nk\u017fSéX.’", max_size=3)


@given(EXPRESSIONS, _AROUND, _AROUND, st.sampled_from([0, int(re.IGNORECASE)]))
@example(("(?:a|ab)(?!\\w)", "ab"), "", "", 0)
def test_a_machine_matches_all_that_its_expression_does(
    sample: Sample, before: str, behind: str, flags: int
) -> None:
    pattern, middle = sample
    compiled = re.compile(pattern, flags)
    text = before + middle + behind
    for place in range(len(text) + 1):
        if compiled.match(text, place):
            assert _matches(pattern, flags, text, place)
        ending = re.compile(rf"(?:{pattern})\Z", flags)
        if ending.search(text, 0, place):
            assert _matches(rf"(?:{pattern})\Z", flags, text, place, backward=True)


@given(EXPRESSIONS, _AROUND, st.integers(0, 6))
def test_so_does_one_that_is_cut_short(sample: Sample, behind: str, most: int) -> None:
    pattern, middle = sample
    text = middle + behind
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(automaton, "MOST_NODES", most)
        patch.setattr(automaton, "LONGEST_WALK", most)
        for place in range(len(text) + 1):
            if re.compile(pattern).match(text, place):
                assert _matches(pattern, 0, text, place)
