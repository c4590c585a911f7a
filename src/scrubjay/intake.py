"""What is given to a de-identifier, as documents, and how large the batches of it become."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import TypeVar

from scrubjay.document import Document
from scrubjay.errors import InputError, told_type

T = TypeVar("T")

_FIRST_DOCUMENTS, _FIRST_CHARACTERS, _GROWTH = 16, 16_000, 4
"""How many documents and characters a first batch holds that is to be done soon, some half a
second with the slowest model that ships, and by which factor those behind it grow."""


def as_documents(items: Iterable[Document | str]) -> Iterator[Document]:
    """Yield documents; of a string one with the id `text-N`, N being its place from 1.

    Raises `InputError`, without any text, for an item of another kind, and for one string or one
    document in the place of many: a loop over a string would see its letters, over a mapping its
    keys, over a data frame the names of its columns.
    """
    if isinstance(items, str):
        raise InputError(
            "one string stands where documents are to stand",
            hint="For one text call deidentify(text); for several give a list of them; for files "
            "scrubjay.read_corpus(path)",
        )
    single = isinstance(items, Document | Mapping | bytes | bytearray)
    if single or not isinstance(items, Iterable):
        raise InputError(
            f"{told_type(items)} stands where documents are to stand",
            hint="Give an iterable of documents or strings, such as a list",
        )
    if hasattr(items, "columns"):  # what pandas, Polars and Spark call those of a frame
        raise InputError(
            f"{told_type(items)} stands where documents are to stand",
            hint='Give the column of the texts, such as frame["text"]; for whole tables '
            "scrubjay.read_corpus(path, text_column=...)",
        )
    for number, item in enumerate(items, 1):
        if isinstance(item, Document):
            yield item
        elif isinstance(item, str):
            yield Document(f"text-{number}", item)
        else:
            raise InputError(
                f"item {number} is {told_type(item)}, neither a document nor a string",
                hint="Make one: scrubjay.Document(id, text), or read files by "
                "scrubjay.read_corpus(path). An empty cell of a table is left out, or given as "
                "an empty string",
            )


def require_document(item: Document) -> Document:
    """Return a document as it is; raises `InputError`, without any text, for anything else."""
    if isinstance(item, Document):
        return item
    raise InputError(
        f"{told_type(item)} stands where a document is to stand",
        hint="Of a Deidentified give its `document`, and pass over each Failure",
    )


def growing(full: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield how many documents and characters the batches hold that begin small, then `full`."""
    documents, characters = _FIRST_DOCUMENTS, _FIRST_CHARACTERS
    while documents < full[0] or characters < full[1]:
        yield min(documents, full[0]), min(characters, full[1])
        documents, characters = documents * _GROWTH, characters * _GROWTH
    yield from repeat(full)


def until_error(items: Iterable[T], nothing: T) -> Iterator[tuple[T, Exception | None]]:
    """Yield each item with None; an error of the iterator comes as the last, with `nothing`.

    So what was gathered before can be given out before the error is raised.
    """
    stream = iter(items)
    while True:
        try:
            item = next(stream)
        except StopIteration:
            return
        except Exception as error:
            yield nothing, error
            return
        yield item, None
