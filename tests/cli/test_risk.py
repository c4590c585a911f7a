"""`scrubjay risk` and `scrubjay audit`: screen, JSON, HTML, worksheets, and bad input."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from scrubjay.cli import audit
from scrubjay.cli.main import run
from tests.cli.conftest import Refusal

CANARY = "Wilhelmina"
TEXT = f"Seen by {CANARY} Lee, aged 71, on 3/4/2019 for Parkinson's disease"
DOCTOR, AGE, DATE = [8, 22, "PATIENT"], [29, 31, "AGE"], [36, 44, "DATE"]


def write(path: Path, rows: list[tuple[str, list[list[object]]]]) -> str:
    lines = [
        json.dumps({"id": name, "text": TEXT, "spans": spans, "site": name[0]})
        for name, spans in rows
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[str, str]:
    """Return gold and predicted: a name half found, an age missed, an eponym taken for a name."""
    gold = write(
        tmp_path / "gold.jsonl", [("a-1", [DOCTOR, AGE, DATE]), ("b-1", [DOCTOR, AGE, DATE])]
    )
    predicted = write(
        tmp_path / "predicted.jsonl",
        [
            ("a-1", [[8, 18, "DOCTOR"], DATE, [49, 60, "PATIENT"]]),
            ("b-1", [DOCTOR, AGE, DATE]),
        ],
    )
    return gold, predicted


def test_tables_tell_what_leaks(
    corpora: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["risk", *corpora, "--group", "site", "--group", "origin"]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[0] == "# Risk"
    assert "direct identifiers\tlabel set i2b2-2014" in lines
    assert any(line.startswith("mention\t6\t4\t2\t\t0.6667") for line in lines)
    assert any(line.startswith("documents\tany\t1\t2\t0.5000") for line in lines)
    assert any(line.startswith("patients\tdirect identifier\t1\t2\t0.5000") for line in lines)
    assert any(line.startswith("PATIENT\tdirect\t2\t1\t1\t0\t0.5000") for line in lines)
    assert any(line.startswith("AGE\t\t2\t1\t0\t1\t0.5000") for line in lines)
    assert any(
        line.startswith("human readers\tCarrell et al. 2020\t0.27\t0.2433") for line in lines
    )
    assert any(line.startswith("a\ttoo small\t1\t3\t2\t0.3333") for line in lines)
    assert "# Recall by origin" in lines
    assert "# Terms outside gold that are taken for PHI" in lines
    assert "# To claim recall >= 0.99 at 95% confidence" in lines
    assert CANARY not in shown.out + shown.err
    assert "anonym" not in shown.out.lower()


def test_json_and_html_hold_every_leak_and_no_text(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, figures = tmp_path / "risk.html", tmp_path / "risk.json"
    arguments = ["risk", *corpora, "--html", str(page), "--json", str(figures), "--group", "site"]
    assert run([*arguments, "--sample-size", "0.95", "--terms", "none"]) == 0
    record = json.loads(figures.read_text("utf-8"))
    assert [(leak["start"], leak["outcome"], leak["left"]) for leak in record["leaks"]] == [
        (8, "partly", [[18, 22]]),
        (29, "missed", [[29, 31]]),
    ]
    assert record["sample_sizes"][0]["mentions"] >= 59
    assert record["terms"] is None
    markup = page.read_text("utf-8")
    assert "Hiding in plain sight" in markup
    assert "partly, direct identifier" in markup
    for written in (markup, figures.read_text("utf-8")):
        assert CANARY not in written
        assert "anonymous" not in written.lower()
    capsys.readouterr()


def test_text_is_shown_only_where_it_is_asked_for(corpora: tuple[str, str], tmp_path: Path) -> None:
    page, figures = tmp_path / "risk.html", tmp_path / "risk.json"
    arguments = ["risk", *corpora, "--html", str(page), "--json", str(figures), "--show-text"]
    assert run(arguments) == 0
    assert CANARY in page.read_text("utf-8")
    assert json.loads(figures.read_text("utf-8"))["leaks"][0]["text"] == f"{CANARY} Lee"


def test_a_file_names_direct_labels(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "direct.toml"
    path.write_text('direct = ["AGE"]\n', "utf-8")
    assert run(["risk", *corpora, "--direct", str(path), "--json", "-"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["direct"] == {"labels": ["AGE"], "source": "direct.toml"}
    assert record["direct_mentions"]["missed"] == 1
    assert record["terms"]["terms_hit"]["count"] >= 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--group", "ward"], "no document has a group under 'ward'"),
        (["--patient-key", "ward"], "has no patient under 'ward'"),
        (["--patient-key", "id:("], "no regular expression"),
        (["--confidence", "0.4"], "backs no claim"),
        (["--sample-size", "1"], "no sample can show"),
        (["--direct", "absent.toml"], "cannot be read"),
        (["--label-set", "meddocan"], "has no label"),
        (["--terms", "tlh"], "there are no probes for 'tlh'"),
        (["--unpaired", "guess"], "unknown policy"),
    ],
)
def test_bad_settings_end_with_exit_code_2(
    corpora: tuple[str, str], arguments: list[str], said: str, refusal: Refusal
) -> None:
    shown = refusal("risk", *corpora, *arguments)
    assert said in shown
    assert CANARY not in shown


def test_other_text_or_missing_documents_are_errors(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, predicted = corpora
    lines = Path(predicted).read_text("utf-8").splitlines()
    Path(predicted).write_text(lines[0] + "\n", "utf-8")
    assert run(["risk", gold, predicted]) == 2
    assert "'b-1' of gold is missing" in capsys.readouterr().err
    assert run(["risk", gold, predicted, "--unpaired", "skip"]) == 0
    assert "skipped, in gold alone\t1" in capsys.readouterr().out
    Path(predicted).write_text("\n".join(lines).replace("Lee", "Lea") + "\n", "utf-8")
    assert run(["risk", gold, predicted]) == 2
    assert "differ from offset 21 on" in capsys.readouterr().err


def test_sizes_of_samples(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["audit", "size", "--mentions-per-document", "20", "--expected-recall", "0.999"]
    assert run(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "# To claim recall >= 0.99 at 95% confidence"
    assert lines[2].split("\t")[:4] == ["0", "299", "15", "299"]
    assert lines[3].split("\t")[:4] == ["1", "473", "24", "473"]
    assert run(["audit", "size", "--claim", "0.95", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["sample_sizes"][0]["mentions"] == 59
    assert run(["audit", "size", "--design-effect", "0.5"]) == 2
    assert "a design effect is 1 or more" in capsys.readouterr().err


def test_an_audit_from_plan_to_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write(
        tmp_path / "run.jsonl", [(f"{'ab'[n % 2]}-{n}", [DOCTOR, DATE]) for n in range(20)]
    )
    sheet, page = tmp_path / "sheet.csv", tmp_path / "audit.html"
    arguments = ["audit", "plan", corpus, "--out", str(sheet), "--stratify", "site"]
    assert run([*arguments, "--documents", "6", "--seed", "2"]) == 0
    shown = capsys.readouterr().out
    assert "a\t10\t3" in shown.splitlines()
    assert "all\t20\t6" in shown.splitlines()
    assert CANARY not in sheet.read_text("utf-8")
    assert run([*arguments, "--documents", "6"]) == 2
    assert "sheet.csv: exists already" in capsys.readouterr().err
    assert run(["audit", "read", str(sheet)]) == 2
    assert "is not checked: `leaks` is empty" in capsys.readouterr().err
    rows = list(csv.DictReader(sheet.read_text("utf-8-sig").splitlines()))
    for number, row in enumerate(rows):
        row.update(leaks=str(int(number == 0)), direct_leaks="0", over_redacted="0")
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    reading = ["audit", "read", str(sheet), "--frame", corpus, "--html", str(page)]
    assert run(reading) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "documents of the run\t20" in lines
    assert any(line.startswith("any\t1\t6\t0.1667") for line in lines)
    assert any(line.startswith("mention\t12\t13\t0.9231") for line in lines)
    assert "Audit of a run" in page.read_text("utf-8")
    assert run(["audit", "read", str(sheet), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["leaks"] == 1
    write(tmp_path / "run.jsonl", [("a-0", [])])
    assert run(reading) == 2
    assert "drawn from another frame" in capsys.readouterr().err


@pytest.mark.parametrize("there", [True, False])
def test_what_reading_needs_is_told_before_the_sheet_is_filled(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    there: bool,
) -> None:
    corpus = write(tmp_path / "run.jsonl", [(f"a-{n}", [DOCTOR]) for n in range(4)])
    monkeypatch.setattr(audit, "find_spec", lambda name: name if there else None)
    call = ["audit", "plan", corpus, "--out", str(tmp_path / "sheet.csv"), "--documents", "2"]
    assert run(call) == 0
    told = capsys.readouterr().err
    assert ("note: audit read, which takes the filled worksheet, needs the extra" in told) != there
    assert ("pip install -c constraints.txt '.[report]'" in told) != there


def test_a_corpus_without_spans_is_no_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text(f"Seen by {CANARY}")
    for corpus in (str(notes), write(tmp_path / "run.jsonl", [("a", []), ("b", [])])):
        sheet = tmp_path / "sheet.csv"
        assert run(["audit", "plan", corpus, "--out", str(sheet), "--documents", "1"]) == 2
        said = capsys.readouterr().err
        assert f"{corpus}: no document has a span" in said
        assert "scrubjay annotate" in said
        assert CANARY not in said
        assert not sheet.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--documents", "3"], "3 documents cannot be drawn from 2"),
        (["--documents", "1", "--stratify", "ward"], "no document has a stratum"),
        (["--documents", "1", "--json", "SHEET"], "is named for JSON and for the worksheet"),
        (["--documents", "1", "--out", "sheet.xls"], "must end in .csv or .jsonl"),
    ],
)
def test_plans_that_cannot_be_made(
    corpora: tuple[str, str],
    tmp_path: Path,
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sheet = tmp_path / "sheet.csv"
    given = [str(sheet) if word == "SHEET" else word for word in arguments]
    assert run(["audit", "plan", corpora[0], "--out", str(sheet), *given]) == 2
    assert said in capsys.readouterr().err
    assert not sheet.exists()
