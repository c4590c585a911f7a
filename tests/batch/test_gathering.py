"""Documents by patient: all of them, each patient's together, whatever may be held at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.batch import gathering
from scrubjay.batch.gathering import gathered
from scrubjay.batch.input import Input
from scrubjay.corpora import find_format, read_corpora, write_corpus
from scrubjay.corpora.splits import patient_finder
from scrubjay.document import Document
from scrubjay.errors import FormatError

WHOSE = patient_finder("id:([a-z]+)[0-9]+")


def grouped(documents: list[Document]) -> list[str]:
    """Return the ids by patient, as simply as can be: patients as they are met, then their own."""
    order: dict[str, list[str]] = {}
    for document in documents:
        name = document.id.rstrip("0123456789")
        order.setdefault(name or document.id, []).append(document.id)
    return [each for own in order.values() for each in own]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "c", "de", ""]), st.integers(0, 3000)), max_size=12
    ),
    st.sampled_from([1, 2500, 6000, 10**8]),
    st.sampled_from(["csv", "jsonl", "text", "parquet"]),
)
def test_each_comes_once_beside_the_others_of_its_patient(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, int]], held: int, name: str
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    notes = [Document(f"{who}{number}", "x" * size) for number, (who, size) in enumerate(rows)]
    if not notes:
        return
    write_corpus(notes, folder / "in", format=name)
    plain = list(read_corpora([folder / "in"], format=name))
    found = list(gathered([(folder / "in", name)], WHOSE, options={}, held=held))
    assert [document.id for document in found] == grouped(plain)
    texts = {document.id: document.text for document in plain}
    assert {document.id: document.text for document in found} == texts
    assert {document.metadata["source.path"] for document in found} == {
        document.metadata["source.path"] for document in plain
    }


def test_no_more_is_held_than_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = [Document(f"{'abcd'[n % 4]}{n}", "x" * 1000) for n in range(40)]
    write_corpus(notes, tmp_path / "in", format="csv")
    readings, kept, most = 0, 0, 0
    read, alone = gathering._read, gathering._alone

    def reading(*arguments: Any) -> Iterator[Document]:
        nonlocal readings, kept
        readings, kept = readings + 1, 0
        yield from read(*arguments)

    def keeping(document: Document) -> Document:
        nonlocal kept, most
        kept += 1
        most = max(most, kept)
        return alone(document)

    monkeypatch.setattr(gathering, "_read", reading)
    monkeypatch.setattr(gathering, "_alone", keeping)
    found = list(gathered([(tmp_path / "in", "csv")], WHOSE, options={}, held=41_000))
    assert [document.id for document in found] == grouped(notes)
    assert readings == 1 + 2  # one to count, and twice two patients of ten notes each
    assert most <= 21
    readings = 0
    assert len(list(gathered([(tmp_path / "in", "csv")], WHOSE, options={}))) == 40
    assert readings == 1


def test_files_of_many_documents_are_gathered_one_by_one(tmp_path: Path) -> None:
    for name, ids in (("one", "a1 b2 a3"), ("two", "b4 a5 b6")):
        notes = [Document(each, "x") for each in ids.split()]
        write_corpus(notes, tmp_path / "in" / f"{name}.csv", format="csv")
    source = Input((str(tmp_path / "in"),), gather=WHOSE)
    assert [each.id for each in source.read()] == ["a1", "a3", "b2", "b4", "b6", "a5"]
    assert source.fraction_read() is None
    paths = (str(tmp_path / "in" / "one.csv"), str(tmp_path / "in" / "one.csv"))
    with pytest.raises(FormatError, match="a second document with the id 'a1'"):
        list(Input(paths, gather=WHOSE).read())


def test_files_that_are_passed_over_are_told_once(tmp_path: Path) -> None:
    write_corpus([Document("a1", "x"), Document("b2", "x")], tmp_path / "in", format="text")
    (tmp_path / "in" / "c.docx").write_bytes(b"")
    passed: list[str] = []
    found = gathered([(tmp_path / "in", "text")], WHOSE, options={}, passed=passed.append, held=1)
    assert [each.id for each in found] == ["a1", "b2"]
    assert passed == ["c.docx"]


def test_rows_of_parquet_keep_nothing_but_themselves(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    wards = arrow.array([["A", None, "B"][n % 3] for n in range(900)]).dictionary_encode()
    ids = [f"{'abcdefg'[n % 7]}{n}" for n in range(900)]
    table = arrow.table(
        {"id": ids, "text": ["x" * 50] * 900, "ward": wards, "n": arrow.array(range(900))}
    )
    parquet.write_table(table, tmp_path / "in.parquet", row_group_size=200)
    found = list(gathered([(tmp_path / "in.parquet", "parquet")], WHOSE, options={}, held=400_000))
    assert {each.metadata["columns"].batch.num_rows for each in found} == {1}
    assert find_format("parquet").is_container
    write_corpus(found, tmp_path / "out", format="parquet")
    written = parquet.ParquetFile(tmp_path / "out" / "in.parquet")
    back = written.read()
    assert written.num_row_groups == 1
    assert back.schema.equals(table.schema)
    rows = {row["id"]: row for row in table.to_pylist()}
    assert back.to_pylist() == [rows[each.id] for each in found]
