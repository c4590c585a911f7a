"""Corpora: readers and writers of every format, one file each.

    for document in read_corpus("notes"):                    # any format, detected
        ...
    write_corpus(documents, "out", format="brat")

    with open_writer("out", format="jsonl") as writer:       # as a stream
        writer.write(document)

The formats are named in `FORMATS` and described in docs/formats.md.
"""

from __future__ import annotations

from scrubjay.corpora.detect import detect_format
from scrubjay.corpora.format import Format
from scrubjay.corpora.inline import parse_inline, render_inline
from scrubjay.corpora.metadata import annotation_free
from scrubjay.corpora.reading import read_corpora, read_corpus
from scrubjay.corpora.registry import FORMATS, find_format
from scrubjay.corpora.writing import CorpusWriter, open_writer, output_name, write_corpus

__all__ = [
    "FORMATS",
    "CorpusWriter",
    "Format",
    "annotation_free",
    "detect_format",
    "find_format",
    "open_writer",
    "output_name",
    "parse_inline",
    "read_corpora",
    "read_corpus",
    "render_inline",
    "write_corpus",
]
