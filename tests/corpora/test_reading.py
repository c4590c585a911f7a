"""Reading any corpus: detection, order, ids, laziness, standard input."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import lzma
import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scrubjay.batch.resume import input_state
from scrubjay.corpora import (
    FORMATS,
    detect_format,
    find_format,
    read_corpora,
    read_corpus,
    write_corpus,
)
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, EncodingError, FormatError, InputError
from tests.formats import FREE

CANARY = "Wilhelmina"
DOCUMENT = Document("a", "Dr. Lee", (Span(4, 7, "DOCTOR"),))


@pytest.mark.parametrize("name", FREE)
def test_every_format_is_detected(name: str, tmp_path: Path) -> None:
    write_corpus([DOCUMENT], tmp_path, format=name)
    assert detect_format(tmp_path) == name
    for path in tmp_path.iterdir():
        if not path.name.endswith("-phi.phrase"):
            assert detect_format(path) == name
            (document,) = read_corpus(path)
            assert document.text == DOCUMENT.text


@pytest.mark.parametrize("name", FORMATS)
def test_an_unknown_option_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"reader of the format '{name}' has no option 'colour'"):
        read_corpus(tmp_path, format=name, colour="red")
    with pytest.raises(ConfigError, match=f"writer of the format '{name}' has no option 'colour'"):
        write_corpus([], tmp_path, format=name, colour="red")


def test_unknown_formats_and_paths_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"unknown format 'docx'.*i2b2.*brat"):
        read_corpus(tmp_path, format="docx")
    for name in (None, "brat"):
        with pytest.raises(InputError, match=r"nope: there is no such file or folder"):
            read_corpus(tmp_path / "nope", format=name)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("txt", "Did you mean text? Known: "),
        (".TXT", "Did you mean text? "),
        ("json", "Did you mean jsonl, fhir, doccano or label-studio? "),
        ("xml", "Did you mean i2b2, i2b2-2006 or meddocan-xml? "),
        ("labelstudio", "Did you mean label-studio? "),
        ("i2b2_2006", "Did you mean i2b2-2006? "),
        ("xlsx", "There is none for it: save the sheet as CSV UTF-8 first, which is csv. "),
        ("docx", "There is none for it: make plain text of it first, which is text. "),
        ("nothing", "Known: "),
    ],
)
def test_formats_by_other_names_are_told(name: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        find_format(name)
    assert caught.value.hint.startswith(told)


def test_the_other_names_are_of_formats_that_there_are() -> None:
    from scrubjay.corpora.registry import _OTHER_NAMES

    meant = {each for what in _OTHER_NAMES for each in re.split(", | or ", what)}
    names = [each for names in _OTHER_NAMES.values() for each in names.split()]
    assert meant <= set(FORMATS)
    assert set(names).isdisjoint(FORMATS)


def test_a_folder_of_what_is_no_text_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "readme").write_text("nothing to read")
    with pytest.raises(EncodingError, match=r"b\.txt, byte 0: not utf-8 text\. Name its encoding"):
        read_corpus(tmp_path)


def test_a_folder_of_several_formats_needs_a_name(tmp_path: Path) -> None:
    write_corpus([DOCUMENT], tmp_path / "x", format="brat")
    write_corpus([DOCUMENT], tmp_path / "y", format="i2b2")
    with pytest.raises(FormatError, match=r"several formats: brat \(x/a\.ann\), i2b2 \(y/a\.xml\)"):
        detect_format(tmp_path)
    (document,) = read_corpus(tmp_path, format="i2b2")
    assert document.id == "y/a"


def test_other_files_beside_a_corpus_do_not_matter(tmp_path: Path) -> None:
    write_corpus([DOCUMENT], tmp_path, format="brat")
    (tmp_path / "b.txt").write_text("no annotations")
    for name in ("README.md", "annotation.conf", "settings.json", ".hidden.xml"):
        (tmp_path / name).write_text("{}")
    assert detect_format(tmp_path) == "brat"


@pytest.mark.parametrize("name", FREE)
def test_files_of_other_kinds_are_told_and_those_beside_are_not(name: str, tmp_path: Path) -> None:
    write_corpus([DOCUMENT], tmp_path / "in", format=name)
    for other in ("README", "letter.docx", ".hidden.docx"):
        (tmp_path / "in" / other).write_text(CANARY)
    passed: list[str] = []
    (document,) = read_corpora([tmp_path / "in"], format=name, passed=passed.append)
    assert document.text == DOCUMENT.text
    assert passed == ["README", "letter.docx"]


def test_files_are_told_as_the_stream_goes_on(tmp_path: Path) -> None:
    for name in ("a.docx", "b.txt", "c.docx", "d.txt", "e.docx"):
        (tmp_path / name).write_text("text")
    passed: list[str] = []
    documents = read_corpora([tmp_path], passed=passed.append)
    assert passed == []
    seen = [len(passed) for _ in documents]
    assert (seen, passed) == ([1, 2], ["a.docx", "c.docx", "e.docx"])


@pytest.mark.parametrize("name", ["a.png", "a.xml"])
def test_files_of_no_known_format(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"PK\0\0" + CANARY.encode())
    with pytest.raises(FormatError, match="Name the format: i2b2") as caught:
        detect_format(tmp_path / name)
    assert CANARY not in str(caught.value)
    assert ("Of pictures and files of other programs make text" in str(caught.value)) == (
        name == "a.png"
    )


@pytest.mark.parametrize("name", ["a.html", "a.json", "a.log"])
def test_of_a_file_of_text_the_likeliest_comes_first(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text('{"a": ["<p>é</p>"]}')
    with pytest.raises(FormatError) as caught:
        detect_format(tmp_path / name)
    told = str(caught.value)
    assert "no known corpus format. --format text (convert: --from text) reads it as one" in told
    assert "Name the format: i2b2" in told
    assert "pictures" not in told
    (document,) = read_corpus(tmp_path / name, format="text")
    assert "é" in document.text


OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0"


@pytest.mark.parametrize(
    ("name", "data", "what", "hint"),
    [
        ("a.docx", b"PK\x03\x04\0", "a Word file", "Save it as plain text in UTF-8"),
        ("a.DOC", OLD, "a file of an older Word or Excel", "Save it as plain text"),
        ("a.odt", b"PK\x03\x04\0", "a file of a word processor", "Save it as plain text"),
        ("a.xlsx", b"PK\x03\x04\0", "an Excel file", "as CSV UTF-8, and give that"),
        ("a.pdf", b"%PDF-1.7\n\xe2", "a PDF", "pdftotext"),
        ("a.rtf", b"{\\rtf1 x}", "an RTF file", "Save it as plain text"),
        ("a.txt", b"{\\rtf1 x}", "an RTF file", "Save it as plain text"),
        ("a.txt", b"%PDF-1.7 x", "a PDF", "pdftotext"),
        ("a", b"%PDF-1.7 x", "a PDF", "pdftotext"),
        ("a.txt", OLD, "a file of an older Word or Excel", "Save it as plain text"),
    ],
)
def test_files_of_office_programs_are_told(
    name: str, data: bytes, what: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(data + CANARY.encode())
    with pytest.raises(FormatError, match=rf"{name}: is {what}, which is not read") as caught:
        detect_format(path)
    assert hint in str(caught.value)
    with pytest.raises(FormatError, match=f"is {what}") as caught:
        detect_format(tmp_path)
    assert hint in str(caught.value)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize("data", [b"PK\x03\x04\x80", OLD, b"%PDF-1.7\n%\xe2\xe3"])
def test_a_word_file_that_is_called_text_needs_no_encoding(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(data + b"\xff" + CANARY.encode())
    with pytest.raises(EncodingError, match=r"a\.txt: is a .*, which is not read\. ") as caught:
        list(read_corpus(tmp_path, format="text"))
    assert "--encoding" not in str(caught.value)


def test_a_pattern_of_names_that_no_shell_filled_in_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file or folder\. Give the folder itself"):
        detect_format(tmp_path / "*.txt")
    with pytest.raises(InputError, match=r"no such file or folder$"):
        detect_format(tmp_path / "a.txt")
    (tmp_path / "dead.txt").symlink_to("gone.txt")
    with pytest.raises(InputError, match="is a link to nothing"):
        detect_format(tmp_path / "dead.txt")


def test_notes_with_the_names_of_office_programs_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.doc").write_text("Seen by Dr. Lee.")
    for path in (tmp_path, tmp_path / "a.doc"):
        with pytest.raises(FormatError, match=r"no (known|file of a known)") as caught:
            detect_format(path)
        assert "Word" not in str(caught.value)
    (tmp_path / "b.txt").write_text("PDF sent. %PDF- and {\\rtf are marks.")
    assert detect_format(tmp_path) == "text"


@pytest.mark.parametrize("name", ["a.txt", "a.TXT", "a"])
def test_a_note_whose_bytes_are_no_text_is_told_as_by_its_reader(name: str, tmp_path: Path) -> None:
    note = tmp_path / name
    for content, encoding in (
        (b"PK\0\0" + CANARY.encode(), None),
        (b"a\n" + CANARY.encode("utf-16-le"), None),
        (CANARY.encode("utf-16"), None),
        (CANARY.encode("utf-16-le"), "utf-16"),
        (b"\0" * 70_000 + CANARY.encode(), "latin-1"),
    ):
        note.write_bytes(content)
        options = {} if encoding is None else {"encoding": encoding}
        with pytest.raises((FormatError, EncodingError)) as told:
            list(read_corpus(note, format="text", **options))
        for place in (note, *([tmp_path] if note.suffix else [])):
            with pytest.raises(type(told.value)) as caught:
                detect_format(place, encoding=encoding)
            assert str(caught.value) == str(told.value)
            assert CANARY not in str(caught.value)
            assert "\0" not in str(caught.value)


def test_the_refused_note_is_named_among_other_strange_files(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b.txt").write_bytes(b"abc\0")
    with pytest.raises(FormatError, match=r"b\.txt, offset 3: a NUL"):
        detect_format(tmp_path)
    (tmp_path / "b.txt").unlink()
    with pytest.raises(FormatError, match=r"a\.json: no known corpus format"):
        detect_format(tmp_path)


def test_a_refused_note_beside_another_format_is_not_passed_over(tmp_path: Path) -> None:
    write_corpus([DOCUMENT], tmp_path, format="i2b2")
    (tmp_path / "b.txt").write_bytes(b"abc\0")
    with pytest.raises(FormatError, match=r"b\.txt, offset 3: a NUL"):
        read_corpus(tmp_path)
    (document,) = read_corpus(tmp_path, format="i2b2")
    assert document.text == DOCUMENT.text


def test_a_disk_image_without_a_suffix_is_not_read_to_say_that_it_is_none(tmp_path: Path) -> None:
    with (tmp_path / "disk").open("wb") as stream:
        stream.truncate(1 << 36)
    with pytest.raises(FormatError, match="no known corpus format"):
        detect_format(tmp_path / "disk")


@pytest.mark.parametrize(
    ("content", "name"),
    [("MSH|^~\\&|A|B\rPID|1\r", "hl7"), ("\x0bMSH#*+@!#A\r", "hl7"),
     ('\ufeff{"resourceType": "Patient"}', "fhir")],
)  # fmt: skip
@pytest.mark.parametrize("folder", [False, True])
def test_records_that_are_named_like_notes_are_told(
    content: str, name: str, folder: bool, tmp_path: Path
) -> None:
    # They were read as notes: names and numbers in their fields were left to the model.
    (tmp_path / "m.txt").write_text(content)
    path = tmp_path if folder else tmp_path / "m.txt"
    with pytest.raises(FormatError, match=f"looks like {name}"):
        detect_format(path)
    (tmp_path / "m.txt").write_text("MSH | a note of the Main Street Hospital {")
    assert detect_format(path) == "text"


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="the folder holds no files"):
        detect_format(tmp_path)
    with pytest.raises(FormatError, match=r"no file of the format 'brat'.*\.txt or \.ann"):
        list(read_corpus(tmp_path, format="brat"))
    (tmp_path / ".hidden.txt").touch()
    with pytest.raises(FormatError, match=r"holds no files\. Names that begin with a dot"):
        detect_format(tmp_path)


@pytest.mark.parametrize("name", ["a.hl7", "a.xml"])
def test_an_empty_file_of_a_format_that_is_told_by_its_first_bytes(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / name).touch()
    for path in (tmp_path, tmp_path / name):
        with pytest.raises(FormatError, match="the file is empty, and could be of any format"):
            detect_format(path)


@pytest.mark.parametrize("name", ["a.txt", "a", "a.jsonl", "a.txt.gz", "a.xml"])
def test_a_packed_file_is_told(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(gzip.compress(CANARY.encode()))
    with pytest.raises(FormatError, match=r"is packed by gzip, not text\. Unpack it first"):
        detect_format(tmp_path / name)
    if name in ("a.txt", "a.jsonl"):
        (tmp_path / "b.csv").write_text("id,text\n")
        if name == "a.jsonl":
            assert detect_format(tmp_path) == "csv"
            return
        with pytest.raises(FormatError, match="is packed by gzip"):
            detect_format(tmp_path)


@pytest.mark.parametrize("name", ["a.csv", "a.csv.xz", "a.txt", "a.jsonl"])
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (gzip.compress(b"id,text\n", mtime=0), r"is packed by gzip, not text\. Unpack"),
        (lzma.compress(b"id,text\n", lzma.FORMAT_ALONE), r"is packed by lzma, the older form"),
        (b"\x50\x2a\x4d\x18\x04\0\0\0abcd\x28\xb5\x2f\xfd", r"is packed by zstd, not text"),
        (b"PK\x05\x06" + bytes(18), r"is a ZIP archive that is empty, not text\. It holds no file"),
    ],
)
def test_a_packed_file_is_told_by_its_first_bytes_whatever_its_name(
    name: str, content: bytes, told: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=told):
        detect_format(tmp_path / name)
    if name == "a.csv" and not content.startswith(b"PK"):
        with pytest.raises(EncodingError, match=told):
            list(read_corpus(tmp_path, format="csv"))


@pytest.mark.parametrize("content", [CANARY.encode(), b"\0\x8b" + gzip.compress(b"a", mtime=0)[2:]])
def test_a_damaged_packed_file_is_told(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl.gz"
    file.write_bytes(content)
    for path in (file, tmp_path):
        with pytest.raises(FormatError, match=r"is named \.gz, and is no packed file: damaged"):
            detect_format(path)


@pytest.mark.parametrize("content", [b"", CANARY.encode()])
def test_a_note_may_begin_as_a_packed_file_does(content: bytes, tmp_path: Path) -> None:
    note = tmp_path / "a.txt"
    note.write_bytes(bz2.compress(content))
    with pytest.raises(FormatError, match=r"is packed by bzip2, not text"):
        detect_format(note)
    note.write_bytes(b"BZh9 is by the ward.\0")
    with pytest.raises(FormatError, match="a NUL character"):
        detect_format(note)
    note.write_bytes(b"BZh9 is by the ward.")
    assert detect_format(note) == "text"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_with_a_name_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    with pytest.raises(InputError, match="is neither a file nor a folder"):
        detect_format(tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", ""), ("a.csv", ""), ("a.csv", "\n\n"), ("a.csv", "id,text\n"), ("a.tsv", ""),
        ("a.json", "[]"), ("a.conll", ""),
    ],
)  # fmt: skip
def test_a_file_may_hold_no_document(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    assert list(read_corpus(tmp_path)) == []


def test_texts_in_nested_folders_sorted_by_the_parts_of_their_paths(tmp_path: Path) -> None:
    names = ["b.txt", "a/2.txt", "a/10.TXT", "a-b/1.txt", "a.txt", ".git/x.txt", ".x.txt"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = list(read_corpus(tmp_path))
    assert [document.id for document in found] == ["a/10", "a/2", "a-b/1", "a", "b"]
    assert found[0].metadata["source.path"] == "a/10.TXT"


def test_bytes_of_plain_texts_come_back(tmp_path: Path) -> None:
    contents = [b"", b"\xef\xbb\xbfa\r\nb\rc\n\x01\xc2\x85", "e\u0301 \U0001d504\u2028".encode()]
    (tmp_path / "in" / "sub").mkdir(parents=True)
    for number, content in enumerate(contents):
        (tmp_path / "in" / "sub" / f"{number}.txt").write_bytes(content)
    write_corpus(read_corpus(tmp_path / "in", format="text"), tmp_path / "out", format="text")
    for number, content in enumerate(contents):
        assert (tmp_path / "out" / "sub" / f"{number}.txt").read_bytes() == content


def test_a_single_file_without_a_suffix_is_text(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("abc")
    (document,) = read_corpus(tmp_path / "note")
    assert (document.id, document.text) == ("note", "abc")
    write_corpus([document], tmp_path / "out", format="text")
    assert (tmp_path / "out" / "note.txt").exists()


def test_an_id_may_occur_once_over_all_inputs(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 1, "text": "x"}\n{"id": "1", "text": "y"}\n')
    with pytest.raises(FormatError, match=r"a\.jsonl: a second document with the id '1'"):
        list(read_corpus(tmp_path))
    for name in ("x", "y"):
        write_corpus([DOCUMENT], tmp_path / name, format="text")
    with pytest.raises(FormatError, match="a second document with the id 'a'"):
        list(read_corpora([tmp_path / "x", tmp_path / "y"]))


def test_several_inputs_of_several_formats(tmp_path: Path) -> None:
    write_corpus([DOCUMENT], tmp_path / "x", format="brat")
    write_corpus([Document("b", "x")], tmp_path / "y", format="jsonl")
    found = list(read_corpora([tmp_path / "y", tmp_path / "x" / "a.ann"]))
    assert [document.id for document in found] == ["b", "a"]


@pytest.fixture
def standard_input(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    given: list[bytes] = []

    class Stdin:
        @property
        def buffer(self) -> io.BufferedReader:
            return io.BufferedReader(io.BytesIO(given[0]))

    monkeypatch.setattr("sys.stdin", Stdin())
    return given


def test_standard_input(standard_input: list[bytes]) -> None:
    standard_input.append(b"\xef\xbb\xbfDr. Lee\r\n")
    (document,) = read_corpus("-")
    assert (document.id, document.text) == ("stdin", "\ufeffDr. Lee\r\n")
    assert document.metadata["source.path"] == "stdin"


@pytest.mark.parametrize(
    "name", [name for name in FREE if name not in ("parquet", "brat", "nursing", "text")]
)
def test_standard_input_of_any_format(
    name: str, standard_input: list[bytes], tmp_path: Path
) -> None:
    write_corpus([DOCUMENT], tmp_path, format=name)
    standard_input.append(next(tmp_path.iterdir()).read_bytes())
    (document,) = read_corpus("-", format=name)
    assert (document.text, document.spans) == (DOCUMENT.text, DOCUMENT.spans)


def test_wrong_bytes_on_standard_input(standard_input: list[bytes]) -> None:
    standard_input.append(b'{"text": "\xff"}')
    for name in ("text", "jsonl"):
        with pytest.raises(EncodingError, match=r"standard input.*: not utf-8 text"):
            list(read_corpus("-", format=name))


@pytest.mark.parametrize("name", ["jsonl", "doccano", "csv", "tsv", "conll", "nursing"])
def test_containers_stream(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first documents are there when only a part of the file has been read."""
    documents = [Document(f"d-{n}", "text " * 200) for n in range(2_000)]
    write_corpus(documents, tmp_path, format=name)
    path = next(p for p in tmp_path.iterdir() if not p.name.endswith(".phrase"))
    taken = SimpleNamespace(bytes=0)
    plain = Source.open

    def counting(self: Source) -> object:
        stream = plain(self)

        class Counting(io.BufferedReader):
            def read1(self, size: int = -1, /) -> bytes:
                data = super().read1(size)
                taken.bytes += len(data)
                return data

        class Manager:
            def __enter__(self) -> io.BufferedReader:
                return Counting(stream.__enter__().raw)  # type: ignore[attr-defined]

            def __exit__(self, *error: object) -> None:
                stream.__exit__(None, None, None)

        return Manager()

    monkeypatch.setattr(Source, "open", counting)
    found = list(itertools.islice(read_corpus(path, format=name), 5))
    assert [document.id for document in found] == [f"d-{n}" for n in range(5)]
    assert 0 < taken.bytes < path.stat().st_size / 10


def test_formats_without_a_place_for_spans() -> None:
    assert [name for name in FORMATS if not find_format(name).holds_spans] == [
        "fhir", "hl7", "text"
    ]  # fmt: skip


def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("x")

    def refuse(*arguments: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied")

    stream = read_corpus(tmp_path, format="text")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=r"a\.txt: cannot be read \(Permission denied\)"):
        list(stream)


def test_a_link_to_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Seen.")
    (tmp_path / "b.txt").symlink_to("gone.txt")
    with pytest.raises(InputError, match=r"b\.txt: is a link to nothing\. Remove the link"):
        list(read_corpus(tmp_path, format="text"))
    with pytest.raises(InputError, match="is a link to nothing"):
        input_state([str(tmp_path)])


def test_a_folder_of_archives_says_to_unpack_them(tmp_path: Path) -> None:
    (tmp_path / "letter.docx").write_bytes(b"PK\x03\x04")
    with pytest.raises(FormatError, match="no file of a known corpus format"):
        detect_format(tmp_path)
    (tmp_path / "notes.zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(FormatError, match=r"notes\.zip: is a ZIP archive.*Unpack it first"):
        detect_format(tmp_path)


@pytest.mark.parametrize("path", [None, 3, b"notes"])
def test_a_path_is_a_string_or_a_path(path: Any) -> None:
    with pytest.raises(InputError, match=r"a path is .*, and neither a string nor a Path"):
        read_corpus(path)
