"""`scrubjay corpus`: `stats`, `split`, `swap` and `recase`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.cli.main import run
from scrubjay.corpora import read_corpus
from tests.cli.conftest import Refusal


def test_stats_show_tables(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["corpus", "stats", str(fixtures / "en-notes" / "brat")]) == 0
    shown = capsys.readouterr().out
    assert "documents\t3\n" in shown
    assert "label set\ti2b2-2014\n" in shown
    assert [line.split("\t")[0] for line in shown.splitlines()][-4:] == [
        "whitespace",
        "wi-deid",
        "jiang",
        "subword",
    ]


def test_stats_as_json(fixtures: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    corpus = str(fixtures / "nl-notes")
    chosen = ["--tokenizer", "jiang", "--format", "brat", "--label-set", "trienes-2020"]
    assert run(["corpus", "stats", corpus, *chosen, "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["documents"] == 2
    assert [entry["name"] for entry in found["tokenizers"]] == ["jiang"]
    target = tmp_path / "counts.json"
    assert run(["corpus", "stats", corpus, *chosen, "--json", str(target)]) == 0
    assert json.loads(target.read_text(encoding="utf-8")) == found
    assert capsys.readouterr().out.startswith("# Corpus")


@pytest.mark.parametrize(
    "options",
    [
        ["--tokenizer", "spacy"],
        ["--format", "word"],
        ["--label-set", "meddocan"],
        ["--json", "missing/counts.json"],
        ["--json", "."],
    ],
)
def test_bad_options_of_stats(fixtures: Path, refusal: Refusal, options: list[str]) -> None:
    refusal("corpus", "stats", str(fixtures / "en-notes" / "brat"), *options)


def test_stats_never_write_into_the_corpus(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.txt").write_text("Ann", encoding="utf-8")
    assert run(["corpus", "stats", str(corpus), "--json", str(corpus / "a.json")]) == 2
    assert [path.name for path in corpus.iterdir()] == ["a.txt"]
    assert "part of the input" in capsys.readouterr().err


def test_split_writes_folders(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = str(fixtures / "en-notes" / "brat")
    out = tmp_path / "out"
    parts = ["--parts", "train=2/3,dev=1/3"]
    assert run(["corpus", "split", corpus, "--out", str(out), *parts, "--seed", "4"]) == 0
    record = json.loads((out / "split.json").read_text(encoding="utf-8"))
    assert (record["by"], record["seed"]) == ("patient", 4)
    assert len(list((out / "train").glob("*.ann"))) == 2
    assert "train\t2\t2\t66.7%" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [
        ["--parts", "train=0.5"],
        ["--by", "ward"],
        ["--patient-key", "mrn"],
        ["--parts", "a=0.25,b=0.25,c=0.25,d=0.25"],
    ],
)
def test_bad_options_of_split(fixtures: Path, refusal: Refusal, options: list[str]) -> None:
    refusal("corpus", "split", str(fixtures / "en-notes" / "brat"), "--out", "out", *options)


def test_swap_writes_copies_alone(
    fixtures: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    corpus, out = fixtures / "en-notes" / "brat", tmp_path / "copies"
    chosen = ["corpus", "swap", str(corpus), "--out", str(out), "--copies", "2", "--seed", "3"]
    assert run(chosen) == 0
    assert "6 documents" in capsys.readouterr().err
    copies = {document.id: document for document in read_corpus(out)}
    for document in read_corpus(corpus):
        for number in (1, 2):
            copy = copies.pop(f"{document.id}~{number}")
            assert [span.label for span in copy.spans] == [span.label for span in document.spans]
            assert copy.text != document.text
    assert not copies
    assert run(chosen) == 2
    assert "already" in capsys.readouterr().err
    assert run([*chosen, "--language", "xx"]) == 2


def test_swap_of_notes_without_labels_writes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text("Seen by Dr. Quillfeather.", encoding="utf-8")
    out = tmp_path / "copies"
    assert run(["corpus", "swap", str(tmp_path / "note.txt"), "--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert "scrubjay deid" in told
    assert "Quillfeather" not in told
    assert not out.exists()


def test_recase_writes_copies_alone(
    fixtures: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    corpus, out = fixtures / "en-notes" / "brat", tmp_path / "copies"
    chosen = ["corpus", "recase", str(corpus), "--out", str(out), "--copies", "2", "--seed", "3"]
    assert run(chosen) == 0
    assert "6 documents" in capsys.readouterr().err
    copies = {document.id: document for document in read_corpus(out)}
    for document in read_corpus(corpus):
        for number in (1, 2):
            copy = copies.pop(f"{document.id}~{number}")
            assert copy.spans == document.spans
            assert copy.text.casefold() == document.text.casefold()
    assert not copies
    assert run(chosen) == 2
    assert "already" in capsys.readouterr().err
    assert run([*chosen[:-4], "--share", "1.5"]) == 2


def test_recase_takes_a_share_and_another_format(
    fixtures: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    corpus, out = fixtures / "en-notes" / "brat", tmp_path / "copies"
    chosen = ["corpus", "recase", str(corpus), "--out", str(out), "--to", "brat"]
    assert run([*chosen, "--share", "0"]) == 0
    assert "0 documents" in capsys.readouterr().err
    other = tmp_path / "all"
    assert run([*chosen[:4], str(other), *chosen[5:], "--label-set", "i2b2-2014"]) == 0
    assert len(list(other.rglob("*.ann"))) == 3


def test_recase_of_notes_without_labels_writes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text("Seen by Dr. Quillfeather.", encoding="utf-8")
    out = tmp_path / "copies"
    assert run(["corpus", "recase", str(tmp_path / "note.txt"), "--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert "labelled corpus" in told
    assert "Quillfeather" not in told
    assert not out.exists()
