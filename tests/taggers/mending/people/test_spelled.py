"""Names that are spelled, letter by letter, are names; days and headings are none."""

from __future__ import annotations

from time import process_time

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.people.spelled import add_spelled


@pytest.mark.parametrize(
    ("marked", "language", "kept"),
    [
        (
            "on <PATIENT>gilbert salt s a l t</PATIENT> medical record",
            "en",
            ["PATIENT:gilbert salt", "PATIENT:s a l t"],
        ),
        ("tabitha quay that's q u a y medical", "en", ["PATIENT:quay", "PATIENT:q u a y"]),
        (
            "to doctor <DOCTOR>rose</DOCTOR> R-O-S-E. Thanks",
            "en",
            ["DOCTOR:rose", "DOCTOR:R-O-S-E"],
        ),
        (
            "<NAME>terhorst spelling t e r</NAME> h o r s t zevenenvijftig",
            "nl",
            ["NAME:terhorst", "NAME:t e r h o r s t"],
        ),
        ("de naam, ik spel: <ID>W-R-O-B-E-L</ID>. Pa", "nl", ["NAME:W-R-O-B-E-L"]),
        (
            "es <NOMBRE_PERSONAL_SANITARIO>cordell</NOMBRE_PERSONAL_SANITARIO> c o r d e l l y va",
            "es",
            ["NOMBRE_PERSONAL_SANITARIO:cordell", "NOMBRE_PERSONAL_SANITARIO:c o r d e l l"],
        ),
        (
            "spelled <PATIENT>W-o-l-d-e hyphen M-a-r-i-a-m</PATIENT>, on Wolde",
            "en",
            ["PATIENT:W-o-l-d-e hyphen M-a-r-i-a-m"],
        ),
        (
            "on <PATIENT>salt s a l t Roe</PATIENT>, seen by <DOCTOR>Wu</DOCTOR>",
            "en",
            ["PATIENT:salt", "PATIENT:s a l t", "PATIENT:Roe", "DOCTOR:Wu"],
        ),
        (
            "on <PATIENT>Smith S M I T H 12-03-1950</PATIENT>.",
            "en",
            ["PATIENT:Smith", "PATIENT:S M I T H", "PATIENT:12-03-1950"],
        ),
        ("N a m e :  T R E L A W N E Y\nWard", "en", ["PATIENT:T R E L A W N E Y"]),
        ("Name: A N A   R O E, 40", "en", ["PATIENT:A N A", "PATIENT:R O E"]),
        ("N a a m : J A N S E N", "nl", ["NAME:J A N S E N"]),
        ("colega ionut achternaam v o s s e n A vrij", "nl", ["NAME:v o s s e n"]),
        ("last name K o w a l s k i OK", "en", ["PATIENT:K o w a l s k i"]),
        ("Apellidos: R U I Z", "es", ["NOMBRE_SUJETO_ASISTENCIA:R U I Z"]),
        (
            "<PATIENT>Hannah Li</PATIENT>, spelled H, A, N, N, A, H, L I, well",
            "en",
            ["PATIENT:Hannah Li", "PATIENT:H, A, N, N, A, H", "PATIENT:L I"],
        ),
        (
            "<PATIENT>ann moore</PATIENT>, a. n. n. m. o. o. r. e.",
            "en",
            ["PATIENT:ann moore", "PATIENT:a. n. n. m. o. o. r. e"],
        ),
        ("surname Ross, R-O-double S.", "en", ["PATIENT:Ross", "PATIENT:R-O-double S"]),
        (
            "<PATIENT>Sam</PATIENT>, S as in <CITY>Sam</CITY>, A, M.",
            "en",
            ["PATIENT:Sam", "PATIENT:S as in Sam, A, M"],
        ),
        (
            "<NAME>Wessel, W-E-dubbel S-E-L.</NAME>",
            "nl",
            ["NAME:Wessel", "NAME:W-E-dubbel S-E-L"],
        ),
        (
            "<NAME>Nico Vos</NAME>, N voor <NAME>Nico</NAME>, V, O, S",
            "nl",
            ["NAME:Nico Vos", "NAME:Nico", "NAME:V, O, S"],
        ),
        ("naam spelt u als n. i. c. o. l.", "nl", ["NAME:n. i. c. o. l"]),
        (
            "apellido Llopis: doble ele, O, P, I, S",
            "es",
            ["NOMBRE_SUJETO_ASISTENCIA:Llopis", "NOMBRE_SUJETO_ASISTENCIA:doble ele, O, P, I, S"],
        ),
        (
            "apellido Barrios, B de Barcelona, A, doble R, I, O, S",
            "es",
            [
                "NOMBRE_SUJETO_ASISTENCIA:Barrios",
                "NOMBRE_SUJETO_ASISTENCIA:B de Barcelona, A, doble R, I, O, S",
            ],
        ),
        ("score ABC: A, B, C", "en", []),
        ("Name: J. K. L. was PRN, P. R. N.", "en", []),
        ("is at I S, double S, and a double stent", "en", []),
        ("Plan: F R O S T   B I T E", "en", []),
        ("dialysis on M W F at noon", "en", []),
        ("no surname a b c d", "en", []),
        ("the F R O S T bite, D I S C H A R G E   S U M M A R Y", "en", []),
        ("wound L x W x D in cm", "en", []),
    ],
)
def test_what_is_spelled_is_the_name_beside_it(marked: str, language: str, kept: list[str]) -> None:
    document = parse_inline(marked, id="a")
    spans = add_spelled(document.text, document.spans, language)
    assert [f"{s.label}:{document.text[s.start : s.end]}" for s in spans] == kept


@pytest.mark.parametrize("unit", ["A B C ", "Jansen J A N S E N "])
def test_letters_without_end_take_time_by_their_number(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    begin = process_time()
    add_spelled(text, (), "en")
    assert process_time() - begin < 8  # half a second, a minute where each looks at all
