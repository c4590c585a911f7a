"""Initials of staff whose names a note holds are found; terms, values and credentials are not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.people.staff_initials import add_staff_initials
from scrubjay.taggers.mending import mend


def _added(text: str, name: str, *more: tuple[str, str]) -> list[str]:
    spans = tuple(
        Span(text.index(one), text.index(one) + len(one), label, score=1.0)
        for one, label in [(name, "DOCTOR"), *more]
    )
    rows = add_staff_initials(text, spans)
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
        ("Greta Bo Tuohy. later GT signs", "Greta Bo Tuohy", [" GT "]),
    ],
)
def test_initials_are_found(text: str, name: str, added: list[str]) -> None:
    assert _added(text, name) == added


def test_initials_behind_a_day_are_found() -> None:
    text = "Tikaram Budhathoki\n>> FU 2018-05-08 TB\nMFI"
    assert _added(text, "Tikaram Budhathoki", ("2018-05-08", "DATE")) == [" TB\n"]


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
    assert _added(text, name) == []


@given(
    st.lists(
        st.sampled_from(["Gwenda Tuohy", "GT", "(", ")", "\n", " ", ". ", "-", "1", "MS"]),
        max_size=24,
    )
)
def test_spans_stay_and_are_disjoint(parts: list[str]) -> None:
    text, spans = "", []
    for part in parts:
        if part == "Gwenda Tuohy":
            spans.append(Span(len(text), len(text) + len(part), "DOCTOR"))
        text += part
    rows = add_staff_initials(text, tuple(spans))
    assert set(spans) <= set(rows)
    assert all(one.end <= two.start for one, two in pairwise(rows))
