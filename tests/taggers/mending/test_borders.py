"""Borders of spans are mended by the layout around them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.borders import mend_borders


def mended(marked: str, label: str = "PATIENT") -> list[str]:
    """Return the mended mentions of a text whose one span stands in [[...]]."""
    start = marked.index("[[")
    end = marked.index("]]") - 2
    text = marked.replace("[[", "").replace("]]", "")
    return [text[span.start : span.end] for span in mend_borders(text, [Span(start, end, label)])]


@pytest.mark.parametrize(
    ("marked", "label", "wanted"),
    [
        ("ID [[XK2209\n- ASA 81]], PPI", "HEALTHPLAN", ["XK2209", "ASA 81"]),
        ("[[Rogue Therapies      Medford]], OR", "HOSPITAL", ["Rogue Therapies", "Medford"]),
        ("at [[12 Oak\nStreet]]", "STREET", ["12 Oak\nStreet"]),
        ('compadre "[[El Guero" Montemayor]] came', "PATIENT", ['"El Guero" Montemayor']),
        ("call [[555-0100 (home]])", "PHONE", ["555-0100 (home)"]),
        ("[[MRNKP11904]] removed", "MEDICALRECORD", ["KP11904"]),
        ("ref [[MRO-2210]] donor", "IDNUM", ["MRO-2210"]),
        ("MR [[MRN-10-7741]].", "MEDICALRECORD", ["MRN-10-7741"]),
        ("D/W [[MRSNAKAGAWA]] AGAIN", "DOCTOR", ["MRSNAKAGAWA"]),
        ("[[June 13-June 30]]  Arba", "DATE", ["June 13", "June 30"]),
        ("[[Wed/Sun]].", "DATE", ["Wed", "Sun"]),
        ("[[3/7-3/11]].", "DATE", ["3/7-3/11"]),
        ("Dr. [[Hope\nYoung]] says", "DOCTOR", ["Hope\nYoung"]),
    ],
)
def test_borders_are_mended(marked: str, label: str, wanted: list[str]) -> None:
    assert mended(marked, label) == wanted


PIECES = st.sampled_from(
    ["Ann", "Lee", " ", "   ", "\n", "\n- ", '"', "(", ")", "[", "12", "/", "-", "June 3", "\t",
     "QUEX", "MRN", "Wed", ".", ", "]
)  # fmt: skip
LABELS = st.sampled_from(["PATIENT", "DATE", "MEDICALRECORD", "URL", "USERNAME"])


def draw_spans(text: str, data: st.DataObject) -> list[Span]:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pairs = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False) if a < b]
    return [Span(start, end, data.draw(LABELS)) for start, end in pairs]


@given(st.lists(PIECES, min_size=1, max_size=14), st.data())
def test_a_span_that_is_let_alone_is_one_that_no_step_changes(
    pieces: list[str], data: st.DataObject
) -> None:
    text = "".join(pieces)
    spans = draw_spans(text, data)
    found = mend_borders(text, spans)
    assert mend_borders(text, spans, may_be=lambda mention, label: True) == found


@given(st.lists(PIECES, min_size=1, max_size=14), st.data())
def test_spans_stay_sorted_disjoint_and_cover_what_they_covered(
    pieces: list[str], data: st.DataObject
) -> None:
    text = "".join(pieces)
    spans = draw_spans(text, data)
    found = mend_borders(text, spans)
    assert all(one.end <= other.start for one, other in pairwise(found))
    covered = {place for span in found for place in range(span.start, span.end)}
    lost = [
        place for span in spans if span.label != "MEDICALRECORD"
        for place in range(span.start, span.end)
        if text[place].isalnum() and place not in covered
    ]  # fmt: skip
    assert not lost
    assert {span.label for span in found} <= {span.label for span in spans}
