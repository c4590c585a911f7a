"""Sex, age and number behind a name in the rows of lists."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.list_cells import add_list_cells
from tests.taggers.mending_samples import labelled


def _mended(marked: str, language: str) -> list[str]:
    return labelled(
        lambda text, spans: add_list_cells(text, tuple(spans), language), marked, language
    )


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        (
            "<NAME>Dijkgraaf P</NAME> V <ID>51  6620118</ID>  AC", "nl",
            ["NAME:Dijkgraaf P", "AGE:51", "ID:6620118"],
        ),
        (
            "<NAME>El Amrani Fatiha</NAME> 44 6610945 pacli", "nl",
            ["NAME:El Amrani Fatiha", "AGE:44", "ID:6610945"],
        ),
        (
            "<NAME>Bouazzaoui Mohamed</NAME>  <INTERNAL_LOCATION>M/63</INTERNAL_LOCATION>  dos",
            "nl", ["NAME:Bouazzaoui Mohamed", "AGE:63"],
        ),
        (
            "<PATIENT>RAMSBOTTOM Geoff</PATIENT> <AGE>71</AGE> K118-220  FOLFOX", "en",
            ["PATIENT:RAMSBOTTOM Geoff", "AGE:71", "MEDICALRECORD:K118-220"],
        ),
        (
            "<NOMBRE_SUJETO_ASISTENCIA>Gil Paz</NOMBRE_SUJETO_ASISTENCIA>  M 51  K118-220", "es",
            ["NOMBRE_SUJETO_ASISTENCIA:Gil Paz", "EDAD_SUJETO_ASISTENCIA:51",
             "ID_SUJETO_ASISTENCIA:K118-220"],
        ),
        (
            "<PATIENT>Ouyang</PATIENT> <AGE>55</AGE> <IDNUM>K117-874</IDNUM> Keytruda", "en",
            ["PATIENT:Ouyang", "AGE:55", "IDNUM:K117-874"],
        ),
        (
            "<NAME>Hoi Fung Cheung</NAME> <AGE>77 6601377</AGE> Vidaza", "nl",
            ["NAME:Hoi Fung Cheung", "AGE:77", "ID:6601377"],
        ),
        (
            "<DOCTOR>Lulu Achterberg</DOCTOR> p.4471", "en",
            ["DOCTOR:Lulu Achterberg", "PHONE:4471"],
        ),
        (
            "<DOCTOR>Marisol V.</DOCTOR>, LCSW x31877", "en",
            ["DOCTOR:Marisol V.", "PHONE:31877"],
        ),
    ],
)  # fmt: skip
def test_cells_are_found(marked: str, language: str, expected: list[str]) -> None:
    assert _mended(marked, language) == expected


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("<NAME>Jansen</NAME> 51 mg", "nl"),
        ("<NAME>Jansen</NAME> M 51 mg", "nl"),
        ("<NAME>Jansen</NAME> 51 66201", "nl"),
        ("<NAME>Jansen</NAME> 51 6620118-3", "nl"),
        ("<NAME>Jansen</NAME> 06 6620118", "nl"),
        ("<NAME>Jansen</NAME> V <DATE>12 5-3-2024</DATE>", "nl"),
        ("<PATIENT>Smith</PATIENT>\n71 K118-220", "en"),
        ("<DOCTOR>Smith</DOCTOR> p.447", "en"),
        ("<DOCTOR>Smith</DOCTOR> p.4471-2", "en"),
    ],
)
def test_other_numbers_are_left(marked: str, language: str) -> None:
    document = parse_inline(marked)
    assert add_list_cells(document.text, document.spans, language) == document.spans
