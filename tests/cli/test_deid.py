"""`scrubjay deid` and `scrubjay annotate`: exit codes, summaries, and no text where none may be."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.cli import _run_output
from scrubjay.cli._output import show_size
from scrubjay.corpora import read_corpus
from scrubjay.document import Document
from scrubjay.models import load_detector, load_model
from scrubjay.taggers.ensemble import EnsembleDetector
from tests.calls import run
from tests.cli.conftest import Refusal
from tests.toys import (
    CANARY,
    DateDetector,
    save_toy_model,
    ship_toy_model,
)

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def notes(place: Path) -> Path:
    """Return a folder of two notes."""
    folder = place / "notes"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"Seen 3/4/2019.\r\n")
    (folder / "b.txt").write_bytes(b"No date.\n")
    return folder


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl"])
def test_files_are_told_apart_through_the_encoding(
    notes: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Señora: 3/4/2019."
    if name == "a.jsonl":
        text = json.dumps({"id": "a", "text": text}, ensure_ascii=False)
    folder = tmp_path / "wide"
    folder.mkdir()
    (folder / name).write_text(text, encoding="utf-16")
    arguments = ("wide", "--out", "out", "--encoding", "utf-16")
    assert run("deid", *arguments, "--model", "toy") == 0
    (document,) = read_corpus(tmp_path / "out", encoding="utf-16" if name == "a.txt" else "utf-8")
    assert document.text == "Señora: [DATE-1]."
    assert run("convert", "wide", "--encoding", "utf-16", "--to", "conll", "--out", "lines") == 0
    assert "1 document" in capsys.readouterr().err


def test_documents_are_written_and_the_run_is_summed_up(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("deid", notes, "--out", "out", "--model", "toy", "--summary", "-") == 0
    assert (tmp_path / "out" / "a.txt").read_bytes() == b"Seen [DATE-1].\r\n"
    assert (tmp_path / "out" / "b.txt").read_bytes() == b"No date.\n"
    shown = capsys.readouterr()
    facts = json.loads(shown.out)
    assert facts["command"] == "deid"
    assert (facts["documents"], facts["failed"]) == (2, 0)
    assert facts["phi_per_label"] == {"DATE": 1}
    assert facts["model"] == "toy"
    assert "2 documents, 0 failed" in shown.err
    assert "DATE" in shown.err


@pytest.mark.parametrize(
    ("policy", "source", "more", "told"),
    [
        ("surrogate", "notes", (), 1),
        ("pseudonym", "notes", (), 1),
        ("surrogate", "notes", ("--patient-key", "id:(.)"), 0),
        ("surrogate", "notes/a.txt", (), 0),
        ("placeholder", "notes", (), 0),
    ],
)
def test_it_is_told_once_that_documents_count_as_patients(
    notes: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    policy: str,
    source: str,
    more: tuple[str, ...],
    told: int,
) -> None:
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    arguments = ("--out", "out", "--model", "toy", "--policy", policy, *more)
    assert run("deid", source, *arguments) == 0
    assert capsys.readouterr().err.count("note: without --patient-key") == told


@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_files_of_other_kinds_are_counted_and_named(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (notes / "ward").mkdir()
    for name in ("letter.docx", "README", "ward/scan.png", "ward/old.PDF", ".hidden"):
        (notes / name).write_bytes(CANARY.encode())
    assert run(command, notes, "--out", "out", "--model", "toy", "--summary", "-") == 0
    shown = capsys.readouterr()
    facts = json.loads(shown.out)
    assert (facts["documents"], facts["passed_over"]) == (2, 4)
    names = ["README", "letter.docx", "ward/old.PDF", "ward/scan.png"]
    assert facts["passed_names"] == names
    told = "4 files of other kinds were not read; PHI in them was neither found nor removed: "
    assert told + ", ".join(map(repr, names)) in shown.err
    assert CANARY not in shown.out + shown.err
    for path in (tmp_path / "out").rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes()


@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_files_in_the_output_folder_that_are_not_of_the_run_are_counted(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    call = (command, notes, "--out", "out", "--model", "toy", "--summary", "out/run.json")

    def others() -> int:
        (tmp_path / "out").mkdir(exist_ok=True)
        assert run(*call) == 0
        count: int = json.loads((tmp_path / "out" / "run.json").read_text())["other_files"]
        assert (f"{count} other file" in capsys.readouterr().err) == (count > 0)
        return count

    assert [others(), others()] == [0, 0]  # what the first run wrote, the second writes, too
    for name in ("old.txt", "ward/older.txt", ".hidden", ".git/head"):
        (tmp_path / "out" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "out" / name).write_text("a note")
    assert others() == 2
    (notes / "ward").mkdir()
    (notes / "ward" / "older.txt").write_text("a note")
    (notes / "a.txt").unlink()
    assert others() == (2 if command == "deid" else 3)  # annotations are in two files each
    assert (tmp_path / "out" / "old.txt").read_text() == "a note"


@pytest.mark.parametrize("command", ["deid", "annotate"])
@pytest.mark.parametrize("options", [[], ["--format", "text"]])
def test_a_folder_of_other_kinds_alone_is_an_error(
    notes: Path,
    tmp_path: Path,
    command: str,
    options: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    for path in notes.iterdir():
        path.rename(path.with_suffix(".docx"))
    assert run(command, notes, "--out", "out", "--model", "toy", *options) == 2
    assert "no file of" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_summary_can_go_to_a_file(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("deid", notes, "--out", "out", "--model", "toy", "--summary", "run.json") == 0
    assert capsys.readouterr().out == ""
    assert json.loads((tmp_path / "run.json").read_text())["documents"] == 2


@pytest.mark.parametrize("is_screen", [True, False])
def test_only_who_asks_gets_json(
    notes: Path,
    is_screen: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_screen)
    assert run("deid", notes, "--out", "out", "--model", "toy") == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "2 documents, 0 failed" in shown.err
    assert run("deid", notes, "--out", "again", "--model", "toy", "--summary", "-") == 0
    asked = capsys.readouterr()
    assert json.loads(asked.out)["documents"] == 2
    assert "2 documents, 0 failed" in asked.err
    assert not Path("-").exists()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--policy", "mask"], b"Seen XXXXXXXX.\r\n"),
        (["--policy", "redact"], b"Seen ***.\r\n"),
        (["--policy", "ward.toml"], b"Seen <DATE>.\r\n"),
        (["--policy", "placeholder", "--min-score", "0.9"], b"Seen 3/4/2019.\r\n"),
        (["--policy", "placeholder", "--min-score", "0.5"], b"Seen [DATE-1].\r\n"),
    ],
)
def test_the_policy_says_what_replaces_a_mention(
    notes: Path, tmp_path: Path, options: list[str], expected: bytes
) -> None:
    (tmp_path / "ward.toml").write_text(
        'default = "redact"\n[labels]\nDATE = { operator = "placeholder", template = "<{label}>" }'
    )
    assert run("deid", notes, "--out", "out", "--model", "toy", *options) == 0
    assert (tmp_path / "out" / "a.txt").read_bytes() == expected


def test_a_policy_may_name_the_labels_of_a_model_with_a_label_set_of_its_own(
    notes: Path, tmp_path: Path
) -> None:
    save_toy_model(tmp_path / "own", label_set="of-the-ward")
    (tmp_path / "ward.toml").write_text('default = "mask"\n[labels]\nDATE = "redact"\n')
    assert run("deid", notes, "--out", "out", "--model", "own", "--policy", "ward.toml") == 0
    (tmp_path / "ward.toml").write_text('default = "mask"\n[labels]\nDOCTOR = "redact"\n')
    assert run("deid", notes, "--out", "out", "--model", "own", "--policy", "ward.toml") == 2


def test_hash_takes_its_key_from_a_file_or_the_environment(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "key").write_text(KEY + "\n")
    arguments = ["deid", notes, "--model", "toy", "--policy", "hash"]
    assert run(*arguments, "--out", "none") == 2
    assert "needs a key" in capsys.readouterr().err
    assert run(*arguments, "--out", "file", "--key-file", "key") == 0
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    assert run(*arguments, "--out", "variable") == 0
    texts = {(tmp_path / name / "a.txt").read_bytes() for name in ("file", "variable")}
    assert len(texts) == 1
    assert KEY not in "".join(capsys.readouterr())
    assert not (tmp_path / "none").exists()


def test_the_key_lies_outside_the_output(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "key").write_text(KEY)
    arguments = ["deid", notes, "--model", "toy", "--policy", "hash", "--key-file", "out/key"]
    assert run(*arguments, "--out", "out") == 2
    assert "the key lies in the output folder" in capsys.readouterr().err


def test_standard_input_goes_to_standard_output(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\ufeffon 3/4/2019\r\né\n".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    monkeypatch.setattr(sys, "stdout", stdout := io.TextIOWrapper(io.BytesIO()))
    assert run("deid", "-", "--model", "toy", "--summary", "run.json") == 0
    assert isinstance(stdout.buffer, io.BytesIO)
    assert stdout.buffer.getvalue() == text.replace(b"3/4/2019", b"[DATE-1]")
    assert json.loads(Path("run.json").read_text())["output"] == "-"


def test_empty_standard_input_is_told(
    notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    assert run("deid", "-", "--model", "toy") == 0
    assert "warning: standard input held no text" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such stream")
@pytest.mark.parametrize("stream", ["/dev/stdout", "-"])
def test_a_summary_stands_never_among_documents(
    notes: Path, stream: str, capfd: pytest.CaptureFixture[str]
) -> None:
    call = ["deid", "-", "--model", "toy", "--summary", stream]
    assert run(*call) == 2
    shown = capfd.readouterr()
    assert "is the standard output, where the documents go" in shown.err
    assert not shown.out
    assert run("deid", notes, *call[2:], "--out", "out") == 0
    assert json.loads(capfd.readouterr().out)["output"] == "out"


def test_a_text_that_fails_gives_no_output(
    notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CANARY.encode())))
    monkeypatch.setattr(sys, "stdout", stdout := io.TextIOWrapper(io.BytesIO()))
    assert run("deid", "-", "--model", "toy") == 1
    assert isinstance(stdout.buffer, io.BytesIO)
    assert stdout.buffer.getvalue() == b""
    assert CANARY not in capsys.readouterr().err


def test_a_failed_document_makes_the_exit_code_1(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(30):
        (notes / f"bad{number:02d}.txt").write_text(CANARY)
    assert run("deid", notes, "--out", "out", "--model", "toy", "--summary", "-") == 1
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.txt", "b.txt"]
    shown = capsys.readouterr()
    facts = json.loads(shown.out)
    assert facts["failed"] == 30
    assert facts["failures"][0] == {"id": "bad00", "stage": "detect", "code": "RuntimeError"}
    assert "failed: 'bad00' (detect: RuntimeError)" in shown.err
    assert "and 10 more" in shown.err


BAD_CALLS: list[tuple[list[str], str]] = [
    (["deid", "notes"], "output folder is missing"),
    (["deid", "notes", "-"], "output folder is missing"),
    (["deid", "notes", "--out", "notes"], "folder of the input"),
    (["deid", "-", "--resume"], "only a run into a folder can be resumed"),
    (["deid", "-", "--restart"], "Give --out, or leave --restart out"),
    (["deid", "notes", "--out", "out", "--resume", "--restart"], "--restart throws it away"),
    (["deid", "notes", "--out", "out", "--restart", "--resume"], "Give one of them"),
    (["deid", "notes", "--out", "out", "--patient-key", "id:("], "no regular expression"),
    (["deid", "notes", "--out", "notes/out"], "inside the folder of the input"),
    (["deid", "notes", "--out", "out", "--model", "fr"], "unknown model 'fr'. Known: broken, toy"),
    (["deid", "notes", "--out", "out", "--model", "broken"], "truncated or altered"),
    (["deid", "notes", "--out", "out", "--policy", "maks"], "Did you mean 'mask'"),
    (
        ["deid", "notes", "--out", "out", "--policy", "typo.toml"],
        "typo.toml, labels.DATES: the policy",
    ),
    (["deid", "notes", "--out", "out", "--format", "docx"], "unknown format 'docx'"),
    (["deid", "notes", "--out", "new.txt"], "new.txt: is the name of a file, and a run writes a f"),
    (["deid", "table.csv", "--out", "new.csv"], "new.csv: is the name of a file, and a run writes"),
    (["annotate", "notes", "--out", "new.json"], "new.json: is the name of a file, and a run wri"),
    (["deid", "notes", "--out", "out", "--recall-dial", "1"], "no recall dial"),
    (["deid", "notes", "--out", "out", "--min-score", "2"], "(--min-score) must be 0 to 1"),
    (["deid", "notes", "--out", "out", "--recall-dial", "99"], "(--recall-dial) must be a number"),
    (
        ["deid", "notes", "--out", "out", "--text-column", "x"],
        "--text-column means nothing for",
    ),
    (["deid", "notes", "--out", "out", "--summary", "absent/x.json"], "folder does not exist"),
    (["deid", "notes", "--out", "out", "--summary", "notes/a.txt"], "part of the input"),
    (["deid", "notes", "--out", "out", "--summary", "out"], "out: is the output folder. Name a f"),
    (["deid", "notes", "", "--out", "out"], "the name of an input is empty"),
    (["deid", "absent", "--out", "out"], "no such file or folder"),
    (["deid", "broken.xml", "--out", "out"], "malformed XML"),
    (["deid", "latin.txt", "--out", "out"], "latin.txt, byte 2: not utf-8 text"),
    (["deid", "both", "--out", "out", "--encoding", "cp1252"], "b.txt: is UTF-8, not cp1252"),
    (["deid", "wide.csv", "--out", "out", "--encoding", "utf-16"], "wide.csv: not utf-16 text"),
    (["deid", "mixed", "--out", "out"], "b.txt, offset 2: a NUL character"),
    (["deid", "broken.jsonl", "--out", "out"], "line 2"),
    (["deid", "table.csv", "--out", "out", "--text-column", "note"], "no column 'note'"),
    (["deid", "table.csv", "--out", "out", "--keep-column", "note"], "no column 'note'"),
    (["annotate", "notes", "--out", "out", "--to", "docx"], "unknown format 'docx'"),
    (["annotate", "notes", "--out", "out", "--to", "text"], "text has no place for spans"),
    (["annotate", "notes", "--out", "notes"], "folder of the input"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_CALLS)
def test_bad_input_is_told_in_one_line_and_leaves_nothing(
    notes: Path, tmp_path: Path, refusal: Refusal, arguments: list[str], message: str
) -> None:
    (tmp_path / "typo.toml").write_text('default = "mask"\n[labels]\nDATES = "redact"\n')
    (tmp_path / "broken.xml").write_text(
        f"<?xml version='1.0'?>\n<deIdi2b2><TEXT>{CANARY}</WRONG></deIdi2b2>"
    )
    (tmp_path / "latin.txt").write_bytes(f"né {CANARY}".encode("latin-1").replace(b"n", b"nn", 1))
    (tmp_path / "wide.csv").write_bytes(f"id,text\n1,{CANARY}\n".encode("utf-16-le"))
    (tmp_path / "mixed").mkdir()
    (tmp_path / "mixed" / "a.txt").write_text("a note")
    (tmp_path / "mixed" / "b.txt").write_bytes(b"no\0 " + CANARY.encode())
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "a.txt").write_bytes(b"n\xe9")
    (tmp_path / "both" / "b.txt").write_bytes(f"né {CANARY}".encode())
    (tmp_path / "broken.jsonl").write_text(f'{{"id": "a", "text": "x"}}\n{{"text": "{CANARY}"\n')
    (tmp_path / "table.csv").write_text(f"id,text\n1,{CANARY}\n")
    broken = tmp_path / "shipped" / "broken"
    broken.mkdir()
    for path in (tmp_path / "shipped" / "toy").iterdir():
        (broken / path.name).write_bytes(path.read_bytes()[:-1])
    model = [] if "--model" in arguments else ["--model", "toy"]
    shown = refusal(*arguments, *model)
    assert message in shown
    assert shown.count("\n") == 1
    assert CANARY not in shown


@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_an_empty_name_is_not_the_folder_one_is_in(
    command: str,
    notes: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert run(command, str(notes), "--out", "", "--model", "toy") == 2
    assert "'--out': the name is empty" in capsys.readouterr().err
    assert list((tmp_path / "here").iterdir()) == []
    assert run(command, str(notes), "--out", ".", "--model", "toy") == 0
    assert list((tmp_path / "here").iterdir()) != []


FORCED: dict[str, Callable[[str], bytes]] = {
    "detector.txt": lambda canary: canary.encode(),
    "detector.csv": lambda canary: f"id,text\n1,{canary}\n".encode(),
    "detector.jsonl": lambda canary: json.dumps({"id": "1", "text": canary}).encode(),
    "bytes.txt": lambda canary: canary.encode() + b"\xff",
    "quotes.csv": lambda canary: f'id,text\n1,"{canary}\n'.encode(),
    "fields.csv": lambda canary: f"id,text\n1,{canary},{canary}\n".encode(),
    "line.jsonl": lambda canary: f'{{"text": "{canary}'.encode(),
    "entity.xml": lambda canary: (
        f'<!DOCTYPE a [<!ENTITY b "{canary}">]><deIdi2b2><TEXT>&b;</TEXT></deIdi2b2>'.encode()
    ),
    "tag.inline": lambda canary: f"<DATE>{canary}".encode(),
    "columns.conll": lambda canary: f'# newdoc id = "1"\n{canary}\n'.encode(),
    "record.text": lambda canary: f"START_OF_RECORD=1||||1||||\n{canary}\n".encode(),
}


@pytest.mark.parametrize("command", ["deid", "annotate"])
@pytest.mark.parametrize("name", FORCED)
def test_no_failure_shows_text_of_a_document(
    notes: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    command: str,
    name: str,
) -> None:
    folder = tmp_path / "forced"
    folder.mkdir()
    (folder / name).write_bytes(FORCED[name](CANARY))
    with caplog.at_level(logging.DEBUG):
        code = run(command, folder, "--out", "out", "--model", "toy", "--summary", "run.json")
    assert code in (1, 2)
    shown = capfd.readouterr()
    report = tmp_path / "run.json"
    told = shown.out + shown.err + caplog.text + (report.read_text() if code == 1 else "")
    assert CANARY not in told
    written = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert all(CANARY.encode() not in path.read_bytes() for path in written)
    assert all(CANARY not in str(path) for path in tmp_path.rglob("*"))


@pytest.mark.parametrize("format", ["brat", "i2b2", "jsonl", "conll"])
def test_annotate_writes_the_spans(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    assert (
        run("annotate", notes, "--out", "out", "--to", format, "--model", "toy", "--summary", "-")
        == 0
    )
    first, second = read_corpus(tmp_path / "out", format=format)
    assert first.text == "Seen 3/4/2019.\r\n"
    assert [(span.start, span.end, span.label) for span in first.spans] == [(5, 13, "DATE")]
    assert second.spans == ()
    facts = json.loads(capsys.readouterr().out)
    assert facts["command"] == "annotate"
    assert facts["policy"] is None


def test_annotate_marks_repeats_when_asked(tmp_path: Path) -> None:
    note = Path(__file__).parents[2] / "examples" / "en" / "pathology-report.txt"
    found = []
    for options in ((), ("--propagate",)):
        out = tmp_path / f"out{len(options)}"
        assert run("annotate", note, "--out", out, "--model", "en-fast", *options) == 0
        (one,) = read_corpus(out, format="brat")
        found.append({(span.start, span.end) for span in one.spans})
    assert found[0] < found[1]


def test_annotate_marks_what_deid_hides(place: Path, tmp_path: Path) -> None:
    (place / "notes").mkdir()
    texts = {
        "17-1": "Seen 3/4/2019 or 3-4-2019; allowed 1/1/2020; Bluebird ward.",
        "17-2": "As on 3 4 2019, Ann Tranter.",
        "18-1": "Not on 3 4 2019.",
    }
    for name, text in texts.items():
        (place / "notes" / f"{name}.txt").write_text(text)
    (place / "allow").write_text("1/1/2020\n")
    (place / "deny").write_text("bluebird\n")
    (place / "known.csv").write_text("patient,family\n17,Tranter\n18,Roe\n")
    lists = ("--allow", "allow", "--deny", "deny", "--identifiers", "known.csv")
    given = ("--model", "toy", *lists, "--patient-key", "id:(.+)-[0-9]")
    assert run("deid", "notes", "--out", "clean", "--policy", "mask", *given) == 0
    assert run("annotate", "notes", "--out", "found", "--propagate", *given) == 0
    for document in read_corpus(place / "found"):
        masked = (place / "clean" / f"{document.id}.txt").read_text()
        hidden = {place for place, sign in enumerate(masked) if sign != document.text[place]}
        marked = {
            place
            for span in document.spans
            for place in range(span.start, span.end)
            if not document.text[place].isspace()
        }
        assert hidden <= marked
        assert {document.text[place] for place in marked - hidden} <= {"/", "-"}
    assert [len(each.spans) for each in read_corpus(place / "found")] == [3, 2, 0]


def test_the_summary_is_a_manifest_of_the_run(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "c.txt").write_text("3/4/2019 or 3-4-2019")
    arguments = [
        "deid",
        notes,
        "--out",
        "out",
        "--model",
        "toy",
        "--summary",
        "-",
        "--patient-key",
        "id:.+",
    ]
    assert run(*arguments, "--no-propagate") == 1
    shown = capsys.readouterr()
    facts = json.loads(shown.out)
    assert facts["failures"] == [{"id": "c", "stage": "prove", "code": "LeakError"}]
    assert "failed: 'c' (prove: LeakError)" in shown.err
    assert "proved: in 2 documents all that was found is replaced; of 1 mention no" in shown.err
    assert facts["proof"] == {
        "documents": 2,
        "read_back": 2,
        "searched": 1,
        "exceptions": dict.fromkeys(("kept", "short", "common", "allowed", "term", "chance"), 0),
    }
    assert len(facts["model_sha256"]) == len(facts["policy_sha256"]) == 64
    assert facts["patient_key"] == "id:.+"
    assert (facts["language"], facts["label_set"]) == ("en", "i2b2-2014")
    assert facts["resumed"] == 0
    assert run(*arguments) == 0
    assert (tmp_path / "out" / "c.txt").read_text() == "[DATE-1] or [DATE-1]"


@pytest.mark.parametrize("command", ["deid", "annotate"])
@pytest.mark.parametrize("foreign", [0, 1, 30])
def test_notes_in_another_language_are_told(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], foreign: int, command: str
) -> None:
    for folder in notes.iterdir():
        folder.unlink()
    english = "The patient was seen for pain and has no fever. She is on the ward with her mother."
    dutch = (
        "Mevrouw is opgenomen met pijn en heeft geen koorts. Zij is voor het eerst hier op zaal."
    )
    for number in range(30):
        (notes / f"e{number}.txt").write_text(english)
    for number in range(foreign):
        (notes / f"n{number}.txt").write_text(dutch)
    assert run(command, notes, "--out", "out", "--model", "toy", "--summary", "-") == 0
    shown = capsys.readouterr()
    facts = json.loads(shown.out)
    assert facts["languages"] == {"en": 30} | ({"nl": foreign} if foreign else {})
    names = sorted(f"n{number}" for number in range(foreign))
    assert facts["other_languages"] == ({"nl": names} if foreign else {})
    many = "warning: the model reads English; of 60 documents 30 look to be in Dutch ('n0', 'n1', "
    one = "note: the model reads English; of 31 documents 1 looks to be in Dutch ('n0'). Most of"
    assert (many in shown.err) == (foreign == 30)
    assert (one in shown.err) == (foreign == 1)
    assert ("warning" in shown.err) == (foreign == 30)
    assert "run: " not in shown.err


def test_an_interrupted_run_can_go_on(
    notes: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    arguments = ["deid", notes, "--out", "out", "--model", "toy", "--summary", "-"]
    with monkeypatch.context() as patch:
        patch.setattr("scrubjay.batch.sink.Sink.finish", interrupt)
        assert run(*arguments) == 130
    capsys.readouterr()
    assert run(*arguments) == 2
    assert "interrupted run lies there, with 2 documents done" in capsys.readouterr().err
    assert run(*arguments, "--resume", "--policy", "mask") == 2
    told = capsys.readouterr().err
    assert "What differs: --policy (it was 'placeholder', and is 'mask'). Make that as" in told
    assert run(*arguments, "--resume") == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["resumed"] == 2
    assert json.loads(shown.out)["documents_per_second"] == 0
    assert "resumed: 2 documents came from the interrupted run, 0 are new; " in shown.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.txt", "b.txt"]


def test_files_may_be_for_the_umask_to_decide(notes: Path, tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        assert run("deid", notes, "--out", "own", "--model", "toy") == 0
        assert run("deid", notes, "--out", "all", "--model", "toy", "--permissions", "umask") == 0
    finally:
        os.umask(old)
    modes = [(tmp_path / folder / "a.txt").stat().st_mode & 0o777 for folder in ("own", "all")]
    assert modes == [0o600, 0o644]


@pytest.mark.skipif(os.name == "nt", reason="no POSIX permissions")
@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_a_summary_is_its_owners_alone(command: str, notes: Path, tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        options = ("--out", "own", "--model", "toy", "--summary", "run.json")
        assert run(command, notes, *options, "--permissions", "umask") == 0
    finally:
        os.umask(old)
    assert (tmp_path / "run.json").stat().st_mode & 0o777 == 0o600


def test_annotate_makes_a_table_with_spans(notes: Path, tmp_path: Path) -> None:
    assert run("annotate", notes, "--out", "out", "--to", "csv", "--model", "toy") == 0
    (table,) = (tmp_path / "out").iterdir()
    assert [len(document.spans) for document in read_corpus(table)] == [1, 0]


def test_a_recall_dial_reaches_the_model(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dialled(DateDetector):
        def with_dial(self, dial: float) -> DateDetector:
            assert dial == 1.5
            return DateDetector()

    ship_toy_model(monkeypatch, tmp_path / "dialled", detector=Dialled())
    assert run("deid", notes, "--out", "out", "--model", "toy", "--recall-dial", "1.5") == 0


def test_the_dial_is_in_place_of_the_one_that_a_model_ships_with(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("models", "info", "en-fast", "--json") == 0
    shipped = json.loads(capsys.readouterr().out)["recall_dial"]
    model = load_model("en-fast")
    assert isinstance(model, EnsembleDetector)
    assert shipped == model.dial != 0
    assert model.with_dial(1.25).dial == 1.25
    note = Document("n1", "Seen by Dr. Lee in Elyria on 3/4/2019 for pain; Abend called.")
    found = [
        load_detector("en-fast", recall_dial=dial, min_score=0.0).detect([note])
        for dial in (None, shipped, -20)
    ]
    assert found[0] == found[1] != found[2]


def test_models_are_listed_described_and_audited(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("models", "list") == 0
    assert "toy" in capsys.readouterr().out
    assert run("models", "list", "--json") == 0
    (facts,) = json.loads(capsys.readouterr().out)
    assert facts["name"] == "toy"
    assert run("models", "info", "toy") == 0
    assert "i2b2-2014" in capsys.readouterr().out
    assert run("models", "info", "toy", "--json") == 0
    assert json.loads(capsys.readouterr().out) == facts | {"members": {}}
    (tmp_path / "gold.inline").write_text("<PATIENT>NÚÑEZ Roe</PATIENT>")
    assert run("models", "audit", "toy", "--corpus", "gold.inline") == 0
    assert json.loads(capsys.readouterr().out) == {
        "model": "toy",
        "stores_words": True,
        "stored_words": 3,
        "consistent": True,
        "mention_words": {"PATIENT": 2},
        "stored_mention_words": {"PATIENT": 1},
    }
    assert run("models", "audit", "toy", "--words") == 0
    assert capsys.readouterr().out.split() == ["3/4/2019", "Núñez", "aspirin"]


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_a_truncated_model_is_not_described(
    notes: Path, tmp_path: Path, as_json: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    save_toy_model(tmp_path / "own")
    path = next(p for p in sorted((tmp_path / "own").iterdir()) if p.name != "manifest.json")
    path.write_bytes(path.read_bytes()[:-1])
    assert run("models", "info", str(tmp_path / "own"), *as_json) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert path.name in captured.err


def test_a_model_that_hides_words_fails_its_audit(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_toy_model(tmp_path / "shipped" / "sly", stores_words=False)
    assert run("models", "audit", "sly") == 1
    assert "does not declare" in capsys.readouterr().err


def test_no_model_at_all(
    notes: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("scrubjay.models.SHIPPED", tmp_path / "absent")
    assert run("models", "list", "--json") == 0
    assert capsys.readouterr().out == "[]\n"
    assert run("models", "info", "en") == 2
    assert "none is shipped" in capsys.readouterr().err


def test_sizes_are_readable() -> None:
    assert show_size(1_234) == "1.2 kB"
    assert show_size(12_340_000) == "12.3 MB"


def test_a_killed_run_leaves_no_output_file(tmp_path: Path, root: Path) -> None:
    """A process that dies without any clean-up has shown no file yet."""
    (tmp_path / "notes").mkdir()
    for number in range(5):
        (tmp_path / "notes" / f"{number}.txt").write_text("on 3/4/2019")
    code = (
        "import os, sys\n"
        "from scrubjay.batch.input import Input\n"
        "from scrubjay.batch.run import deidentify_corpus\n"
        "from scrubjay.batch.sink import Output\n"
        "from scrubjay.batch.work import DeidWork\n"
        "from scrubjay.deidentifier import Deidentifier\n"
        "from scrubjay.transform.policy import find_policy\n"
        "from tests.toys import DateDetector\n"
        "from pathlib import Path\n"
        "model = Deidentifier(DateDetector(), find_policy('mask'))\n"
        "def report(tally):\n"
        "    if tally.documents == 3: os._exit(9)\n"
        "deidentify_corpus(Input((sys.argv[1],)), Output(Path(sys.argv[2])),\n"
        "                  work=DeidWork(model), model='toy', report=report)\n"
    )
    arguments = [sys.executable, "-c", code, str(tmp_path / "notes"), str(tmp_path / "out")]
    assert subprocess.run(arguments, check=False, cwd=root).returncode == 9
    shown = [path for path in (tmp_path / "out").iterdir() if not path.name.startswith(".")]
    assert shown == []


@pytest.mark.parametrize("key", ["(.+)-[^-]+", "mrn"])
def test_a_column_for_the_patients_of_plain_notes_is_refused_before_the_run(
    notes: Path, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    arguments = ["notes", "--out", "out", "--model", "toy", "--patient-key", key]
    assert run("deid", *arguments) == 2
    told = capsys.readouterr().err
    assert f"plain text have no columns: {key!r} cannot tell" in told
    assert "begins with id: such as --patient-key 'id:(.+)-[^-]+'" in told


def test_a_pattern_that_fits_no_id_is_refused_before_the_run(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--out", "out", "--model", "toy", "--patient-key", "id:^([0-9]+)-"]
    assert run("deid", "notes", *arguments) == 2
    told = capsys.readouterr().err
    assert "--patient-key fits none of the first ids" in told
    assert "has to match the whole id" in told
    assert not Path("out").exists()


def test_a_pattern_that_fits_no_id_of_a_stream_is_refused_before_anything_is_written(
    notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "".join(json.dumps({"id": f"a{n}", "text": "Well"}) + "\n" for n in range(30))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    arguments = ["--format", "jsonl", "--model", "toy", "--patient-key", "id:([0-9]+)"]
    assert run("deid", "-", *arguments) == 2
    told = capsys.readouterr()
    assert "--patient-key fits none of the first ids" in told.err
    assert not told.out


def test_documents_without_a_patient_fail_with_the_reason(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # One id fits: the rest may be of no patient.
    (notes / "17-03.txt").write_text("Well")
    key = ["--patient-key", "id:([0-9]+)-.+"]
    assert run("deid", "notes", "--out", "out", "--model", "toy", *key) == 1
    told = capsys.readouterr().err
    assert "(detect: NoPatientError)" in told
    assert told.count("NoPatientError: its id, or its columns, tell no patient") == 1
    assert "'id:(.+)-[^-]+' takes 17 from 17-03" in told
    assert [path.name for path in Path("out").glob("*.txt")] == ["17-03.txt"]


def test_what_lies_in_the_output_folder_is_told(
    notes: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def call(*options: str) -> tuple[int, str]:
        code = run("deid", notes, "--out", notes.parent / "again", "--model", "toy", *options)
        return code, " ".join(capfd.readouterr().err.split())

    assert "no run was interrupted there: all documents are new" in call("--resume")[1]
    assert "the output folder holds" in call()[1]
    told = call()[1]
    assert "note: the output folder holds" in told
    assert "those of the same names are replaced" in told
    assert "no run was interrupted there" in call("--resume")[1]
    code, told = call("--existing", "error")
    assert code == 2
    assert "fails at its end" in told


def test_the_order_of_dates_is_told_or_asked_for(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    arguments = ("notes/a.txt", "--model", "toy", "--policy", "surrogate", "--summary", "s.json")
    assert run("deid", *arguments, "--out", "open") == 0
    assert "nothing tells what dates such as 3/4/2012 are in 1 document" in capsys.readouterr().err
    assert json.loads((tmp_path / "s.json").read_text())["date_orders"] == {"open": 1}
    for order in ("dmy", "mdy"):
        assert run("deid", *arguments, "--out", order, "--date-order", order) == 0
        assert "3/4/2012" not in capsys.readouterr().err
        assert json.loads((tmp_path / "s.json").read_text())["date_orders"] == {}
    written = [(tmp_path / name / "a.txt").read_text() for name in ("open", "mdy", "dmy")]
    assert written[0] == written[1] != written[2]
    assert run("deid", "notes", "--model", "toy", "--out", "mask", "--date-order", "dmy") == 2
    assert "shifts no dates" in capsys.readouterr().err


def test_a_long_run_without_the_extra_is_told_what_makes_it_faster(
    notes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call = ["deid", "notes", "--out", "out", "--model", "toy"]
    found = {"numba": None}
    monkeypatch.setattr(_run_output, "find_spec", lambda name: found[name])
    assert run(*call) == 0
    assert "the extra 'fast'" not in capsys.readouterr().err  # a short run
    monkeypatch.setattr(_run_output, "_LONG_SECONDS", 0.0)
    assert run(*call) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "the extra 'fast'" in line]
    assert len(told) == 1
    assert told[0].startswith("note: with the extra 'fast', long runs of this model are several")
    assert "pip install -c constraints.txt '.[fast]'" in told[0]
    monkeypatch.setattr(_run_output, "find_spec", lambda name: object())
    assert run(*call) == 0
    assert "the extra 'fast'" not in capsys.readouterr().err


@pytest.mark.parametrize("failing", [False, True])
def test_a_summary_may_lie_in_the_output_folder_before_that_is_made(
    notes: Path, capsys: pytest.CaptureFixture[str], failing: bool
) -> None:
    if failing:
        for path in notes.iterdir():
            path.write_text(CANARY)
    call = ["deid", "notes", "--out", "out", "--model", "toy", "--summary"]
    assert run(*call, "out/run.json") == int(failing)
    summary = Path("out/run.json")
    assert json.loads(summary.read_text())["failed"] == 2 * failing
    assert summary.parent.stat().st_mode & 0o777 == 0o700
    assert run(*call, "other/run.json") == 2
    assert "other/run.json: its folder does not exist" in capsys.readouterr().err
    assert run(*call[:3], "new", *call[4:], "new/deeper/run.json") == 2
    assert not Path("new").exists()
