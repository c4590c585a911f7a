"""Parts of a whole, days of a course and rows of values are no dates (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_courses
from tests.taggers.mending_samples import read_braces


@pytest.mark.parametrize(
    "marked",
    [
        "levofloxacino 500/24 h (día {3/7})",
        "Azitromicina 10 mg/kg día {2/5}. La mamá",
        "por S. gallolyticus, día {19/28}, ceftriaxona",
        "Ceftriaxona 2 g/día, día {14/28}.",
        "Día {3/5} de daptomicina",
        "meropenem, {día 5/7}",
        "Fisioterapia sesión {6/12}",
        "dejamos hoja de notificación {1/2}.",
        "Contaje {10/10}. Cierra",
        "Cumple {3/4} criterios mayores y 2/5 menores",
        "durmió 6 h {4/7} noches",
        "{8/10} en la EVA al poner la cuña",
        "en sangre ({2/2} frascos)",
        "Menarquia 12. FM {7-9/25}. FUR 27-IX",
        "F.M.: {3-4/32}. Niega",
        "ciclos regulares {4/28}",
        "olanzapina ({10-0-15}), menos",
        "máx. {3/semana}). Vuelve",
        "magnésico, {10-25} hematíes por campo",
        "cada {4-6} h",
        "Brock 38%, {Mayo 61}%, Herder",
        "PRA {0/12} %",
        "Hallux valgus {26/13}, Manchester",
        "OD  {10  10   15   15   25   30}\n",
        "fx costales {6-7-8}, hemoneumotórax",
        "en costillas 3-6 y {6-9}. No",
        "acuñamiento de vértebras {6-9}, ya sabido",
        "de la franja {12-25} Hz.",
    ],
)
def test_parts_and_rates_are_spared(marked: str) -> None:
    text, span = read_braces(marked, "FECHAS")
    assert list(spare_courses(text, [span])) == []
    assert mend(text, [span], "es") == ()
    assert mend(text, [span], "de") == (span,)


@pytest.mark.parametrize(
    "marked",
    [
        "el día {3/7} con ceftriaxona 2 g",
        "ceftriaxona 2 g hasta el día {3/7}",
        "vuelve día {3/7}",
        "daptomicina desde el {día 3/7}",
        "día {7/3} de daptomicina",  # more than the course has
        "Próxima sesión: {6/12}",
        "última dosis {6/8}",
        "HB 3.ª dosis {4/5}  anti-HBs",
        "sesión {6/12} a las 10",
        "sesión {6/12}/2023",
        "Cultivo {10/11}: E. coli",
        "vista el {3/4} noches malas",
        "cita {3/4} mayores del centro",
        "FUR {7/9}",
        "cita {4-6} a las 10",
        "desde {9-5} h 10",
        "desde {10-5}",
        "visto {11/13}",
        "mayo {12/26}",
        "ingresó en {marzo 21}, 30 %",
        "última regla {3/28}",
        "IQ {1-10-15}",
        "ecografía {10-3-20}",
        "FECHA {19  09  22}\n",
        "FECHA {19 09 22}\n",
        "visto {3/5}",
        "foto del {1-4}",
        "Foto {1-4}: mácula",
        "Fotos {10-12} enviadas",
        "Láminas {10-12}",
        "cuadrante {3-6}",
        "ingreso y alta {12  03  2019  15  03  2019}",
        "ingreso y alta {12 03 19 15 03 19}",
        "arcos {6-9}-2022",
        "intervenida {6-7-18}, alta",
        "dolor desde {8/10} en aumento",
    ],
)
def test_dates_stay(marked: str) -> None:
    text, span = read_braces(marked, "FECHAS")
    assert list(spare_courses(text, [span])) == [span]
    assert mend(text, [span], "es") == (span,)


@pytest.mark.parametrize(
    ("marked", "label", "kept"),
    [
        ("FAL   {402       310       201}\n", "ID_SUJETO_ASISTENCIA", False),
        ("Hz  {500 1000 2000 4000}\n", "OTRO_NUMERO_IDENTIF", False),
        ("OI  {20   40   35   25}\n", "NUMERO_TELEFONO", False),
        ("Tel. {34 93 693 29 05}\n", "NUMERO_TELEFONO", True),
        ("Tel. {600 700 800}\n", "NUMERO_TELEFONO", True),
        ("HC {100 200 300}\n", "ID_SUJETO_ASISTENCIA", True),
        ("Tel. {93  456  78  90}\n", "NUMERO_TELEFONO", True),
        ("Tel. {963 862 700}\n", "NUMERO_TELEFONO", True),
        ("NHC {3/7}\n", "ID_SUJETO_ASISTENCIA", True),
    ],
)
def test_rows_of_values_are_nobodys_number(marked: str, label: str, kept: bool) -> None:
    text, span = read_braces(marked, label)
    assert list(spare_courses(text, [span])) == ([span] if kept else [])


def test_other_labels_stay() -> None:
    span = Span(7, 11, "CALLE")
    assert list(spare_courses("sesión 6/12", [span])) == [span]
