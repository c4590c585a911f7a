"""Which signs a match can begin with, and that looking at them changes nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.taggers import _pattern_search
from scrubjay.taggers._first_signs import BLANKS, reach
from scrubjay.taggers._pattern_search import Matcher, _first_letters
from scrubjay.taggers.patterns import LANGUAGES, Pattern, find_patterns
from tests.corpus_samples import make_notes


@pytest.mark.parametrize(
    ("pattern", "signs", "passes"),
    [
        ("[ -](?P<span>20\\d\\d|19[0-9]{2})", "-12", False),
        ("[ ]{0,3}(?:[:(]|)(?!x)[ab]", ":(abAB", False),
        ("(?-i:a)|b", "abB", False),
        ("(?>x?)", "xX", True),
        ("[ ]{1,4}+", "", True),
        ("[^a-z]", "".join(chr(n) for n in range(128) if not chr(n).isalpha() and n != 32), True),
        ("(?<=x)\\Bé", "", False),
        ("(a)?(?(1)b|c)", "".join(map(chr, range(128))).replace(" ", ""), True),
    ],
)
def test_the_signs_of_a_pattern(pattern: str, signs: str, passes: bool) -> None:
    found = reach(pattern, re.IGNORECASE)
    assert found == (frozenset(signs) - frozenset(BLANKS), passes)


_ATOMS = st.sampled_from(
    ["a", "B", "[ab]", "[^a]", " ", "[ -]", "\\d", "\\s", ".", "é", "(?=a)", "$"]
)
_PATTERNS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda ways: f"(?:{'|'.join(ways)})"),
        inner.map(lambda body: f"(?:{body})?"),
        inner.map(lambda body: f"(?-i:{body})"),
        inner.map(lambda body: f"(?>{body})"),
    ),
    max_leaves=8,
)


@given(_PATTERNS, st.text(" \t\u00a0aAbB1-é\n", max_size=6))
def test_no_match_begins_with_another_sign(pattern: str, text: str) -> None:
    match = re.compile(pattern, re.IGNORECASE).match(text)
    if match is None:
        return
    first = match.group().lstrip(BLANKS)[:1]
    signs, passes = reach(pattern, re.IGNORECASE)
    assert passes if not first else (first in signs or first >= "\x80" or passes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_look_at_the_next_sign_changes_no_match(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns = find_patterns(language).patterns
    texts = [note.text for note in make_notes(40, seed=3)]
    for pattern in patterns:
        for example in (*pattern.examples, *pattern.counter_examples):
            text = example.replace("{", "").replace("}", "")
            texts += [text, text.upper(), text.replace(" ", "\u00a0"), text.replace(" ", "  ")]
    quick = Matcher(patterns)

    def blind(pattern: Pattern) -> dict[str, None]:
        return dict.fromkeys(_first_letters(phrase).lower() for phrase in pattern.words)

    monkeypatch.setattr(_pattern_search, "_signs_behind", blind)
    plain = Matcher(patterns)
    found = [quick.find(text) for text in texts]
    assert found == [plain.find(text) for text in texts]
    assert sum(map(len, found)) > 100
