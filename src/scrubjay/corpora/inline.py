"""Inline tags: `Seen by <DOCTOR>Dr. Lee</DOCTOR>`, the test language of the project.

A tag is `<LABEL>` or `</LABEL>` with a label of letters, digits, `_`, `-` and `.` that begins
with a letter. A literal `<` is written `&lt;`, a literal `&` is written `&amp;`. Readers are
lenient where nothing is lost: a `<` that begins no tag and a `&` that begins none of `&lt;`,
`&gt;` and `&amp;` stand for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from scrubjay.corpora.encodings import encode_note
from scrubjay.corpora.format import Format
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, LabelError
from scrubjay.spans import require_disjoint

LABEL = r"[^\W\d][\w.-]*"
"""The pattern of a label that can stand in a tag."""

_MARKUP = re.compile(rf"<(?P<close>/?)(?P<label>{LABEL})>|&(?P<entity>lt|gt|amp);")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&"}


def parse_inline(text: str, *, id: str = "inline", path: str | None = None) -> Document:
    """Return the document that a text with inline tags stands for.

    Raises `FormatError` by line and offset in the markup for a tag that is nested, never
    closed, never opened, or around nothing.
    """
    pieces: list[str] = []
    spans: list[Span] = []
    size = position = 0
    opened: tuple[str, int, int] | None = None
    for found in _MARKUP.finditer(text):
        pieces.append(text[position : found.start()])
        size += found.start() - position
        position = found.end()
        label = found["label"]
        if label is None:
            pieces.append(_ENTITIES[found["entity"]])
            size += 1
        elif not found["close"]:
            if opened:
                raise _fault(f"<{label}> inside <{opened[0]}>", text, found.start(), path)
            opened = (label, size, found.start())
        else:
            if opened is None or opened[0] != label:
                raise _fault(f"</{label}> closes nothing", text, found.start(), path)
            if opened[1] == size:
                raise _fault(f"<{label}> around nothing", text, opened[2], path)
            spans.append(Span(opened[1], size, label))
            opened = None
    if opened:
        raise _fault(f"<{opened[0]}> is never closed", text, opened[2], path)
    pieces.append(text[position:])
    return Document(id, "".join(pieces), tuple(spans))


def _fault(what: str, text: str, offset: int, path: str | None) -> FormatError:
    line = text.count("\n", 0, offset) + 1
    return FormatError(
        what,
        path=path,
        place=f"line {line}, offset {offset}",
        hint="A literal `<` is written `&lt;`",
    )


def render_inline(document: Document) -> str:
    """Return the text with inline tags; `parse_inline` gives the document back.

    Raises `SpanError` for spans that overlap and `LabelError` for a label that is no tag name.
    """
    pieces: list[str] = []
    position = 0
    for span in require_disjoint(document.spans, document_id=document.id):
        if not re.fullmatch(LABEL, span.label):
            raise LabelError(
                f"document {document.id!r}: the label {span.label!r} cannot be an inline tag",
                hint="Use letters, digits, `_`, `-` and `.`, beginning with a letter",
            )
        inside = _escape(document.text[span.start : span.end])
        pieces.append(_escape(document.text[position : span.start]))
        pieces.append(f"<{span.label}>{inside}</{span.label}>")
        position = span.end
    pieces.append(_escape(document.text[position:]))
    return "".join(pieces)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def read(source: Source, *, encoding: str = "utf-8") -> Iterator[Document]:
    """Yield the document of one file."""
    yield parse_inline(source.read_note(encoding), id=source.stem, path=source.name)


def encode(document: Document, *, encoding: str = "utf-8") -> Mapping[str, bytes]:
    """Return the file of one document; errors are those of `render_inline`."""
    text = render_inline(document)
    return {"": encode_note(text, encoding, document_id=document.id)}


FORMAT = Format(
    name="inline",
    suffixes=(".inline", ".txt"),
    read=read,
    encode=encode,
    recognise=lambda head: b"\0" not in head,
)
