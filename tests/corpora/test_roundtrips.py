"""Every format gives back what was written into it: texts, spans and ids."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora import FORMATS, find_format, read_corpus, write_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, LabelError, SpanError
from tests.formats import FREE
from tests.strategies import documents, texts, xml_texts

XML = ("i2b2", "i2b2-2006", "meddocan-xml")
DISJOINT = ("i2b2-2006", "conll", "inline")
WITHOUT_SPANS = ("text",)
NOTES = ("inline", "text")
EXTRA: dict[str, tuple[dict[str, Any], ...]] = {
    "conll": ({}, {"scheme": "BIOEU"}, {"tokenizer": "whitespace"}, {"tokenizer": "jiang"}),
    "doccano": ({}, {"offsets": "utf-16"}),
    "label-studio": ({}, {"offsets": "utf-16"}, {"layer": "predictions"}),
    "csv": ({}, {"delimiter": ";", "text_column": "note", "id_column": "nr"}),
    "parquet": ({}, {"text_column": "note", "spans_column": "phi"}),
}
TABLES = ("csv", "tsv")
CASES = [(name, options) for name in FREE for options in EXTRA.get(name, ({},))]

NUL_TEXTS = texts().map(lambda text: text.replace(" ", "\0"))
NASTY = Document(
    "nasty",
    "\ufeffDr.\u00a0Jose\u0301\r\nA\rB\n\U0001d504 ]]> <b> &amp; & \"q\"\t'x',\\n \u2028 end ",
    (
        Span(1, 4, "DOCTOR"),
        Span(4, 10, "DOCTOR"),
        Span(10, 13, "AGE"),
        Span(13, 17, "DATE"),
        Span(19, 20, "IDNUM"),
        Span(24, 26, "CITY"),
    ),
)


def round_trip(
    given: Sequence[Document], name: str, options: dict[str, Any] | None = None
) -> list[Document]:
    """Write and read documents in one format, the options given to whom they belong."""
    options = options or {}
    kind = find_format(name)
    reading = {key: options[key] for key in options if key in kind.read_options()}
    writing = {key: options[key] for key in options if key in kind.write_options()}
    with tempfile.TemporaryDirectory() as folder:
        assert write_corpus(given, folder, format=name, **writing) == len(given)
        return list(read_corpus(folder, format=name, **reading))


def assert_same(given: Sequence[Document], back: Sequence[Document], name: str) -> None:
    expected = {document.id: document for document in given}
    assert [document.id for document in back] == (
        [document.id for document in given] if find_format(name).is_container else sorted(expected)
    )
    for document in back:
        assert document.text == expected[document.id].text
        if name not in WITHOUT_SPANS:
            assert document.spans == expected[document.id].spans


@pytest.mark.parametrize(("name", "options"), CASES)
def test_random_documents_come_back(name: str, options: dict[str, Any]) -> None:
    body = texts() if name in (*NOTES, *TABLES) else st.one_of(texts(), NUL_TEXTS)
    body = xml_texts() if name in XML else body

    @settings(max_examples=20)
    @given(st.lists(documents(text=body), max_size=3, unique_by=lambda document: document.id))
    def check(given: list[Document]) -> None:
        if given or find_format(name).is_container:
            assert_same(given, round_trip(given, name, options), name)

    check()


@pytest.mark.parametrize(("name", "options"), CASES)
def test_the_nastiest_characters_come_back(name: str, options: dict[str, Any]) -> None:
    empty = Document("empty", "")
    space = Document("space", " \r\n", (Span(0, 1, "DATE"),))
    if name == "conll" and "tokenizer" in options:
        space = Document("space", " \r\n")
    given = [empty, NASTY, space]
    assert_same(given, round_trip(given, name, options), name)


@pytest.mark.parametrize("name", [name for name in FREE if name not in (*DISJOINT, "text")])
def test_overlapping_and_equal_spans_come_back(name: str) -> None:
    spans = (Span(0, 4, "NAME"), Span(0, 4, "DOCTOR"), Span(2, 6, "DOCTOR"), Span(2, 6, "DOCTOR"))
    given = [Document("a", "Dr. Lee", spans)]
    assert_same(given, round_trip(given, name), name)


@pytest.mark.parametrize("name", DISJOINT)
def test_formats_that_cannot_hold_overlaps_say_so(name: str, tmp_path: Path) -> None:
    document = Document("a", "Dr. Lee", (Span(0, 4, "DOCTOR"), Span(2, 6, "DATE")))
    with pytest.raises(SpanError, match=r"'a'.*\[0, 4\).*\[2, 6\)"):
        write_corpus([document], tmp_path / "out", format=name)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", XML)
@pytest.mark.parametrize("character", ["\0", "\x0b", "\x1c", "\ufffe", "\uffff"])
def test_xml_refuses_what_it_cannot_hold(name: str, character: str, tmp_path: Path) -> None:
    code = f"{ord(character):04X}"
    with pytest.raises(FormatError, match=rf"offset 2.*'a'.*U\+{code}"):
        write_corpus([Document("a", f"ab{character}")], tmp_path, format=name)


@pytest.mark.parametrize("name", NOTES)
def test_files_of_one_note_refuse_nul(name: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"offset 2.*'a'.*U\+0000"):
        write_corpus([Document("a", "ab\0")], tmp_path, format=name)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_text_refuse_nul(name: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"'a'.*U\+0000"):
        write_corpus([Document("a", "ab\0")], tmp_path, format=name)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("name", [name for name in FREE if name not in ("text", *DISJOINT)])
def test_formats_convert_into_each_other(name: str) -> None:
    """A document that was read in one format is written in every other without a loss."""
    through = round_trip([NASTY], name)
    for other in FREE:
        assert_same([NASTY], round_trip(through, other), other)


@pytest.mark.parametrize("name", ["jsonl"])
def test_scores_and_sources_come_back(name: str) -> None:
    span = Span(0, 3, "DATE", score=0.25, source="crf")
    (back,) = round_trip([Document("a", "abc", (span,))], name)
    assert (back.spans[0].score, back.spans[0].source) == (0.25, "crf")


def test_every_entry_of_the_table_is_a_format() -> None:
    for name in FORMATS:
        kind = find_format(name)
        assert kind.name == name
        assert (kind.encode is None) == kind.is_container
        assert all(suffix == suffix.lower() for suffix in kind.suffixes)


REFUSED = {
    "a b": ("brat", "conll", "nursing", "inline"),
    "NAME<": ("inline",),
    'x"y': ("inline",),
    "é-1": (),
}


@pytest.mark.parametrize("label", REFUSED)
@pytest.mark.parametrize("name", FREE)
def test_odd_labels_come_back_or_are_refused(name: str, label: str) -> None:
    given = [Document("a", "some text", (Span(0, 4, label),))]
    if name not in REFUSED[label]:
        assert_same(given, round_trip(given, name), name)
        return
    with pytest.raises(LabelError, match=r"'a'") as caught:
        round_trip(given, name)
    assert "some" not in str(caught.value)
