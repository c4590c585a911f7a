"""`scrubjay evaluate`: screen, JSON, choices, and bad input."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from scrubjay.cli.main import run
from tests.cli.conftest import Refusal
from tests.oracles.scoring import close

CANARY = "Wilhelmina"


def write_brat(folder: Path, name: str, text: str, *spans: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.txt").write_bytes(text.encode())
    lines = []
    for number, span in enumerate(spans, start=1):
        _, start, end = span.split()
        lines.append(f"T{number}\t{span}\t{text[int(start) : int(end)]}\n")
    (folder / f"{name}.ann").write_text("".join(lines), "utf-8")


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[str, str]:
    """Return the paths of gold and predicted: one document, one hit, one miss, one wrong label."""
    text = f"Seen by {CANARY} Lee, aged 71, on 3/4/2019"
    gold, predicted = tmp_path / "gold", tmp_path / "predicted"
    write_brat(gold, "a", text, "DOCTOR 8 22", "AGE 29 31", "DATE 36 44")
    write_brat(predicted, "a", text, "PATIENT 8 22", "DATE 36 44")
    return str(gold), str(predicted)


def test_tables_are_tab_separated_away_from_a_terminal(
    corpora: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate", *corpora]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[0] == "# Evaluation"
    assert "label set\ti2b2-2014" in lines
    assert lines[4:7] == [
        "strict F1\t0.4000",
        "binary token recall\t0.8333",
        "false positives per 1,000\t0.0",
    ]
    assert "Strict\t3\t2\t1\t0.5000\t0.3333\t0.4000" in shown.out
    assert "NAME\toverall\t1\t1\t0\t0.0000\t0.0000\t0.0000" in lines
    assert "AGE\tAGE\t1\t0\t0\t-\t0.0000\t0.0000" in lines
    assert CANARY not in shown.out + shown.err


def test_tables_are_drawn_on_a_terminal(
    corpora: tuple[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "160")
    assert run(["evaluate", *corpora]) == 0
    shown = capsys.readouterr().out
    assert "i2b2 2014 scorer" in shown
    assert "HIPPA Token" in shown
    assert "\t" not in shown


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_figure_is_shortened_on_a_narrow_terminal(
    corpora: tuple[str, str],
    width: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert run(["evaluate", *corpora]) == 0
    piped = capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    assert run(["evaluate", *corpora]) == 0
    drawn = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert "…" not in drawn
    assert all(len(line) <= width for line in drawn.splitlines())
    figures = re.compile(r"\b\d\.\d{4}\b")
    assert Counter(figures.findall(drawn)) == Counter(figures.findall(piped))
    assert "i2b2 2014 scorer, continued" in drawn


def test_json_replaces_the_tables_or_goes_to_a_file(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate", *corpora, "--json", "-"]) == 0
    printed = json.loads(capsys.readouterr().out)
    target = tmp_path / "scores.json"
    assert run(["evaluate", *corpora, "--json", str(target)]) == 0
    assert json.loads(target.read_text("utf-8")) == printed
    assert printed["i2b2"]["Strict"]["tp"] == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold", "predicted", "scores.json"]


def test_formats_may_differ(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = fixtures / "en-notes"
    arguments = ["--format", "i2b2", "--predicted-format", "brat", "--json", "-"]
    assert run(["evaluate", str(notes / "xml"), str(notes / "brat"), *arguments]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["documents"] == 3
    assert figures["binary_token_recall"] == 1.0
    assert figures["i2b2"]["Strict"]["micro"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_the_official_figures_come_out_of_the_command(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = shared / "corpora" / "meddocan" / "dev" / "brat"
    folder = shared / "reference-scores" / "meddocan"
    chosen = tmp_path / "gold"
    chosen.mkdir()
    for path in sorted((folder / "predicted").glob("*.ann")):
        shutil.copy(gold / path.name, chosen)
        shutil.copy(gold / f"{path.stem}.txt", chosen)
    counts = ["--sentences", str(folder / "scores.json"), "--json", "-"]
    assert run(["evaluate", str(chosen), str(folder / "predicted"), *counts]) == 0
    found = json.loads(capsys.readouterr().out)["meddocan"]
    wanted = json.loads((folder / "scores.json").read_text("utf-8"))["scores"]
    assert close(found["subtask1"]["leak"], wanted["Subtask1_Leak"])
    for section, name in (
        ("subtask1", "Subtask1"),
        ("subtask2_strict", "Subtask2Strict"),
        ("subtask2_merged", "Subtask2Merged"),
    ):
        for figure in ("Precision", "Recall", "F1"):
            assert close(found[section][figure.lower()], wanted[f"{name}_{figure}"])


def test_labels_are_mapped_by_name_or_file(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["evaluate", *corpora, "--json", "-"]
    assert run([*arguments, "--label-map", "i2b2-2014:binary"]) == 0
    by_name = json.loads(capsys.readouterr().out)
    assert by_name["label_set"] == "binary"
    assert by_name["per_label"][0]["tp"] == 2
    path = tmp_path / "map.toml"
    path.write_text(
        'source = "i2b2-2014"\ntarget = "binary"\n'
        '[table]\nDOCTOR = "PHI"\nPATIENT = "PHI"\nDATE = "PHI"\n'
    )
    assert run([*arguments, "--label-map", str(path)]) == 0
    by_file = json.loads(capsys.readouterr().out)
    assert by_file["outside_label_map"] == {"AGE": 1}


def test_unpaired_documents_are_skipped_on_request(
    corpora: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    write_brat(Path(corpora[0]), "b", "more")
    assert run(["evaluate", *corpora]) == 2
    assert "document 'b' of gold is missing" in capsys.readouterr().err
    assert run(["evaluate", *corpora, "--unpaired", "skip"]) == 0
    assert "skipped, in gold alone\t1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--scorer", "conll"], "unknown scorer 'conll'"),
        (["--unpaired", "drop"], "unknown policy for unpaired documents 'drop'"),
        (["--label-map", "meddocan"], "not a label map: 'meddocan'"),
        (["--label-map", "i2b2-2014:nut"], "unknown label set 'nut'"),
        (["--label-set", "meddocan"], "'meddocan' has no label 'DOCTOR'"),
        (["--format", "docx"], "docx"),
        (["--sentences", "none.json"], "none.json: cannot be read"),
        (["--json", "nowhere/scores.json"], "its folder does not exist"),
        (["--json", "."], "is a folder"),
    ],
)
def test_bad_options_end_with_code_2_and_write_nothing(
    corpora: tuple[str, str], refusal: Refusal, options: list[str], message: str
) -> None:
    assert message in refusal("evaluate", *corpora, *options)


def test_texts_that_differ_show_an_offset_and_no_text(
    corpora: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    write_brat(Path(corpora[1]), "a", "Seen by Kanary")
    assert run(["evaluate", *corpora]) == 2
    shown = capsys.readouterr()
    assert "document 'a'" in shown.err
    assert "offset 8" in shown.err
    assert CANARY not in shown.err
    assert "Kanary" not in shown.err


def test_the_input_is_never_overwritten(
    corpora: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    target = Path(corpora[0]) / "a.ann"
    before = target.read_bytes()
    assert run(["evaluate", *corpora, "--json", str(target)]) == 2
    assert "is part of the input" in capsys.readouterr().err
    assert target.read_bytes() == before


def test_a_failing_run_leaves_the_old_json(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "scores.json"
    target.write_text("old")
    write_brat(Path(corpora[0]), "b", "more")
    assert run(["evaluate", *corpora, "--json", str(target)]) == 2
    assert capsys.readouterr().err
    assert target.read_text() == "old"


def test_gold_without_spans_is_an_error(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare"
    write_brat(bare, "a", (Path(corpora[0]) / "a.txt").read_text("utf-8"))
    assert run(["evaluate", str(bare), corpora[1]]) == 2
    assert "bare: gold has no spans in 1 document," in capsys.readouterr().err
    capsys.readouterr()
    assert run(["evaluate", corpora[0], str(bare)]) == 0
    told = "warning: the predicted corpus has no spans in 1 document, so all of gold is missed\n"
    assert capsys.readouterr().err == told


def test_corpora_without_a_common_id_tell_what_ids_are(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    write_brat(other, "a_gs", (Path(corpora[0]) / "a.txt").read_text("utf-8"))
    assert run(["evaluate", str(other), corpora[1], "--unpaired", "skip"]) == 2
    assert "no document of gold has its id in the predicted corpus" in capsys.readouterr().err


def test_texts_with_tags_get_the_format_inline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for side, text in (("gold", "<DOCTOR>Dr. Lee</DOCTOR> came."), ("bare", "Dr. Lee came.")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.txt").write_text(text)
    gold, bare = str(tmp_path / "gold"), str(tmp_path / "bare")
    tags = "Tags such as <NAME>...</NAME> stand in the text: give"
    for call, told in (
        (["evaluate", gold, gold], "has tags in it such as <NAME>...</NAME>: give --format inline"),
        (["evaluate", gold, bare], f"{tags} --format inline for gold"),
        (["evaluate", gold, gold, "--format", "inline"], f"{tags} --predicted-format inline for"),
        (["evaluate", bare, bare], "texts with tags in them such as <NAME>...</NAME> are --format"),
        (["risk", gold, gold], "give --format inline"),
        (["errors", gold, gold], "give --format inline"),
        (["compare", gold, f"a={gold}", f"b={gold}"], "give --format inline"),
        (["models", "dial", "en-fast", gold], "give --format inline"),
    ):
        assert run(call) == 2
        shown = capsys.readouterr().err
        assert told in shown
        assert "Lee" not in shown
    assert run(["evaluate", gold, bare, "--format", "inline"]) == 0
    assert "such as <NAME>...</NAME> are --predicted-format inline\n" in capsys.readouterr().err
    strange = tmp_path / "gold.marked"
    strange.write_text("<DOCTOR>Dr. Lee</DOCTOR> came.")
    assert run(["evaluate", str(strange), str(strange)]) == 2
    assert (
        "--format text (convert: --from text) reads it as one note, with all its tags and marks"
        in capsys.readouterr().err
    )
    inline = ["--format", "inline", "--predicted-format", "inline"]
    assert run(["evaluate", str(strange), str(strange), *inline]) == 0


def test_other_commands_tell_of_gold_without_spans(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare"
    write_brat(bare, "a", (Path(corpora[0]) / "a.txt").read_text("utf-8"))
    for command in (
        ["risk", str(bare), corpora[1]],
        ["compare", str(bare), *corpora],
        ["errors", str(bare), str(bare)],
    ):
        assert run(command) == 2
        shown = capsys.readouterr()
        assert "bare: gold has no spans in 1 document, so nothing can be scored" in shown.err
        assert not shown.out
    # The spans that a system finds where there is no PHI may be wanted for themselves.
    assert run(["errors", str(bare), corpora[1]]) == 0
    assert "warning: gold has no spans in 1 document, so all that was" in capsys.readouterr().err


def test_labels_of_no_common_set_are_told(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    text = (Path(corpora[0]) / "a.txt").read_text("utf-8")
    write_brat(other, "a", text, "PERSOON 8 22", "DATE 36 44")
    assert run(["evaluate", corpora[0], str(other)]) == 0
    shown = capsys.readouterr()
    assert "warning: 1 of 2 predicted labels are not in gold" in shown.err
    assert "--label-map" in shown.err
    assert "warning" not in shown.out


@pytest.mark.parametrize("command", ["evaluate", "risk"])
def test_a_report_does_not_go_to_a_file_called_minus(
    corpora: tuple[str, str], command: str, refusal: Refusal
) -> None:
    option = "--html" if command == "evaluate" else "--determination"
    assert "cannot go to the screen" in refusal(command, *corpora, option, "-")


NOTE = f"Seen by {CANARY} Lee"
SPANS = [{"start": 8, "end": 22, "label": "DOCTOR"}]


def write_table(path: Path, text: str = "note", name: str = "nr") -> Path:
    """Write one note with its spans, as a table or as JSON lines, by the end of its name."""
    if path.suffix == ".jsonl":
        path.write_text(json.dumps({name: "a", text: NOTE, "spans": SPANS}) + "\n")
    else:
        spans = json.dumps(SPANS).replace('"', '""')
        path.write_text(f'{name},{text},spans\na,{NOTE},"{spans}"\n')
    return path


def columns(gold: Path, predicted: Path, *options: str) -> int:
    return run(["evaluate", str(gold), str(predicted), *options])


BOTH = ("--text-column", "note", "--id-column", "nr")


@pytest.mark.parametrize("names", [("text", "id"), ("note", "nr"), ("text", "nr")])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_column_is_that_of_each_corpus_that_has_it(
    tmp_path: Path, names: tuple[str, str], turned: bool, kind: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    first = write_table(tmp_path / "gold.csv")
    second = write_table(tmp_path / f"predicted.{kind}", *names)
    pair = (second, first) if turned else (first, second)
    assert columns(*pair, *BOTH) == 0
    assert "documents\t1\n" in capsys.readouterr().out


def test_the_predicted_corpus_may_have_columns_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = write_table(tmp_path / "gold.csv")
    other = write_table(tmp_path / "predicted.csv", "inhoud", "code")
    assert columns(gold, other, *BOTH) == 2
    told = capsys.readouterr().err
    assert "predicted.csv: there is no column 'note'" in told
    assert "For this corpus alone, give --predicted-text-column" in told
    own = ("--predicted-text-column", "inhoud", "--predicted-id-column", "code")
    assert columns(gold, other, *BOTH, *own) == 0
    assert columns(gold, other, *BOTH, *own[:3], "none") == 2
    assert "predicted.csv: there is no column 'none'" in capsys.readouterr().err
    assert CANARY not in told


def test_a_column_that_neither_corpus_has_is_one_error(
    tmp_path: Path, corpora: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, other = (write_table(tmp_path / name, "text", "id") for name in ("g.csv", "p.csv"))
    assert columns(gold, other, *BOTH) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "g.csv: there is no column 'note'" in line
    folders = Path(corpora[0]), Path(corpora[1])
    assert columns(*folders, "--text-column", "note") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "--text-column names a column of a table, and neither corpus is one" in line
    assert columns(gold, folders[1], "--predicted-id-column", "nr") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "--predicted-id-column names a column of a table, of which the predicted" in line
