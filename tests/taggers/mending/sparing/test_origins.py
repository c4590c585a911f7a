"""Texts from outside America are told by a sure sign or two hints, unless more speaks for it."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.sparing.origins import looks_not_american


@pytest.mark.parametrize(
    "text",
    [
        "Amoxicillin 500 mg tds",
        "A&E attendance",
        "Paracetamol given",
        "ankle oedema",
        "fit note issued",
        "back 6/52",
        "fell 2/7 ago",
        "over the last 3/7",
        "for past 3/7",
        "in the next 2/7",
        "cough x3/7",
        "aspirin 75 mg od",
        "seen 19/01/2025",
        "tel +353 1 496 0000",
        "lives SW1A 1AA",
        "GP to review, bloods",
        "bloods, theatre list",
    ],
)
def test_signs_tell(text: str) -> None:
    assert looks_not_american(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Review 5/7",
        "Bloods drawn",  # one hint
        "GP cocci in clusters",
        "Tylenol for pain. NHS employee",  # as much for as against
        "paracetamol (acetaminophen)",
        "NHS, GP letter. Seen 1/19/2025",  # which decides
        "Dayton, OH 45402. Paracetamol",
        "physio, casualty. 312-555-0188",
        "salbutamol. Labs 3/16",
    ],
)
def test_what_tells_nothing_or_of_america(text: str) -> None:
    assert not looks_not_american(text)
