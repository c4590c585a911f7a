"""What the formats with records share: which fields hold text, id and spans, and the others.

The other fields of a record go to `Document.metadata["columns"]` and come back on writing.
Where a record came from is kept under `source.columns` and `source.names`, so that a writer
of the same kind lays its file out alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from scrubjay.corpora._json import (
    decode_spans,
    dump_json,
    encode_span,
    parse_json,
    require_text,
)
from scrubjay.corpora.columns import TEXT_ADVICE, describe_columns
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import FormatError, SpanError

COLUMNS_KEY = "columns"
LAYOUT_KEY = "source.columns"
NAMES_KEY = "source.names"
NULL_KEY = "source.null_text"


@dataclass(frozen=True, slots=True)
class Names:
    """The fields of a record that make a document; `id` and `spans` may be absent."""

    text: str = "text"
    id: str | None = "id"
    spans: str | None = "spans"

    def fields(self) -> set[str | None]:
        """Return the names themselves."""
        return {self.text, self.id, self.spans}


def find_names(
    columns: Iterable[str],
    *,
    text_column: str,
    id_column: str | None,
    spans_column: str | None,
    source: Source,
) -> Names:
    """Return the names for a table with these columns.

    A name that was given must be there; `id` and `spans` are taken by default where they are
    there. An empty name means that there is none. Raises `FormatError`.
    """
    known = set(columns)
    for name in (text_column, id_column, spans_column):
        if name and name not in known:
            raise FormatError(
                f"there is no column {name!r}",
                path=source.name,
                hint=f"The file has {describe_columns(columns)}"
                + (f". {TEXT_ADVICE}" if name == text_column else ""),
            )
    chosen_id = ("id" if "id" in known else None) if id_column is None else id_column or None
    default = "spans" if "spans" in known else None
    chosen_spans = default if spans_column is None else spans_column or None
    return Names(text_column, chosen_id, chosen_spans)


def read_row(
    row: Mapping[str, Any], names: Names, *, source: Source, number: int, place: str
) -> Document:
    """Return the document of a row; `number` counts from 1 and makes an id where there is none.

    A text that is null becomes an empty one that is written as null again.
    """
    is_null = row[names.text] is None if names.text in row else False
    text = "" if is_null else require_text(row, names.text, source, place)
    name = row.get(names.id) if names.id else None
    identifier = f"{source.stem}-{number}" if name is None or name == "" else str(name)
    value = row.get(names.spans) if names.spans else None
    if isinstance(value, str):
        value = parse_json(value, path=source.name, place=place) if value else None
    spans = decode_spans(value, text, source=source, place=place) if value is not None else ()
    others = {key: row[key] for key in row if key not in (names.text, names.spans)}
    metadata: dict[str, Any] = {
        COLUMNS_KEY: others,
        LAYOUT_KEY: list(row),
        NAMES_KEY: asdict(names),
    }
    if is_null:
        metadata[NULL_KEY] = True
    return Document(identifier, text, spans, metadata)


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table that is written, in order, and which of them are ours."""

    columns: tuple[str, ...]
    names: Names

    def row(self, document: Document) -> dict[str, Any]:
        """Return the fields of a document: those it came with, text, id and spans as JSON.

        Raises `SpanError` where it has spans and the table no column for them, `FormatError`
        where it has a field that the table lacks.
        """
        others = columns_of(document.metadata)
        row: dict[str, Any] = {name: others.get(name) for name in self.columns}
        unknown = [name for name in others if name not in row]
        if unknown:
            raise FormatError(
                f"document {document.id!r} has columns that the first document lacks",
                hint=f"These are {describe_columns(unknown)}",
            )
        blank = document.metadata.get(NULL_KEY) and not document.text
        row[self.names.text] = None if blank else document.text
        if self.names.id and str(row.get(self.names.id)) != document.id:
            row[self.names.id] = document.id
        if self.names.spans:
            row[self.names.spans] = dump_json([encode_span(span) for span in document.spans])
        elif document.spans:
            raise SpanError(
                f"document {document.id!r} has spans, but the table has no column for them",
                hint="Name one with spans_column",
            )
        return row


def columns_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields beside text and spans that a document came with."""
    found = metadata.get(COLUMNS_KEY)
    return dict(found) if isinstance(found, Mapping) else {}


def names_of(document: Document, *formats: str) -> Names | None:
    """Return the names of the record that a document was read from, None for other origins.

    With `formats`, only records of these are looked at.
    """
    found = document.metadata.get(NAMES_KEY)
    fits = not formats or document.metadata.get("source.format") in formats
    return Names(**found) if isinstance(found, Mapping) and fits else None


def make_layout(
    document: Document | None,
    *,
    text_column: str | None,
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
        names = Names(names.text, names.id, "spans")
    text = text_column or names.text
    identifier = names.id if id_column is None else id_column or None
    spans = names.spans if spans_column is None else spans_column or None
    before = list(document.metadata.get(LAYOUT_KEY, ())) if came else []
    columns = [text if column == names.text else column for column in before]
    for name in (identifier, text, spans, *others):
        if name and name not in columns:
            columns.append(name)
    if spans is None and came and came.spans in columns:
        columns.remove(came.spans)
    return Layout(tuple(columns), Names(text, identifier, spans))


def cell_text(value: Any) -> str:
    """Return a field for a table of strings: strings as they are, lists and objects as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return dump_json(value) if isinstance(value, list | dict) else str(value)
