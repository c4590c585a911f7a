"""CSV, TSV and Parquet: named columns, other columns kept, exact fields."""

from __future__ import annotations

import csv
import datetime
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, EncodingError, FormatError, InputError, SpanError

CANARY = "Wilhelmina"


def write(folder: Path, content: str | bytes, name: str = "notes.csv") -> Path:
    data = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(data)
    return folder / name


def test_rows_are_documents(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        'id,patient,text,spans\r\n7,ann,"a ""b""\r\nc, d","[[0, 1, ""DATE""]]"\r\n8,,,\r\n',
    )
    first, second = read_corpus(path)
    assert (first.id, first.text) == ("7", 'a "b"\r\nc, d')
    assert first.spans == (Span(0, 1, "DATE"),)
    assert first.metadata["columns"] == {"id": "7", "patient": "ann"}
    assert (second.id, second.text, second.spans) == ("8", "", ())


def test_a_table_comes_back_in_its_own_layout(tmp_path: Path) -> None:
    content = 'nr;note;"who;"\n1;"a\nb";"x;"\n2;c;\n'
    path = write(tmp_path, content)
    found = list(read_corpus(path, delimiter=";", text_column="note", id_column="nr"))
    changed = [Document(d.id, d.text.upper(), (), d.metadata) for d in found]
    write_corpus(changed, tmp_path / "out", format="csv", delimiter=";")
    assert (tmp_path / "out" / "notes.csv").read_bytes().decode() == (
        'nr;note;"who;"\n1;"A\nB";"x;"\n2;C;\n'
    )


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_marks_and_line_ends_of_files_come_back(
    mark: str, end: str, encoding: str, tmp_path: Path
) -> None:
    lines = ['id,text,"a\nb"', '1,"x\ny",é', "2,z\u2028,"]
    data = (mark + end.join(lines) + end).encode(encoding)
    for name in ("notes.csv", "notes.tsv"):
        path = write(tmp_path, data if name == "notes.csv" else data.replace(b",", b"\t"), name)
        found = read_corpus(path, encoding=encoding)
        write_corpus(found, tmp_path / "out", format=name[-3:], encoding=encoding)
        assert (tmp_path / "out" / name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_encodings_that_make_marks_make_one(encoding: str, tmp_path: Path) -> None:
    path = write(tmp_path, "id,text\r\n1,é\r\n2,b\r\n".encode(encoding))
    found = list(read_corpus(path, encoding=encoding))
    write_corpus(found, tmp_path / "out", format="csv", encoding=encoding)
    assert (tmp_path / "out" / "notes.csv").read_bytes() == path.read_bytes()
    write_corpus(found, tmp_path / "latin", format="csv", encoding="latin-1")
    assert (tmp_path / "latin" / "notes.csv").read_bytes() == b"id,text\r\n1,\xe9\r\n2,b\r\n"


def test_an_encoding_without_marks_gets_none(tmp_path: Path) -> None:
    path = write(tmp_path, "\ufeffid,text\n1,é\n")
    write_corpus(read_corpus(path), tmp_path / "out", format="csv", encoding="cp1252")
    assert (tmp_path / "out" / "notes.csv").read_bytes() == b"id,text\n1,\xe9\n"


def test_the_end_of_the_header_is_that_of_all_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "\r\nid,text\r\n1,a\n2,b\r\n3,c")
    write_corpus(read_corpus(path), tmp_path / "out", format="csv")
    written = (tmp_path / "out" / "notes.csv").read_bytes()
    assert written == b"id,text\r\n1,a\r\n2,b\r\n3,c\r\n"
    documents = [Document("a", "b", (), {"source.file": {"line_end": "evil\n", "mark": 1}})]
    write_corpus(documents, tmp_path / "other", format="csv")
    assert (tmp_path / "other" / "documents.csv").read_bytes() == b"id,text,spans\na,b,[]\n"


def test_rows_without_an_id_are_numbered(tmp_path: Path) -> None:
    path = write(tmp_path, "text,id\nx,\ny,b\n")
    assert [d.id for d in read_corpus(path)] == ["notes-1", "b"]
    path = write(tmp_path, "text,id\nx,5\n")
    assert [d.id for d in read_corpus(path, id_column="")] == ["notes-1"]


def test_spans_need_a_column(tmp_path: Path) -> None:
    found = list(read_corpus(write(tmp_path, "text,patient\nx,1\ny,2\n")))
    with_late_spans = [found[0], found[1].with_spans([Span(0, 1, "A")])]
    with pytest.raises(SpanError, match=r"'notes-2' has spans.*no column"):
        write_corpus(with_late_spans, tmp_path / "out", format="csv")
    assert not (tmp_path / "out").exists()
    write_corpus(with_late_spans, tmp_path / "out", format="csv", spans_column="phi")
    header = (tmp_path / "out" / "notes.csv").read_text().splitlines()[0]
    assert header == "text,patient,phi"


def test_spans_can_be_left_out(tmp_path: Path) -> None:
    (document,) = read_corpus(write(tmp_path, 'text,spans\nx,"[]"\n'))
    write_corpus([document], tmp_path / "out", format="csv", spans_column="")
    assert (tmp_path / "out" / "notes.csv").read_text() == "text\nx\n"


def test_rows_of_another_make_are_refused(tmp_path: Path) -> None:
    documents = [Document("a", "x"), Document("b", "y", (), {"columns": {"ward": "7"}})]
    with pytest.raises(FormatError, match=r"'b' has columns that the first .* 'ward'"):
        write_corpus(documents, tmp_path / "out", format="csv")


def test_fields_beyond_the_limit_of_the_csv_module(tmp_path: Path) -> None:
    text = "long, " * 100_000
    write_corpus([Document("a", text)], tmp_path, format="csv")
    before = csv.field_size_limit()
    (document,) = read_corpus(tmp_path)
    assert document.text == text
    assert csv.field_size_limit() == before


def test_byte_order_marks_and_blank_lines(tmp_path: Path) -> None:
    path = write(tmp_path, b"\xef\xbb\xbftext,id\n\n\xef\xbb\xbfx,a\n\n")
    (document,) = read_corpus(path)
    assert (document.id, document.text) == ("a", "\ufeffx")


def test_tables_of_tabs(tmp_path: Path) -> None:
    path = write(tmp_path, 'text\tid\n"a\tb"\t1\n5\' 10" tall, c\t2\n', "notes.tsv")
    assert [d.text for d in read_corpus(path)] == ["a\tb", "5' 10\" tall, c"]
    write_corpus(read_corpus(path), tmp_path / "out", format="tsv")
    assert [d.text for d in read_corpus(tmp_path / "out")] == ["a\tb", "5' 10\" tall, c"]


BAD = {
    "column": (
        f"note,id\n{CANARY},1\n",
        r"no column 'text'.* 2 columns .well known: 'note', 'id'",
    ),
    "header": (f"{CANARY} came in on the third of May with a cough,1\n", "2 columns .none of a"),
    "fields": (f"text,id\n{CANARY}\n", "line 2: 1 fields, but 2 columns"),
    "more": (f'text,id\n"a\n{CANARY}",1,2\n', "line 3: 3 fields, but 2 columns"),
    "quotes": (f'text,id\n"{CANARY}" x,1\n', "line 2: broken quotes"),
    "open": (f'text,id\n"{CANARY},1\n', "line 2: broken quotes"),
    "twice": ("text,text\nx,y\n", "line 1: columns 1 and 2 have the same name. Give each"),
    "nameless": ("text,,\nx,y,z\n", "line 1: columns 2 and 3 have no name. The first row must"),
    "excel": ("sep=;\nid;text\n1;x\n", "line 1: the first line tells Excel the delimiter"),
    "unclosed": ('text\n"x\ny\n', "line 3: broken quotes. A quote that is opened"),
    "ids": ("id,text\n1,x\n1,y\n", "a second document with the id '1'.*--id-column"),
    "json": (f'text,spans\nx,"[[{CANARY}"\n', "line 2, column 3: not valid JSON"),
    "span": ('text,spans\nx,"[[0,9,""A""]]"\n', r"line 2, span 1: the span \[0, 9\) A ends"),
}


@pytest.mark.parametrize("case", BAD)
def test_broken_tables(case: str, tmp_path: Path) -> None:
    content, message = BAD[case]
    with pytest.raises((FormatError, SpanError), match=message) as caught:
        list(read_corpus(write(tmp_path, content)))
    assert "notes.csv" in str(caught.value)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize("option", ["text_column", "id_column", "spans_column"])
def test_columns_that_are_named_must_be_there(option: str, tmp_path: Path) -> None:
    path = write(tmp_path, "text,id\nx,1\n")
    with pytest.raises(
        FormatError, match=r"no column 'nope'.* 2 columns .well known: 'text', 'id'"
    ):
        list(read_corpus(path, **{option: "nope"}))


@pytest.mark.parametrize("delimiter", ["", "||", '"', "\n"])
def test_delimiters_are_one_character(delimiter: str, tmp_path: Path) -> None:
    path = write(tmp_path, "text\nx\n")
    with pytest.raises(ConfigError, match="delimiter"):
        list(read_corpus(path, delimiter=delimiter))
    with pytest.raises(ConfigError, match="delimiter"):
        write_corpus([], tmp_path / "out", format="csv", delimiter=delimiter)


def test_wrong_bytes(tmp_path: Path) -> None:
    path = write(tmp_path, b"text\nPe\xf1a\n")
    with pytest.raises(EncodingError, match=r"notes\.csv, byte 7: not utf-8 text"):
        list(read_corpus(path))
    assert next(read_corpus(path, encoding="latin-1")).text == "Peña"
    with pytest.raises(EncodingError, match=r"'a': latin-1 cannot hold U\+20AC"):
        write_corpus([Document("a", "€")], tmp_path / "o", format="csv", encoding="latin-1")


parquet: Any = pytest.importorskip("pyarrow.parquet")


def write_parquet(folder: Path, **columns: Any) -> Path:
    import pyarrow as pa

    parquet.write_table(pa.table(columns), folder / "notes.parquet")
    return folder / "notes.parquet"


def test_parquet_keeps_types_and_nulls(tmp_path: Path) -> None:
    path = write_parquet(
        tmp_path,
        id=[1, 2],
        text=["a", None],
        when=[datetime.datetime(2020, 1, 2, 3), None],
        cost=[Decimal("1.50"), Decimal("2.25")],
        codes=[["x", "y"], []],
    )
    found = list(read_corpus(path))
    assert [(d.id, d.text) for d in found] == [("1", "a"), ("2", "")]
    write_corpus(found, tmp_path / "out", format="parquet")
    assert parquet.read_table(tmp_path / "out" / "notes.parquet") == parquet.read_table(path)
    with_spans = [found[0].with_spans([Span(0, 1, "A")]), found[1]]
    write_corpus(with_spans, tmp_path / "spans", format="parquet")
    table = parquet.read_table(tmp_path / "spans" / "notes.parquet")
    assert table.drop_columns("spans") == parquet.read_table(path)
    (first, second) = read_corpus(tmp_path / "spans")
    assert (first.spans, second.spans) == ((Span(0, 1, "A"),), ())


def test_a_column_of_several_chunks_or_none_holds_its_own_values_alone() -> None:
    from scrubjay.corpora.arrow import with_used_values

    pa = pytest.importorskip("pyarrow")
    encoded = pa.array([CANARY, "b", None, "c"]).dictionary_encode()
    for chunks in ([encoded[1:2], encoded[2:]], [encoded[1:]], []):
        column = pa.chunked_array(chunks, type=encoded.type)
        found = with_used_values(pa.table({"ward": column}))["ward"]
        assert found.to_pylist() == column.to_pylist()
        assert all(CANARY not in each.dictionary.to_pylist() for each in found.chunks)


def test_dictionaries_hold_what_is_written_alone(tmp_path: Path) -> None:
    # The values of rows that failed, their ids too, stayed in the dictionary of the file.
    pa = pytest.importorskip("pyarrow")
    encoded = pa.array([CANARY, "b", None, "b"]).dictionary_encode()
    ids = pa.array([CANARY, "1", "2", "3"]).dictionary_encode()
    path = write_parquet(tmp_path, id=ids, text=["w", "x", "y", "z"], ward=encoded)
    rows = list(read_corpus(path))[1:]
    write_corpus(rows, tmp_path / "out", format="parquet")
    written = tmp_path / "out" / "notes.parquet"
    assert CANARY.encode() not in written.read_bytes()
    table = parquet.read_table(written)
    assert table["ward"].to_pylist() == ["b", None, "b"]
    assert table["ward"].combine_chunks().dictionary.to_pylist() == ["b"]
    assert table.schema.equals(parquet.read_table(path).schema)


def test_a_part_whose_texts_are_all_null(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    path = write_parquet(tmp_path, id=[1, 2], text=pa.nulls(2))
    write_corpus(read_corpus(path), tmp_path / "out", format="parquet")
    table = parquet.read_table(tmp_path / "out" / "notes.parquet")
    assert table.to_pylist() == [{"id": 1, "text": None}, {"id": 2, "text": None}]
    assert table.schema.field("text").type == pa.string()


def test_parquet_becomes_lines_and_a_table_of_text(tmp_path: Path) -> None:
    when = datetime.date(2020, 1, 2)
    path = write_parquet(tmp_path, id=[1], text=["a"], when=[when], codes=[["x"]])
    for name in ("jsonl", "csv", "conll"):
        write_corpus(read_corpus(path), tmp_path / name, format=name)
        (document,) = read_corpus(tmp_path / name)
        assert document.metadata["columns"]["when"] == "2020-01-02"


def test_parquet_streams_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.corpora.parquet._BATCH", 1024)
    documents = [Document(f"d{n}", f"text {n}", (Span(0, 4, "A"),)) for n in range(2_500)]
    write_corpus(documents, tmp_path, format="parquet")
    assert parquet.ParquetFile(tmp_path / "documents.parquet").num_row_groups == 3
    assert list(read_corpus(tmp_path)) == documents


def test_broken_parquet(tmp_path: Path) -> None:
    path = write_parquet(tmp_path, note=[CANARY])
    with pytest.raises(FormatError, match=r"no column 'text'.* 1 column .well known: 'note'"):
        list(read_corpus(path))
    whole = path.read_bytes()
    write(tmp_path, whole[:-10], "notes.parquet")
    with pytest.raises(FormatError, match=r"notes\.parquet: not a Parquet file, or a truncated"):
        list(read_corpus(path))
    write(tmp_path, whole[:4] + b"\xff" * 30 + whole[34:], "notes.parquet")
    with pytest.raises(FormatError, match=r"notes\.parquet: a truncated or damaged") as caught:
        list(read_corpus(path, text_column="note"))
    assert CANARY not in str(caught.value)
    with pytest.raises(FormatError, match="the column 'text' holds int64, not text"):
        list(read_corpus(write_parquet(tmp_path, text=[3])))
    with pytest.raises(InputError, match="standard input"):
        list(read_corpus("-", format="parquet"))


def test_parquet_refuses_fields_of_other_types(tmp_path: Path) -> None:
    documents = [
        Document("a", "x", (), {"columns": {"n": 1}}),
        Document("b", "y", (), {"columns": {"n": CANARY}}),
    ]
    with pytest.raises(FormatError, match="'b' has fields of other types") as caught:
        write_corpus(documents, tmp_path / "out", format="parquet")
    assert CANARY not in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "doccano", "parquet"])
def test_names_of_columns_are_not_quoted(kind: str, tmp_path: Path) -> None:
    names = ["1", f"Mary {CANARY} seen", CANARY, "Note"]
    path = tmp_path / f"notes.{'jsonl' if kind == 'doccano' else kind}"
    if kind == "parquet":
        arrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.table({name: ["x"] for name in names}), path)
    elif path.suffix == ".jsonl":
        path.write_text(json.dumps(dict.fromkeys(names, "x")) + "\n", "utf-8")
    else:
        path.write_text(("\t" if kind == "tsv" else ",").join(names) + "\n", "utf-8")
    with pytest.raises(FormatError, match=r"4 (columns|keys) .well known: 'Note'") as caught:
        list(read_corpus(path, format=kind))
    assert CANARY not in str(caught.value)


def test_names_of_further_columns_are_not_quoted(tmp_path: Path) -> None:
    documents = [Document("a", "x"), Document("b", "y", (), {"columns": {CANARY: "1"}})]
    with pytest.raises(FormatError, match=r"1 column .none of a well-known name") as caught:
        write_corpus(documents, tmp_path / "out", format="csv")
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "options", "told"),
    [
        ("id;text\n1;a\n", {}, "separated by ';', into 2 columns (well known: 'id', 'text')"),
        ('"id";"text"\n"1";"a"\n', {}, "separated by ';', into 2 columns"),
        ("nr\tnota\n1\ta\n", {}, "separated by a tab, into 2 columns (well known: 'nr')"),
        ("nr|nota\n1|a\n", {}, "separated by '|'"),
        ("id,text\n1,a\n", {"delimiter": "tab"}, "separated by ','"),
        ("nr (a,b);text;x\n1;a;y\n", {}, "separated by ';', into 3 columns"),
        ("a,b\n1;2,3\n", {}, None),
        (f"{CANARY} came. She; said: no!\nx\n", {}, None),
    ],
)
def test_a_table_that_is_separated_by_another_character_is_told(
    content: str, options: dict[str, Any], told: str | None, tmp_path: Path
) -> None:
    path = write(tmp_path, content)
    with pytest.raises(FormatError) as caught:
        list(read_corpus(path, format="csv", **options))
    message = str(caught.value)
    assert ("seems to be separated" in message) is (told is not None)
    assert (told or "no column") in message
    assert CANARY not in message
    assert "nota" not in message


def test_a_tab_may_be_given_by_its_name(tmp_path: Path) -> None:
    path = write(tmp_path, "id\ttext\n1\ta\n")
    (document,) = read_corpus(path, delimiter="tab")
    write_corpus([document], tmp_path / "out", format="csv", delimiter="tab")
    assert (tmp_path / "out" / "notes.csv").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (f"id,text\n1,x\n2,\0{CANARY}\n".encode(), 3),
        (f"id,text\n1,{CANARY}\n".encode("utf-16-le"), 1),
        (f"id,te\0xt\n1,{CANARY}\n".encode(), 1),
    ],
)
def test_nul_is_told_by_its_line(tmp_path: Path, content: bytes, line: int) -> None:
    path = write(tmp_path, content)
    with pytest.raises(FormatError, match=rf"line {line}: a NUL .* UTF-16, .* --enc") as caught:
        list(read_corpus(path, text_column="text"))
    assert CANARY not in str(caught.value)
    assert "\0" not in str(caught.value)
