"""Folders of Parquet parts: partitions, marks of other programs, and the log of Delta tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrubjay.batch.coding import Coding
from scrubjay.corpora import detect_format, read_corpora, read_corpus
from scrubjay.corpora.lake import live_files
from scrubjay.corpora.splits import patient_finder
from scrubjay.errors import FormatError, NoPatientError
from scrubjay.transform.codes import Coder

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def part(path: Path, *texts: str) -> Path:
    """Write a part whose ids are the texts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(arrow.table({"id": list(texts), "text": list(texts)}), path)
    return path


def commit(folder: Path, version: int, *actions: dict[str, Any]) -> None:
    """Write one commit of the log of a Delta table."""
    log = folder / "_delta_log"
    log.mkdir(exist_ok=True)
    lines = "".join(json.dumps(action) + "\n" for action in actions)
    (log / f"{version:020}.json").write_text(lines)


def test_partitions_are_fields_of_the_rows(tmp_path: Path) -> None:
    part(tmp_path / "site=north" / "part-0.parquet", "a")
    part(tmp_path / "site=s%C3%BCd" / "year=2020" / "part-0.parquet", "b")
    (tmp_path / "_SUCCESS").write_bytes(b"")
    part(tmp_path / "_metadata.parquet", "no part")
    first, second = read_corpus(tmp_path)
    assert first.metadata["columns"] == {"id": "a", "site": "north"}
    assert second.metadata["columns"] == {"id": "b", "site": "süd", "year": "2020"}
    assert second.metadata["source.path"] == "site=s%C3%BCd/year=2020/part-0.parquet"


def test_a_partition_of_null_is_no_value(tmp_path: Path) -> None:
    for number, value in enumerate(("17", "__HIVE_DEFAULT_PARTITION__")):
        part(tmp_path / f"patient={value}" / f"{number}.parquet", f"{number}")
    known, unknown = read_corpus(tmp_path)
    find = patient_finder("patient")
    assert find(known) == "17"
    assert unknown.metadata["columns"]["patient"] is None
    with pytest.raises(NoPatientError):
        find(unknown)
    coding = Coding(Coder(b"0123456789abcdef"), (("patient", "patient"),))
    assert dict(coding.values(unknown)) == {"patient": None}
    path = coding.bare(unknown, ()).metadata["source.path"]
    assert path == "patient=__HIVE_DEFAULT_PARTITION__/1.parquet"


def test_only_live_files_of_a_delta_table_are_read(tmp_path: Path) -> None:
    for name in ("one", "two", "three", "left over"):
        part(tmp_path / f"{name}.parquet", name)
    commit(tmp_path, 0, {"metaData": {"configuration": {}}}, {"add": {"path": "one.parquet"}},
           {"add": {"path": "left%20over.parquet"}})  # fmt: skip
    commit(tmp_path, 1, {"remove": {"path": "one.parquet"}}, {"add": {"path": "two.parquet"}})
    assert detect_format(tmp_path) == "parquet"
    assert [document.id for document in read_corpus(tmp_path)] == ["left over", "two"]


def test_a_checkpoint_that_lists_files_elsewhere_is_refused(tmp_path: Path) -> None:
    # The files of the sidecar were left out, and nobody was told.
    part(tmp_path / "one.parquet", "one")
    (tmp_path / "_delta_log").mkdir()
    actions = {"add": [{"path": "one.parquet"}, None], "sidecar": [None, {"path": "x.parquet"}]}
    parquet.write_table(
        arrow.table(actions), tmp_path / "_delta_log" / f"{5:020}.checkpoint.parquet"
    )
    with pytest.raises(FormatError, match="in further files"):
        live_files(tmp_path)


@pytest.mark.parametrize("delta", [False, True])
def test_files_of_other_kinds_in_a_lake_are_told_and_its_marks_and_old_parts_are_not(
    delta: bool, tmp_path: Path
) -> None:
    for name in ("one", "two", "_old"):
        part(tmp_path / f"{name}.parquet", name)
    for name in ("letter.docx", "_SUCCESS", ".two.parquet.crc", "site=north/README"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    if delta:
        commit(tmp_path, 0, {"add": {"path": "one.parquet"}})
        commit(tmp_path, 1, {"remove": {"path": "one.parquet"}}, {"add": {"path": "two.parquet"}})
    passed: list[str] = []
    read = [document.id for document in read_corpora([tmp_path], passed=passed.append)]
    assert read == (["two"] if delta else ["one", "two"])
    assert passed == ["letter.docx", "site=north/README"]


def test_a_log_may_begin_with_a_checkpoint(tmp_path: Path) -> None:
    for name in ("one", "two"):
        part(tmp_path / f"{name}.parquet", name)
    commit(tmp_path, 4, {"remove": {"path": "one.parquet"}}, {"add": {"path": "two.parquet"}})
    kind = arrow.struct([("path", arrow.string())])
    adds = arrow.array([{"path": "one.parquet"}, None], kind)
    table = arrow.table({"add": adds})
    parquet.write_table(table, tmp_path / "_delta_log" / f"{3:020}.checkpoint.parquet")
    assert live_files(tmp_path) == ["two.parquet"]


BROKEN: dict[str, tuple[list[dict[str, Any]], str]] = {
    "deleted rows": ([{"add": {"path": "a.parquet", "deletionVector": {"x": 1}}}], "deletion vec"),
    "mapped": (
        [{"metaData": {"configuration": {"delta.columnMapping.mode": "name"}}}],
        "maps its columns",
    ),
    "absent": ([{"add": {"path": "gone.parquet"}}], r"gone\.parquet: a live file .* not there"),
    "outside": ([{"add": {"path": "../a.parquet"}}], "outside the folder"),
    "elsewhere": ([{"add": {"path": "s3://bucket/a.parquet"}}], "outside the folder"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_tables_that_cannot_be_read_as_files_are_refused(case: str, tmp_path: Path) -> None:
    part(tmp_path / "a.parquet", "a")
    actions, message = BROKEN[case]
    commit(tmp_path, 0, *actions)
    with pytest.raises(FormatError, match=message):
        list(read_corpus(tmp_path))


def test_gaps_and_tables_inside_folders_are_refused(tmp_path: Path) -> None:
    table = tmp_path / "lake" / "notes"
    part(table / "a.parquet", "a")
    commit(table, 0, {"add": {"path": "a.parquet"}})
    with pytest.raises(FormatError, match="a Delta table lies inside the folder"):
        list(read_corpus(tmp_path / "lake", format="parquet"))
    commit(table, 2, {"add": {"path": "a.parquet"}})
    with pytest.raises(FormatError, match="the Delta log has a gap"):
        list(read_corpus(table))
    (table / "_delta_log" / f"{1:020}.json").write_text("{")
    with pytest.raises(FormatError, match="line 1: not valid JSON"):
        list(read_corpus(table))
