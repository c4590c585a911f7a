"""Titles and years of a residency are no part of a name, nor are devices one (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_titles
from tests.taggers.mending_samples import read_braces

STAFF, PATIENT = "NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA"


@pytest.mark.parametrize(
    ("marked", "left"),
    [
        ("\n{Farías R3} / MB Elizondo", "Farías"),
        ("Dra. {Tlapale R1P} /", "Tlapale"),
        ("{Bernal, R1}", "Bernal"),
        ("Dr. {Noé Aguayo MB}, cédula", "Noé Aguayo"),
        ("difiere a {Flga. Marín}.", "Marín"),
        ("Manque / {Flga Tironi}", "Tironi"),
        ("Lic. {Nut. Techera}, Montevideo", "Techera"),
        ("Presenta: {Res. Cotignola}.", "Cotignola"),
        ("// Dr.{ª Buil}", "Buil"),
        ("Xana {Bobes MIR-3}", "Bobes"),
        ("{Educ. Yanara Hormazábal R2}", "Yanara Hormazábal"),
        ("Interno: {Br. Leonel Pastrán}  Adjunto", "Leonel Pastrán"),
        ("avisada {TS. Elena Ruiz}", "Elena Ruiz"),
        ("(agente {Cabo Leiva})", "Leiva"),
        ("{Cirujana Rocca}, ayudante", "Rocca"),
        ("Pascual y {mosén Anchel}.", "Anchel"),
    ],
)
def test_titles_are_cut_off(marked: str, left: str) -> None:
    text, span = read_braces(marked, STAFF)
    (name,) = spare_titles(text, [span])
    assert text[name.start : name.end] == left
    assert mend(text, [span], "es") == (name,)


@pytest.mark.parametrize(
    "marked",
    [
        "[21:04] {Manu R3}: bajo ya",
        "firma {García MB}",
        "vio {R. Moreno}",
        "vio {Res}",
        "Enf. {Lic Ana}",
        "{Mat. Li}",
        "{Nutó Vera}",
        "Dr. {Mir Anwar}",
        "{Anwar Mir}",
        "{Educardo Paz}",
    ],
)
def test_names_stay_whole(marked: str) -> None:
    text, span = read_braces(marked, STAFF)
    assert list(spare_titles(text, [span])) == [span]


@pytest.mark.parametrize("label", ["CENTRO_SALUD", PATIENT, STAFF])
def test_social_workers_are_no_health_centre(label: str) -> None:
    text, span = read_braces("Avisado a {t.s. Lourdes Ceballos}.", label)
    (name,) = mend(text, [span], "es")
    assert (text[name.start : name.end], name.label) == ("Lourdes Ceballos", STAFF)


@pytest.mark.parametrize("mention", ["C.S. Lourdes", "T.S.", "Posta S. Roque"])
def test_health_centres_stay(mention: str) -> None:
    text, span = read_braces(f"Avisado a {{{mention}}}.", "CENTRO_SALUD")
    assert mend(text, [span], "es") == (span,)


@pytest.mark.parametrize(
    ("before", "mention"),
    [("su hija ", "Iris"), ("Sra. ", "Iris"), ("Nombre: ", "Alma"), ("acude la madre (", "Iris")],
)
def test_a_first_name_that_is_a_term_stays_in_doubt(before: str, mention: str) -> None:
    start = len(before)
    span = Span(start, start + len(mention), PATIENT, score=0.5)
    assert mend(f"{before}{mention}, 45", [span], "es") == (span,)
