"""Codes in the place of ids and values: in every format, after an interrupt, and with a vault."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from scrubjay.batch.coding import Coding, read_kinds
from scrubjay.batch.input import Input
from scrubjay.batch.run import deidentify_corpus
from scrubjay.batch.sink import Output
from scrubjay.batch.summary import RunSummary
from scrubjay.batch.work import DeidWork
from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.deidentifier import Deidentifier, Failure
from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.transform.codes import Coder
from scrubjay.transform.operators import Placeholder
from scrubjay.transform.policy import Policy
from tests.formats import FREE
from tests.toys import CANARY, DateDetector, RaisingDetector

KEY = b"0123456789abcdef0123456789abcdef"
CODER = Coder(KEY)
PLAIN = Policy("plain", Placeholder("[{label}]"))
BY_ID = "id:(.+)-[^-]+"
NOTES = [
    Document("quixote77-1", "Seen 3/4/2019 by Anna.\n"),
    Document("quixote77-2", "No date here.\n"),
    Document("ward/perez9-1", "Again 10/4/2019\nand 11/4/2019.\n"),
]


def deid(
    source: Path, out: Path, coding: Coding, *, raising: bool = False, **more: object
) -> RunSummary:
    detector = RaisingDetector() if raising else DateDetector()
    return deidentify_corpus(
        Input((str(source),), **more),  # type: ignore[arg-type]
        Output(out),
        work=DeidWork(Deidentifier(detector, PLAIN), coding=coding),
        model="toy",
    )


@pytest.mark.parametrize("name", FREE)
@pytest.mark.parametrize("patient_key", ["", BY_ID])
def test_ids_are_codes_in_every_format(name: str, patient_key: str, tmp_path: Path) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    notes = NOTES if name != "nursing" else [replace(n, id=n.id.replace("/", "")) for n in NOTES]
    write_corpus(notes, tmp_path / "in", format=name)
    summary = deid(
        tmp_path / "in",
        tmp_path / "out",
        Coding(CODER, ids=True, patient_key=patient_key),
        format=name,
    )
    assert summary.exit_code == 0
    assert summary.facts["code_ids"] is True
    assert not summary.with_ids
    found = {document.id: document.text for document in read_corpus(tmp_path / "out", format=name)}
    wanted = [CODER.code(note.id, "id") for note in notes]
    if patient_key:
        patients = [CODER.code(note.id.rpartition("-")[0]) for note in notes]
        wanted = [f"{patient}-{code}" for patient, code in zip(patients, wanted, strict=True)]
        assert len(set(patients)) == 2
    elif name == "nursing":  # the format itself tells the patients
        wanted = [
            f"{CODER.code(note.id.rpartition('-')[0])}-{code}"
            for note, code in zip(notes, wanted, strict=True)
        ]
    dates = DateDetector.pattern
    assert found == {
        code: dates.sub("[DATE]", note.text) for code, note in zip(wanted, notes, strict=True)
    }
    for path in (tmp_path / "out").rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        for word in ("quixote", "perez", "ward"):
            assert word not in path.name
            assert word.encode() not in content


def test_a_failure_is_told_by_the_id_that_its_owner_knows(tmp_path: Path) -> None:
    notes = [*NOTES, Document("bad-1", f"{CANARY} x")]
    write_corpus(notes, tmp_path / "in", format="text")
    summary = deid(tmp_path / "in", tmp_path / "out", Coding(CODER, ids=True), raising=True)
    assert [failure.id for failure in summary.failures] == ["bad-1"]
    # A file that cannot be written is known to the writer by its code alone.
    (tmp_path / "out").mkdir(exist_ok=True)
    source = tmp_path / "rows.jsonl"
    source.write_text('{"id": "a\\ud800", "text": "x"}\n')
    summary = deid(source, tmp_path / "rows", Coding(CODER, (("who", "who"),)))
    assert summary.failures == (Failure("a\ud800", "write", "FileNameError"),)
    assert deid(source, tmp_path / "rows", Coding(CODER, ids=True)).failures == ()


def test_a_column_that_repeats_the_id_is_no_way_around_a_code(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("id,text,again,pat\nMRN7-1,x,MRN7-1,MRN7\n")
    deid(tmp_path / "n.csv", tmp_path / "out", Coding(CODER, (("pat", "patient"),), ids=True))
    written = (tmp_path / "out" / "n.csv").read_text()
    assert written == f"id,text,pat\n{CODER.code('MRN7-1', 'id')},x,{CODER.code('MRN7')}\n"


def test_the_id_of_a_patient_is_that_of_the_patient(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("who,text\n7,x\n")
    coding = Coding(CODER, read_kinds(["who"], patient_key="who"), patient_key="who")
    deid(tmp_path / "n.csv", tmp_path / "out", coding, options={"id_column": "who"})
    assert (tmp_path / "out" / "n.csv").read_text() == f"who,text\n{CODER.code('7')},x\n"


def test_a_kind_that_is_given_is_that_of_the_id_of_a_patient(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("who,text\n7,x\n")
    coding = Coding(CODER, read_kinds(["who=person"], patient_key="who"), patient_key="who")
    deid(tmp_path / "n.csv", tmp_path / "out", coding, options={"id_column": "who"})
    assert (tmp_path / "out" / "n.csv").read_text() == f"who,text\n{CODER.code('7', 'person')},x\n"


@pytest.mark.parametrize("kind", ["int64", "float64", "decimal", "string"])
def test_an_id_has_one_code_whatever_number_it_is(kind: str, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    types = {"decimal": arrow.decimal128(12, 4)}
    of = types.get(kind) or getattr(arrow, kind)()
    value = {"int64": 88120, "float64": 88120.0, "decimal": Decimal(88120), "string": "88120"}[kind]
    table = arrow.table({"id": arrow.array([value], of), "text": ["x"]})
    parquet.write_table(table, tmp_path / "n.parquet")
    for coding in (Coding(CODER, ids=True), Coding(CODER, (("id", "id"),))):
        assert deid(tmp_path / "n.parquet", tmp_path / "out", coding).exit_code == 0
        (row,) = parquet.read_table(tmp_path / "out" / "n.parquet").to_pylist()
        assert row["id"] == CODER.code_value(value, "id") == CODER.code("88120", "id")


def test_ids_of_records_are_coded_as_columns_are(tmp_path: Path) -> None:
    lines = ['{"id": 88120.0, "text": "x"}', '{"id": "88121.0", "text": "x"}']
    (tmp_path / "n.jsonl").write_text("\n".join(lines))
    deid(tmp_path / "n.jsonl", tmp_path / "out", Coding(CODER, ids=True))
    found = [each.id for each in read_corpus(tmp_path / "out" / "n.jsonl")]
    assert found == [CODER.code("88120", "id"), CODER.code("88121.0", "id")]


def test_a_record_whose_value_is_no_id_fails_alone(tmp_path: Path) -> None:
    values = ["true", '{"a": "quixote"}', '["quixote"]', "7", "null"]
    lines = [f'{{"id": {n}, "text": "x", "pat": {v}}}' for n, v in enumerate(values)]
    (tmp_path / "n.jsonl").write_text("\n".join(lines))
    summary = deid(tmp_path / "n.jsonl", tmp_path / "out", Coding(CODER, (("pat", "patient"),)))
    assert summary.failures == tuple(Failure(n, "transform", "NoCodeError") for n in "012")
    found = [each.metadata["columns"] for each in read_corpus(tmp_path / "out" / "n.jsonl")]
    assert found == [{"pat": CODER.code("7")}, {"pat": None}]
    assert "quixote" not in (tmp_path / "out" / "n.jsonl").read_text()


@pytest.mark.parametrize("coding", [Coding(CODER, ids=True), Coding(CODER, (("id", "id"),))])
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("jsonl", '{"id": %s, "text": "x"}'),
        ("doccano", '{"id": %s, "text": "x", "label": []}'),
        ("label-studio", '{"data": {"id": %s, "text": "x"}}'),
    ],
)
def test_a_record_whose_id_is_none_fails_alone(
    name: str, line: str, coding: Coding, tmp_path: Path
) -> None:
    if name == "label-studio" and not coding.ids:
        pytest.skip("its ids are no column")
    values = ["true", '{"a": "quixote"}', '["quixote"]', "7", "7.5", '"a"']
    lines = [line % value for value in values]
    source = tmp_path / f"n.{'json' if name == 'label-studio' else 'jsonl'}"
    source.write_text(f"[{','.join(lines)}]" if source.suffix == ".json" else "\n".join(lines))
    summary = deid(source, tmp_path / "out", coding, format=name)
    assert [(each.stage, each.code) for each in summary.failures] == [
        ("transform", "NoCodeError")
    ] * 3
    found = [each.id for each in read_corpus(tmp_path / "out" / source.name, format=name)]
    assert found == [CODER.code(each, "id") for each in ("7", "7.5", "a")]
    assert "quixote" not in (tmp_path / "out" / source.name).read_text()


@pytest.mark.parametrize(
    ("given", "kinds"),
    [
        (["a", "pat", "b=patient"], {"a": "a", "pat": "patient", "b": "patient"}),
        (["pat=person", "a=b=c"], {"pat": "person", "a=b": "c"}),
        ([], {}),
    ],
)
def test_kinds_of_columns(given: list[str], kinds: dict[str, str]) -> None:
    assert dict(read_kinds(given, patient_key="pat")) == kinds


@pytest.mark.parametrize("given", [[""], ["=x"], ["a="], ["a", "a=b"]])
def test_columns_without_a_name_or_twice(given: list[str]) -> None:
    with pytest.raises(ConfigError, match="--code-column"):
        read_kinds(given, patient_key="")
