"""Parts of odd forms are told of each text that has them, in both ways alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.taggers._mending import odd_forms
from scrubjay.taggers._mending.institutions import institution_names
from scrubjay.taggers._mending.odd_forms import EVERY, INSTITUTED, find_odd_parts

PARTS = sorted({near for forms in odd_forms._FORMS.values() for _, near, _ in forms})
TEXTS = st.lists(
    st.lists(st.sampled_from([*PARTS, "a", " ", "\n", "x y", "’", "9"]), max_size=8).map("".join),
    min_size=1, max_size=5,
)  # fmt: skip


def told(texts: list[str], language: str, *, is_compiled: bool) -> list[int]:
    joined = "\n".join(["", *texts, "", "", "", ""]).encode("latin-1", "replace")
    bounds = np.cumsum([1, *(len(text) + 1 for text in texts)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(odd_forms, "use_compiled", lambda *_, **__: is_compiled)
        return find_odd_parts(joined, bounds, language)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(["en", "nl", "es"]))
def test_a_text_that_has_a_part_is_told_of_it(texts: list[str], language: str) -> None:
    for text, parts in zip(texts, told(texts, language, is_compiled=False), strict=True):
        assert 0 <= parts <= EVERY
        for bit, near, _ in odd_forms._FORMS[language]:
            assert near not in text or parts & bit


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(["en", "nl", "es", "xx"]))
def test_the_kernel_tells_the_same(texts: list[str], language: str) -> None:
    pytest.importorskip("numba")
    plain = told(texts, language, is_compiled=False)
    assert told(texts, language, is_compiled=True) == plain


def test_a_plain_text_has_hardly_any() -> None:
    (parts,) = told(["he is well and eats"], "en", is_compiled=False)
    assert parts.bit_count() < 3


@pytest.mark.parametrize("name", institution_names())
def test_a_text_is_told_of_each_institution(name: str) -> None:
    with_it, without = told(
        [f"avisar a {name} y familia", "avisar a familia"], "es", is_compiled=False
    )
    assert with_it & INSTITUTED
    assert not without & INSTITUTED
