"""Documents into a project: of any corpus format, streamed, all of an import or nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from scrubjay.document import Document
from scrubjay.errors import InputError
from scrubjay.labels import LabelSet
from scrubjay.review.marks import encode_marks, marks_of
from scrubjay.review.records import Imported
from scrubjay.review.store import Store, now

Spans = Literal["suggest", "drop"]
"""What becomes of the spans that documents bring: they are shown as suggestions, or left out."""

IMPORTED = "import"
"""Who made the suggestions that came with the documents."""


def import_documents(
    store: Store, documents: Iterable[Document], *, label_set: LabelSet, spans: Spans = "suggest"
) -> Imported:
    """Add documents, one at a time; where one cannot be added, none is.

    Raises `InputError` for an id that the project has already, and `LabelError` for a span of a
    label that it does not have.
    """
    count = suggestions = dropped = repeated = 0
    at = now()
    with store.write():
        texts = set(_digests(store))
        for document in documents:
            metadata, lost = _storable(document.metadata)
            dropped += lost
            if store.find("SELECT 1 FROM documents WHERE id = ?", document.id) is not None:
                raise InputError(
                    f"the project has a document {document.id!r} already",
                    hint="Ids differ over all documents of a project; nothing was imported",
                )
            data = document.text.encode("utf-8", "surrogatepass")
            number = store.run(
                "INSERT INTO documents (id, text, size, metadata, added) VALUES (?, ?, ?, ?, ?)",
                document.id, data, len(document.text), metadata, at,
            ).lastrowid  # fmt: skip
            count += 1
            repeated += _digest(data) in texts
            texts.add(_digest(data))
            if spans == "suggest" and document.spans:
                marks = marks_of(document.spans)
                label_set.require_all(document)
                suggestions += len(marks)
                store.run(
                    "INSERT INTO suggestions VALUES (?, ?, ?, 1, ?)",
                    number, IMPORTED, json.dumps(encode_marks(marks)), at,
                )  # fmt: skip
        store.run("DELETE FROM queue")
    return Imported(count, suggestions, dropped, repeated)


def _digests(store: Store) -> Iterator[bytes]:
    """Yield a digest of each text that is there, one text at a time in memory."""
    for each in store.all("SELECT number FROM documents"):
        yield _digest(store.one("SELECT text FROM documents WHERE number = ?", each[0])["text"])


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).digest()


def _storable(metadata: Mapping[str, Any]) -> tuple[str, int]:
    """Return the entries that JSON can hold, and how many others there are."""
    kept = {}
    for name, value in metadata.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            continue
        kept[name] = value
    return json.dumps(kept), len(metadata) - len(kept)
