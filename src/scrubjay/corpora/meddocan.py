"""The XML of MEDDOCAN (IberLEF 2019): `<MEDDOCAN>` with TEXT and standoff TAGS.

Offsets count a byte order mark at the head of a text, which a part of the corpus has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scrubjay.corpora import _xml
from scrubjay.corpora.format import Format
from scrubjay.corpora.i2b2 import category_finder
from scrubjay.corpora.source import Source
from scrubjay.document import Document

LABEL_SET = "meddocan"

_STYLE = _xml.StandoffStyle(
    roots=("MEDDOCAN",),
    declaration="<?xml version='1.0' encoding='UTF-8'?>",
    text_indent="  ",
    tag_indent="    ",
    tag_close="/>",
    id_prefix="T",
    first_id=1,
)


def read(
    source: Source, *, encoding: str | None = None, text_check: str = "error"
) -> Iterator[Document]:
    """Yield the document of one file; the options are those of the i2b2 reader."""
    category = category_finder((LABEL_SET,))
    return _xml.read_standoff(source, _STYLE, category, encoding=encoding, text_check=text_check)


def encode(document: Document, *, label_set: str = LABEL_SET) -> Mapping[str, bytes]:
    """Return the file of one document; a label that the set does not know becomes OTHER."""
    return {"": _xml.encode_standoff(document, _STYLE, category_finder((label_set,)))}


FORMAT = Format(
    name="meddocan-xml",
    suffixes=(".xml",),
    read=read,
    encode=encode,
    recognise=lambda head: _xml.root_name(head) in _STYLE.roots,
)
