"""Records tried alone: which of a file that does not read back as it was written is to blame."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from scrubjay.corpora.format import Format, Marks
from scrubjay.corpora.source import Source
from scrubjay.document import Document


def reads_alone(
    document: Document,
    kind: Format,
    *,
    place: Path,
    writing: Mapping[str, Any],
    reading: Mapping[str, Any],
) -> bool:
    """Tell whether a container of one document, written below `place`, reads back as it is.

    `writing` and `reading` are the options of the format's writer and reader.
    """
    assert kind.start is not None
    expected: list[tuple[str, Marks]] = [(kind.echo(document), kind.marks_of(document))]
    if kind.is_bound and not expected[0][0]:
        expected = []  # a record of no text leaves nothing that reading tells
    with tempfile.TemporaryDirectory(prefix=".scrubjay-", dir=place) as folder:
        name = f"record{kind.suffixes[0]}"
        streams: list[BinaryIO] = []

        def create(ending: str) -> BinaryIO:
            streams.append((Path(folder) / (f"record{ending}" if ending else name)).open("wb"))
            return streams[-1]

        try:
            encoder = kind.start(create, **writing)
            encoder.add(document)
            encoder.finish()
        finally:
            for stream in streams:
                stream.close()
        try:
            found = list(kind.reread(Source(Path(folder) / name, name, "record"), **reading))
        except Exception:
            return False
    return [each for each in found if each[0] or not kind.is_bound] == expected
