"""Which columns a run has read, and whether they hold notes at all."""

from __future__ import annotations

from typing import Any

import pytest

from scrubjay.batch.rows import RowsRead, is_slight
from scrubjay.batch.summary import RunSummary
from scrubjay.document import Document


def row(content: str, *, format: str = "csv", **names: Any) -> Document:
    told = {"text": "note", "id": "nr", "spans": None, "more": (), **names}
    return Document("d", content, (), {"source.names": told, "source.format": format})


@pytest.mark.parametrize(
    "text",
    ["", " \n", "17", "2024-01-03 10:00:00 UTC", "Mill, Ann", "12 34 56 78 90", "Progress note"],
)
def test_numbers_and_a_word_or_two_are_slight(text: str) -> None:
    assert is_slight(text)


@pytest.mark.parametrize("text", ["Seen by Lee.", "x" * 41, "1 " * 30, "頭痛" * 30])
def test_what_may_be_a_note_is_not(text: str) -> None:
    assert not is_slight(text)


def test_columns_are_told_once_and_in_order() -> None:
    rows = RowsRead()
    for each in (row("7"), row("Seen by Lee."), row("", text="plan", id=None, more=("more",))):
        rows.note(each)
    rows.note(Document("d", "a note without columns"))
    assert rows.to_json() == {
        "text": ["note", "plan", "more"],
        "id": ["nr"],
        "delimiter": [","],
        "rows": 3,
        "slight": 2,
        "left_out": [],
        "left_out_others": 0,
    }
    assert (rows.to_json(delimiter="tab") or {})["delimiter"] == ["\t"]


def test_columns_that_are_left_out_are_counted_and_named_where_they_are_no_data() -> None:
    rows = RowsRead()
    others = {"nr": "d", "ward": "North", "Jan Smith": "x", "lab_hb": "7"}
    layout = ["nr", "note", "ward", "Jan Smith", "lab_hb", "spans"]
    document = row("Seen by Lee.")
    metadata = {**document.metadata, "columns": others, "source.columns": layout}
    rows.note(Document("d", document.text, (), metadata))
    rows.note(Document("e", document.text, (), metadata))
    assert rows.left_out(()) == (["lab_hb", "ward"], 1)
    assert rows.left_out(["lab_*"]) == (["ward"], 1)
    assert rows.left_out(["*"]) == ([], 0)
    told = rows.to_json(kept=["ward"]) or {}
    assert (told["left_out"], told["left_out_others"]) == (["lab_hb"], 1)
    told = rows.to_json() or {}  # all are kept
    assert (told["left_out"], told["left_out_others"]) == ([], 0)


def test_keys_of_records_without_a_layout_are_noted_as_they_come() -> None:
    rows = RowsRead()
    for name in ("ward", "mrn"):
        document = row("Seen by Lee.", format="jsonl")
        metadata = {**document.metadata, "columns": {name: "1"}}
        rows.note(Document("d", document.text, (), metadata))
    rows.note(row("Seen by Lee.", format="jsonl"))
    assert rows.left_out(()) == (["mrn", "ward"], 0)


def test_only_tables_of_text_have_a_delimiter() -> None:
    for format, mark in (("tsv", ["\t"]), ("parquet", []), ("jsonl", [])):
        rows = RowsRead()
        rows.note(row("7", format=format))
        assert (rows.to_json() or {})["delimiter"] == mark
    assert RowsRead().to_json() is None


def summary(rows: int, slight: int, **facts: Any) -> RunSummary:
    columns = {"text": ["note"], "id": [], "delimiter": [","], "rows": rows, "slight": slight}
    return RunSummary("deid", rows, 9, {}, (), 1.0, "toy", "mask", "o", columns=columns, **facts)


def test_a_table_of_nearly_no_texts_is_strange() -> None:
    assert summary(100, 95).slight == 95
    assert summary(100, 94).slight == 0
    assert summary(1, 1).slight == 1
    assert RunSummary("deid", 1, 9, {}, (), 1.0, "toy", "mask", "o").slight == 0


def test_the_column_of_the_patient_is_told_and_no_pattern() -> None:
    for key, told in (("subject", ["subject"]), ("id:(.+)-", []), (None, [])):
        facts = summary(1, 0, facts={"patient_key": key}).to_json()
        assert facts["columns"]["patient"] == told
