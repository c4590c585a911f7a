"""Entities: what they mean is read, and what is found stands where it stood."""

from __future__ import annotations

import re
from html import unescape
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.taggers.regex import make_regex_detector
from scrubjay.text.entities import read_entities

PATTERNS = make_regex_detector("en", "i2b2-2014")
PIECES = st.lists(
    st.sampled_from(
        [
            "a",
            "B ",
            "&nbsp;",
            "&eacute;",
            "&#45;",
            "&amp;",
            "&foo;",
            "&",
            ";",
            "&#x1F600;",
            "&amp;nbsp;",
        ]
    )
)


@pytest.mark.parametrize("text", ["", "plain", "AT&T; no", "a & b; c", "&foo;", "&#;"])
def test_a_text_without_entities_is_read_as_it_is(text: str) -> None:
    assert read_entities(text) is None


@given(PIECES)
def test_what_is_meant_is_what_html_reads_but_for_plain_blanks(pieces: list[str]) -> None:
    text = "".join(pieces)
    meant = read_entities(text)
    plain = text if meant is None else meant.text
    parts = [
        one if one in ("&", ";") else unescape(unescape(one)).replace("\u00a0", " ")
        for one in pieces
    ]
    if "&" not in pieces:
        assert plain == "".join(parts)


@given(PIECES, st.data())
def test_spans_come_back_sorted_disjoint_and_over_what_they_mean(
    pieces: list[str], data: st.DataObject
) -> None:
    text = "".join(pieces)
    meant = read_entities(text)
    if meant is None or not meant.text:
        return
    size = len(meant.text)
    cuts = sorted(data.draw(st.sets(st.integers(0, size), max_size=6)))
    spans = [Span(a, b, "X") for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    back = meant.back(spans)
    assert [one.start for one in back] == sorted(one.start for one in back)
    assert all(one.end <= other.start for one, other in pairwise(back))
    for span, one in zip(spans, back, strict=True):
        read = read_entities(text[one.start : one.end])
        found = text[one.start : one.end] if read is None else read.text
        assert meant.text[span.start : span.end] in found


@given(PIECES)
def test_what_was_read_has_nothing_to_read(pieces: list[str]) -> None:
    meant = read_entities("".join(pieces))
    assert meant is None or read_entities(meant.text) is None


@given(PIECES)
def test_places_go_forth_and_back(pieces: list[str]) -> None:
    meant = read_entities("".join(pieces))
    if meant is None:
        return
    places = list(accumulate(map(len, pieces), initial=0))
    for start, end in pairwise(places):
        there = meant.forth(start), meant.forth(end)
        (span,) = meant.back([Span(*there, "X")])
        assert span.start <= start < end <= span.end


def test_what_was_escaped_twice_is_read() -> None:
    meant = read_entities("Ann&amp;nbsp;Lee &amp;amp; A&amp;foo;")
    assert meant is not None
    assert meant.text == "Ann Lee & A&foo;"


@given(st.lists(st.sampled_from(["617-555-0122", "&#45;", "&nbsp;", "a@b.org", " ", "&amp;", "x"])))
def test_a_detector_finds_whole_entities(pieces: list[str]) -> None:
    text = "".join(pieces)
    (spans,) = PATTERNS.detect([Document("a", text)])
    meant = read_entities(text)
    (plain,) = PATTERNS.detect([Document("a", text if meant is None else meant.text)])
    assert spans == (plain if meant is None else meant.back(plain))
    entities = [(m.start(), m.end()) for m in re.finditer("&[#a-z0-9]+;", text)]
    borders = {border for span in spans for border in (span.start, span.end)}
    assert not any(start < border < end for start, end in entities for border in borders)


def test_names_and_numbers_are_found_with_their_entities() -> None:
    text = "Jos&eacute; Mu&ntilde;oz 617&#45;555&#45;0122"
    meant = read_entities(text)
    assert meant is not None
    assert meant.text == "José Muñoz 617-555-0122"
    name, number = meant.back([Span(0, 10, "PATIENT"), Span(11, 23, "PHONE")])
    assert text[name.start : name.end] == "Jos&eacute; Mu&ntilde;oz"
    assert text[number.start : number.end] == "617&#45;555&#45;0122"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("<b>W</b>ilhelmina", "Wilhelmina"),
        ("<span>Wil</span><span class='x'>helmina</span>", "Wilhelmina"),
        ("<b>Ann</b> <i>Lee</i>: <FONT size=2>1/<b>2</b></FONT>", "Ann Lee: 1/2"),
        ("<b>Name</b>Quill <b>MRN</b>4711", "Name Quill MRN 4711"),
        ("<a href='mailto:q@x.org'>Ann</a>", "<a href='mailto:q@x.org'>Ann"),
        ("<p>Wil<wbr>helmina", "\nWilhelmina"),
        ("<tr><td>Ann</td><td class='x'>Lee</td></tr><br/>a</p>\n<P>b", "\nAnn\tLee\na\n\n\nb"),
        ("<b>Q</b>UILL", "QUILL"),
        ("Qui\u00adll bar\u2060row Wil\u200bhelmina Wil\u2005helmina", "Quill barrow Wilhelmina Wilhelmina"),  # noqa: E501
        ("Qui&shy;ll", "Quill"),
        ("617\u00ad555\u00ad0122 Quill-\u00ad\nRoe Bar\u00ad\nrow", "617-555-0122 Quill--\nRoe Bar-\nrow"),  # noqa: E501
    ],
)  # fmt: skip
def test_what_nobody_sees_in_a_word_is_left_out(text: str, read: str) -> None:
    meant = read_entities(text)
    assert meant is not None
    assert meant.text == read


@pytest.mark.parametrize(
    "text",
    [
        "10<sup>9</sup>/l H<sub>2</sub>O",
        "<title>Ann</title><div id='4711'>",
        "Ann\u200bLee",
        "per\u2009day",
    ],
)
def test_what_parts_words_and_numbers_is_read(text: str) -> None:
    assert read_entities(text) is None


def test_what_is_found_in_a_parted_word_covers_all_of_it() -> None:
    text = "Dr. <b>W</b>il\u00adhelmina was"
    meant = read_entities(text)
    assert meant is not None
    start = meant.text.index("Wilhelmina")
    (span,) = meant.back([Span(start, start + len("Wilhelmina"), "DOCTOR")])
    assert text[span.start : span.end] == "W</b>il\u00adhelmina"


def test_a_detector_passes_over_tags_of_layout() -> None:
    text = "Tel <b>617</b>-<i>555</i>-0122, <span class='x'>Ann</span>"
    (spans,) = PATTERNS.detect([Document("a", text)])
    assert [text[one.start : one.end] for one in spans] == ["617</b>-<i>555</i>-0122"]


def test_what_is_found_over_the_end_of_a_line_or_a_cell_is_cut() -> None:
    text = "<td>Ann</td><td> Lee</td><td>-</td><p>617</p>"
    meant = read_entities(text)
    assert meant is not None
    spans = meant.back([Span(1, len(meant.text), "PATIENT")])
    assert [text[one.start : one.end] for one in spans] == ["Ann", "Lee", "617"]
