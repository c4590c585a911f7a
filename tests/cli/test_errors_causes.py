"""`scrubjay errors` with training, tokens and worksheets: screen, JSON, HTML, and bad input."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from scrubjay.cli.main import run
from tests.cli.test_evaluate import CANARY, write_brat

TEXT = f"Seen by {CANARY} Lee aged 71 on 2016/2017"


@pytest.fixture
def corpora(tmp_path: Path) -> list[str]:
    """Return gold and predicted: two years of one token taken for one date, an age missed."""
    gold, predicted, train = tmp_path / "gold", tmp_path / "predicted", tmp_path / "train"
    write_brat(gold, "1", TEXT, "DOCTOR 8 22", "AGE 28 30", "DATE 34 38", "DATE 39 43")
    write_brat(predicted, "1", TEXT, "DOCTOR 8 22", "DATE 34 43")
    write_brat(train, "a", f"{CANARY} LEE, 70", "DOCTOR 0 14", "AGE 16 18")
    write_brat(train, "b", f"{CANARY.upper()}  Lee", "DOCTOR 0 15")
    return [str(gold), str(predicted)]


def test_recall_by_training_and_errors_of_tokens_are_shown(
    corpora: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train = str(tmp_path / "train")
    assert run(["errors", *corpora, "--train", train, "--tokenizer", "whitespace"]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert "DOCTOR\t1\t1.0000\t1.0000\t0\t-\t-" in lines
    assert "all\t1\t1.0000\t1.0000\t3\t0.0000\t0.6667" in lines
    assert "2\t1\t1.0000\t1.0000" in lines
    assert "# Gold spans on the tokens of whitespace" in lines
    assert "DATE\t2\t0\t2\t0\t0\t0" in lines
    assert "all\t3\t2\t0\t1\t1\t1\t0" in lines
    assert CANARY.casefold() not in (shown.out + shown.err).casefold()


def test_json_and_html_hold_what_was_asked_for(
    corpora: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--train", str(tmp_path / "train"), "--strings", "exact", "--model", "en"]
    html = tmp_path / "errors.html"
    assert run(["errors", *corpora, *options, "--json", "-", "--html", str(html)]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["familiarity"]["normalisation"] == "exact"
    assert figures["familiarity"]["labels"][-1]["levels"]["same-label"]["gold"] == 0
    assert figures["tokenization"]["tokenizers"] == ["subword"]
    assert "judged" not in figures
    page = html.read_text("utf-8")
    assert "Seen in training" in page
    assert "Tokenization" in page
    assert CANARY not in page + json.dumps(figures)
    assert run(["errors", *corpora, "--json", "-"]) == 0
    assert {"familiarity", "tokenization", "judged"}.isdisjoint(json.loads(capsys.readouterr().out))


def test_a_worksheet_is_written_filled_and_counted(
    corpora: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "errors.csv"
    options = ["--worksheet", str(sheet), "--tokenizer", "whitespace"]
    assert run(["errors", *corpora, *options]) == 0
    assert f"{sheet}: 4 errors to judge" in capsys.readouterr().err
    assert CANARY not in sheet.read_text("utf-8")
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["category"] = "Tokenization error" if row["tokens"] else ""
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    assert run(["errors", *corpora, "--filled", str(sheet)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "# Errors as judged (FN n = 2, FP n = 1)" in lines
    assert "- Tokenization error\t2\t100.0\t1\t100.0" in lines
    assert "Not judged yet\t1\t\t0\t" in lines
    assert run(["errors", *corpora, "--filled", str(sheet), "--json", "-"]) == 0
    judged = json.loads(capsys.readouterr().out)["judged"]
    assert judged["categories"]["tokenization-error"]["missed"] == 2


def test_text_goes_into_a_worksheet_where_it_is_asked_for(
    corpora: list[str], tmp_path: Path
) -> None:
    sheet = tmp_path / "errors.jsonl"
    assert run(["errors", *corpora, "--worksheet", str(sheet), "--show-text"]) == 0
    first = json.loads(sheet.read_text("utf-8").splitlines()[0])
    assert (first["text"], first["before"]) == ("71", f"Seen by {CANARY} Lee aged ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tokenizer", "x"], "unknown tokenizer 'x'"),
        (["--model", "x"], "unknown model 'x'"),
        (["--tokenizer", "jiang", "--model", "en"], "Give --tokenizer or --model"),
        (["--strings", "loud"], "unknown normalisation 'loud'"),
        (["--train", "{tmp}/none"], "no such file or folder"),
        (["--train", "{tmp}/odd"], "WIZARD"),
        (["--worksheet", "{tmp}/errors.xlsx"], "must end in .csv or .jsonl"),
        (["--worksheet", "{tmp}/old.csv"], "exists already"),
        (["--worksheet", "{tmp}/gold/new.csv"], "is part of the input"),
        (["--worksheet", "{tmp}/a.jsonl", "--json", "{tmp}/a.jsonl"], "Name two files"),
        (["--filled", "{tmp}/none.csv"], "cannot be read"),
        (["--filled", "{tmp}/old.csv"], "the column `id` is missing"),
    ],
)
def test_bad_input_is_refused(
    corpora: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    message: str,
) -> None:
    (tmp_path / "old.csv").write_text("a,b\n", "utf-8")
    write_brat(tmp_path / "odd", "c", TEXT, "WIZARD 8 22")
    before = sorted(path.name for path in tmp_path.iterdir())
    given = [option.format(tmp=tmp_path) for option in options]
    assert run(["errors", *corpora, *given]) == 2
    shown = capsys.readouterr()
    assert message in " ".join(shown.err.split())
    assert CANARY not in shown.err
    assert shown.out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == before
