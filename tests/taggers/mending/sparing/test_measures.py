"""Sizes of tubes, temperatures, spells of time and hours are no ages."""

from __future__ import annotations

import pytest

from scrubjay.models import load_model
from tests.oracles.mending import spare_measures
from tests.taggers.mending_samples import read_braces


def spare(marked: str, label: str) -> bool:
    """Tell whether the mention in braces is spared."""
    text, span = read_braces(marked, label)
    return not list(spare_measures(text, [span]))


@pytest.mark.parametrize(
    "marked",
    [
        "{16}F Foley to gravity",
        "{37}F DLT placed",
        "{6}F sheath R CFA",
        "Access {6}F R femoral sheath",
        "placed a {20}F left chest tube",
        "upsized to {28}F.",
        "Chest drain {28}F by Roe",
        "R rad {6}F, JL3.5",
        "Cath: RFA {6}F. LM nl",
        "SA: {22}M/ml 48%",
        "sperm conc {15}M/mL, motility 40%",
        "Sperm count of {58}M/ml.",
        "size {22}F",
        "then {6}F x 45 cm sheath",
        "{5}F micropuncture",
        "0214 {32}F CT L 400cc",
        "CT x2 {28}F.",
        "R fem {7}F TLC",
        "{20} Fr coude",
        "drains: {15} French",
        "T {101}F",
        "Temp: {99} F ax",
        "fever to {103}F at home",
        "{99}F rectal",
        "insulin kept at {68}F",
        "Fridge {38}F",
        "ETT 7.5 at {23}, OGT",
        "Dobhoff at {70}",
        "PICC @ {42}",
        "NGT secured at {55}",
    ],
)
def test_sizes_and_temperatures_are_no_ages(marked: str) -> None:
    assert spare(marked, "AGE")


@pytest.mark.parametrize(
    "marked",
    [
        "Mary at {55}, well",
        "dad died at {72}",
        "PEG at {91}",  # deeper than any
        "married at {22}",
        "trach at {64}, died",
        "{46}F with a Foley",
        "Pt is a {72}M/L hip fracture",
        "{58}M/L hip fx",
        "{62}M/Latino",
        "count {62}M/Latino",
        "{88}M/Lives alone",
        "{58}M/ml",
        "SA: done. {58}M/L hip fx",
        "{22}F s/p chest tube",
        "{34}F, PEG dependent",
        "{52}F Foley removal",  # nothing is that thick
        "{91}F from Roe Acres",
        "pt is {101}F, lives alone",
        "{37}F tube feeds at night",
        "{28}F/U",
        "{32}F CT head neg",
        "{28}F x3 days of cough",
        "seen at {38} with a stent",
        "{38}F foley in place, lives with husband",
        "{32}F stent placement yesterday",
        "{22}F Foley removal",
        "HPI: {24}F PEG dependent",
        "Pt is a {37}F drains her own JP",
        "she is {26}F Peg Roe",
        "seen {19}F Peg Roe",
        "mass in {34}F x 3 cm",
        "Reason for CT: {34}F with cough",
        "s/p stent, {34}F with pain",
        "fever. {102}F with dementia",
        "{6}y F sheath",
    ],
)
def test_ages_stay(marked: str) -> None:
    assert not spare(marked, "AGE")


def test_other_labels_stay() -> None:
    assert not spare("{16}F Foley", "IDNUM")


@pytest.mark.parametrize(
    "marked",
    [
        "Plan: MRI at {6} months.", "Fleischner follow-up at {12} months", "NED at {22} months",
        "review at {6} months.", "CT at {6}-12 mo, then", "EMG at {3} mo if no better",
        "the bus stops at {8}.", "bus to Cedar Springs stops at {8}.",
        "Will see Ms Hope at {4} instead",
        "left for work at Budget Rest Inn at {6}. The", "until she came home at {3}. Later",
        "neighbor to look in at {8}.", "stiff until her first break at {10}, then",
        "right-handed, {16} years of education", "called re Zielinski, {12} beat NSVT, asx",
        "{4} beat run of VT", "{9} yrs of sobriety", "Pt worked {30} y as hotel housekeeper",
        "ARC Louisa, {61} d clean, hunting", "H/o {2}y forgetfulness",
        "cysto at {10} yr post aug", "G2P1 AT {39} WEEKS PRESENTED", "Saima {34}w G1, leaking",
        "G3P2 at {38} 3/7 by LMP", "Pt {27} 4/7 wk GA", "smoked for {20} years",
        "will pick up at {11}. O2 to", "van at {9}, daughter",
    ],
)  # fmt: skip
def test_spells_and_hours_are_no_ages(marked: str) -> None:
    assert spare(marked, "AGE")


@pytest.mark.parametrize(
    "marked",
    [
        "Widowed {82} y F", "smoked, {20} years old", "h/o {2} yo boy", "worked {30} y F",
        "is {34} G1P0", "Hess, {38} 3/7 admitted",
        "at {39} weeks old", "at {9} beat leukemia", "is {16} years of age", "clean {61} d",
        "walked at {14} months", "croup at {14} months who", "dx at {9} months", "orphaned at {8}.",
        "repeat at {9} mo corrected", "follow-up at {9} months old", "MRI at {6}. Then",
        "menarche at {12}.", "came to the US at {9}.", "left home at {12}.", "van at {19}, then",
        "hit by a bus at {9} years", "went to work at {11} in a mill", "MRI at {6} months/year",
        "to school at {6} instead of", "put to work at {11}.", "started school at {5}.",
    ],
)  # fmt: skip
def test_ages_beside_what_was_done_stay(marked: str) -> None:
    assert not spare(marked, "AGE")


def test_a_shipped_model_takes_sizes_for_no_ages() -> None:
    from scrubjay.document import Document

    text = "46F smoker. 16F Foley to gravity, R rad 6F, chest tube 28F. T 101F."
    (found,) = load_model("en-fast").detect([Document("note", text)])
    assert [text[span.start : span.end] for span in found if span.label == "AGE"] == ["46"]
