"""What the JSON formats share: parsing without quoting, spans, metadata, streamed arrays."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from scrubjay.corpora.columns import advise_text, describe_columns, suggest_column
from scrubjay.corpora.encodings import require_encoding
from scrubjay.corpora.format import make_span, require_scalar_text
from scrubjay.corpora.offsets import Offsets
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError

_CHUNK = 1 << 20
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODE = json.JSONDecoder().raw_decode


def parse_json(value: str | bytes, *, path: str, place: str) -> Any:
    """Return the parsed value; raises `FormatError` that does not quote it."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        column = f", column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise FormatError("not valid JSON", path=path, place=f"{place}{column}") from None


def dump_json(value: Any) -> str:
    """Return compact JSON on one line, with dates and decimals as strings."""
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> str:
    for method in ("isoformat", "hex"):
        if hasattr(value, method):
            return str(getattr(value, method)())
    return str(value)


def json_metadata(document: Document) -> dict[str, Any]:
    """Return the metadata that a file may keep: all but where the document was read from."""
    return {
        key: dict(value) if isinstance(value, Mapping) else value
        for key, value in document.metadata.items()
        if not key.startswith("source.")
    }


def require_record(value: Any, source: Source, place: str) -> dict[str, Any]:
    """Return the value if it is a JSON object, or raise `FormatError`."""
    if not isinstance(value, dict):
        raise FormatError("expected a JSON object", path=source.name, place=place)
    return value


def require_text(record: Mapping[str, Any], column: str, source: Source, place: str) -> str:
    """Return the text under a key; raises `FormatError` without it."""
    if column not in record:
        raise _no_key(record, column, source, place, advise_text(record))
    text = record[column]
    if not isinstance(text, str):
        raise FormatError(f"{column!r} is not a string", path=source.name, place=place)
    return require_scalar_text(text, path=source.name, place=place)


def require_id(record: Mapping[str, Any], column: str, source: Source, place: str) -> None:
    """Raise `FormatError` where the key of the id, which somebody named, is none of a record."""
    if column not in record:
        advice = "Name the one with the id with --id-column, or leave that out"
        raise _no_key(record, column, source, place, advice)


def _no_key(
    record: Mapping[str, Any], column: str, source: Source, place: str, advice: str
) -> FormatError:
    return FormatError(
        f"there is no {column!r}",
        path=source.name,
        place=place,
        hint=f"{suggest_column(column, record, noun='keys')}The record has "
        f"{describe_columns(record, noun='keys')}. {advice}",
    )


def decode_span(value: Any, offsets: Offsets, *, size: int, source: Source, place: str) -> Span:
    """Return a span from `[start, end, label]` or an object with those keys.

    Objects may say `start_offset` and `end_offset`, as doccano does, and carry `score` and
    `source`.
    """
    score, origin = None, ""
    if isinstance(value, dict):
        score, origin = value.get("score"), value.get("source", "")
        start = value.get("start", value.get("start_offset"))
        end = value.get("end", value.get("end_offset"))
        value = [start, end, value.get("label")]
    if not (
        isinstance(value, list)
        and len(value) == 3
        and all(isinstance(item, int) and not isinstance(item, bool) for item in value[:2])
        and isinstance(value[2], str)
        and value[2]
    ):
        raise FormatError(
            "a span must be [start, end, label] or an object with these keys",
            path=source.name,
            place=place,
        )
    first, last = offsets.decode(value[0]), offsets.decode(value[1])
    if first is None or last is None:
        raise FormatError(
            f"the span [{value[0]}, {value[1]}) {value[2]} cuts a character in two",
            path=source.name,
            place=place,
            hint="The offsets do not count UTF-16 units",
        )
    return make_span(
        first,
        last,
        value[2],
        size=size,
        source=source,
        place=place,
        score=float(score) if isinstance(score, int | float) else None,
        origin=str(origin),
    )


def decode_spans(
    values: Any, text: str, *, source: Source, place: str, unit: str = "code-points"
) -> tuple[Span, ...]:
    """Return the spans of a list; raises `FormatError` or `SpanError` by their number."""
    if not isinstance(values, list):
        raise FormatError("the spans must be a list", path=source.name, place=place)
    offsets, size = Offsets(text, unit), len(text)
    quick = unit == "code-points"
    return tuple(
        (_plain_span(value, size) if quick else None)
        or decode_span(value, offsets, size=size, source=source, place=f"{place}, span {number}")
        for number, value in enumerate(values, start=1)
    )


def _plain_span(value: Any, size: int) -> Span | None:
    """Return the span of a flawless object, None for all else, which `decode_span` must judge."""
    if type(value) is not dict:
        return None
    start, end, label = value.get("start"), value.get("end"), value.get("label")
    score, origin = value.get("score"), value.get("source", "")
    if not (type(start) is type(end) is int and type(label) is type(origin) is str and label):
        return None
    if not 0 <= start < end <= size or (score is not None and type(score) is not float):
        return None
    return Span(start, end, label, score, origin)


def encode_span(span: Span) -> dict[str, Any]:
    """Return a span as a JSON object; score and source only where it has them."""
    record: dict[str, Any] = {"start": span.start, "end": span.end, "label": span.label}
    if span.score is not None:
        record["score"] = span.score
    if span.source:
        record["source"] = span.source
    return record


def dump_spans(spans: Iterable[Span]) -> str:
    """Return what `dump_json` gives for the list of what `encode_span` does, faster."""
    objects = [
        f'{{"start": {span.start}, "end": {span.end}, {_dump_label(span.label, span.source)}'
        if span.score is None
        else dump_json(encode_span(span))
        for span in spans
    ]
    return f"[{', '.join(objects)}]"


@lru_cache(maxsize=1024)
def _dump_label(label: str, source: str) -> str:
    """Return the end of a span as a JSON object, from its label on."""
    return dump_json({"label": label, "source": source} if source else {"label": label})[1:]


def array_items(source: Source, encoding: str) -> Iterator[Any]:
    """Yield the items of a file that is one JSON array, with one item in memory at a time.

    Raises `FormatError` by the number of the item where the JSON breaks.
    """
    chunks = _text_chunks(source, encoding)
    buffer, position = "", 0
    expected, number, wanted = "[", 0, 0
    while expected:
        position = _BLANK.match(buffer, position).end()  # type: ignore[union-attr]
        found = buffer[position : position + 1]
        item = None
        if found == "{" and "{" in expected and len(buffer) - position >= wanted:
            item, position = _take_object(buffer, position)
        if item is not None:
            expected, number, wanted = ",]", number + 1, 0
            yield item
        elif found and found in "[,]" and found in expected:
            position += 1
            expected = {"[": "{]", ",": "{", "]": ""}[found]
        else:
            size = len(buffer) - position
            more = next(chunks, None) if found in ("", "{") else None
            if more is None and size >= wanted:
                place = f"item {number + 1}" if expected != "[" else ""
                raise FormatError("not a JSON array of objects", path=source.name, place=place)
            # An object that is not all there yet: try again with twice as much, to stay linear,
            # or at the end of the file.
            wanted = 0 if more is None else max(wanted, 2 * size if size >= wanted else 0)
            buffer, position = buffer[position:] + (more or ""), 0
            if expected == "[":
                buffer = buffer.removeprefix("\ufeff")
    if buffer[position:].strip() or any(chunk.strip() for chunk in chunks):
        raise FormatError("something follows the JSON array", path=source.name)


def _take_object(buffer: str, position: int) -> tuple[Any, int]:
    """Return the object at a position and where it ends, or None and the position."""
    try:
        return _DECODE(buffer, position)
    except (ValueError, RecursionError):
        return None, position


def _text_chunks(source: Source, encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(require_encoding(encoding))()
    with source.open_text(encoding) as stream:
        try:
            while chunk := stream.read(_CHUNK):
                yield decoder.decode(chunk)
            yield decoder.decode(b"", final=True)
        except UnicodeError:
            raise source.encoding_error(encoding, source.find_undecodable(encoding)) from None
