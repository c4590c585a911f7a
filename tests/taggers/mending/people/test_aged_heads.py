"""Surnames at the heads of entries before an age and a sex are found; tubes and words are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people.aged_heads import add_aged_heads
from scrubjay.taggers.mending import mend


def found(text: str) -> list[str]:
    """Return what is found in a text where nothing is."""
    spans = add_aged_heads(text, ())
    assert mend(text, (), "en") == spans
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "name", "age"),
    [
        ("Graves, 51M, here for f/u", "Graves", "51"),
        ("GRAVES, 51M, here for f/u", "GRAVES", "51"),
        ("Hess 44 y/o F, G2P1", "Hess", "44"),
        ("Paget 71F alk phos 400", "Paget", "71"),
        ("Crohn, 29 M, on humira", "Crohn", "29"),
        ("Wilson: 24F, ceruloplasmin nl", "Wilson", "24"),
        ("bed 4 Rice 81F UTI", "Rice", "81"),
        ("Rm 12: Burns 40M", "Burns", "40"),
        ("- Baker, 8yo F", "Baker", "8"),
        ("3. Marfan 19M tall", "Marfan", "19"),
        ("412: Weber 73F - SNF", "Weber", "73"),
        ("ID:\nAddison 51-year-old here", "Addison", "51"),
        ("stable. Cullen, 67F, seen", "Cullen", "67"),
        ("Young, 78F adm", "Young", "78"),
        ("Foley, 51F, here", "Foley", "51"),
        ("Hess 16F with G tube", "Hess", "16"),
        ("Cook 61YOM POD2", "Cook", "61"),
        ("Graves-Hess, 51M", "", ""),  # no listed surname as a whole
    ],
)
def test_heads(text: str, name: str, age: str) -> None:
    assert found(text) == ([name, age] if name else [])


@pytest.mark.parametrize(
    "text",
    [
        # tubes, temperatures and other numbers
        "Dover 16F catheter", "Hess 16F new silicone catheter", "Hegar 8F",
        "Foley 16F placed", "Foley, 16F, placed", "Blake 19F drain", "Max 101F overnight",
        "Hickman 9F R IJ", "Dobhoff 12F", "Hess 99F", "Paget 71 F/u", "Bell 32 Fr",
        "Graves 51 MRI", "Graves 51 Feb", "Wilson 5 Males", "Young 78 yrs of pain", "Hess 5 y post",
        "Graves 0M", "Graves 151M", "Paget 71F/u",
        # words
        "Young 28F w/ pain", "White 70M with CHF", "Healthy 51M", "Driver, 44M, MVA",
        "Interval: 65M", "Summary: 77 M", "NED, 5 years", "Child, 3F", "English, 31F",
        "March 12 M", "Down, 3M", "Asthma, 12M", "Trauma, 34M", "HTN, 51M", "Male, 61M",
        # not at the head of an entry
        "hx of Graves, 51M", "r/o Paget 71F", "with Wilson, 24F", "xGraves, 51M", "saw Graves, 51M",
        "",
    ],
)  # fmt: skip
def test_others(text: str) -> None:
    assert found(text) == []


def test_what_is_found_stays_and_gives_its_label() -> None:
    text = "Dr Hess here\nHess, 44F\nGraves, 51M"
    own = (Span(3, 7, "DOCTOR"), Span(24, 35, "CITY"))
    spans = add_aged_heads(text, own)
    assert [(span.start, span.label) for span in spans] == [
        (3, "DOCTOR"), (13, "DOCTOR"), (19, "AGE"), (24, "CITY"),
    ]  # fmt: skip
    assert add_aged_heads(text, spans) == spans


def test_other_models_get_none() -> None:
    assert mend("Graves, 51M", (), "en", labels={"PATIENT", "DOCTOR"}) == ()
    assert mend("Graves, 51M", (), "nl") == ()


PIECES = st.sampled_from([
    "Graves", "Hess", "Foley", "Young", "GRAVES", ", ", ": ", " ", "51", "16", "7", "٥", "M", "F",
    "y", "yo", " y/o ", "-year-old", "years old", "bed 4 ", "3. ", "\n", "\r", "É", "漢", "(", ";",
    "Y", "yr ", "m",
])  # fmt: skip


@given(st.lists(st.lists(PIECES, max_size=8).map("".join), max_size=3))
def test_places_that_are_looked_for_are_enough(texts: list[str]) -> None:
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        assert add_aged_heads(text, (), cues.ages) == add_aged_heads(text, ())
