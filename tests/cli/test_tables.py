"""`scrubjay deid` and `annotate` over tables: columns by name, exact types, parts for parts."""

from __future__ import annotations

import datetime
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from scrubjay.cli import main as cli
from scrubjay.corpora import read_corpus
from tests.calls import run
from tests.toys import CANARY

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


pytestmark = pytest.mark.usefixtures("place")


def deid(*arguments: object) -> int:
    return run("deid", *arguments, "--out", "out", "--model", "toy", "--summary", "run.json")


def write_csv(place: Path, content: str) -> Path:
    (place / "notes.csv").write_bytes(content.encode())
    return place / "notes.csv"


def test_several_columns_of_texts(place: Path) -> None:
    write_csv(place, "nr,plan,who,history\n1,come 1/2/2020,Ann,since 3/4/2019\n2,,Bob,none\n")
    assert deid("notes.csv", "--text-column", "history", "--text-column", "plan",
                "--id-column", "nr") == 0  # fmt: skip
    written = (place / "out" / "notes.csv").read_text()
    assert written == "nr,plan,history\n1,come [DATE-2],since [DATE-1]\n2,,none\n"


def test_a_table_of_excel_keeps_its_mark_and_line_ends(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_csv(place, '\ufeffid,text,ward\r\n1,"seen\non 1/2/2020",A\r\n2,b,C\r\n')
    expected = '\ufeffid,text,ward\r\n1,"seen\non [DATE-1]",A\r\n2,b,C\r\n'.encode()

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("scrubjay.batch.sink.Sink.finish", interrupt)
        assert deid("notes.csv", "--keep-column", "ward") == 130
    assert deid("notes.csv", "--keep-column", "ward", "--resume") == 0
    assert json.loads((place / "run.json").read_text())["resumed"] == 2
    assert (place / "out" / "notes.csv").read_bytes() == expected
    assert deid("notes.csv", "--keep-column", "ward") == 0
    assert (place / "out" / "notes.csv").read_bytes() == expected
    assert run("annotate", "notes.csv", "--model", "toy", "--to", "csv", "--out", "found") == 0
    found = (place / "found" / "notes.csv").read_bytes()
    assert found.startswith("\ufeffid,text,ward,spans\r\n".encode())
    assert found.count(b"\r\n") == 3


def test_spans_of_several_columns_come_back(place: Path) -> None:
    write_csv(place, 'id,a,b\n1,"on 1/2/2020",x\n2,y,"at 3/4/2019, 5/6/2018"\n')
    options = ("--text-column", "a", "--text-column", "b", "--model", "toy", "--out", "out")
    assert run("annotate", "notes.csv", "--to", "csv", *options) == 0
    found = list(read_corpus(place / "out", text_column=["a", "b"]))
    first, second = ([d.text[s.start : s.end] for s in d.spans] for d in found)
    assert (first, second) == (["1/2/2020"], ["3/4/2019", "5/6/2018"])
    row = (place / "out" / "notes.csv").read_text().splitlines()[2]
    assert '""start"": 3, ""end"": 11' in row
    assert '""column"": ""b""' in row


@pytest.mark.parametrize("options", [[], ["--keep-column", "w?r*"]])
def test_other_columns_are_dropped_unless_named(options: list[str], place: Path) -> None:
    write_csv(place, "id,ward,text,who,worth\n1,7,x,Ann,3\n")
    assert deid("notes.csv", *options) == 0
    wanted = "id,ward,text,worth\n1,7,x,3\n" if options else "id,text\n1,x\n"
    assert (place / "out" / "notes.csv").read_text() == wanted


@pytest.mark.parametrize("kept", [True, False])
def test_columns_and_ids_that_nobody_looked_into_are_told(
    kept: bool, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_csv(place, "id,text,who\n1,x,Ann 3/4/2019\n")
    assert deid("notes.csv", *(["--keep-column", "who"] if kept else [])) == 0
    shown = capsys.readouterr().err
    columns = "columns kept as they were, not searched: 'who'; nor were the ids of documents. "
    assert (columns in shown) == kept
    assert ("ids of documents stand as they were, not searched\n" in shown) != kept
    record = json.loads((place / "run.json").read_text())
    assert record["keep_columns"] == (["who"] if kept else [])
    write_csv(place, "text\nx\n")
    assert deid("notes.csv") == 0
    assert "as they were" not in capsys.readouterr().err


def rich_table(rows: int = 700) -> Any:
    """Return a table of many types, with nulls in each column."""

    def values(make: Any) -> list[Any]:
        return [None if n % 5 == 3 else make(n) for n in range(rows)]

    nanoseconds = [None if n % 5 == 3 else n * 1_000_003 + 1 for n in range(rows)]
    return arrow.table(
        {
            "id": arrow.array(range(rows), arrow.int32()),
            "note": arrow.array(
                values(lambda n: f"seen 3/4/{2000 + n % 20}"), arrow.large_string()
            ),
            "big": arrow.array(values(lambda n: Decimal(n) / 100), arrow.decimal128(38, 2)),
            "when": arrow.array(nanoseconds, arrow.timestamp("ns", tz="UTC")),
            "day": arrow.array(values(lambda n: datetime.date(2020, 1, 1 + n % 28))),
            "codes": arrow.array(values(lambda n: [str(n), None]), arrow.list_(arrow.string())),
            "site": arrow.array(values(lambda n: f"s{n % 3}")).dictionary_encode(),
            "deep": arrow.array(values(lambda n: {"a": n, "b": [n]})),
            "raw": arrow.array(values(lambda n: bytes([n % 256])), arrow.binary()),
            "small": arrow.array(values(lambda n: n % 100), arrow.uint8()),
        }
    )


def test_kept_columns_are_exact_and_parts_mirror_parts(place: Path) -> None:
    table = rich_table()
    for name, codec in (("a=1/part-0", "ZSTD"), ("a=2/part-1", "GZIP")):
        path = place / "notes" / f"{name}.parquet"
        path.parent.mkdir(parents=True)
        half = table.slice(0, 350) if name.endswith("0") else table.slice(350)
        parquet.write_table(half, path, row_group_size=100, compression=codec)
    assert deid("notes", "--text-column", "note", "--keep-column", "*") == 0
    for name, codec in (("a=1/part-0", "ZSTD"), ("a=2/part-1", "GZIP")):
        with parquet.ParquetFile(place / "out" / f"{name}.parquet") as file:
            written = file.read()
            assert file.num_row_groups == 4
            assert file.metadata.row_group(0).column(2).compression == codec
        half = table.slice(0, 350) if name.endswith("0") else table.slice(350)
        assert written.schema.equals(half.schema)
        assert written.drop_columns(["note"]).equals(half.drop_columns(["note"]))
        notes = written["note"].to_pylist()
        assert [text is None for text in notes] == [x is None for x in half["note"].to_pylist()]
        assert {text for text in notes if text} == {"seen [DATE-1]"}


def test_unnamed_columns_of_parquet_are_dropped(place: Path) -> None:
    parquet.write_table(rich_table(20), place / "notes.parquet")
    assert deid("notes.parquet", "--text-column", "note", "--keep-column", "d?y") == 0
    assert parquet.read_schema(place / "out" / "notes.parquet").names == ["id", "note", "day"]


def test_a_failed_row_is_left_out_and_counted(place: Path) -> None:
    rows = {"id": ["a", "b", "c"], "text": ["1/2/2020", CANARY, "none"], "n": [1, 2, 3]}
    parquet.write_table(arrow.table(rows), place / "notes.parquet")
    assert deid("notes.parquet", "--keep-column", "n") == 1
    back = parquet.read_table(place / "out" / "notes.parquet").to_pylist()
    assert back == [{"id": "a", "text": "[DATE-1]", "n": 1}, {"id": "c", "text": "none", "n": 3}]
    assert json.loads((place / "run.json").read_text())["failures"][0]["id"] == "b"


def test_partitions_that_nobody_kept_are_refused(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place / "notes" / "patient=77" / "p.parquet"
    path.parent.mkdir(parents=True)
    parquet.write_table(arrow.table({"id": ["a"], "text": ["x"]}), path)
    assert deid("notes") == 2
    assert "named after the values of 'patient'" in capsys.readouterr().err
    assert deid("notes", "--patient-column", "patient", "--keep-column", "patient") == 0
    assert (place / "out" / "patient=77" / "p.parquet").is_file()


def test_a_delta_table_becomes_plain_parts(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("live", "dead"):
        path = place / "notes" / f"{name}.parquet"
        path.parent.mkdir(exist_ok=True)
        parquet.write_table(arrow.table({"id": [name], "text": ["x"]}), path)
    (place / "notes" / "_delta_log").mkdir()
    (place / "notes" / "_delta_log" / f"{0:020}.json").write_text('{"add":{"path":"live.parquet"}}')
    assert deid("notes") == 0
    assert "plain Parquet parts are written" in capsys.readouterr().err
    assert [path.name for path in (place / "out").iterdir()] == ["live.parquet"]


BAD: dict[str, tuple[str, tuple[str, ...], str]] = {
    "text": ("id,note\n1,x\n", (), "no column 'text'. The file has 2 columns"),
    "id": ("id,text\n1,x\n", ("--id-column", "nr"), "no column 'nr'"),
    "patient": (
        "id,text,patient\n1,x,7\n",
        ("--patient-column", "person"),
        "no column 'person' that could tell the patient.*well known: 'id', 'text', 'patient'",
    ),
    "keep": ("id,text\n1,x\n", ("--keep-column", "z*"), "no column 'z\\*' to keep"),
    "twice": ("id,text\n1,x\n", ("--text-column", "text") * 2, "each another one"),
    "both": ("id,text\n1,x\n", ("--id-column", "text"), "cannot hold the text and something"),
}


@pytest.mark.parametrize("case", BAD)
def test_wrong_columns_stop_the_run_at_the_start(
    case: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, options, message = BAD[case]
    write_csv(place, content)
    assert deid("notes.csv", *options) == 2
    import re

    assert re.search(message, " ".join(capsys.readouterr().err.split()))
    assert not (place / "out").exists()


def test_a_corrupt_part_is_named_before_anything_is_done(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "notes").mkdir()
    for name in ("a", "b"):
        table = arrow.table({"id": [name], "text": [f"seen {name}"]})
        parquet.write_table(table, place / "notes" / f"{name}.parquet")
    whole = (place / "notes" / "b.parquet").read_bytes()
    (place / "notes" / "b.parquet").write_bytes(whole[:-9])
    assert deid("notes") == 2
    assert "b.parquet: not a Parquet file, or a truncated one" in capsys.readouterr().err
    assert not (place / "out").exists()
    (place / "notes" / "b.parquet").write_bytes(whole[:4] + b"\xff" * 40 + whole[44:])
    assert deid("notes") == 2
    told = capsys.readouterr().err
    assert "b.parquet: a truncated or damaged Parquet file, in row group 1 of 1" in told
    assert not (place / "out").exists()


def test_made_ids_are_told_once(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "notes").mkdir()
    for name in ("a", "b"):
        (place / "notes" / f"{name}.csv").write_text("text\nx\ny\n")
    assert deid("notes") == 0
    assert capsys.readouterr().err.count("rows have no id of their own") == 1
    assert [d.id for d in read_corpus(place / "out")] == ["a-1", "a-2", "b-1", "b-2"]


def test_rows_that_nothing_links_are_warned_of(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_csv(place, "note_id,subject,text\n1,7,x\n2,7,y\n")
    assert deid("notes.csv") == 0
    told = capsys.readouterr().err
    assert "this may be: --id-column note_id --patient-column subject\n" in told
    assert "warning: the rows of the output hold their text alone" in told
    assert deid("notes.csv", "--id-column", "note_id") == 0
    assert "hold their text alone" not in capsys.readouterr().err
    assert deid("notes.csv", "--keep-column", "note_id") == 0
    assert "hold their text alone" not in capsys.readouterr().err
    # Which of two is meant nobody can tell; what annotate writes has all columns.
    write_csv(place, "note_id,doc_id,text\n1,7,x\n2,7,y\n")
    assert deid("notes.csv") == 0
    assert "this may be" not in capsys.readouterr().err
    assert run("annotate", "notes.csv", "--model", "toy", "--to", "csv", "--out", "found") == 0
    assert "hold their text alone" not in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--keep-column", "--code-column", "--text-column"])
def test_several_columns_with_commas_are_told_to_be_several(
    place: Path, capsys: pytest.CaptureFixture[str], option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUBJAY_KEY", "0123456789abcdef0123456789abcdef")
    write_csv(place, "id,text,note_type,weight\n1,x,a,b\n")
    assert deid("notes.csv", option, "note_type, weight") == 2
    assert "Repeat the option, once for each of them" in capsys.readouterr().err
    assert deid("notes.csv", option, "note_type,size") == 2
    assert "Repeat" not in capsys.readouterr().err


def test_several_formats_name_the_options(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "notes").mkdir()
    (place / "notes" / "a.csv").write_text("text\nx\n")
    (place / "notes" / "b.txt").write_text("x")
    assert deid("notes") == 2
    told = capsys.readouterr().err
    assert "--format" in told
    assert "--encoding" in told


def test_other_commands_take_the_columns(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = 'nr,note,spans\n1,"on 1/2/2020","[[3, 11, ""DATE""]]"\n'
    path = write_csv(place, content)
    columns = ("--text-column", "note", "--id-column", "nr")
    assert run("corpus", "stats", path, *columns, "--tokenizer", "jiang") == 0
    brat = place / "brat"
    brat.mkdir()
    (brat / "1.txt").write_text("on 1/2/2020")
    (brat / "1.ann").write_text("T1\tDATE 3 11\t1/2/2020\n")
    assert run("evaluate", path, brat, *columns) == 0
    assert run("corpus", "stats", path) == 2
    assert "no column 'text'" in capsys.readouterr().err
    options = ("--config", "zhao2020-tbed", "--out", "model", "--text-column", "absent")
    assert run("train", path, *options) == 2
    assert "no column 'absent'" in capsys.readouterr().err


@pytest.mark.parametrize(("mark", "given"), [(";", ";"), ("\t", "tab"), ("|", "|")])
def test_tables_of_another_delimiter_come_back_with_it(
    mark: str, given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "notes.csv"
    table.write_text(f'nr{mark}note\n1{mark}"Seen 3/4/2019{mark} home"\n')
    columns = ["--text-column", "note", "--id-column", "nr"]
    call = [str(table), "--model", "toy", *columns]
    assert cli.run(["deid", *call, "--out", str(tmp_path / "none")]) == 2
    assert f"--delimiter {repr(given) if given != 'tab' else given}" in capsys.readouterr().err
    call += ["--delimiter", given]
    assert cli.run(["deid", *call, "--out", str(tmp_path / "clean")]) == 0
    text = (tmp_path / "clean" / "notes.csv").read_text()
    assert text.startswith(f'nr{mark}note\n1{mark}"Seen [')
    assert "2019" not in text
    assert cli.run(["annotate", *call, "--to", "csv", "--out", str(tmp_path / "found")]) == 0
    assert (tmp_path / "found" / "notes.csv").read_text().startswith(f"nr{mark}note{mark}spans\n")


@pytest.mark.parametrize("content", ["", "\n", "text,ward\n"])
def test_a_table_without_rows_is_told_and_no_error(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "notes.csv"
    table.write_text(content)
    keep = ["--keep-column", "ward", "--patient-column", "ward"]
    for call in (
        ["deid", str(table), *keep, "--model", "toy", "--out", str(tmp_path / "clean")],
        ["annotate", str(table), "--model", "toy", "--out", str(tmp_path / "found")],
        ["convert", str(table), "--to", "jsonl", "--out", str(tmp_path / "other")],
    ):
        assert cli.run(call) == 0
        told = capsys.readouterr().err
        assert "0 documents" in told
        assert "warning: the input holds no document\n" in told
    assert not (tmp_path / "clean").exists()


def test_a_column_that_holds_no_notes_is_told(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "notes.csv").write_text("id;kind;who\na;letter;7\nb;letter;8\n")
    given = ("notes.csv", "--delimiter", ";", "--patient-column", "who")
    assert deid(*given, "--text-column", "kind") == 0
    assert "2 of 2 texts are empty, numbers, or a word or two" in capsys.readouterr().err
    assert json.loads((place / "run.json").read_text())["columns"] == {
        "text": ["kind"], "id": ["id"], "delimiter": [";"], "rows": 2, "slight": 2,
        "patient": ["who"], "left_out": [], "left_out_others": 1,
    }  # fmt: skip
    (place / "more.csv").write_text("id,text\na,Seen on 3/4 by the doctor.\n")
    assert deid("more.csv") == 0
    assert "read: text from 'text', id from 'id'; separated by ','" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--delimiter", ";"], "--delimiter means nothing for the format 'text'. It is for csv, t"),
        (["--id-column", "nr"], "--id-column means nothing for the format 'text'. It is for jsonl"),
    ],
)
def test_options_of_tables_are_refused_for_notes(
    options: list[str], told: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "notes").mkdir()
    (place / "notes" / "a.txt").write_text("Seen on 3/4.")
    assert deid("notes", *options) == 2
    shown = capsys.readouterr().err
    assert told in shown
    assert "Leave it out, or name the format of the input with --format" in shown


HEADLESS = "17,3/4/2019,text,North\n18,5/6/2019,Seen 7/8/2019.,South\n"


@pytest.mark.parametrize("where", ["notes", "-"])
def test_columns_cannot_be_kept_of_what_has_none(
    where: str, place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "notes").mkdir()
    (place / "notes" / "a.txt").write_text("Seen on 3/4.")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Seen on 3/4.")))
    assert deid(where, "--keep-column", "ward") == 2
    shown = capsys.readouterr().err
    assert "--keep-column ward means nothing for the format text, which has no columns" in shown
    assert "Leave it out. It is for csv, tsv, parquet, jsonl" in shown
    assert not (place / "out").exists()
    write_csv(place, "id,text,ward\n1,x,A\n")
    assert deid("notes", "notes.csv", "--keep-column", "ward") == 0


def test_keys_to_keep_that_no_record_has_are_told(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [{"id": "a", "text": "x", "note_date": 1}, {"id": "b", "text": "y", "Ann Lee": 2}]
    (place / "notes.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert deid("notes.jsonl", "--keep-column", "note_dat", "--keep-column", "Ann*") == 0
    shown = capsys.readouterr().err
    assert "none of 2 records has a key 'note_dat' to keep. Did you mean 'note_date'?" in shown
    assert shown.count("to keep") == 1
    assert "Ann Lee" not in shown
    assert deid("notes.jsonl", "--keep-column", "note*") == 0
    assert "to keep" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("id\ttext\n1\tSeen on 1/2/2020.\n", True),
        ("\ufeffnote_id;text\r\n1;Seen.\r\n", True),
        ("id,text", False),
        ("Comment, plan\nSeen on 1/2/2020, home.\n", False),
        ("Date, diagnosis and plan\nSeen.\n", False),
    ],
)
def test_a_table_that_is_called_text_is_told(
    text: str, warned: bool, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "a.txt").write_bytes(text.encode())
    assert deid("a.txt") == 0
    assert ("begins like a table" in capsys.readouterr().err) == warned
    assert deid("a.txt", "--format", "text") == 0
    assert "begins like a table" not in capsys.readouterr().err


def test_texts_in_rtf_are_told_once(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_csv(place, "id,text\n" + "1,{\\rtf1\\ansi M\\'fcller}\n2,{\\rtf1 x}\n")
    assert deid("notes.csv") == 0
    assert capsys.readouterr().err.count("warning: texts are RTF") == 1
    write_csv(place, "id,text\n1,see {\\rtf1}\n")
    assert deid("notes.csv") == 0
    assert "RTF" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("Seen by <DOCTOR>Ann</DOCTOR>.", True),
        ("<b>Seen</b> by <name>Ann</name>.", True),
        ("<p>Seen</p> at <H1>noon</H1>.", False),
        ("Na <135, K >5", False),
    ],
)
def test_tags_in_plain_text_are_told(
    text: str, warned: bool, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "a.txt").write_text(text)
    (place / "b.csv").write_text(f'id,text\n1,"{text}"\n')
    calls: list[tuple[str, ...]] = [
        ("deid", "a.txt", "--model", "toy", "--out", "out"),
        ("annotate", "a.txt", "--model", "toy", "--out", "found"),
        ("corpus", "stats", "a.txt"),
    ]
    for call in calls:
        assert run(*call) == 0
        shown = capsys.readouterr().err
        assert ("give --format inline" in shown) == warned
        assert shown.count("--format inline") == warned
        for format in ("text", "inline") if text.startswith("Seen") else ("text",):
            assert run(*call, "--format", format) == 0
            assert "--format inline" not in capsys.readouterr().err
        assert run(call[0], *[each.replace("a.txt", "b.csv") for each in call[1:]]) == 0
        assert "--format inline" not in capsys.readouterr().err


@pytest.mark.parametrize("source", ["notes.csv", "notes"])
def test_a_row_of_data_is_no_header_to_be_kept(
    place: Path, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "notes").mkdir()
    for folder in (place, place / "notes"):
        write_csv(folder, HEADLESS)
    assert deid(source, "--keep-column", "*") == 2
    told = capsys.readouterr().err
    assert "the name of column 2 looks like data, and would stand in the output" in told
    assert "3/4" not in told
    assert not (place / "out").exists()
    assert deid(source, "--keep-column", "N*") == 0  # a word may be a name of a column
    assert deid(source, "--keep-column", "3/4/2019") == 0  # whoever names it has seen it
    assert deid(source) == 0


@pytest.mark.parametrize("option", ["--text-column", "--id-column"])
def test_a_value_is_no_name_of_the_columns_that_are_read(
    place: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_csv(place, HEADLESS)
    assert deid("notes.csv", option, "3/4/2019") == 2
    assert "the name of column 2 looks like data" in capsys.readouterr().err
    assert run("annotate", "notes.csv", "--to", "csv", "--out", "found", "--model", "toy") == 0


def test_a_note_is_no_name_of_the_column_of_texts(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_csv(place, "Mr Hank Pettigrew came,7 May 1950\nMs Opal Quince,x\n")
    assert deid("notes.csv", "--text-column", "Mr Hank Pettigrew came") == 2
    shown = capsys.readouterr()
    assert "the name of column 1 looks like data" in shown.err
    assert "Pettigrew" not in shown.err + shown.out
    assert not (place / "out").exists()


def test_the_standard_input_needs_a_header_too(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(HEADLESS.encode())))
    call = ["deid", "-", "--format", "csv", "--model", "toy", "--keep-column", "*"]
    assert run(*call) == 2
    shown = capsys.readouterr()
    assert "the name of column 2 looks like data" in shown.err
    assert shown.out == ""


def test_rows_of_a_patient_are_read_together(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_csv(place, "id,who,text\n1,a,on 1/2/2020\n2,b,x\n3,a,see 1/2/2020\n4,,x\n")
    apart = ("--patient-column", "who")
    assert deid("notes.csv", *apart) == 1  # the last has no patient
    assert (
        "or give files, no stream, and --gather-patients (but for HL7 and FHIR)"
        in capsys.readouterr().err
    )
    assert json.loads((place / "run.json").read_text())["patients_apart"] == 1
    assert deid("notes.csv", *apart, "--gather-patients") == 1
    shown = capsys.readouterr().err
    assert "stand together in the output, file by file, and not in the order of the input" in shown
    assert "do not follow" not in shown
    told = json.loads((place / "run.json").read_text())
    assert (told["gather_patients"], told["patients_apart"]) == (True, 0)
    assert [each["id"] for each in told["failures"]] == ["4"]
    written = (place / "out" / "notes.csv").read_text()
    assert written == "id,text\n1,on [DATE-1]\n3,see [DATE-1]\n2,x\n"


def test_a_gathered_run_goes_on(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f"{n},{'abc'[n % 3]},seen {n + 1}/2/2020\n" for n in range(9))
    write_csv(place, f"id,who,text\n{rows}")
    monkeypatch.setattr("scrubjay.batch.gathering.HELD", 2_500)
    options = ("--patient-column", "who", "--gather-patients")
    assert deid("notes.csv", *options) == 0
    expected = (place / "out" / "notes.csv").read_bytes()
    assert [line[:1] for line in expected.decode().splitlines()[1:]] == list("036147258")

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("scrubjay.batch.sink.Sink.finish", interrupt)
        assert deid("notes.csv", *options) == 130
    assert deid("notes.csv", "--patient-column", "who", "--resume") == 2
    assert deid("notes.csv", *options, "--resume") == 0
    assert (place / "out" / "notes.csv").read_bytes() == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["notes.csv"], "--gather-patients needs to know the patients"),
        (
            ["p.json", "--format", "fhir", "--patient-key", "patient"],
            "means nothing for the format",
        ),
        (["-", "--format", "csv", "--patient-key", "who"], "which a stream does not allow"),
    ],
)
def test_what_cannot_be_gathered(
    options: list[str], message: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_csv(place, "id,who,text\n1,a,x\n")
    (place / "p.json").write_text('{"resourceType": "Patient", "id": "1"}')
    assert deid(*options, "--gather-patients") == 2
    assert message in capsys.readouterr().err
