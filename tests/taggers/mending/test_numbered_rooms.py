"""Rooms with a number are found by what they are for; what is counted in them is left."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.numbered_rooms import add_numbered_rooms
from scrubjay.taggers.mending import mend


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("13-9 af, gipskamer 2. Moeder", "gipskamer 2"),
        ("vr 7/2, echokamer 1.", "echokamer 1"),
        ("Slaapplaats ouderkamer 2 verlengd tot", "ouderkamer 2"),
        ("Gipskamer 2", "Gipskamer 2"),
        ("Kuit suite 4: sat 84", "suite 4"),
        ("Dhr. X separeer 1, blijkt", "separeer 1"),
        ("wachttijd op holding 2 (3 uur", "holding 2"),
        ("9 december, Verpleegpunt C, nuchter", "Verpleegpunt C"),
        ("7.00 u, opnameplein 2, verblijf", "opnameplein 2"),
        ("neo couveuse 3: baby", "couveuse 3"),
        ("Gescheiden slaapzaal 1 en 2", "slaapzaal 1"),
        ("wachtkamer 3 stoelen bij", ""),
        ("huiskamer 8 bewoners", ""),
        ("woonkamer 30 m2", ""),
        ("slaapkamer 2 hoog", ""),
        ("behandelkamer 12 m2 groot", ""),
        ("behandelkamer 10.30 u", ""),
        ("behandelkamer 3x bezocht", ""),
        ("behandelkamer 15/3 leeg", ""),
        ("behandelkamer 2-3 keer", ""),
        ("naar de gipskamer om 2 uur", ""),
        ("nasuite 3", ""),
        ("couveuse 3 dagen", ""),
        ("separeer 14 uur lang", ""),
        ("kamer ", ""),
        ("", ""),
    ],
)
def test_rooms(text: str, room: str) -> None:
    found = add_numbered_rooms(text, ())
    assert [text[s.start : s.end] for s in found] == ([room] if room else [])
    assert all(s.label == "INTERNAL_LOCATION" for s in found)
    assert set(found) <= set(mend(text, [], "nl"))
    assert not set(found) & set(mend(text, [], "en"))
    assert mend(text, [], "nl", labels=frozenset(["DATE"])) == ()


def test_what_was_covered_stays() -> None:
    text = "in gipskamer 2."
    whole = (Span(13, 14, "ID"),)
    assert add_numbered_rooms(text, whole) == whole
