"""Names with "Mc" in one case are found; signs, manoeuvres and short forms are not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people.scots import add_scots
from scrubjay.taggers.mending import mend


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("mcfarquar not for HDU yet", "mcfarquar"),
        ("dr mcgregor's plan", "mcgregor"),
        ("SEEN BY MCALLISTER.", "MCALLISTER"),
        ("spoke to Mcgillicuddy", "Mcgillicuddy"),
        ("mccarthy-ruiz, 5", "mccarthy-ruiz"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert [text[span.start : span.end] for span in mend(text, (), "en")] == [name]


@pytest.mark.parametrize(
    "text",
    [
        "tender at mcburney, MCBURNEY +, Mcmurray neg, mcroberts + suprapubic",
        "MCDONALD CRITERIA, mcgill pain score, mcardle, Mccune, mckenzie, Mcintosh blade",
        "fentanyl 50 mcgbolus, 2 mcgkgmin drip, MCLESION, MCSTROKE",
        "50 mcg, mcl, MCHC, MCV, mcaid, mcare, MCHAT, mCRPC, MCPyV",
        "met at mcdonalds, mcflurry; mcgregor hospital, mcallister's syndrome",
        "x@mcfarquar.example, /mcfarquar, amcfarquar, McRae line, mcbbcdfghk",
    ],
)
def test_no_names(text: str) -> None:
    assert mend(text, (), "en") == ()


def test_a_name_has_the_label_that_it_has_elsewhere_and_spans_stay() -> None:
    text = "Dr. McFarquar in. mcfarquar rang mcguire."
    spans = (Span(4, 13, "DOCTOR"), Span(33, 40, "CITY"))
    found = mend(text, spans, "en")
    assert [(text[s.start : s.end], s.label) for s in found] == [
        ("McFarquar", "DOCTOR"),
        ("mcfarquar", "DOCTOR"),
        ("mcguire", "CITY"),
    ]


PIECES = st.sampled_from([
    "mc", "MC", "Mc", "farquar", "FARQUAR", "g", " ", "é", "-", "Dr", "gregor", "\n", "7", "漢",
])  # fmt: skip


@given(st.lists(st.lists(PIECES, max_size=9).map("".join), max_size=4))
def test_no_place_is_left_out(texts: list[str]) -> None:
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        places = [match.start() for match in re.finditer(r"(?i)(?<!\w)mc", text)]
        assert add_scots(text, (), cues.scots) == add_scots(text, (), places)
