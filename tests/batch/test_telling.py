"""Ids, names of files and kept columns that tell what was found in their own texts."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from scrubjay.batch._telling import _shown, telling_of
from scrubjay.batch.metadata import kept_values
from scrubjay.corpora import read_corpus
from scrubjay.document import Document, Span
from scrubjay.transform.surrogates.draw import fold, row_of_fold

TEXT = "Margaret Holloway-Pérez, MRN 4471820, aged 77, seen 2019 in Ward 7. Ann. 617-555-0142"
FOUND = (
    Span(0, 23, "PATIENT"), Span(29, 36, "MEDICALRECORD"), Span(43, 45, "AGE"),
    Span(52, 56, "DATE"), Span(68, 71, "PATIENT"), Span(73, 85, "PHONE"),
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
        ("617.555.0142", True),
        ("call-617-555-0142-b", True),
        ("617-555", False),
        ("", False),
    ],
)
def test_an_id_tells_by_a_word_of_a_name_or_by_a_whole_number(name: str, expected: bool) -> None:
    document = Document(name, TEXT)
    assert bool([*telling_of(document, FOUND, [("id", name)])]) is expected
    assert not [*telling_of(document, (), [("id", name)])]


@pytest.mark.parametrize(
    ("mention", "value", "expected"),
    [
        ("Ann Lee", "Lee, Ann", True),
        ("Ann Lee", "LEE, ANN", True),
        ("Dr. Ann Lee", "ann lee", True),
        ("Ann Lee", "Lee, Sue, Ann", True),
        ("Ann Q. Lee", "LEE ANN", True),
        ("S. Au", "Au, S", True),
        ("Lee", "Lee", True),
        ("Lee", "lee side", False),
        ("Ann Lee", "Ann", False),
        ("Ann Lee", "annlee", False),
        ("Ed", "ED", False),
        ("S. Au", "Au", False),
    ],
)
def test_a_name_of_short_words_is_told_by_all_of_them(
    mention: str, value: str, expected: bool
) -> None:
    document = Document("a", f"{mention} called. Ann Lee, Sue.")
    found = (Span(0, len(mention), "DOCTOR"),)
    assert bool([*telling_of(document, found, [("author", value)])]) is expected


@given(
    value=st.lists(
        st.sampled_from(["Margaret", "PÉREZ", "4471820", "617", "555-0142", "-", "a"])
    ).map(" ".join)
)
def test_the_first_look_passes_over_nothing_that_is_shown(value: str) -> None:
    row = row_of_fold(fold(value))
    shown = any(_shown(TEXT[span.start : span.end], span.label, row) for span in FOUND)
    assert bool([*telling_of(Document("", TEXT), FOUND, [("x", value)])]) is shown


def test_kept_values_are_called_by_names_that_may_be_shown() -> None:
    columns = {"nr": "7", "Mr. Lee came in.": "x", "ward": 3, "lab_1": None, "other": "y"}
    document = Document("7", "", metadata={"columns": columns, "source.names": {"id": "nr"}})
    assert [*kept_values(document, ("lab_1", "*e*", "w*", "nr"))] == [
        ("*e*", "x"), ("ward", "3"), ("lab_1", ""), ("*e*", "y"),
    ]  # fmt: skip
    assert [*kept_values(document, ())] == [*kept_values(Document("7", ""), ("*",))] == []


def test_kept_times_of_a_zone_that_is_not_known_here_are_numbers(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    times = arrow.array([1], arrow.timestamp("us", tz="GMT+02:00"))
    inside = arrow.StructArray.from_arrays([times], ["at"])
    table = arrow.table({"id": ["1"], "text": ["x"], "at": times, "what": inside, "b": ["y"]})
    parquet.write_table(table, tmp_path / "notes.parquet")
    (document,) = read_corpus(tmp_path / "notes.parquet")
    assert [*kept_values(document, ("at", "what", "b"))] == [("at", "1"), ("b", "y")]


@pytest.mark.parametrize("error", [KeyError, ValueError, OverflowError, NotImplementedError])
def test_what_python_cannot_have_inside_of_a_value_is_one_error(error: type[Exception]) -> None:
    arrow = pytest.importorskip("pyarrow")
    from scrubjay.corpora.arrow import as_python

    class Scalar:
        type = arrow.struct([("at", arrow.timestamp("us", tz="GMT+02:00"))])

        def as_py(self) -> None:
            raise error

        __str__ = as_py

    with pytest.raises(LookupError, match="has no equal"):
        as_python(Scalar())


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


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_a_run_counts_rows_whose_kept_columns_tell(
    tmp_path: Path, suffix: str, workers: int
) -> None:
    from scrubjay.cli.main import app

    rows = [
        {"id": str(n), "text": f"Patient: Margaret {name}\nMRN: 4471820\n", "who": who, "nr": nr}
        for n, (name, who, nr) in enumerate(
            [
                ("Holloway", "HOLLOWAY, M.", 4471820), ("Holloway", "Tranter", 17),
                ("Tranter", "Tranter", 4471820), ("Tranter", "Holloway", 4471821),
            ]
        )
    ]  # fmt: skip
    table = tmp_path / f"notes.{suffix}"
    write_table(table, rows)
    result = CliRunner().invoke(
        app,
        ["deid", str(table), "--model", "en-fast", "--out", str(tmp_path / "out"),
         "--keep-column", "who", "--keep-column", "n*", "--workers", str(workers),
         "--summary", str(tmp_path / "summary.json")],
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["telling_columns"] == {"n*": 2, "who": 2}
    assert "'n*' in 2 rows, 'who' in 2 rows" in result.stderr
    assert "Holloway" not in result.stderr


def write_table(path: Path, rows: list[dict[str, Any]]) -> None:
    if path.suffix == ".csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        arrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.Table.from_pylist(rows), path)
