"""Segments of HL7 v2 in notes: what their fields hold, by places; and what holds of all texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.segments import read_segments
from scrubjay.taggers.mending import mend

_PIECES = (
    "MSH|^~\\&|", "PID|", "PV1|", "\n", "\r", "|", "|||", "^", "~", "&", "ROE", "7", "jroe", " ",
    "a@b", "WGH",
)  # fmt: skip

MESSAGE = """Pasted:
MSH|^~\\&|LAB|<HOSPITAL>WGH</HOSPITAL>|EHR||20680417||ORU^R01|<IDNUM>M49</IDNUM>|P|2.5.1
PID|1||<MEDICALRECORD>00781</MEDICALRECORD>^^^<HOSPITAL>WGH</HOSPITAL>^MR~<SSN>512-09-4471</SSN>\
^^^SSA^SS||<PATIENT>ROE^JANE^T</PATIENT>||20020929|M|||<STREET>7 ELM LN</STREET>^^<CITY>ORE</CITY>\
^<STATE>MT</STATE>^<ZIP>59211</ZIP>||<PHONE>(406)555-0172</PHONE>|||S||<ACCOUNT>9003</ACCOUNT>
NK1|1|<PATIENT>ROE^JOHN</PATIENT>|SPO^Spouse
PV1|1|E|ED^07^A||||<LICENSE>199277</LICENSE>^<DOCTOR>RICE^HELENA</DOCTOR>^^^^MD|<DOCTOR>SO^AL</DOCTOR>
EVN|A08|20711119|||<USERNAME>REGCLK14</USERNAME>^<DOCTOR>POPE^ANN</DOCTOR>
DG1|1||E11^Diabetes
Signed."""


def _shown(text: str, spans: tuple[Span, ...]) -> list[str]:
    return [f"{span.label} {text[span.start : span.end]}" for span in spans]


def test_what_fields_hold_is_told_by_their_places() -> None:
    document = parse_inline(MESSAGE)
    text = document.text
    assert _shown(text, read_segments(text, (), "en")) == _shown(text, document.spans)
    with_returns = text.replace("\n", "\r")
    assert read_segments(with_returns, (), "en") == read_segments(text, (), "en")


@pytest.mark.parametrize("before", ["\ufeff", "\x0b", "\ufeff\r\n", "seen\r\ufeff"])
def test_a_message_is_read_behind_a_byte_order_mark(before: str) -> None:
    message = MESSAGE.partition("\n")[2]
    text = parse_inline(message).text
    found = _shown(text, read_segments(text, (), "en"))
    assert _shown(before + text, read_segments(before + text, (), "en")) == found
    assert found[:2] == ["HOSPITAL WGH", "IDNUM M49"]


@pytest.mark.parametrize(
    ("language", "segment", "expected"),
    [
        ("nl", "PID|1||70^^^X||BOS^PIET||1929|F|||KERKPAD 1^^BUURSE^^7481 AB",
         ["ID 70", "NAME BOS^PIET", "ADDRESS KERKPAD 1^^BUURSE^^7481 AB"]),
        ("nl", "PV1|1|I|IC2^06^A||||04418^BOS",
         ["INTERNAL_LOCATION IC2^06^A", "ID 04418", "NAME BOS"]),
        ("es", "PID|1||52^^^CC||GIL^PAZ|||||CRA 8^^PEREIRA^RISARALDA^660002^COL",
         ["ID_SUJETO_ASISTENCIA 52", "NOMBRE_SUJETO_ASISTENCIA GIL^PAZ"]),
        ("es", "PV1|1|O|C||||RM66^HOYOS^JHON",
         ["ID_TITULACION_PERSONAL_SANITARIO RM66", "NOMBRE_PERSONAL_SANITARIO HOYOS^JHON"]),
        ("en", "a PID|1||70||ROE^JANE", []),
        ("en", "PIDS|1||70||ROE^JANE", []),
        ("xx", "PID|1||70||ROE^JANE", []),
    ],
)  # fmt: skip
def test_each_language_has_its_labels(language: str, segment: str, expected: list[str]) -> None:
    assert _shown(segment, read_segments(segment, (), language))[: len(expected)] == expected
    assert bool(expected) == bool(read_segments(segment, (), language))


def test_what_is_told_stands_in_the_place_of_what_was_found() -> None:
    text = "PID|1||70^^^X||ROE^JANE"
    found = (Span(7, 12, "PHONE"), Span(15, 18, "CITY"))
    rows = read_segments(text, found, "en")
    assert _shown(text, rows) == ["MEDICALRECORD 70", "PATIENT ROE^JANE"]
    assert read_segments(text, found, "en", labels={"DATE"}) == found


@pytest.mark.parametrize(
    ("segment", "mention", "labels", "expected"),
    [
        ("OBR|1|889511^Oak Hill Clinic", "889511^Oak Hill Clinic", None,
         ["IDNUM 889511", "HOSPITAL Oak Hill Clinic"]),
        ("EVN|A08||||jroe^ROE^JANE", "jroe^ROE^JANE", {"DOCTOR"}, ["DOCTOR jroe^ROE^JANE"]),
        ("EVN|A08||||70112^ROE^JANE^^^DR", "70112^ROE^JANE^^^DR", {"DOCTOR"},
         ["CITY 70112", "DOCTOR ROE^JANE"]),
        ("PV1|1|E|||||9^ROE^JANE^^^^^Oak Hill", "JANE^^^^^Oak Hill", None,
         ["LICENSE 9", "DOCTOR ROE^JANE", "CITY Oak Hill"]),
        ("PV1|1|E|||||9^ROE^JANE^^^^^NPI", "JANE^^^^^NPI", None,
         ["LICENSE 9", "DOCTOR ROE^JANE"]),
    ],
)  # fmt: skip
def test_what_stood_beside_it_in_a_mention_stays_covered_but_for_codes(
    segment: str, mention: str, labels: set[str] | None, expected: list[str]
) -> None:
    start = segment.index(mention)
    found = (Span(start, start + len(mention), "CITY"),)
    assert _shown(segment, read_segments(segment, found, "en", labels)) == expected


@given(st.lists(st.sampled_from(_PIECES), max_size=30), st.sampled_from(["en", "nl", "es"]))
def test_spans_are_sorted_disjoint_and_within_fields(pieces: list[str], language: str) -> None:
    text = "".join(pieces)
    rows = mend(text, (), language)
    assert all(one.end <= other.start for one, other in pairwise(rows))
    own = [text[row.start : row.end] for row in rows if row.source == "segments"]
    assert not any(set(mention) & set("|~\r\n") or mention.strip("^") != mention for mention in own)
