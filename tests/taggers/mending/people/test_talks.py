"""Names in capitals behind "D/W" are found, services are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people.talks import add_talks
from scrubjay.taggers.mending import mend


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("D/W JOJO RE: PLAN", "JOJO"),
        ("PLAN D/W MIMI.", "MIMI"),
        ("D/W BEV, AGREES", "BEV"),
        ("(D/W LATOYA)", "LATOYA"),
    ],
)
def test_names(text: str, name: str) -> None:
    spans = add_talks(text, ())
    assert [text[span.start : span.end] for span in spans] == [name]
    assert mend(text, (), "en") == spans
    assert mend(text, (), "en", labels={"PATIENT"}) == ()
    # What was found there stays what it was.
    own = (Span(spans[0].start - 1, spans[0].end, "PATIENT"),)
    assert add_talks(text, own) == own


@pytest.mark.parametrize(
    "text",
    [
        "D/W ONC", "D/W NEURO", "D/W ORTHO", "D/W GI", "D/W RSQ", "D/W CCU", "D/W FAMILY",
        "D/W PATIENT", "D/W PT", "D/W NSGY", "D/W GERI", "D/W JOJO CLINIC", "D/W COUMADIN",
        "D/W REG ON CALL", "d/w JOJO", "AD/W JOJO", "D/W JOJO3", "D/W JOJO-2", "D/W HEMEONC",
        "D/W OPHTHO", "D/W SICU", "D/W HUSBAND", "D/W ONCOLOGY", "D/W HOSPICE", "D/W PODIATRY",
        "D/W CHAPLAIN", "D/W DIETITIAN", "D/W HOSPITALIST", "D/W TRIAGE", "D/W CASEWORKER",
    ],
)  # fmt: skip
def test_services_and_others(text: str) -> None:
    assert add_talks(text, ()) == ()


PIECES = st.sampled_from(["D/W ", "JOJO", "d/w ", "ONC", " ", "É", "漢", ".", "\n", "BEV"])


@given(st.lists(st.lists(PIECES, max_size=8).map("".join), max_size=3))
def test_places_that_are_looked_for_are_enough(texts: list[str]) -> None:
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        assert add_talks(text, (), cues.talks) == add_talks(text, ())
