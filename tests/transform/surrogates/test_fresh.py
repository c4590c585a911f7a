"""Originals as whole words of other values: the index finds what a look at each one finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform.surrogates._fresh import Originals, holds, is_telling, row_of

TEXTS = st.lists(
    st.sampled_from(["Aetna", "aétna", "Cedar", "12345", "123", "Lee", "-", "Ridge7", "", "ſ"]),
    max_size=4,
).map(" ".join)


@given(st.sets(TEXTS), TEXTS)
def test_the_index_holds_what_some_original_holds(texts: set[str], new: str) -> None:
    found = Originals(texts, row_of).any_in(row_of(new))
    assert found == any(is_telling(text) and holds(new, text) for text in texts)
