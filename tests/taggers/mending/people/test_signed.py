"""Initials found once are found where they close an entry; what may be another word is not."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.people.signed import add_signed
from tests.taggers.mending_samples import labelled


def made(marked: str) -> list[str]:
    return labelled(lambda text, spans: add_signed(text, tuple(spans)), marked, "en")


@pytest.mark.parametrize(
    "marked",
    [
        "lvm. <DOCTOR>TRB</DOCTOR>\n3/9 letter sent to apt 3. TRB\n3/11 mom called",
        "walked, wife aware. rdq\nAddendum by <DOCTOR>rdq</DOCTOR> at 9",
        "PF 410  <DOCTOR>LDQ</DOCTOR>\nR .10  LDQ .",
    ],
)
def test_at_the_end_of_a_line(marked: str) -> None:
    found = made(marked)
    assert len(found) == 2
    assert len(set(found)) == 1


@pytest.mark.parametrize(
    "marked",
    [
        "by <DOCTOR>TRB</DOCTOR>\nTRB was seen. BTRB\nTRBs\nx/TRB\nx-TRB\ntrb",
        "by <DOCTOR>RN</DOCTOR>\nSeen by the RN\n<PATIENT>so</PATIENT>\nand so\n",
        "per <DOCTOR>LDL</DOCTOR>\nrecheck LDL\n<DOCTOR>Kay</DOCTOR>\nKay\n",
        "<HOSPITAL>TRB</HOSPITAL>\nat TRB\n",
    ],
)
def test_nowhere_else(marked: str) -> None:
    assert len(made(marked)) == marked.count("</")


def test_no_copy_of_what_was_found() -> None:
    marked = "<DOCTOR>TRB</DOCTOR>\nat <HOSPITAL>TRB</HOSPITAL>"
    assert made(marked) == ["DOCTOR:TRB", "HOSPITAL:TRB"]
