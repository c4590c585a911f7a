"""Parquet: one document a row, its text in a named column, read and written by row batches.

Needs pyarrow (`pip install "scrubjay[parquet]"`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrubjay.corpora._rows import Layout, find_names, make_layout, read_row
from scrubjay.corpora.format import Create, Format
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import FormatError, InputError, MissingExtraError

SCHEMA_KEY = "source.schema"
_ROWS = 256
_BUDGET = 1 << 30
_BATCH = 1024


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "parquet") from None
    return pyarrow, pyarrow.parquet


def read(
    source: Source,
    *,
    text_column: str = "text",
    id_column: str | None = None,
    spans_column: str | None = None,
) -> Iterator[Document]:
    """Yield the document of each row; the options are those of the CSV reader.

    Columns keep their types in the metadata, and the schema comes back on writing.
    """
    arrow, parquet = _arrow()
    if source.path is None:
        raise InputError("Parquet cannot be read from standard input", hint="Give a file")
    try:
        table = parquet.ParquetFile(source.path)
    except (arrow.ArrowInvalid, OSError):
        raise FormatError("not a Parquet file, or a truncated one", path=source.name) from None
    with table:
        schema = table.schema_arrow
        names = find_names(
            schema.names,
            text_column=text_column,
            id_column=id_column,
            spans_column=spans_column,
            source=source,
        )
        number = 0
        for batch in _batches(table, arrow, source):
            for row in batch.to_pylist():
                number += 1
                document = read_row(row, names, source=source, number=number, place=f"row {number}")
                metadata = {**document.metadata, SCHEMA_KEY: schema}
                yield Document(document.id, document.text, document.spans, metadata)


def _batches(table: Any, arrow: Any, source: Source) -> Iterator[Any]:
    try:
        yield from table.iter_batches(batch_size=_batch_rows(table.metadata))
    except (arrow.ArrowInvalid, OSError):
        raise FormatError("a truncated or damaged Parquet file", path=source.name) from None


def _batch_rows(metadata: Any) -> int:
    """Return how many rows to unpack at once, so that they take at most about 1 GiB.

    A value may be stored once and stand in every row: none is greater than its row group.
    """
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    largest = max((group.total_byte_size for group in groups), default=0)
    return max(1, min(_ROWS, _BUDGET // max(1, largest)))


class _Encoder:
    def __init__(self, create: Create, settings: dict[str, Any]) -> None:
        self._arrow, self._parquet = _arrow()
        self._file = create("")
        self._settings = settings
        self._layout: Layout | None = None
        self._schema: Any = None
        self._writer: Any = None
        self._pending: list[Any] = []

    def add(self, document: Document) -> None:
        layout = self._layout or make_layout(document, **self._settings)
        row = layout.row(document)
        try:
            schema = self._schema or self._make_schema(document, layout, row)
            batch = self._arrow.RecordBatch.from_pylist([row], schema=schema)
        except (self._arrow.ArrowInvalid, self._arrow.ArrowTypeError, UnicodeEncodeError):
            raise FormatError(
                f"document {document.id!r} has fields of other types than the table"
            ) from None
        self._layout, self._schema = layout, schema
        self._pending.append(batch)
        if len(self._pending) == _BATCH:
            self._flush()

    def _make_schema(self, document: Document, layout: Layout, row: dict[str, Any]) -> Any:
        arrow, came = self._arrow, document.metadata.get(SCHEMA_KEY)
        own = {layout.names.text, layout.names.spans}
        fields = []
        for name in layout.columns:
            field = came.field(name) if came is not None and name in came.names else None
            if field is not None and (name not in own or _is_string(arrow, field.type)):
                fields.append(field)
            elif name in own or name == layout.names.id or row[name] is None:
                fields.append(arrow.field(name, arrow.string()))
            else:
                fields.append(arrow.field(name, arrow.scalar(row[name]).type))
        return arrow.schema(fields)

    def _flush(self) -> None:
        if self._writer is None:
            if self._schema is None:
                names = make_layout(None, **self._settings).columns
                self._schema = self._arrow.schema([(name, self._arrow.string()) for name in names])
            self._writer = self._parquet.ParquetWriter(self._file, self._schema)
        if self._pending:
            table = self._arrow.Table.from_batches(self._pending).combine_chunks()
            self._writer.write_table(table)
            self._pending = []

    def finish(self) -> None:
        self._flush()
        self._writer.close()


def _is_string(arrow: Any, kind: Any) -> bool:
    return bool(arrow.types.is_string(kind) or arrow.types.is_large_string(kind))


def start(
    create: Create,
    *,
    text_column: str | None = None,
    id_column: str | None = None,
    spans_column: str | None = None,
) -> _Encoder:
    """Open a container; the options are those of the CSV writer."""
    settings = {
        "text_column": text_column,
        "id_column": id_column,
        "spans_column": spans_column,
    }
    return _Encoder(create, settings)


FORMAT = Format(
    name="parquet",
    suffixes=(".parquet",),
    read=read,
    start=start,
    recognise=lambda head: head.startswith(b"PAR1"),
)
