"""brat: fragments by policy, other lines kept, pairs of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, EncodingError, FormatError, InputError, SpanError

TEXT = "Anna Maria met Dr. Lee on 3 May\nand 4 May."
CANARY = "Maria"
LINES = """T2\tDOCTOR 19 22\tLee
T1\tPATIENT 0 10\tAnna Maria
#1\tAnnotatorNotes T1\tboth names
A1\tCertain T2
R1\tTreats Arg1:T2 Arg2:T1
E1\tDOCTOR:T2 Who:T1
N1\tReference T1 Wiki:1\tAnna
*\tEquiv T1 T2
"""


def write(folder: Path, lines: str, text: str = TEXT) -> Path:
    (folder / "a.txt").write_bytes(text.encode())
    (folder / "a.ann").write_bytes(lines.encode())
    return folder


def read_one(folder: Path, **options: str) -> Document:
    (document,) = read_corpus(folder, **options)
    return document


def rewritten(document: Document, folder: Path) -> str:
    write_corpus([document], folder / "out", format="brat")
    return (folder / "out" / "a.ann").read_bytes().decode()


def test_every_line_survives(tmp_path: Path) -> None:
    document = read_one(write(tmp_path, LINES))
    assert document.spans == (Span(0, 10, "PATIENT"), Span(19, 22, "DOCTOR"))
    assert rewritten(document, tmp_path) == LINES


def test_the_metadata_hold_no_copies_of_mentions(tmp_path: Path) -> None:
    document = read_one(write(tmp_path, LINES))
    assert CANARY not in str(document.metadata)


def test_plain_lines_leave_no_metadata(tmp_path: Path) -> None:
    document = read_one(write(tmp_path, "T1\tPATIENT 0 10\tAnna Maria\n"))
    assert "brat.lines" not in document.metadata


def test_lines_go_with_the_span_that_they_speak_of(tmp_path: Path) -> None:
    document = read_one(write(tmp_path, LINES + "#2\tAnnotatorNotes R1\twhy\n"))
    kept = document.with_spans([Span(19, 22, "DOCTOR"), Span(26, 31, "DATE")])
    assert rewritten(kept, tmp_path) == (
        "T2\tDOCTOR 19 22\tLee\nA1\tCertain T2\nT3\tDATE 26 31\t3 May\n"
    )


FRAGMENTS = "T1\tDATE 26 31;36 41\t3 May 4 May\n"


@pytest.mark.parametrize(
    ("policy", "spans"),
    [
        ("cover", (Span(26, 41, "DATE"),)),
        ("split", (Span(26, 31, "DATE"), Span(36, 41, "DATE"))),
    ],
)
def test_fragments_by_policy(policy: str, spans: tuple[Span, ...], tmp_path: Path) -> None:
    document = read_one(write(tmp_path, FRAGMENTS), fragments=policy)
    assert document.spans == spans
    assert rewritten(document, tmp_path) == FRAGMENTS


def test_fragments_are_an_error_by_default(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a\.ann, line 1, T1: 2 fragments.*cover .*split"):
        read_one(write(tmp_path, FRAGMENTS))
    with pytest.raises(ConfigError, match="error, cover, split"):
        read_one(tmp_path, fragments="drop")


def test_fragments_about_a_line_end_are_one_span(tmp_path: Path) -> None:
    lines = "T1\tDATE 26 31;32 35\t3 May and\n"
    document = read_one(write(tmp_path, lines))
    assert document.spans == (Span(26, 35, "DATE"),)
    assert rewritten(document, tmp_path) == lines


def test_a_missing_copy_and_line_ends_of_windows(tmp_path: Path) -> None:
    document = read_one(write(tmp_path, "T1\tDATE 26 31\r\n\r\nT2\tDOCTOR 19 22\tLee\r\n"))
    assert document.spans == (Span(19, 22, "DOCTOR"), Span(26, 31, "DATE"))


def test_offsets_count_the_byte_order_mark_and_code_points(tmp_path: Path) -> None:
    lines = "T1\tPATIENT 4 8\tAnna\n"
    document = read_one(write(tmp_path, lines, "\ufeff\U0001d504\r\nAnna"))
    assert document.text == "\ufeff\U0001d504\r\nAnna"
    assert document.spans == (Span(4, 8, "PATIENT"),)


def test_a_text_without_annotations_and_nested_folders(tmp_path: Path) -> None:
    for name in ("b/1", "a", "b-c"):
        path = tmp_path / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    (tmp_path / "a.ann").write_text("T1\tDATE 0 1\tx\n")
    (tmp_path / ".hidden.txt").write_text("x")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "b.txt").write_text("x")
    found = list(read_corpus(tmp_path))
    assert [document.id for document in found] == ["a", "b/1", "b-c"]
    assert [len(document.spans) for document in found] == [1, 0, 0]
    write_corpus(found, tmp_path / "out" / "deep", format="brat")
    assert (tmp_path / "out" / "deep" / "b" / "1.ann").read_bytes() == b""


def test_either_file_of_a_pair_can_be_given(tmp_path: Path) -> None:
    write(tmp_path, LINES)
    for name in ("a.txt", "a.ann"):
        assert read_one(tmp_path / name).spans


BAD = {
    "tag": (f"T1\tDATE {CANARY}\n", "line 1: a T line must read"),
    "columns": (f"T1 DATE 0 1 {CANARY}\n", "line 1: a T line must read"),
    "kind": (f"{CANARY}\n", "line 1: not a line"),
    "twice": ("T1\tDATE 0 4\tAnna\nT1\tDATE 0 4\tAnna\n", "line 2: the id T1 twice"),
    "copy": (f"T1\tDATE 0 4\t{CANARY}\n", r"line 1, T1: .*\[0, 4\) DATE differs"),
    "outside": ("\nT1\tDATE 40 99\tx\n", r"line 2, T1: the span \[40, 99\) DATE ends beyond"),
    "empty": ("T1\tDATE 4 4\t\n", r"line 1, T1: the span \[4, 4\) DATE is empty"),
    "reversed": ("T1\tDATE 4 2\tx\n", r"line 1, T1: the span \[4, 2\)"),
}


@pytest.mark.parametrize("case", BAD)
def test_broken_lines_name_file_line_and_id(case: str, tmp_path: Path) -> None:
    lines, message = BAD[case]
    with pytest.raises((FormatError, SpanError), match=message) as caught:
        read_one(write(tmp_path, lines))
    assert "a.ann" in str(caught.value)
    assert CANARY not in str(caught.value)


def test_a_copy_that_differs_can_be_ignored(tmp_path: Path) -> None:
    document = read_one(write(tmp_path, BAD["copy"][0]), text_check="ignore")
    assert document.spans == (Span(0, 4, "DATE"),)


def test_annotations_without_a_text(tmp_path: Path) -> None:
    write(tmp_path, "")
    (tmp_path / "b.ann").write_text("")
    with pytest.raises(FormatError, match=r"b\.ann: there is no \.txt"):
        list(read_corpus(tmp_path))
    (tmp_path / "a.txt").unlink()
    with pytest.raises(InputError, match=r"a\.txt: cannot be read"):
        list(read_corpus(tmp_path / "a.ann"))


@pytest.mark.parametrize("name", ["a.txt", "a.ann"])
def test_wrong_encodings_name_the_byte(name: str, tmp_path: Path) -> None:
    write(tmp_path, LINES)
    (tmp_path / name).write_bytes(b"T1\tDATE \xe9")
    with pytest.raises(EncodingError, match=rf"{name}, byte 8: not utf-8 text"):
        read_one(tmp_path)


def test_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Peña".encode("latin-1"))
    (tmp_path / "a.ann").write_bytes("T1\tPATIENT 0 4\tPeña\n".encode("latin-1"))
    document = read_one(tmp_path, encoding="latin-1")
    assert document.text == "Peña"
    write_corpus([document], tmp_path / "out" / "x", format="brat", encoding="latin-1")
    assert (tmp_path / "out" / "x" / "a.ann").read_bytes() == (tmp_path / "a.ann").read_bytes()
