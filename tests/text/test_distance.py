"""The distance of two words is that of the table, up to its limit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.text.distance import distance
from tests.oracles.distance import plain_distance

WORDS = st.text("abcd", max_size=10)


@given(WORDS, WORDS, st.integers(0, 3))
@settings(max_examples=300)
def test_it_is_that_of_the_table(first: str, second: str, limit: int) -> None:
    found, plain = distance(first, second, limit), plain_distance(first, second)
    assert found == plain if plain <= limit else found > limit
