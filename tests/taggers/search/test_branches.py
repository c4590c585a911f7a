"""Branches of which few ways are tried match what those of the standard library match."""

from __future__ import annotations

import re
import string
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.languages import LANGUAGES
from scrubjay.taggers._search.branches import compile_branches
from scrubjay.taggers.patterns import find_patterns

LETTERS = "abkKsiI\u017f\u0130\u0131\u212aéÉ1 "
PLAIN = st.text(LETTERS, max_size=4).map(re.escape)
PARTS = st.one_of(
    PLAIN,
    st.sampled_from([
        "[ab]s", "a?b", "(?-i:k)", "(b)", "s{1,2}", "(?!b)", "(?<=a)b", r"\w", "", "i*+", "(?a:s)",
    ]),
)  # fmt: skip
WAYS = st.lists(st.lists(PARTS, max_size=3).map("".join), min_size=1, max_size=9).map("|".join)
NESTED = st.recursive(
    WAYS,
    lambda inner: (
        st.tuples(PLAIN, st.sampled_from(["(?:{})", "({})", "(?!{})", "(?>{})"]), inner)
        .map(lambda parts: parts[0] + parts[1].format(parts[2]))
        .flatmap(lambda one: WAYS.map(lambda ways: f"{one}|{ways}"))
    ),
    max_leaves=3,
)


@given(
    pattern=NESTED,
    text=st.text(LETTERS, max_size=8),
    flags=st.sampled_from([0, re.IGNORECASE, re.IGNORECASE | re.ASCII]),
)
def test_the_same_is_found_with_the_same_groups(pattern: str, text: str, flags: int) -> None:
    expected, compiled = re.compile(pattern, flags), compile_branches(pattern, flags)
    assert compiled.groups == expected.groups
    assert compiled.flags == expected.flags
    found = [[(m.span(), m.groups()) for m in c.finditer(text)] for c in (compiled, expected)]
    assert found[0] == found[1]


def test_a_letter_matches_all_its_forms() -> None:
    characters = map(chr, range(sys.maxunicode + 1))
    everything = "".join(c for c in characters if c.isalpha() and not c.lower() == c == c.upper())
    for letter in string.ascii_lowercase:
        fast = compile_branches(f"{letter}|1|2|3", re.IGNORECASE)
        plain = re.compile(f"{letter}|1|2|3", re.IGNORECASE)
        assert fast.findall(everything) == plain.findall(everything)


@pytest.mark.parametrize("language", LANGUAGES)
def test_patterns_of_the_package_find_the_same_in_all_examples(language: str) -> None:
    patterns = find_patterns(language).patterns
    texts = [text for pattern in patterns for text in pattern.examples + pattern.counter_examples]
    some = "\n".join(texts[::25])
    for pattern in patterns:
        for expression in (pattern.pattern, pattern.before, pattern.after):
            fast = compile_branches(expression, re.IGNORECASE)
            plain = re.compile(expression, re.IGNORECASE)
            for text in (some, *pattern.examples):
                found = [[(m.span(), m.groups()) for m in c.finditer(text)] for c in (fast, plain)]
                assert found[0] == found[1]


def test_what_is_no_expression_is_refused() -> None:
    with pytest.raises(re.error):
        compile_branches("a|b|c|(d", re.IGNORECASE)
