"""Rooms at the begins of lines are found beside one that was; other numbers are none."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.row_rooms import add_row_rooms
from scrubjay.taggers.mending import mend

ROW = "31 vermeer: slaapt\n32 ten hove: 2x\n33 leeg\n34 Stien: op\nwas laat\n35 de Prins\n36: Siebe"
NAMES = ("vermeer", "ten hove", "Stien", "de Prins", "Siebe")


def _spans(text: str, *rooms: str, label: str = "INTERNAL_LOCATION") -> list[Span]:
    found = [
        Span(place, place + len(room), label)
        for room in rooms
        for place in [f"\n{text}".index(f"\n{room}")]
    ]
    found += [Span(text.index(n), text.index(n) + len(n), "NAME") for n in NAMES if n in text]
    return sorted(found, key=lambda span: span.start)


def _added(text: str, *rooms: str, label: str = "INTERNAL_LOCATION") -> list[str]:
    spans = tuple(_spans(text, *rooms, label=label))
    rows = add_row_rooms(text, spans)
    assert rows == tuple(sorted(rows, key=lambda span: span.start))
    return [text[s.start : s.end] for s in rows if s not in spans]


def test_rooms_of_a_row() -> None:
    assert _added(ROW, "31") == ["32", "33", "34", "35", "36"]
    assert _added(ROW, "34", "35") == ["31", "32", "33", "36"]
    spans = _spans(ROW, "31")
    rooms = [s for s in mend(ROW, spans, "nl") if s.label == "INTERNAL_LOCATION"]
    assert [ROW[s.start : s.end] for s in rooms] == ["31", "32", "33", "34", "35", "36"]
    assert len(mend(ROW, spans, "nl", labels=frozenset(["NAME"]))) == len(spans)


@pytest.mark.parametrize(
    "text",
    [
        "80 eieren gehaald",  # far on
        "36 mg gegeven",
        "36 dec komt hij",
        "36 uur wakker",
        "36 jaar getrouwd",
        "36:10 op",
        "36.5 graden",
        "kamer 36",
        "30 keer gebeld",
        "36 x gebeld",
    ],
)
def test_other_numbers_are_left(text: str) -> None:
    row = "31 vermeer\n32 ten hove\n34 Stien: op\n35 de Prins"
    assert _added(f"{row}\n{text}", "31") == ["32", "34", "35"]


def test_no_room_few_persons_or_other_labels_tell_nothing() -> None:
    assert _added(ROW) == []
    assert _added("31 vermeer\n32 rustig\n33 leeg", "31") == []
    assert _added(ROW, "31", label="AGE") == []
    assert _added("1 vermeer\n2 ten hove\n3 Stien", "1") == []
    assert _added("31 vermeer\n41 ten hove\n51 Stien", "31") == []
    assert _added("31 vermeer\n30 ten hove\n29 Stien", "31") == []
