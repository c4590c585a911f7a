"""What expressions for the text before a place may end with."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.taggers._search.endings import Before, find_endings


@pytest.mark.parametrize(
    ("pattern", "endings"),
    [
        ("vas|nrs", {"as", "rs"}),
        ("suds?", {"ud", "ds"}),
        ("gad-?7", {"d7", "-7"}),
        (r"(?<!\w)hads(?:-?[ad])?[ \t]*:?[ \t]*", {"ds", "sa", "sd", "-a", "-d", "s:", "a:", "d:"}),
        ("(?:was|[:=])[ ]?", {"as", ":", "="}),
        ("x{3}", {"xx"}),
        ("(?i:Tn[IT])", {"ni", "nt"}),
        ("a(?>b|cd){1,3}+", {"ab", "bb", "db", "cd"}),
    ],
)
def test_endings_are_worked_out(pattern: str, endings: set[str]) -> None:
    assert find_endings(pattern) == endings


@pytest.mark.parametrize("pattern", [r"\w+", r"a[^b]", "a."])
def test_what_ends_with_anything_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="ends with anything"):
        Before(pattern)


PATTERN = (
    r"(?<![\w-])(?:suds?|vas|k|gad-?[79]|sit[ -]to[ -]stand)(?: score)?[ \t]*(?:(?:[:=]|was|of)"
    r"[ \t]*){0,2}\(?"
)
PIECES = st.sampled_from([
    "sud", "suds", "vas", "VAS", "ſud", "\u212a", "k", "gad", "-", "9", "7", " ", "  ", "\t",
    ":", "=",
    "(", "was", "of", "score", "sit to stand", "\n", "é", "         ",
])  # fmt: skip


@given(st.lists(PIECES, max_size=8).map("".join))
def test_the_look_refuses_no_match(text: str) -> None:
    plain = re.compile(rf"(?:{PATTERN})\Z", re.IGNORECASE)
    found, expected = Before(PATTERN, re.IGNORECASE).search(text), plain.search(text)
    assert (found and found.span()) == (expected and expected.span())


@given(st.lists(PIECES, max_size=8).map("".join), st.integers(0, 20))
def test_the_rest_of_a_match_is_not_refused(text: str, cut: int) -> None:
    before = Before(PATTERN, re.IGNORECASE)
    match = before.search(text)
    if match is not None and match.start() <= cut < len(text):
        assert before.may_match(text[cut:], is_rest=True)
