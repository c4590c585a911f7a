"""Which model was taken without being named, and whether it reads the documents."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.artifacts import load_artifact, save_artifact
from scrubjay.cli import _languages
from scrubjay.cli import main as cli
from tests.toys import ship_toy_model

# Each tells too little alone.
DUTCH = "Het lab heeft geen waarde."
ENGLISH = "The patient was seen for pain."
NOTE = "note: the model is toy, for English, since --model names none"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ship the model `toy`, also as `en`, and make the folder the current one."""
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    (tmp_path / "shipped" / "en").symlink_to(tmp_path / "shipped" / "toy")
    monkeypatch.delenv("SCRUBJAY_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str, *arguments: str) -> int:
    return cli.run([command, "notes", "--out", "out", *arguments])


def write_notes(place: Path, text: str, count: int = 3) -> None:
    (place / "notes").mkdir(exist_ok=True)
    for number in range(count):
        (place / "notes" / f"{number}.txt").write_text(text)


@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_a_model_that_nobody_named_is_told(
    place: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(place, ENGLISH)
    assert run(command) == 0
    shown = capsys.readouterr()
    assert NOTE in shown.err
    assert "warning" not in shown.err
    assert run(command, "--model", "en") == 0
    assert NOTE not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_short_notes_tell_their_language_together(
    place: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(place, DUTCH)
    assert run(command) == 0
    (told,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning")]
    assert told == (
        "warning: the model reads English, and the first documents look to be in Dutch: most of "
        "their PHI may be missed. No model that ships reads Dutch; give a --model of your own "
        "that does"
    )


@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_a_single_short_note_tells_its_language(
    place: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    note = "Mw. Jansen gezien op de poli. Klachten van pijn sinds gisteren."
    write_notes(place, note, count=1)
    assert run(command) == 0
    (told,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning")]
    assert told.startswith("warning: the model reads English; of 1 document 1 looks to be in Dutch")
    assert "Jansen" not in told
    write_notes(place, "Mr. van der Berg seen at De Poli clinic. HTN, CHF.", count=1)
    assert run(command) == 0
    assert "warning" not in capsys.readouterr().err


def test_a_long_run_is_told_early_and_once(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_languages, "EARLY_SECONDS", 0.0)
    write_notes(place, DUTCH)
    assert run("deid") == 0
    lines = capsys.readouterr().err.splitlines()
    places = [number for number, line in enumerate(lines) if "look to be in Dutch" in line]
    title = lines.index("deid, model toy")
    assert len(places) == 2
    assert places[0] < title < places[1]
    write_notes(place, ENGLISH)
    assert run("deid") == 0
    assert "look to be" not in capsys.readouterr().err


def test_models_of_the_language_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the models that ship
    assert _languages.advise(["es"]) == "Give --model es or es-fast"
    assert _languages.advise(["nl", "de"]) == "Give --model nl or nl-medium or nl-fast"
    assert _languages.advise(["fr", "de"]).startswith("No model that ships reads German or French;")
    assert _languages.describe_beginning("", language="en") == ""
    assert _languages.describe_beginning("en", language="en") == ""
    assert _languages.describe_beginning("en", language="fy") == ""


SPANISH = "La paciente fue vista por el lunes. Se le explica durante la visita y no ha ido más."


def ship_spanish(place: Path) -> None:
    """Ship the toy model as `es-fast`, too, with Spanish for its language."""
    shutil.copytree(place / "shipped" / "toy", place / "shipped" / "es-fast")
    artifact = load_artifact(place / "shipped" / "es-fast")
    files = {name: artifact.read(name) for name in artifact.manifest.files}
    manifest = replace(artifact.manifest, name="es-fast", language="es", files={})
    save_artifact(place / "shipped" / "es-fast", manifest, files=files, overwrite=True)


def test_the_call_with_a_model_of_the_language_is_told(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ship_spanish(place)
    write_notes(place, SPANISH)
    assert run("deid", "--no-propagate", "--workers", "1") == 0
    assert capsys.readouterr().err.splitlines()[-1] == (
        "run: scrubjay deid notes --out out --no-propagate --workers 1 --model es-fast"
    )
    assert run("annotate", "--model", "toy") == 0
    assert capsys.readouterr().err.splitlines()[-1] == (
        "run: scrubjay annotate notes --out out --model es-fast"
    )
    write_notes(place, ENGLISH)
    assert run("deid") == 0
    assert "run: " not in capsys.readouterr().err


def test_no_call_is_told_that_would_have_the_others_read_by_a_strange_model(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ship_spanish(place)
    write_notes(place, f"{ENGLISH} She is on the ward with her mother.", count=15)
    (place / "notes" / "s1.txt").write_text(SPANISH)
    assert run("deid", "--strict-language") == 0
    told = capsys.readouterr().err
    assert "of 16 documents 1 looks to be in Spanish ('s1'). Most of its PHI" in told
    assert "Run it alone, not the others, into another folder: with --model es-fast" in told
    assert "run: " not in told
    for number in range(15):
        (place / "notes" / f"{number}.txt").write_text(SPANISH if number else ENGLISH * 2)
    (place / "notes" / "x.txt").write_text(f"{ENGLISH} She is on the ward with her mother.")
    assert run("deid", "--strict-language") == 2
    told = capsys.readouterr().err
    assert "the first documents look to be in Spanish; nothing was written" in told
    assert "Run those alone, not the others, into another folder: with --model es-fast" in told
    assert "Run: " not in told


def test_a_strange_language_stops_a_strict_run_before_it_writes(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ship_spanish(place)
    write_notes(place, SPANISH)
    assert run("deid", "--strict-language") == 2
    told = capsys.readouterr().err
    assert "the first documents look to be in Spanish; nothing was written" in told
    assert "Run: scrubjay deid notes --out out --strict-language --model es-fast" in told
    assert not (place / "out").exists()
    assert run("deid", "--strict-language", "--model", "es-fast") == 0
    write_notes(place, DUTCH)
    assert run("deid", "--strict-language") == 2
    assert "No model that ships reads Dutch" in capsys.readouterr().err
    write_notes(place, ENGLISH)
    assert run("deid", "--strict-language") == 0


def test_a_stream_cannot_be_looked_at_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SPANISH.encode())))
    assert cli.run(["deid", "-", "--strict-language"]) == 2
    assert "Give files or folders" in capsys.readouterr().err
