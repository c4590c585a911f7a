"""Weekdays that are names, behind titles and words for relatives (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.people.named_days import name_days


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("M.ª Elena + el padre <FECHAS>Domingo</FECHAS>. Box 7", "FAMILIARES_SUJETO_ASISTENCIA"),
        ("su hermano <FECHAS>Domingo</FECHAS> llama", "FAMILIARES_SUJETO_ASISTENCIA"),
        ("fray <FECHAS>Domingo</FECHAS>", "FAMILIARES_SUJETO_ASISTENCIA"),
        ("D. <FECHAS>Domingo</FECHAS> refiere", "NOMBRE_SUJETO_ASISTENCIA"),
        ("avisado el Dr. <FECHAS>Domingo</FECHAS>", "NOMBRE_PERSONAL_SANITARIO"),
        # Near misses.
        ("viene el padre <FECHAS>domingo</FECHAS>", "FECHAS"),
        ("VIENE EL PADRE <FECHAS>DOMINGO</FECHAS>", "FECHAS"),
        ("el padre <FECHAS>Domingo 3 de mayo</FECHAS>", "FECHAS"),
        ("el compadre <FECHAS>Domingo</FECHAS>", "FECHAS"),
        ("el padre <FECHAS>Lunes</FECHAS>", "FECHAS"),
        ("<FECHAS>Domingo</FECHAS>: sin fiebre", "FECHAS"),
    ],
)
def test_a_weekday_with_a_capital_behind_who_somebody_is_is_a_name(text: str, label: str) -> None:
    document = parse_inline(text)
    (span,) = name_days(document.text, document.spans)
    assert span.label == label
    assert (span.start, span.end) == (document.spans[0].start, document.spans[0].end)
