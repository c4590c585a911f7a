"""Regions to ignore: which sentences leave, that spans stay exact, and that files keep them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora import FORMATS, read_corpus, write_corpus
from scrubjay.corpora.metadata import IGNORE_KEY
from scrubjay.corpora.regions import (
    HOLDING,
    ignored_regions,
    join_regions,
    left_out,
    without_ignored,
)
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, OutputError, SpanError

TEXT = "He came in. Seen by Amos Quill today. No fever.\nPlan: rest.\n\nSigned by Bo Lindt\n"


def _document(text: str, regions: list[list[int]], spans: tuple[Span, ...] = ()) -> Document:
    return Document("d", text, spans, {IGNORE_KEY: regions} if regions else {})


def _of(text: str, part: str) -> list[int]:
    start = text.index(part)
    return [start, start + len(part)]


def test_the_sentence_of_a_region_is_left_out() -> None:
    document = _document(TEXT, [_of(TEXT, "Amos")])
    assert without_ignored(document).text == TEXT.replace("Seen by Amos Quill today. ", "")


def test_a_line_with_nothing_else_goes_with_its_end() -> None:
    document = _document(TEXT, [_of(TEXT, "Lindt"), _of(TEXT, "rest")])
    assert without_ignored(document).text == TEXT.split("Plan")[0] + "\n"


def test_a_document_without_regions_is_left_alone() -> None:
    document = _document(TEXT, [])
    assert without_ignored(document) is document


def test_an_annotation_that_reaches_into_a_part_takes_its_other_sentence_along() -> None:
    start, end = TEXT.index("today"), TEXT.index("fever") + 5
    document = _document(TEXT, [_of(TEXT, "Amos")], (Span(start, end, "DATE"),))
    left = without_ignored(document)
    assert left.spans == ()
    assert left.text == TEXT.replace("Seen by Amos Quill today. No fever.", "")


def test_an_annotation_that_begins_in_the_blanks_behind_a_part_goes_with_it() -> None:
    document = _document("Ana.\nBo", [[0, 1]], (Span(4, 6, "X"),))
    left = without_ignored(document)
    assert (left.text, left.spans) == ("", ())


@st.composite
def _documents(draw: st.DrawFn) -> Document:
    pieces = st.sampled_from(
        [
            "Ana",
            "Bo",
            "seen",
            ".",
            ". ",
            "\n",
            "\r\n",
            " ",
            "on 3/4",
            ",",
            "\n\n",
            "Dr.",
            "été",
            "😀",
        ]
    )
    text = "".join(draw(st.lists(pieces, min_size=1, max_size=40)))
    offsets = st.integers(0, len(text))
    pairs = st.lists(st.tuples(offsets, offsets), max_size=4)
    regions = [[min(p), max(p)] for p in draw(pairs) if p[0] != p[1]]
    borders = sorted(draw(st.sets(offsets, max_size=6)))
    spans = [Span(a, b, "X") for a, b in zip(borders[::2], borders[1::2], strict=False)]
    return _document(text, regions, tuple(spans))


@settings(max_examples=100, deadline=None)
@given(_documents())
def test_what_stays_is_exact_and_holds_nothing_of_a_region(document: Document) -> None:
    parts = left_out(document)
    left = without_ignored(document)
    outside = [n for n in range(len(document.text)) if not any(a <= n < b for a, b in parts)]
    assert left.text == "".join(document.text[n] for n in outside)
    for start, end in ignored_regions(document):
        assert any(a <= start and end <= b for a, b in parts)
    kept = [s for s in document.spans if not any(a < s.end and s.start < b for a, b in parts)]
    assert [left.text[s.start : s.end] for s in left.spans] == [
        document.text[s.start : s.end] for s in kept
    ]
    assert all(
        any(a <= s.start and s.end <= b for a, b in parts) for s in document.spans if s not in kept
    )
    assert without_ignored(left) is left


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("3-4", FormatError),
        ([3, 4], FormatError),
        ([[1, 2, 3]], FormatError),
        ([[1.0, 2.0]], FormatError),
        ([[True, 4]], FormatError),
        ([[4, 4]], SpanError),
        ([[-1, 4]], SpanError),
        ([[0, 999]], SpanError),
    ],
)
def test_a_broken_entry_is_refused(value: object, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        ignored_regions(Document("d", TEXT, (), {IGNORE_KEY: value}))
    assert "Amos" not in str(caught.value)


def test_regions_that_meet_become_one() -> None:
    assert join_regions([(4, 6), (0, 2), (2, 3), (5, 9)]) == ((0, 3), (4, 9))


def test_the_formats_that_hold_regions_give_them_back(tmp_path: Path) -> None:
    start, end = _of(TEXT, "Bo Lindt")
    spans = (Span(start, end, "DOCTOR"),)
    regions = [_of(TEXT, "Amos Quill"), _of(TEXT, "rest")]
    document = _document(TEXT, regions, spans)
    for format in sorted(HOLDING):
        for turn in ("once", "twice"):  # what was read can be written and read again
            folder = tmp_path / format / turn
            write_corpus([document], folder, format=format)
            (found,) = read_corpus(folder, format=format)
            assert (found.text, found.spans) == (TEXT, spans)
            assert found.metadata[IGNORE_KEY] == regions
            document = Document("d", found.text, found.spans, found.metadata)


@pytest.mark.parametrize("format", sorted(set(FORMATS) - HOLDING))
def test_other_formats_refuse_them(tmp_path: Path, format: str) -> None:
    document = _document(TEXT, [_of(TEXT, "Amos")])
    with pytest.raises(OutputError, match="regions to ignore"):
        write_corpus([document], tmp_path / "out", format=format)


def test_brat_drops_what_refers_to_a_region(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(TEXT.encode())
    start, end = _of(TEXT, "Amos Quill")
    lines = f"T1\tSCRUBJAY-IGNORE {start} {end}\tAmos Quill\n#1\tAnnotatorNotes T1\tunsure\n"
    (tmp_path / "a.ann").write_bytes(lines.encode())
    (document,) = read_corpus(tmp_path, format="brat")
    assert document.metadata[IGNORE_KEY] == [[start, end]]
    assert not document.spans
    assert not document.metadata.get("brat.lines")
