"""What is named after somebody or a place is no name (Spanish)."""

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_named_after


@pytest.mark.parametrize(
    "marked",
    [
        "Escala de <NOMBRE_PERSONAL_SANITARIO>Hamilton</NOMBRE_PERSONAL_SANITARIO> 18.",
        "signo de <NOMBRE_SUJETO_ASISTENCIA>Mingazzini</NOMBRE_SUJETO_ASISTENCIA> +",
        "MANIOBRA DE <NOMBRE_PERSONAL_SANITARIO>LASEGUE</NOMBRE_PERSONAL_SANITARIO> NEGATIVA",
        "Síndrome de Dubin-<NOMBRE_PERSONAL_SANITARIO>Johnson</NOMBRE_PERSONAL_SANITARIO>.",
        "<NOMBRE_PERSONAL_SANITARIO>Escala de Braden</NOMBRE_PERSONAL_SANITARIO>: 12",
        "criterios de <TERRITORIO>Rotterdam</TERRITORIO>",
        "sonda de <NOMBRE_PERSONAL_SANITARIO>Foley</NOMBRE_PERSONAL_SANITARIO> permeable",
        "test de <NOMBRE_PERSONAL_SANITARIO>Allen</NOMBRE_PERSONAL_SANITARIO> negativo",
        "Separador de <NOMBRE_PERSONAL_SANITARIO>Finochietto</NOMBRE_PERSONAL_SANITARIO> en 5.º",
        "pinza de Satinsky, <NOMBRE_PERSONAL_SANITARIO>Kelly</NOMBRE_PERSONAL_SANITARIO> y "
        "<NOMBRE_PERSONAL_SANITARIO>Allis</NOMBRE_PERSONAL_SANITARIO>",
        "signos de Babinski y <NOMBRE_PERSONAL_SANITARIO>Kernig</NOMBRE_PERSONAL_SANITARIO> (-)",
        "Cumple 3/4 criterios mayores y 2/5 menores de <TERRITORIO>Yamaguchi</TERRITORIO>.",
        "vaso en área de <TERRITORIO>Kiesselbach</TERRITORIO>.",
        "descrita por <NOMBRE_PERSONAL_SANITARIO>Wei</NOMBRE_PERSONAL_SANITARIO> et al. (4)",
        "según <NOMBRE_PERSONAL_SANITARIO>Runyon</NOMBRE_PERSONAL_SANITARIO> y cols.",
        "la sospecha de <TERRITORIO>Síndrome de Alagille</TERRITORIO>.",
    ],
)
def test_what_is_called_after_somebody_is_spared(marked: str) -> None:
    document = parse_inline(marked)
    text, spans = document.text, document.spans
    assert list(spare_named_after(text, spans)) == []
    assert mend(text, spans, "es") == ()


@pytest.mark.parametrize(
    "marked",
    [
        "Hijos menores de <NOMBRE_SUJETO_ASISTENCIA>Yamaguchi</NOMBRE_SUJETO_ASISTENCIA>.",
        "cita en el área de <NOMBRE_SUJETO_ASISTENCIA>Quintero</NOMBRE_SUJETO_ASISTENCIA>.",
        "vista por <NOMBRE_PERSONAL_SANITARIO>Wei</NOMBRE_PERSONAL_SANITARIO> y colega",
        "La sonda de <NOMBRE_SUJETO_ASISTENCIA>María</NOMBRE_SUJETO_ASISTENCIA> gotea.",
        "La pinza de <NOMBRE_SUJETO_ASISTENCIA>Bembibre</NOMBRE_SUJETO_ASISTENCIA> cae.",
        "Visto por <NOMBRE_PERSONAL_SANITARIO>Kelly</NOMBRE_PERSONAL_SANITARIO> y "
        "<NOMBRE_PERSONAL_SANITARIO>Allis</NOMBRE_PERSONAL_SANITARIO>",
        "Signo de Babinski, <NOMBRE_PERSONAL_SANITARIO>Quintero</NOMBRE_PERSONAL_SANITARIO> ve.",
        "La fractura de <NOMBRE_SUJETO_ASISTENCIA>Collin</NOMBRE_SUJETO_ASISTENCIA> suelda.",
        "La escala de <NOMBRE_SUJETO_ASISTENCIA>Celestino</NOMBRE_SUJETO_ASISTENCIA> hoy.",
        "La fractura de <NOMBRE_SUJETO_ASISTENCIA>Quintero</NOMBRE_SUJETO_ASISTENCIA> suelda.",
        "El test de <NOMBRE_SUJETO_ASISTENCIA>Pilar Allen</NOMBRE_SUJETO_ASISTENCIA>.",
        "Hija de <NOMBRE_SUJETO_ASISTENCIA>Hamilton</NOMBRE_SUJETO_ASISTENCIA>.",
        "Escala hecha por <NOMBRE_PERSONAL_SANITARIO>Hamilton</NOMBRE_PERSONAL_SANITARIO>.",
        "signo de\n<NOMBRE_SUJETO_ASISTENCIA>Hamilton</NOMBRE_SUJETO_ASISTENCIA>",
        "Técnica de <HOSPITAL>Bellvitge</HOSPITAL>",
    ],
)
def test_names_of_persons_stay(marked: str) -> None:
    document = parse_inline(marked)
    text, spans = document.text, document.spans
    assert list(spare_named_after(text, spans)) == list(spans)


def test_it_is_done_of_spanish_alone() -> None:
    text = "Escala de Hamilton"
    span = Span(10, 18, "NAME")
    assert mend(text, [span], "nl") == (span,)
