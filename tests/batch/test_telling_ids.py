"""Ids and names of files that tell what was found in their own texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scrubjay.batch._telling_ids import tells_mention
from scrubjay.document import Document, Span

TEXT = "Margaret Holloway-Pérez, MRN 4471820, aged 77, seen 2019 in Ward 7. Ann."
FOUND = (
    Span(0, 23, "PATIENT"), Span(29, 36, "MEDICALRECORD"), Span(43, 45, "AGE"),
    Span(52, 56, "DATE"), Span(68, 71, "PATIENT"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Margaret Holloway-Pérez", True),
        ("note_holloway_2", True),
        ("PEREZ-17", True),
        ("4471820", True),
        ("mrn-4471820-b", True),
        ("n-000123", False),
        ("44718", False),
        ("hollow-way", False),
        ("ann-77", False),
        ("2019-note", False),
        ("", False),
    ],
)
def test_an_id_tells_by_a_word_of_a_name_or_by_a_whole_number(name: str, expected: bool) -> None:
    assert tells_mention(Document(name, TEXT), FOUND) is expected
    assert not tells_mention(Document(name, TEXT), ())


def test_a_run_warns_of_names_of_files_and_counts_them(tmp_path: Path) -> None:
    from scrubjay.cli.main import app

    notes = tmp_path / "notes"
    notes.mkdir()
    for name in ("holloway", "other"):
        (notes / f"{name}.txt").write_text("Patient: Margaret Holloway\nMRN: 4471820\n")
    out, summary = tmp_path / "out", tmp_path / "summary.json"
    result = CliRunner().invoke(
        app,
        ["deid", str(notes), "--model", "en-fast", "--out", str(out), "--summary", str(summary)],
    )
    assert result.exit_code == 0, result.output
    assert json.loads(summary.read_text())["telling_ids"] == 1
    assert "the id or file name of 1 document holds" in result.stderr
    assert "Holloway" not in result.stderr
