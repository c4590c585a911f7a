"""`scrubjay deid` with known identifiers, lists and propagation."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.cli import main as cli
from tests.toys import CANARY, DateDetector, ship_toy_model


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with two notes of patient 17 and a file of identifiers."""
    ship_toy_model(monkeypatch, tmp_path / "shipped", detector=DateDetector())
    monkeypatch.delenv("SCRUBJAY_KEY", raising=False)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "17-1.txt").write_bytes(b"TRANTER, Ada seen 3/4/2019 on Bluebird.\r\n")
    (tmp_path / "notes" / "17-2.txt").write_bytes(b"Ms Trantre rang; 12/5/2019.\n")
    (tmp_path / "known.csv").write_text("patient,given,family\n17,Ada,Tranter\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    """Run `scrubjay deid` over the notes and return its exit code."""
    return cli.run(["deid", "notes", "--model", "toy", "--out", "out", *arguments])


KEY = ("--patient-key", "id:(.+)-[0-9]+")


def test_known_identifiers_and_lists(folder: Path) -> None:
    (folder / "deny").write_text("bluebird\n")
    (folder / "allow").write_text("12/5/2019\n")
    lists = ("--allow", "allow", "--deny", "deny")
    assert run("--identifiers", "known.csv", *KEY, *lists) == 0
    first, second = ((folder / "out" / f"17-{n}.txt").read_bytes() for n in (1, 2))
    assert first == b"[PATIENT-1] seen [DATE-1] on [OTHER-1].\r\n"
    assert second == b"Ms [PATIENT-1] rang; 12/5/2019.\n"


def test_everyday_words_to_deny_are_warned_of(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "deny").write_text("# towns\nbluebird\nWhy\tCITY\nWhy, Arizona\nmill\n")
    assert run("--deny", "deny") == 0
    told = capfd.readouterr().err
    assert "warning: --deny has everyday words (line 3, 5): " in told
    (folder / "deny").write_text("bluebird\n")
    assert run("--deny", "deny") == 0
    assert "everyday" not in capfd.readouterr().err


def test_a_patient_that_nobody_knows_fails_the_document(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "notes" / "18-1.txt").write_text(f"{CANARY}")
    known = ("--identifiers", "known.csv", *KEY)
    assert run(*known) == 1
    assert not (folder / "out" / "18-1.txt").exists()
    shown = "".join(capfd.readouterr())
    assert "UnknownPatientError" in shown
    assert CANARY not in shown
    assert run(*known, "--unknown-patient", "pass") == 0
    assert (folder / "out" / "18-1.txt").exists()


@pytest.mark.parametrize(
    ("files", "arguments", "told"),
    [
        ({}, ("--identifiers", "known.csv"), "--patient-key"),
        ({"known.csv": f"patient,family\n,{CANARY}\n"}, ("--identifiers", "known.csv", *KEY),
         "line 2: identifiers without a patient"),
        ({"known.csv": f"patient,famly\n17,{CANARY}\n"}, ("--identifiers", "known.csv", *KEY),
         "Did you mean 'family'"),
        ({"deny": f"{CANARY}\tDATES\n"}, ("--deny", "deny"), "line 1"),
        ({"deny": f"{CANARY}\tDATES\n"}, ("--deny", "deny"), "Known: PATIENT, "),
        ({"deny": CANARY, "allow": CANARY}, ("--deny", "deny", "--allow", "allow"), "1 terms"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_before_any_output(
    folder: Path,
    capfd: pytest.CaptureFixture[str],
    files: dict[str, str],
    arguments: tuple[str, ...],
    told: str,
) -> None:
    for name, content in files.items():
        (folder / name).write_text(content)
    assert run(*arguments) == 2
    shown = " ".join("".join(capfd.readouterr()).split())
    assert told in shown
    assert CANARY not in shown
    assert not (folder / "out").exists()
