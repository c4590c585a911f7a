"""Initials of who dictated, typed, measured and signed are found; exams and units are not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people.initials import add_initials
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import labelled


def add_everywhere(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    return add_initials(text, spans, pairs=range(len(text)), keys=range(len(text)))


def made(marked: str) -> list[str]:
    return labelled(add_everywhere, marked, "en")


def found(text: str) -> list[str]:
    spans = add_everywhere(text, ())
    assert mend(text, (), "en") == spans
    assert {span.label for span in spans} <= {"DOCTOR"}
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "initials"),
    [
        ("see her.\nLBW/sgp\n", ["LBW", "sgp"]),
        ("lounge.\n\nWA:tsq\nD: 10/17/68 T: 10/18/68", ["WA", "tsq"]),
        ("Plan as above.\nLV/ca 03.03 job T-99", ["LV", "ca"]),
        ("Plan\nSI/mlt07\nDD: 05/14/08", ["SI", "mlt"]),
        ("x\nPG:rsb\nd. 02/04/07  t. 02/06/07", ["PG", "rsb"]),
        ("x\nGRE:lq\ncc: chart", ["GRE", "lq"]),
        ("rjh/cmt", ["rjh", "cmt"]),
        ("tech: gm", ["gm"]),
        ("Tech: RVS", ["RVS"]),
        ("dict: abc / trans: dq", ["abc", "dq"]),
        ("MD, typed wm, not proofread", ["wm"]),
        ("[79 - typist lq]", ["lq"]),
        ("transcribed by ks 11/16", ["ks"]),
        ("Typed by: mlk  Dictated by: rjs", ["mlk", "rjs"]),
        ("Patient initials: QTB", ["QTB"]),
    ],
)
def test_initials(text: str, initials: list[str]) -> None:
    assert found(text) == initials


@pytest.mark.parametrize(
    "text",
    [
        # findings, units, words
        "CV:rrr\nLungs: clear", "GI:neg\nGU:neg\nplan", "ENT:wnl\nplan", "imp/plan\n1. HIV",
        "Ht/wt 158 cm", "and/or\n", "he/she\n", "GA/auto\n", "mg/dl 12", "am/pm\n", "po/iv 20",
        "PT/OT\n", "RV/TLC 0.43", "AT/AF 14", "DOB/Age 06/30", "EMG/NCS\n", "Labs:Na 138",
        "PE:nad", "DM/htn", "CT/abd 3/4", "UA/cx 3/4", "TB/hiv", "trans ICU 3/4",
        "dictated ICU note", "Trans OSH for cath",
        "seen LBW/sgp today", "LBW/sgp walked", "MD:jones\n", "RN/lq\n", "c/o\n",
        # keys
        "tech: ct", "tech: us", "Tech HN Sizemore", "type 2", "technique: AP", "dict: not read",
        "trans to ICU", "tech in room", "biotech: gm", "initials: RN", "typed by: Dr. Hess",
        "tech: gm/dl", "transfused 2u", "dictated but not read", "",
    ],
)  # fmt: skip
def test_others(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("marked", "count"),
    [
        ("D: 8/19 <DOCTOR>RSK</DOCTOR>/mdq\n", 2),
        ("chlor neg x2 js/<DOCTOR>mw</DOCTOR>\n1105 on", 2),
        ("Yours,\n<DOCTOR>Ingeborg Castle</DOCTOR>, M.D.\nIC/plm\nsee also", 3),
        ("x\nlp/<DOCTOR>mdq</DOCTOR>\nsee also", 2),
        ("x\nPG:<USERNAME>rsb</USERNAME>\nsee also", 2),
        ("x\n<DOCTOR>LV</DOCTOR>/ca 03.03 job T-9920187", 2),
        ("x\n<DOCTOR>LV</DOCTOR>/ca\nsee also", 1),
        ("x\n<DOCTOR>MD</DOCTOR>/ca 03.03 job T-9920187", 1),
        # another name, too far, and what is no person
        ("<DOCTOR>Ingeborg Castle</DOCTOR>, M.D.\nIX/plm\nsee also", 1),
        ("<HOSPITAL>Ingeborg Castle</HOSPITAL>, M.D.\nIC/plm\nsee also", 1),
        ("(<DOCTOR>AP</DOCTOR>/lat)", 1),
        ("<DOCTOR>KLM</DOCTOR>/RN seen", 1),
        ("<DOCTOR>KLM</DOCTOR>/salm 115", 1),
        ("<DOCTOR>KLM</DOCTOR>/NHIF", 1),
        ("<DOCTOR>KLM</DOCTOR>/and", 1),
        ("x\nLBW/<DOCTOR>and</DOCTOR>\nsee also", 1),
        ("<DOCTOR>Kay</DOCTOR>/mdq", 1),
        ("<ORGANIZATION>RSK</ORGANIZATION>/mdq", 1),
        ("x/lq/<DOCTOR>mdq</DOCTOR>", 1),
    ],
)
def test_beside_what_is_found(marked: str, count: int) -> None:
    assert len(made(marked)) == count


def test_what_is_found_stays() -> None:
    own = (Span(0, 7, "USERNAME"),)
    assert add_everywhere("rjh/cmt", own) == own
    assert mend("rjh/cmt", (), "en", labels={"PATIENT"}) == ()
    assert mend("tech: gm", (), "es") == ()


PIECES = st.sampled_from([
    "LBW", "rjh", "lv", "mm", "tech", "Typed", " by", "initials", "dict", "/", ":", " ", "\n",
    "\r\n", "   ", "03", " 9/12/04", "job 1", "É", "漢", "cmt", "A", "x",
])  # fmt: skip


@given(st.lists(st.lists(PIECES, max_size=9).map("".join), max_size=3))
def test_places_that_are_looked_for_are_enough(texts: list[str]) -> None:
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        assert add_initials(text, (), pairs=cues.pairs, keys=cues.beside) == add_everywhere(
            text, ()
        )


@pytest.mark.parametrize(
    "marked",
    [
        "lvm. <DOCTOR>TRB</DOCTOR>\n3/9 letter sent to apt 3. TRB\n3/11 mom called",
        "walked, wife aware. rdq\nAddendum by <DOCTOR>rdq</DOCTOR> at 9",
        "PF 410  <DOCTOR>LDQ</DOCTOR>\nR .10  LDQ .",
    ],
)
def test_initials_sign_at_the_end_of_a_line(marked: str) -> None:
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
def test_initials_sign_nowhere_else(marked: str) -> None:
    assert len(made(marked)) == marked.count("</")


def test_a_place_that_was_found_is_no_copy() -> None:
    marked = "<DOCTOR>TRB</DOCTOR>\nat <HOSPITAL>TRB</HOSPITAL>"
    assert made(marked) == ["DOCTOR:TRB", "HOSPITAL:TRB"]
