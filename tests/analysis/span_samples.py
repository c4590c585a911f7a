"""Small sets of spans, drawn fast: what they lie over matters to no count."""

from __future__ import annotations

from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.evaluation.pairs import Pair
from scrubjay.spans import select_disjoint

LABELS = ("AGE", "CITY", "DATE", "DOCTOR", "PATIENT")
TEXT = "Lee, 71: 3/4 Ohio."

_span = st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from(LABELS)).map(
    lambda drawn: Span(drawn[0], drawn[0] + drawn[1], drawn[2])
)
span_lists = st.lists(_span, max_size=8)
"""Spans that may overlap, nest and repeat."""

disjoint_lists = span_lists.map(lambda spans: list(select_disjoint(spans)))


def pair_of(gold: list[Span], predicted: list[Span], *, text: str = TEXT, name: str = "d") -> Pair:
    """Return a pair over one text."""
    return Pair(Document(name, text, tuple(gold)), Document(name, text, tuple(predicted)))


span_pairs = st.builds(pair_of, span_lists, span_lists)
disjoint_pairs = st.builds(pair_of, disjoint_lists, disjoint_lists)
corpora = st.lists(st.tuples(span_lists, span_lists), max_size=3).map(
    lambda sides: [pair_of(*side, name=f"d{number}") for number, side in enumerate(sides)]
)
"""Pairs with one id each."""
