"""Doses by weekday stay, and their weekdays are dates; real days stay whole."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.dose_weeks import spare_doses
from tests.taggers.mending.doses import marked_dates, shifted_doses


@pytest.mark.parametrize(
    ("marked", "language", "shifted"),
    [
        ("warfarin {Mon 5}, Tue 5, {Wed 2.5}", "en", "warfarin Wed 5, Thu 5, Fri 2.5"),
        ("Coumadin: Mo 5mg {Tu 2.5}mg", "en", "Coumadin: We 5mg Th 2.5mg"),
        ("insulin Mo 12 {Tu 12} We 14", "en", "insulin We 12 Th 12 Fr 14"),
        ("{Monday 5 Tuesday 10 Friday} 5", "en", "Wednesday 5 Thursday 10 Sunday 5"),
        ("levothyroxine M 1/2, {T 1/4}", "en", "levothyroxine W 1/2, Th 1/4"),
        ("5 Mon, 2.5 {Tue, 5 Wed}", "en", "5 Wed, 2.5 Thu, 5 Fri"),
        ("{Mon}/Wed/Fri 5 mg, {Tue/Thu 2}.5 mg", "en", "Wed/Fri/Sun 5 mg, Thu/Sat 2.5 mg"),
        ("Warfarin\nMon  Tue  Wed\n\n{5  2.5}  5", "en", "Warfarin\nMon  Tue  Wed\n\n5  2.5  5"),
        ("ma 2, {di 1}, wo 2, {do} 1", "nl", "wo 2, do 1, vr 2, za 1"),
        ("methotrexaat {ma} 2,5 {di 5 wo 2,5}", "nl", "methotrexaat wo 2,5 do 5 vr 2,5"),
        ("Sintrom:\nma: {2\ndi: 3}\nwo: 4 E", "nl", "Sintrom:\nwo: 2\ndo: 3\nvr: 4 E"),
        ("marcoumar {ma 1/2} - {di 1/4}", "nl", "marcoumar wo 1/2 - do 1/4"),
        ("| ma | {di} | wo |\n|---|---|---|\n| {2 | 1 | ½} |", "nl",
         "| wo | do | vr |\n|---|---|---|\n| 2 | 1 | ½ |"),
        ("acenocoumarol schema {ma 1 di 2} {wo 3}", "nl", "acenocoumarol schema wo 1 do 2 vr 3"),
        ("Sintrom {L 1/2, M 1/4, X 1/2}", "es", "Sintrom X 1/2, J 1/4, V 1/2"),
        ("{lunes 2}, {martes 1} y {miércoles 2}", "es", "miércoles 2, jueves 1 y viernes 2"),
        ("{lun 50} mar 75 {mie 50} mcg", "es", "mié 50 jue 75 vie 50 mcg"),
        ("L  M  X\n{1/2 1/4 1/2}", "es", "L  M  X\n1/2 1/4 1/2"),
        ("insulina {lu 12}, {ma 13} UI", "es", "insulina mi 12, ju 13 UI"),
        ("el {12/3 lunes 2, martes 3}, jueves 2", "es", "el 9/1 miércoles 2, jueves 3, sábado 2"),
    ],
)  # fmt: skip
def test_doses_stay_where_weekdays_move(marked: str, language: str, shifted: str) -> None:
    assert shifted_doses(marked, language) == shifted


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("Rota: {Mon 3}, {Tue 4}, {Wed 5} on call", "en"),
        ("Seen {Mon 3}, {Tue 4} and {Fri 14}", "en"),
        ("{Thu 30}, {Fri 31}, {Mon 3}", "en"),
        ("{Mon 3/4}, {Tue 3/5}, {Wed 3/6}", "en"),
        ("{Mon 1/2}, {Tue 1/3}, {Wed 1/4}", "en"),
        ("Reviewed {Mon 3}, {Fri 4}. Home", "en"),
        ("On warfarin; INR due {Mon 3}, {Wed 5}, {Fri 7}", "en"),
        ("clinic {Mon 9-12}, {Tue 13-17}, {Wed 9-12}", "en"),
        ("Mon Tue Wed Thu\n{3} 4 5 6\n10 {11} 12 13", "en"),
        ("{ma 3}, {di 4}, {wo 5} dienst", "nl"),
        ("afspraken {ma 3}, {wo 5}, {vr 14}", "nl"),
        ("{ma 3}, {di 5} en {wo 7} jan", "nl"),
        ("{za 1/2}, {zo 2/2}, {ma 3/2}", "nl"),
        ("{ma 3.2}, {di 4.2}, {wo 5.2}", "nl"),
        ("guardias {lunes 3}, {martes 4}, {miércoles 5}", "es"),
        ("citas {lun 3}, {mié 5} y {vie 7}", "es"),
        ("{lunes 3} de mayo, {martes 5} de mayo, {jueves 9} de mayo", "es"),
        ("vacaciones {jue 30}, {vie 31}, {lun 3}", "es"),
        ("{L 3}, {M 4}, {X 5}, {J 6}", "es"),
        ("{lunes 3} a las 10, {martes 4} a las 11", "es"),
    ],
)
def test_real_days_stay(marked: str, language: str) -> None:
    document = marked_dates(marked, language)
    assert spare_doses(document.text, document.spans, language) == document.spans


def test_what_is_no_date_stays_beside_doses() -> None:
    text = "Sintrom ma 2, di 1, wo 2"
    rows = (Span(8, 12, "ID"), Span(14, 18, "DATE"))
    left = spare_doses(text, rows, "nl")
    assert [(text[r.start : r.end], r.label) for r in left] == [
        ("ma 2", "ID"), ("di", "DATE"), ("wo", "DATE"),
    ]  # fmt: skip
    assert spare_doses(text, rows[:1], "nl") == rows[:1]


@pytest.mark.parametrize("unit", ["Mon 5, ", "Mon ", "Mon Tue Wed\n", "5 Mon", "5 mg a Mon ", "M-"])
def test_weekdays_without_end_take_time_by_their_number(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    begin = process_time()
    spare_doses(text, (Span(0, 5, "DATE"),), "en")
    assert process_time() - begin < 5


PIECES = st.sampled_from(
    ["Mon", "Tue", "We", "M", "T", " ", " ", " 5", " 2.5", " 1/2", " 12 mg", ", ", "\n", " | ",
     "warfarin", "/", " and ", ".", "Jan", "mar", "lun", "mié", "ma", "di"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=24).map("".join), st.sampled_from(["en", "nl", "es"]), st.data())
def test_spans_stay_disjoint_and_hold_no_more_than_weekdays_besides(
    text: str, language: str, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    rows = tuple(
        Span(a, b, data.draw(st.sampled_from(["DATE", "ID"])))
        for a, b in zip(cuts[::2], cuts[1::2], strict=False)
    )
    left = spare_doses(text, rows, language)
    assert all(one.end <= two.start for one, two in pairwise(left))
    old = {at for row in rows for at in range(row.start, row.end)}
    new = {at for row in left for at in range(row.start, row.end)} - old
    assert not any(text[at].isnumeric() for at in new)
    assert spare_doses(text, left, language) == left
