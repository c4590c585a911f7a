"""Rows of Parquet files as they stand in Arrow's memory, so that passing them on changes nothing.

The only file that knows pyarrow (the extra `parquet`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scrubjay.corpora.source import Source
from scrubjay.errors import FormatError, InputError, MissingExtraError

NULL_PARTITION = "__HIVE_DEFAULT_PARTITION__"
"""What the name of a folder says for null."""

_CODECS = {"SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4"}
# What makes the identity of a field for readers of tables such as Iceberg; all else is comment.
_FIELD_KEYS = (b"PARQUET:field_id",)


def load_arrow() -> tuple[Any, Any]:
    """Return pyarrow and its module for Parquet; raises `MissingExtraError` without them."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "parquet") from None
    return pyarrow, pyarrow.parquet


def open_parquet(source: Source) -> Any:
    """Return an open `ParquetFile`; raises `FormatError` for a file that is none."""
    arrow, parquet = load_arrow()
    if source.path is None:
        raise InputError("Parquet cannot be read from standard input", hint="Give a file")
    try:
        return parquet.ParquetFile(source.path)
    except PermissionError:
        raise InputError("cannot be read (Permission denied)", path=source.path) from None
    except (arrow.ArrowException, OSError):
        raise FormatError(
            "not a Parquet file, or a truncated one",
            path=source.name,
            hint="Nothing was written. Restore this part, or move it away and run again",
        ) from None


@dataclass(frozen=True, slots=True, repr=False)
class Shape:
    """What a file's rows share: its schema, the codec of each column, its hive-style partitions."""

    schema: Any
    codecs: Mapping[str, str] = field(default_factory=dict)
    partitions: Mapping[str, str] = field(default_factory=dict)

    def require_text(self, name: str, source: Source) -> None:
        """Raise `FormatError` where a column holds no strings; one of nulls alone may be a text."""
        kind = self.schema.field(name).type
        if not (is_text(kind) or load_arrow()[0].types.is_null(kind)):
            raise FormatError(
                f"the column {name!r} holds {kind}, not text",
                path=source.name,
                hint="Name the column with the text with --text-column",
            )

    def require_id(self, name: str, source: Source) -> None:
        """Raise `FormatError` where a column of the file holds neither texts nor numbers."""
        if name not in self.schema.names:
            return
        kind = self.schema.field(name).type
        types = load_arrow()[0].types
        inner = kind.value_type if types.is_dictionary(kind) else kind
        numbers = (types.is_integer, types.is_floating, types.is_decimal, types.is_null)
        if not (is_text(inner) or any(is_such(inner) for is_such in numbers)):
            raise FormatError(
                f"the column {name!r} holds {kind}, and codes are made of texts and numbers",
                path=source.name,
                hint="Cast it to text, or make no codes of it",
            )


def shape_of(file: Any, relative: str) -> Shape:
    """Return the shape of an open file at a relative path."""
    metadata = file.metadata
    codecs: dict[str, str] = {}
    if metadata.num_row_groups:
        group = metadata.row_group(0)
        for number in range(group.num_columns):
            column = group.column(number)
            found = str(column.compression).removesuffix("_RAW")
            codecs[column.path_in_schema] = found if found in _CODECS else "NONE"
    return Shape(file.schema_arrow, codecs, partitions_of(relative))


def partitions_of(relative: str) -> dict[str, str]:
    """Return the columns that stand in the names of folders: `site=north/part-0.parquet`."""
    from urllib.parse import unquote

    pairs = (part.partition("=") for part in relative.split("/")[:-1])
    return {unquote(name): unquote(value) for name, equals, value in pairs if equals and name}


def is_text(kind: Any) -> bool:
    """Tell whether a type of Arrow is one of strings."""
    arrow, _ = load_arrow()
    types = arrow.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    is_view = getattr(types, "is_string_view", lambda kind: False)
    return bool(types.is_string(kind) or types.is_large_string(kind) or is_view(kind))


class ArrowRow(Mapping[str, Any]):
    """The fields of one row beside its texts, as a mapping that makes Python values when asked.

    A writer of Parquet takes the values out of `batch` instead, which are exact, but for those of
    `made`: texts that stand in the place of what the file held. Another process gets a plain
    dictionary. `document_id` is that of the document as it was read.
    """

    __slots__ = ("_names", "batch", "document_id", "group", "index", "made", "shape")

    def __init__(
        self,
        batch: Any,
        index: int,
        *,
        names: Collection[str],
        shape: Shape,
        group: int,
        document_id: str = "",
        made: Mapping[str, str | None] = MappingProxyType({}),
    ) -> None:
        self.batch, self.index, self.shape, self.group = batch, index, shape, group
        self.document_id, self.made = document_id, made
        self._names = names

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        if name in self.made:
            return self.made[name]
        if name in self.batch.schema.names:
            return as_python(self.batch.column(name)[self.index])
        value = self.shape.partitions[name]
        return None if value == NULL_PARTITION else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"ArrowRow({len(self)} fields)"

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)

    def only(
        self, names: Collection[str], made: Mapping[str, str | None] = MappingProxyType({})
    ) -> ArrowRow:
        """Return the row with these of its fields alone, some with texts in place of values."""
        return ArrowRow(
            self.batch,
            self.index,
            names=[name for name in self._names if name in names],
            shape=self.shape,
            group=self.group,
            document_id=self.document_id,
            made=made,
        )

    @property
    def bytes_each(self) -> int:
        """Return how many bytes a row of its batch takes in memory, on average."""
        return int(self.batch.nbytes) // int(self.batch.num_rows)

    def alone(self) -> ArrowRow:
        """Return the row in a batch of its own, so that it keeps no other in memory.

        The row groups of its file are forgotten: it may stand beside any other row.
        """
        return ArrowRow(
            self.batch.take(load_arrow()[0].array([self.index])),
            0,
            names=self._names,
            shape=self.shape,
            group=0,
            document_id=self.document_id,
            made=self.made,
        )


def as_python(scalar: Any) -> Any:
    """Return the value of a scalar, as a string where Python has no such value.

    Raises `LookupError` where that value lies inside of another one.
    """
    arrow, _ = load_arrow()
    try:
        return scalar.as_py()
    except (ValueError, OverflowError, NotImplementedError, LookupError):
        # Nanoseconds without pandas, dates beyond the year 9999, zones that are not known here:
        # what is raised for those depends on what else is installed.
        if arrow.types.is_nested(scalar.type):
            raise LookupError("a value inside has no equal in Python") from None
        return str(scalar.value if hasattr(scalar, "value") else scalar)


def plain_field(found: Any) -> Any:
    """Return a field of a schema without comments, which may quote anything."""
    kept = {key: value for key, value in (found.metadata or {}).items() if key in _FIELD_KEYS}
    return found.with_metadata(kept or None)


def with_used_values(table: Any) -> Any:
    """Return a table of whole columns whose dictionaries hold the values of its rows alone.

    That of a file that was read holds those of all of its rows, of which some may have failed. The
    order of the values stays. A column may be in several chunks, as one of gigabytes is.
    """
    arrow, _ = load_arrow()
    for place, own in enumerate(table.schema):
        if arrow.types.is_dictionary(own.type):
            chunks = [_only_used(arrow, chunk) for chunk in table.column(place).chunks]
            table = table.set_column(place, own, arrow.chunked_array(chunks, type=own.type))
    return table


def _only_used(arrow: Any, column: Any) -> Any:
    """Return an array with a dictionary of its own values, in their order."""
    from pyarrow import compute

    used = compute.unique(column.indices.drop_null())
    if len(used) == len(column.dictionary):
        return column
    used = used.take(compute.array_sort_indices(used))
    places = compute.index_in(column.indices, value_set=used).cast(column.type.index_type)
    values = column.dictionary.take(used)
    return arrow.DictionaryArray.from_arrays(places, values, ordered=column.type.ordered)


def read_actions(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the additions of a checkpoint of a Delta table; raises `FormatError`."""
    arrow, parquet = load_arrow()
    try:
        yield from parquet.read_table(path).to_pylist()
    except (arrow.ArrowException, OSError, KeyError, ValueError):
        raise FormatError("a checkpoint of the Delta log cannot be read", path=path) from None
