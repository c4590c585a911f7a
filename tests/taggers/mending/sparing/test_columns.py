"""Values of a row are let go; dates, rooms and numbers of somebody in columns stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.columns import is_columns, may_be_columns
from scrubjay.taggers.mending import mend

_HEAD = "                T0      T1      T2\n"


def _marked(marked: str, label: str) -> tuple[str, Span]:
    start, end = marked.index("[["), marked.index("]]") - 2
    return marked.replace("[[", "").replace("]]", ""), Span(start, end, label, score=0.9)


@pytest.mark.parametrize("label", ["DATE", "ID", "PHONE_FAX", "INTERNAL_LOCATION", "AGE"])
@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        (_HEAD + "NRS rust       [[8       5       3]]\n", False),
        ("Kreatinine     [[91     94     102     60-110]]\neGFR", False),
        ("eGFR (CKD-EPI)   [[72      69      63]]\n", False),
        ("Transferrinesat.    [[22        14]]        5      >16 %", False),
        ("sat\t[[88\t95\t98]]", False),
        ("Hb             7,[[2        6,8       8,5-11]],0\nMCV", False),
        ("LEFS       34      [[52       63]]\n", False),
        ("LEFS       [[52       63]]\n", True),
        ("[[17     03     2033]]", True),
        ("geboren     [[17     11     2033]]", True),
        ("geboren     [[17     03     33]]", True),
        ("geboren     [[17     11     33]]", True),
        ("Kamer         [[12     11     33]]", True),
        ("dhr Pelikaan  [[12     84     3]]", True),
        ("dossier     [[204     817     7361]]", True),
        ("tel     [[088     204     811]]", True),
        ("[[12     84     3]]", True),
        ("datum      [[12     11     3]]-2024", True),
        ("kamer [[12 84 3]]", True),
        ("PSK traplopen       [[9       7       4]]\n", False),
        ("Flexie knie      [[95     120     132]]\n", False),
        ("sat\t[[95\t94\t96]]", False),
        ("wo 4/9     [[5,3     7,9     7,1]]     8,6*\n", False),
        ("Bel zoon  [[06  48  23  91  55]]", True),
        ("Bereikbaar  [[06  12  34  56  78]]", True),
        ("Burgerserv.   [[123   456   782]]", True),
        ("Opname   [[22   11   24]]", True),
        ("Ontslag   [[22   11   24]]", True),
        ("OK   [[22   11   24]]", True),
        ("Controle   [[22   11   24]]", True),
        ("Controle   [[22   11   124]]", True),
        ("Flexie   [[22   11   24]]", True),
        ("Na ontslag   [[123   456   782]]", True),
        ("Stap   [[22.1   23.1   24.1]]", True),
        ("NRS   [[06   11   24]]", True),
        ("Contact   [[88   204   811]]", True),
    ],
)
def test_values_of_a_row(marked: str, label: str, stays: bool) -> None:
    text, span = _marked(marked, label)
    assert (span in mend(text, [span], "nl", labels=())) is stays


def test_a_row_of_a_person_keeps_its_numbers() -> None:
    text = "Pelikaan     12      84      3\n"
    rows = [Span(0, 8, "NAME", score=0.9), Span(13, 30, "INTERNAL_LOCATION", score=0.9)]
    assert mend(text, rows, "nl", labels=()) == tuple(rows)
    assert mend("LEFS" + text[8:], [Span(9, 26, "ID", score=0.9)], "nl", labels=()) == ()


@pytest.mark.parametrize(
    ("mention", "stays"),
    [
        ("week 1     week 6     week 12", False),
        ("week 1 week 6", True),
        ("week 1     mei 6", True),
    ],
)
def test_periods_at_the_head_of_columns(mention: str, stays: bool) -> None:
    text = "SCORE       " + mention + "\nNRS rust"
    span = Span(12, 12 + len(mention), "DATE", score=0.9)
    assert (span in mend(text, [span], "nl", labels=())) is stays


@given(st.text(alphabet="0123456789 ,.-<\tweek\n", max_size=30))
def test_what_has_no_shape_is_never_asked(text: str) -> None:
    if may_be_columns(text):
        assert "  " in text or "\t" in text
        is_columns(text, Span(0, len(text), "DATE"), person=0)
