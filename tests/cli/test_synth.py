"""`scrubjay synth` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.cli import main as cli
from scrubjay.corpora import read_corpus
from scrubjay.synthesis.generation import generate
from scrubjay.synthesis.noise import noise_rates


@pytest.mark.parametrize("format", ["brat", "jsonl", "i2b2", "inline"])
def test_notes_survive_the_round_trip(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    call = ["synth", "--language", "en", "--count", "40", "--seed", "3", "--format", format]
    call += ["--noise", "1", "--traps", "0.5", "--out", str(tmp_path / "out")]
    assert cli.run(call) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "40 notes" in shown.err
    made = list(generate("en", 40, 3, noise=noise_rates("1"), traps=0.5))
    read = sorted(read_corpus(tmp_path / "out"), key=lambda note: note.id)
    assert [(note.text, note.spans) for note in read] == [(n.text, n.spans) for n in made]


def test_checking_templates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["synth", "--language", "en", "--check"]
    assert cli.run(call) == 0
    assert ", 0 errors, " in capsys.readouterr().err
    (tmp_path / "a.txt").write_text("=== document x\nDr. {docter}\n")
    assert cli.run([*call, "--templates", str(tmp_path)]) == 2
    shown = capsys.readouterr()
    assert f"{tmp_path / 'a.txt'}:2: {{docter}}: there is no slot 'docter'" in shown.out
    assert "1 errors" in shown.err


def test_genres_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["synth", "--language", "xx", "--list-genres"]) == 2
    assert "no templates for the language 'xx'" in capsys.readouterr().err
    assert cli.run(["synth", "--language", "nl", "--list-genres"]) == 0
    first, header, *rows = capsys.readouterr().out.splitlines()
    assert (first, header) == ("# genres", "genre\ttemplates")
    genres = [row.split("\t")[0] for row in rows]
    assert "verwijsbrief" in genres
    call = ["synth", "--language", "nl", "--count", "1", "--genre", genres[0]]
    assert cli.run([*call, "--out", str(tmp_path / "out")]) == 0
    (tmp_path / "a.txt").write_text("=== document x\na\n=== document x\nb\n")
    call = ["synth", "--language", "en", "--list-genres", "--templates", str(tmp_path)]
    capsys.readouterr()
    assert cli.run(call) == 0
    assert capsys.readouterr().out.splitlines()[2:] == ["x\t2"]


def test_genres_of_all_languages_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["synth", "--list-genres"]) == 0
    titles = [line for line in capsys.readouterr().out.splitlines() if line.startswith("#")]
    assert titles == ["# genres, en", "# genres, es", "# genres, nl"]
    assert cli.run(["synth", "--list-genres", "--templates", str(tmp_path)]) == 2
    assert "the language of the templates is not named" in capsys.readouterr().err
    assert cli.run(["synth", "--out", str(tmp_path / "out")]) == 2
    assert "Give --language en or es or nl" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_templates_and_lists_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("=== document x\nDr. {doctor.last} saw {doctor:2.last}.\n")
    (tmp_path / "names").write_text("# names\nTestname\n")
    call = ["synth", "--language", "en", "--count", "2", "--templates", str(tmp_path)]
    call += ["--names-file", str(tmp_path / "names"), "--format", "text"]
    assert cli.run([*call, "--out", str(tmp_path / "out")]) == 0
    texts = [file.read_text() for file in (tmp_path / "out").iterdir()]
    assert len(texts) == 2
    assert all("Testname saw Testname" in text or "-" in text or "Testname T" in text
               for text in texts)  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--language", "fr", "--out", "o"], "there are no templates for the language 'fr'"),
        (["--language", "en", "--out", "o", "--genre", "x-ray"], "there is no genre 'x-ray'"),
        (["--language", "en"], "there is no place to write"),
        (["--language", "en", "--out", "o", "--names-file", "empty"], "names empty is empty"),
        (["--language", "en", "--out", "o", "--names-file", "cities=no"], "no: cannot be read"),
        (["--language", "en", "--out", "o", "--names-file", "x=empty2"], "there is no list 'x'"),
        (["--language", "en", "--out", "o", "--noise", "-1"], "noise must be from 0 to 10"),
        (["--language", "en", "--out", "o", "--names", "both"], "is not one of 'all'"),
        (["--language", "en", "--out", "o", "--format", "docx"], "unknown format 'docx'"),
        (["--language", "en", "--out", "o", "--templates", "no"], "no: is no folder of templates"),
    ],
)
def test_bad_input_writes_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").write_text("\n# only a comment\n\n")
    Path("empty2").write_text("x\n")
    assert cli.run(["synth", "--count", "1", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not Path("o").exists()
