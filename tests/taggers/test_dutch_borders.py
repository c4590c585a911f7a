"""Dutch mentions begin where the convention says, and lose nothing but what stands before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._dutch_borders import mend_dutch_borders
from scrubjay.taggers.mending import mend

PIECES = (
    "Mevr. ", "dr. ", "DR. ", "mw ", "tante ", "Zus ", "Van: ", "de ", "het ", "tst. ", "E.H. ",
    "Jansen", "UWV", "4471", " ", "\n", ".",
)  # fmt: skip


@pytest.mark.parametrize(
    ("label", "given", "left"),
    [
        ("NAME", "Mevr. dr. A. Stolk", "A. Stolk"),
        ("NAME", "beppe Zijlstra", "Zijlstra"),
        ("NAME", "Van: Gonda", "Gonda"),
        ("NAME", "E.H. Somers", "E.H. Somers"),  # initials, for all that one can see
        ("NAME", "Zus Brouwer", "Zus Brouwer"),  # a first name, too
        ("NAME", "MR Kanters", "MR Kanters"),
        ("NAME", "van Doorn", "van Doorn"),
        ("NAME", "dr.", "dr."),
        ("ORGANIZATION_COMPANY", "de Kamer van Koophandel", "Kamer van Koophandel"),
        ("ORGANIZATION_COMPANY", "De Lijn", "De Lijn"),
        ("CARE_INSTITUTE", "de Dem", "de Dem"),
        ("PHONE_FAX", "tst 2231", "2231"),
        ("PHONE_FAX", "06-20 93 11 86", "06-20 93 11 86"),
    ],
)
def test_what_stands_before_a_mention_is_cut_off(label: str, given: str, left: str) -> None:
    text = f"Zie {given}, thuis"
    (found,) = mend(text, [Span(4, 4 + len(given), label)], "nl")
    assert text[found.start : found.end] == left
    assert mend(text, [Span(4, 4 + len(given), label)], "es") == (Span(4, 4 + len(given), label),)


@given(st.lists(st.sampled_from(PIECES), min_size=1).map("".join), st.data())
def test_spans_only_lose_their_beginning_and_never_all(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    label = data.draw(st.sampled_from(["NAME", "ORGANIZATION_COMPANY", "PHONE_FAX", "DATE"]))
    (found,) = mend_dutch_borders(text, [Span(start, end, label, 0.5, "crf")])
    assert start <= found.start < found.end == end
    assert (found.label, found.score, found.source) == (label, 0.5, "crf")
    (again,) = mend_dutch_borders(text, [found])
    assert again == found
