"""Everyday words are no dates and names where their neighbours say so."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_homonyms
from tests.taggers.mending_samples import read_braces


def spare(marked: str, label: str) -> bool:
    """Tell whether the mention in braces is spared."""
    text, span = read_braces(marked, label)
    return not list(spare_homonyms(text, [span]))


@pytest.mark.parametrize(
    "marked",
    [
        "s/p {fall} at home",
        "after {fall} from monkey bars",
        "s/p unwitnessed {fall}, on coumadin",
        "a {fall} in the yard",
        "{Fall} risk: high",
        "{fall} off ladder",
        "ground level {fall}",
        "1 {FALL} LAST NIGHT",
        "had a {fall} on Tuesday",
        "{May 2} tabs prn",
        "{may 10} units",
        "{May} D/C home if tol PO",
        "stable. {May} shower",
        "{MAY} RESUME ASA",
        "{May} also need LP",
    ],
)
def test_falls_are_no_seasons(marked: str) -> None:
    assert spare(marked, "DATE")


@pytest.mark.parametrize(
    "marked",
    [
        "Wt 8.4 ({25th}) L 70",
        "Ht 136.2 cm ({25th})",
        "along the {50th} for height",
        "L 70 ({75th})",
    ],
)
def test_percentiles_are_no_days(marked: str) -> None:
    assert spare(marked, "DATE")


@pytest.mark.parametrize("marked", ["seen the {25th}", "Visit 3 (the {25th})", "on ({25th})"])
def test_days_of_a_month_stay(marked: str) -> None:
    assert not spare(marked, "DATE")


def test_a_date_after_a_fall_begins_behind_it() -> None:
    text = "had another fall Friday from bed, and in fall 2019"
    spans = [Span(12, 23, "DATE"), Span(41, 50, "DATE")]
    assert list(spare_homonyms(text, spans)) == [Span(17, 23, "DATE"), Span(41, 50, "DATE")]


@pytest.mark.parametrize(
    "marked",
    [
        "in the {fall} off work",
        "last {fall}",
        "since {fall} 2060",
        "colonoscopy due in {fall}",
        "after {fall} half-term",
        "after {fall} of 2019",
        "a {fall} 2019 visit",
        "{fall of 2019}",
        "flu shot {Fall}",
        "{May 2}",
        "seen {May 2} in clinic",
        "seen in {May} f/u",
        "since {May} call nightly",
        "{May} visit",
        "next {May} return",
    ],
)
def test_seasons_stay(marked: str) -> None:
    assert not spare(marked, "DATE")


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("SHE IS A {PLEASANT} 72 YEAR OLD WOMAN", "PATIENT"),
        ("SHE IS {A PLEASANT} 72 Y/O", "PATIENT"),
        ("THIS IS A VERY {NICE} GENTLEMAN", "DOCTOR"),
        ("A {DELIGHTFUL} 7-YEAR-OLD", "PATIENT"),
    ],
)
def test_what_describes_somebody_is_no_name(marked: str, label: str) -> None:
    assert spare(marked, label)


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("SEEN WITH {PLEASANT} 72 YEAR OLD", "PATIENT"),
        ("THIS IS A {GRACE WHITE} 72 YEAR OLD WOMAN", "PATIENT"),
        ("{AN ANGEL YOUNG}, 72 YEAR OLD WOMAN", "PATIENT"),
        ("A {GRACE} 72 YEAR OLD", "PATIENT"),
        ("A {LONG YOUNG} 72 YEAR OLD", "DOCTOR"),
        ("I SAW A MR {YOUNG}, 72 YEARS", "PATIENT"),
        ("SHE IS A {NGUYEN} MALE", "PATIENT"),
        ("a {Pleasant} 72 year old", "PATIENT"),
        ("IS A {PLEASANT} DOCTOR", "DOCTOR"),
        ("SHE IS A {PLEASANT} 72 YEAR OLD", "CITY"),
    ],
)
def test_names_stay(marked: str, label: str) -> None:
    assert not spare(marked, label)


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("influenza B/{Yamagata} pos", "DOCTOR"),
        ("Flu A/H1N1, B/{Victoria}", "PATIENT"),
        ("{Salmonella Dublin} in stool", "CITY"),
        ("Salmonella enterica serovar {Newport}", "CITY"),
        ("Subject: {Non-Urgent Medical Question}", "HOSPITAL"),
    ],
)
def test_strains_and_titles_are_no_places(marked: str, label: str) -> None:
    assert spare(marked, label)
    text, span = read_braces(marked, label)
    assert mend(text, [span], "en") == ()


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("flu shot today. B/{Victoria}", "PATIENT"),
        ("seen by A/{Victoria}", "PATIENT"),
        ("Salmonella after a trip to {Dublin}", "CITY"),
        ("{Salmonella Dublin County Clinic}", "HOSPITAL"),
        ("Salmonella. {Roe} was told", "PATIENT"),
        ("{Question Hospital}", "HOSPITAL"),
    ],
)
def test_places_stay(marked: str, label: str) -> None:
    assert not spare(marked, label)
    text, span = read_braces(marked, label)
    assert [(s.start, s.end) for s in mend(text, [span], "en")] == [(span.start, span.end)]
