"""`scrubjay compare`: screen, JSON, HTML, names of systems, and bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scrubjay.cli.compare import name_systems
from scrubjay.cli.main import run
from scrubjay.errors import ConfigError
from tests.cli.conftest import Refusal
from tests.cli.test_evaluate import write_brat

CANARY = "Wilhelmina"
FAST = ("--shuffles", "99", "--resamples", "50")


@pytest.fixture
def corpora(tmp_path: Path) -> list[str]:
    """Return the paths of gold and three systems over three documents."""
    text = f"Seen by {CANARY} Lee, aged 71, on 3/4/2019 in Leeds"
    name, age, date, city = "DOCTOR 8 22", "AGE 29 31", "DATE 36 44", "CITY 48 53"
    rows = {
        "gold": ((name, age, date), (name, date), (date, city)),
        "one": ((name, date), ("PATIENT 8 22",), (date, name)),
        "two": ((name, age, date), (name,), (date, city)),
        "three": ((), (), ()),
    }
    for folder, documents in rows.items():
        for number, spans in enumerate(documents):
            write_brat(tmp_path / folder, f"d{number}", text, *spans)
    return [str(tmp_path / folder) for folder in rows]


def test_tables_tell_figures_tests_and_changes(
    corpora: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", *corpora[:3], *FAST]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    titles = [line[2:] for line in lines if line.startswith("# ")]
    assert titles == [
        "Systems",
        "Differences",
        "Differences by label, F1",
        "Spans that changed",
        "Documents that changed",
        "Spans that changed by label, one to two",
        "Documents with most changes, one to two",
    ]
    assert "one\ttwo\t3\t0\t0\t1\t0" in lines  # spans
    assert "one\ttwo\t3\t0\t0\t0\t0" in lines  # documents
    assert any(line.startswith("all labels\ttwo\t7\t6\t1.0000") for line in lines)
    assert any(line.startswith("binary token\trecall\tone\ttwo\t") for line in lines)
    assert CANARY not in shown.out + shown.err


def test_every_change_is_listed_on_demand(
    corpora: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", *corpora[:3], *FAST, "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    begin = lines.index("# Every change, one to two") + 2
    assert lines[begin:] == [
        "d0\tfixed\tAGE\tnothing\tAGE 29-31\t00\t29\t31",
        "d1\tfixed\tDOCTOR\tPATIENT 8-22\tDOCTOR 8-22\tAaaaaaaaaa Aaa\t8\t22",
        "d2\tspurious gone\t\tDOCTOR 8-22\tnothing\tAaaaaaaaaa Aaa\t8\t22",
        "d2\tfixed\tCITY\tnothing\tCITY 48-53\tAaaaa\t48\t53",
    ]


def test_every_two_systems_or_all_against_a_reference(
    corpora: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", *corpora, *FAST, "--json", "-"]) == 0
    record = json.loads(capsys.readouterr().out)
    pairs = [(one["first"], one["second"]) for one in record["changes"]]
    assert pairs == [("one", "two"), ("one", "three"), ("two", "three")]
    assert record["format_version"] == 1
    assert record["skipped"] == 0
    assert {(one["first"], one["second"]) for one in record["tests"]} == set(pairs)
    assert run(["compare", *corpora, *FAST, "--json", "-", "--reference", "two"]) == 0
    record = json.loads(capsys.readouterr().out)
    pairs = [(one["first"], one["second"]) for one in record["changes"]]
    assert pairs == [("two", "one"), ("two", "three")]


def test_the_seed_decides_the_figures(
    corpora: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for seed in ("4", "4", "5"):
        assert run(["compare", *corpora[:3], *FAST, "--seed", seed, "--json", "-"]) == 0
        found.append(capsys.readouterr().out)
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize("show", [False, True])
def test_reports_hold_text_only_where_it_is_asked_for(
    corpora: list[str], tmp_path: Path, show: bool
) -> None:
    pytest.importorskip("jinja2")
    page, figures = tmp_path / "c.html", tmp_path / "c.json"
    arguments = ["--html", str(page), "--json", str(figures), *["--show-text"] * show]
    assert run(["compare", *corpora, *FAST, *arguments]) == 0
    for path in (page, figures):
        written = path.read_text("utf-8")
        assert (CANARY in written) == show
    markup = page.read_text("utf-8")
    assert "Spans that changed" in markup
    assert "Strict F1 by label" in markup
    assert "AGE 29-31" in markup


def test_formats_and_label_maps_serve_every_corpus(
    corpora: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    formats = ["--format", "brat", "--predicted-format", "brat", "--label-set", "i2b2-2014"]
    assert run(["compare", *corpora[:3], *FAST, *formats]) == 0
    capsys.readouterr()
    assert run(["compare", *corpora[:3], *FAST, "--label-map", "nonsense"]) == 2
    assert "SOURCE:TARGET" in capsys.readouterr().err


def test_a_missing_document_is_named_with_its_system_or_skipped(
    corpora: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "two").glob("d1.*"):
        path.unlink()
    assert run(["compare", *corpora[:3], *FAST]) == 2
    assert "'d1' of gold is missing from the system 'two'" in capsys.readouterr().err
    assert run(["compare", *corpora[:3], *FAST, "--unpaired", "skip", "--json", "-"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["documents"], record["skipped"]) == (2, 1)


def test_another_text_is_told_by_its_first_difference(
    corpora: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "two" / "d1.txt").write_text(f"Seen by {CANARY} LEE", "utf-8")
    (tmp_path / "two" / "d1.ann").write_text("", "utf-8")
    assert run(["compare", *corpora[:3], *FAST]) == 2
    shown = capsys.readouterr().err
    assert "document 'd1'" in shown
    assert "differ from offset 20 on" in shown
    assert CANARY not in shown


def test_an_unknown_label_is_told_with_what_to_do(
    corpora: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_brat(tmp_path / "two", "d1", f"Seen by {CANARY} Lee, aged 71, on 3/4/2019 in Leeds",
               "WHO 8 22")  # fmt: skip
    assert run(["compare", *corpora[:3], *FAST, "--label-set", "i2b2-2014"]) == 2
    assert "no label 'WHO'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--reference", "four"], "the reference 'four' is none of the systems"),
        (["--confidence", "95"], "a confidence lies between 0 and 1"),
        (["--shuffles", "0"], "at least one of shuffles"),
        (["--resamples", "0"], "at least one of resamples"),
        (["--html", "gold"], "is a folder"),
    ],
)
def test_bad_options_are_refused(
    corpora: list[str], refusal: Refusal, arguments: list[str], message: str
) -> None:
    assert message in refusal("compare", *corpora[:3], *arguments)


def test_one_system_is_refused(corpora: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *corpora[:2]]) == 2
    assert "two systems or more" in capsys.readouterr().err


def test_systems_are_called_by_as_much_of_their_path_as_tells_them_apart(tmp_path: Path) -> None:
    def names(*given: str) -> list[str]:
        return list(name_systems(given))

    assert names("out/crf", "out/rules") == ["crf", "rules"]
    assert names("a.jsonl", "b.jsonl") == ["a", "b"]
    assert names("crf/dev", "rules/dev") == ["crf/dev", "rules/dev"]
    assert names("x/a.jsonl", "x/a.csv") == ["a.jsonl", "a.csv"]
    assert names("CRF=out/dev", "out2/dev") == ["CRF", "dev"]
    assert name_systems(["CRF=out/dev", "x"])["CRF"] == Path("out/dev")
    odd = tmp_path / "a=b"
    odd.mkdir()
    assert name_systems([str(odd), "x"])["a=b"] == odd
    for twice in (("out/crf", "out/crf"), ("A=x", "A=y")):
        with pytest.raises(ConfigError, match="two systems are called"):
            names(*twice)


def test_names_of_whole_paths_have_no_double_slash(tmp_path: Path) -> None:
    folder = tmp_path / "crf"
    with pytest.raises(ConfigError, match=f"two systems are called '{re.escape(str(folder))}'"):
        name_systems([f"{folder}/", str(folder)])
    assert list(name_systems(["/dev", "/a/dev/"])) == ["/dev", "a/dev"]
