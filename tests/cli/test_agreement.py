"""`scrubjay agreement` and `scrubjay adjudicate`: screen, files, round trips, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.analysis._sheets import read_sheet, write_sheet
from scrubjay.cli.main import run
from scrubjay.corpora import read_corpus
from tests.cli.conftest import Refusal
from tests.cli.test_evaluate import write_brat

CANARY = "Wilhelmina"
TEXT = f"Seen by {CANARY} Lee on 03/04/2019 in Rome. {CANARY} Lee left."
FIRST = ("DOCTOR 8 22", "DATE 26 36")
SECOND = ("PATIENT 8 18", "DATE 26 36", "CITY 40 44")


@pytest.fixture
def annotators(tmp_path: Path) -> tuple[str, str]:
    """Return the paths of two annotators: one date agreed, one name and one city not."""
    first, second = tmp_path / "ann", tmp_path / "bob"
    for folder, spans in ((first, FIRST), (second, SECOND)):
        write_brat(folder, "a", TEXT, *spans)
        write_brat(folder, "b", "Nothing here.")
    return str(first), str(second)


def spans_of(folder: str | Path) -> dict[str, list[str]]:
    return {
        one.id: [f"{span.label} {span.start} {span.end}" for span in one.spans]
        for one in read_corpus(folder)
    }


def test_tables_are_tab_separated_away_from_a_terminal(
    annotators: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["agreement", *annotators]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[0] == "# Annotators of 2 documents"
    assert "ann\t2\t0" in lines
    assert "# ann and bob, 2 documents" in lines
    assert "DATE\t1\t1\t1\t1.0000\t1.0000\t1.0000\t1.0000" in lines
    assert any(line.startswith("all labels\t2\t3\t1\t0.4000\t0.4000\t0.4000") for line in lines)
    assert any(line.startswith("any label\t2\t3\t1\t0.4000\t0.4000\t0.8000") for line in lines)
    assert "label and extent\t1" in lines
    assert "missing\t1" in lines
    assert CANARY not in shown.out + shown.err


def test_json_html_and_consistency_hold_text_only_where_it_is_asked_for(
    annotators: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures, page = tmp_path / "agreement.json", tmp_path / "agreement.html"
    call = ["agreement", *annotators, "--json", str(figures), "--html", str(page)]
    assert run([*call, "--consistency", "--unpaired", "skip"]) == 0
    assert CANARY not in capsys.readouterr().out
    for file in (figures, page):
        assert CANARY not in file.read_text("utf-8")
    found = json.loads(figures.read_text("utf-8"))
    assert found["disagreements"] == {"label and extent": 1, "missing": 1}
    assert found["cases"][0]["shape"] == "Aaaaaaaaaa Aaa"
    assert found["consistency"]["ann"]["unmarked"][0]["unmarked"] == 1
    assert run([*call, "--consistency", "--show-text"]) == 0
    assert f"{CANARY} Lee\tDOCTOR 1\ta 46-60\t1\t1\t0\t1" in capsys.readouterr().out
    for file in (figures, page):
        assert CANARY in file.read_text("utf-8")


def test_three_annotators_have_means_and_fleiss(
    annotators: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    third = tmp_path / "ann2" / "bob"
    third.parent.mkdir()
    write_brat(third, "a", TEXT, *FIRST)
    write_brat(third, "b", "Nothing here.")
    page = tmp_path / "page.html"
    assert run(["agreement", *annotators, str(third), "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "# Mean of all pairs" in shown
    assert "Fleiss, 2 documents\t" in shown
    assert f"# ann and {third}, 2 documents" in shown
    assert "Fleiss" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tokenizer", "words"], "unknown tokenizer 'words'"),
        (["--unpaired", "drop"], "unknown policy for unpaired documents 'drop'"),
        (["--label-set", "meddocan"], "has no label 'DOCTOR'"),
        (["--label-map", "meddocan"], "not a label map: 'meddocan'"),
        (["--json", "nowhere/x.json"], "its folder does not exist"),
        (["--html", "."], "is a folder"),
        (["--format", "docx"], "docx"),
    ],
)
def test_bad_options_end_with_code_2_and_write_nothing(
    annotators: tuple[str, str], refusal: Refusal, options: list[str], message: str
) -> None:
    assert message in refusal("agreement", *annotators, *options)


@pytest.mark.parametrize("command", ["agreement", "adjudicate"])
def test_too_few_annotators_and_one_given_twice(
    annotators: tuple[str, str],
    tmp_path: Path,
    command: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = [] if command == "agreement" else ["--worksheet", str(tmp_path / "s.csv")]
    assert run([command, annotators[0], *options]) == 2
    assert "at least two annotators, not 1" in capsys.readouterr().err
    again = str(Path(annotators[0]) / ".." / "ann")
    assert run([command, *annotators, again, *options]) == 2
    assert "this annotator is given twice" in capsys.readouterr().err


def test_texts_that_differ_and_documents_that_are_missing(
    annotators: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    write_brat(Path(annotators[1]), "b", "Nothing there.")
    assert run(["agreement", *annotators]) == 2
    message = capsys.readouterr().err
    assert (
        "document 'b': the texts of 'ann' (13 characters) and 'bob' (14) differ from offset 8"
        in (message)
    )
    assert "Nothing" not in message
    write_brat(Path(annotators[1]), "b", "Nothing here.")
    write_brat(Path(annotators[1]), "c", "More.")
    assert run(["agreement", *annotators]) == 2
    assert "document 'c' of 'bob' is missing from 'ann'" in capsys.readouterr().err
    assert run(["agreement", *annotators, "--unpaired", "skip"]) == 0
    assert "bob\t3\t1" in capsys.readouterr().out.splitlines()


def fill(path: Path, **cells: str) -> None:
    rows = read_sheet(path, ("case",))
    write_sheet(path, tuple(rows[0].cells), [{**row.cells, **cells} for row in rows])


@pytest.mark.parametrize(("letter", "number"), [("A", 0), ("B", 1)])
def test_a_worksheet_filled_for_one_annotator_gives_his_corpus(
    annotators: tuple[str, str],
    tmp_path: Path,
    letter: str,
    number: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sheet, out = tmp_path / "sheet.csv", tmp_path / "final"
    assert run(["adjudicate", *annotators, "--worksheet", str(sheet)]) == 0
    assert "2 disagreements" in capsys.readouterr().err
    assert CANARY not in sheet.read_text("utf-8")
    fill(sheet, decision=letter)
    call = ["adjudicate", *annotators, "--decisions", str(sheet), "--out", str(out)]
    assert run(call) == 0
    assert f"2 documents, 2 decisions ({letter} 2)" in capsys.readouterr().err
    assert spans_of(out) == spans_of(annotators[number])
    chosen = Path(annotators[number])
    assert {f.name: f.read_bytes() for f in out.iterdir()} == {
        f.name: f.read_bytes() for f in chosen.iterdir()
    }


def test_the_corpus_can_be_written_in_another_format(
    annotators: tuple[str, str], tmp_path: Path
) -> None:
    sheet, out = tmp_path / "sheet.jsonl", tmp_path / "final"
    call = ["adjudicate", *annotators]
    assert run([*call, "--worksheet", str(sheet), "--show-text"]) == 0
    assert CANARY in sheet.read_text("utf-8")
    fill(sheet, decision="B")
    options = ["--decisions", str(sheet), "--out", str(out), "--format", "jsonl"]
    assert run([*call, *options]) == 0
    assert [file.name for file in out.iterdir()] == ["documents.jsonl"]
    assert spans_of(out) == spans_of(annotators[1])


def test_what_is_not_decided_writes_nothing(
    annotators: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, out = tmp_path / "sheet.csv", tmp_path / "final"
    options = ["--worksheet", str(sheet), "--prefill", "risk-averse"]
    assert run(["adjudicate", *annotators, *options]) == 0
    call = ["adjudicate", *annotators, "--decisions", str(sheet), "--out", str(out)]
    assert run(call) == 2
    assert "sheet.csv, line 2: no decision; so have 1 of 2 cases" in capsys.readouterr().err
    fill(sheet, decision="own", spans="8-18 DOCTOR")
    assert run(call) == 2
    assert "line 3: " in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "either a worksheet is written or decisions are read"),
        (["--worksheet", "s.csv", "--decisions", "s.csv"], "either a worksheet"),
        (["--decisions", "s.csv"], "Name it with --out DIR"),
        (["--decisions", "s.csv", "--out", "final"], "s.csv: cannot be read"),
        (["--worksheet", "s.xlsx"], "must end in .csv or .jsonl"),
        (["--worksheet", "s.csv", "--prefill", "all"], "unknown prefill 'all'"),
        (["--worksheet", "old.csv"], "decisions in it would be lost"),
        (["--worksheet", "ann/s.csv"], "is part of the input"),
        (["--worksheet", "s.csv", "--label-set", "hipaa"], "has no label 'DOCTOR'"),
    ],
)
def test_bad_calls_end_with_code_2(
    annotators: tuple[str, str],
    tmp_path: Path,
    refusal: Refusal,
    options: list[str],
    message: str,
) -> None:
    (tmp_path / "old.csv").write_text("filled", "utf-8")
    assert message in refusal("adjudicate", *annotators, *options)


def test_decisions_are_not_lost_in_a_format_without_spans(
    annotators: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, out = tmp_path / "sheet.csv", tmp_path / "final"
    call = ["adjudicate", *annotators]
    assert run([*call, "--worksheet", str(sheet)]) == 0
    fill(sheet, decision="B")
    call += ["--decisions", str(sheet), "--out", str(out)]
    assert run([*call, "--format", "text"]) == 2
    assert "'text' holds no spans" in capsys.readouterr().err
    assert not out.exists()
    assert run(call) == 0
    assert run(call) == 2
    assert "exist" in capsys.readouterr().err


def test_adjudication_does_not_advise_to_skip(
    annotators: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_brat(Path(annotators[0]), "c", "More.")
    assert run(["adjudicate", *annotators, "--worksheet", str(tmp_path / "s.csv")]) == 2
    told = capsys.readouterr().err
    assert "is missing from" in told
    assert "--unpaired" not in told
