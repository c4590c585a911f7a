"""Weekdays in a row without numbers are dates together, or none."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.dose_weeks import spare_doses
from tests.taggers.mending.doses import marked_dates, shifted_doses


@pytest.mark.parametrize(
    ("marked", "language", "shifted"),
    [
        ("Warfarin 5 mg {M}/W/F, 2.5 mg T/{Th}/Sat/Sun", "en",
         "Warfarin 5 mg W/F/Su, 2.5 mg Th/Sa/Mon/Tue"),
        ("HD M/W/F via AVF", "en", "HD W/F/Su via AVF"),
        ("Epo 4000 units Mon & Thu", "en", "Epo 4000 units Wed & Sat"),
        ("MTX 15 mg every Tuesday and Thursday", "en", "MTX 15 mg every Thursday and Saturday"),
        ("clinic on {Mon} & Thu", "en", "clinic on Wed & Sat"),
        ("dialysis {T}/{T}/S", "en", "dialysis M/Th/Sa"),
        ("dialysis {T/T}/S", "en", "dialysis M/Th/Sa"),
        ("Bactrim DS M W F", "en", "Bactrim DS W F Su"),
        ("Mon, Wed, Fri 10 mg", "en", "Wed, Fri, Sun 10 mg"),
        ("Prednison 10 mg op ma/wo/vr", "nl", "Prednison 10 mg op wo/vr/zo"),
        ("Dialyse {ma}-wo-{vr}", "nl", "Dialyse wo-vr-zo"),
        ("azitromycine 3x/week (ma, wo, vr)", "nl", "azitromycine 3x/week (wo, vr, zo)"),
        ("Furosemide 40 mg ma + do", "nl", "Furosemide 40 mg wo + za"),
        ("Acenocumarol 2 mg L-X-V, 1 mg M-J-S-D", "es", "Acenocumarol 2 mg X-V-D, 1 mg J-S-L-M"),
        ("Cotrimoxazol 160 mg L, {X} y V", "es", "Cotrimoxazol 160 mg X, V y D"),
        ("HD lun/{mié}/{vie}", "es", "HD mié/vie/dom"),
        ("cada {martes} y jueves 5 mg", "es", "cada jueves y sábado 5 mg"),
        ("Hemodiálisis L-X-V", "es", "Hemodiálisis X-V-D"),
        ("{L, X y V}", "es", "X, V y D"),
    ],
)  # fmt: skip
def test_weekdays_in_a_row_move_together(marked: str, language: str, shifted: str) -> None:
    assert shifted_doses(marked, language) == shifted


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("Seen {Fri}, sat up in a chair", "en"),
        ("insulin 10 units F/U in 2 weeks", "en"),
        ("54 M/F, S/W note", "en"),
        ("Temp 37 T/M/W", "en"),
        ("A-M-W-F panel, M/W/F-2", "en"),
        ("Dr. <DOCTOR>M</DOCTOR> & F", "en"),
        ("Shelcal 5 mg.\nF/U {Tuesday} OPD", "en"),
        ("Septran DS {Sat}/{Sun}, T. Voriconazole", "en"),
        ("op {do} en {vr} vrij", "nl"),
        ("hiel li, 1,8. ma/do? nee", "nl"),
        ("turno {L-X-V} en", "es"),
        ("een zo en zo verhaal", "nl"),
        ("ma en vr komen niet", "nl"),
        ("L y M, V-S-D", "es"),
        ("del {lunes y martes 3 de mayo}", "es"),
    ],
)
def test_what_is_no_row_of_weekdays_stays(marked: str, language: str) -> None:
    document = marked_dates(marked, language)
    assert spare_doses(document.text, document.spans, language) == document.spans
