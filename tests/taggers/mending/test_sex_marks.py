"""The sex in brackets stays outside of names; initials in brackets stay."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.sex_marks import may_hold_sex, without_sex
from scrubjay.taggers.mending import mend


def kept(marked: str, language: str) -> list[str]:
    document = parse_inline(marked)
    text = document.text
    return [text[span.start : span.end] for span in mend(text, document.spans, language)]


@pytest.mark.parametrize(
    ("marked", "names"),
    [
        ("<NAME>Jansen, P. (M)</NAME>", ["Jansen, P."]),
        ("dhr. <NAME>K. de Vries (m)</NAME> 45 jr", ["K. de Vries"]),
        ("<NAME>Visser (V</NAME>) komt", ["Visser"]),
        ("<NAME>Hess, P.</NAME> (<INITIALS>M</INITIALS>) komt", ["Hess, P."]),
        ("<NAME>Hess, P.</NAME> <INITIALS>(M)</INITIALS> komt", ["Hess, P."]),
        ("<NAME>Hess, P.   (M)</NAME> komt", ["Hess, P."]),
        ("<NAME>Jan Bell\n (M)</NAME> komt", ["Jan Bell"]),
        # the name goes on: an initial
        ("<NAME>Anna</NAME> (<INITIALS>M</INITIALS>) <NAME>Smit</NAME>", ["Anna", "M", "Smit"]),
        ("<NAME>J. (M</NAME>) <NAME>de Vries</NAME>", ["J. (M", "de Vries"]),
        # not in brackets, another letter, or no name before it
        ("<NAME>Jansen M</NAME>", ["Jansen M"]),
        ("<NAME>Jansen (K)</NAME>", ["Jansen (K)"]),
        ("<NAME>Jansen (M</NAME>.V.)", ["Jansen (M"]),
        ("gezien (<INITIALS>M</INITIALS>)", ["M"]),
        ("<NAME>Hess</NAME>, <INITIALS>M</INITIALS>", ["Hess", "M"]),
        ("<NAME>Hess</NAME> komt (<INITIALS>M</INITIALS>)", ["Hess", "M"]),
        ("<NAME>Hess</NAME> (<INITIALS>M</INITIALS>. Bakker)", ["Hess", "M"]),
    ],
)
def test_dutch(marked: str, names: list[str]) -> None:
    assert kept(marked, "nl") == names


def test_english_and_spanish() -> None:
    assert kept("<PATIENT>Lopez, Maria (F)</PATIENT> seen", "en") == ["Lopez, Maria"]
    spanish = "<NOMBRE_SUJETO_ASISTENCIA>Ana Gil (M)</NOMBRE_SUJETO_ASISTENCIA>"
    assert kept(spanish, "es") == ["Ana Gil (M)"]


def test_mentions_tell_alone() -> None:
    assert may_hold_sex("Jansen (M)", "NAME")
    assert not may_hold_sex("Jansen (M)", "DATE")
    assert not may_hold_sex("Jansen", "NAME")
    whole = Span(0, 6, "NAME")
    assert without_sex("Jansen", whole, person=0) is whole
