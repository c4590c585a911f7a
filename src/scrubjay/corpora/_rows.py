"""What the formats with records share: which fields hold text, id and spans, and the others.

The other fields of a record go to `Document.metadata["columns"]` and come back on writing.
Where a record came from is kept under `source.columns` and `source.names`, so that a writer
of the same kind lays its file out alike.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from scrubjay.corpora._json import (
    decode_spans,
    dump_json,
    encode_span,
    parse_json,
    require_text,
)
from scrubjay.corpora._parts import Part, join_parts, split_parts
from scrubjay.corpora.columns import advise_text, describe_columns, suggest_column
from scrubjay.corpora.metadata import (
    COLUMNS_KEY,
    FILE_KEY,
    FORMAT_KEY,
    ID_VALUE_KEY,
    LAYOUT_KEY,
    NAMES_KEY,
    NULL_KEY,
    SEPARATOR_KEY,
    TEXTS_KEY,
)
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError, SpanError
from scrubjay.known.parts import PARTS_KEY

TextColumns = str | Sequence[str]
"""The name of the column that holds the text, or those of several."""


@dataclass(frozen=True, slots=True)
class Names:
    """The fields of a record that make a document; `id` and `spans` may be absent.

    `more` are further columns of texts, in the order in which the document has them.
    """

    text: str = "text"
    id: str | None = "id"
    spans: str | None = "spans"
    more: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the names of the columns of texts."""
        return (self.text, *self.more)


def find_names(
    columns: Iterable[str],
    *,
    text_column: TextColumns,
    id_column: str | None,
    spans_column: str | None,
    source: Source,
) -> Names:
    """Return the names for a table with these columns.

    A name that was given must be there; `id` and `spans` are taken by default where they are
    there. An empty name means that there is none. Raises `FormatError`.
    """
    columns = list(columns)
    known = set(columns)
    texts = name_texts(text_column)
    for name in (*texts, id_column, spans_column):
        if name and name not in known:
            raise FormatError(
                f"there is no column {name!r}",
                path=source.name,
                hint=f"{suggest_column(name, columns)}The file has {describe_columns(columns)}"
                + (f". {advise_text(columns)}" if name in texts else ""),
            )
    chosen_id = ("id" if "id" in known else None) if id_column is None else id_column or None
    default = "spans" if "spans" in known else None
    chosen_spans = default if spans_column is None else spans_column or None
    for name in (chosen_id, chosen_spans):
        if name in texts:
            raise ConfigError(f"the column {name!r} cannot hold the text and something else, too")
    return Names(texts[0], chosen_id, chosen_spans, texts[1:])


def name_texts(text_column: TextColumns) -> tuple[str, ...]:
    """Return the names of the columns of texts; raises `ConfigError` for none and for one twice."""
    texts = (text_column,) if isinstance(text_column, str) else tuple(text_column)
    if not texts or not all(texts) or len(set(texts)) < len(texts):
        raise ConfigError("the columns of the texts must have names, each another one")
    return texts


def read_row(
    row: Mapping[str, Any],
    names: Names,
    *,
    source: Source,
    number: int,
    place: str,
    columns: Sequence[str] | None = None,
    others: Mapping[str, Any] | None = None,
    written: Mapping[str, Any] | None = None,
) -> Document:
    """Return the document of a row; `number` counts from 1 and makes an id where there is none.

    A text that is null becomes an empty one that is written as null again. Several texts are
    joined, and those that are null left out. `columns` are the names of all fields, and `others`
    those beside texts and spans, by default taken from `row`; `written` tells how the file is.
    """
    metadata: dict[str, Any] = {}
    if names.more:
        found = [name for name in names.texts if row[name] is not None]
        parts = [Part(name, require_text(row, name, source, place)) for name in found]
        text, metadata = join_parts(parts)
        metadata[TEXTS_KEY] = found
    else:
        is_null = row[names.text] is None if names.text in row else False
        text = "" if is_null else require_text(row, names.text, source, place)
        metadata = {NULL_KEY: True} if is_null else {}
    name = row.get(names.id) if names.id else None
    identifier = f"{source.stem}-{number}" if name is None or name == "" else str(name)
    value = row.get(names.spans) if names.spans else None
    if isinstance(value, str):
        value = parse_json(value, path=source.name, place=place) if value else None
    if names.more and isinstance(value, list):
        value = [_shifted(each, metadata, source, place) for each in value]
    spans = decode_spans(value, text, source=source, place=place) if value is not None else ()
    if others is None:
        others = {key: row[key] for key in row if key not in (*names.texts, names.spans)}
    layout = list(row if columns is None else columns)
    metadata |= {COLUMNS_KEY: others, LAYOUT_KEY: layout, NAMES_KEY: _told(names)}
    if written:
        metadata[FILE_KEY] = written
    return Document(identifier, text, spans, metadata)


@lru_cache(maxsize=64)
def _told(names: Names) -> dict[str, Any]:
    """Return the names as the metadata of each row have them."""
    return asdict(names)


def _shifted(value: Any, metadata: Mapping[str, Any], source: Source, place: str) -> Any:
    """Return a span of one of several columns with the offsets that it has in the whole text."""
    name = value.get("column") if isinstance(value, dict) else None
    if not isinstance(name, str):
        return value
    for part in metadata[PARTS_KEY]:
        start, end = value.get("start"), value.get("end")
        size = part["end"] - part["start"]
        if part["name"] == name and type(start) is int and type(end) is int and end <= size:
            shift = part["start"]
            return {**value, "start": start + shift, "end": end + shift}
    raise FormatError(
        "a span names a column of texts that the row has not, or ends beyond its text",
        path=source.name,
        place=place,
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table that is written, in order, and which of them are ours."""

    columns: tuple[str, ...]
    names: Names

    def row(self, document: Document, *, others: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the fields of a document: those it came with, text, id and spans as JSON.

        `others` stand for those it came with where they are not wanted. Raises `SpanError` where
        it has spans and the table no column for them, `FormatError` where it has a field that the
        table lacks.
        """
        others = columns_of(document.metadata) if others is None else others
        row: dict[str, Any] = {name: others.get(name) for name in self.columns}
        unknown = [name for name in others if name not in row]
        if unknown:
            raise FormatError(
                f"document {document.id!r} has columns that the first document lacks",
                hint=f"These are {describe_columns(unknown)}",
            )
        starts = self._fill_texts(row, document)
        if self.names.id and str(row.get(self.names.id)) != document.id:
            row[self.names.id] = document.id
        if self.names.spans:
            row[self.names.spans] = dump_json([_encode(span, starts) for span in document.spans])
        elif document.spans:
            raise SpanError(
                f"document {document.id!r} has spans, but the table has no column for them",
                hint="Name one with spans_column",
            )
        return row

    def _fill_texts(self, row: dict[str, Any], document: Document) -> list[tuple[int, str]]:
        """Put the texts in their columns, and return where each of several begins."""
        if not self.names.more:
            blank = document.metadata.get(NULL_KEY) and not document.text
            row[self.names.text] = None if blank else document.text
            return []
        found = list(document.metadata.get(TEXTS_KEY, ()))
        if not set(found) <= set(self.names.texts):
            raise FormatError(f"document {document.id!r} has texts of other columns")
        row |= dict.fromkeys(self.names.texts)
        starts, place = [], 0
        separator = len(str(document.metadata.get(SEPARATOR_KEY, "")))
        for name, text in zip(found, split_parts(document, len(found)), strict=True):
            row[name] = text
            starts.append((place, name))
            place += len(text) + separator
        return starts


def _encode(span: Span, starts: Sequence[tuple[int, str]]) -> dict[str, Any]:
    """Return a span as JSON, with the column that it is in where there are several."""
    if not starts:
        return encode_span(span)
    first, name = starts[bisect_right(starts, span.start, key=lambda each: each[0]) - 1]
    own = replace(span, start=span.start - first, end=span.end - first)
    return {**encode_span(own), "column": name}


def id_value(value: Any) -> dict[str, Any]:
    """Return the metadata that tell of an id of JSON what its text does not: 17.0, true, a list."""
    return {} if value is None or type(value) in (str, int) else {ID_VALUE_KEY: value}


def columns_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields beside text and spans that a document came with."""
    found = metadata.get(COLUMNS_KEY)
    return dict(found) if isinstance(found, Mapping) else {}


def names_of(document: Document, *formats: str) -> Names | None:
    """Return the names of the record that a document was read from, None for other origins.

    With `formats`, only records of these are looked at.
    """
    found = document.metadata.get(NAMES_KEY)
    fits = not formats or document.metadata.get(FORMAT_KEY) in formats
    return Names(**found) if isinstance(found, Mapping) and fits else None


def make_layout(
    document: Document | None,
    *,
    text_column: TextColumns | None,
    id_column: str | None,
    spans_column: str | None,
) -> Layout:
    """Return the layout of a table whose first document this is, if it has any.

    It is that of the table the document was read from; names that are given overrule. A column
    for spans is added unless the table had none and the document has no spans, or the name
    given is empty. A document of other origin makes the columns id, text, spans and its fields.
    """
    document = document or Document("", "")
    others = columns_of(document.metadata)
    came = names_of(document)
    names = came or Names()
    if came and came.spans is None and document.spans:
        names = replace(names, spans="spans")
    texts = name_texts(text_column) if text_column else names.texts
    if names.more and texts != names.texts:
        raise ConfigError(
            "a table with several columns of texts keeps their names",
            hint="Write another format, or leave the name of the column out",
        )
    identifier = names.id if id_column is None else id_column or None
    spans = names.spans if spans_column is None else spans_column or None
    before = list(document.metadata.get(LAYOUT_KEY, ())) if came else []
    columns = [texts[0] if column == names.text else column for column in before]
    for name in (identifier, *texts, spans, *others):
        if name and name not in columns:
            columns.append(name)
    if spans is None and came and came.spans in columns:
        columns.remove(came.spans)
    return Layout(tuple(columns), Names(texts[0], identifier, spans, texts[1:]))


def cell_text(value: Any) -> str:
    """Return a field for a table of strings: strings as they are, lists and objects as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return dump_json(value) if isinstance(value, list | dict) else str(value)
