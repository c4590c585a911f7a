"""Words for relatives that mean none are spared (Spanish)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_kin, spare_terms
from tests.taggers.mending_samples import read_braces

KIN = "FAMILIARES_SUJETO_ASISTENCIA"


@pytest.mark.parametrize(
    "marked",
    [
        "Rescate por la {compañera de piso}, que avisó",
        "tras llamar su {compañera} de residencia, Wiktoria",
        "{Compañeros} de habitación: Rachid",
        'Remedios, "como una {hermana}" para ella',
        "viudo, sin {hijos}, DNI",
        "Grupo de {padres} en la sala",
        "masa quística con vesículas {hijas}",
        "Tapicero. {Viudo}, vive con una hermana",
        "Familia: {viuda} de Melitón; tres",
        "la ve Soledad, {viuda}, de la casa",
    ],
)
def test_who_is_no_relative_is_spared(marked: str) -> None:
    text, span = read_braces(marked, KIN)
    assert list(spare_kin(text, [span])) == []
    assert mend(text, [span], "es") == ()


@pytest.mark.parametrize(
    "marked",
    [
        "su {compañera} Olena no quiere",
        "La {compañera}, Mirela, recogerá",
        "{Compañero de vida} celoso",
        "la reconoce como su {hermana} Ana",
        "su {hermana} ayuda",
        "tres {hijos}, uno en Bélgica",
        "vive sin marido, con {hijos}",
        "los {padres} lo traen",
        "avisados los {padres} del grupo",
        "tiene dos {hijas}",
        "sin noticias de la {familia}",
        "La {viuda} (Ofelia, 986)",
        "avisada la {viuda} de su hermano",
        "seguimiento al {viudo}.",
        "SE COMUNICA A DOLORES, {VIUDA}, AVISADA",
    ],
)
def test_relatives_stay(marked: str) -> None:
    text, span = read_braces(marked, KIN)
    assert list(spare_kin(text, [span])) == [span]
    assert mend(text, [span], "es") == (span,)


@pytest.mark.parametrize(
    ("marked", "kept"),
    [
        ("falta la vacuna. la {mama} del bebe, nilda", True),
        ("{mama} O neg, bebe A pos", True),
        ("ayuda a la {mama} nubia en el maíz", True),
        ("cáncer de {mama} izquierda", False),
        ("nódulo en la {mama} derecha", False),
        ("la {mama} izquierda densa", False),
    ],
)
def test_a_mother_without_an_accent_is_no_breast(marked: str, kept: bool) -> None:
    text, span = read_braces(marked, KIN)
    span = replace(span, score=0.7)
    assert list(spare_terms(text, [span], language="es")) == ([span] if kept else [])
    assert mend(text, [span], "es") == ((span,) if kept else ())


@pytest.mark.parametrize(
    ("marked", "label", "kept"),
    [
        ("Jocelyn, Enf. {Cea}.", "NOMBRE_PERSONAL_SANITARIO", True),
        ("procedente de {Tena}. Shock", "TERRITORIO", True),
        ("Visita con {Tena} el martes", "NOMBRE_PERSONAL_SANITARIO", True),
        ("marcadores: {Cea} 3", "NOMBRE_PERSONAL_SANITARIO", False),
        ("pañal {Tena} de noche", "TERRITORIO", False),
    ],
)
def test_who_is_introduced_is_no_term(marked: str, label: str, kept: bool) -> None:
    text, span = read_braces(marked, label)
    span = replace(span, score=0.7)
    assert mend(text, [span], "es") == ((span,) if kept else ())
