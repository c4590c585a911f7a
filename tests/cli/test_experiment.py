"""`scrubjay experiment`: results in a folder, resumed, and bad calls told in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from scrubjay.cli import main as cli
from scrubjay.document import Document
from tests.corpus_samples import make_notes, write_notes
from tests.reports.pages import read_page
from tests.tiny_crf import TINY
from tests.toys import CANARY

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with `train`, `dev` and an experiment, `try.toml`."""
    write_notes(make_notes(10, seed=1), tmp_path / "train")
    write_notes(make_notes(5, seed=2), tmp_path / "dev")
    (tmp_path / "tiny.toml").write_text(TINY)
    (tmp_path / "try.toml").write_text(
        'kind = "compare"\ntitle = "Tried"\nreference = "CRF"\nshuffles = 99\n'
        '[[systems]]\nname = "CRF"\nconfig = "tiny.toml"\n'
        '[[systems]]\nname = "Patterns"\nconfig = "patterns"\n'
    )
    return tmp_path


def _run(place: Path, *arguments: str, name: str = "try.toml", out: str = "out") -> int:
    given = [str(place / name) if name.endswith(".toml") else name, "--out", str(place / out)]
    corpora = ["--train", str(place / "train"), "--dev", str(place / "dev")]
    return cli.run(["experiment", *given, *corpora, *arguments])


def test_a_run_leaves_results_and_goes_on(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(place) == 0
    first = capsys.readouterr()
    assert first.out.startswith("# Systems\nsystem\tprecision\trecall\tstrict F1")
    assert "CRF, seed 0: strict F1" in first.err
    out = place / "out"
    assert {"result.json", "result.md", "f1.svg", "experiment.json", "cells"} <= {
        path.name for path in out.iterdir()
    }
    record = json.loads((out / "result.json").read_text())
    assert [row["name"] for row in record["rows"]] == ["CRF", "Patterns"]
    assert record["experiment"]["title"] == "Tried"
    if os.name != "nt":
        modes = {(p.is_dir(), p.stat().st_mode & 0o777) for p in (out, *out.rglob("*"))}
        assert modes == {(True, 0o700), (False, 0o600)}
    before = (out / "result.json").read_bytes()
    assert _run(place) == 0
    assert "(was there)" in capsys.readouterr().err
    assert (out / "result.json").read_bytes() == before


def test_results_are_written_as_a_page(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = place / "page.html"
    assert _run(place, "--html", str(page)) == 0
    text = read_page(page.read_text("utf-8")).text
    assert "Tried" in text
    assert "Patterns" in text
    assert CANARY not in text
    assert _run(place, "--html", str(place / "train" / "page.html")) == 2
    assert "is part of the input" in capsys.readouterr().err


def test_results_fill_the_tables_of_the_papers(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from scripts import write_paper_tables

    assert _run(place) == 0
    (place / "results" / "made-up").mkdir(parents=True)
    (place / "out" / "result.json").rename(place / "results" / "made-up" / "tried.json")
    monkeypatch.setattr(write_paper_tables, "RESULTS", place / "results")
    table = {
        "experiment": "tried",
        "corpora": {"made-up": "made up", "other": "other"},
        "measures": ["f1", "change", "p"],
        "rows": [
            {"name": "one", "paper": ["0.9"], "system": "CRF"},
            {"name": "two", "paper": [], "system": "Patterns"},
            {"name": "dates", "paper": [], "system": "CRF", "label": "DATE"},
            {"name": "names", "paper": [], "system": "CRF", "evaluation": "NAME Token"},
            {"name": "else", "paper": ["0.8"]},
        ],
    }
    lines = write_paper_tables.render_table(table).splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert rows[0] == ["", "paper F1", "made up F1", "made up change", "made up p", "other"]
    assert rows[2][:2] + rows[2][3:] == ["one", "0.9", "0", "", "not run yet"]
    assert float(rows[3][3]) < 0 < float(rows[3][4]) < 0.2
    assert 0.5 < float(rows[4][2]) <= 1
    assert 0.5 < float(rows[5][2]) <= 1
    assert rows[6] == ["else", "0.8", "", "", "", ""]


def test_another_experiment_in_the_folder_is_refused(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(place, "--config", "patterns") == 0
    capsys.readouterr()
    assert _run(place) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert "the folder holds another experiment: systems.patterns" in told
    assert _run(place, "--config", "patterns", "--language", "es") == 2
    assert 'data.language is "en" there, "es" here' in capsys.readouterr().err


def test_another_setting_of_the_report_is_refused_where_it_would_lose_something(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(place) == 0
    before = (place / "out/result.json").read_bytes()
    capsys.readouterr()
    assert _run(place, "--set", "shuffles=9") == 2
    assert "the folder has results for shuffles 99, asked for is 9" in capsys.readouterr().err
    assert _run(place, "--set", "reference=Patterns") == 2
    assert 'reference "CRF", asked for is "Patterns"' in capsys.readouterr().err
    assert (place / "out/result.json").read_bytes() == before
    assert _run(place, "--set", "by-label=true") == 0
    told = capsys.readouterr()
    assert "# Strict F1 by label" in told.out
    assert "(was there)" in told.err


def test_what_is_refused_before_training_leaves_no_folder(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folds = ("--config", "patterns", "--set", "groups.by=document", "--set")
    assert _run(place, *folds, "folds=11", name="crossval") == 2
    assert not (place / "out").exists()
    assert _run(place, *folds, "folds=2", name="crossval") == 0
    before = (place / "out/experiment.json").read_bytes()
    assert _run(place, *folds, "folds=2", "--seed", "0", "--seed", "1", name="crossval") == 0
    assert (place / "out/experiment.json").read_bytes() != before


def test_a_device_is_refused_before_anything_is_trained(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    call = ("--config", str(place / "tiny.toml"), "--config", "trienes2020-bilstm")
    assert _run(place, *call, "--device", "cuda") == 2
    assert "the device 'cuda' was asked for, but torch finds no GPU" in capsys.readouterr().err
    assert _run(place, "--device", "abacus") == 2
    assert "unknown device 'abacus'" in capsys.readouterr().err
    assert not (place / "out").exists()


def test_settings_are_changed(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes = ["--set", "folds=2", "--set", "groups.by=document", "--seed", "3"]
    assert _run(place, "--config", "patterns", *changes, name="crossval") == 0
    assert "2 folds together" in capsys.readouterr().out
    assert json.loads((place / "out/result.json").read_text())["experiment"]["seeds"] == [3]


def test_results_are_tested_against_each_other(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(place) == 0
    capsys.readouterr()
    code = cli.run(
        ["experiment", "significance", "--dev", str(place / "dev"), "--out", str(place / "p"),
         "--predicted", f"results={place / 'out'}", "--set", "shuffles=50"]
    )  # fmt: skip
    assert code == 0
    assert "CRF\tPatterns\tf1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("nothing", (), "unknown experiment 'nothing'"),
        ("nothing.toml", (), "nothing.toml: there is no such file. Or give the name of"),
        ("try.toml", ("--config", "nothing"), "unknown configuration 'nothing'"),
        ("try.toml", ("--config", "nothing.toml"), "there is no such file. Or give the name of"),
        ("try.toml", ("--set", "speed=3"), "unknown setting 'speed'"),
        ("try.toml", ("--set", "speed"), "not a setting: 'speed'"),
        ("try.toml", ("--domains", "folder"), "unknown setting 'domains'"),
        ("try.toml", ("--label-set", "meddocan"), "meddocan"),
        ("cross-domain", ("--config", "patterns"), "is in no folder below the corpus"),
        (
            "crossval",
            ("--config", "patterns", "--set", "groups.by=document", "--set", "folds=11"),
            "10 documents cannot make 11 folds",
        ),
        ("significance", (), "a test needs two systems"),
        ("significance", ("--predicted", "a=missing"), "missing: there is no such file"),
    ],
)
def test_bad_calls_end_with_one_line_and_code_2(
    place: Path,
    name: str,
    arguments: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _run(place, *arguments, name=name) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = [line for line in captured.err.splitlines() if line.startswith("error:")]
    assert message in line


def test_no_text_of_a_document_on_the_screen(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes([Document("canary", CANARY)], place / "dev")
    assert _run(place) == 0
    captured = capsys.readouterr()
    written = "".join(p.read_text() for p in (place / "out").rglob("*") if p.is_file())
    word = CANARY.partition("-")[0]
    assert word not in captured.out + captured.err + written


def test_the_list_names_what_ships(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["experiment", "--list"]) == 0
    told = capsys.readouterr().out
    assert "table4\tThe ensemble and its members\tZhao 2020, Table 4" in told
