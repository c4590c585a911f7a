"""Worksheets: tables that people fill in a spreadsheet or an editor, written and read back.

A worksheet is a CSV file or JSON lines, by the ending of its name. In CSV a cell that a
spreadsheet would take for a formula, a number or a date gets a leading apostrophe, which reading
takes away again: a formula out of a note must not run on the machine of an annotator, and the id
`0012` must not come back as `12`.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from scrubjay.errors import FormatError, InputError
from scrubjay.files import read_text, replacing

Cell = str | int
SUFFIXES = (".csv", ".jsonl")

_BYTE_ORDER_MARK = "\ufeff"
_DELIMITERS = ",;\t"
_MONTHS = "jan|ene|feb|mar|mrt|maa|apr|abr|may|mei|mai|jun|jul|aug|ago|sep|oct|okt|nov|dec|dic|dez"
# Formulas begin with = + - @ (or their wide forms) or a control character, perhaps after spaces;
# numbers, dates and times with a digit or a point, or with the name of a month.
_UNSAFE = re.compile(
    rf"'|\s*[=+\-@＝＋－＠|%]|[\t\r\n\x00]|\s*[.,(]?\d|\s*(?:{_MONTHS})[a-z]*\W*\d|(?:true|false)\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row of a worksheet: its file, its line, and its cells by column.

    The cells may hold text of documents, so they are no part of the repr.
    """

    path: str
    line: int
    cells: Mapping[str, str] = field(repr=False)

    def __getitem__(self, column: str) -> str:
        """Return a cell without the white space around it; `KeyError` for an unknown column."""
        return self.cells[column].strip()

    @property
    def place(self) -> str:
        """The line, as errors name it."""
        return f"line {self.line}"

    def integer(self, column: str) -> int:
        """Return a cell as a whole number that is not negative; `FormatError` for another."""
        value = self[column]
        if not (value.isascii() and value.isdigit() and len(value) <= 18):
            raise self.error(f"the cell `{column}` must be a whole number")
        return int(value)

    def error(self, what: str, *, hint: str = "") -> FormatError:
        """Return an error that names the file and the line."""
        return FormatError(what, path=self.path, place=self.place, hint=hint)


def require_sheet_name(path: Path | str) -> str:
    """Return the ending of a worksheet's name, or raise `InputError` for an unknown one."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            "a worksheet is a CSV file or JSON lines",
            path=path,
            hint=f"Its name must end in {' or '.join(SUFFIXES)}",
        )
    return suffix


def write_sheet(
    path: Path | str, columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]
) -> int:
    """Write a worksheet whole or not at all, for its owner alone; return the number of its rows.

    Rows are taken one at a time; a column that a row lacks stays empty. CSV is UTF-8 with a byte
    order mark, without which spreadsheets take it for another encoding. Raises `InputError` for
    an unknown ending, `OutputError` where the file cannot be written; whatever `rows` raises
    leaves nothing behind.
    """
    target = Path(path)
    write = _write_csv if require_sheet_name(target) == ".csv" else _write_jsonl
    with replacing(target, private=True) as stream:
        file = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        try:
            return write(file, columns, rows)
        finally:
            file.detach()  # which writes what is waiting


def read_sheet(path: Path | str, columns: Sequence[str]) -> tuple[SheetRow, ...]:
    """Return the rows of a worksheet that has at least these columns; blank rows are passed over.

    CSV may be parted by commas, semicolons or tabs, as spreadsheets save it. Further columns are
    kept, too. Raises `InputError` for an unknown ending or a file that cannot be read,
    `EncodingError` for other than UTF-8, `FormatError` by line for a row that does not fit.
    """
    source = str(path)
    suffix = require_sheet_name(path)
    text = read_text(Path(path))
    rows = _csv_rows if suffix == ".csv" else _jsonl_rows
    return tuple(rows(text, source, columns))


def escape_cell(cell: Cell) -> str:
    """Return a cell as CSV holds it: text that a spreadsheet would interpret gets an apostrophe."""
    if isinstance(cell, int):
        return str(cell)
    return f"'{cell}" if _UNSAFE.match(cell) else cell


def unescape_cell(cell: str) -> str:
    """Return the text that `escape_cell` got."""
    return cell.removeprefix("'")


def _write_csv(file: TextIO, columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> int:
    file.write(_BYTE_ORDER_MARK)
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(columns)
    written = 0
    for row in rows:
        writer.writerow([escape_cell(row.get(column, "")) for column in columns])
        written += 1
    return written


def _write_jsonl(file: TextIO, columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> int:
    written = 0
    for row in rows:
        record = {column: row.get(column, "") for column in columns}
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
        written += 1
    return written


def _csv_rows(text: str, path: str, columns: Sequence[str]) -> Iterator[SheetRow]:
    delimiter = _find_delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    line = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error:
            raise FormatError(
                "not valid CSV: a quotation mark is misplaced or a cell too long",
                path=path,
                place=f"line {line}",
            ) from None
        if cells is None:
            break
        place, line = f"line {line}", reader.line_num + 1
        if not any(cell.strip() for cell in cells):
            continue
        if not header:
            header = [cell.strip() for cell in cells]
            _require_columns(header, path, place, columns)
            continue
        if len(cells) > len(header):
            raise FormatError(
                f"{len(cells)} cells in a table of {len(header)} columns",
                path=path,
                place=place,
                hint="A cell that holds the separator must stand in quotation marks",
            )
        cells += [""] * (len(header) - len(cells))
        kept = dict(zip(header, map(unescape_cell, cells), strict=True))
        yield SheetRow(path, int(place.removeprefix("line ")), kept)
    if not header:
        _require_columns(header, path, "line 1", columns)


def _find_delimiter(text: str) -> str:
    """Return the separator that occurs most often in the first line that is not blank."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    return max(_DELIMITERS, key=lambda mark: (first.count(mark), -_DELIMITERS.index(mark)))


def _require_columns(header: Sequence[str], path: str, place: str, columns: Sequence[str]) -> None:
    for column in columns:
        if header.count(column) != 1:
            fault = "is missing" if column not in header else "occurs twice"
            raise FormatError(
                f"the column `{column}` {fault}",
                path=path,
                place=place,
                hint=f"A worksheet of this kind has the columns {', '.join(columns)}",
            )


def _jsonl_rows(text: str, path: str, columns: Sequence[str]) -> Iterator[SheetRow]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise FormatError("not valid JSON", path=path, place=place) from None
        if not isinstance(record, dict):
            raise FormatError("must be a JSON object", path=path, place=place)
        _require_columns(tuple(record), path, place, columns)
        yield SheetRow(path, number, {key: _as_text(record[key]) for key in record})


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)
