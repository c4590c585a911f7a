"""Rooms at the begins of lines are found beside those that were; other numbers are none."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.row_rooms import add_row_rooms
from scrubjay.taggers.mending import mend


def _added(text: str, *rooms: str, label: str = "INTERNAL_LOCATION") -> list[str]:
    spans = tuple(
        Span(place, place + len(room), label)
        for room in rooms
        for place in [(f"\n{text}").index(f"\n{room}")]
    )
    rows = add_row_rooms(text, spans)
    assert rows == tuple(sorted(rows, key=lambda span: span.start))
    return [text[s.start : s.end] for s in rows if s not in spans]


ROW = "31 vermeer: slaapt\n32 ten hove\n33 leeg\n34 Stien: op\nwas laat\n35 Prins\n36: Siebe"


def test_rooms_of_a_row() -> None:
    assert _added(ROW, "31", "32") == ["33", "34", "35", "36"]
    assert _added(ROW, "34", "35") == ["31", "32", "33", "36"]
    spans = [Span(0, 2, "INTERNAL_LOCATION", score=1.0), Span(19, 21, "INTERNAL_LOCATION")]
    assert len(mend(ROW, spans, "nl")) == 6
    assert len(mend(ROW, spans, "en")) == 2
    assert len(mend(ROW, spans, "nl", labels=frozenset(["NAME"]))) == 2


@pytest.mark.parametrize(
    "text",
    [
        "31 vermeer\n32 hove\n80 eieren",  # far on
        "31 vermeer\n32 hove\n30 mg gegeven",
        "31 vermeer\n32 hove\n33 mg gegeven",
        "31 vermeer\n32 hove\n33 dec komt hij",
        "31 vermeer\n32 hove\n33:10 u",
        "31 vermeer\n32 hove\n33.5 graden",
        "31 vermeer\n32 hove\nkamer 33",
        "31 vermeer\n32 hove\n32 jaar",
    ],
)
def test_other_numbers_are_left(text: str) -> None:
    assert _added(text, "31", "32") == []


def test_one_room_or_other_labels_tell_nothing() -> None:
    assert _added(ROW, "31") == []
    assert _added(ROW, "31", "32", label="AGE") == []
    assert _added("1 leeg\n2 leeg\n3 leeg", "1", "2") == []
