"""UTF-8 read in latin-1 would hide names: it is refused, and what is latin-1 is not."""

from __future__ import annotations

import io
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.cli import main as cli
from scrubjay.corpora import FORMATS, read_corpus, write_corpus
from scrubjay.corpora._mistaken import find_unicode, hold
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import EncodingError

NOTE = "Paciente: José Ibáñez, visto el 3/4."
OTHERS = ("hl7", "fhir", "parquet")
"""Formats that are not written from a text alone, or take no `encoding`."""


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso8859-15", "mac-roman", "gb18030"])
def test_utf8_is_not_read_in_another_encoding(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("plain ascii")
    (tmp_path / "b.txt").write_text(NOTE, encoding="utf-8")
    with pytest.raises(EncodingError, match=rf"b\.txt: is UTF-8, not {encoding}\.") as caught:
        list(read_corpus(tmp_path, encoding=encoding))
    assert "Jos" not in str(caught.value)
    assert "for all files of a run" in str(caught.value)


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in OTHERS])
def test_no_reader_takes_utf8_for_latin(name: str, tmp_path: Path) -> None:
    write_corpus([Document("a", NOTE)], tmp_path, format=name)
    with pytest.raises(EncodingError, match="is UTF-8, not latin-1"):
        list(read_corpus(tmp_path, format=name, encoding="latin-1"))


def test_hl7_takes_no_utf8_for_latin(tmp_path: Path) -> None:
    (tmp_path / "a.hl7").write_bytes(f"MSH|^~\\&|A|B\rNTE|1||{NOTE}\r".encode())
    with pytest.raises(EncodingError, match="is UTF-8, not latin-1"):
        list(read_corpus(tmp_path / "a.hl7", encoding="latin-1"))


@pytest.mark.parametrize("name", ["i2b2", "i2b2-2006", "meddocan-xml"])
@pytest.mark.parametrize("declared", ["ISO-8859-1", "windows-1252"])
def test_xml_that_declares_what_it_is_not(
    name: str, declared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus([Document("a", NOTE)], tmp_path, format=name)
    (path,) = tmp_path.iterdir()
    text = path.read_text(encoding="utf-8").replace("UTF-8", declared)
    path.write_text(text, encoding="latin-1")
    assert next(iter(read_corpus(path, format=name))).text == NOTE
    path.write_text(text, encoding="utf-8-sig")  # the mark overrules
    assert next(iter(read_corpus(path, format=name))).text == NOTE
    path.write_text(text, encoding="utf-8")
    assert next(iter(read_corpus(path, format=name, encoding="utf-8"))).text == NOTE
    stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(text.encode())))
    monkeypatch.setattr("sys.stdin", stdin)
    for place in (path, "-"):
        with pytest.raises(EncodingError, match=f"is UTF-8, not {declared}, which it declares"):
            next(iter(read_corpus(place, format=name)))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["text", "csv", "label-studio"])
def test_a_mark_of_unicode_is_not_read_as_letters(name: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes("plain".encode(encoding) + b"\xe9")  # not valid as a whole
    with pytest.raises(EncodingError, match=f"is {encoding[:6].rstrip('-').upper()}, not latin-1"):
        list(read_corpus(path, format=name, encoding="latin-1"))


@pytest.mark.parametrize("name", ["text", "jsonl", "csv", "label-studio", "i2b2-2006"])
def test_standard_input_is_held_to_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus([Document("a", NOTE)], tmp_path, format=name)
    data = next(path for path in tmp_path.iterdir()).read_bytes().decode()

    def read(encoding: str) -> list[str]:
        stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(data.encode(encoding))))
        monkeypatch.setattr("sys.stdin", stdin)
        return [each.text for each in read_corpus("-", format=name, encoding="latin-1")]

    assert read("latin-1") == [NOTE]
    with pytest.raises(EncodingError, match="standard input: is UTF-8, not latin-1"):
        read("utf-8")


def test_nothing_of_a_file_is_passed_on_before(tmp_path: Path) -> None:
    lines = [f'{{"id": {n}, "text": "{"x" * 200}"}}' for n in range(2_000)]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([*lines, '{"id": -1, "text": "é"}']), encoding="utf-8")
    with pytest.raises(EncodingError, match="is UTF-8"):
        next(iter(read_corpus(path, format="jsonl", encoding="latin-1")))


def test_bytes_are_counted_once(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": 1, "text": "Pe\xf1a"}\n')
    counts: list[int] = []
    source = Source(path, path.name, "a", counts.append)
    assert len(list(source.lines("latin-1", newline="\n"))) == 1
    assert sum(counts) == path.stat().st_size


@given(
    st.lists(st.sampled_from(["a", "é", "€", "😀", " ", "ab" * 20])),
    st.binary(max_size=3),
    st.integers(1, 5),
)
def test_chunks_do_not_matter(parts: list[str], tail: bytes, size: int) -> None:
    data = "".join(parts).encode() + tail
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    if not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\0\0\xfe\xff")):
        assert find_unicode(chunks) == find_unicode([data]) == _plain(data)
    found, stream = hold(io.BytesIO(data))  # type: ignore[arg-type]
    assert (found, stream.read()) == (find_unicode([data]), data)


def _plain(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            return None
        text = data[: error.start].decode()
    return None if text.isascii() else "UTF-8"


def test_what_is_held_ends_at_the_first_byte_that_decides() -> None:
    stream = io.BytesIO(b"\xe9" + b"x" * 500_000)
    found, rest = hold(stream)
    assert found is None
    assert stream.tell() < 100_000
    assert len(rest.read()) == 500_001


def test_a_file_in_another_encoding_is_told_how_to_be_made_utf8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The very command that the message names makes UTF-8 of the file."""
    monkeypatch.chdir(tmp_path)
    for encoding in ("latin-1", "utf-16"):
        Path("a.txt").write_text(NOTE, encoding=encoding)
        with pytest.raises(EncodingError, match=r"not utf-8 text.* for all files of a run") as told:
            list(read_corpus("a.txt", format="text"))
        assert f"Name its encoding ({encoding}?)" in str(told.value)
        command = str(told.value).partition(" first: scrubjay ")[2]
        assert f"--encoding {encoding} " in command
        given = ["a.txt" if word == "FILE" else word for word in shlex.split(command)]
        assert cli.run(given) == 0
        assert Path("FOLDER/a.txt").read_text(encoding="utf-8") == NOTE


def test_annotated_notes_are_made_jsonl(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Pe\xf1a")
    (tmp_path / "a.ann").write_bytes(b"")
    with pytest.raises(EncodingError, match="latin-1 --to jsonl"):
        list(read_corpus(tmp_path, format="brat"))
