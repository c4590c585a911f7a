"""Label Studio's JSON: one array of tasks with `data`, `annotations` and `predictions`.

Source: https://labelstud.io/guide/task_format. Its offsets count code points since version 1.4
or so, and UTF-16 units before that (issues 1008 and 1347 of the project); `\\r\\n` counts two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from scrubjay.corpora._json import (
    array_items,
    decode_span,
    dump_json,
    json_metadata,
    require_record,
    require_text,
)
from scrubjay.corpora._rows import Names, columns_of, id_value, names_of
from scrubjay.corpora.encodings import encode_text
from scrubjay.corpora.format import Create, Format, require_same_text
from scrubjay.corpora.metadata import COLUMNS_KEY, NAMES_KEY
from scrubjay.corpora.offsets import Offsets
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, require_choice

LAYERS = ("annotations", "predictions")
ANNOTATOR_POLICIES = ("only", "first", "last")
REST_KEY = "label-studio.results"


def read(
    source: Source,
    *,
    encoding: str = "utf-8",
    offsets: str = "code-points",
    text_column: str = "text",
    layer: str = "annotations",
    annotator: str = "only",
) -> Iterator[Document]:
    """Yield the document of each task, with one task in memory at a time.

    `offsets` says what the offsets count, "code-points" or "utf-16"; `layer` whose spans are
    read, "annotations" or "predictions"; `annotator` which of several is taken: "first",
    "last", or none of them with "only", which raises `FormatError`. Cancelled ones are passed
    over. The id is that of `data`, else of the task. Results that are no labelled regions are
    kept in the metadata under "label-studio.results".
    """
    require_choice("layer", layer, LAYERS)
    require_choice("annotator", annotator, ANNOTATOR_POLICIES)
    for number, item in enumerate(array_items(source, encoding), start=1):
        place = f"task {number}"
        task = require_record(item, source, place)
        if "data" not in task:
            raise FormatError(
                "a record without 'data', so that this is no export of Label Studio",
                path=source.name,
                place=place,
                hint="If it is an array of records, make lines of them, and call the file .jsonl: "
                "jq -c '.[]' FILE > NEW.jsonl",
            )
        data = dict(require_record(task["data"], source, f"{place}, data"))
        text = require_text(data, text_column, source, place)
        names = (data.pop("id", None), task.get("id"), f"{source.stem}-{number}")
        name = next(name for name in names if name is not None)
        del data[text_column]
        results = _results(task, layer, annotator, source, place)
        spans, rest = _regions(results, text, offsets, source, place)
        metadata: dict[str, Any] = {NAMES_KEY: asdict(Names(text_column)), **id_value(name)}
        if data:
            metadata[COLUMNS_KEY] = data
        if rest:
            metadata[REST_KEY] = rest
        yield Document(str(name), text, tuple(spans), metadata)


def _results(
    task: dict[str, Any], layer: str, annotator: str, source: Source, place: str
) -> list[Any]:
    given = task.get(layer) or []
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise FormatError(f"{layer!r} must be a list of objects", path=source.name, place=place)
    found = [one for one in given if not one.get("was_cancelled")]
    if len(found) > 1 and annotator == "only":
        raise FormatError(
            f"{len(found)} {layer}",
            path=source.name,
            place=place,
            hint="Choose an annotator: first or last",
        )
    results = found[-1 if annotator == "last" else 0].get("result") if found else []
    if not isinstance(results, list):
        raise FormatError("a result must be a list", path=source.name, place=place)
    return results


def _regions(
    results: list[Any], text: str, unit: str, source: Source, place: str
) -> tuple[list[Span], list[Any]]:
    offsets = Offsets(text, unit)
    spans: list[Span] = []
    rest: list[Any] = []
    for number, result in enumerate(results, start=1):
        where = f"{place}, result {number}"
        given = require_record(result, source, where).get("value")
        value = given if isinstance(given, dict) else {}
        kind = result.get("type")
        labels = value.get(kind) if isinstance(kind, str) else None
        if not isinstance(labels, list) or "start" not in value:
            rest.append(result)
            continue
        for label in labels:
            triple = [value["start"], value.get("end"), label]
            span = decode_span(triple, offsets, size=len(text), source=source, place=where)
            stated = value.get("text")
            if isinstance(stated, str):
                # Some versions write line ends of the copy as a backslash and an n.
                stated = stated.replace("\\n", "\n")
                found = text[span.start : span.end].replace("\\n", "\n")
                require_same_text(stated, found, source=source, place=where, span=span)
            spans.append(span)
    return spans, rest


class _Encoder:
    def __init__(self, create: Create, settings: dict[str, str]) -> None:
        self._file = create("")
        self._settings = settings
        self._number = 0
        self._file.write(b"[")

    def add(self, document: Document) -> None:
        task = dump_json(_encode(document, self._number + 1, **self._settings))
        data = encode_text(task, "utf-8", document_id=document.id)
        self._file.write((b",\n" if self._number else b"\n") + data)
        self._number += 1

    def finish(self) -> None:
        self._file.write(b"\n]\n")


def _encode(
    document: Document, number: int, *, offsets: str, layer: str, from_name: str, to_name: str
) -> dict[str, Any]:
    units = Offsets(document.text, offsets)
    regions: list[Any] = [
        {
            "id": f"{number}-{place}",
            "from_name": from_name,
            "to_name": to_name,
            "type": "labels",
            "value": {
                "start": units.encode(span.start),
                "end": units.encode(span.end),
                "text": document.text[span.start : span.end],
                "labels": [span.label],
            },
        }
        for place, span in enumerate(document.spans, start=1)
    ]
    metadata = json_metadata(document)
    rest = metadata.get(REST_KEY)
    came = names_of(document, "label-studio")
    text = came.text if came else "text"
    data = columns_of(metadata) | {"id": document.id, text: document.text}
    result = {"result": [*regions, *(rest if isinstance(rest, list) else [])]}
    return {"id": number, "data": data, layer: [result]}


def start(
    create: Create,
    *,
    offsets: str = "code-points",
    layer: str = "annotations",
    from_name: str = "label",
    to_name: str = "text",
) -> _Encoder:
    """Open a container.

    `offsets` and `layer` as for the reader; `from_name` and `to_name` are the names of the
    Labels and the Text tag in the labelling configuration.
    """
    require_choice("layer", layer, LAYERS)
    settings = {"offsets": offsets, "layer": layer, "from_name": from_name, "to_name": to_name}
    return _Encoder(create, settings)


FORMAT = Format(
    name="label-studio",
    suffixes=(".json",),
    read=read,
    start=start,
    recognise=lambda head: head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["),
)
