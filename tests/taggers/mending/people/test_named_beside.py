"""Surnames beside credentials, relatives, beds and signatures are found; places are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people.named_beside import add_named_beside
from scrubjay.taggers.mending import mend


def found(text: str) -> list[str]:
    """Return label and surname of what is found in a text where nothing is."""
    spans = add_named_beside(text, ())
    assert mend(text, (), "en") == spans
    return [f"{span.label}:{text[span.start : span.end]}" for span in spans]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Pope MD", "DOCTOR:Pope"),
        ("noted. Graves, MD", "DOCTOR:Graves"),
        ("-Rice, RN", "DOCTOR:Rice"),
        ("seen (Whipple NP)", "DOCTOR:Whipple"),
        ("aware: Payne PA-C", "DOCTOR:Payne"),
        ("Hess M.D.", "DOCTOR:Hess"),
        ("Graves's mom called", "PATIENT:Graves"),
        ("Graves' mom called", "PATIENT:Graves"),
        ("Rice’s daughter here", "PATIENT:Rice"),
        ("told Whipple's wife", "PATIENT:Whipple"),
        ("Bed 4: Rice - NPO", "PATIENT:Rice"),
        ("rm 12 Banks, NPO", "PATIENT:Banks"),
        ("/s/ Graves 3/4", "DOCTOR:Graves"),
        ("Signed: Rice", "DOCTOR:Rice"),
        ("Cosigned by Whipple", "DOCTOR:Whipple"),
    ],
)
def test_surnames(text: str, name: str) -> None:
    assert found(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        # places, functions and further names before a credential
        "Chevy Chase, MD", "Bethesda, MD", "Salem, MD", "Charge RN", "Ward RN", "Page MD",
        "Attending MD", "Signed, MD", "rice, RN", "Pope MDs", "Pope RN/LPN", "Pope MD of note",
        "Smith & Rice, MD", "xRice MD", "Foley MDT", "RICE MD", "Pope  MD", "Pope; MD",
        # words, terms and what is a disease before a relative
        "Baby's mom", "Mother's family", "Alzheimer's. Family aware", "Crohn's, mom has it",
        "Patient's wife", "Today's family", "Graves mom", "graves's mom", "Graves's mother's",
        "Kidney's family", "Bowie, MD", "Towson MD",
        # diseases and words at beds
        "bed 2: Korsakoff; Pabrinex", "bed 6: Paget, alk phos", "bed 12: Raynaud, Sjögren",
        "bed 11: Stokes-Adams attacks",
        "bed 4: Stroke - NPO", "bed 4: Rice asked", "bed Rice - NPO", "Bed 4 Rice-Krispies",
        # what is signed
        "signed Consent", "signed Will", "Signed: AMA", "/s/ Graves disease", "signed Rice John",
        "unsigned Rice", "signed: rice", "assigned Graves", "",
    ],
)  # fmt: skip
def test_others(text: str) -> None:
    assert found(text) == []


def test_what_is_found_stays_and_gives_its_label() -> None:
    text = "Dr Hess here. Hess's mom called. Rice MD"
    own = (Span(3, 7, "DOCTOR"), Span(33, 40, "CITY"))
    spans = add_named_beside(text, own)
    assert [(span.start, span.label) for span in spans] == [
        (3, "DOCTOR"), (14, "DOCTOR"), (33, "CITY"),
    ]  # fmt: skip
    assert add_named_beside(text, spans) == spans


def test_other_models_get_none() -> None:
    assert mend("Pope MD", (), "en", labels={"PATIENT"}) == ()
    assert mend("Pope MD", (), "nl") == ()


PIECES = st.sampled_from([
    "Rice", "Graves", "Pope", "'s", "’", " ", ", ", "MD", "M.D.", "RN", "NP", "mom", "family",
    "bed 4: ", "Rm 12 ", "room #3", "/s/ ", "Signed: ", "cosigned by ", " - ", "\n", "\t", "(", ".",
    ";", "É", "漢", "\u00a0",
])  # fmt: skip


@given(st.lists(st.lists(PIECES, max_size=8).map("".join), max_size=3))
def test_places_that_are_looked_for_are_enough(texts: list[str]) -> None:
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        assert add_named_beside(text, (), cues.beside) == add_named_beside(text, ())
