"""Professions end with their sentence; what could be a name stays covered."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.clauses import part_professions


def part(text: str, label: str = "PROFESSION", language: str = "nl") -> list[str]:
    spans = part_professions(text, [Span(0, len(text), label)], language=language)
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("leraar. leest veel", ["leraar"]),
        ("bakker. later postbode", ["bakker", "later postbode"]),
        ("lasser! dochter leest", ["lasser"]),
        ("vrachtwagenchauffeur. marieke", ["vrachtwagenchauffeur", "marieke"]),
        ("marieke. lasser", ["marieke", "lasser"]),
        ("lasser. Leest veel", ["lasser", "Leest veel"]),
        ("medew. bakker", ["medew", "bakker"]),
        ("alg. directeur", ["alg. directeur"]),  # an abbreviation
        ("leest veel. komt weinig", ["leest veel. komt weinig"]),  # no profession is named
        ("leraar\naardrijkskunde", ["leraar\naardrijkskunde"]),
        ("leraar", ["leraar"]),
    ],
)
def test_each_sentence_is_a_span_of_its_own(text: str, parts: list[str]) -> None:
    assert part(text) == parts


def test_other_labels_and_languages() -> None:
    assert part("Bakker. leest veel", "NAME") == ["Bakker. leest veel"]
    assert part("teacher. reads a lot", language="en") == ["teacher"]


WORDS = st.sampled_from(
    ["bakker", "leest", "veel", "marieke", "Jansen", "dochter", "x", "med", "niet"]
)
SIGNS = st.sampled_from([" ", ". ", "! ", "\n", "\n\n", ", ", ""])


@given(st.lists(st.tuples(WORDS, SIGNS), min_size=1, max_size=12))
def test_names_stay_covered_and_spans_disjoint(words: list[tuple[str, str]]) -> None:
    text = "".join(word + sign for word, sign in words).strip()
    spans = list(part_professions(text, [Span(0, len(text), "PROFESSION")], language="nl"))
    assert all(one.end <= other.start for one, other in pairwise(spans))
    covered = " ".join(text[span.start : span.end] for span in spans)
    for word, _ in words:
        if word in ("marieke", "Jansen", "bakker", "x"):
            assert covered.count(word) == text.count(word)
