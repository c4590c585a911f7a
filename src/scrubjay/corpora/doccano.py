"""doccano's JSON lines: `{"id": 1, "text": "...", "label": [[8, 15, "DOCTOR"]]}`.

The spans stand under `label`, `labels` or `entities` (objects with `start_offset` and
`end_offset`), as the versions of doccano write them; the key a document came with is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from scrubjay.corpora._json import (
    decode_spans,
    dump_json,
    json_metadata,
    require_text,
)
from scrubjay.corpora._rows import Names, columns_of, id_value, names_of
from scrubjay.corpora.format import Create, Format
from scrubjay.corpora.jsonl import LineEncoder, first_record, records
from scrubjay.corpora.metadata import COLUMNS_KEY, NAMES_KEY
from scrubjay.corpora.offsets import Offsets
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import FormatError

SPAN_KEYS = ("label", "labels", "entities")
KEY_KEY = "doccano.key"
_OUR_ID = "scrubjay_id"


def read(
    source: Source,
    *,
    encoding: str = "utf-8",
    offsets: str = "code-points",
    text_column: str = "text",
) -> Iterator[Document]:
    """Yield the document of each line; further keys go to the metadata under "columns".

    `offsets` says what the offsets count: "code-points" (doccano since 2019) or "utf-16".
    """
    for number, place, record in records(source, encoding):
        text = require_text(record, text_column, source, place)
        key = next((key for key in SPAN_KEYS if key in record), None)
        if key is None:
            raise FormatError(
                "there is none of label, labels and entities", path=source.name, place=place
            )
        spans = decode_spans(record.pop(key), text, source=source, place=place, unit=offsets)
        name = record.pop(_OUR_ID, None)
        if name is None:
            name = record.get("id")
        del record[text_column]
        metadata = {KEY_KEY: key, NAMES_KEY: asdict(Names(text_column)), **id_value(name)}
        if record:
            metadata[COLUMNS_KEY] = record
        yield Document(
            f"{source.stem}-{number}" if name is None else str(name), text, spans, metadata
        )


def start(create: Create, *, offsets: str = "code-points") -> LineEncoder:
    """Open a container; `offsets` as for the reader.

    doccano numbers its records itself, so an id that is no number is kept as `scrubjay_id`.
    """

    def record(document: Document) -> dict[str, Any]:
        columns = columns_of(json_metadata(document))
        came = names_of(document, "doccano")
        text = came.text if came else "text"
        columns.pop(text, None)
        key = document.metadata.get(KEY_KEY)
        key = key if key in SPAN_KEYS else SPAN_KEYS[0]
        if str(columns.get("id")) != document.id:
            columns.pop("id", None)
            columns = {_OUR_ID: document.id} | columns
        others = {name: value for name, value in columns.items() if name not in SPAN_KEYS}
        return {text: document.text, key: _encode(document, key, offsets)} | others

    return LineEncoder(create, lambda document: dump_json(record(document)))


def _encode(document: Document, key: str, unit: str) -> list[Any]:
    offsets = Offsets(document.text, unit)
    found = [(offsets.encode(s.start), offsets.encode(s.end), s.label) for s in document.spans]
    if key != "entities":
        return [list(item) for item in found]
    names = ("start_offset", "end_offset", "label")
    return [
        {"id": number} | dict(zip(names, item, strict=True))
        for number, item in enumerate(found, start=1)
    ]


def _recognise(head: bytes) -> bool:
    record = first_record(head) or {}
    return "spans" not in record and any(isinstance(record.get(key), list) for key in SPAN_KEYS)


FORMAT = Format(name="doccano", suffixes=(".jsonl",), read=read, start=start, recognise=_recognise)
