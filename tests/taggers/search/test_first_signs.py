"""Which signs a match can begin with, and that looking at them changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from string import ascii_letters
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.languages import LANGUAGES
from scrubjay.taggers._search import matcher
from scrubjay.taggers._search.first_signs import BLANKS, may_hold_space, reach
from scrubjay.taggers._search.matcher import Matcher, _first_letters
from scrubjay.taggers.patterns import Pattern, find_patterns
from tests.corpus_samples import make_notes
from tests.taggers.expression_samples import PLAIN_EXPRESSIONS, Sample

_ASCII = frozenset(map(chr, range(128)))


@pytest.mark.parametrize(
    ("pattern", "signs", "passes"),
    [
        ("[ -](?P<span>20\\d\\d|19[0-9]{2})", "-12", False),
        ("[ ]{0,3}(?:[:(]|)(?!x)[ab]", ":(abAB", False),
        ("(?-i:a)|b", "abB", False),
        ("(?>x?)", "xX", True),
        ("[ ]{1,4}+", "", True),
        ("(?<=x)\\Bé", "", False),
        ("\u017f|\u212a", "sSkK", False),
        ("\\s", "\n\r\f\v\x1c\x1d\x1e\x1f", True),
        ("(?a:\\s)x", "\n\r\f\vxX", False),
        (
            "[^a-z]",
            "".join(sorted(_ASCII - set(ascii_letters))),
            True,
        ),
        ("(a)?(?(1)b|c)", "".join(sorted(_ASCII)), True),
    ],
)
def test_the_signs_of_a_pattern(pattern: str, signs: str, passes: bool) -> None:
    assert reach(pattern, re.IGNORECASE) == (frozenset(signs) - frozenset(BLANKS), passes)


@pytest.mark.parametrize(
    ("pattern", "may_hold"),
    [
        ("[\\w.]{1,3}@(?:a|b)+", False),
        ("a(?=[ ]b)(?<![ ])", False),
        ("[^\\s<>]{2,40}", False),
        ("[^<>]", True),
        ("(?:a|(?i:b)\\s)", True),
        ("(?>x\\t?)", True),
        ("(a)\\1", True),
    ],
)
def test_whether_a_match_may_hold_a_space(pattern: str, may_hold: bool) -> None:
    assert may_hold_space(pattern, re.IGNORECASE) is may_hold


@given(PLAIN_EXPRESSIONS)
def test_what_may_hold_no_space_holds_none(drawn: Sample) -> None:
    pattern, sample = drawn
    found = re.search(pattern, sample, re.IGNORECASE)
    if found and set(found[0]) & set(" \t\n\r"):
        assert may_hold_space(pattern, re.IGNORECASE)


@pytest.mark.parametrize("space", ["", "x ", "b@x.example\n", "b@x.example ", "x\ta", "b@\r"])
def test_what_can_hold_no_space_is_found_behind_the_last(space: str) -> None:
    dense = Pattern(
        name="dense", kind="email", pattern="(?<!\\w)[a-z]{1,9}@(?:[a-z]+\\.)?example", at=("@",)
    )
    loose = replace(dense, pattern=f"{dense.pattern}|[ ]{{9}}")
    text = f"see {space}a@example, and c@x.example"
    assert Matcher([dense]).find(text) == Matcher([loose]).find(text)
    assert len(Matcher([dense]).find(text)) == 2 + ("x.example" in space)


_PHRASES = st.sampled_from([
    "in", "d/c", "mid-", "D.O.B", "end of", "Straße", "İd", "bay İd", "bay \u017fd", "bay 2",
    "a_b", "x2", "a(b)", "ab\u00a0cd",
])  # fmt: skip


@given(
    PLAIN_EXPRESSIONS,
    st.lists(_PHRASES, min_size=1, max_size=2),
    st.sampled_from(["before", "first", "last", "after"]),
    st.sampled_from(["any", "exact"]),
    st.sampled_from([str, str.upper, str.lower, str.swapcase]),
    st.sampled_from(["", " ", "\u00a0\t", "\n"]),
)
def test_the_next_sign_spares_no_match(
    expression: tuple[str, str],
    phrases: list[str],
    stand: str,
    case: str,
    turn: Callable[[str], str],
    gap: str,
) -> None:
    body, sample = expression
    pattern = Pattern(
        name="x", kind="date", pattern=body, words=tuple(phrases), stand=stand, case=case
    )
    texts = [turn(phrase + gap + sample) for phrase in phrases]
    texts += [turn(sample + gap + phrase) for phrase in phrases]
    quick = Matcher([pattern])
    with patch.object(matcher, "_signs_behind", _blind):
        plain = Matcher([pattern])
    assert [quick.find(text) for text in texts] == [plain.find(text) for text in texts]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_next_sign_spares_no_match_of_the_package(language: str) -> None:
    patterns = find_patterns(language).patterns
    texts = [note.text for note in make_notes(40, seed=3)]
    for pattern in patterns:
        for example in (*pattern.examples, *pattern.counter_examples):
            text = example.replace("{", "").replace("}", "")
            texts += [text, text.upper(), text.replace(" ", "\u00a0"), text.replace(" ", "  ")]
    quick = Matcher(patterns)
    with patch.object(matcher, "_signs_behind", _blind):
        plain = Matcher(patterns)
    found = [quick.find(text) for text in texts]
    assert found == [plain.find(text) for text in texts]
    assert sum(map(len, found)) > 100


def _blind(pattern: Pattern) -> dict[str, None]:
    return dict.fromkeys(_first_letters(phrase).lower() for phrase in pattern.words)
