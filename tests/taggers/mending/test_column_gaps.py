"""No mention goes across the columns of a form; nothing is uncovered but keys (Spanish)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.column_gaps import part_columns
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces

PATIENT, HOSPITAL, DATE = "NOMBRE_SUJETO_ASISTENCIA", "HOSPITAL", "FECHAS"


@pytest.mark.parametrize(
    ("marked", "label", "left"),
    [
        ("{ROSA GIL PAZ     Rut}: 14.220.876-3", PATIENT, ["ROSA GIL PAZ"]),
        ("{Hospital San Roque   Medicina}\n", HOSPITAL, ["Hospital San Roque"]),
        ("{C.S. Robledal        CITA}: mié 30", "CENTRO_SALUD", ["C.S. Robledal"]),
        ("{Chol Sur    Fono} +56 9 5500", "TERRITORIO", ["Chol Sur"]),
        ("{Instituto del Tórax   La Paz}, 25", HOSPITAL, ["Instituto del Tórax", "La Paz"]),
        ("{GIL\tPAZ   ANA LUZ}", PATIENT, ["GIL\tPAZ", "ANA LUZ"]),
        ("n.º {7   6 de diciembre}", DATE, ["7", "6 de diciembre"]),
    ],
)
def test_columns_are_parted(marked: str, label: str, left: list[str]) -> None:
    text, span = read_braces(marked, label)
    rows = part_columns(text, [span])
    assert [text[one.start : one.end] for one in rows] == left
    assert {one.label for one in rows} == {label}


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("{Ana  Gil Paz}: vista", PATIENT),
        ("{R o s a   G i l}", PATIENT),
        ("{78  años}", "EDAD_SUJETO_ASISTENCIA"),
        ("{Calle Mayor  12, 5C}", "CALLE"),
        ("{Rut   Gil}: vista", PATIENT),
        ("{GIL   ANA}, 40", PATIENT),
        ("{GIL PAZ   RUT}, 40", PATIENT),
        ("{Gil Paz   Ana}: vista", PATIENT),
        ("fecha {19   09   22}", DATE),
        ("{600   123   456}", "NUMERO_TELEFONO"),
        ("EDAD {52  6} y", "EDAD_SUJETO_ASISTENCIA"),
        ("{Calle Olmo  12}. Burgos", "CALLE"),
        ("{Calle Olmo  12. Burgos}", "CALLE"),
        ("{Calle Olmo  12}. PROVINCIA Burgos", "CALLE"),
        ("{Av. Libertad  45}. Rosario", "CALLE"),
        ("{Av. Libertad  45. Rosario}", "TERRITORIO"),
        ("{Av. Libertad  45}. Rosario", "TERRITORIO"),
        ("Tel: {600 11 22  33}. Contacto", "NUMERO_TELEFONO"),
        ("Tel: {600 11 22  33}. SEXO F", "NUMERO_TELEFONO"),
        ("{12   03   2019   15   03   2019}", DATE),
        ("{12   3   2019   15   3   2019}", DATE),
        ("{12   3   19   15   3   19   7   4   19}", DATE),
        ("{1   12   3   2019   5}", DATE),
    ],
)
def test_all_of_a_mention_stays_covered(marked: str, label: str) -> None:
    text, span = read_braces(marked, label)
    rows = part_columns(text, [span])
    covered = [at for one in rows for at in range(one.start, one.end) if text[at].isalnum()]
    assert covered == [at for at in range(span.start, span.end) if text[at].isalnum()]


def test_rows_of_numbers_are_no_date() -> None:
    text, span = read_braces("OD {10  10   15   15   25\n OI       10   20}\n", DATE)
    assert part_columns(text, [span]) == ()
    assert mend(text, [span], "es") == ()
    assert mend(text, [span], "nl") == (span,)


@given(st.text(alphabet="aB1 .:\t\n", max_size=40), st.data())
def test_parts_lie_within(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    rows = part_columns(text, [Span(start, end, PATIENT)] if start < end else [])
    edges = [edge for one in rows for edge in (one.start, one.end)]
    assert edges == sorted(edges)
    assert all(start <= edge <= end for edge in edges)
    assert all(one.start < one.end for one in rows)
