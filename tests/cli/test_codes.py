"""`scrubjay deid --code-column` and `--code-ids`: codes that join, and tell nothing."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from scrubjay.transform.codes import Coder
from tests.calls import run
from tests.toys import CANARY

KEY = "0123456789abcdef0123456789abcdef"
CODER = Coder(KEY.encode())


@pytest.fixture(autouse=True)
def place(place: Path) -> Path:
    """Put a key and a table into the folder."""
    (place / "key").write_text(KEY + "\n")
    (place / "notes.csv").write_text(
        "subject,note_id,ward,visit,text\n4711,1,A,90,seen 3/4/2019\n4711,2,B,,x\n12,4711,A,90,y\n"
    )
    return place


def deid(*arguments: object, out: str = "out", key: bool = True) -> int:
    keys = ("--key-file", "key") if key else ()
    return run("deid", *arguments, *keys, "--out", out, "--model", "toy", "--summary", "run.json")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


PATIENTS = ("--patient-column", "subject", "--id-column", "note_id")
CODED = (*PATIENTS, "--code-column", "subject", "--code-column", "visit", "--code-ids")


def test_a_table_with_codes(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deid("notes.csv", *CODED, "--keep-column", "ward") == 0
    found = rows(place / "out" / "notes.csv")
    assert list(found[0]) == ["subject", "note_id", "ward", "visit", "text"]
    first, second, third = found
    assert first["subject"] == second["subject"] == CODER.code("4711", "patient")
    assert [row["note_id"] for row in found] == [
        CODER.code(n, "note_id") for n in ("1", "2", "4711")
    ]
    assert third["note_id"] != first["subject"]  # the same number, and another thing
    assert (first["visit"], second["visit"]) == (CODER.code("90", "visit"), "")
    assert "4711" not in (place / "out" / "notes.csv").read_text()
    told = json.loads((place / "run.json").read_text())
    assert told["code_columns"] == {"subject": "patient", "visit": "visit"}
    assert told["code_ids"] is True
    assert told["columns"]["left_out"] == []
    assert KEY not in json.dumps(told)
    shown = capsys.readouterr().err
    assert "written as codes, made by the key: 'subject' (patient), 'visit', the ids" in shown
    assert "nor were the ids" not in shown
    assert KEY not in shown


def test_other_tables_and_formats_have_the_same_codes(place: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table(
        {
            "pid": arrow.array([4711, 12, 12], arrow.int64()),
            "visit": arrow.array([90.0, None, 91.0]),
            "mother": arrow.array(["4711", None, "4711"]).dictionary_encode(),
            "text": ["x", "seen 3/4/2019", "y"],
            "id": arrow.array([1, 2, 3], arrow.int32()),
        }
    )
    for name, part in (("region=1/a", table.slice(0, 2)), ("region=2/b", table.slice(2))):
        path = place / "lake" / f"{name}.parquet"
        path.parent.mkdir(parents=True)
        parquet.write_table(part, path, compression="ZSTD")
    assert deid(
        "lake", "--patient-column", "pid", "--code-column", "pid", "--code-column", "visit",
        "--code-column", "mother=patient", "--code-column", "region", "--code-ids",
    ) == 0  # fmt: skip
    found = []
    for region in ("1", "2"):  # the folders are called by codes, too
        name = f"region={CODER.code(region, 'region')}/{'a' if region == '1' else 'b'}.parquet"
        with parquet.ParquetFile(place / "out" / name) as file:
            found += file.read().to_pylist()
            assert file.schema_arrow.field("pid").type == arrow.string()
            assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    assert len(list((place / "out").rglob("*.parquet"))) == 2
    ids = [CODER.code(number, "id") for number in ("1", "2", "3")]
    pid, mother = CODER.code("12"), CODER.code("4711")
    visits = [CODER.code("90", "visit"), None, CODER.code("91", "visit")]
    assert [row["id"] for row in found] == ids
    assert [row["pid"] for row in found] == [mother, pid, pid]
    assert [row["visit"] for row in found] == visits
    assert [row["mother"] for row in found] == [mother, None, mother]
    assert [row["text"] for row in found] == ["x", "seen [DATE-1]", "y"]


def test_records_with_codes(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [
        {"id": "4711-1", "text": "seen 3/4/2019", "pid": 4711, "visit": None},
        {"id": "4711-2", "text": "x", "pid": "4711", "more": {"who": "4711"}},
    ]
    (place / "n.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    assert deid(
        "n.jsonl", "--patient-key", "pid", "--code-column", "pid", "--code-column", "visit",
        "--code-ids",
    ) == 0  # fmt: skip
    written = (place / "out" / "n.jsonl").read_text()
    first, second = map(json.loads, written.splitlines())
    assert first["pid"] == second["pid"] == CODER.code("4711")
    assert (first["id"], first["visit"]) == (CODER.code("4711-1", "id"), None)
    assert "4711" not in written
    capsys.readouterr()


@pytest.mark.parametrize("stream", [False, True])
def test_a_key_that_no_record_has_is_an_error_before_anything_is_written(
    place: Path, stream: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = '{"id": "MRN-4711", "text": "x", "pid": 1}\n{"id": "2", "text": "y", "late": 1}\n'
    (place / "n.jsonl").write_text(lines)
    whence = ["-", "--format", "jsonl"] if stream else ["n.jsonl"]

    def code(*names: str) -> int:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        return deid(*whence, *[word for name in names for word in ("--code-column", name)])

    assert code("pid", "ids") == 2
    written = capsys.readouterr()
    assert "none of the first 2 records has a key 'ids' to make codes of" in written.err
    assert "written as codes" not in written.err
    assert "4711" not in written.out
    assert not (place / "out").exists() or not any((place / "out").glob("[!.]*"))
    assert code("id", "late") == 0
    assert CODER.code("MRN-4711", "id") in next((place / "out").glob("*.jsonl")).read_text()


@pytest.mark.parametrize("first", ["notes.csv", "n.jsonl"])
def test_records_are_held_to_their_keys_beside_tables(
    first: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "n.jsonl").write_text('{"id": "MRN-4711", "text": "x", "subjekt": 1}\n')
    both = (first, "n.jsonl" if first == "notes.csv" else "notes.csv")
    assert deid(*both, "--code-column", "subject", "--keep-column", "visit") == 2
    written = capsys.readouterr().err
    assert "none of 1 record has a key 'subject' to make codes of" in written
    assert not (place / "out").exists() or not any((place / "out").glob("[!.]*"))
    (place / "n.jsonl").write_text('{"id": "a", "text": "x", "subject": 4711}\n')
    assert deid(*both, "--code-column", "subject", "--keep-column", "visit") == 0
    assert "none of 1 record has a key 'visit' to keep" in capsys.readouterr().err
    assert CODER.code("4711", "subject") in (place / "out" / "n.jsonl").read_text()


def test_an_id_of_a_table_that_is_none_is_told_before_the_run(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"text": ["x"], "id": [True]}), place / "t.parquet")
    assert deid("t.parquet", "--code-ids") == 2
    assert "'id' holds bool, and codes are made of texts" in capsys.readouterr().err


def test_names_of_files_are_codes_that_join_by_patient(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("holloway-1", "seen 3/4/2019"), ("ward/holloway-2", "x")):
        path = place / "notes" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    whose = ("--patient-key", "id:(?:.*/)?(.+)-[^-]+")
    assert deid("notes", *whose, "--code-ids") == 0
    names = sorted(path.name for path in (place / "out").rglob("*"))
    patient = CODER.code("holloway")
    wanted = [CODER.code(name, "id") for name in ("holloway-1", "ward/holloway-2")]
    assert names == sorted(f"{patient}-{code}.txt" for code in wanted)
    # So what is written can be read by patient again.
    assert run("deid", "out", "--out", "again", "--model", "toy", *whose) == 0
    # In a table the patient has a column of its own, with the same code.
    (place / "one.csv").write_text("id,text,who\n1,x,holloway\n")
    assert deid("one.csv", "--patient-key", "who", "--code-column", "who", out="table") == 0
    assert rows(place / "table" / "one.csv")[0]["who"] == patient


def test_a_name_in_an_id_is_told_unless_it_is_a_code(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "notes.csv").write_text("id,text,who\nday 3/4/2019,seen 3/4/2019,x\n")
    monkeypatch.setattr("scrubjay.batch._telling.DENSE", frozenset())
    assert deid("notes.csv") == 0
    assert "or have codes with --code-ids" in capsys.readouterr().err
    assert deid("notes.csv", "--code-ids") == 0
    assert "hold words" not in capsys.readouterr().err
    assert json.loads((place / "run.json").read_text())["telling_ids"] == 0


def test_any_number_of_processes_writes_the_same(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # another process knows the models that ship, and no toy
    monkeypatch.chdir(place)
    options = (*CODED, "--keep-column", "*", "--key-file", "key", "--model", "en-fast")
    assert run("deid", "notes.csv", *options, "--out", "one") == 0
    assert run("deid", "notes.csv", *options, "--workers", 2, "--out", "two") == 0
    assert (place / "one" / "notes.csv").read_bytes() == (place / "two" / "notes.csv").read_bytes()
    assert "4711" not in (place / "one" / "notes.csv").read_text()


def test_a_run_goes_on_with_its_codes_alone(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("scrubjay.batch.sink.Sink.finish", interrupt)
        assert deid("notes.csv", *CODED) == 130
    assert deid("notes.csv", *PATIENTS, "--code-column", "subject", "--resume") == 2
    shown = capsys.readouterr().err
    assert (
        "--code-column (it was 'subject=patient', 'visit=visit', and is 'subject=patient')" in shown
    )
    assert "--code-ids (it was on, and is off)" in shown
    assert deid("notes.csv", *CODED, "--resume") == 0
    assert json.loads((place / "run.json").read_text())["resumed"] == 3
    assert rows(place / "out" / "notes.csv")[0]["subject"] == CODER.code("4711")


def test_a_vault_gives_texts_back_by_their_codes(place: Path) -> None:
    pytest.importorskip("cryptography")
    (place / "vault.key").write_text("f" * 32)
    (place / "vaults").mkdir()
    vault = ("--vault", "vaults/ward", "--vault-key", "vault.key")
    assert deid("notes.csv", *CODED, *vault) == 0
    assert run("restore", "out", "--out", "back", "--id-column", "note_id", *vault) == 0
    (first, *_) = rows(place / "back" / "notes.csv")
    assert first["text"] == "seen 3/4/2019"
    assert (first["subject"], first["note_id"]) == (CODER.code("4711"), CODER.code("1", "note_id"))


def test_a_failed_row_is_told_by_its_own_id(place: Path) -> None:
    (place / "notes.csv").write_text(f"id,text\nrow 7,{CANARY} x\n8,y\n")
    assert deid("notes.csv", "--code-ids") == 1
    told = json.loads((place / "run.json").read_text())
    assert [each["id"] for each in told["failures"]] == ["row 7"]
    (row,) = rows(place / "out" / "notes.csv")
    assert re.fullmatch("c[0-9a-f]{24}", row["id"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--code-column", "subjekt"], "no column 'subjekt' to make codes of"),
        (["--code-column", "text"], "'text' holds texts or spans"),
        (["--code-column", "ward", "--keep-column", "ward"], "as it is and as a code"),
        (["--code-column", "ward", "--code-column", "ward=x"], "names the column 'ward' twice"),
        (["--code-column", "ward="], "names no column, or no kind"),
        (["--code-ids"], "no column of ids to make codes of"),
    ],
)
def test_what_cannot_be_is_told_before_the_run(
    options: list[str], message: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deid("notes.csv", *options) == 2
    assert message in capsys.readouterr().err
    assert not (place / "out").exists()


@pytest.mark.parametrize("options", [["--code-column", "subject"], ["--code-ids"]])
def test_there_are_no_codes_without_a_key(
    options: list[str], place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deid("notes.csv", *PATIENTS, *options, key=False) == 2
    assert "codes need a key, which is missing. Give a key file" in capsys.readouterr().err


def test_what_has_no_such_ids_or_columns(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "a.txt").write_text("x")
    assert deid("a.txt", "--code-column", "ward") == 2
    assert "--code-column ward means nothing for the format text" in capsys.readouterr().err
    (place / "p.json").write_text('{"resourceType": "Patient", "id": "1"}')
    assert deid("p.json", "--format", "fhir", "--code-ids") == 2
    assert "--code-ids means nothing for the format fhir" in capsys.readouterr().err
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"text": ["x"], "raw": [b"1"]}), place / "t.parquet")
    assert deid("t.parquet", "--code-column", "raw") == 2
    assert "'raw' holds binary, and codes are made of texts" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--code-column", "who"], 0),
        (["--code-column", "whom"], 2),
        (["--code-column", "text"], 2),
        (["--code-ids"], 2),
    ],
)
def test_a_stream_is_held_to_the_same(
    options: list[str],
    code: int,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"who,text\n4711,x\n"))
    monkeypatch.setattr("sys.stdin", stream)
    keys = ("--key-file", "key", "--format", "csv", "--model", "toy")
    assert run("deid", "-", *options, *keys) == code
    written = capsysbinary.readouterr().out.decode()
    assert written == (f"who,text\n{CODER.code('4711', 'who')},x\n" if code == 0 else "")
