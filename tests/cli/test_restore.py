"""`scrubjay deid --vault`, `scrubjay restore` and `scrubjay vault`, from end to end."""

from __future__ import annotations

import json
import os
import re
import stat
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scrubjay.batch.restore import RestoreTally
from scrubjay.batch.summary import Tally
from scrubjay.cli._progress import progress
from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.deidentifier import Deidentifier
from scrubjay.document import Document, Span
from scrubjay.transform import _vault_file
from scrubjay.transform.vault import describe_vault
from tests.calls import run
from tests.cli.conftest import Refusal
from tests.toys import CANARY, RaisingDetector

KEY = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210fedcba9876543210"
FIRST = b"Seen 3/4/2019.\r\nAgain 5/6/2019\n"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stretch keys a little only."""
    monkeypatch.setattr(_vault_file, "SCRYPT_COST", 2)
    for name in ("SCRUBJAY_KEY", "SCRUBJAY_VAULT_KEY", "SCRUBJAY_NEW_VAULT_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def place(place: Path) -> Path:
    """Return the current folder, with two notes, two keys and the model `toy`."""
    for folder in ("notes", "keys"):
        (place / folder).mkdir()
    (place / "notes" / "a.txt").write_bytes(FIRST)
    (place / "notes" / "b.txt").write_bytes(b"No date.\n")
    (place / "keys" / "key").write_text(KEY + "\n")
    (place / "keys" / "other").write_text(OTHER)
    for name in ("key", "other"):
        (place / "keys" / name).chmod(0o600)
    return place


def deid(*options: object, key: str = "keys/key") -> int:
    vault = ("--summary", "-", "--vault", "v", "--vault-key", key)
    return run("deid", "notes", "--out", "out", "--model", "toy", *vault, *options)


def restore(*options: object, key: str = "keys/key", source: str = "out") -> int:
    vault = ("--summary", "-", "--vault", "v", "--vault-key", key)
    return run("restore", source, "--out", "back", *vault, *options)


@pytest.mark.parametrize("policy", ["placeholder", "mask", "redact", "empty.toml"])
def test_a_round_trip_gives_the_same_bytes(
    place: Path, capsys: pytest.CaptureFixture[str], policy: str
) -> None:
    (place / "empty.toml").write_text('default = { operator = "redact", replacement = "" }')
    assert deid("--policy", policy) == 0
    assert json.loads(capsys.readouterr().out)["documents"] == 2
    assert (place / "out" / "a.txt").read_bytes() != FIRST
    assert restore() == 0
    assert (place / "back" / "a.txt").read_bytes() == FIRST
    assert (place / "back" / "b.txt").read_bytes() == b"No date.\n"
    shown = capsys.readouterr()
    facts = json.loads(shown.out)
    assert (facts["documents"], facts["exact"], facts["failed"]) == (2, 2, 0)
    assert facts["restored_per_label"] == {"DATE": 2}
    assert "2 documents: 2 exactly as they were" in shown.err


def test_pseudonyms_need_a_key_and_come_back(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deid("--policy", "pseudonym") == 2
    assert "'pseudonym' needs a key" in capsys.readouterr().err
    monkeypatch.setenv("SCRUBJAY_KEY", OTHER)
    assert deid("--policy", "pseudonym", "--patient-key", "id:(.)") == 0
    assert b"[DATE-" in (place / "out" / "a.txt").read_bytes()
    assert restore() == 0
    assert (place / "back" / "a.txt").read_bytes() == FIRST


@pytest.mark.skipif(os.name == "nt", reason="no POSIX permissions")
def test_vault_and_restored_files_are_for_the_owner_alone(place: Path) -> None:
    assert deid() == 0
    assert restore("--summary", "restored.json") == 0
    for path in (place / "v", place / "back" / "a.txt", place / "restored.json"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_spans_of_the_file_come_back_with_the_text(place: Path) -> None:
    (place / "notes" / "a.txt").unlink()
    (place / "notes" / "b.txt").unlink()
    line = json.dumps({"id": "1", "text": FIRST.decode()})
    (place / "notes" / "n.jsonl").write_text(line + "\n")
    assert deid() == 0
    assert restore() == 0
    (document,) = read_corpus(place / "back")
    assert document.text == FIRST.decode()
    assert [(span.start, span.end, span.label) for span in document.spans] == [
        (5, 13, "DATE"),
        (22, 30, "DATE"),
    ]


FORMATS = ["brat", "conll", "csv", "doccano", "i2b2", "inline", "jsonl", "label-studio", "tsv"]


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_comes_back(place: Path, format: str) -> None:
    texts = {"a": "Seen 3/4/2019 by him,\nagain 5/6/2019", "b": "No date & no <name>."}
    documents = [Document(name, text) for name, text in texts.items()]
    write_corpus(documents, place / "corpus", format=format)
    options = ("--format", format, "--vault", "v", "--vault-key", "keys/key")
    assert run("deid", "corpus", "--out", "out", "--model", "toy", *options) == 0
    assert run("restore", "out", "--out", "back", *options) == 0
    found = list(read_corpus(place / "back", format=format))
    assert {document.id: document.text for document in found} == texts


def test_a_wrong_key_is_refused_before_any_output(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deid() == 0
    before = sorted(place.rglob("*"))
    capsys.readouterr()
    assert restore(key="keys/other") == 2
    assert deid("--summary", "s.json", key="keys/other") == 2
    assert run("vault", "info", "v", "--vault-key", "keys/other") == 2
    assert run("vault", "rotate", "v", "--vault-key", "keys/other", "--new-key", "keys/key") == 2
    shown = capsys.readouterr()
    assert shown.err.count("not the key") == 4
    assert shown.out == ""
    assert KEY not in shown.err
    assert OTHER not in shown.err
    assert sorted(place.rglob("*")) == before


def test_edited_and_unknown_documents_fail(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deid() == 0
    path = place / "out" / "a.txt"
    path.write_bytes(path.read_bytes().replace(b"Again", b"Once more,"))
    (place / "out" / "c.txt").write_text(CANARY)
    capsys.readouterr()
    assert restore() == 1
    shown = capsys.readouterr()
    facts = json.loads(shown.out)
    assert facts["failures"] == [
        {"id": "a", "stage": "restore", "code": "EditedTextError"},
        {"id": "c", "stage": "restore", "code": "UnknownDocumentError"},
    ]
    assert "failed: 'a' (restore: EditedTextError)" in shown.err
    assert CANARY not in shown.out + shown.err
    assert [path.name for path in (place / "back").iterdir()] == ["b.txt"]


def test_edited_documents_come_back_in_part_where_that_is_asked_for(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deid() == 0
    path = place / "out" / "a.txt"
    path.write_bytes(path.read_bytes().replace(b"Again [DATE-2]", b"Once more, [DATE-2].\nEnd"))
    capsys.readouterr()
    assert restore("--edited", "partial", "--summary", "s.json") == 1
    text = (place / "back" / "a.txt").read_bytes()
    assert text == b"Seen 3/4/2019.\r\nOnce more, 5/6/2019.\nEnd\n"
    assert json.loads((place / "s.json").read_text())["partial"] == [
        {"id": "a", "mentions": 2, "restored": 2}
    ]
    assert "in part: 'a' (2 of 2 mentions)" in capsys.readouterr().err


def test_rotation_locks_the_old_key_out(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deid() == 0
    rotate = ["vault", "rotate", "v", "--vault-key", "keys/key"]
    assert run(*rotate) == 2
    assert "needs a key, which is missing" in capsys.readouterr().err
    assert run(*rotate, "--new-key", "keys/key") == 2
    assert "the new key of the vault is the old one" in capsys.readouterr().err
    monkeypatch.setenv("SCRUBJAY_NEW_VAULT_KEY", OTHER)
    assert run(*rotate) == 0
    assert "2 records under the new key" in capsys.readouterr().err
    assert restore() == 2
    assert restore(key="keys/other") == 0
    assert (place / "back" / "a.txt").read_bytes() == FIRST


def test_info_tells_numbers_alone(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deid() == 0
    capsys.readouterr()
    assert run("vault", "info", "v", "--json") == 0
    bare = json.loads(capsys.readouterr().out)
    assert bare["format_version"] == 2
    assert bare["records"] is None
    assert run("vault", "info", "v", "--vault-key", "keys/key", "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["records"], facts["documents"]) == (2, 2)
    assert facts["mentions_per_label"] == {"DATE": 2}
    assert run("vault", "info", "v", "--vault-key", "keys/key") == 0
    assert "mentions DATE\t2" in capsys.readouterr().out


BAD_CALLS: list[tuple[list[str], str]] = [
    (["deid", "notes", "--out", "out", "--vault", "v"], "needs a key, which is missing"),
    (["deid", "notes", "--out", "out", "--vault-key", "keys/key"], "without a vault"),
    (
        ["deid", "notes", "--out", "out", "--vault", "out/v", "--vault-key", "keys/key"],
        "the vault lies in the output folder",
    ),
    (
        ["deid", "notes", "--out", "out", "--vault", "notes/v", "--vault-key", "keys/key"],
        "part of the input",
    ),
    (
        ["deid", "notes", "--out", "out", "--vault", "keys/v", "--vault-key", "keys/key"],
        "the key lies beside the vault",
    ),
    (
        ["deid", "notes", "--out", "keys", "--vault", "v", "--vault-key", "keys/key"],
        "the key of the vault lies in the output folder",
    ),
    (
        ["deid", "notes", "--out", "out", "--vault", "v", "--vault-key", "keys/absent"],
        "cannot be read",
    ),
    (["restore", "notes", "--out", "out", "--vault", "absent"], "needs a key"),
    (["restore", "notes", "--vault", "absent"], "the output folder is missing"),
    (["restore", "", "--out", "out", "--vault", "absent"], "the name of an input is empty"),
    (
        ["restore", "notes", "--out", "out", "--vault", "absent", "--vault-key", "keys/key"],
        "absent: the vault cannot be read",
    ),
    (
        ["restore", "notes", "--out", "out", "--vault", "notes/a.txt", "--vault-key", "keys/key"],
        "not a vault",
    ),
    (
        ["restore", "notes", "--out", "out", "--vault", "new", "--vault-key", "keys/key"],
        "version 9, but this release reads 1",
    ),
    (["vault", "info", "notes/a.txt"], "not a vault"),
    (["vault", "info", "new"], "version 9, but this release reads 1"),
    (["vault", "rotate", "new", "--vault-key", "keys/key", "--new-key", "keys/other"], "version 9"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_CALLS)
def test_bad_calls_are_told_in_one_line_and_leave_nothing(
    place: Path, refusal: Refusal, arguments: list[str], message: str
) -> None:
    (place / "new").write_bytes(b"SCRUBJAY-VAULT\0\x09" + bytes(2000))
    model = ["--model", "toy"] if arguments[0] == "deid" else []
    shown = refusal(*arguments, *model)
    assert message in shown
    assert shown.count("\n") == 1
    assert KEY not in shown


def test_a_run_that_was_interrupted_goes_on_with_its_vault(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(6):
        (place / "notes" / f"c{number}.txt").write_text(f"On 1/{number + 1}/2020.")
    calls = iter(range(100))
    detect = RaisingDetector.detect

    def stopping(self: RaisingDetector, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        # What a run reads to load its tables is no document: it has no id.
        if any(document.id for document in documents) and next(calls) == 2:
            raise KeyboardInterrupt
        return detect(self, documents)

    monkeypatch.setattr(RaisingDetector, "detect", stopping)
    small = partial(Deidentifier, batch_documents=2)
    monkeypatch.setattr("scrubjay.batch.setup.Deidentifier", small)
    assert deid() == 130
    assert "with --resume goes on" in capsys.readouterr().err
    assert (place / ".v.partial").exists()
    assert not (place / "v").exists()
    assert deid() == 2
    assert deid("--resume", key="keys/other") == 2
    assert deid("--resume") == 0
    assert next(calls) < 8
    assert not (place / ".v.partial").exists()
    assert restore() == 0
    for path in (place / "notes").iterdir():
        assert (place / "back" / path.name).read_bytes() == path.read_bytes()
    facts = describe_vault(place / "v", KEY.encode())
    assert (facts.records, facts.mentions) == (8, {"DATE": 8})
    capsys.readouterr()


@pytest.mark.parametrize(
    ("tally", "told"),
    [
        (RestoreTally(3, labels=Counter({"DATE": 5})), "3 documents, 5 mentions, 0 failures"),
        (Tally(2, labels=Counter({"DATE": 4})), "2 documents, 0 characters, 4 spans, 0 failures"),
    ],
)
def test_a_terminal_shows_how_far_a_run_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tally: Any, told: str
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "120")
    with progress() as report:
        report(tally)
    assert told in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", capsys.readouterr().err)
