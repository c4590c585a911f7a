"""Headings in capitals behind a profession are nobody; names behind keys and titles stay."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers.mending import mend
from tests.oracles.mending import mend_by_steps


def kept(marked: str) -> list[str]:
    """Return what of the marked mentions stays, in order."""
    document = parse_inline(marked)
    text = document.text
    spans = mend(text, document.spans, "en")
    assert tuple(mend_by_steps(text, document.spans, "en")) == spans
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    "text",
    [
        "PHYSICIAN <DOCTOR>HEALTH PROGRAM</DOCTOR>",
        "NIGHT RESIDENT <DOCTOR>EVENT NOTE</DOCTOR>",
        "IT / PROVIDER <DOCTOR>DOWNTIME REPORT</DOCTOR>",
        "PHARMACIST <PATIENT>ANNUAL COMPREHENSIVE</PATIENT> REVIEW",
        "ANESTHESIA <DOCTOR>PRE-PROCEDURE EVALUATION</DOCTOR>",
    ],
)
def test_headings_are_nobody(text: str) -> None:
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "NAME: <PATIENT>BRINGS HIM</PATIENT>",
        "PHYSICIAN: <DOCTOR>BRINGS HIM</DOCTOR>",
        "DR <DOCTOR>BRINGS HIM</DOCTOR>",
        "SISTER <PATIENT>BRINGS HIM</PATIENT>",
        "PHYSICIAN <DOCTOR>LONG HEALTH</DOCTOR>",
        "PHYSICIAN <DOCTOR>ROSE REPORT</DOCTOR>",
        "NURSE <DOCTOR>BRINGS</DOCTOR>",
        "NURSE <DOCTOR>STANDS ALONE</DOCTOR>",
        "PHYSICIAN <DOCTOR>BRINGS HIM</DOCTOR>",
        "physician <DOCTOR>BRINGS HIM</DOCTOR>",
        "<DOCTOR>HEALTH PROGRAM</DOCTOR>",
    ],
)
def test_names_stay(text: str) -> None:
    assert len(kept(text)) == 1
