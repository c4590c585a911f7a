"""Inline tags, the test language."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from scrubjay.corpora import parse_inline, read_corpus, render_inline
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, LabelError, SpanError
from tests.strategies import documents, texts

CANARY = "Wilhelmina"


def test_text_and_gold_in_one_line() -> None:
    document = parse_inline("Seen by <DOCTOR>Dr. Lee</DOCTOR>, <DATE>3/4</DATE><AGE>9</AGE>")
    assert document.text == "Seen by Dr. Lee, 3/49"
    assert document.spans == (Span(8, 15, "DOCTOR"), Span(17, 20, "DATE"), Span(20, 21, "AGE"))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("BP &lt; 90 &amp; up", "BP < 90 & up"),
        ("BP < 90 & > 3, R&D, x<3>, </ b", "BP < 90 & > 3, R&D, x<3>, </ b"),
        ("&lt;DATE&gt;", "<DATE>"),
        ("&amp;lt;", "&lt;"),
        ("", ""),
        ("a\r\n\ufeff\U0001d504", "a\r\n\ufeff\U0001d504"),
    ],
)
def test_literals(markup: str, text: str) -> None:
    assert parse_inline(markup) == Document("inline", text)


@settings(max_examples=100)
@given(documents())
def test_rendering_is_undone_by_parsing(document: Document) -> None:
    assert parse_inline(render_inline(document), id=document.id) == document


@settings(max_examples=100)
@given(texts())
def test_a_second_rendering_changes_nothing(text: str) -> None:
    try:
        document = parse_inline(text)
    except FormatError:
        return
    assert parse_inline(render_inline(document)) == document


@pytest.mark.parametrize(
    ("markup", "message"),
    [
        ("a\n<DATE>Wilhelmina", r"line 2, offset 2: <DATE> is never closed"),
        ("Wilhelmina</DATE>", r"line 1, offset 10: </DATE> closes nothing"),
        ("<AGE>Wilhelmina</DATE>", r"offset 15: </DATE> closes nothing"),
        ("<AGE>Wilhelmina<DATE>3</DATE></AGE>", r"offset 15: <DATE> inside <AGE>"),
        ("<AGE></AGE>", r"offset 0: <AGE> around nothing"),
    ],
)
def test_broken_markup(markup: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        parse_inline(markup, path="a.inline")
    assert str(caught.value).startswith("a.inline")
    assert CANARY not in str(caught.value)


def test_what_tags_cannot_say() -> None:
    with pytest.raises(LabelError, match="'a b' cannot be an inline tag"):
        render_inline(Document("x", "abc", (Span(0, 1, "a b"),)))
    with pytest.raises(SpanError, match="overlap"):
        render_inline(Document("x", "abc", (Span(0, 2, "A"), Span(1, 3, "A"))))


def test_files_end_in_inline_or_txt(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("<DATE>3/4</DATE>")
    (document,) = read_corpus(tmp_path, format="inline")
    assert document.text == "3/4"
    (tmp_path / "b.inline").write_text("<DATE>3/5</DATE>")
    (document,) = read_corpus(tmp_path, format="inline")
    assert document.id == "b"
