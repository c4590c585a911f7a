"""The inline XML of i2b2 2006: one file of `<RECORD ID="..">` with `<PHI TYPE="..">` in the text.

Source: Uzuner et al. 2007, "Evaluating the state-of-the-art in automatic de-identification".
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any

from lxml import etree

from scrubjay.corpora import _xml
from scrubjay.corpora.encodings import require_encoding
from scrubjay.corpora.format import Create, Format, make_span
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError
from scrubjay.spans import require_disjoint

ROOT = "ROOT"


def read(source: Source, *, encoding: str | None = None) -> Iterator[Document]:
    """Yield the documents of one file, one record in memory at a time.

    `encoding` overrules the one that the file declares. Nested and empty PHI elements, and
    any other element in a text, are a `FormatError`.
    """
    opened = (
        source.open_text(encoding) if encoding else source.open_declared(_xml.declared_encoding)
    )
    with opened as stream:
        head = _xml.read_head(stream)
        _xml.require_root(head, (ROOT,), source, encoding=encoding)
        stated: Any = {}
        if encoding is not None:
            stream = codecs.EncodedFile(stream, "utf-8", require_encoding(encoding))
            stated = {"encoding": "utf-8"}
        records = etree.iterparse(stream, events=("end",), tag="RECORD", **stated, **_xml.SAFE)
        try:
            for number, (_, record) in enumerate(records, start=1):
                yield _read_record(record, source, number)
                record.clear()
                while record.getprevious() is not None:
                    del record.getparent()[0]
        except etree.XMLSyntaxError as error:
            declared = encoding or _xml.declared_encoding(head)
            raise _xml.syntax_error(source, error, declared) from None
        except UnicodeError:
            wrong = encoding or "utf-8"
            raise source.encoding_error(wrong, source.find_undecodable(wrong)) from None


def _read_record(record: Any, source: Source, number: int) -> Document:
    place = f"line {record.sourceline}"
    element = record.find("TEXT")
    if element is None:
        raise FormatError("a RECORD without TEXT", path=source.name, place=place)
    pieces = [element.text or ""]
    size = len(pieces[0])
    bounds: list[tuple[int, int, str, int]] = []
    for child in element:
        inner, tail = _xml.plain_text(child, source), child.tail or ""
        label = child.get("TYPE")
        if child.tag != "PHI" or not label:
            raise FormatError(
                "only PHI elements with a TYPE may stand in a TEXT",
                path=source.name,
                place=f"line {child.sourceline}",
            )
        bounds.append((size, size + len(inner), label, child.sourceline))
        pieces += [inner, tail]
        size += len(inner) + len(tail)
    spans = tuple(
        make_span(start, end, label, size=size, source=source, place=f"line {line}")
        for start, end, label, line in bounds
    )
    name = record.get("ID") or f"{source.stem}-{number}"
    return Document(name, "".join(pieces), spans)


class _Encoder:
    def __init__(self, create: Create) -> None:
        self._file = create("")
        self._file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<{ROOT}>\n'.encode())

    def add(self, document: Document) -> None:
        self._file.write(_encode_record(document).encode("utf-8"))

    def finish(self) -> None:
        self._file.write(f"</{ROOT}>\n".encode())


def _encode_record(document: Document) -> str:
    text = _xml.require_xml_text(document.text, document_id=document.id)
    name = _xml.require_xml_text(document.id, document_id=document.id)
    pieces = [f'<RECORD ID="{_xml.escape_attribute(name)}">\n<TEXT>']
    position = 0
    for span in require_disjoint(document.spans, document_id=document.id):
        pieces.append(_xml.escape_text(text[position : span.start]))
        pieces.append(_encode_span(span, text, document.id))
        position = span.end
    pieces += [_xml.escape_text(text[position:]), "</TEXT>\n</RECORD>\n"]
    return "".join(pieces)


def _encode_span(span: Span, text: str, document_id: str) -> str:
    label = _xml.escape_attribute(_xml.require_xml_text(span.label, document_id=document_id))
    return f'<PHI TYPE="{label}">{_xml.escape_text(text[span.start : span.end])}</PHI>'


def start(create: Create) -> _Encoder:
    """Open a container; spans that overlap are a `SpanError`, the format cannot hold them."""
    return _Encoder(create)


FORMAT = Format(
    name="i2b2-2006",
    suffixes=(".xml",),
    read=read,
    start=start,
    recognise=lambda head: _xml.root_name(head) == ROOT,
)
