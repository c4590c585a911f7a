"""Long numbers are identifiers where nothing was found; amounts and parts of others are none."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.long_numbers import add_long_numbers
from scrubjay.taggers.mending import mend


@pytest.mark.parametrize(
    ("text", "number", "label"),
    [
        ("por Mipres n.º 20200227114009981. La", "20200227114009981", "OTRO_NUMERO_IDENTIF"),
        ("Denuncia SNVS: 18834201.", "18834201", "OTRO_NUMERO_IDENTIF"),
        ("niveles de digoxina 7730142: 1,1", "7730142", "OTRO_NUMERO_IDENTIF"),
        ("(muestra 7730142)", "7730142", "ID_CONTACTO_ASISTENCIAL"),
        ("NSS 47988011772 y", "47988011772", "ID_ASEGURAMIENTO"),
        ("7730142", "7730142", "OTRO_NUMERO_IDENTIF"),
    ],
)
def test_long_numbers_are_found(text: str, number: str, label: str) -> None:
    (row,) = mend(text, [], "es")
    assert (text[row.start : row.end], row.label) == (number, label)
    assert mend(text, [], "nl") == ()
    assert mend(text, [], "es", labels=frozenset(["FECHAS"])) == ()


@pytest.mark.parametrize(
    "text",
    [
        "carga viral 2345678 copias/ml",
        "E. coli 1000000 UFC/ml",
        "penicilina 2400000 UI",
        "penicilina 2400000",
        "4512345/mm3",
        "4512345 plaquetas",
        "rs12345678",
        "x-1234567",
        "1234567.8",
        "0.1234567",
        "c.1234567A>G",
        "chr7:55191822-55191830",
        "123456 y 98765",
        "1 234 567",
    ],
)
def test_amounts_are_left(text: str) -> None:
    assert mend(text, [], "es") == ()


def test_what_is_covered_stays() -> None:
    spans = (Span(4, 14, "NUMERO_TELEFONO"),)
    assert add_long_numbers("tel 60012345678", spans) == spans
