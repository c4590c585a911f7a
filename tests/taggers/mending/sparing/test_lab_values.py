"""Values behind the abbreviation of what is measured are no PHI; rooms, days and ages still are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Document, Span
from scrubjay.models import load_model
from tests.oracles.mending import spare_lab_values


def kept(marked: str) -> list[str]:
    """Return what of the marked mentions stays, in order."""
    document = parse_inline(marked)
    return [
        document.text[span.start : span.end]
        for span in spare_lab_values(document.text, document.spans)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<INTERNAL_LOCATION>K 3,1</INTERNAL_LOCATION>",
        "Na 138, <INTERNAL_LOCATION>K 4.2</INTERNAL_LOCATION>, Cl 101",
        "<INTERNAL_LOCATION>K 3</INTERNAL_LOCATION>,1 -> 3,6",
        "<INTERNAL_LOCATION>K+ 3,1</INTERNAL_LOCATION>",
        "K=<INTERNAL_LOCATION>3.1</INTERNAL_LOCATION>",
        "<INTERNAL_LOCATION>K was 4.2</INTERNAL_LOCATION>, nu beter",
        "A/ <INTERNAL_LOCATION>K 4.2 B</INTERNAL_LOCATION>/ herhalen",
        "pH 7,32 <INTERNAL_LOCATION>BE -3</INTERNAL_LOCATION>",
        "<INTERNAL_LOCATION>HCO3 22</INTERNAL_LOCATION>",
        "<INTERNAL_LOCATION>B12</INTERNAL_LOCATION>: 210",
        "Hct: <DATE>29.4</DATE>",
        "Na: <INITIALS>138</INITIALS>",
        "HB <DATE>5.1</DATE> waarvoor",
        "GGT was <AGE>56</AGE>, now better",
        "PT <AGE>12</AGE>,1",
        "PT 12,<AGE>1</AGE>, x",
        "bicarb <AGE>33</AGE>, on D5",
        "<DOCTOR>leu</DOCTOR> 2.5",
        "<PATIENT>kreat</PATIENT> 88",
        "KREAT WAS <AGE>88</AGE>",
        "<STREET>Chol 198</STREET>, LDL 102",
        "SpO2 <AGE>96</AGE>",
        "CBC: 8.2><DATE>11.4/34</DATE><180",
        "N 88 L <AGE>8</AGE> M 3 E 1",
        "White cells <DATE>12.4</DATE>.",
        "White count <DATE>11.2</DATE>, neutrophils <DATE>8.9</DATE>",
    ],
)
def test_values_are_spared(text: str) -> None:
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "kamer <INTERNAL_LOCATION>K 4.2</INTERNAL_LOCATION>",
        "cells on <DATE>12.4</DATE>",
        "White count <DATE>12.4</DATE>: 9.1",
        "neutrophils <DATE>12.4.21</DATE>",
        "white cells <DATE>12/4</DATE>",
        "<INTERNAL_LOCATION>kamer K 4.2</INTERNAL_LOCATION>",
        "naar <INTERNAL_LOCATION>K 4.2</INTERNAL_LOCATION>",
        "<INTERNAL_LOCATION>K 4</INTERNAL_LOCATION>",
        "<INTERNAL_LOCATION>K4.2</INTERNAL_LOCATION>",
        "<INTERNAL_LOCATION>K 14.2</INTERNAL_LOCATION>",
        "<INTERNAL_LOCATION>T 234</INTERNAL_LOCATION>",
        "<INTERNAL_LOCATION>B12</INTERNAL_LOCATION>: 3 bedden",
        "Na <DATE>12.3</DATE> beter",
        "na <DATE>11.4</DATE> thuis",
        "ca <DATE>8.9</DATE>",
        "CA <DATE>8.9</DATE>",
        "Hb <DATE>11.4</DATE>: 6,2",
        "Hb <DATE>11.4</DATE> 6,2",
        "Hb <DATE>11.4.2020</DATE>",
        "K <DATE>3-4-2020</DATE>",
        "Sat <DATE>12.4</DATE>",
        "pt <AGE>88</AGE>, frail",
        "PT <AGE>88</AGE>, FRAIL",
        "WILL BE <AGE>30</AGE> SOON",
        "Na <AGE>104 jaar</AGE>",
        "CRP <AGE>67</AGE> jaar",
        "Cl was <AGE>98</AGE>",
        "Fe <AGE>12</AGE>",
        "<PATIENT>Alb</PATIENT> 34",
        "<PATIENT>Smith, T</PATIENT> 34",
        "<DOCTOR>Li</DOCTOR> 12:30",
        "<DOCTOR>Li</DOCTOR> 3/4",
        "kit <IDNUM>CK 0441</IDNUM>",
        "chart <MEDICALRECORD>EF-31</MEDICALRECORD>",
        "on <STREET>CR 40</STREET>.",
        "seen <DATE>11.4/34</DATE>.",
        "room L <AGE>8</AGE> M",
    ],
)
def test_rooms_days_ages_and_persons_stay(text: str) -> None:
    document = parse_inline(text)
    assert list(spare_lab_values(document.text, document.spans)) == list(document.spans)


def test_a_person_is_cut_short_before_an_abbreviation() -> None:
    assert kept("<PATIENT>Smith, K</PATIENT> 4.2, stable") == ["Smith"]
    assert kept("<PATIENT>SMITH, KREAT</PATIENT> 88") == ["SMITH"]


@pytest.mark.parametrize("model", ["nl-fast", "nl", "en-fast", "en"])
def test_shipped_models_leave_lines_of_the_laboratory(model: str) -> None:
    """Rows as they are written, with what the tagger alone took for rooms, days and initials."""
    lines = (
        "K 4.2\n", "Vanmorgen K 3,1 waarvoor suppletie.\n", "Lab: Hct 29.4, Hb 11.4, Na: 138.\n",
        "pH 7,32, pCO2 6,1, BE -3, HCO3 22\n", "LDL 102, TG 150, Chol 198\n",
        "K 2,8 -> 3,4\n", "Ca 2.2\n", "GGT=56\n",
    )  # fmt: skip
    documents = [Document(str(number), line) for number, line in enumerate(lines)]
    assert [found for found in load_model(model).detect(documents) if found] == []


_WORDS = [
    "K", "3,1", "4.2", "Smith,", "was", "BE", "-3", "Na", "138", "=", ":", "kamer", "Hb", "2020",
    "B", "/", ",", "K+", "é",
]  # fmt: skip


@st.composite
def _marked(draw: st.DrawFn) -> tuple[str, list[Span]]:
    words = draw(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=12))
    text = " ".join(words)
    ends = sorted(set(draw(st.lists(st.integers(0, len(text)), max_size=8))))
    labels = draw(st.sampled_from(["DATE", "PATIENT", "AGE", "INTERNAL_LOCATION"]))
    pairs = zip(ends[::2], ends[1::2], strict=False)
    return text, [Span(start, end, labels) for start, end in pairs]


@given(_marked())
def test_spans_are_left_out_or_cut_alone(marked: tuple[str, list[Span]]) -> None:
    text, spans = marked

    def within(span: Span) -> bool:
        return any(one.start == span.start and span.end <= one.end for one in spans)

    found = spare_lab_values(text, spans)
    assert all(span.end > span.start and within(span) for span in found)
