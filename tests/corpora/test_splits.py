"""Splits: exact shares, patients kept together, the same on every machine."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.corpora.splits import (
    Share,
    assign_parts,
    parse_parts,
    patient_finder,
    plan_split,
    read_together,
    require_split_unit,
    split_corpus,
)
from scrubjay.document import Document, Span
from scrubjay.errors import (
    ConfigError,
    EncodingError,
    InputError,
    NoPatientError,
    OutputError,
)

PARTS = parse_parts("train=0.6,dev=0.2,test=0.2")


def _corpus(patients: int = 10, each: int = 3) -> list[Document]:
    return [
        Document(f"{patient:03d}-{number:02d}", f"Note {number}\r\nAnn.", (Span(8, 11, "PATIENT"),))
        for patient in range(patients)
        for number in range(1, each + 1)
    ]


def _patient(name: str) -> str:
    return name.rsplit("-", 1)[0]


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("train=0.6,dev=0.2,test=0.2", [("train", "3/5"), ("dev", "1/5"), ("test", "1/5")]),
        (" a = 1/3, b=2/3", [("a", "1/3"), ("b", "2/3")]),
        ("all=1", [("all", "1")]),
    ],
)
def test_parse_parts(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(part.name, str(part.share)) for part in parse_parts(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "train",
        "train=",
        "=1",
        "train=x,dev=0.5",
        "train=0.6,dev=0.5",
        "train=0.5,Train=0.5",
        "a=1.5,b=-0.5",
        "a=0,b=1",
        "../a=1",
        ".a=1",
        "a/b=1",
        "a=1/0",
        "a=nan",
        "a=inf",
    ],
)
def test_bad_parts_are_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_parts(text)


def test_a_patient_is_never_parted() -> None:
    corpus = _corpus()
    split = plan_split(corpus, PARTS, seed=3)
    owners = {part.name: {_patient(name) for name in part.ids} for part in split.parts}
    assert owners["train"] | owners["dev"] | owners["test"] == {_patient(d.id) for d in corpus}
    assert sum(map(len, owners.values())) == 10
    assert [len(part.ids) for part in split.parts] == [18, 6, 6]
    assert [part.groups for part in split.parts] == [6, 2, 2]


def test_a_split_by_document_has_exact_shares() -> None:
    split = plan_split(_corpus(5, 2), PARTS, by="document")
    assert [len(part.ids) for part in split.parts] == [6, 2, 2]
    assert split.patient_key is None


def test_the_split_is_the_same_on_every_machine() -> None:
    split = plan_split(_corpus(), PARTS, seed=7)
    assert [sorted({_patient(name) for name in part.ids}) for part in split.parts] == [
        ["000", "001", "002", "003", "004", "005"],
        ["008", "009"],
        ["006", "007"],
    ]
    shuffled = _corpus()
    random.Random(1).shuffle(shuffled)
    assert plan_split(shuffled, PARTS, seed=7) == split
    assert plan_split(shuffled, PARTS, seed=8) != split


@given(
    sizes=st.lists(st.integers(1, 6), min_size=1, max_size=15),
    shares=st.lists(st.integers(1, 9), min_size=1, max_size=4),
    seed=st.integers(),
)
@settings(max_examples=100)
def test_parts_come_near_their_shares(sizes: list[int], shares: list[int], seed: int) -> None:
    groups = {f"{g}-{n}": f"patient {g}" for g, size in enumerate(sizes) for n in range(size)}
    parts = [Share(f"p{i}", Fraction(share, sum(shares))) for i, share in enumerate(shares)]
    assigned = assign_parts(groups, parts, seed=seed)
    assert assigned.keys() == set(groups.values())
    found = Counter(assigned[group] for group in groups.values())
    for part in parts:
        assert found[part.name] < part.share * len(groups) + max(sizes)


def test_patients_from_metadata_and_columns() -> None:
    document = Document("x", "text", metadata={"patient": 7, "columns": {"mrn": "A1", "none": ""}})
    assert patient_finder("patient")(document) == "7"
    assert patient_finder("mrn")(document) == "A1"
    assert patient_finder("id:.")(document) == "x"
    for key in ("ward", "none", "columns"):
        with pytest.raises(InputError, match="'x'"):
            patient_finder(key)(document)


@pytest.mark.parametrize(
    ("value", "patient"), [(17.0, "17"), (Decimal("17.00"), "17"), (17.5, "17.5"), ("17.0", "17.0")]
)
def test_a_column_of_floats_has_the_patients_of_one_of_whole_numbers(
    value: object, patient: str
) -> None:
    document = Document("x", "text", metadata={"columns": {"who": value, "none": math.nan}})
    assert patient_finder("who")(document) == patient
    with pytest.raises(InputError, match="'x'"):
        patient_finder("none")(document)


def test_an_id_without_a_patient_is_an_error() -> None:
    with pytest.raises(InputError, match=r"'note7'.* or split by document with --by document"):
        plan_split([Document("note7", "text")], PARTS)


def test_a_broken_expression_is_told_with_its_place_and_an_example() -> None:
    with pytest.raises(ConfigError) as raised:
        patient_finder("id:(.+-[0-9]+")
    assert str(raised.value) == (
        "the patient key is no regular expression: missing ), unterminated subpattern, at "
        "character 1 of '(.+-[0-9]+'. It must match whole ids, and its first group is what "
        "counts: 'id:(.+)-[^-]+' takes 17 from 17-03"
    )
    with pytest.raises(ConfigError, match="too large"):
        patient_finder("id:a{99999999999999999999}")


def test_who_tells_no_patient_is_told_by_an_error_of_its_own() -> None:
    document = Document("17", "text")
    with pytest.raises(NoPatientError, match=r"by the pattern '\(\.\+\)-\.'.*takes 17 from 17-03"):
        patient_finder("id:(.+)-.")(document)
    with pytest.raises(NoPatientError, match=r"under '\(\.\+\)-\.'.*begins with id:"):
        patient_finder("(.+)-.")(document)


def test_an_empty_part_is_an_error() -> None:
    with pytest.raises(InputError, match="'dev'"):
        plan_split(_corpus(1, 9), PARTS)
    with pytest.raises(InputError):
        plan_split([], PARTS)


def test_where_one_patient_has_all_the_way_out_is_told() -> None:
    corpus = [Document(f"note-{number:02d}", "text") for number in range(60)]
    alike = r"60 documents in 1 group\. What stands before the last hyphen of an id was taken as "
    with pytest.raises(InputError, match=alike) as caught:
        plan_split(corpus, PARTS)
    assert "another with --patient-key, or split by document with --by document" in str(
        caught.value
    )
    with pytest.raises(InputError, match=r"The key 'id:\(n\)\.\+' took the patient") as caught:
        plan_split(corpus, PARTS, patient_key="id:(n).+")
    assert "--by document" in str(caught.value)
    assert len(plan_split(corpus, PARTS, by="document").parts) == len(PARTS)
    for few in (corpus[:1], [Document("a-1", ""), Document("b-1", "")]):
        with pytest.raises(InputError) as caught:
            plan_split(few, PARTS)
        assert "--by" not in str(caught.value)


@pytest.mark.parametrize("format", ["brat", "i2b2", "jsonl", "csv"])
def test_the_parts_keep_format_and_documents(tmp_path: Path, format: str) -> None:
    source = tmp_path / "in"
    corpus = _corpus()
    write_corpus(corpus, source, format=format)
    split = split_corpus(source, tmp_path / "out", parts=PARTS, seed=1)
    record = json.loads((tmp_path / "out" / "split.json").read_text(encoding="utf-8"))
    assert record == split.to_json()
    found = {}
    for name in ("train", "dev", "test"):
        documents = list(read_corpus(tmp_path / "out" / name, format=format))
        assert sorted(document.id for document in documents) == record["parts"][name]["ids"]
        found.update({document.id: (document.text, document.spans) for document in documents})
    assert found == {document.id: (document.text, document.spans) for document in corpus}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "dev",
        "split.json",
        "test",
        "train",
    ]


def test_files_of_the_parts_are_those_of_the_corpus(fixtures: Path, tmp_path: Path) -> None:
    source = fixtures / "en-notes" / "brat"
    out = tmp_path / "out"
    split_corpus(source, out, parts=parse_parts("a=1/3,b=2/3"), by="document")
    parted = {Path(name).name: data for name, data in _files(out).items() if name != "split.json"}
    assert parted == _files(source)


def test_the_same_call_writes_the_same_bytes(tmp_path: Path) -> None:
    write_corpus(_corpus(), tmp_path / "in", format="jsonl")
    for name in ("one", "two"):
        split_corpus(tmp_path / "in", tmp_path / name, parts=PARTS, seed=5)
    assert _files(tmp_path / "one") == _files(tmp_path / "two")


def test_a_failing_split_leaves_nothing(tmp_path: Path) -> None:
    source = tmp_path / "in"
    write_corpus(_corpus(1, 1), source, format="jsonl")
    with pytest.raises(InputError):
        split_corpus(source, tmp_path / "out", parts=PARTS)
    (source / "documents.jsonl").write_bytes(b'{"id": 1}\n')
    with pytest.raises(InputError):
        split_corpus(source, tmp_path / "out", parts=PARTS, format="jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_the_output_must_be_new_and_apart(tmp_path: Path) -> None:
    source = tmp_path / "in"
    write_corpus(_corpus(), source, format="brat")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x", encoding="utf-8")
    (tmp_path / "plain").write_text("x", encoding="utf-8")
    before = _files(tmp_path)
    for out in (source, source / "deeper", tmp_path / "full", tmp_path / "plain"):
        with pytest.raises(OutputError):
            split_corpus(source, out, parts=PARTS)
    with pytest.raises(InputError):
        split_corpus("-", tmp_path / "out", parts=PARTS)
    assert _files(tmp_path) == before


def test_units_by_name() -> None:
    assert require_split_unit("patient") == "patient"
    with pytest.raises(ConfigError, match="patient, document"):
        require_split_unit("ward")


def test_documents_of_one_row_stay_together() -> None:
    documents = [Document(f"d{n}", "x") for n in range(40)]
    rows = [("corpus", f"d{n}", f"d{n + 20}", "0.9") for n in range(20)] + [("d0", "d1", "gone")]
    split = plan_split(documents, parse_parts("a=0.5,b=0.5"), by="document", together=rows)
    part_of = {name: part.name for part in split.parts for name in part.ids}
    assert set(part_of.values()) == {"a", "b"}
    for _, *names in rows:
        assert len({part_of[name] for name in names if name in part_of}) == 1
    assert len({part_of[name] for name in ("d0", "d1", "d20", "d21")}) == 1


def test_a_file_of_rows_is_read_whole_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.tsv"
    file.write_bytes(b"a\tb\t1.00\r\n\nc\td\n")
    assert read_together(file) == (("a", "b", "1.00"), ("c", "d"))
    file.write_bytes(b"a\t\xff\n")
    with pytest.raises(EncodingError, match="byte 2: not UTF-8"):
        read_together(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_together(tmp_path / "nowhere")
