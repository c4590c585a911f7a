"""Days that are written as others that were found are days; fractions, scores and settings not."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.days_alike import add_days_alike
from scrubjay.taggers.mending import mend


def _added(text: str) -> list[str]:
    """Return what is found beside the days in braces."""
    bare, spans = "", []
    for part in re.split(r"(\{[^}]*\})", text):
        if part.startswith("{"):
            spans.append(Span(len(bare), len(bare) + len(part) - 2, "DATE", score=1.0))
        bare += part.strip("{}")
    rows = add_days_alike(bare, tuple(spans), "en")
    assert set(mend(bare, spans, "en")) == set(rows)
    assert mend(bare, spans, "en", labels=frozenset(["PATIENT"])) == tuple(spans)
    return [bare[row.start : row.end] for row in rows if row not in spans]


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("      4/20 {4/30} 5/8  {5/16} 6/6\nCr    121  139", ["4/20", "5/8", "6/6"]),
        ("Chart   {11/5}    20/5  | {09/6}\nHb 13.2 12", ["20/5"]),
        ("{13/6} tac 13\n16/6 CMV x1\n- {20/6} neg\n4/7: home", ["16/6", "4/7"]),
        ("seen {29/5}, {18/6}. D21 19/6, home 2/6", ["19/6"]),
        ("{3-4} rash\n{5-4} gone\n7-4 home", ["7-4"]),
    ],
)
def test_days_are_found(text: str, added: list[str]) -> None:
    assert _added(text) == added


@pytest.mark.parametrize(
    "text",
    [
        "{4/20} seen, {4/30} seen. pain 5/8",
        "{29/5}\nseen 19/6",
        "Pain {4/20} 5/8 {4/30} mild",
        "{29/5} on, {18/6} off. BiPAP 16/8, PS 14/5, Apgar 9/10, 21/7 course, 18/7.5",
        "{4/20} and {5/16}. wbc 20/5",
        "{29/5} and {18/6}, 18-6 and 29/5/22",
        "{13/6} tac\n{20/6} neg\n1/2 tab\n3/4 cup\n1/4 tab",
    ],
)
def test_values_are_left(text: str) -> None:
    assert _added(text) == []


@given(
    st.lists(
        st.sampled_from(["4/20", "20/4", "5/8", "18/6", " ", "  ", "\n", "tac", "|", "3-4", ": "]),
        max_size=24,
    ),
    st.sets(st.integers(0, 23)),
)
def test_spans_stay_and_are_disjoint(parts: list[str], chosen: set[int]) -> None:
    text, spans = "", []
    for number, part in enumerate(parts):
        if number in chosen and part[0].isdigit():
            spans.append(Span(len(text), len(text) + len(part), "DATE"))
        text += part
    rows = add_days_alike(text, tuple(spans), "en")
    assert set(spans) <= set(rows)
    assert all(one.end <= two.start for one, two in pairwise(rows))
