from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_settings
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    "marked",
    [
        "BiPAP {12/6}, RR 20",
        "bipap at {10/5}",
        "BiPAP settings {12/6}",
        "BiPAP was started at {12/5} by RT",
        "BiPAP on {12/5}, FiO2 40%",
        "NIV initiated @ {14/6}",
        "BiPAP titrated to {16/8}",
        "HFNC {40/50}",
        "dag 4, PC {14/8}, FiO2 0,40",
        "PCV {10/8}, PEEP 8",
        "Optiflow {40/30}",
        "SBT on PS {5/5}",
        "abx day {3/7}",
        "ceftriaxone d{2/5}",
        "AB dag {3/7}",
        "prednison kuur dag {4/10}",
        "cont. chloramphenicol D{5/14}",
        "cefazolin 2g q8 (d{4/42})",
        "taz 4.5 tds D{6/10}",
    ],
)
def test_settings_and_days_of_courses_are_spared(marked: str) -> None:
    text, span = read_braces(marked, "DATE")
    assert list(spare_settings(text, [span])) == []
    assert mend(text, [span], "nl") == ()


@pytest.mark.parametrize(
    "marked",
    [
        "on BiPAP since {12/6}",
        "BiPAP started {12/6}",
        "naar PC {14/8}, besproken",
        "PCV {10/8} gestart, FiO2 0,40",
        "BiPAP restarted on {12/6}",
        "Required BiPAP on {12/6}.",
        "BiPAP on {12/6}, off 12/8",
        "BiPAP from {12/6} to 12/9",
        "weaned from BiPAP {1/12}",
        "HFNC {9/19}",
        "BiPAP {12/6/20}",
        "abx day 1 {3/7}",
        "abx day {7/3}",  # more than the course has
        "D{12/27} T{12/28}",
        "SLP {4/2}: IDDSI 4",
        "IDDSI {4/12}",
        "IDDSI {4/2} by SLP",
        "cefazolin since d{4/12}",
        "Dr. Zosa D{5/14}",
        "surgery day {3/7}",
        "ps {5/5}",
        "seen {3/7}",
        "got 1 g {6/23}",
        "head CT {2/5}",
    ],
)
def test_dates_stay(marked: str) -> None:
    text, span = read_braces(marked, "DATE")
    assert list(spare_settings(text, [span])) == [span]


def test_other_labels_stay() -> None:
    span = Span(6, 10, "ROOM")
    assert list(spare_settings("BiPAP 12/6", [span])) == [span]
