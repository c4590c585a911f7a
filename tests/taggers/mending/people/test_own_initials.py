"""Initials of people whom a text names are theirs where they sign, and a test is none of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.people.own_initials import LABELS, add_own_initials, initials_of
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
        (f"<{SUBJECT}>Yara Mora</{SUBJECT}>. Quedo en ir. YM\n", "es", ["YM"]),
        (f"<{STAFF}>Lara Garfias</{STAFF}>\nplata+Unna     LG\n11/jun  espuma", "es", ["LG"]),
        ("<NAME>C.J. Struik</NAME> belt. Overleg <DATE>26/3</DATE> (CJS)", "nl", ["CJS"]),
        ("<NAME>Huub van der Maat</NAME> komt. Besproken. HvdM\n", "nl", ["HvdM"]),
        ("<NAME>Petra Roos</NAME>. Naschrift <DATE>28/3</DATE> (PR): ferritine", "nl", ["PR"]),
        ("<NAME>Gonda Vos</NAME>. Actie: GV koek. <NAME>Geert-Jan</NAME>: GJ op vakantie", "nl",
         ["GV", "GJ"]),
        ("<NAME>Lotte Prins</NAME>. Bel je 12.15. LP\n", "nl", ["LP"]),
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
        (f"<{STAFF}>Diego Mora</{STAFF}>. Antecedentes: HTA, DM\n", "es"),
        (f"<{STAFF}>Carla Ibáñez Vega</{STAFF}>\nTC CON CIV         Fecha", "es"),
        (f"<{STAFF}>Corral</{STAFF}> y Alba. Quedo en ir. AC\n", "es"),
        (f"<{STAFF}>Alba Corral</{STAFF}> firma: TAC, ECG", "es"),
        (f"<{SUBJECT}>Yara Mora</{SUBJECT}>. VIH: YM indetectable", "es"),
        ("<HOSPITAL>Alba Corral</HOSPITAL> (AC). AC\n", "es"),
        ("<NAME>Petra Roos</NAME>. ER+ (PR)\nmamma: PR\n", "nl"),
        ("<NAME>Piet Hoek</NAME>. pH van de maag, |PHO|", "nl"),
    ],
)  # fmt: skip
def test_others_are_left(marked: str, language: str) -> None:
    assert _added(marked, language) == []


def test_a_measure_is_nobodys() -> None:
    marked = f"<{STAFF}>Lara Blanco</{STAFF}> (LB): LB 3,2 y LB: 4"
    assert _added(marked, "es") == ["LB"]


def test_initials_of_a_name() -> None:
    assert initials_of("Huub van der Maat") == ("HM", "HVDM", "HvdM", "hvdM")
    assert initials_of("Sarah O'Brien") == ("SO", "SOB")
    assert initials_of("Corral") == ()
    assert initials_of("de la") == ()


def _added_to(text: str, name: str, *more: tuple[str, str]) -> list[str]:
    """Return what is found in an English text besides a name, and the signs around it."""
    spans = tuple(
        Span(text.index(one), text.index(one) + len(one), label, score=1.0)
        for one, label in [(name, "DOCTOR"), *more]
    )
    rows = add_own_initials(text, spans, "en")
    assert set(mend(text, spans, "en")) == set(rows)
    assert mend(text, spans, "en", labels=frozenset(["DATE"])) == spans
    return [text[row.start - 1 : row.end + 1] for row in rows if row not in spans]


@pytest.mark.parametrize(
    ("text", "name", "added"),
    [
        ("by Gwenda Tuohy RN. To Tennant w GT, back", "Gwenda Tuohy", [" GT,"]),
        ("Mr Yusuf Adeyemi-Clarke. YAC: no role", "Yusuf Adeyemi-Clarke", [" YAC:"]),
        ('S. Quarmby said "we think." (SQ)\nMr', "S. Quarmby", ["(SQ)"]),
        ("-D. Opperman PharmD\nINR 2.5 -DO\nnext", "D. Opperman", ["-DO\n"]),
        ("Dr M. Gilligan. Mass for the bay. MG\n", "M. Gilligan", [" MG\n"]),
        ("DR WENDELL FROST AWARE. SANG FOR US  WF\n", "WENDELL FROST", [" WF\n"]),
        ("Greta O'Leary. later GOL signs", "Greta O'Leary", [" GOL "]),
    ],
)
def test_initials_are_found(text: str, name: str, added: list[str]) -> None:
    assert _added_to(text, name) == added


def test_initials_behind_a_day_are_found() -> None:
    text = "Tikaram Budhathoki\n>> FU 2018-05-08 TB\nMFI"
    assert _added_to(text, "Tikaram Budhathoki", ("2018-05-08", "DATE")) == [" TB\n"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Okello P. saw. LP: PO 42, OP 36", "Okello P."),
        ("Oona Platt. LP 3 (OP 31). OP 44", "Oona Platt"),
        ("S. Grubb. SG 1.0188. SG: 1.02, SG=1, SGs", "S. Grubb"),
        ("Priya Desai. PD CLINIC NOTE", "Priya Desai"),
        ("Gareth Pugh, S Mahmood, GP\n", "Gareth Pugh"),
        ("P. Montgomery at 6:41 PM\nHi", "P. Montgomery"),
        ("Mia Sandt. multiple sclerosis (MS)", "Mia Sandt"),
        ("Gwenda Tuohy. GT/pq, GT-7, x.GT, AGT", "Gwenda Tuohy"),
        ("Tuohy. T. signs", "Tuohy"),
    ],
)
def test_terms_and_values_are_left(text: str, name: str) -> None:
    assert _added_to(text, name) == []


@given(
    st.lists(
        st.sampled_from(
            ["Gwenda Tuohy", "GT", "(", ")", "\n", " ", ". ", "-", "1", "MS", ",", ":"]
        ),
        max_size=24,
    ),
    st.sampled_from(sorted(LABELS)),
)
def test_what_was_found_stays(parts: list[str], language: str) -> None:
    label = {"en": "DOCTOR", "es": STAFF, "nl": "NAME"}[language]
    text, spans = "", []
    for part in parts:
        if part == "Gwenda Tuohy":
            spans.append(Span(len(text), len(text) + len(part), label))
        text += part
    rows = add_own_initials(text, tuple(spans), language)
    assert set(spans) <= set(rows)
    assert all(one.end <= two.start for one, two in pairwise(rows))
