"""Which model was taken without being named, and whether it reads the documents."""

from __future__ import annotations

import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.artifacts import load_artifact, save_artifact
from scrubjay.batch.resume import Journal
from scrubjay.batch.work import DeidWork
from scrubjay.cli import _languages
from scrubjay.cli import main as cli
from scrubjay.deidentifier import Deidentifier, Failure
from scrubjay.document import Document
from scrubjay.transform.policy import find_policy
from tests.toys import DateDetector, ship_toy_model

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
    assert run(command) == (command == "deid")
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
    assert run(command) == (command == "deid")
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
    assert run("deid") == 1
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
    assert run("deid", "--no-propagate", "--workers", "1") == 1
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
    assert run("deid") == 0
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


ENGLISH_NOTE = f"{ENGLISH} She is on the ward with her mother."


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_strict_run_fails_each_document_in_another_language(
    place: Path, workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ship_spanish(place)
    write_notes(place, ENGLISH_NOTE, count=60)
    (place / "notes" / "s40.txt").write_text(SPANISH)
    (place / "notes" / "s50.txt").write_text(SPANISH)
    (place / "notes" / "short.txt").write_text("Na stable.")
    arguments = ("--strict-language", "--workers", workers, "--summary", "told.json")
    assert run("deid", *arguments) == 1
    told = capsys.readouterr().err
    assert "failed: 's40' (detect: StrangeLanguageError)" in told
    assert (
        "note: the model reads English; of 63 documents 2 look to be in Spanish ('s40', 's50'), "
        "and 1 tells no language. They failed, as --strict-language has it. Run those alone" in told
    )
    assert "may have been missed" not in told
    assert not {"s40.txt", "s50.txt"} & {each.name for each in (place / "out").iterdir()}
    assert (place / "out" / "short.txt").read_text() == "Na stable."
    summary = json.loads((place / "told.json").read_text())
    assert (summary["documents"], summary["failed"], summary["strict_language"]) == (63, 2, True)
    assert [each["id"] for each in summary["failures"]] == ["s40", "s50"]
    assert run("deid") == 0  # by default they go through
    assert (place / "out" / "s40.txt").exists()


def test_a_strict_run_tells_of_documents_that_tell_no_language(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(place, "Na stable.", count=2)
    assert run("deid", "--strict-language") == 0
    told = "note: of 2 documents 2 tell no language, so that --strict-language let them through"
    assert told in capsys.readouterr().err
    assert run("deid") == 0
    assert "tell no language" not in capsys.readouterr().err


def interrupt(journal: Journal) -> None:
    raise KeyboardInterrupt


def test_a_strict_run_goes_on_as_a_strict_run_alone(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A document that was let through must not be taken over by a run that lets none through."""
    write_notes(place, ENGLISH_NOTE, count=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "publish", interrupt)
        assert run("deid", "--restart") == 130
    assert run("deid", "--resume", "--strict-language") == 2
    assert "--strict-language" in capsys.readouterr().err
    assert run("deid", "--resume") == 0


def test_the_documents_of_a_record_go_on_without_a_strange_one() -> None:
    deidentifier = Deidentifier(DateDetector(), find_policy("placeholder"), language="en")
    record = [Document("1", ENGLISH_NOTE), Document("2", SPANISH), Document("3", ENGLISH_NOTE)]
    work = DeidWork(deidentifier, strict_language=True)
    ((first, second, third),) = work.process([record])
    assert second.failure == Failure("2", "detect", "StrangeLanguageError")
    assert first.failure is None
    assert third.failure is None
    assert work.process([[record[1]]])[0][0].failure == second.failure
    # A language that nobody tells apart lets all through.
    frisian = DeidWork(replace(deidentifier, language="fy"), strict_language=True)
    assert frisian.process([[record[1]]])[0][0].failure is None


@pytest.mark.parametrize("place", ["beginning", "middle", "end"])
def test_a_piece_in_another_language_fails_a_long_document(place: str) -> None:
    own, other = f"{ENGLISH_NOTE}\n" * 40, f"{SPANISH}\n" * 15
    text = {"beginning": other + own, "middle": own + other + own, "end": own + other}[place]
    work = DeidWork(
        Deidentifier(DateDetector(), find_policy("placeholder"), language="en"),
        strict_language=True,
    )
    # A sentence that is quoted is no piece, nor are words that no language tells.
    documents = [Document("1", text), Document("2", own + SPANISH + own), Document("3", own)]
    found = [work.process([[each]])[0][0].failure for each in documents]
    assert found == [Failure("1", "detect", "StrangeLanguageError"), None, None]


def test_a_stream_is_looked_at_before_a_document_of_it_is_written(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def deid(text: str) -> int:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return cli.run(["deid", "-", "--strict-language"])

    assert deid(SPANISH) == 2
    shown = capsys.readouterr()
    assert "the first documents look to be in Spanish; nothing was written" in shown.err
    assert shown.out == ""
    assert deid(ENGLISH_NOTE) == 0
    assert capsys.readouterr().out == ENGLISH_NOTE
