"""Disguises: what words mean that are escaped, misread or spelled with other letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.text.disguises import read_disguises

PIECES = st.lists(
    st.sampled_from(
        [
            "Zara",
            "%20",
            "%C3%A9",
            "=C3=A9",
            "&eacute;",
            "Ã©",
            "а",
            "\\u00e9",
            "\\'e9",
            "=",
            "%",
            "\\u12",
            "=?utf-8?B?WmFyYQ==?=",
            "%C3",
            "&#37;20",
            "\\u-3913?",
            "\\u{1F600}",
        ]
    )
    | st.sampled_from([" ", "=\r\n"])
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Jos%C3%A9", "José"),
        ("Jos%E9", "José"),
        ("Zara%2520Quill", "Zara%20Quill"),  # one step of each kind
        ("M=C3=BCller", "Müller"),
        ("O=E2=80=99Brien", "O\u2019Brien"),
        ("Barrow=\r\nman", "Barrowman"),
        ("Jos\\u00e9", "José"),
        ("\\ud83d\\ude00", "\U0001f600"),
        ("Jos\\'e9", "José"),
        ("Jos\\u233?", "José"),
        ("JosÃ©", "José"),
        ("Oâ€™Brien", "O\u2019Brien"),
        ("\u00c5\u00a0u\u00c5\u00a1a", "\u0160u\u0161a"),
        ("\u0416ar\u0430", "\u0416ara"),
        ("Jos%26eacute;", "Jos&eacute;"),
        ("Jos&#37;C3&#37;A9", "José"),
        ("=?iso-8859-1?B?Sm9z6Q==?=", "José"),
    ],
)
def test_what_a_disguise_means(text: str, meant: str) -> None:
    seen = read_disguises(text)
    assert seen is not None
    assert seen.text == meant


@pytest.mark.parametrize(
    "text", ["", "Zara Quill", "HR=72, BP=120", "98% of 20%", "José", "Âge", "pH = 7", "C:\\users"]
)
def test_what_is_none(text: str) -> None:
    assert read_disguises(text) is None


@given(PIECES, st.data())
def test_spans_come_back_over_what_they_mean(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    seen = read_disguises(text)
    if seen is None or not seen.text:
        return
    start = data.draw(st.integers(0, len(seen.text) - 1))
    end = data.draw(st.integers(start + 1, len(seen.text)))
    for span in seen.back(Span(start, end, "A")):
        assert 0 <= span.start < span.end <= len(text)
        again = read_disguises(text[span.start : span.end])
        meant = text[span.start : span.end] if again is None else again.text
        assert len(meant) >= 1


def test_spans_of_the_text_go_forth_and_come_back() -> None:
    text = "Zara%20Quill, JosÃ© and Quill"
    seen = read_disguises(text)
    assert seen is not None
    spans = [Span(0, 12, "A"), Span(14, 19, "B"), Span(24, 29, "C")]
    there = seen.forth(spans)
    assert [seen.text[span.start : span.end] for span in there] == ["Zara Quill", "José", "Quill"]
    assert [span for one in there for span in seen.back(one)] == spans
    assert "Quill" not in repr(seen)
