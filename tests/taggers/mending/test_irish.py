"""Irish codes and numbers are found whole, under their own labels."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.irish import _may_be_irish, widen_irish
from tests.taggers.mending_samples import labelled


def read(marked: str) -> list[str]:
    return labelled(widen_irish, marked, "en")


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        ("Navan <VEHICLE>C15 K6V1</VEHICLE>", ["ZIP:C15 K6V1"]),
        ("Tullamore, R<AGE>35</AGE> Y2N0 / x", ["ZIP:R35 Y2N0"]),
        ("eircode f92 <USERNAME>kx71</USERNAME>", ["ZIP:f92 kx71"]),
        ("<PATIENT>D</PATIENT><AGE>06</AGE> F2P3", ["ZIP:D06 F2P3"]),
        ("T45 PX2<DOCTOR>A Thurles</DOCTOR>", ["ZIP:T45 PX2A", "DOCTOR:Thurles"]),
        ("<CITY>Ennis V95</CITY> X2T4", ["CITY:Ennis", "ZIP:V95 X2T4"]),
        ("PPS number is <IDNUM>1234567</IDNUM> TA.", ["SSN:1234567 TA"]),
        ("PPS <IDNUM>9876543</IDNUM> <DOCTOR>LW</DOCTOR>", ["SSN:9876543 LW"]),
        ("pps:<LICENSE>7654321wa</LICENSE>", ["SSN:7654321wa"]),
        ("contact 1800  <PHONE>303 302</PHONE>", ["PHONE:1800  303 302"]),
        ("on <IDNUM>1890 252 524</IDNUM> (HSE)", ["PHONE:1890 252 524"]),
        ("fax <FAX>0818-252-524</FAX>", ["FAX:0818-252-524"]),
    ],
)
def test_codes_are_whole(marked: str, found: list[str]) -> None:
    assert read(marked) == found


@pytest.mark.parametrize(
    "marked",
    [
        "T12 L1 <AGE>72</AGE>",
        "<IDNUM>B12 X2K1</IDNUM>",
        "f92 <USERNAME>kx71</USERNAME>",
        "<IDNUM>1234567TA</IDNUM>",
        "PPS <IDNUM>12345678TA</IDNUM>",
        "MRN <MEDICALRECORD>1800247247</MEDICALRECORD>",
        "<DATE>1800 200</DATE> ml",
    ],
)
def test_others_stay(marked: str) -> None:
    document = parse_inline(marked)
    assert widen_irish(document.text, document.spans) == document.spans


@given(
    st.lists(st.sampled_from(["T45 PX2A", "A", " ", "Ann", "1234567 TA", "PPS ", "1800 247 247"])),
    st.data(),
)
def test_spans_stay_sorted_and_cover_what_they_did(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    borders = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = [
        Span(a, b, "IDNUM") for a, b in zip(borders[::2], borders[1::2], strict=False) if a < b
    ]
    found = widen_irish(text, spans)
    assert list(found) == sorted(found, key=lambda span: span.start)
    assert all(a.end <= b.start for a, b in pairwise(found))
    covered = {place for span in found for place in range(span.start, span.end)}
    wanted = {place for span in spans for place in range(span.start, span.end)}
    assert not [place for place in wanted - covered if text[place].isalnum()]


def test_long_mentions_are_passed_over() -> None:
    assert not _may_be_irish("Ann Lee")
    assert _may_be_irish("A Thurles")
