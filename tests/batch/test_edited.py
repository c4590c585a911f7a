"""Edits checked against both texts: what was edited soundly passes, and every other text fails."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch.edited import (
    Replaced,
    holder_of,
    original_place,
    replaced_of,
    replacements_of,
    require_edits,
    require_same_text,
)
from scrubjay.deidentifier import Deidentified
from scrubjay.document import Document, Span
from scrubjay.errors import AlteredTextError, LostMentionError
from scrubjay.transform.edits import Edit, apply_edits

TEXTS = st.text(alphabet="ab X\n\U0001d504e\u0301", max_size=24)


@st.composite
def edited_texts(draw: st.DrawFn) -> tuple[str, Deidentified]:
    """Return a text, and it with some disjoint stretches replaced, by nothing, too.

    Some edits take blanks away that stand behind a mention.
    """
    text = draw(TEXTS)
    borders = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    if draw(st.booleans()) and len(borders) > 2:
        borders.insert(1, borders[1])  # neighbours that touch
    pairs = zip(borders[::2], borders[1::2], strict=False)
    edits = tuple(
        Edit(start, end, draw(st.text(alphabet="ab[]-1", max_size=5)))
        for start, end in pairs
        if start < end
    )
    found = tuple(
        Span(edit.start, edit.start + draw(st.integers(least_of(text, edit), size)), "PATIENT")
        for edit in edits
        for size in [edit.end - edit.start]
    )
    return text, Deidentified(Document("a", apply_edits(text, edits).text), found, edits)


def least_of(text: str, edit: Edit) -> int:
    """Return the characters of a stretch without the blanks at its end, but at least one."""
    return max(1, len(text[edit.start : edit.end].rstrip(" ")))


def with_text(result: Deidentified, text: str) -> Deidentified:
    return replace(result, document=Document("a", text))


@given(edited_texts())
def test_what_was_edited_soundly_passes(made: tuple[str, Deidentified]) -> None:
    text, result = made
    require_edits(text, result)
    require_same_text(text, result)
    assert replacements_of(text, result) == [edit.replacement for edit in result.edits]


@given(edited_texts(), TEXTS)
def test_any_other_output_is_refused(made: tuple[str, Deidentified], other: str) -> None:
    text, result = made
    if other == result.document.text:
        return
    with pytest.raises(AlteredTextError) as caught:
        require_same_text(text, with_text(result, other))
    assert "X" not in str(caught.value)


@given(edited_texts(), st.data())
def test_a_character_changed_anywhere_is_found(
    made: tuple[str, Deidentified], data: st.DataObject
) -> None:
    text, result = made
    new = result.document.text
    place = data.draw(st.integers(0, len(new)))
    spoiled = data.draw(
        st.sampled_from([f"{new[:place]}z{new[place:]}", f"{new[:place]}z{new[place + 1 :]}"])
    )
    with pytest.raises(AlteredTextError):
        require_same_text(text, with_text(result, spoiled))
    if place < len(new):
        with pytest.raises(AlteredTextError):
            require_same_text(text, with_text(result, new[:place] + new[place + 1 :]))


@given(edited_texts(), st.data())
def test_a_mention_without_its_edit_is_lost(
    made: tuple[str, Deidentified], data: st.DataObject
) -> None:
    text, result = made
    if not result.edits:
        return
    place = data.draw(st.integers(0, len(result.edits) - 1))
    edit = result.edits[place]
    before, after = result.edits[:place], result.edits[place + 1 :]
    changed = data.draw(
        st.sampled_from([(), (edit._replace(end=result.found[place].end - 1),), (edit, edit)]),
    )
    spoiled = replace(result, edits=(*before, *changed, *after))
    with pytest.raises(LostMentionError):
        require_edits(text, spoiled)
    replaced = replacements_of(text, spoiled)
    assert len(replaced) == len(result.found)
    if changed != (edit, edit):
        assert replaced[place] is None
    rest = [new for number, new in enumerate(replaced) if number != place]
    assert rest == [each.replacement for each in (*before, *after)]


def test_an_edit_takes_nothing_but_blanks_away_beside_its_mention() -> None:
    found = (Span(0, 3, "PATIENT"),)
    for text, edit in (
        ("Ann  Lee", Edit(0, 6, "X")),
        ("Ann\nLee", Edit(0, 4, "X")),
        (" Ann Lee", Edit(1, 4, "X")),
    ):
        edited = Document("a", apply_edits(text, [edit]).text)
        with pytest.raises(LostMentionError):
            require_edits(text, Deidentified(edited, found, (edit,)))


@given(edited_texts())
def test_what_stands_between_replacements_is_found_in_the_original(
    made: tuple[str, Deidentified],
) -> None:
    text, result = made
    placed, new = list(replaced_of(result)), result.document.text
    for place, character in enumerate(new):
        known = original_place(place, place + 1, placed)
        assert (known is None) == (holder_of(place, place + 1, placed) is not None)
        assert known is None or text[known[0] : known[1]] == character


@given(edited_texts())
def test_replacements_stand_where_they_are_said_to(made: tuple[str, Deidentified]) -> None:
    _, result = made
    placed = list(replaced_of(result))
    new = result.document.text
    assert [new[one.start : one.end] for one in placed] == [
        edit.replacement for edit in result.edits
    ]
    assert [one.span for one in placed] == list(result.found)
    assert [(one.start, one.end) for one in placed] == sorted(
        (one.start, one.end) for one in placed
    )


@given(edited_texts(), st.integers(0, 30), st.integers(1, 8))
def test_the_holder_is_the_one_that_a_look_at_each_finds(
    made: tuple[str, Deidentified], start: int, size: int
) -> None:
    placed = list(replaced_of(made[1]))
    holders = [one for one in placed if one.start <= start and start + size <= one.end]
    assert holder_of(start, start + size, placed) == (holders[0] if holders else None)


def test_an_empty_replacement_holds_nothing() -> None:
    name, town = Span(0, 4, "PATIENT"), Span(4, 9, "CITY")
    placed = [Replaced(0, 0, name, 4), Replaced(0, 5, town, 9)]
    assert holder_of(0, 5, placed) == placed[1]
    assert holder_of(0, 6, placed) is None
    assert holder_of(0, 1, []) is None
