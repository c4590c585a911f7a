"""`scrubjay convert` from the command line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scrubjay.cli import main as cli
from scrubjay.corpora import read_corpus
from tests.cli.conftest import Refusal

CANARY = "Wilhelmina"


def test_a_corpus_in_another_format(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = fixtures / "en-notes" / "brat"
    assert cli.run(["convert", str(source), "--to", "i2b2", "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "3 documents, 79 spans, 19 labels" in shown.err
    assert list(read_corpus(tmp_path / "out")) == list(read_corpus(source))


def test_labels_and_options(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["convert", str(fixtures / "en-notes" / "brat"), "--to", "conll"]
    call += ["--out", str(tmp_path / "a.conll"), "--label-map", "i2b2-2014:hipaa"]
    assert cli.run(call) == 2
    assert "has no counterpart" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    call += ["--unmapped", "drop", "--out-option", "scheme=BIOEU"]
    assert cli.run(call) == 0
    assert "outside the label map" in capsys.readouterr().err
    assert "\tU-" in (tmp_path / "a.conll").read_text(encoding="utf-8")


def test_fragments_and_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "brat").mkdir()
    (tmp_path / "brat" / "a.txt").write_text("one two three")
    (tmp_path / "brat" / "a.ann").write_text("T1\tDATE 0 3;8 13\tone three\n")
    call = ["convert", str(tmp_path / "brat"), "--to", "csv", "--out", str(tmp_path / "out")]
    assert cli.run(call) == 2
    assert "2 fragments" in capsys.readouterr().err
    assert cli.run([*call, "--fragments", "cover", "--out-option", "text-column=note"]) == 0
    call = ["convert", str(tmp_path / "out"), "--to", "text", "--out", str(tmp_path / "texts")]
    assert cli.run([*call, "--text-column", "note", "--id-column", "id"]) == 0
    assert "1 span left out: text has no place for spans" in capsys.readouterr().err
    assert (tmp_path / "texts" / "a.txt").read_text() == "one two three"


def test_one_document_is_no_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.inline").write_text(f"<PATIENT>{CANARY}</PATIENT> came")
    call = ["convert", str(tmp_path / "a.inline"), "--to", "jsonl", "--out", str(tmp_path / "o")]
    assert cli.run(call) == 0
    assert "1 document, 1 span, 1 label ->" in capsys.readouterr().err


@pytest.mark.parametrize(("given", "modes"), [([], (0o600, 0o700)), (["umask"], (0o640, 0o750))])
def test_what_is_written_is_its_owner_s_alone(
    given: list[str], modes: tuple[int, int], tmp_path: Path
) -> None:
    notes, out, parts = tmp_path / "notes", tmp_path / "o", tmp_path / "p"
    notes.mkdir()
    (notes / "a.inline").write_text(f"<PATIENT>{CANARY}</PATIENT> came")
    (notes / "b.inline").write_text("nobody came")
    option = [f"--permissions={each}" for each in given]
    before = os.umask(0o027)
    try:
        call = ["convert", str(notes), "--to", "brat", "--out", str(out)]
        assert cli.run([*call, *option]) == 0
        call = ["corpus", "split", str(notes), "--format", "inline", "--by", "document"]
        assert cli.run([*call, "--parts", "a=0.5,b=0.5", "--out", str(parts), *option]) == 0
    finally:
        os.umask(before)
    found = {each.is_dir(): each.stat().st_mode & 0o777 for each in (out, *out.rglob("*"))}
    assert found == {False: modes[0], True: modes[1]}
    split = {(each.is_dir(), each.stat().st_mode & 0o777) for each in (parts, *parts.rglob("*"))}
    assert split == {(False, modes[0]), (True, modes[1])}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope", "--to", "brat", "--out", "o"], "no such file or folder"),
        (["notes", "--to", "docx", "--out", "o"], "unknown format 'docx'"),
        (["notes", "--to", "i2b2", "--out", "notes"], "the output folder is the folder of the in"),
        (["notes", "--to", "i2b2", "--out", "notes/o"], "the output folder is inside the folder"),
        (["notes", "--to", "i2b2", "--out", "o", "--from", "csv"], "no file of the format 'csv'"),
        (["notes", "--to", "i2b2", "--out", "o", "--option", "x"], "must read NAME=VALUE"),
        (["notes", "--to", "i2b2", "--out", "o", "--option", "x=1"], "has no option 'x'"),
        (["latin", "--to", "i2b2", "--out", "o"], "byte 2: not utf-8 text"),
        (["notes/a.txt", "--to", "i2b2", "--out", "notes/a.txt/o"], "cannot be written"),
    ],
)
def test_bad_calls_and_bad_input_end_with_code_2(
    arguments: list[str], message: str, tmp_path: Path, refusal: Refusal
) -> None:
    for name in ("notes", "latin"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_bytes(CANARY.encode())
    (tmp_path / "latin" / "a.txt").write_bytes(b"Pe\xf1a " + CANARY.encode())
    shown = refusal("convert", *arguments)
    assert message in shown
    assert CANARY not in shown


def test_documents_do_not_go_to_the_screen(fixtures: Path, refusal: Refusal) -> None:
    source = str(fixtures / "en-notes" / "brat")
    shown = refusal("convert", source, "--to", "jsonl", "--out", "-")
    assert "documents cannot go to the screen" in shown


def test_tags_that_nobody_read_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("Seen on <DATE>3/4</DATE>.", encoding="utf-8")
    call = ["convert", str(notes), "--to", "brat", "--out"]
    assert cli.run([*call, str(tmp_path / "one")]) == 0
    assert "give --from inline" in capsys.readouterr().err
    assert cli.run([*call, str(tmp_path / "two"), "--from", "inline"]) == 0
    told = capsys.readouterr().err
    assert "--from inline" not in told
    assert "1 span" in told
