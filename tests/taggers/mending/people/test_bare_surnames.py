"""Bare surnames beside what only people do are found; drugs, services and words there are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people.bare_surnames import (
    _CLAUSE,
    _OF_THINGS,
    add_bare_surnames,
    begins_clause,
    is_of_things,
)
from scrubjay.taggers.mending import mend


def found(text: str) -> list[str]:
    """Return label and surname of what is found in a text where nothing is."""
    spans = add_bare_surnames(text, ())
    assert mend(text, (), "en") == spans
    return [f"{span.label}:{text[span.start : span.end]}" for span in spans]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Nursing: Hess refused meds", "PATIENT:Hess"),
        ("Hess refused breakfast", "PATIENT:Hess"),
        ("Overnight miller slept poorly", "PATIENT:miller"),
        ("Foley denies pain", "PATIENT:Foley"),
        ("stable. Okafor ambulated x2", "PATIENT:Okafor"),
        ("0300 Brannigan c/o chest pain", "PATIENT:Brannigan"),
        ("Kowalski-Hess voided 300 cc", ""),  # no listed surname as a whole
        ("(Hess up to chair)", "PATIENT:Hess"),
        ("Hess called, wants refill", "PATIENT:Hess"),
        ("White denies pain", "PATIENT:White"),
        ("Told Brannigan to come back", "PATIENT:Brannigan"),
        ("told Foley to come back", "PATIENT:Foley"),
        ("Discussed with Okafor, will return", "DOCTOR:Okafor"),
        ("Per Hess, hold heparin", "DOCTOR:Hess"),
        ("called Hess at bedside", "DOCTOR:Hess"),
        ("paged Murphy, no answer", "DOCTOR:Murphy"),
        ("on call Okafor", "DOCTOR:Okafor"),
        ("Brady asleep", "PATIENT:Brady"),
        ("Foley refuses to go home", "PATIENT:Foley"),
    ],
)
def test_surnames(text: str, name: str) -> None:
    assert found(text) == ([name] if name else [])


@pytest.mark.parametrize(
    "text",
    [
        # drugs, services, professions, relatives, words
        "Lasix refused meds", "Cardiology states he can go", "Nursing reports pain",
        "Mom denies it",
        "Discussed with Ortho, will return", "Told Family to come back", "Barber ambulated",
        "Interpreter declined coverage", "Per Pharmacy, hold", "English complains", "May denies",
        "Little wants it", "Have refused meds", "Date denies", "Told Name to call", "Seven slept",
        "Stump seen and examined", "Doppler asleep", "Paged Glasgow, no answer",
        "Told Oddi to call", "Still wants it",
        "overnight white slept", "the miller slept poorly",
        # what is refused, seen or called so
        "Foley refused", "Foley refused by pt", "Mitts declined.", "Hess refused x2",
        "Hickman seen today", "Foley to return", "It was called Lynch", "a dog, called Hess",
        "Lynch called to say", "The Foley voided", "her Foley asleep", "Per Hess criteria",
        "Per Braden, risk", "Per Hess he can go",
        "on call ORTHO", "on call NEURO", "on call SURGERY", "on call Parish", "on call MD",
        "Foley refuses to drain", "Hickman declined blood return",
        "Per Hess", "hold heparin per Hess", "Per Hess\nhold heparin",
        # shorthand, relatives, firms and things at the bedside
        "Graft doing well", "Hoyer up to chair", "hoyer up to chair", "mitts refused all night",
        "Discussed with Anes, ok", "Dau states he fell", "told Mam about it", "Fent asleep",
        "HR 48, brady asleep", "Carrier denies the claim", "Day slept most", "Vest refused all day",
        "Colic doing better",
        # terms and further names
        "Told Hess syndrome may recur", "Spoke with Hess Clinic", "paged Hess-3",
        "asked Hess's son",
        "Spoke with Hess pharmacy", "Kaiser denies coverage", "Hess reports to follow",
        # no word of its own
        "xHess9 slept", "Hess  slept", "Hess\nslept", "HESS slept", "retold Hess", "re-told Hess",
        "Hess sleptwell", "Hess slept-walked", "",
    ],
)  # fmt: skip
def test_others(text: str) -> None:
    assert found(text) == []


def test_what_is_found_stays_and_gives_its_label() -> None:
    text = "Dr Hess here. Hess denies pain. Hess slept"
    own = (Span(3, 7, "DOCTOR"), Span(10, 22, "CITY"))
    spans = add_bare_surnames(text, own)
    assert spans[:2] == own
    assert [(span.start, span.label) for span in spans[2:]] == [(32, "DOCTOR")]
    assert add_bare_surnames(text, spans) == spans


def test_a_model_without_the_labels_gets_none() -> None:
    assert mend("Hess slept", (), "en", labels={"PATIENT"}) == ()
    assert mend("Hess slept", (), "nl") == ()


PIECES = st.sampled_from([
    "Hess ", "miller ", "Foley ", "White ", "slept", "c/o", "up to chair", "told ", "Told ",
    "spoke w/ ", "called ", "OOB", "Per ", "on call ", " ", ". ", "(", "\n", "\t", "É", "漢", ",",
    "refused meds", "will call", "\u00a0", "\x0b", "Hess",
])  # fmt: skip


@given(st.lists(st.lists(PIECES, max_size=8).map("".join), max_size=3))
def test_places_that_are_looked_for_are_enough(texts: list[str]) -> None:
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        assert add_bare_surnames(text, (), cues.verbs) == add_bare_surnames(text, ())


@given(
    st.lists(
        st.sampled_from(
            (
                *("the", "The", "athe", "an", "now", "Pt", "xpt", "his", "hi\u017f", "ward"),
                *(
                    "Hess's",
                    "0300",
                    "a\u017f's",
                    " ",
                    " ",
                    "  ",
                    " -",
                    "\n",
                    ".",
                    "(",
                    "\u2013",
                    "\t",
                ),
            )
        ),
        max_size=9,
    ).map("".join),
    st.integers(0, 30),
)
def test_what_stands_before_a_word_is_told_as_by_its_expressions(before: str, floor: int) -> None:
    for text in (before, before + " "):
        floor, start = min(floor, len(text)), len(text)
        assert begins_clause(text + "Hess", floor, start) == bool(
            _CLAUSE.search(text + "Hess", floor, start)
        )
        assert is_of_things(text + "Hess", floor, start) == bool(
            _OF_THINGS.search(text + "Hess", floor, start)
        )
