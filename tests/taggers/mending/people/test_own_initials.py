"""Initials of people whom a text names are theirs where they sign, and a test is none of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.people.own_initials import add_own_initials, initials_of
from scrubjay.taggers.mending import mend

STAFF, SUBJECT = "NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA"


def _added(marked: str, language: str) -> list[str]:
    """Return what was found besides, with the sign before it and the one behind."""
    document = parse_inline(marked)
    text, before = document.text, tuple(document.spans)
    after = add_own_initials(text, before, language)
    assert set(before) <= set(after)
    assert after == tuple(sorted(after, key=lambda span: span.start))
    return [text[span.start : span.end] for span in after if span not in before]


@pytest.mark.parametrize(
    ("marked", "language", "added"),
    [
        (f"<{STAFF}>Yaiza Betanzos</{STAFF}> (YB). 8/7 [YB] febril. Curas, YB\n", "es",
         ["YB", "YB", "YB"]),
        (f"Dra. <{STAFF}>Yara Mora</{STAFF}>\nQuedo en ir. YM\n2/9 sin dolor. YM.\n", "es",
         ["YM", "YM"]),
        (f"<{STAFF}>Hugo Zafra León</{STAFF}>. Firman: HZL, ICM y <{STAFF}>PN</{STAFF}>.", "es",
         ["HZL", "ICM"]),
        ("<NAME>C.J. Struik</NAME> belt. Overleg <DATE>26/3</DATE> (CJS)", "nl", ["CJS"]),
        ("<NAME>Huub van der Maat</NAME> komt. Besproken. HvdM\n", "nl", ["HvdM"]),
        ("<NAME>Petra Roos</NAME>. Naschrift <DATE>28/3</DATE> (PR): ferritine", "nl", ["PR"]),
    ],
)  # fmt: skip
def test_initials_are_those_of_who_is_named(marked: str, language: str, added: list[str]) -> None:
    assert _added(marked, language) == added
    document = parse_inline(marked)
    after = mend(document.text, document.spans, language)
    assert {document.text[span.start : span.end] for span in after} >= set(added)


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        (f"<{STAFF}>Alba Corral</{STAFF}>. AC rítmica, TAC con AC, AC-1, AC/BD", "es"),
        (f"<{STAFF}>Diego Mora</{STAFF}>. Antecedentes: HTA. DM\n", "es"),
        (f"<{STAFF}>Carla Ibáñez Vega</{STAFF}>\nTC CON CIV         Fecha", "es"),
        (f"<{STAFF}>Corral</{STAFF}> y Alba. Quedo en ir. AC\n", "es"),
        (f"<{STAFF}>Alba Corral</{STAFF}> firma: TAC, ECG", "es"),
        ("<HOSPITAL>Alba Corral</HOSPITAL> (AC). AC\n", "es"),
        ("<NAME>Petra Roos</NAME>. ER+ (PR)\nmamma: PR\n", "nl"),
    ],
)  # fmt: skip
def test_others_are_left(marked: str, language: str) -> None:
    assert _added(marked, language) == []


def test_a_measure_is_nobodys() -> None:
    marked = f"<{STAFF}>Lara Blanco</{STAFF}> (LB): LB 3,2 y LB: 4"
    assert _added(marked, "es") == ["LB"]


def test_initials_of_a_name() -> None:
    assert initials_of("Huub van der Maat") == ("HM", "HVDM", "HvdM", "hvdM")
    assert initials_of("Corral") == ()
    assert initials_of("de la") == ()


@given(st.text("AaBbC .,([])\n:1-", max_size=60), st.data())
def test_what_was_found_stays(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    spans = (Span(start, end, "NAME"),) if start < end else ()
    after = add_own_initials(text, spans, "nl")
    assert set(spans) <= set(after)
    assert all(one.end <= two.start for one, two in pairwise(after))
