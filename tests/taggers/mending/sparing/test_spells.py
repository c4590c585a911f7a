"""Spells of time are no dates in British and Irish notes; days are still days in American ones."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Document, Span
from scrubjay.models import load_model
from scrubjay.taggers._mending.sparing.spells import may_be_spell
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_spells

_BRITISH = "GP surgery, NHS. "


def kept(marked: str) -> list[str]:
    """Return what stays of the mentions that stand in braces."""
    document = parse_inline(marked.replace("{", "<DATE>").replace("}", "</DATE>"))
    spans = tuple(Span(span.start, span.end, span.label, score=1.0) for span in document.spans)
    left = tuple(spare_spells(document.text, spans))
    assert mend(document.text, spans, "en") == left
    return [document.text[span.start : span.end] for span in left]


@pytest.mark.parametrize(
    "marked",
    [
        "prednisolone 30 mg od for {5/7} then stop",
        "wean by 5 mg every {5/7}",
        "nitrofurantoin 100 mg bd {3/7}",
        "stable over last {6/12}",
        "{4/12} history of back pain",
        "paracetamol 1 g {6/24} prn",
        "LMP {5/40} ago",
        "BO not open {4/7}",
        "D&V {2/7}, no blood",
        "Hx {3/12} weight loss",
        "continue for {4/7}",
        "Abx for {5/7} then stop",
        "RV in {2/7}",
        "dressings {10/7} total",
        "44F, {10/7} hx LBP after lifting",
        "cephalexin x {5/7}",
        "29 and {4/7} weeks",
        "fever for 2-{3/7}",
        "knee pain, fell {4/12} ago",
        "G3P2 at 38 {3/7} by LMP",
        "seen at {38 3/7} today",
        "27 {4/7} wk GA",
        "IUP: 20 {1/7}, FHT 150",
        "BIRTH 28 {6/7}, 1090 g",
    ],
)
def test_spells_that_tell_alone_are_spared(marked: str) -> None:
    assert kept(marked) == []


@pytest.mark.parametrize(
    "marked",
    [
        "Review {5/7} if no better.",
        "bloods {1/12}",
        "PT {3/7}",
        "worse {3/7}",
        "cough {5/7}",
        "wt loss {2/12}",
        "{3/12} with scan",
        "see in {3/12}",
        "Repeat INR {5/7}, dose as before",
        "Sutures out {10/7} with the nurse",
        "Pred 30 mg {7/7}",
        "cert {3/12}",
        "pain R loin {3/7}",
        "{Review 14/7}",
        "see in {1/12. OPD 3/12} with scan",
        "trop at {6/24}",
        "SRM {6/24}, contracting",
        "{8/40} by dates",
    ],
)
def test_other_spells_are_spared_where_a_text_looks_not_american(marked: str) -> None:
    assert kept(_BRITISH + marked) == []
    assert kept(marked) != []
    assert kept("Tylenol. Anemia. EKG. ER. " + _BRITISH + marked) != []


@pytest.mark.parametrize(
    "marked",
    [
        "seen on {5/7}",
        "pain since {3/7}",
        "unwell from {3/7} to {6/7}",
        "letter dated {1/12}",
        "seen {3/12}, stable",
        "Wed {3/12} OPD",
        "review Mon {5/7}",
        "Registrar r/v {20/12} with wife",
        "review {5/7} with Dr Byrne",
        "review {5/7} at 10.30",
        "physio {5/7} 14:30",
        "bloods {12/7}: Hb 98",
        "INR {5/7} 2.3",
        "physio {5/7} attended",
        "labs 3/8, review {5/7}",
        "review {5/7}, again 9/8",
        "review {5/7}-{9/7}",
        "review {05/07}",
        "review {24/12}",
        "cough {20/7}",
        "cough {5/7}/2025",
        "MRI booked for {5/7}",
        "diagnosed in {9/12}",
        "Hearing {7/12}",
        "moved in {9/24}",
        "3/12/2024. Review {5/12}",  # the text tells of December
        "Seen 9 July. Bloods {5/7}",
        "May {5/7}",
    ],
)
def test_days_of_british_notes_stay(marked: str) -> None:
    assert kept(_BRITISH + marked) != []


@pytest.mark.parametrize(
    "marked",
    [
        "Hess 38 {3/7} admitted",
        "bed 44 {3/7} wk",
        "at 8 {3/7} seen",
        "Review {5/7} with Dr. Hanley, PCP. Tylenol prn for pain.",
        "Started amoxicillin {5/7}, cough better. F/u {5/12} 2 pm.",
        "MI in {9/12}, stent LAD. Echo {7/24} EF 45%.",
        "Pain since {3/7}, worse {4/7}. CT abd neg.",
        "PT {3/7} and {3/12} at home, then outpatient. Insurance auth thru {5/24}.",
        "Hx: MVA {4/7}, seen at Mercy ER. Neck pain, PT x 6 visits.",
        "Return visit {1/7} or sooner if worse. Call 555-201-4471.",
        "Walked in {3/12} with chest pain, x-ray clear, EKG ok.",
        "Abx {5/7}-{5/12}, afebrile. PICC out {5/24}.",
        "CBC for {3/7} reviewed, anemia stable. Iron daily.",
        "Nausea {11/12} after chemo. Compazine. Labs {11/24} with scan.",
        "Review labs {5/7}. GP note: pt of Dr. Lindqvist, family practice.",
        "Physio ball exercises. PT {6/7}, {6/12}, {6/24}.",
        "Bloods drawn {2/7} at LabCorp, results {2/12}. Dr. Ortiz to call.",
        "{5/7} hx from mother, {5/12} old records sent",
        "Post op check {4/24}. Staples out. Follow up {5/7} with Dr. Vance.",
        "BP check {5/7}. GP aware, bloods ok. Next visit 6/19/2025.",
        "Refill x {5/7}, 5/19",
    ],
)
def test_days_of_american_notes_stay(marked: str) -> None:
    assert len(kept(marked)) == marked.count("{")


def test_months_of_a_year_stay() -> None:
    assert kept(_BRITISH + "Covid jab {10/24}, 12.9.24") != []


def test_other_labels_and_shapes_stay() -> None:
    text = _BRITISH + "cough 5/7"
    span = Span(len(text) - 3, len(text), "ROOM")
    assert list(spare_spells(text, [span])) == [span]
    assert not may_be_spell("5/8")
    assert not may_be_spell("Nov, 5/7")  # a month would go with it
    assert not may_be_spell("")


def test_other_languages_keep_their_days() -> None:
    text = "NHS, paracetamol. Hoesten, review 5/7"
    span = Span(len(text) - 3, len(text), "DATE", score=1.0)
    assert mend(text, (span,), "nl") == (span,)


def test_models_leave_spells_of_british_notes() -> None:
    model = load_model("en-fast")
    texts = [
        "Wheezy 1/7. Salbutamol nebs, pred 40 mg 5/7. Review 2/7.",
        "SOB 1/52, orthopnoea 3/7, ankle oedema. Furosemide 40 mg od, bloods 1/12.",
        "Seen on 12/7 by GP, rash worse 3/7, now blistering. Flucloxacillin 500 mg qds 7/7.",
    ]
    found = model.detect([Document(id=str(at), text=text) for at, text in enumerate(texts)])
    dates = [
        [text[span.start : span.end] for span in spans if span.label == "DATE"]
        for text, spans in zip(texts, found, strict=True)
    ]
    assert dates == [[], [], ["12/7"]]


@pytest.mark.parametrize(
    "marked",
    [
        "scheduled for {5/7}",
        "VA OD {3/7}",
        "every visit since {5/7}",
        "{4/12} history reviewed",
        "Lasix 40 mg {6/24}, held 6/25",
        "last {2/7}",
    ],
)
def test_days_stay_beside_words_of_spells(marked: str) -> None:
    assert len(kept(marked)) == 1


@pytest.mark.parametrize(
    "marked",
    [
        "triple therapy {14/7}, NKDA",
        "cold sx {5/7}, no SOB",
        "hold simva {7/7} with clarithro",
        "omit metformin {2/7}",
        "clips to come out {10/7}",
    ],
)
def test_courses_are_spared_in_british_notes_alone(marked: str) -> None:
    assert kept(f"{_BRITISH}{marked}") == []
    assert kept(marked) != []


@pytest.mark.parametrize("marked", ["hold simva on {7/7}", "hold until {7/7}", "seen {10/7} by OT"])
def test_days_on_which_something_is_stopped_stay(marked: str) -> None:
    assert kept(f"{_BRITISH}{marked}") != []
