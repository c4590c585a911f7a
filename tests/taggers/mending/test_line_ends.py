"""Mentions that a line end cuts in two, and what the next line begins with else."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.line_ends import join_line_ends
from scrubjay.taggers.mending import mend


def _mended(marked: str, language: str) -> list[str]:
    document = parse_inline(marked)
    rows = join_line_ends(document.text, document.spans, language)
    assert [row.end for row in mend(document.text, document.spans, language)] == [
        row.end for row in rows
    ]
    return [document.text[row.start : row.end] for row in rows]


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("at <PHONE>(507) 555-</PHONE>\n0134 before", "en", "(507) 555-\n0134"),
        ("at <PHONE>(507) 555</PHONE>-\r\n  0134.", "en", "(507) 555-\r\n  0134"),
        ("at <PHONE>505-555-</PHONE>\n<FAX>0163</FAX>. She", "en", "505-555-\n0163"),
        ("at <PHONE>505-</PHONE>\n<PHONE>555-0163</PHONE>, x", "en", "505-\n555-0163"),
        ("Seen 03/\n<DATE>15/2022</DATE> in", "en", "03/\n15/2022"),
        ("Seen <DATE>03/15/</DATE>\n<DATE>2022</DATE>.", "en", "03/15/\n2022"),
        ("in <DATE>February</DATE>\n<DATE>11, 2022</DATE>, x", "en", "February\n11, 2022"),
        ("on <DATE>February 11</DATE>,\r\n2022 x", "en", "February 11,\r\n2022"),
        ("op <DATE>11 februari</DATE>\n2022 x", "nl", "11 februari\n2022"),
        ("el <FECHAS>11 de febrero</FECHAS>\nde 2022, x", "es", "11 de febrero\nde 2022"),
        ("SSN <SSN>078-05</SSN>\n-1120; x", "en", "078-05\n-1120"),
        ("bel <PHONE_FAX>06-1234</PHONE_FAX> \n5678 voor", "nl", "06-1234 \n5678"),
        ("BSN <SSN>123456</SSN>\n782; x", "nl", "123456\n782"),
        ("al <NUMERO_TELEFONO>612 34</NUMERO_TELEFONO>\n56 78 antes", "es", "612 34\n56 78"),
        ("en <INSTITUCION>Los Alca</INSTITUCION>-\ntraces. Y", "es", "Los Alca-\ntraces"),
        ("from <CITY>Kirk-</CITY>\nlund, x", "en", "Kirk-\nlund"),
        (
            "to <HOSPITAL>Cedar</HOSPITAL>\n<HOSPITAL>Ridge Hospital</HOSPITAL>, x",
            "en",
            "Cedar\nRidge Hospital",
        ),
        ("at <HOSPITAL>Roe General</HOSPITAL>\nHospital for pain", "en", "Roe General\nHospital"),
        (
            "at <HOSPITAL>Roe</HOSPITAL>\r\nRidge Medical Center in",
            "en",
            "Roe\r\nRidge Medical Center",
        ),
        (
            "at <STREET>12 Roe</STREET>\n<STREET>Hill Avenue</STREET>, x",
            "en",
            "12 Roe\nHill Avenue",
        ),
        (
            "on <STREET>221 North</STREET>\n<STREET>Roe Street</STREET> in",
            "en",
            "221 North\nRoe Street",
        ),
        (
            "in <HOSPITAL>het Medisch Centrum</HOSPITAL>\n<ADDRESS>Roe</ADDRESS> en",
            "nl",
            "het Medisch Centrum\nRoe",
        ),
        (
            "uit <HOSPITAL>Roe</HOSPITAL>\n<HOSPITAL>Ziekenhuis Ree</HOSPITAL>. Ja",
            "nl",
            "Roe\nZiekenhuis Ree",
        ),
        (
            "aan de <ADDRESS>Lange</ADDRESS>\n  <INTERNAL_LOCATION>Roe 12</INTERNAL_LOCATION> te",
            "nl",
            "Lange\n  Roe 12",
        ),
        (
            "el <HOSPITAL>Hospital Clínico San</HOSPITAL>\n<TERRITORIO>Roe</TERRITORIO>. Y",
            "es",
            "Hospital Clínico San\nRoe",
        ),
        (
            "el <HOSPITAL>Centro de Salud</HOSPITAL>\n<TERRITORIO>Roe</TERRITORIO> con",
            "es",
            "Centro de Salud\nRoe",
        ),
        (
            "in <INTERNAL_LOCATION>huis De</INTERNAL_LOCATION>\n"
            "<INTERNAL_LOCATION>Roe</INTERNAL_LOCATION> nu",
            "nl",
            "huis De\nRoe",
        ),
        ("en <TERRITORIO>Plaza</TERRITORIO>\n<CALLE>Roe 3</CALLE>, x", "es", "Plaza\nRoe 3"),
    ],
)
def test_a_mention_goes_on_over_a_line_end(marked: str, language: str, expected: str) -> None:
    assert _mended(marked, language) == [expected]


@pytest.mark.parametrize(
    "marked",
    [
        "at <PHONE>507-555-0134</PHONE>\n12 beds", "at <PHONE>(507) 555</PHONE>\n120 mg given",
        "at <PHONE>(507) 555</PHONE>\n0134/55", "at <PHONE>5071</PHONE>\n555134 x",
        "at <PHONE>507 555</PHONE>\n0134: x", "by <CITY>Bridge-</CITY>\nport",
        "in <CITY>Duluth</CITY>-\nand",
        "in <CITY>Duluth</CITY>\ntraces", "in <CITY>Duluth</CITY>-\nTraces", "<AGE>40</AGE>-\n55 x",
        "on <DATE>3/15/22</DATE>\n15/2022", "on <DATE>3/15</DATE>\n2022 visits",
        "in <DATE>May</DATE>\n\n2022", "in <DATE>May</DATE>\n11 beds",
        "at <PHONE>507 555 012</PHONE>\n3. x",
        "<HOSPITAL>Roe</HOSPITAL>\n<HOSPITAL>Ree Hospital</HOSPITAL>\n",
        "at <HOSPITAL>Roe Clinic</HOSPITAL>\n<HOSPITAL>Ree Hospital</HOSPITAL> in",
        "at <HOSPITAL>Roe</HOSPITAL>\n\n<HOSPITAL>Ree Hospital</HOSPITAL> in",
        "at <HOSPITAL>Roe Hospital</HOSPITAL>\nHospital day 3",
        "at <HOSPITAL>ROE ASSOCIATES</HOSPITAL>\nClinic 03 Apr",
        "| <HOSPITAL>Roe Wing</HOSPITAL>\nClinic letter",
        "at <HOSPITAL>Roe</HOSPITAL>\n<CITY>Ree</CITY> in",
        "at <STREET>12 Roe Road</STREET>\n<STREET>Ree Street</STREET> in",
        "at <STREET>12 Roe</STREET>\n<STREET>14 Ree Street</STREET> in",
        "<STREET>12 Roe</STREET>\n<STREET>Ree Road</STREET>\n",
        "to <ORGANIZATION>Roe</ORGANIZATION>\n<HOSPITAL>Ree Hospital</HOSPITAL> in",
    ],
)  # fmt: skip
def test_what_else_the_next_line_begins_with_is_left(marked: str) -> None:
    document = parse_inline(marked)
    assert join_line_ends(document.text, document.spans, "en") == document.spans


def test_a_room_is_none_of_the_town_above() -> None:
    marked = "bij <ADDRESS>Roe</ADDRESS>\n<INTERNAL_LOCATION>kamer 5</INTERNAL_LOCATION>: x"
    assert _mended(marked, "nl") == ["Roe", "kamer 5"]
