"""The nursing-notes format: records between markers and a phrase file."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora import detect_format, read_corpus, write_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, LabelError, SpanError

CANARY = "Wilhelmina"
NOTES = """START_OF_RECORD=17||||3||||
Wilhelmina slept well.
Son Otto called.
||||END_OF_RECORD

START_OF_RECORD=17||||4||||
||||END_OF_RECORD

"""
PHRASES = "17 3 0 10 PTName Wilhelmina\n17 3 27 31 RelativeProxyName Otto\n"


def write(folder: Path, notes: str = NOTES, phrases: str | None = PHRASES) -> Path:
    (folder / "id.text").write_bytes(notes.encode())
    if phrases is not None:
        (folder / "id-phi.phrase").write_bytes(phrases.encode())
    return folder


def test_records_and_phrases(tmp_path: Path) -> None:
    write(tmp_path)
    assert detect_format(tmp_path) == "nursing"
    first, second = read_corpus(tmp_path)
    assert (first.id, second.id) == ("17-3", "17-4")
    assert first.text == "Wilhelmina slept well.\nSon Otto called."
    assert first.spans == (Span(0, 10, "PTName"), Span(27, 31, "RelativeProxyName"))
    assert (second.text, second.spans) == ("", ())


def test_bytes_come_back(tmp_path: Path) -> None:
    write(tmp_path, NOTES.replace("||||\n||||", "||||\n\n||||"))
    write_corpus(read_corpus(tmp_path), tmp_path / "out" / "x", format="nursing")
    for name in ("id.text", "id-phi.phrase"):
        assert (tmp_path / "out" / "x" / name).read_bytes() == (tmp_path / name).read_bytes()


def test_line_ends_of_windows_and_a_marker_behind_the_text(tmp_path: Path) -> None:
    write(
        tmp_path,
        "START_OF_RECORD=1||||2||||\r\na\r\nb\r\n||||END_OF_RECORD\r\n"
        "START_OF_RECORD=1||||3||||\na\r\n||||END_OF_RECORD\n"
        "START_OF_RECORD=1||||4||||\na||||END_OF_RECORD",
        None,
    )
    assert [d.text for d in read_corpus(tmp_path)] == ["a\r\nb", "a\r", "a"]


def test_a_phrase_file_of_another_name(tmp_path: Path) -> None:
    write(tmp_path, phrases=None)
    (tmp_path / "gold").write_text(PHRASES)
    first, _ = read_corpus(tmp_path, phrases=str(tmp_path / "gold"))
    assert len(first.spans) == 2


def test_ids_become_patient_and_note(tmp_path: Path) -> None:
    documents = [Document("ann-b-1", "x"), Document("otto", "y"), Document("-", "z")]
    write_corpus(documents, tmp_path, format="nursing")
    assert list(read_corpus(tmp_path)) == documents
    assert b"START_OF_RECORD=ann-b||||1||||" in (tmp_path / "documents.text").read_bytes()


@pytest.mark.parametrize("name", ["a b", "a|b", ""])
def test_ids_that_a_record_cannot_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"white space and `\|` cannot stand"):
        write_corpus([Document(name, "x")], tmp_path / "out", format="nursing")


@pytest.mark.parametrize("line", ["START_OF_RECORD=1", "x||||END_OF_RECORD", "||||END_OF_RECORD\r"])
def test_texts_that_look_like_markers(line: str, tmp_path: Path) -> None:
    document = Document("a", f"{CANARY}\n{line}\n")
    with pytest.raises(FormatError, match=r"offset 1\d: document 'a': a line .* looks") as caught:
        write_corpus([document], tmp_path / "out", format="nursing")
    assert CANARY not in str(caught.value)


def test_labels_with_spaces(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="'PT Name' has white space"):
        write_corpus([Document("a", "x", (Span(0, 1, "PT Name"),))], tmp_path, format="nursing")


BAD = {
    "begin": (f"{CANARY}\n{NOTES}", PHRASES, r"id\.text, line 1: expected START_OF_RECORD"),
    "header": (NOTES.replace("=17", f"={CANARY} x"), PHRASES, "line 1: expected START_OF_RECORD"),
    "no end": (NOTES.replace("||||END", "END", 1), PHRASES, r"id\.text, line 1: the record has no"),
    "cut off": (NOTES[:60], None, "line 1: the record has no"),
    "columns": (NOTES, f"17 3 {CANARY}\n", r"id-phi\.phrase, line 1: expected `patient note"),
    "numbers": (NOTES, f"17 3 0 x {CANARY}\n", "line 1: expected `patient note"),
    "phrase": (NOTES, f"17 3 1 11 PTName {CANARY}\n", r"line 1: the copy .*\[1, 11\) PTName"),
    "outside": (NOTES, f"\n17 3 1 99 PTName {CANARY}\n", r"line 2: the span \[1, 99\) PTName ends"),
    "record": (NOTES, f"18 3 1 11 PTName {CANARY}\n", "line 1: there is no record of patient 18"),
}


@pytest.mark.parametrize("case", BAD)
def test_broken_files(case: str, tmp_path: Path) -> None:
    notes, phrases, message = BAD[case]
    with pytest.raises((FormatError, SpanError), match=message) as caught:
        list(read_corpus(write(tmp_path, notes, phrases), format="nursing"))
    assert CANARY not in str(caught.value)
