"""`scrubjay errors`: screen, JSON, HTML, choices, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.cli.main import run
from tests.cli.test_evaluate import CANARY, write_brat

TEXT = f"Seen by {CANARY} Lee, aged 71, on 5 March 2060 in Ohio"


@pytest.fixture
def corpora(tmp_path: Path) -> list[str]:
    """Return the paths of gold and predicted: one error of each kind, and a document all right."""
    gold, predicted = tmp_path / "gold", tmp_path / "predicted"
    write_brat(gold, "a", TEXT, "DOCTOR 8 22", "AGE 29 31", "DATE 36 48")
    write_brat(predicted, "a", TEXT, "PATIENT 8 22", "DATE 38 48", "STATE 52 56")
    for folder in (gold, predicted):
        write_brat(folder, "b", "Room 12", "ROOM 5 7")
    return [str(gold), str(predicted)]


def test_tables_go_to_the_screen(corpora: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["errors", *corpora]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[:2] == ["# Errors by kind", "error\tnumber\tpercent"]
    assert lines[2:6] == [
        f"{kind} error\t1\t25.00" for kind in ("type", "extent", "missing", "spurious")
    ]
    assert "AGE\t1\t0\t0\t0\t1\t100.00" in lines
    assert "DOCTOR\tPATIENT\t1\t100.0\t100.0" in lines
    assert "# Confusion" not in lines
    assert "# Every error" not in lines
    assert CANARY not in shown.out + shown.err


def test_matrices_and_the_list_are_shown_where_asked_for(
    corpora: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["errors", *corpora, "--matrix", "--list"]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    for title in ("Confusion", "Confusion, percent by row", "Confusion of main categories"):
        assert f"# {title}" in lines
    assert "document\terror\tgold\tpredicted\tshape\tstart\tend" in lines
    assert "a\tshort\tDATE\tDATE\t0 Aaaaa 0000\t36\t48" in lines
    assert CANARY not in shown.out + shown.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "note: --list --show-text shows each error with its document and its words"),
        (["--list"], "note: --show-text shows the words, too"),
        (["--list", "--show-text"], ""),
        (["--json", "-"], ""),
    ],
)
def test_how_to_see_the_errors_themselves_is_told_at_the_end(
    corpora: list[str], capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    assert run(["errors", *corpora, *options]) == 0
    error = capsys.readouterr().err
    assert error.startswith(told)
    assert error.count("note: ") == bool(told)
    assert run(["errors", corpora[0], corpora[0], *options]) == 0
    assert "note: " not in capsys.readouterr().err


def test_the_list_shows_text_where_asked_for(
    corpora: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["errors", *corpora, "--list", "--show-text"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "document\terror\tgold\tpredicted\ttext\tstart\tend" in lines
    assert "a\tshort\tDATE\tDATE\t5 March 2060\t36\t48" in lines
    assert f"a\ttype\tDOCTOR\tPATIENT\t{CANARY} Lee\t8\t22" in lines
    assert run(["errors", *corpora, "--show-text"]) == 0
    assert CANARY not in capsys.readouterr().out


def test_json_lists_every_error(
    corpora: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["errors", *corpora, "--json", "-"]) == 0
    printed = capsys.readouterr().out
    figures = json.loads(printed)
    assert (figures["format_version"], figures["documents"]) == (1, 2)
    assert figures["documents_with_errors"] == 1
    assert figures["errors"] == {"type": 1, "extent": 1, "missing": 1, "spurious": 1}
    assert [one["cause"] for one in figures["all_errors"]] == [
        "type",
        "missing",
        "short",
        "spurious",
    ]
    assert figures["all_errors"][2]["predicted"] == {"start": 38, "end": 48, "label": "DATE"}
    assert figures["examples"] == []
    assert CANARY not in printed
    confusion = figures["confusion"]
    column = confusion["labels"].index("PATIENT")
    assert confusion["cells"][confusion["labels"].index("DOCTOR")][column] == 1
    assert figures["by_category"]["labels"] == ["NAME", "LOCATION", "AGE", "DATE"]


def test_text_goes_into_files_only_where_asked_for(corpora: list[str], tmp_path: Path) -> None:
    target, html = tmp_path / "errors.json", tmp_path / "errors.html"
    files = ["--json", str(target), "--html", str(html)]
    assert run(["errors", *corpora, *files]) == 0
    assert CANARY not in target.read_text("utf-8") + html.read_text("utf-8")
    assert "type" in html.read_text("utf-8")
    assert run(["errors", *corpora, *files, "--show-text"]) == 0
    assert CANARY in html.read_text("utf-8")
    example = json.loads(target.read_text("utf-8"))["examples"][0]
    assert example["text"] == f"{CANARY} Lee"
    assert example["before"] == "Seen by "


def test_the_number_of_examples_is_chosen(corpora: list[str], tmp_path: Path) -> None:
    target = tmp_path / "errors.json"
    arguments = ["errors", *corpora, "--show-text", "--json", str(target), "--examples", "0"]
    assert run(arguments) == 0
    figures = json.loads(target.read_text("utf-8"))
    assert figures["examples"] == []
    assert len(figures["all_errors"]) == 4


def test_labels_are_mapped_first(corpora: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["errors", *corpora, "--label-map", "i2b2-2014:binary", "--json", "-"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["label_set"] == "binary"
    assert figures["errors"]["type"] == 0
    assert figures["by_category"] is None


def test_unpaired_documents_may_be_skipped(
    corpora: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_brat(tmp_path / "gold", "c", "Seen", "DOCTOR 0 4")
    html = tmp_path / "errors.html"
    arguments = [*corpora, "--unpaired", "skip", "--html", str(html), "--json", "-"]
    assert run(["errors", *arguments]) == 0
    assert json.loads(capsys.readouterr().out)["unpaired"] == {"gold": 1, "predicted": 0}
    assert "skipped, in gold alone" in html.read_text("utf-8")


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(["errors", *arguments]) == 2
    message = capsys.readouterr().err
    assert CANARY not in message
    return message


def test_bad_input_is_told_where_it_is(
    corpora: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_brat(tmp_path / "gold", "c", "Seen", "DOCTOR 0 4")
    assert "'c' of gold is missing from the predicted corpus" in refused(corpora, capsys)
    write_brat(tmp_path / "predicted", "c", "Seem", "DOCTOR 0 4")
    assert "document 'c'" in (message := refused(corpora, capsys))
    assert "differ from offset 3" in message
    assert "no label 'DOCTOR'" in refused([*corpora, "--label-set", "meddocan"], capsys)
    assert "unknown policy" in refused([*corpora, "--unpaired", "perhaps"], capsys)


def test_a_label_unknown_to_the_guessed_set_tells_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for side in ("gold", "predicted"):
        for number in range(201):
            label = "DOKTER" if number == 200 else "DOCTOR"
            write_brat(tmp_path / side, f"{number:03d}", f"{CANARY}", f"{label} 0 10")
    message = refused([str(tmp_path / "gold"), str(tmp_path / "predicted")], capsys)
    assert "document '200': the label set 'i2b2-2014' has no label 'DOKTER'" in message
    assert "--label-set" in message


def test_gold_without_spans_makes_all_spurious_and_nothing_at_all_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_brat(tmp_path / "gold", "a", TEXT)
    write_brat(tmp_path / "predicted", "a", TEXT, "DOCTOR 8 22")
    sides = [str(tmp_path / "gold"), str(tmp_path / "predicted")]
    assert run(["errors", *sides]) == 0
    assert "all that was predicted is spurious" in capsys.readouterr().err
    write_brat(tmp_path / "predicted", "a", TEXT)
    assert "gold has no spans" in refused(sides, capsys)


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_files_that_cannot_be_written_are_told_before_any_work(
    option: str, corpora: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = str(tmp_path / "gold" / "out")
    assert "is part of the input" in refused([*corpora, option, inside], capsys)
    nowhere = str(tmp_path / "none" / "out")
    assert "its folder does not exist" in refused([*corpora, option, nowhere], capsys)
    assert not (tmp_path / "gold" / "out").exists()


def test_examples_cannot_be_negative(
    corpora: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--examples" in refused([*corpora, "--examples", "-1"], capsys)
