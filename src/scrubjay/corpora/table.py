"""CSV and TSV: one document a row, its text in a named column (RFC 4180 quoting).

Line ends inside quotes are part of the field, exactly as they are. The first row names the
columns; those that are neither text nor spans come back on writing. So do a byte order mark and
the line end of the first row, which is taken for that of all.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from scrubjay.corpora._mistaken import is_unicode
from scrubjay.corpora._rows import (
    Layout,
    Names,
    TextColumns,
    cell_text,
    find_names,
    make_layout,
    name_texts,
    read_row,
)
from scrubjay.corpora.columns import describe_columns
from scrubjay.corpora.encodings import encode_text, require_encoding
from scrubjay.corpora.format import Create, Format
from scrubjay.corpora.metadata import FILE_KEY
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import ConfigError, FormatError

# The csv module keeps its limit (131,072 characters) for the whole process.
_FIELD_LIMIT = min(sys.maxsize, 2**31 - 1)

_TAB = "tab"
_MARK = "\ufeff"
_LINE_ENDS = ("\n", "\r\n", "\r")
_DELIMITERS = (",", ";", "\t", "|")
_SEPARATOR_LINE = re.compile(r"sep=.?", re.IGNORECASE)
_QUOTES = (
    "A quote that is opened, there or above, must be closed again, and a quote within a text is "
    'written twice: "he said ""no"""'
)
_NAME = re.compile(r"[\w .()/#-]{1,40}")  # what a name of a column may look like, unlike a note


def read(
    source: Source,
    *,
    encoding: str = "utf-8",
    delimiter: str = ",",
    text_column: TextColumns = "text",
    id_column: str | None = None,
    spans_column: str | None = None,
) -> Iterator[Document]:
    """Yield the document of each row; its texts may stand in several columns.

    `delimiter` is one character, or `tab`. `id_column` and `spans_column` (JSON in the cell) are
    `id` and `spans` where there are such columns; an empty name says that there is none. A byte
    order mark at the head of the file is no part of the table. A file of blank lines alone has no
    documents. Raises `FormatError` for a missing column, a row of another length, broken quotes and
    NUL, which no text has, by line.
    """
    delimiter = require_delimiter(delimiter)
    style = _Style()
    rows = _rows(source, encoding, delimiter, style)
    columns = _header(rows, source, encoding, delimiter)
    if not columns:
        return
    written = style.told()
    names = find_table_names(
        columns,
        delimiter=delimiter,
        text_column=text_column,
        id_column=id_column,
        spans_column=spans_column,
        source=source,
    )
    for number, (line, row) in enumerate(rows, start=1):
        place = f"line {line}"
        if len(row) != len(columns):
            raise FormatError(
                f"{len(row)} fields, but {len(columns)} columns",
                path=source.name,
                place=place,
                hint="A text with line ends, quotes or delimiters must stand in quotes",
            )
        record = dict(zip(columns, row, strict=True))
        yield read_row(record, names, source=source, number=number, place=place, written=written)


def read_header(source: Source, *, encoding: str, delimiter: str) -> list[str]:
    """Return the names of the columns; raises `FormatError` for two of the same name."""
    delimiter = require_delimiter(delimiter)
    return _header(_rows(source, encoding, delimiter), source, encoding, delimiter)


def find_table_names(
    columns: Sequence[str],
    *,
    delimiter: str,
    text_column: TextColumns,
    id_column: str | None,
    spans_column: str | None,
    source: Source,
) -> Names:
    """Return what `find_names` does; where a column is missing since the table is separated by
    another character, the error says so."""
    try:
        return find_names(
            columns,
            text_column=text_column,
            id_column=id_column,
            spans_column=spans_column,
            source=source,
        )
    except FormatError as error:
        delimiter = require_delimiter(delimiter)
        wanted = (*name_texts(text_column), id_column or "", spans_column or "")
        hint = _hint_delimiter(delimiter.join(columns), delimiter, wanted)
        if not hint:
            raise
        raise FormatError(error.what, path=error.path, place=error.place, hint=hint) from None


def _hint_delimiter(header: str, delimiter: str, wanted: Sequence[str] = ()) -> str:
    """Return by what else a header seems to be separated, and what to do; "" where it does not.

    It does where another character parts it into one of the names that are wanted, or, where it
    is one name now, into several that look like names.
    """
    for other in _DELIMITERS:
        if other == delimiter or other not in header:
            continue
        try:
            (pieces,) = csv.reader([header], delimiter=other, strict=True)
        except (csv.Error, ValueError):
            continue
        named = any(name and name in pieces for name in wanted)
        if named or (delimiter not in header and all(map(_NAME.fullmatch, pieces))):
            shown = "a tab" if other == "\t" else repr(other)
            given = _TAB if other == "\t" else f"'{other}'"
            return (
                f"The file seems to be separated by {shown}, into {describe_columns(pieces)}: give "
                f"--delimiter {given} where the command has that (convert: --option "
                f"delimiter={given}), or save it separated by commas"
            )
    return ""


def _header(
    rows: Iterator[tuple[int, list[str]]], source: Source, encoding: str, delimiter: str
) -> list[str]:
    try:
        _, columns = next(rows, (0, []))
    except FormatError as error:
        # Quotes that are sound with another delimiter: "id";"text".
        hint = error.hint
        if source.path is not None and hint == _QUOTES:
            head = next(source.lines(encoding, newline=""), "").rstrip("\r\n")
            hint = _hint_delimiter(head, delimiter) or hint
        raise FormatError(error.what, path=error.path, place=error.place, hint=hint) from None
    if columns and not any(columns[1:]) and _SEPARATOR_LINE.fullmatch(columns[0]):
        raise FormatError(
            "the first line tells Excel the delimiter, and is no header",
            path=source.name,
            place="line 1",
            hint="Delete that line, and give --delimiter where the command has that (convert: "
            "--option delimiter=CHAR)",
        )
    require_apart(columns, source=source, place="line 1")
    return columns


def require_apart(columns: Sequence[str], *, source: Source, place: str = "") -> None:
    """Raise `FormatError` for two columns of the same name, which it does not show."""
    first: dict[str, int] = {}
    for number, name in enumerate(columns, start=1):
        if (before := first.setdefault(name, number)) == number:
            continue
        if name:
            what = f"columns {before} and {number} have the same name"
            hint = "Give each another name"
        else:
            what = f"columns {before} and {number} have no name"
            hint = (
                "The first row must hold the names of the columns: delete what stands above it, "
                "and empty columns beside the table, or name them"
            )
        raise FormatError(what, path=source.name, place=place, hint=hint)


@dataclass(slots=True)
class _Style:
    """How a file of lines is written: whether a byte order mark heads it, and how a line ends."""

    mark: bool = False
    end: str = ""
    known: bool = False

    def told(self) -> dict[str, Any]:
        """Return what is not as in most files, for the metadata of its documents.

        It is told by the lines so far, and no further one is looked at.
        """
        self.known = True
        told: dict[str, Any] = {"mark": True} if self.mark else {}
        return told | ({"line_end": self.end} if self.end not in ("", "\n") else {})

    def note(self, lines: Iterator[str]) -> Iterator[str]:
        """Yield lines without a mark at the head; see whether it was there, and the last end."""
        for number, line in enumerate(lines):
            if number == 0 and line.startswith(_MARK):
                self.mark, line = True, line[1:]
            self.end = line[len(line.rstrip("\r\n")) :][-2:]
            yield line
            if self.known:
                break
        yield from lines


def _rows(
    source: Source, encoding: str, delimiter: str, style: _Style | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the number of its last line; blank lines are passed over."""
    lines = (style or _Style()).note(source.lines(encoding, newline="", mark=True))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        before = csv.field_size_limit(_FIELD_LIMIT)
        try:
            row = next(reader, None)
        except csv.Error:
            raise FormatError(
                "broken quotes",
                path=source.name,
                place=f"line {reader.line_num}",
                hint=_QUOTES,
            ) from None
        finally:
            csv.field_size_limit(before)
        if row is None:
            return
        if row:
            _require_no_nul(row, source, reader.line_num)
            yield reader.line_num, row


def _require_no_nul(row: Sequence[str], source: Source, line: int) -> None:
    """Raise `FormatError` for NUL: it tells UTF-16 taken for UTF-8, or would hide a name in two."""
    if any("\0" in cell for cell in row):
        raise FormatError(
            "a NUL character, so that this is no text",
            path=source.name,
            place=f"line {line}",
            hint="If it is UTF-16, name that with --encoding (utf-16-le or utf-16-be without a "
            "byte order mark), else take it out: tr -d '\\000' < FILE > NEW",
        )


def require_delimiter(delimiter: str) -> str:
    """Return the delimiter, or raise `ConfigError` unless it is one plain character or `tab`."""
    delimiter = "\t" if delimiter == _TAB else delimiter
    if len(delimiter) != 1 or delimiter in '"\r\n\0':
        raise ConfigError("a delimiter must be one character, no quote and no line end, or tab")
    return delimiter


class _Encoder:
    def __init__(self, create: Create, settings: dict[str, Any]) -> None:
        self._file = create("")
        self._encoding = settings.pop("encoding")
        self._delimiter = require_delimiter(settings.pop("delimiter"))
        self._settings = settings
        self._layout: Layout | None = None
        self._end = "\n"
        # What the encoding puts before every text, and a file has once.
        self._head = "".encode(require_encoding(self._encoding))

    def add(self, document: Document) -> None:
        layout = self._layout or make_layout(document, **self._settings)
        row = layout.row(document)
        mark = ""
        if self._layout is None:
            mark = self._begin(document)
        lines = self._line([cell_text(row[name]) for name in layout.columns])
        if self._layout is None:
            lines = mark + self._line(list(layout.columns)) + lines
        if "\0" in lines:
            raise FormatError(
                f"document {document.id!r}: a table of text cannot hold U+0000",
                hint="Write jsonl, for example",
            )
        data = encode_text(lines, self._encoding, document_id=document.id)
        self._file.write(data if self._layout is None else data.removeprefix(self._head))
        self._layout = layout

    def _begin(self, document: Document) -> str:
        """Take the line ends of the file that a document came from, and return its mark, if any."""
        told = document.metadata.get(FILE_KEY)
        found = told if isinstance(told, Mapping) else {}
        end = found.get("line_end")
        self._end = end if end in _LINE_ENDS else "\n"
        may_have = is_unicode(self._encoding) and not self._head
        return _MARK if may_have and found.get("mark") is True else ""

    def finish(self) -> None:
        if self._layout is None:
            header = self._line(list(make_layout(None, **self._settings).columns))
            self._file.write(encode_text(header, self._encoding, document_id="header"))

    def _line(self, cells: list[str]) -> str:
        if cells == [""]:
            return '""' + self._end
        return self._delimiter.join(map(self._quote, cells)) + self._end

    def _quote(self, cell: str) -> str:
        if any(character in cell for character in ('"', "\r", "\n", self._delimiter)):
            return '"' + cell.replace('"', '""') + '"'
        return cell


def start(
    create: Create,
    *,
    encoding: str = "utf-8",
    delimiter: str = ",",
    text_column: TextColumns | None = None,
    id_column: str | None = None,
    spans_column: str | None = None,
) -> _Encoder:
    """Open a container; by default it is laid out like the table the documents came from.

    An empty `spans_column` leaves the spans out. A document with fields that the first one
    lacks is a `FormatError`.
    """
    settings = {
        "encoding": encoding,
        "delimiter": delimiter,
        "text_column": text_column,
        "id_column": id_column,
        "spans_column": spans_column,
    }
    return _Encoder(create, settings)


CSV = Format(name="csv", suffixes=(".csv",), read=read, start=start, joins_columns=True)
TSV = Format(
    name="tsv",
    suffixes=(".tsv", ".tab"),
    read=partial(read, delimiter="\t"),
    start=partial(start, delimiter="\t"),
    joins_columns=True,
)
