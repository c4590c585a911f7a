"""Encodings: found or named, and what does not decode is told by its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.corpora import detect_format, read_corpus, write_corpus
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, EncodingError, FormatError
from tests.formats import FREE

CANARY = "Wilhelmina"
DOCUMENT = Document("a", "Dr. Lee", (Span(4, 7, "DOCTOR"),))

NO_UTF16 = ("i2b2", "i2b2-2006", "meddocan-xml", "fhir", "parquet", "brat", "hl7")
"""Formats that tell their encoding, have no such option, or are told by names alone."""


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "cp1252"])
@pytest.mark.parametrize("name", [name for name in FREE if name not in NO_UTF16])
def test_formats_are_detected_through_an_encoding(name: str, encoding: str, tmp_path: Path) -> None:
    write_corpus([DOCUMENT], tmp_path, format=name)
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes().decode("utf-8").encode(encoding))
    assert detect_format(tmp_path, encoding=encoding) == name
    (document,) = read_corpus(tmp_path, encoding=encoding)
    assert document.text == DOCUMENT.text
    if encoding == "utf-16":
        with pytest.raises((FormatError, EncodingError)):
            list(read_corpus(tmp_path))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("name", [name for name in FREE if name not in NO_UTF16])
def test_a_missing_byte_order_mark_is_named(name: str, encoding: str, tmp_path: Path) -> None:
    write_corpus([Document("a", CANARY)], tmp_path, format=name)
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes().decode("utf-8").encode(encoding))
    stated = encoding[:6]
    hint = f"{stated} without a byte order mark is {stated}-le or {stated}-be"
    for options in ({}, {"format": name}):
        with pytest.raises((FormatError, EncodingError), match=hint) as caught:
            list(read_corpus(tmp_path, encoding=stated, **options))
        assert CANARY not in str(caught.value)


@pytest.mark.parametrize("name", ["i2b2", "i2b2-2006", "meddocan-xml", "brat", "hl7"])
def test_a_missing_byte_order_mark_is_no_text(name: str, tmp_path: Path) -> None:
    content = "<deIdi2b2><ROOT><MEDDOCAN>MSH|" + CANARY
    (tmp_path / "a.txt").write_bytes(content.encode("utf-16-be"))
    with pytest.raises((FormatError, EncodingError)) as caught:
        list(read_corpus(tmp_path / "a.txt", format=name, encoding="utf-16"))
    assert CANARY not in str(caught.value)


def test_a_long_first_line_is_seen_whole_through_an_encoding(tmp_path: Path) -> None:
    line = json.dumps({"label": [], "text": "\u010a" * 70_000}, ensure_ascii=False)
    (tmp_path / "a.jsonl").write_text(f"{line}\n{line}\n", encoding="utf-16-le")
    assert detect_format(tmp_path, encoding="utf-16-le") == "doccano"


def test_a_wrong_encoding_does_not_hide_the_format(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "odd"}\n')
    assert detect_format(tmp_path, encoding="utf-16-le") == "jsonl"
    with pytest.raises(FormatError, match="line 1, column 1: not valid JSON"):
        list(read_corpus(tmp_path, encoding="utf-16-le"))
    for encoding in ("klingon", "base64", "undefined", "a\0b", "idna", "Punycode"):
        with pytest.raises(ConfigError, match="unknown encoding") as caught:
            detect_format(tmp_path, encoding=encoding)
        assert repr(encoding) in str(caught.value)
        assert "Give one that Python knows (--encoding): utf-8, or" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        *(("latijn", "'latin-1'"), ("utf_88", "'utf-8' or "), ("windows1252x", "'windows-1252'")),
        ("CP 1251x", "'cp1"),
    ],
)
def test_an_unknown_encoding_gets_the_nearest(tmp_path: Path, name: str, near: str) -> None:
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(ConfigError, match=f"unknown encoding '{name}'. Did you mean {near}"):
        read_corpus(tmp_path, encoding=name)


def test_a_file_of_no_known_format_may_have_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(CANARY, encoding="utf-16")
    with pytest.raises(EncodingError, match=r"a\.txt, byte 0: not utf-8 text\. Name its encoding"):
        read_corpus(tmp_path)
    assert next(read_corpus(tmp_path, encoding="utf-16")).text == CANARY
    (tmp_path / "a.xml").write_text(CANARY, encoding="utf-16")
    with pytest.raises(EncodingError, match=r"a\.xml, byte 0: not utf-8 .* \(utf-16\?\) with"):
        read_corpus(tmp_path / "a.xml")
    (tmp_path / "a.xml").write_text(CANARY)
    with pytest.raises(FormatError, match=r"its encoding, too \(--encoding\)$"):
        read_corpus(tmp_path / "a.xml")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("t.csv", "id,text\n1,é\n", r"--encoding latin-1 --to csv .* --option delimiter=CHAR"),
        ("t.tsv", "id\ttext\n1\té\n", r"--encoding latin-1 --to tsv --out-option encoding=utf-8"),
        ("t.jsonl", '{"id": "1", "text": "é"}\n', r"\(latin-1\?\) with --encoding"),
        ("t.json", '[{"data": {"text": "é"}}]', r"\(latin-1\?\) with --encoding"),
        ("t.ndjson", '{"resourceType": "Patient", "id": "é"}\n', r"FHIR is UTF-8 by its rules"),
    ],
)
def test_every_reader_tells_what_to_do_about_an_encoding(
    name: str, content: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content.encode("latin-1"))
    options = {"format": "fhir"} if name == "t.ndjson" else {}
    for path in (tmp_path / name, tmp_path):
        with pytest.raises(EncodingError, match=told):
            list(read_corpus(path, **options))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_guessed(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("id,text\n1,é\n".encode(encoding))
    with pytest.raises(EncodingError, match=rf"\({encoding}\?\) with --encoding"):
        list(read_corpus(tmp_path / "t.csv"))
    (document,) = read_corpus(tmp_path / "t.csv", encoding=encoding)
    assert document.text == "é"


@pytest.mark.parametrize("name", ["text", "inline", "brat"])
def test_a_note_with_nul_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a note")
    (tmp_path / "b.txt").write_bytes(b"a\n" + CANARY.encode("utf-16-le"))
    with pytest.raises(FormatError, match=r"b\.txt, offset 3: a NUL.*--encoding") as caught:
        list(read_corpus(tmp_path, format=name))
    assert "\0" not in str(caught.value)


def test_wrong_encodings_are_named_by_byte(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Pe\xf1a " + CANARY.encode())
    with pytest.raises(EncodingError, match=r"a\.txt, byte 2: not utf-8 text") as caught:
        list(read_corpus(tmp_path))
    assert CANARY not in str(caught.value)
    assert next(read_corpus(tmp_path, encoding="cp1252")).text == f"Peña {CANARY}"
    with pytest.raises(ConfigError, match="unknown encoding 'klingon'"):
        list(read_corpus(tmp_path, encoding="klingon"))
    (tmp_path / "a.txt").write_bytes("añ".encode("utf-16"))
    assert next(read_corpus(tmp_path, format="text", encoding="utf-16")).text == "añ"


@pytest.mark.parametrize("size", [1, 2, 3, 65_535, 65_536, 65_537, 200_000])
def test_undecodable_bytes_are_found_across_chunks(size: int, tmp_path: Path) -> None:
    path = tmp_path / "a"
    for bad in (b"\xff", b"\xc3\x28", b"\xe2\x82"):
        path.write_bytes(b"x" * (size - 1) + "é".encode() + bad)
        source = Source(path, "a", "a")
        assert source.find_undecodable("utf-8") == size + 1
    path.write_bytes("é".encode() * size)
    assert Source(path, "a", "a").find_undecodable("utf-8") is None
