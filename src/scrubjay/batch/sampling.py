"""Some documents of an input, read before a run: spread over its files, and never many.

Of a folder files are taken from all of it, of a file its first documents. What is read is bounded
by documents, characters and bytes, whatever the input holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from heapq import heappush, heapreplace
from itertools import islice
from operator import itemgetter
from typing import TypeVar
from zlib import crc32

from scrubjay.batch.input import Input
from scrubjay.corpora import Format, find_format
from scrubjay.corpora.reading import sources
from scrubjay.corpora.source import Source
from scrubjay.document import Document

T = TypeVar("T")

MOST_DOCUMENTS = 1_000
MOST_CHARACTERS = 4_000_000
MOST_BYTES = 32_000_000

_ROUNDS = 16
_FOR_PATIENTS = "registers"
"""An option of readers that has them look through all files for patients."""


def sample(source: Input) -> Iterator[Document]:
    """Yield some documents of an input that can be read again, each cut where it is very long.

    They are the same in each call, as long as the input is. Errors are those of its readers.
    """
    options = {name: value for name, value in source.all_options().items() if name != _FOR_PATIENTS}
    files = thinned(_files(source), MOST_DOCUMENTS)
    each = MOST_DOCUMENTS // len(files) if files else 0
    left, read = MOST_CHARACTERS, 0

    def count(size: int) -> None:
        nonlocal read
        read += size

    # In rounds, so that files of all places were met where the bounds end it.
    for kind, file in (file for start in range(_ROUNDS) for file in files[start::_ROUNDS]):
        if _is_read_whole(kind, file):
            continue
        for document in islice(kind.read(replace(file, count=count), **options), each):
            text = document.text[:left]
            yield Document(document.id, text)
            left -= len(text)
            if left <= 0 or read >= MOST_BYTES:
                return


def thinned(items: Iterable[T], most: int) -> list[T]:
    """Return up to so many items in their order, spread over all of them by lot; no more are held.

    The lot falls the same way each time, and in no rhythm: of files that are called by turns (a
    letter, a sheet, a letter) both kinds are among them.
    """
    kept: list[tuple[int, int, T]] = []  # a heap: what has drawn the most goes first
    for number, item in enumerate(items):
        drawn = -crc32(number.to_bytes(8, "little"))
        if len(kept) < most:
            heappush(kept, (drawn, number, item))
        elif drawn > kept[0][0]:
            heapreplace(kept, (drawn, number, item))
    return [
        item for _, item in sorted(((number, item) for _, number, item in kept), key=itemgetter(0))
    ]


def _files(source: Input) -> Iterator[tuple[Format, Source]]:
    for path in source.paths:
        kind = find_format(source.detect(path))
        for file in sources(path, kind):
            yield kind, file


def _is_read_whole(kind: Format, file: Source) -> bool:
    """Tell whether a file is a great bundle of resources, of which the first ones cost all."""
    return (
        kind.name == "fhir"
        and file.path is not None
        and file.path.suffix.lower() == ".json"
        and file.path.stat().st_size > MOST_BYTES
    )
