"""Identifiers that what stands beside them tells of: rows, keys, roles, handles, said numbers."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.odd_forms import add_odd_forms

KIN, STAFF, PATIENT = (
    "FAMILIARES_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA",
)  # fmt: skip


def _found(marked: str, language: str) -> list[str]:
    document = parse_inline(marked)
    rows = add_odd_forms(document.text, document.spans, language)
    return [f"{row.label} {document.text[row.start : row.end]}" for row in rows]


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("ROE, VAN ANH  07/07/1934  x", "es", f"{PATIENT} ROE, VAN ANH"),
        ("a\nROE, ANNA  NHC 2291844", "es", f"{PATIENT} ROE, ANNA"),
        ("ROE-LAKE, Anna   07-07-1934", "nl", "NAME ROE-LAKE, Anna"),
        ("ROE, ANNA MRN 2291844", "en", "PATIENT ROE, ANNA"),
        ("Primer apellido: de Roe\nx", "es", f"{PATIENT} de Roe"),
        ("Primer apellido: ROE   Segundo: LAGO", "es", f"{PATIENT} ROE"),
        ("Last name: Van Roe  First", "en", "PATIENT Van Roe"),
        ("Achternaam: van der Roe Voornaam: X", "nl", "NAME van der Roe"),
        (f"AYUDANTE: <{STAFF}>J.</{STAFF}> PARQUE   ANESTESIA", "es", f"{STAFF} J. PARQUE"),
        ("Surgeon: J. HILL", "en", "DOCTOR J. HILL"),
        ("R2 Wu / adj. X", "es", f"{STAFF} Wu"),
        ("aios Roe / superv Lake", "nl", "NAME Roe"),
        ("puesto por Ahmed en Lugo", "es", f"{STAFF} Ahmed"),
        ("Pareja Joaquín presente.", "es", f"{KIN} Joaquín"),
        ('<NAME>wren</NAME> "web" adeyemi-de roe, geb 19', "nl", 'NAME wren "web" adeyemi-de roe'),
        ("post als @wren_in_riet op", "nl", "ID @wren_in_riet"),
        ("posts as @wren_in_reed on", "en", "USERNAME wren_in_reed"),
        ("publica como @alex.juncos en", "es", "URL_WEB @alex.juncos"),
        ("naar kdv de eikeltjes aan de", "nl", "ORGANIZATION_COMPANY kdv de eikeltjes"),
        ("OP KDV DE EIKELTJES.", "nl", "ORGANIZATION_COMPANY KDV DE EIKELTJES"),
        ("BIJ KINDERKLINIEK DE BAAI.", "nl", "HOSPITAL KINDERKLINIEK DE BAAI"),
        ("jvpk sanne haal\n", "nl", "NAME sanne haal"),
        ("SANNE HAAL, VS  AGB 0199", "nl", "NAME SANNE HAAL"),
        ("overdracht door jkroe02.", "nl", "ID jkroe02"),
        ("LOT XK2291B, x", "nl", "ID XK2291B"),
        ("iPSA 3-25 9,1", "nl", "DATE 3-25"),
        ("INR 2,6 2/1. x", "es", "FECHAS 2/1"),
        ("intubado 3/1, x", "es", "FECHAS 3/1"),
        ("59V ACH pancreatitis", "es", "EDAD_SUJETO_ASISTENCIA 59"),
        ("a. 59M, POB", "nl", "AGE 59"),
        ("nummer vier vier een negen nul twee punt", "nl", "ID vier vier een negen nul twee"),
        ("mrn four four one nine oh two period", "en", "MEDICALRECORD four four one nine oh two"),
        ("op <PHONE_FAX>nul zes vijf vijf een acht drie nul nul</PHONE_FAX> een punt", "nl",
         "PHONE_FAX nul zes vijf vijf een acht drie nul nul een"),
        ("born: 05 / 08 / 1999", "en", "DATE 05 / 08 / 1999"),
    ],
)  # fmt: skip
def test_what_stands_beside_it_tells(marked: str, language: str, expected: str) -> None:
    assert _found(marked, language) == [expected]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("HEMATIES, HB 12", "es"), ("PCR, TSH  12/2024", "es"), ("Apellido: desconocido", "es"),
        ("Ayudante: no", "es"), ("AYUDANTE: EL R2", "es"), ("R2 Wu", "es"),
        ("puesto por Urgencias en", "es"), ("puesto por Foley en", "es"), ("Pareja Estable.", "es"),
        ('dijo "ay" dos, y', "es"), ("@dienst: wie", "nl"), ("feed @goal 75", "en"),
        ("naar kdv de hele dag", "nl"), ("kliniek de patiënt.", "nl"),
        ("vpk sanne haalt pt op", "nl"),
        ("door covid19.", "nl"), ("by q12h", "en"), ("LOT OF PAIN", "en"), ("PSA 3-25", "nl"),
        ("INR 2,6 2/1/24", "es"), ("operado 3/1/24", "es"), ("Drenaje 24V x", "es"),
        ("nummer drie van de lijst", "nl"), ("nul vier vijf", "nl"), ("1 / 2 / 3", "en"),
        ("sonda 59M, x", "es"),
    ],
)  # fmt: skip
def test_what_little_tells_of_is_none(text: str, language: str) -> None:
    assert _found(text, language) == []
