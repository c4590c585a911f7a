"""Edits: property tests against a plain oracle that rebuilds the text by slices."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.errors import SpanError
from scrubjay.transform.edits import Edit, apply_edits
from tests.strategies import texts


@st.composite
def edited_texts(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    text = draw(texts())
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    pairs = [pair for pair in zip(cuts[::2], cuts[1::2], strict=False) if pair[0] < pair[1]]
    return text, [Edit(start, end, draw(texts(max_pieces=2))) for start, end in pairs]


def rebuild(text: str, edits: list[Edit]) -> str:
    """Make the edits one by one, last first: slow, plain, and without any running offset."""
    for edit in reversed(edits):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text


@settings(max_examples=100)
@given(edited_texts())
def test_text_is_that_of_the_oracle(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    assert apply_edits(text, edits).text == rebuild(text, edits)


@settings(max_examples=100)
@given(edited_texts())
def test_text_outside_the_edits_is_identical_and_mapped(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    edited = apply_edits(text, edits)
    borders = [0, *(border for edit in edits for border in (edit.start, edit.end)), len(text)]
    for start, end in zip(borders[::2], borders[1::2], strict=True):
        if start < end:
            new_start, new_end = edited.offsets.interval(start, end)
            assert edited.text[new_start:new_end] == text[start:end]
            for offset in range(start, end):
                place = edited.offsets.interval(offset, offset + 1)
                assert edited.text[slice(*place)] == text[offset]
    for edit in edits:
        place = edited.offsets.interval(edit.start, edit.end)
        assert edited.text[slice(*place)] == edit.replacement
        inner = edited.offsets.interval(edit.start, edit.start + 1)
        assert inner == place


@settings(max_examples=50)
@given(edited_texts(), st.data())
def test_the_map_is_monotonous_and_stays_inside(
    case: tuple[str, list[Edit]], data: st.DataObject
) -> None:
    text, edits = case
    edited = apply_edits(text, edits)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new_start, new_end = edited.offsets.interval(start, end)
    if start < end:
        assert 0 <= new_start <= new_end <= len(edited.text)
    assert edited.offsets.interval(0, len(text)) == (0, len(edited.text))


def test_spans_move_with_their_text_and_go_with_it() -> None:
    edited = apply_edits("Seen by Anna on Friday.", [Edit(8, 12, "Bo"), Edit(12, 22, "")])
    spans = (Span(8, 12, "DOCTOR", score=0.5, source="x"), Span(16, 22, "DATE"))
    assert edited.text == "Seen by Bo."
    assert edited.moved(spans) == (Span(8, 10, "DOCTOR", score=0.5, source="x"),)


def test_neighbours_that_touch_both_change() -> None:
    edited = apply_edits("AnnaBob", [Edit(0, 4, "[A]"), Edit(4, 7, "[B]")])
    assert edited.text == "[A][B]"
    assert edited.offsets.interval(4, 7) == (3, 6)
    assert edited.offsets.interval(2, 5) == (0, 6)


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(0, 3, ""), Edit(2, 4, "")],
        [Edit(2, 4, ""), Edit(0, 1, "")],
        [Edit(2, 2, "x")],
        [Edit(3, 2, "x")],
        [Edit(-1, 2, "x")],
        [Edit(0, 99, "x")],
    ],
)
def test_edits_that_cannot_be_made_are_an_error_without_text(edits: list[Edit]) -> None:
    with pytest.raises(SpanError) as caught:
        apply_edits("CANARY", edits)
    assert "CANARY" not in str(caught.value)


def test_empty_edits_insert_where_that_is_asked_for() -> None:
    edits = [Edit(0, 0, "a"), Edit(0, 0, "b"), Edit(1, 2, "c"), Edit(2, 2, "d"), Edit(3, 3, "e")]
    edited = apply_edits("xyz", edits, empty="insert")
    assert edited.text == "abxcdze"
    assert edited.offsets.interval(0, 1) == (2, 3)
    assert edited.offsets.interval(2, 3) == (5, 6)
    assert apply_edits("", [Edit(0, 0, "a")], empty="insert").text == "a"
    for wrong in ([Edit(1, 0, "a")], [Edit(0, 2, "a"), Edit(1, 1, "b")], [Edit(4, 4, "a")]):
        with pytest.raises(SpanError):
            apply_edits("xyz", wrong, empty="insert")


def test_reprs_hold_no_text() -> None:
    edit = Edit(0, 4, "CANARY")
    assert "CANARY" not in repr(edit)
    assert "CANARY" not in repr(apply_edits("Anna", [edit]))
