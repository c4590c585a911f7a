"""A key that means one kind alone tells the kind of a number, others tell nothing (Spanish)."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.number_keys import label_numbers
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import labelled, read_braces

PATIENT, POLICY = "ID_SUJETO_ASISTENCIA", "ID_ASEGURAMIENTO"
VISIT, LICENCE = "ID_CONTACTO_ASISTENCIAL", "ID_TITULACION_PERSONAL_SANITARIO"
OTHER, PHONE, FAX = "OTRO_NUMERO_IDENTIF", "NUMERO_TELEFONO", "NUMERO_FAX"
PLACE = "TERRITORIO"


@pytest.mark.parametrize(
    ("marked", "found", "label"),
    [
        ("varón, DNI {34 998 771-W}, con", OTHER, PATIENT),
        ("Pasaporte: {054318826}", PHONE, PATIENT),
        ("34 años - DPI {2290 41877 1407}", OTHER, PATIENT),
        ("NHC: {88102}", VISIT, PATIENT),
        ("Póliza n.º {TR-005-448-19}.", OTHER, POLICY),
        ("NSS {4798 80 1177-2}", PATIENT, POLICY),
        ("tomada, frasco {0098812}.", OTHER, VISIT),
        ("Muestra nº {7731-B}", OTHER, VISIT),
        ("psicología (col. {AO-07713})", OTHER, LICENCE),
        ("Rojas – Mat. Prof. {TS-0672}", PATIENT, LICENCE),
        ("Valer CMP {48.117} RNE", PATIENT, LICENCE),
        ("Palma, idoneidad {4412-B}", OTHER, LICENCE),
        ("C.I. · Socia {88-20417} ·", OTHER, POLICY),
        ("Fax del juzgado: {968 555 071}", PHONE, FAX),
        ("Fax a hospital {925 555 099} con", PHONE, FAX),
        ("Unidad {CDMX-114}.", VISIT, OTHER),
        ("lote {K0F71Q2})", VISIT, OTHER),
        ("n.º de serie {GR-4410}", VISIT, OTHER),
        ("(fax {02324-55-0019})", POLICY, FAX),
        ("Fax: {987 23 73 92} e-mail", PHONE, FAX),
        ("sobrino, cel. {722-41906}", OTHER, PHONE),
        ("C.P.: {28003} Madrid", PATIENT, PLACE),
        ("CP {1425}, CABA", LICENCE, PLACE),
        ("Código postal: {5000}", OTHER, PLACE),
        ("cod. postal {3995}", PHONE, PLACE),
        ("C. P. {07300}", VISIT, PLACE),
    ],
)
def test_keys_decide(marked: str, found: str, label: str) -> None:
    text, span = read_braces(marked, found)
    (row,) = label_numbers(text, [span])
    assert (row.start, row.end, row.label) == (span.start, span.end, label)
    assert mend(text, [span], "es") == (row,)
    assert label_numbers(text, [span], frozenset([found])) == (span,)


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        ("expediente {EX-4410}", VISIT),
        ("Dra. Baca, CP {3870016}", LICENCE),
        ("CP {28-003}", OTHER),
        ("caja postal {5000}", OTHER),
        ("PCP {5000}", OTHER),
        ("CP: {B1708}", PATIENT),
        ("ref. {4410-22}", OTHER),
        ("cédula {1.104.882}", LICENCE),
        ("Tel./Fax {987 23 73 92}", PHONE),
        ("fax {12}", OTHER),
        ("biopsia {de piel}", OTHER),
        ("DNI\n{4410-22}", OTHER),
        ("interserie {4410-22}", VISIT),
        ("Colonia {4410-22}", OTHER),
        ("tiene móvil {356938035643809}", OTHER),
    ],
)
def test_other_keys_decide_nothing(marked: str, found: str) -> None:
    text, span = read_braces(marked, found)
    assert label_numbers(text, [span]) == (span,)


def test_documents_of_others_stay() -> None:
    kin, staff = "FAMILIARES_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"
    for marked in (
        f"hija <{kin}>Ana Gil</{kin}>, DNI <{OTHER}>3399877-W</{OTHER}>",
        f"Dr. <{staff}>Luis Paz</{staff}>, RUT <{LICENCE}>9.774.210-K</{LICENCE}>",
    ):
        rows = labelled(lambda text, spans: label_numbers(text, spans), marked, "es")
        assert rows[1].startswith((OTHER, LICENCE))


def test_dates_stay() -> None:
    span = Span(8, 16, "FECHAS")
    assert label_numbers("muestra 12/03/20", [span]) == (span,)
