"""Parquet: one document a row, its text in named columns, read and written by row groups.

Rows keep the types and values of their other columns exactly, null for null. Needs pyarrow
(the extra `parquet`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scrubjay.corpora._rows import Layout, Names, TextColumns, find_names, make_layout, read_row
from scrubjay.corpora.arrow import (
    ArrowRow,
    Shape,
    is_text,
    load_arrow,
    open_parquet,
    plain_field,
    shape_of,
    with_used_values,
)
from scrubjay.corpora.format import Create, Format
from scrubjay.corpora.metadata import COLUMNS_KEY
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import FormatError

_ROWS = 256
_BUDGET = 1 << 30
_BATCH = 8192
_CHARACTERS = 1 << 25


def read(
    source: Source,
    *,
    text_column: TextColumns = "text",
    id_column: str | None = None,
    spans_column: str | None = None,
) -> Iterator[Document]:
    """Yield the document of each row; the options are those of the CSV reader.

    The fields of a row are under "columns", with those of hive-style folders (`site=north/`).
    Raises `FormatError` for a file that is no Parquet or is damaged, and for a column that is
    missing or holds no text, before the first row.
    """
    with open_parquet(source) as file:
        shape = shape_of(file, source.relative)
        names = columns_of_file(
            shape,
            source,
            text_column=text_column,
            id_column=id_column,
            spans_column=spans_column,
        )
        number = 0
        for group, batch in _batches(file, source):
            yield from _documents(batch, names, shape, source, first=number, group=group)
            number += batch.num_rows


def columns_of_file(
    shape: Shape,
    source: Source,
    *,
    text_column: TextColumns,
    id_column: str | None,
    spans_column: str | None,
) -> Names:
    """Return the names of the columns of a file, or raise `FormatError` that lists what it has."""
    names = find_names(
        shape.schema.names,
        text_column=text_column,
        id_column=id_column,
        spans_column=spans_column,
        source=source,
    )
    if len(set(shape.schema.names)) < len(shape.schema.names):
        raise FormatError(
            "two columns have the same name", path=source.name, hint="Give each another name"
        )
    for name in names.texts:
        shape.require_text(name, source)
    return names


def _documents(
    batch: Any, names: Names, shape: Shape, source: Source, *, first: int, group: int
) -> Iterator[Document]:
    columns = shape.schema.names
    wanted = [name for name in (*names.texts, names.id, names.spans) if name]
    place = f"rows {first + 1} to {first + batch.num_rows}"
    try:
        values = {name: batch.column(name).to_pylist() for name in wanted}
    except UnicodeDecodeError:
        raise FormatError("a text that is no UTF-8", path=source.name, place=place) from None
    others = [name for name in columns if name not in (*names.texts, names.spans)]
    others += [name for name in shape.partitions if name not in columns]
    for index in range(batch.num_rows):
        row = {name: found[index] for name, found in values.items()}
        fields = ArrowRow(batch, index, names=others, shape=shape, group=group)
        document = read_row(
            row,
            names,
            source=source,
            number=first + index + 1,
            place=f"row {first + index + 1}",
            columns=columns,
            others=fields,
        )
        fields.document_id = document.id
        yield document


def _batches(file: Any, source: Source) -> Iterator[tuple[int, Any]]:
    """Yield the rows by batches, none over the border of a row group, with the group's number."""
    arrow, _ = load_arrow()
    size = _batch_rows(file.metadata)
    for group in range(file.num_row_groups):
        try:
            for batch in file.iter_batches(batch_size=size, row_groups=[group]):
                yield group, batch
        except (arrow.ArrowException, OSError):
            raise FormatError(
                f"a truncated or damaged Parquet file, in row group {group + 1} of "
                f"{file.num_row_groups}",
                path=source.name,
                hint="Nothing was written. Restore this part, or move it away and run again",
            ) from None


def _batch_rows(metadata: Any) -> int:
    """Return how many rows to unpack at once, so that they take at most about 1 GiB.

    A value may be stored once and stand in every row: none is greater than its row group.
    """
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    largest = max((group.total_byte_size for group in groups), default=0)
    return max(1, min(_ROWS, _BUDGET // max(1, largest)))


class _Encoder:
    """Writes rows: those that came from Parquet out of their batches, others from their values."""

    def __init__(self, create: Create, settings: dict[str, Any]) -> None:
        self._arrow, self._parquet = load_arrow()
        self._file = create("")
        self._settings = settings
        self._layout: Layout | None = None
        self._schema: Any = None
        self._writer: Any = None
        self._codecs: Mapping[str, str] = {}
        self._pending: list[tuple[ArrowRow | None, dict[str, Any]]] = []
        self._size = 0

    def add(self, document: Document) -> None:
        came = document.metadata.get(COLUMNS_KEY)
        row = came if isinstance(came, ArrowRow) else None
        layout = self._layout or self._make_layout(document, row)
        values = layout.row(document, others={} if row is not None else None)
        if row is not None:
            own = {*layout.names.texts, layout.names.spans}
            if document.id != row.document_id:
                own.add(layout.names.id)
            values = {name: value for name, value in values.items() if name in own}
            values |= {name: made for name, made in row.made.items() if name in layout.columns}
        try:
            schema = self._schema or self._make_schema(layout, values, row)
            if row is None or layout.names.id in values:
                # Made for nothing but to raise now where a value does not fit.
                fields = [schema.field(name) for name in values]
                self._arrow.RecordBatch.from_pylist([values], schema=self._arrow.schema(fields))
            else:
                for value in values.values():
                    (value or "").encode("utf-8")
        except (self._arrow.ArrowException, UnicodeEncodeError, KeyError):
            raise FormatError(
                f"document {document.id!r} has fields of other types than the table"
            ) from None
        if self._pending and _group_of(self._pending[-1][0]) != _group_of(row):
            self._flush()
        self._layout, self._schema = layout, schema
        self._pending.append((row, values))
        self._size += len(document.text)
        if len(self._pending) >= _BATCH or self._size >= _CHARACTERS:
            self._flush()

    def _make_layout(self, document: Document, row: ArrowRow | None) -> Layout:
        layout = make_layout(document, **self._settings)
        if row is None:
            return layout
        self._codecs = row.shape.codecs
        # A partition stands in the name of the folder, not in the file.
        there = (*row.batch.schema.names, layout.names.spans)
        columns = tuple(name for name in layout.columns if name in there)
        return Layout(columns, layout.names)

    def _make_schema(self, layout: Layout, row: Mapping[str, Any], came: ArrowRow | None) -> Any:
        arrow = self._arrow
        schema = came.shape.schema if came is not None else None
        made = came.made if came is not None else {}
        own = {*layout.names.texts, layout.names.spans}
        fields = []
        for name in layout.columns:
            found = schema.field(name) if schema is not None and name in schema.names else None
            if name in made:
                fields.append(arrow.field(name, arrow.string()))
            elif found is not None and (name not in own or is_text(found.type)):
                fields.append(plain_field(found))
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
            known = {field.name for field in self._schema}
            codecs = {
                path: codec
                for path, codec in self._codecs.items()
                if path.partition(".")[0] in known
            }
            self._writer = self._parquet.ParquetWriter(
                self._file, self._schema, compression=codecs or "SNAPPY"
            )
        if self._pending:
            self._writer.write_table(self._table())
            self._pending, self._size = [], 0

    def _table(self) -> Any:
        """Return the rows that wait, in order, as one table."""
        arrow = self._arrow
        pieces: list[Any] = []
        start = 0
        for end in range(1, len(self._pending) + 1):
            batch = _batch_of(self._pending[start])
            if end == len(self._pending) or _batch_of(self._pending[end]) is not batch:
                pieces.append(self._piece(batch, self._pending[start:end]))
                start = end
        table = arrow.Table.from_batches(pieces, schema=self._schema).combine_chunks()
        return with_used_values(table)

    def _piece(self, batch: Any, rows: list[tuple[ArrowRow | None, dict[str, Any]]]) -> Any:
        """Return the rows that came from one batch, or from none."""
        arrow = self._arrow
        taken: Any = None
        arrays = []
        for field in self._schema:
            given = [field.name in values for _, values in rows]
            if batch is None or all(given):
                column = [values.get(field.name) for _, values in rows]
                arrays.append(_array(arrow, column, field.type))
                continue
            if taken is None:
                taken = arrow.array([row.index for row, _ in rows if row is not None])
            array = batch.column(field.name).take(taken)
            if any(given):  # ids that have changed
                column = [
                    values.get(field.name, array[number].as_py())
                    for number, (_, values) in enumerate(rows)
                ]
                array = _array(arrow, column, field.type)
            arrays.append(array)
        return arrow.RecordBatch.from_arrays(arrays, schema=self._schema)

    def finish(self) -> None:
        """Write the rows that wait, and the end of the file."""
        self._flush()
        self._writer.close()


def _group_of(row: ArrowRow | None) -> int:
    return -1 if row is None else row.group


def _batch_of(pending: tuple[ArrowRow | None, dict[str, Any]]) -> Any:
    return None if pending[0] is None else pending[0].batch


def _array(arrow: Any, column: list[Any], kind: Any) -> Any:
    if arrow.types.is_dictionary(kind):
        return arrow.array(column, kind.value_type).dictionary_encode().cast(kind)
    return arrow.array(column, kind)


def start(
    create: Create,
    *,
    text_column: TextColumns | None = None,
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
    joins_columns=True,
)
