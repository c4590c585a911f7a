"""Scrubjay's JSON lines: one document a line, with its spans and metadata.

{"id": "note-1", "text": "Seen by Dr. Lee", "spans": [{"start": 8, "end": 15, ...}]}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from scrubjay.corpora._claimed import claimed_metadata
from scrubjay.corpora._json import (
    decode_spans,
    dump_json,
    dump_spans,
    encode_span,
    json_metadata,
    parse_json,
    require_id,
    require_record,
    require_text,
)
from scrubjay.corpora._rows import columns_of, id_value, names_of
from scrubjay.corpora.encodings import encode_text
from scrubjay.corpora.format import Create, Format, Marks
from scrubjay.corpora.metadata import COLUMNS_KEY, NAMES_KEY
from scrubjay.corpora.source import Source
from scrubjay.document import Document

_ID = "id"


def read(
    source: Source,
    *,
    encoding: str = "utf-8",
    text_column: str = "text",
    id_column: str | None = None,
) -> Iterator[Document]:
    """Yield the document of each line; `spans` and `metadata` may be left out.

    Spans are objects or `[start, end, label]`. Further keys go to the metadata under
    "columns". A line without an id is named after the file and the number of its record; where a
    key of ids was named, the first has to have it; else that is "id".
    """
    named, id_column = id_column is not None, _ID if id_column is None else id_column
    for number, place, record in records(source, encoding):
        text = require_text(record, text_column, source, place)
        if number == 1 and named and id_column:
            require_id(record, id_column, source, place)
        name = record.pop(id_column, None)
        spans = record.pop("spans", None)
        told = record.pop("metadata") if isinstance(record.get("metadata"), dict) else {}
        metadata = claimed_metadata(told, text, source=source, place=place)
        del record[text_column]
        if columns := columns_of(metadata) | record:
            metadata[COLUMNS_KEY] = columns
        metadata[NAMES_KEY] = {"text": text_column, "id": id_column, "spans": "spans"}
        metadata |= id_value(name)
        yield Document(
            f"{source.stem}-{number}" if name is None else str(name),
            text,
            decode_spans(spans or [], text, source=source, place=place),
            metadata,
        )


def read_marked(
    source: Source,
    *,
    encoding: str = "utf-8",
    text_column: str = "text",
    id_column: str | None = None,
) -> Iterator[tuple[str, Marks]]:
    """Yield text and spans of each line, and look at nothing else; options are those of `read`.

    Spans must be as this package writes them; others raise `KeyError` or `TypeError`.
    """
    for _, place, record in records(source, encoding):
        text = require_text(record, text_column, source, place)
        yield text, tuple([(v["start"], v["end"], v["label"]) for v in record.get("spans") or ()])


def records(source: Source, encoding: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield number, place and object of each line that is not blank."""
    number = 0
    for line, content in enumerate(source.lines(encoding, newline="\n"), start=1):
        if not content.strip():
            continue
        number += 1
        place = f"line {line}"
        parsed = parse_json(content, path=source.name, place=place)
        yield number, place, require_record(parsed, source, place)


class LineEncoder:
    """Writes one JSON object a line."""

    def __init__(self, create: Create, dump: Callable[[Document], str]) -> None:
        self._file = create("")
        self._dump = dump

    def add(self, document: Document) -> None:
        """Append the line of a document."""
        line = self._dump(document) + "\n"
        self._file.write(encode_text(line, "utf-8", document_id=document.id))

    def finish(self) -> None:
        """Do nothing: the lines are all there is."""


def start(
    create: Create, *, text_column: str | None = None, id_column: str | None = None
) -> LineEncoder:
    """Open a container; keys that a document came with stand beside ours again."""

    def dump(document: Document) -> str:
        came = names_of(document, "jsonl")
        identifier = id_column or (came and came.id) or "id"
        text = text_column or (came and came.text) or "text"
        own: dict[str, Any] = {identifier: document.id, text: document.text}
        is_plain = own.keys().isdisjoint(("spans", "metadata"))
        own["spans"] = [] if is_plain else [encode_span(span) for span in document.spans]
        metadata = json_metadata(document)
        columns = columns_of(metadata)
        metadata.pop(COLUMNS_KEY, None)
        if str(columns.get(identifier)) == document.id:
            del columns[identifier]
        taken = (*own, "metadata")
        if held := {key: value for key, value in columns.items() if key in taken}:
            metadata[COLUMNS_KEY] = held
        free = {key: value for key, value in columns.items() if key not in taken}
        rest = ({"metadata": metadata} if metadata else {}) | free
        if not is_plain:
            return dump_json(own | rest)
        head = dump_json(own).removesuffix("[]}") + dump_spans(document.spans)
        return f"{head}, {dump_json(rest)[1:]}" if rest else f"{head}}}"

    return LineEncoder(create, dump)


def first_record(head: bytes) -> dict[str, Any] | None:
    """Return the object on the first line that is not blank, None where there is no such."""
    lines = head.removeprefix(b"\xef\xbb\xbf").lstrip().splitlines()
    try:
        parsed = json.loads(lines[0]) if lines else None
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


FORMAT = Format(
    name="jsonl",
    suffixes=(".jsonl", ".ndjson"),
    read=read,
    read_marked=read_marked,
    start=start,
    recognise=lambda head: not head.strip() or first_record(head) is not None,
)
