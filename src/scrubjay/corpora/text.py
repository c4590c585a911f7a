"""Plain text: one document per file, bytes in equal to bytes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scrubjay.corpora.encodings import encode_note
from scrubjay.corpora.format import Format
from scrubjay.corpora.source import Source
from scrubjay.document import Document


def read(source: Source, *, encoding: str = "utf-8") -> Iterator[Document]:
    """Yield the document of one file; a byte order mark is its first character."""
    yield Document(source.stem, source.read_note(encoding))


def encode(document: Document, *, encoding: str = "utf-8") -> Mapping[str, bytes]:
    """Return the file of one document. Plain text has no place for spans: they are left out."""
    return {"": encode_note(document.text, encoding, document_id=document.id)}


FORMAT = Format(
    name="text",
    suffixes=(".txt",),
    read=read,
    encode=encode,
    recognise=lambda head: b"\0" not in head,
    holds_spans=False,
)
