"""How long something lasted and what was measured is no age (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_stretches
from tests.taggers.mending_samples import read_braces

PATIENT, KIN = "EDAD_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA"


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("VIH conocida desde hace {22 años}, en", PATIENT),
        ("Despedida de la consulta tras {31 años}.", PATIENT),
        ("tacos por {cinco años}. Tiempo", KIN),
        ("tras un seguimiento de {4 años}.", KIN),
        ("dentro de uno o {dos años}.", KIN),
        ("hace más de {20 años}, con", PATIENT),
        ("cuatro y {dos años} previos", KIN),
        ("DM2 de {12 a} de evolución", PATIENT),
        ("Modista, {8 años} de escolaridad.", PATIENT),
        ("{Ocho años} atrás tuvo", PATIENT),
        ("Sentencia: {5 años} 4 meses", PATIENT),
        ("hace {3 años y 4 meses}, en", PATIENT),
        ("Consultorio #{17}, Policlínico", PATIENT),
        ("LT 0448812, {21} DÍAS A PARTIR DE", PATIENT),
        ("Isidora hipoglucemia {48}. Zumo", PATIENT),
        ("con peso seco de {58}, hoy 63", PATIENT),
        ("mide 153; su aita {171}. Un", KIN),
        ("{3}.er grado denegado", PATIENT),
        ("Boston ({60})", KIN),
        ("GOT / GPT ... {61} / 94 U/l", PATIENT),
        ("a 4.000 y 8.000 Hz, {40} y 55 dB.", KIN),
    ],
)
def test_durations_and_measures_are_spared(marked: str, label: str) -> None:
    text, span = read_braces(marked, label)
    assert list(spare_stretches(text, [span])) == []
    assert mend(text, [span], "es", labels=frozenset([label])) == ()


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("Niña, {5 años 4 meses}, sana", PATIENT),
        ("corrige edad: no {36} sino 63", PATIENT),
        ("neonato, {21} días de vida", PATIENT),
        ("varón de {52 años} de etnia gitana", PATIENT),
        ("diagnosticada a los {18 años} de colitis", PATIENT),
        ("madre fallecida a los {66 años} de cáncer", KIN),
        ("a los {39 años} antes de la boda", PATIENT),
        ("Mujer, {70 años}, vive", PATIENT),
        ("hija de {5 años}, sana", KIN),
        ("Edad/sexo/peso: {59}/F/88 kg", PATIENT),
        ("Barthel de {82} años", PATIENT),
        ("Hijos: Millaray ({17}), gestante", KIN),
        ("Lucas G. ({14}), autolesiones", PATIENT),
        ("padres de {74} y 64 años", KIN),
        ("abuela de {101}, lúcida", KIN),
        ("2. Vicenta – {51} – PAP", PATIENT),
    ],
)
def test_ages_stay(marked: str, label: str) -> None:
    text, span = read_braces(marked, label)
    assert list(spare_stretches(text, [span])) == [span]
    assert mend(text, [span], "es") == (span,)
