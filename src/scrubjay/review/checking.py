"""The check of a whole project: the file is sound, and the journal gives the marks there are."""

from __future__ import annotations

import json
from collections.abc import Sequence

from scrubjay.errors import SpanError
from scrubjay.review.marks import Change, apply_change, decode_marks
from scrubjay.review.records import Checked
from scrubjay.review.store import Row, Store


def check_project(store: Store) -> Checked:
    """Verify the structure of the database and replay the journal of every version.

    Faults name documents and annotators, never text.
    """
    with store.snapshot() as view:
        faults = view.faults()
        versions = view.all(
            "SELECT v.*, d.id, d.size, a.name FROM versions AS v JOIN documents AS d "
            "ON d.number = v.document JOIN annotators AS a ON a.number = v.annotator"
        )
        entries = 0
        for row in versions:
            journal = view.all(
                "SELECT * FROM journal WHERE document = ? AND annotator = ? ORDER BY revision",
                row["document"],
                row["annotator"],
            )
            entries += len(journal)
            if fault := _fault(row, journal):
                faults.append(f"document {row['id']!r}, {row['name']!r}: {fault}")
        for row in view.all("SELECT id, size, text FROM documents"):
            if len(bytes(row["text"]).decode("utf-8", "surrogatepass")) != row["size"]:
                faults.append(f"document {row['id']!r}: the text is not as long as it was")
        documents = view.one("SELECT COUNT(*) FROM documents")[0]
    return Checked(documents, len(versions), entries, tuple(faults))


def _fault(row: Row, journal: Sequence[Row]) -> str:
    """Return what is wrong with a version, "" if nothing."""
    if [entry["revision"] for entry in journal] != list(range(1, row["revision"] + 1)):
        return "the journal has gaps"
    try:
        marks = decode_marks(json.loads(row["base"]))
        for entry in journal:
            removed, added = (decode_marks(json.loads(entry[n])) for n in ("removed", "added"))
            marks = apply_change(marks, Change(removed, added))
        found = decode_marks(json.loads(row["spans"]))
    except (SpanError, ValueError, TypeError):
        return "the journal cannot be replayed"
    if marks != found:
        return "the journal gives other marks"
    if any(mark.end > row["size"] for mark in found):
        return "a mark ends beyond the text"
    return ""
