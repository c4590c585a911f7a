"""Initials that end a name at the end of its line or column."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.people.last_initials import widen_last_initials
from scrubjay.taggers.mending import mend


def _name(marked: str) -> str:
    document = parse_inline(marked)
    rows = widen_last_initials(document.text, document.spans)
    assert mend(document.text, document.spans, "en")[0].end == rows[0].end
    return document.text[rows[0].start : rows[0].end]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("GUARANTOR: <PATIENT>POPE, LEO</PATIENT> X   REL: FATHER", "POPE, LEO X"),
        ("GUARANTOR: <PATIENT>POPE, LEO</PATIENT> X\nREL", "POPE, LEO X"),
        ("stable.\n<DOCTOR>Cole-Roe</DOCTOR>, M\n", "Cole-Roe, M"),
        ("Physician: <DOCTOR>Roe</DOCTOR>, R.\nCopy", "Roe, R."),
        ("ORD <DOCTOR>Roe</DOCTOR>, K   Loc", "Roe, K"),
        ("saw <PATIENT>POPE, LEO</PATIENT> M   44", "POPE, LEO"),
        ("<PATIENT>Roe</PATIENT> A  fell", "Roe"),
        ("<PATIENT>POPE, LEO</PATIENT> X rays", "POPE, LEO"),
        ("<DOCTOR>A. Roe</DOCTOR>, K\n", "A. Roe"),
    ],
)
def test_a_name_ends_with_its_initial(marked: str, expected: str) -> None:
    assert _name(marked) == expected
