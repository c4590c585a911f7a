"""The width of wrapped lines, against the plain oracle."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.text.wrapping import _Break, _find_width, joined_lines
from tests.oracles.wrapping import supported_widths

PROSE = (
    "the patient was brought in by his brother who had found him on the floor of the kitchen "
    "early in the morning and he could not say what had happened to him or how long he had been "
    "lying there while the water was running and nobody in the house had heard a thing because "
    "all of them were away at work or asleep as they had come home late from the night before"
)


@given(width=st.integers(42, 120))
@settings(max_examples=50)
def test_prose_wrapped_at_any_width_is_one_sentence(width: int) -> None:
    lines = textwrap.wrap(PROSE, width)
    assert joined_lines(lines) == set(range(1, len(lines)))
    ends = [f"{line}\r\n" for line in lines]
    assert joined_lines(ends) == set(range(1, len(lines)))


@given(st.lists(st.tuples(st.integers(30, 140), st.integers(1, 12)), max_size=12))
@settings(max_examples=100)
def test_the_width_is_one_that_explains_most_breaks(pairs: list[tuple[int, int]]) -> None:
    breaks = [_Break(number, *pair, True) for number, pair in enumerate(pairs, 1)]
    lengths = [length for length, _ in pairs]
    telling = [pair for pair in pairs if 40 <= pair[0] <= 130]
    support = supported_widths(telling)
    most = max(support.values())
    narrowest = next(width for width, count in support.items() if count == most)
    exceeding = sum(length > narrowest for length in lengths)
    if len(telling) < 2:
        believed = len(telling) == 1 and narrowest >= 60 and not exceeding
    else:
        long = sum(length >= 40 for length in lengths)
        believed = most >= 2 and 2 * most > len(telling) and 4 * exceeding <= long
    assert _find_width(breaks, lengths) == (narrowest if believed else None)


def test_capitals_are_wrapped_too() -> None:
    lines = textwrap.wrap(PROSE.upper(), 60)
    assert joined_lines(lines) == set(range(1, len(lines)))


def test_blank_lines_and_nothing_join_nothing() -> None:
    assert joined_lines([]) == set()
    assert joined_lines(["one line"]) == set()
    assert joined_lines(["", " ", "\n"]) == set()


BY_EYE = """\
I spent ninety minutes with her and
twenty by phone with her sister Georgina
Duarte, in Truth or
Consequences, New
Mexico. Nothing has ever stuck. Fed by tube at the
Children's of
Albuquerque."""


def test_prose_broken_by_eye_is_joined_where_lines_are_open() -> None:
    lines = BY_EYE.split("\n")
    assert joined_lines(lines) == set(range(1, len(lines)))
    apart = [*lines, "", "Cc: Dr. Lee", "Ward 5"]
    assert joined_lines(apart) == set(range(1, len(lines)))


def test_a_line_that_ends_with_an_article_goes_on() -> None:
    assert joined_lines(["He was taken to the", "Mercy Hospital"]) == {1}
    assert joined_lines(["Zij woont nu in Capelle aan", "den IJssel"]) == {1}
    assert joined_lines(["De dochter dringt aan", "Morgen MDO"]) == set()
    assert joined_lines(["Vitamin A", "B12"]) == set()
    assert joined_lines(["ward A: slept", "ward B: slept"]) == set()


def test_parted_names_and_numbers_are_joined() -> None:
    assert joined_lines(["He was seen by Parry-", "Jones"]) == {1}
    assert joined_lines(["Her pager is 916-555-", "0134."]) == {1}


@pytest.mark.parametrize(
    "lines",
    [
        ["Allergies -", "Penicillin"],
        ["Na 140 -", "4.1"],
        ["Attending-", "Hale"],
        ["Call list", "Anna Hale-", "Brian Moore-", "Carla Diaz-"],
        ["call me on 617-555-0134-", "617-555-0199 cell"],
        ["he is in Unit 7-", "617 555 0134"],
    ],
)
def test_keys_columns_and_whole_numbers_are_not_joined(lines: list[str]) -> None:
    assert joined_lines(lines) == set()


def test_a_log_is_not_joined() -> None:
    lines = [
        "[21:57] Mo: the pump, the bag, all of the",
        "[21:58] Hugo: fine. Ring her at the",
        "[21:59] Mo: ok, done. Slept well",
        "[22:10] Hugo: top, see you",
        "[22:11] Mo: the pump, again",
    ]
    assert joined_lines(lines) == {1, 2}
