"""Worksheets: round trips, safety in spreadsheets, and errors by line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.analysis._sheets import (
    Cell,
    escape_cell,
    read_sheet,
    unescape_cell,
    write_sheet,
)
from scrubjay.errors import EncodingError, FormatError, InputError, OutputError
from tests.strategies import texts

COLUMNS = ("case", "document", "text")


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.jsonl"])
@given(rows=st.lists(st.tuples(st.integers(0, 999), texts(), texts()), max_size=4))
@settings(max_examples=40)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, rows: list[tuple[int, str, str]]
) -> None:
    path = tmp_path_factory.mktemp("sheet") / name
    written = write_sheet(path, COLUMNS, [dict(zip(COLUMNS, row, strict=True)) for row in rows])
    assert written == len(rows)
    found = read_sheet(path, COLUMNS)
    assert [tuple(row.cells[column] for column in COLUMNS) for row in found] == [
        (str(case), document, text) for case, document, text in rows
    ]
    assert [row.integer("case") for row in found] == [row[0] for row in rows]


@given(cell=texts(max_pieces=3))
def test_escaping_is_undone_and_leaves_no_formula(cell: str) -> None:
    escaped = escape_cell(cell)
    assert unescape_cell(escaped) == cell
    assert escaped.lstrip()[:1] not in {"=", "+", "-", "@", "|", "%", "＝", "＋", "－", "＠"}
    assert escaped[:1] not in {"\t", "\r", "\n", "\x00"}


@pytest.mark.parametrize(
    "cell",
    [
        *("=1+1", " =1", "@SUM(A1)", "+1", "-1", "0012", "1e5", "3-4", ".5", "May 2", "mrt-3"),
        *("TRUE", "'quoted", "\t=1", "\r=1", "＝1", "(5)"),
    ],
)
def test_cells_that_a_spreadsheet_would_interpret_get_an_apostrophe(cell: str) -> None:
    assert escape_cell(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "A", "note-12", "Maya", "Aaaa 00", "trueish", "a=b"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert escape_cell(cell) == cell


def test_csv_begins_with_a_byte_order_mark_and_numbers_stay_numbers(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(path, COLUMNS, [{"case": 1, "document": "007"}])
    assert path.read_bytes() == b"\xef\xbb\xbfcase,document,text\r\n1,'007,\r\n"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_csv_as_spreadsheets_save_it_is_read(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "sheet.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=mark, lineterminator="\r\n")
        writer.writerows([COLUMNS, ("1", "a, b; c", "two\nlines"), ("", "", ""), ("2", "d", "")])
    found = read_sheet(path, COLUMNS)
    assert [(row.line, row["case"], row["document"]) for row in found] == [
        (2, "1", "a, b; c"),
        (5, "2", "d"),
    ]


def test_short_rows_are_filled_and_further_columns_kept(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("text,case,mine,document\nx,1\n", "utf-8")
    (row,) = read_sheet(path, COLUMNS)
    assert dict(row.cells) == {"text": "x", "case": "1", "mine": "", "document": ""}


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("s.csv", b"", FormatError, "line 1: the column `case` is missing"),
        ("s.csv", b"case,text\n1,Zoe\n", FormatError, "the column `document` is missing"),
        ("s.csv", b"case,case,document,text\n", FormatError, "`case` occurs twice"),
        ("s.csv", b"case,document,text\n1,a,Zoe,b\n", FormatError, "line 2: 4 cells"),
        ("s.csv", b'case,document,text\n1,"a"Zoe,b\n', FormatError, "line 2: not valid CSV"),
        ("s.csv", b"case,document,text\n1,Zo\xeb,b\n", EncodingError, "byte 23: not UTF-8"),
        ("s.jsonl", b'{"case": 1, "document": "a", "text": "Zoe"\n', FormatError, "line 1: not"),
        ("s.jsonl", b'["Zoe"]\n', FormatError, "line 1: must be a JSON object"),
        ("s.jsonl", b'\n{"case": 1, "document": "Zoe"}\n', FormatError, "line 2: the column"),
        ("s.xlsx", b"", InputError, "must end in .csv or .jsonl"),
    ],
)
def test_broken_worksheets_are_told_by_place_and_without_text(
    tmp_path: Path, name: str, content: bytes, error: type[Exception], message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(error) as caught:
        read_sheet(path, COLUMNS)
    assert message in str(caught.value)
    assert "Zo" not in str(caught.value)


def test_a_missing_worksheet_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_sheet(tmp_path / "none.csv", COLUMNS)


@pytest.mark.parametrize("value", ["x", "-1", "1.5", "", "²"])
def test_a_cell_that_is_no_number_is_an_error_by_line(tmp_path: Path, value: str) -> None:
    path = tmp_path / "s.csv"
    write_sheet(path, COLUMNS, [{"case": value, "document": "a"}])
    (row,) = read_sheet(path, COLUMNS)
    with pytest.raises(FormatError, match="line 2: the cell `case` must be a whole number"):
        row.integer("case")


def test_json_values_become_text(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"case": 3, "document": null, "text": true}\n', "utf-8")
    (row,) = read_sheet(path, COLUMNS)
    assert (row.integer("case"), row["document"], row["text"]) == (3, "", "true")


def test_nothing_is_left_where_rows_fail(tmp_path: Path) -> None:
    def failing() -> Iterator[Mapping[str, Cell]]:
        yield {"case": 1}
        raise InputError("stop")

    path = tmp_path / "s.csv"
    path.write_text("old", "utf-8")
    with pytest.raises(InputError, match="stop"):
        write_sheet(path, COLUMNS, failing())
    assert [file.name for file in tmp_path.iterdir()] == ["s.csv"]
    assert path.read_text("utf-8") == "old"


def test_a_folder_that_is_not_there_is_an_output_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        write_sheet(tmp_path / "none" / "s.csv", COLUMNS, [])


def test_the_repr_of_a_row_shows_no_cell(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_sheet(path, COLUMNS, [{"case": 1, "text": "Zoe"}])
    assert "Zoe" not in repr(read_sheet(path, COLUMNS))
