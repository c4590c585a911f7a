"""Bodies without a name are no institution, nor is a family state a trade (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_bodies
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    ("marked", "label", "kept"),
    [
        ("TRABAJO SOCIAL — {Centro Penitenciario}\nInterno", "INSTITUCION", False),
        ("ingresó en {Hospital de Día} durante", "HOSPITAL", False),
        ("PARA {COMISION DE TUTELAS}\n", "INSTITUCION", False),
        ("reapertura del {IMV}.", "INSTITUCION", False),
        ("{Unidad de Salud Bucodental}. Remite", "CENTRO_SALUD", False),
        ("({Banco de Tumores}) Hospital Miguel", "INSTITUCION", False),
        ("{Centro Penitenciario} de Topas", "INSTITUCION", True),
        ("{Centro Penitenciario de Topas}", "INSTITUCION", True),
        ("{Hospital de Día} Los Olmos", "HOSPITAL", True),
        ("Remitido al {Juzgado de Guardia}.", "INSTITUCION", True),
        ("{Banco de Alimentos} de La Rioja", "INSTITUCION", True),
        ("expediente {INSS}", "INSTITUCION", True),
        ("calle {IMV}", "CALLE", True),
        ("Cama {B-407}. Hospital", "ID_CONTACTO_ASISTENCIAL", False),
        ("# CAMA {624B}\n", "ID_SUJETO_ASISTENCIA", False),
        ("Habitación n.º {312-2}", "OTRO_NUMERO_IDENTIF", False),
        ("consulta n.º {5521}", "ID_CONTACTO_ASISTENCIAL", True),
        ("cama {1204418877}", "ID_SUJETO_ASISTENCIA", True),
        ("NHC {4407}", "ID_SUJETO_ASISTENCIA", True),
        ("cama {407}", "FECHAS", True),
        ("Es {diestro}, trabaja", "PROFESION", False),
        ("33 años, {soltera}, con", "PROFESION", False),
        ("61 años, {domiciliada} en", "PROFESION", False),
        ("zinacanteca, {hablante de tzotzil}, acude", "PROFESION", False),
        ("Hanan, {primípara}, parto", "PROFESION", False),
        ("68, {turista}, pasaporte", "PROFESION", False),
        ("Es {maestro jubilado}", "PROFESION", True),
        ("Es {casador} de telas", "PROFESION", True),
        ("15 años, {estudiante}", "PROFESION", True),
        ("hijo {cura}", "PROFESION", True),
        ("{guía turística}", "PROFESION", True),
    ],
)
def test_what_is_no_body_and_no_trade_is_spared(marked: str, label: str, kept: bool) -> None:
    text, span = read_braces(marked, label)
    assert list(spare_bodies(text, [span])) == ([span] if kept else [])
    assert mend(text, [span], "es") == ((span,) if kept else ())
