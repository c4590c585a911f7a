"""Writing: whole or nothing, inside the output folder, apart from the input."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora import (
    FORMATS,
    annotation_free,
    find_format,
    open_writer,
    output_name,
    read_corpus,
    write_corpus,
)
from scrubjay.deidentifier import Deidentified, Failure
from scrubjay.document import Document, Span
from scrubjay.errors import (
    ConfigError,
    EncodingError,
    FileNameError,
    FormatError,
    InputError,
    OutputError,
)
from tests.formats import FREE

CANARY = "Wilhelmina"


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


@pytest.mark.parametrize("name", FREE)
def test_a_run_that_fails_leaves_nothing(name: str, tmp_path: Path) -> None:
    def breaking() -> Iterator[Document]:
        yield Document("a", "x", (Span(0, 1, "A"),))
        yield from (
            Document(f"b{number}", "y") for number in range(1_100 if name == "parquet" else 2)
        )
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_corpus(breaking(), tmp_path / "deep" / "out", format=name)
    assert not (tmp_path / "deep").exists()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "kept").write_text("x")
    with pytest.raises(KeyboardInterrupt):
        write_corpus(breaking(), tmp_path / "out", format=name)
    assert files(tmp_path) == ["out/kept"]


@pytest.mark.parametrize("name", [name for name in FREE if name != "jsonl"])
def test_a_document_that_cannot_be_written_is_left_out_alone(name: str, tmp_path: Path) -> None:
    """What a command that goes on after a failed document relies on."""
    good = [Document("a", "x"), Document("c", "z")]
    bad = Document("b", f"{CANARY}\ud800")
    with open_writer(tmp_path, format=name) as writer:
        writer.write(good[0])
        with pytest.raises((EncodingError, FormatError), match=r"'b'.*") as caught:
            writer.write(bad)
        writer.write(good[1])
    assert CANARY not in str(caught.value)
    assert list(read_corpus(tmp_path, format=name)) == good


def test_a_first_document_that_fails_does_not_shape_a_table(tmp_path: Path) -> None:
    late = Document("b", "y", (Span(0, 1, "A"),))
    early = Document("a", "x", (), {"columns": {"n": "\ud800"}})
    for name in ("csv", "parquet"):
        with open_writer(tmp_path / name, format=name) as writer:
            with pytest.raises((EncodingError, FormatError)):
                writer.write(early)
            writer.write(late)
        assert list(read_corpus(tmp_path / name)) == [late]


@pytest.mark.parametrize("name", FREE)
def test_ids_occur_once(name: str, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="a second document with the id 'a'"):
        write_corpus([Document("a", "x"), Document("a", "y")], tmp_path / "o", format=name)
    assert not (tmp_path / "o").exists()


def test_two_ids_for_one_file(tmp_path: Path) -> None:
    origin = {"source.format": "text", "source.path": "a:b.txt"}
    documents = [Document("a:b", "x", (), origin), Document("a%3Ab", "y"), Document("", "x")]
    with pytest.raises(OutputError, match="two documents would go to one file"):
        write_corpus([*documents, Document("%", "z")], tmp_path / "o", format="text")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("note", "note.txt"),
        ("ward 7/note", "ward 7/note.txt"),
        ("../../etc/passwd", "%2E./%2E./etc/passwd.txt"),
        ("/etc/passwd", "%/etc/passwd.txt"),
        ("a/./b", "a/%2E/b.txt"),
        ("..", "%2E..txt"),
        (".hidden", "%2Ehidden.txt"),
        ("C:\\a\\b", "C%3A%5Ca%5Cb.txt"),
        ("a\0b\nc", "a%00b%0Ac.txt"),
        ("100%25", "100%2525.txt"),
        ("50% off", "50% off.txt"),
        ("", "%.txt"),
    ],
)
def test_no_id_leads_out_of_the_folder(name: str, path: str, tmp_path: Path) -> None:
    assert output_name(Document(name, "x"), format="text") == path
    write_corpus([Document(name, "x")], tmp_path / "out", format="text")
    assert files(tmp_path) == [f"out/{path}"]
    assert len(list(read_corpus(tmp_path / "out"))) == 1


@settings(max_examples=100)
@given(st.text(st.sampled_from("./\\%~:\0aé25C"), max_size=8))
def test_paths_stay_inside_and_differ(name: str) -> None:
    parts = output_name(Document(name, "x"), format="text").split("/")
    assert all(part and not part.startswith(".") and "\\" not in part for part in parts)


def test_hostile_origins_do_not_matter(tmp_path: Path) -> None:
    origin = {"source.format": "text", "source.path": "../../a.txt"}
    assert output_name(Document("a", "x", (), origin), format="text") == "a.txt"
    container = {"source.format": "csv", "source.path": "../x/notes.csv"}
    assert output_name(Document("a", "x", (), container), format="csv") == "%2E./x/notes.csv"
    odd = {"source.format": "docx", "source.path": 3}
    assert output_name(Document("a", "x", (), odd), format="text") == "a.txt"


def test_names_of_containers(tmp_path: Path) -> None:
    for name in ("north/1.csv", "south/2.csv"):
        (tmp_path / "in" / name).parent.mkdir(parents=True)
        (tmp_path / "in" / name).write_text("text\nx\n")
    write_corpus(read_corpus(tmp_path / "in"), tmp_path / "same", format="csv")
    assert files(tmp_path / "same") == ["north/1.csv", "south/2.csv"]
    write_corpus(read_corpus(tmp_path / "in"), tmp_path / "lines", format="jsonl")
    assert files(tmp_path / "lines") == ["north/1.jsonl", "south/2.jsonl"]
    write_corpus(read_corpus(tmp_path / "in"), tmp_path / "texts", format="text")
    assert files(tmp_path / "texts") == ["north/1-1.txt", "south/2-1.txt"]
    write_corpus(read_corpus(tmp_path / "texts"), tmp_path / "one", format="jsonl", name="all")
    assert files(tmp_path / "one") == ["all.jsonl"]


def test_a_container_may_be_one_file(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("text\nx\n")
    documents = read_corpus(tmp_path / "in.csv")
    write_corpus(documents, tmp_path / "notes.jsonl", format="jsonl", inputs=[tmp_path / "in.csv"])
    assert files(tmp_path) == ["in.csv", "notes.jsonl"]
    with pytest.raises(OutputError, match="would replace an input file"):
        write_corpus([], tmp_path / "in.csv", format="csv", inputs=[tmp_path / "in.csv"])
    assert (tmp_path / "in.csv").read_text() == "text\nx\n"


def test_documents_of_one_container_must_come_together(tmp_path: Path) -> None:
    def made(name: str, path: str) -> Document:
        return Document(name, "x", (), {"source.format": "csv", "source.path": path})

    documents = [made("1", "a.csv"), made("2", "b.csv"), made("3", "a.csv")]
    with pytest.raises(OutputError, match=r"a\.csv: the documents of a container must come"):
        write_corpus(documents, tmp_path / "out", format="csv")


@pytest.mark.parametrize("inside", ["", "sub", "sub/deep"])
def test_the_output_is_apart_from_the_input(inside: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("x")
    out = tmp_path / "in" / inside
    for inputs in ([tmp_path / "in"], [tmp_path / "other", tmp_path / "x" / ".." / "in"]):
        with pytest.raises(OutputError, match="the folder of the input"):
            write_corpus([], out, format="text", inputs=inputs)
    assert files(tmp_path) == ["in/a.txt"]


def test_links_to_the_input_are_seen_through(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "in")
    with pytest.raises(OutputError, match="the folder of the input"):
        write_corpus([], tmp_path / "link", format="text", inputs=[tmp_path / "in"])


def test_the_folder_of_an_input_file_is_taken_and_its_subfolders_are_free(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(OutputError, match="is the folder of the input"):
        write_corpus([], tmp_path, format="text", inputs=[tmp_path / "a.txt"])
    write_corpus(
        [Document("a", "y")], tmp_path / "out", format="text", inputs=[tmp_path / "a.txt", "-"]
    )
    assert files(tmp_path) == ["a.txt", "out/a.txt"]


def test_a_file_of_an_input_below_the_output_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("x")
    documents = [Document("0", "z"), Document("in/a", "y")]
    with pytest.raises(OutputError, match="would replace an input file"):
        write_corpus(documents, tmp_path, format="text", inputs=[tmp_path / "in"])
    assert files(tmp_path) == ["in/a.txt"]
    assert (tmp_path / "in" / "a.txt").read_text() == "x"


def test_a_folder_where_a_file_should_go(tmp_path: Path) -> None:
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(OutputError, match=r"a\.txt: exists already"):
        write_corpus([Document("0", "z"), Document("a", "y")], tmp_path, format="text")
    assert files(tmp_path) == []


def test_an_output_that_cannot_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for target in (tmp_path / "file", tmp_path / "file" / "sub"):
        with pytest.raises(OutputError, match=r"is not a folder|cannot be written"):
            write_corpus([Document("a", "x")], target, format="text")
    with pytest.raises(FileNameError, match="an id of 304 characters, too long"):
        write_corpus([Document("a" * 300, "x")], tmp_path / "out", format="text")
    assert files(tmp_path) == ["file"]


@pytest.mark.parametrize("name", ["text", "jsonl"])
def test_an_unwritable_folder(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **named: Any) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    with pytest.raises(OutputError, match=r"out: cannot be written \(Permission denied\)"):
        write_corpus([Document("a", "x")], tmp_path / "out", format=name)
    assert not (tmp_path / "out").exists()


def test_files_that_exist(tmp_path: Path) -> None:
    write_corpus([Document("a", "old")], tmp_path, format="text")
    with pytest.raises(OutputError, match=r"a\.txt: exists already"):
        write_corpus(
            [Document("0", "x"), Document("a", "new")], tmp_path, format="text", existing="error"
        )
    assert files(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"
    write_corpus([Document("a", "new")], tmp_path, format="text")
    assert (tmp_path / "a.txt").read_text() == "new"


def test_documents_can_appear_one_by_one(tmp_path: Path) -> None:
    with open_writer(tmp_path, format="brat", publish="each") as writer:
        assert writer.write(Document("a", "x")) == "a.txt"
        assert set(files(tmp_path)) >= {"a.ann", "a.txt"}
        writer.write(Document("b", "x"))
    assert files(tmp_path) == ["a.ann", "a.txt", "b.ann", "b.txt"]


def test_settings_are_named_policies(tmp_path: Path) -> None:
    for setting in ({"existing": "append"}, {"publish": "now"}):
        with pytest.raises(ConfigError, match="Known"):
            write_corpus([], tmp_path, format="text", **setting)


def test_no_documents(tmp_path: Path) -> None:
    for name in FORMATS:
        assert write_corpus([], tmp_path / name, format=name) == 0
        if find_format(name).is_container:
            assert list(read_corpus(tmp_path / name, format=name)) == []
        else:
            assert not (tmp_path / name).exists()


def test_metadata_about_the_old_text_can_be_dropped(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(CANARY)
    (tmp_path / "a.ann").write_text(f"T3\tPATIENT 0 10\t{CANARY}\n#1\tNote T3\t{CANARY}!\n")
    (document,) = read_corpus(tmp_path)
    assert CANARY in str(document.metadata)
    kept = annotation_free(document.metadata)
    assert kept == {"source.path": "a.txt", "source.format": "brat"}


def test_what_is_no_document_is_not_written(tmp_path: Path) -> None:
    result: Any
    with open_writer(tmp_path, format="jsonl") as writer:
        for result in (Failure("a", "detect", "X"), Deidentified(Document("a", "x"), ()), CANARY):
            with pytest.raises(InputError, match="stands where a document is to stand") as caught:
                writer.write(result)
            assert CANARY not in str(caught.value)
        writer.write(Document("a", "x"))
    assert [document.text for document in read_corpus(tmp_path)] == ["x"]
