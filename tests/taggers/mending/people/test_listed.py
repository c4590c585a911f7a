"""Names and ages in a row are people, where one of them is or a word for kin stands before."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.people.listed import add_listed


@pytest.mark.parametrize(
    ("marked", "language", "kept"),
    [
        (
            "mum of 3 (<PATIENT>Mabli</PATIENT> <AGE>12</AGE>, Gruff <AGE>9</AGE>, Non 5). Welsh",
            "en",
            "PATIENT:Mabli AGE:12 PATIENT:Gruff AGE:9 PATIENT:Non AGE:5",
        ),
        ("Children with her: <STREET>Kian 5, Roya 2</STREET>", "en",
         "PATIENT:Kian AGE:5 PATIENT:Roya AGE:2"),
        (
            "kids <ADDRESS>Jahmairo 14</ADDRESS> en Shaniqua 11, baby",
            "nl",
            "NAME:Jahmairo AGE:14 NAME:Shaniqua AGE:11",
        ),
        ("seen with <PATIENT>Young</PATIENT> <AGE>45</AGE>, Ward 5, Bay 3", "en",
         "PATIENT:Young AGE:45"),
        ("woont <ADDRESS>Kerkstraat 12</ADDRESS>, Dorpsweg 5", "nl", "ADDRESS:Kerkstraat 12"),
        ("kids: <PATIENT>Ana</PATIENT> <AGE>3</AGE>, Motrin 5 mL", "en", "PATIENT:Ana AGE:3"),
        ("sons <AGE>12</AGE> and <AGE>9</AGE>", "en", "AGE:12 AGE:9"),
    ],
)  # fmt: skip
def test_listed(marked: str, language: str, kept: str) -> None:
    document = parse_inline(marked, id="a")
    spans = add_listed(document.text, document.spans, language)
    assert list(spans) == sorted(spans)
    found = (f"{span.label}:{document.text[span.start : span.end]}" for span in spans)
    assert " ".join(found) == kept
