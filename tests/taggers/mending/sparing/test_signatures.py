"""Initials are no clinical term where somebody signs, and stay one everywhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.signatures import is_signature
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import marked_span


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("D: 8/19 T: 8/20 RSK/[[mdq]]\n", True),
        ("ABT/[[dm]]\nEncl.", True),
        ("Ira Roe, M.D.    ILT:[[mrv]]\nD: 09/07", True),
        ("Job: 4410387 / [[tkr]]\n", True),
        ("NB/[[tkr]]    #48813", True),
        ("rev w family in 6-8 wk. [[mll]]\n", True),
        ("at home (if sore). [[DM]]\n", True),
        ("have visitor pass. - [[dm]]", True),
        ("Staff: [[mcl]]\nPt well", True),
        ("[[WT]]:bjk\nD:  01/05/2010", True),
        ("[[mj]]/dkb   file 33", True),
        ("0.7.  [[AC]]/mmodl", True),
        ("w/ the linen again\n[[mcg]] RN\n", True),
        ("wife observed. [[tg]], WOCN\n", True),
        ("kick counts. [[mcg]]/cnm\n", True),
        ("ADDENDUM BY [[WT]] 5/6/03: AGREE", True),
        ("complete and initialed [[tb]], rk\n", True),
        ("2/5 | 0915 | [[MJ]] | site clean", True),
        ("118/70    16   [[TG]]\n1 hr post", True),
        ("Back in March -- [[LH]]\n", True),
        ("never bothered me. -[[ag]]\n", True),
        ("PMH | [[DM]], HTN | ASA", False),
        ("[[DM]]/htn, on oral agents", False),
        ("typed [[tb]] strain", False),
        ("Pt well, no hx DM. [[DM]]\nHTN", False),
        ("Hx of CAD, [[DM]]", False),
        ("Dx: [[DM]]", False),
        ("Mild MR. [[AF]], rate 92", False),
        ("rsv sent. cxr ok. [[RSV]]/flu neg", False),
        ("Hx HTN/[[dm]], on oral agents", False),
    ],
)
def test_initials_in_the_place_of_a_signature_stay(marked: str, stays: bool) -> None:
    text, span = marked_span(marked, "DOCTOR")
    assert (span in mend(text, [span], "en")) is stays


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("naar bed om 11.20 u, type 4. [[pr]]", True),
        ("kamer gelucht, gegeten. sm/[[tb]]", True),
        ("AFDRUK DOOR [[ml]]", True),
        ("rijdt woensdag.\n[[G.B.]]", True),
        ("Re: pre-op, [[HT]]. Pat Wim", False),
        ("R: [[PC]] 14/10, FiO2 45%", False),
    ],
)
def test_initials_sign_in_dutch(marked: str, stays: bool) -> None:
    text, span = marked_span(marked, "INITIALS")
    assert bool(mend(text, [span], "nl")) is stays


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("baja hasta fin de mes. [[PG]]", True),
        ("visto en consulta.\n[[PG]]\n", True),
        ("análogo de [[PG]] oral", False),
        ("[[PG]]: 40 mg.", False),
    ],
)
def test_initials_sign_in_spanish(marked: str, stays: bool) -> None:
    text, span = marked_span(marked, "NOMBRE_PERSONAL_SANITARIO")
    assert bool(mend(text, [span], "es")) is stays


@given(st.text(max_size=12), st.sampled_from(["dm", "DM", "D.M.", "Dm", "dm2", "x"]), st.text())
def test_other_labels_and_words_never_sign(before: str, mention: str, after: str) -> None:
    text = before + mention + after
    start, end = len(before), len(before) + len(mention)
    assert not is_signature(text, Span(start, end, "DATE"))
    if mention in ("Dm", "dm2", "x"):
        assert not is_signature(text, Span(start, end, "DOCTOR"))
