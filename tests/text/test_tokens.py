"""Spans on tokens: against a plain oracle, and nothing is lost uncounted."""

from __future__ import annotations

import pickle
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.text.tokens import AlignmentMode, Tokens, align_spans
from tests.oracles.alignment import token_range
from tests.strategies import disjoint_spans, tokens
from tests.toys import CANARY

MODES: tuple[AlignmentMode, ...] = get_args(AlignmentMode)


def make_tokens(text: str, *bounds: tuple[int, int], sentences: tuple[int, ...] = (0,)) -> Tokens:
    starts, ends = zip(*bounds, strict=True) if bounds else ((), ())
    return Tokens(
        text,
        np.array(starts, dtype=np.int32),
        np.array(ends, dtype=np.int32),
        np.array(sentences if bounds else (), dtype=np.int32),
    )


SMITH = make_tokens("Dr. Smith-Jones left", (0, 3), (4, 15), (16, 20))
"""`Dr.`, `Smith-Jones`, `left`."""


@pytest.mark.parametrize(
    ("start", "end", "strict", "contract", "expand"),
    [
        (4, 15, (1, 2), (1, 2), (1, 2)),
        (4, 9, None, None, (1, 2)),
        (0, 9, None, (0, 1), (0, 2)),
        (1, 20, None, (1, 3), (0, 3)),
        (3, 16, None, (1, 2), (1, 2)),
        (4, 16, None, (1, 2), (1, 2)),
        (0, 20, (0, 3), (0, 3), (0, 3)),
        (3, 4, None, None, None),
        (20, 25, None, None, None),
    ],
)
def test_modes_by_hand(
    start: int,
    end: int,
    strict: tuple[int, int] | None,
    contract: tuple[int, int] | None,
    expand: tuple[int, int] | None,
) -> None:
    assert SMITH.token_range(start, end, mode="strict") == strict
    assert SMITH.token_range(start, end, mode="contract") == contract
    assert SMITH.token_range(start, end, mode="expand") == expand
    assert SMITH.token_range(start, end) == expand


@pytest.mark.parametrize("mode", MODES)
def test_token_range_is_that_of_the_oracle(mode: AlignmentMode) -> None:
    @settings(max_examples=60)
    @given(tokens(), st.data())
    def check(drawn: Tokens, data: st.DataObject) -> None:
        size = len(drawn.text)
        start = data.draw(st.integers(0, size))
        end = data.draw(st.integers(start + 1, size + 2))
        assert drawn.token_range(start, end, mode=mode) == token_range(drawn, start, end, mode)

    check()


@pytest.mark.parametrize("mode", MODES)
def test_every_span_is_placed_or_counted(mode: AlignmentMode) -> None:
    @settings(max_examples=60)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        drawn = data.draw(tokens())
        spans = data.draw(_any_spans(drawn.text))
        found = align_spans(drawn, spans, mode=mode)
        claimed = np.zeros(len(drawn), dtype=int)
        for first, last, _ in found.ranges:
            claimed[first:last] += 1
        assert (claimed <= 1).all()
        assert list(found.ranges) == sorted(found.ranges)
        expand = [token_range(drawn, s.start, s.end, "expand") for s in sorted(spans)]
        strict = [token_range(drawn, s.start, s.end, "strict") for s in sorted(spans)]
        own = [token_range(drawn, s.start, s.end, mode) for s in sorted(spans)]
        assert list(found.empty) == [
            s for s, r in zip(sorted(spans), expand, strict=True) if r is None
        ]
        assert list(found.misaligned) == [
            s
            for s, wide, exact in zip(sorted(spans), expand, strict, strict=True)
            if wide is not None and exact is None
        ]
        placed = [(*r, s.label) for s, r in zip(sorted(spans), own, strict=True) if r is not None]
        assert len(placed) == len(found.ranges) + len(found.collided)
        assert set(found.ranges) <= set(placed)

    check()


@st.composite
def _any_spans(draw: st.DrawFn, text: str) -> list[Span]:
    """Spans of any kind: overlapping, of white space alone, twice the same."""
    starts = draw(st.lists(st.integers(0, max(0, len(text) - 1)), max_size=5 if text else 0))
    return [
        Span(start, draw(st.integers(start + 1, len(text))), draw(st.sampled_from("AB")))
        for start in starts
    ]


@settings(max_examples=60)
@given(st.data())
def test_expanded_spans_cover_their_characters(data: st.DataObject) -> None:
    drawn = data.draw(tokens())
    spans = data.draw(disjoint_spans(drawn.text))
    found = align_spans(drawn, spans)
    covered: set[int] = set()
    for first, last, _ in found.ranges:
        covered |= set(range(int(drawn.starts[first]), int(drawn.ends[last - 1])))
    for span in spans:
        missing = {c for c in range(span.start, span.end) if not drawn.text[c].isspace()} - covered
        assert not missing or span in found.collided


def test_the_longer_of_two_claims_wins_and_the_other_is_counted() -> None:
    short, long = Span(4, 8, "CITY"), Span(7, 15, "DOCTOR")
    found = align_spans(SMITH, [short, long])
    assert found.ranges == ((1, 2, "DOCTOR"),)
    assert found.collided == (short,)
    assert found.misaligned == (short, long)
    first, second = Span(4, 8, "CITY"), Span(8, 12, "DOCTOR")
    assert align_spans(SMITH, [second, first]).ranges == ((1, 2, "CITY"),)


def test_white_space_alone_is_empty_and_at_a_border_misaligned() -> None:
    found = align_spans(SMITH, [Span(3, 4, "DATE"), Span(4, 16, "DOCTOR")])
    assert found.empty == (Span(3, 4, "DATE"),)
    assert found.misaligned == (Span(4, 16, "DOCTOR"),)
    assert found.ranges == ((1, 2, "DOCTOR"),)
    assert align_spans(SMITH, [Span(4, 16, "DOCTOR")], mode="strict").ranges == ()


def test_a_text_without_tokens() -> None:
    nothing = make_tokens(" \n ")
    assert len(nothing) == 0
    assert nothing.words() == []
    assert nothing.sentence_bounds().tolist() == [0]
    assert nothing.token_range(0, 3) is None
    assert align_spans(nothing, [Span(0, 2, "A")]).empty == (Span(0, 2, "A"),)


def test_words_and_sentences() -> None:
    drawn = make_tokens("a bb ccc", (0, 1), (2, 4), (5, 8), sentences=(0, 2))
    assert drawn.words() == ["a", "bb", "ccc"]
    assert drawn.sentence_bounds().tolist() == [0, 2, 3]
    assert drawn.sentence_bounds().dtype == np.int32


def test_a_repr_shows_sizes_and_no_text() -> None:
    drawn = make_tokens(CANARY, (0, len(CANARY)))
    assert repr(drawn) == "Tokens(1 tokens, 1 sentences)"
    assert pickle.loads(pickle.dumps(drawn)).words() == [CANARY]
