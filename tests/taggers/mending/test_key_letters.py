"""The first letter of a key is no initial of the name before it (Spanish)."""

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.key_letters import spare_key_letters
from scrubjay.taggers.mending import mend

PATIENT, DOCTOR = "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"


def read(marked: str, label: str = PATIENT) -> list[str]:
    document = parse_inline(marked.replace("{", f"<{label}>").replace("}", f"</{label}>"))
    found = tuple(spare_key_letters(document.text, document.spans))
    assert mend(document.text, document.spans, "es") == found
    return [document.text[span.start : span.end] for span in found]


@pytest.mark.parametrize(
    ("marked", "left"),
    [
        ("Nombre: {Ana Gil. F}. nacimiento: 3/4/1960", ["Ana Gil"]),
        ("Nombre: {Ana Gil F.} nacimiento: 3/4/1960", ["Ana Gil"]),
        ("Nombre: {Ana Gil F}. Nac.: 3/4/1960", ["Ana Gil"]),
        ("Paciente: {Gil Mora, Ana F.} de nacimiento 3/4/1960", ["Gil Mora, Ana"]),
        ("{ANA GIL MORA F}. INGRESO 03/04/1960", ["ANA GIL MORA"]),
        ("{Ana Gil H}. Clínica: 334455", ["Ana Gil"]),
        ("{Ana Gil H}. Clínica: NHC 334455", ["Ana Gil"]),
        ("{Ana Gil H.} clínica 334455", ["Ana Gil"]),
        ("{Ana Gil N.} Historia: 334455", ["Ana Gil"]),
        ("{Ana Gil C}. Postal: 28901", ["Ana Gil"]),
        ("{Ana Gil}. {F}. de nacimiento: 3/4/1960", ["Ana Gil"]),
        ("{Ana Gil F.} alta prevista: 3/4/1960", ["Ana Gil"]),
    ],
)
def test_the_letter_of_a_key_is_left_out(marked: str, left: list[str]) -> None:
    assert read(marked) == left


@pytest.mark.parametrize(
    "marked",
    [
        "{Juan F.} Ruiz: alta",
        "{Ana Gil F.} Nacida en Soria",
        "{Ana Gil F.} alta mañana",
        "{Ana Gil F.} ingresa el 3/4",
        "{Ana Gil H.} Clínica Norte",
        "{Juan H.} Clínica: Quirón",
        "{JUAN H.} CLÍNICA: QUIRÓN",
        "{Gil F}",
        "{AnaF}. nacimiento: 3/4/1960",
    ],
)
def test_initials_stay(marked: str) -> None:
    assert len(read(marked)[0]) == marked.index("}") - 1


def test_of_sexes_too_and_of_nothing_else() -> None:
    assert read("Sexo {F}. nac: 3/4/1960", "SEXO_SUJETO_ASISTENCIA") == []
    assert read("Planta {4 F}. nac: 3/4/1960", "HOSPITAL") == ["4 F"]
