"""Bare surnames beside what tells of persons are found; drugs, services and places are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people import bare_surnames as module
from scrubjay.taggers._mending.people.bare_surnames import (
    BEDS,
    CREDENTIALS,
    DEEDS,
    RELATIVES,
    SAYINGS,
    SIGNS,
    add_bare_surnames,
)
from scrubjay.taggers.mending import mend


def add_everywhere(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    return add_bare_surnames(text, spans, range(len(text)))


def found(text: str) -> list[str]:
    """Return label and surname of what is found in a text where nothing is."""
    spans = add_everywhere(text, ())
    assert mend(text, (), "en") == spans
    return [f"{span.label}:{text[span.start : span.end]}" for span in spans]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Nursing: Hess refused meds", "PATIENT:Hess"),
        ("Overnight Hess slept poorly", "PATIENT:Hess"),
        ("Foley denies pain", "PATIENT:Foley"),
        ("stable. Okafor ambulated x2", "PATIENT:Okafor"),
        ("0300 Brannigan c/o chest pain", "PATIENT:Brannigan"),
        ("(Hess up to chair)", "PATIENT:Hess"),
        ("White denies pain", "PATIENT:White"),
        ("Foley refuses to go home", "PATIENT:Foley"),
        ("Lynch here w/ mom for wt check", "PATIENT:Lynch"),
        ("Graves is here, cast off", "PATIENT:Graves"),
        ("Payne wants a refill", "PATIENT:Payne"),
        ("Discussed with Okafor, will return", "DOCTOR:Okafor"),
        ("paged Murphy, no answer", "DOCTOR:Murphy"),
        ("D/w Whipple, hold coumadin", "DOCTOR:Whipple"),
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
        ("rm 7 - Banks, sober at 0200", "PATIENT:Banks"),
        ("LOG\n\nBed 3 Cook, NPO for OR", "PATIENT:Cook"),
        ("Bed 12 Long: npo", "PATIENT:Long"),
        ("room # 3, Price; stable", "PATIENT:Price"),
        ("ED bed 4 Krol, SI w plan", "PATIENT:Krol"),
        ("bed 4 Paget 71F", "PATIENT:Paget"),
        ("Rm 12: Graves 51 M w/ CHF", "PATIENT:Graves"),
        ("/s/ Graves 3/4", "DOCTOR:Graves"),
        ("/s/ Parkinson", "DOCTOR:Parkinson"),
        ("Signed: Rice", "DOCTOR:Rice"),
        ("Cosigned by Whipple", "DOCTOR:Whipple"),
    ],
)
def test_surnames(text: str, name: str) -> None:
    assert found(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        # drugs, services, professions, relatives, words
        "Lasix refused meds", "Cardiology states he can go", "Nursing reports pain",
        "Mom denies it", "Discussed with Ortho, will return", "Barber ambulated",
        "Interpreter declined coverage", "English complains", "May denies", "Little wants it",
        "Have refused meds", "Date denies", "Seven slept", "Stump asleep", "Doppler asleep",
        "Paged Glasgow, no answer", "Still wants it", "overnight hess slept",
        # what is refused, seen or called so
        "Foley refused", "Foley refused by pt", "Mitts declined.", "Hess refused x2",
        "The Foley voided", "her Foley asleep", "Foley refuses to drain",
        "Hickman declined blood return", "Dobhoff here for placement", "the Foley is here",
        "Hospice reports to follow", "Crohn here w/ flare",
        "hx of Crohn, complains", "Payne is uptight", "Ortho presents at rounds",
        # shorthand, relatives, firms and things at the bedside
        "Hoyer up to chair", "Dau states he fell", "Fent asleep", "Carrier denies the claim",
        "Discussed with Anes, ok", "Day slept most", "Vest refused all day",
        # terms and further names
        "Spoke with Hess Clinic", "paged Hess-3", "informed Hess's son", "seen by Hess John",
        "Spoke with Hess pharmacy", "Kaiser denies coverage", "Hess reports to follow",
        # no word of its own
        "xHess9 slept", "Hess  slept", "Hess\nslept", "HESS slept", "repaged Hess", "re-paged Hess",
        "Hess sleptwell", "Hess slept-walked", "",
        # places, functions and further names before a credential
        "Chevy Chase, MD", "Bethesda, MD", "Salem, MD", "Charge RN", "Ward RN", "Page MD",
        "Attending MD", "Signed, MD", "rice, RN", "Pope MDs", "Pope RN/LPN", "Pope MD of note",
        "Smith & Rice, MD", "xRice MD", "Foley MDT", "RICE MD", "Pope  MD", "Pope; MD",
        "Bowie, MD", "Towson MD",
        # words, terms and what is a disease before a relative
        "Baby's mom", "Mother's family", "Alzheimer's. Family aware", "Crohn's, mom has it",
        "Patient's wife", "Today's family", "Graves mom", "graves's mom", "Graves's mother's",
        "Kidney's family",
        # diseases, devices and words at beds
        "bed 2: Korsakoff; Pabrinex", "bed 6: Paget, alk phos", "bed 12: Raynaud, Sjögren",
        "bed 11: Stokes-Adams attacks", "Bed 4 commode", "Bed 2 Cook catheter", "Bed 4 Foley, out",
        "Bed 4 Foley 16F", "bed 4 Rice 101F", "bed 4 Foley 51Fr", "bed 4 Stroke 71F",
        "Bed 5 Burns, 20% TBSA", "Bed 1 Blank, clean", "Room 4 Green, ready",
        "bed 4: Stroke - NPO", "bed 4: Rice asked", "bed Rice - NPO", "Bed 4 Rice-Krispies",
        # what is signed
        "signed Consent", "signed Will", "Signed: AMA", "/s/ Graves disease", "signed Rice John",
        "unsigned Rice", "signed: rice", "assigned Graves", "s/p Whipple", "w/s/ Graves",
    ],
)  # fmt: skip
def test_others(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("marked", "name"),
    [
        ("Graves, <AGE>51</AGE>M with CHF", "Graves"),
        ("stable.\nbed 4 Paget <AGE>71</AGE>F awaiting CT", "Paget"),
        ("1. Hess <AGE>44</AGE> yo", "Hess"),
        ("(Foley, <AGE>51</AGE>M)", "Foley"),
        ("White, <AGE>70</AGE>M with CHF", "White"),
        ("White <AGE>70</AGE>M with CHF", ""),
        ("Healthy <AGE>30</AGE>F", ""),
        ("Driver <AGE>44</AGE>M MVC", ""),
        ("Cook <AGE>45</AGE>M etoh", "Cook"),
        ("seen by Hess <AGE>44</AGE> yo", ""),
        ("Driver, <AGE>44</AGE>M MVC", ""),
        ("Trauma, <AGE>44</AGE>M MVC", ""),
        ("Stroke, <AGE>44</AGE>M", ""),
        ("Male, <AGE>44</AGE>", ""),
        ("Graves <DATE>51</DATE>", ""),
        ("Hess had <AGE>51</AGE>", ""),
    ],
)
def test_surnames_before_an_age_at_a_head(marked: str, name: str) -> None:
    document = parse_inline(marked)
    spans = add_bare_surnames(document.text, document.spans, ())
    assert mend(document.text, document.spans, "en") == spans
    found = [document.text[span.start : span.end] for span in spans if span.label == "PATIENT"]
    assert found == ([name] if name else [])


def test_what_is_found_stays_and_gives_its_label() -> None:
    text = "Dr Hess here. Hess denies pain. Hess slept"
    own = (Span(3, 7, "DOCTOR"), Span(10, 22, "CITY"))
    spans = add_everywhere(text, own)
    assert spans[:2] == own
    assert [(span.start, span.label) for span in spans[2:]] == [(32, "DOCTOR")]
    assert add_everywhere(text, spans) == spans


def test_a_model_without_the_labels_gets_none() -> None:
    assert mend("Hess slept", (), "en", labels={"PATIENT"}) == ()
    assert mend("Hess slept", (), "nl") == ()


PIECES = st.sampled_from([
    "Hess ", "Foley ", "White ", "slept", "c/o", "up to chair", "spoke w/ ", "D/W ", " ", ". ",
    "(", "\n", "\t", "É", "漢", ",", "refused meds", "\u00a0", "\x0b", "Hess", "Rice", "Pope", "'s",
    "’", ", ", "MD", "M.D.", "RN", "mom", "family", ";",
    "bed 4: ", "Rm 12 ", "room #3", "chair 2 ", "/s/ ", "Signed: ", "cosigned by ", " - ",
])  # fmt: skip


@given(st.lists(st.lists(PIECES, max_size=8).map("".join), max_size=3))
def test_places_that_are_looked_for_are_enough(texts: list[str]) -> None:
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        assert add_bare_surnames(text, (), cues.beside) == add_everywhere(text, ())


_BEGINNINGS = [
    word
    for some in (DEEDS, SAYINGS, CREDENTIALS, RELATIVES, BEDS, SIGNS)
    for one in some
    for word in (one, one.upper(), one.capitalize(), "\u017f" + one[1:])
]


@given(
    st.lists(
        st.sampled_from(
            [*_BEGINNINGS, "Hess ", "Hess's ", "Graves' ", "12 ", "\n", ", ", " ", ": "]
        ),
        max_size=8,
    ).map("".join)
)
def test_no_expression_begins_with_a_character_that_is_not_told(text: str) -> None:
    found = add_everywhere(text, ())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BEYOND", "")  # any may begin with all
        assert add_everywhere(text, ()) == found
