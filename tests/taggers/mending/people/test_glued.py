"""Names in capitals that have lost the blank before them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.people.glued import SOURCE, add_glued


def add_everywhere(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    return add_glued(text, spans, range(len(text)))


def found(text: str) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.label) for span in add_everywhere(text, ())]


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("ADMIT TO ATTNGRIMALDI TODAY", "GRIMALDI", "DOCTOR"),
        ("CONSULTS: SURGTEIXEIRA,GI", "TEIXEIRA", "DOCTOR"),
        ("HCPOAWILLIAMS 555-0101", "WILLIAMS", "PATIENT"),
        ("SEEN BY DRGARCÍA-LOPEZ.", "GARCÍA-LOPEZ", "DOCTOR"),
        ("DRGRIMALDI7/8", "GRIMALDI", "DOCTOR"),
        ("EYES EACH TRIMESTER,DRNAGUIB.", "NAGUIB", "DOCTOR"),  # in no list
        ("PER.DRQUELLHORST", "QUELLHORST", "DOCTOR"),
        ("HUSBANDRICHARD AT BEDSIDE", "RICHARD", "PATIENT"),
    ],
)
def test_a_name_glued_to_a_title_is_found(text: str, name: str, label: str) -> None:
    assert found(text) == [(name, label)]


@pytest.mark.parametrize(
    "text",
    [
        "DRAINAGE SURGERY MOTHERHOOD SISTERS",
        "DRESSING CHANGED, RESPONDER, DRIVING",
        "DRUMMOND, SONDERGAARD AND MSWATI",  # names as they are
        "MSCONTIN PTOSIS CNAPZZ",
        "DRMETFORMIN DRPATIENT DRVVTXX DRIBBLING DRYNESSES",
        "XDRGRIMALDI drgrimaldi DrGrimaldi DRGRIMALDIx",
        "DR GRIMALDI",
    ],
)
def test_words_and_names_as_they_are_stay_alone(text: str) -> None:
    assert found(text) == []


def test_a_person_that_begins_with_the_title_begins_after_it() -> None:
    text = "PER DRGRIMALDI JONAS OK"
    person = Span(4, 20, "DOCTOR", score=0.5)
    assert add_everywhere(text, (person,)) == (replace(person, start=6),)


def test_other_spans_stay_as_they_are() -> None:
    text = "PER DRGRIMALDI OK"
    for span in (Span(4, 14, "HOSPITAL"), Span(6, 14, "PATIENT"), Span(0, 14, "DOCTOR")):
        assert add_everywhere(text, (span,)) == (span,)


def test_many_names_take_no_time_that_grows_faster_than_they_do() -> None:
    text = "DRGRIMALDI " * 20_000
    began = process_time()
    once = add_everywhere(text, ())
    assert len(once) == 20_000
    whole = tuple(replace(span, start=span.start - 2) for span in once)
    assert add_everywhere(text, whole)[-1].start == once[-1].start
    assert process_time() - began < 10


WORDS = st.sampled_from(["DRGRIMALDI", "ATTNGRIMALDI", "FEVER", "MOMWILLIAMS", "7", "\n", "BPOK"])


@given(st.lists(WORDS, max_size=12), st.data())
def test_spans_stay_sorted_and_disjoint(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    labels = st.sampled_from(["DOCTOR", "PATIENT", "DATE"])
    spans = [
        Span(start, end, data.draw(labels))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    once = add_everywhere(text, tuple(spans))
    assert all(one.end <= two.start for one, two in pairwise(once))
    assert add_everywhere(text, once) == once
    kept = [span for span in once if span.source != SOURCE]
    assert [span.end for span in kept] == [span.end for span in spans]
