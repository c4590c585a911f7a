"""The output of a run, read back before it is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrubjay.cli import main as cli
from scrubjay.corpora import read_corpus
from tests.toys import ship_toy_model

ROWS = [("7", "seen on 1/2/2020"), ("8", ""), ("9", 'said "no", 3/4/2019')]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ship the model `toy`, which finds dates, and make the folder the current one."""
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_input(kind: str) -> None:
    if kind == "jsonl":
        lines = [json.dumps({"nr": nr, "note": note}) for nr, note in ROWS]
    else:
        mark = "\t" if kind == "tsv" else ","
        quoted = ['"' + note.replace('"', '""') + '"' for _, note in ROWS]
        pairs = zip(ROWS, quoted, strict=True)
        lines = [mark.join(("nr", "note")), *(mark.join((nr, note)) for (nr, _), note in pairs)]
    Path(f"in.{kind}").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("source", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("to", ["csv", "tsv", "jsonl", "doccano", "label-studio", "brat", "i2b2"])
def test_columns_of_any_name_are_annotated_into_any_format(source: str, to: str) -> None:
    write_input(source)
    columns = ["--text-column", "note", "--id-column", "nr"]
    call = ["annotate", f"in.{source}", "--out", "out", "--to", to, "--model", "toy", *columns]
    assert cli.run(call) == 0
    named = to == source or to in ("csv", "tsv")
    options: dict[str, Any] = {"text_column": "note", "id_column": "nr"} if named else {}
    found = {document.id: document for document in read_corpus(Path("out"), format=to, **options)}
    if to != "doccano":  # which has no ids
        assert {name: each.text for name, each in found.items()} == dict(ROWS)
    assert sum(len(document.spans) for document in found.values()) == 2
