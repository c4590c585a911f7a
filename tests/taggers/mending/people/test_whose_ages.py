"""An age right behind a person is that person's, one elsewhere stays as it was found (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.people.whose_ages import tell_whose_ages
from tests.taggers.mending_samples import labelled

AGE, KIN = "EDAD_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA"
PATIENT, DATE = "NOMBRE_SUJETO_ASISTENCIA", "FECHAS"


def _label(marked: str) -> str:
    """Return the label of the age, the last mention, where K, A, P and D are short for labels."""
    for short, label in {"K": KIN, "A": AGE, "P": PATIENT, "D": DATE}.items():
        marked = marked.replace(f"<{short}>", f"<{label}>").replace(f"</{short}>", f"</{label}>")
    return labelled(tell_whose_ages, marked, "es")[-1].split(":")[0]


@pytest.mark.parametrize(
    "marked",
    [
        "vive con su mujer, <K>Eulalia</K>, de <A>86 años</A>.",
        "La esposa (<K>Nemesia</K>, <A>54 a</A>, pastora)",
        "la <K>hermana</K> de <A>12 años</A>",
        "Familia 418. <K>Padre</K> (<A>72</A>) ca. colon",
        "<K>Abuelo paterno</K> se suicidó a los <A>53 años</A>",
        "El <K>neonato</K> falleció a los <A>40 días</A> de vida",
    ],
)
def test_ages_of_relatives(marked: str) -> None:
    assert _label(marked) == KIN


@pytest.mark.parametrize(
    "marked",
    [
        "a <P>Camilo Outeda</P>, <K>72 años</K>, que me remites",
        "paciente <P>Demetrio Ocaña</P>, de <K>55 años</K>, a quien",
        "<P>Leocadio Dzib</P> (<K>41 años</K>, hombre)",
        "F. nac.: <D>07/01/1936</D> (<K>85 años</K>)",
    ],
)
def test_ages_of_patients(marked: str) -> None:
    assert _label(marked) == AGE


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("Acude con su <K>hija</K>. Varón de <A>72 años</A>", AGE),
        ("<K>padre</K> con ictus; úlcera a los <A>35 años</A>", AGE),
        ("su <K>madre</K> refiere que, a los <A>35 años</A>, él", AGE),
        ("<K>hija</K> <A>72 años</A>", AGE),
        ("Hijos: Dayana, <P>Snayder</P> (<K>3 años</K>)", KIN),
        ("la vio <P>Ana Gil</P>. Su hermana tiene <K>50 años</K>", KIN),
        ("IAM el <D>07/01/1936</D> (<K>85 años</K> el padre)", KIN),
    ],
)
def test_others_stay(marked: str, label: str) -> None:
    assert _label(marked) == label
