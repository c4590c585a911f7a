from __future__ import annotations

import time

import pytest

from scrubjay.taggers._mending.sparing.acuities import is_acuity
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    "marked",
    [
        "R. vision {6/9} unaided",
        "Vision 6/12 right, {6/24} left with glasses",
        "VA: OD {6/24} OS 6/60",
        "VA: OD 6/24 OS {6/60}, pinhole 6/6",
        "unaided, L. 6/36 PH {6/18}. IOP 17/31",
        "Visual acuity was {6/5} in the right eye and 6/9 in the left",
        "Visual acuity was 6/5 in the right eye and {6/9} in the left",
        "RE {6/7.5} LE 6/18",
        "RE 6/6 LE {6/18}. Lens clear",
        "BCVA RE {6/18}, LE 3/60",
        "VAR 6/5 VAL {6/24}. Drops",
        "visus OD {6/12} OS 6/9",
        "OD {20/40} OS 20/25",
        "reads {3/60} unaided",
        "VA o.d. 6/6-6/9, o.s. {6/12}",
    ],
)
def test_acuities_are_spared(marked: str) -> None:
    text, span = read_braces(marked, "DATE")
    assert is_acuity(text, span)
    assert mend(text, [span], "en") == ()


@pytest.mark.parametrize(
    "marked",
    [
        "blurred vision since {6/9}",
        "seen at VA {6/12}",
        "seen VA {6/12} and 6/18 by PCP",
        "Admitted to VA, {6/12}",
        "Discharged VA {6/24}: stable",
        "Went to VA in {6/12}",
        "vision clinic {6/9}",
        "RE {6/12}",  # about something
        "vision {6/9/20}",
        "vision loss, MRI {6/24}",
        "right eye surgery {6/12}, left 6/18",
        "L 6/24\nR {6/9}",  # another line
        "unaided to the bathroom {6/9}",
    ],
)
def test_dates_stay(marked: str) -> None:
    text, span = read_braces(marked, "DATE")
    assert not is_acuity(text, span)
    assert mend(text, [span], "en") == (span,)


@pytest.mark.parametrize("side", ["od. ", "r.o.d. ", "6/6-", "in the "])
def test_a_line_of_sides_costs_no_more_than_its_length(side: str) -> None:
    text, span = read_braces(f"VA {side * (52 // len(side))}clinic {{6/12}}", "DATE")
    began = time.process_time()
    assert not is_acuity(text, span)
    assert time.process_time() - began < 0.05
