"""The rows of one annotator's work in one document: marks, the journal of changes, and its stacks.

Every change is a line of the journal and a new marks row, in one transaction. The journal is only
ever added to: an undo is a line of its own that names the revision it takes back, so any depth
can be undone and redone, and the marks can be made again from the journal alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.errors import ConflictError, StateError
from scrubjay.review.marks import (
    Change,
    Marks,
    apply_change,
    decode_marks,
    encode_marks,
)
from scrubjay.review.people import annotator_number, document_row, holders
from scrubjay.review.records import Version, VersionState
from scrubjay.review.store import Row, Store, now


@dataclass(frozen=True, slots=True)
class Place:
    """A document and an annotator who may mark it, by number and by name."""

    document: int
    id: str
    size: int
    annotator: int
    name: str


def find_place(store: Store, document: str, annotator: str) -> Place:
    """Return a document and its annotator.

    Raises `NotFoundError` for either, `StateError` where the document is others' to mark.
    """
    row = document_row(store, document)
    number = annotator_number(store, annotator)
    if annotator not in holders(store, row["number"]):
        raise StateError(f"document {document!r} is not assigned to {annotator!r}")
    return Place(row["number"], document, row["size"], number, annotator)


def version_row(store: Store, place: Place) -> Row | None:
    """Return the row of a version, None where it is not begun."""
    return store.find(
        "SELECT * FROM versions WHERE document = ? AND annotator = ?",
        place.document,
        place.annotator,
    )


def read_version(store: Store, document: str, annotator: str) -> Version:
    """Return the marks of an annotator; writes nothing."""
    with store.read():
        return version_of(store, find_place(store, document, annotator))


def version_of(store: Store, place: Place) -> Version:
    """Return the marks of an annotator, those they would begin with where not begun."""
    row = version_row(store, place)
    if row is None:
        marks, model, shown = suggestions_of(store, place.document)
        begins = marks if shown else ()
        return Version(place.id, place.name, 0, "open", begins, begins, shown, model)
    undo, redo = stacks_of(journal_rows(store, place))
    state: VersionState = row["state"]
    return Version(
        place.id,
        place.name,
        row["revision"],
        state,
        decode_marks(json.loads(row["spans"])),
        decode_marks(json.loads(row["suggested"])),
        bool(row["shown"]),
        row["model"],
        row["seconds"],
        bool(undo) and state != "done",
        bool(redo) and state != "done",
    )


def suggestions_of(store: Store, document: int) -> tuple[Marks, str, bool]:
    """Return the suggestions for a document, the model that made them, and if they are shown."""
    row = store.find("SELECT spans, model, shown FROM suggestions WHERE document = ?", document)
    if row is None:
        return (), "", False
    return decode_marks(json.loads(row["spans"])), row["model"], bool(row["shown"])


def begin_version(store: Store, place: Place) -> None:
    """Write the first row of a version: the suggestions, where they are shown."""
    marks, model, shown = suggestions_of(store, place.document)
    spans = json.dumps(encode_marks(marks if shown else ()))
    store.run(
        "INSERT INTO versions (document, annotator, revision, state, spans, base, model, "
        "suggested, shown, begun) VALUES (?, ?, 0, 'in progress', ?, ?, ?, ?, ?, ?)",
        place.document, place.annotator, spans, spans, model, spans, int(shown), now(),
    )  # fmt: skip


def stacks_of(entries: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return the changes that can be undone and those that can be redone, the next one last."""
    by_revision = {entry["revision"]: entry for entry in entries}
    done: list[Row] = []
    undone: list[Row] = []
    for entry in entries:
        if entry["action"] == "undo":
            done.pop()
            undone.append(by_revision[entry["target"]])
        elif entry["action"] == "redo":
            undone.pop()
            done.append(by_revision[entry["target"]])
        elif entry["action"] not in ("finish", "reopen"):
            done.append(entry)
            undone.clear()
    return done, undone


def change_of(entry: Row) -> Change:
    """Return the change that a line of the journal is about."""
    return Change(
        decode_marks(json.loads(entry["removed"])), decode_marks(json.loads(entry["added"]))
    )


def is_decided(store: Store, document: int) -> bool:
    """Tell whether a document is adjudicated."""
    return store.find("SELECT 1 FROM gold WHERE document = ?", document) is not None


def require_undecided(store: Store, place: Place) -> None:
    if is_decided(store, place.document):
        raise StateError(f"document {place.id!r} is adjudicated. Withdraw the decision first")


def journal_rows(store: Store, place: Place) -> list[Row]:
    """Return the lines of the journal about one version, oldest first."""
    return store.all(
        "SELECT * FROM journal WHERE document = ? AND annotator = ? ORDER BY revision",
        place.document,
        place.annotator,
    )


def read_text(store: Store, document: int) -> str:
    """Return the text of a document, exactly as it was imported."""
    row = store.one("SELECT text FROM documents WHERE number = ?", document)
    return bytes(row[0]).decode("utf-8", "surrogatepass")


def open_row(store: Store, place: Place, revision: int) -> Row:
    """Return the row of a version that can be edited at this revision.

    Raises `StateError` where it is finished or not begun, `ConflictError` at another revision.
    """
    row = version_row(store, place)
    if row is None:
        raise StateError(f"document {place.id!r} is not begun by {place.name!r}. Begin it first")
    if row["revision"] != revision:
        raise ConflictError(
            f"document {place.id!r}: the marks of {place.name!r} are at revision "
            f"{row['revision']}, not {revision}. Somebody changed them; read them again",
            expected=revision,
            revision=row["revision"],
        )
    if row["state"] == "done":
        raise StateError(f"document {place.id!r} is finished by {place.name!r}. Reopen it first")
    return row


def record_change(
    store: Store,
    place: Place,
    row: Row,
    action: str,
    change: Change,
    *,
    target: int | None = None,
    batch: str = "",
    state: VersionState = "in progress",
) -> None:
    """Write a change into the journal and the marks that come of it, at the next revision."""
    marks = apply_change(decode_marks(json.loads(row["spans"])), change)
    revision, at = row["revision"] + 1, now()
    store.run(
        "INSERT INTO journal (document, annotator, revision, action, target, removed, added, "
        "batch, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        place.document, place.annotator, revision, action, target,
        json.dumps(encode_marks(change.removed)), json.dumps(encode_marks(change.added)),
        batch, at,
    )  # fmt: skip
    store.run(
        "UPDATE versions SET revision = ?, state = ?, spans = ?, finished = ? "
        "WHERE document = ? AND annotator = ?",
        revision, state, json.dumps(encode_marks(marks)), at if state == "done" else None,
        place.document, place.annotator,
    )  # fmt: skip
