"""The algebra of edits: what is taken back is as it was, whatever was done."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.errors import InputError, SpanError
from scrubjay.review.marks import (
    Action,
    Add,
    Change,
    Delete,
    Marks,
    Move,
    OnOverlap,
    Relabel,
    apply_change,
    decode_marks,
    encode_marks,
    find_same,
    marks_of,
    parse_action,
    plan_change,
    plan_same,
)
from tests.strategies import LABELS, disjoint_spans, texts

SIZE = 40
LEE = Span(0, 3, "DOCTOR")


@st.composite
def spans(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, SIZE - 1))
    return Span(start, draw(st.integers(start + 1, SIZE)), draw(st.sampled_from(LABELS)))


def actions(marks: Marks) -> st.SearchStrategy[Action]:
    border = st.integers(0, SIZE)
    label = st.sampled_from(LABELS)
    mark = st.sampled_from(marks) if marks else spans()
    return st.one_of(
        st.builds(Add, border, border, label),
        st.builds(Move, mark, border, border),
        st.builds(Relabel, mark, label),
        st.builds(Delete, mark),
    )


@given(st.data(), st.sampled_from(("refuse", "replace")))
def test_any_row_of_actions_can_be_taken_back_step_by_step(
    data: st.DataObject, policy: OnOverlap
) -> None:
    marks: Marks = ()
    past: list[tuple[Marks, Change]] = []
    for _ in range(data.draw(st.integers(0, 8))):
        try:
            change = plan_change(marks, data.draw(actions(marks)), size=SIZE, on_overlap=policy)
        except SpanError:
            continue
        past.append((marks, change))
        marks = apply_change(marks, change)
        assert list(marks) == sorted(set(marks))
        assert all(one.end <= two.start for one, two in pairwise(marks))
        assert all(mark.end <= SIZE for mark in marks)
    for before, change in reversed(past):
        marks = apply_change(marks, change.inverted())
        assert marks == before


@given(st.lists(spans()))
def test_marks_survive_their_json(found: list[Span]) -> None:
    scored = [Span(s.start, s.end, s.label, score=0.25, source="crf:1") for s in found]
    back = decode_marks(encode_marks(marks_of(scored)))
    assert encode_marks(back) == encode_marks(marks_of(scored))


def test_taking_back_gives_score_and_source_back() -> None:
    marks = (Span(0, 3, "DATE", score=0.5, source="crf"),)
    change = plan_change(marks, Delete(Span(0, 3, "DATE")), size=9)
    restored = apply_change(apply_change(marks, change), change.inverted())
    assert (restored[0].score, restored[0].source) == (0.5, "crf")


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (Add(2, 4, "DATE"), "overlaps DOCTOR [0, 3)"),
        (Add(5, 5, "DATE"), "empty or lies outside"),
        (Add(5, 41, "DATE"), "outside of the text of 40"),
        (Delete(Span(0, 3, "DATE")), "there is no mark DATE"),
        (Move(LEE, 3, 2), "empty or lies outside"),
    ],
)
def test_what_cannot_be_done_is_refused(action: Action, message: str) -> None:
    with pytest.raises(SpanError, match=re.escape(message)):
        plan_change((LEE,), action, size=SIZE)


def test_a_new_mark_can_take_the_place_of_what_it_overlaps() -> None:
    marks = (LEE, Span(4, 6, "DATE"), Span(8, 9, "AGE"))
    change = plan_change(marks, Add(2, 5, "CITY"), size=SIZE, source="ana", on_overlap="replace")
    assert apply_change(marks, change) == (Span(2, 5, "CITY"), Span(8, 9, "AGE"))
    assert change.added[0].source == "ana"


def test_doing_what_is_done_changes_nothing() -> None:
    assert not plan_change((LEE,), Add(0, 3, "DOCTOR"), size=SIZE)
    assert not plan_change((LEE,), Move(LEE, 0, 3), size=SIZE)
    assert not plan_change((LEE,), Relabel(LEE, "DOCTOR"), size=SIZE)


def test_a_change_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(SpanError, match="there is no mark"):
        apply_change((), Change((LEE,), ()))
    with pytest.raises(SpanError, match="is there already"):
        apply_change((LEE,), Change((), (LEE,)))


@given(texts().flatmap(lambda text: st.tuples(st.just(text), disjoint_spans(text))))
def test_same_strings_are_all_marked_alike(case: tuple[str, tuple[Span, ...]]) -> None:
    text, found = case
    for span in found:
        surface = text[span.start : span.end]
        same = plan_same(text, found, surface=surface, label="AGE")
        marks = apply_change(found, same.change)
        for start, end in find_same(text, surface):
            near = [mark for mark in marks if mark.start < end and start < mark.end]
            exact = [mark for mark in near if (mark.start, mark.end) == (start, end)]
            assert [m.label for m in exact] == ["AGE"] or len(exact) < len(near)
            assert text[start:end].split() == surface.split()
        gone = plan_same(text, marks, surface=surface, label=None)
        assert gone.skipped == same.skipped
        assert not any(mark.label == "AGE" and mark in same.change.added for mark in
                       apply_change(marks, gone.change))  # fmt: skip


def test_same_strings_are_whole_words_over_any_white_space() -> None:
    text = "Lee, Leeds; LEE Lee\n Ann Lee Ann"
    assert list(find_same(text, "Lee")) == [(0, 3), (16, 19), (25, 28)]
    assert list(find_same(text, "Lee Ann")) == [(16, 24), (25, 32)]
    assert list(find_same("a (b) (b)c", "(b)")) == [(2, 5), (6, 9)]
    assert list(find_same("x", " ")) == []


def test_same_strings_are_relabelled_and_others_left() -> None:
    text = "Lee Lee Lee Lee"
    marks = (Span(0, 3, "DATE"), Span(4, 9, "CITY"), Span(12, 15, "DOCTOR"))
    same = plan_same(text, marks, surface="Lee", label="DOCTOR", source="ana")
    assert (same.places, same.skipped) == (4, 2)
    assert same.change == Change((Span(0, 3, "DATE"),), (Span(0, 3, "DOCTOR"),))


def test_actions_come_from_json() -> None:
    mark = {"start": 0, "end": 3, "label": "DOCTOR"}
    assert parse_action({"action": "add", **mark}) == Add(0, 3, "DOCTOR")
    assert parse_action({"action": "delete", "mark": mark}) == Delete(LEE)
    assert parse_action({"action": "relabel", "mark": mark, "label": "AGE"}) == Relabel(LEE, "AGE")
    assert parse_action({"action": "move", "mark": mark, "start": 1, "end": 2}) == Move(LEE, 1, 2)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"action": "Quixotebury-77"},
        {"action": ["add"]},
        {"action": "add", "start": 0, "end": 3},
        {"action": "add", "start": True, "end": 3, "label": "AGE"},
        {"action": "add", "start": -1, "end": 3, "label": "AGE"},
        {"action": "add", "start": 0, "end": 3.5, "label": "AGE"},
        {"action": "add", "start": 0, "end": 3, "label": 7},
        {"action": "delete", "mark": "Quixotebury-77"},
        {"action": "delete", "mark": {"start": 3, "end": 3, "label": "AGE"}},
        {"action": "delete", "mark": {"start": 0, "end": 3, "label": "AGE"}, "more": 1},
    ],
)
def test_other_json_is_refused_without_being_quoted(record: dict[str, object]) -> None:
    with pytest.raises(InputError) as caught:
        parse_action(record)
    assert "Quixotebury" not in str(caught.value)
