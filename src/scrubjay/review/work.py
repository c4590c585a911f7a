"""The work of one annotator in one document: begin, edit, undo, redo, finish.

Every change is a line of the journal and a new marks row, in one transaction. The journal is only
ever added to: an undo is a line of its own that names the revision it takes back, so any depth
can be undone and redone, and the marks can be made again from the journal alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.errors import ConflictError, InputError, StateError
from scrubjay.review.marks import (
    Action,
    Change,
    Marks,
    OnOverlap,
    apply_change,
    decode_marks,
    encode_marks,
    marks_of,
    plan_change,
)
from scrubjay.review.people import annotator_number, document_row, holders
from scrubjay.review.records import JournalEntry, Version, VersionState
from scrubjay.review.store import Row, Store, now

MOST_SECONDS = 3600.0
"""More time than this is not taken for one piece of work."""


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
        return _version(store, find_place(store, document, annotator))


def _version(store: Store, place: Place) -> Version:
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


def begin(store: Store, document: str, annotator: str) -> Version:
    """Begin a document, if it is not begun, and return the marks.

    From here on the annotator's marks are their own: other suggestions change nothing of them.
    """
    with store.write():
        place = find_place(store, document, annotator)
        if version_row(store, place) is None:
            _require_undecided(store, place)
            begin_version(store, place)
        return _version(store, place)


def begin_version(store: Store, place: Place) -> None:
    """Write the first row of a version: the suggestions, where they are shown."""
    marks, model, shown = suggestions_of(store, place.document)
    spans = json.dumps(encode_marks(marks if shown else ()))
    store.run(
        "INSERT INTO versions (document, annotator, revision, state, spans, base, model, "
        "suggested, shown, begun) VALUES (?, ?, 0, 'in progress', ?, ?, ?, ?, ?, ?)",
        place.document, place.annotator, spans, spans, model, spans, int(shown), now(),
    )  # fmt: skip


def edit(
    store: Store,
    document: str,
    annotator: str,
    action: Action,
    *,
    revision: int,
    on_overlap: OnOverlap = "refuse",
) -> Version:
    """Do one action, and return the marks after it."""
    with store.write():
        place = find_place(store, document, annotator)
        row = open_row(store, place, revision)
        marks = decode_marks(json.loads(row["spans"]))
        change = plan_change(
            marks, action, size=place.size, source=annotator, on_overlap=on_overlap
        )
        if change:
            record_change(store, place, row, type(action).__name__.lower(), change)
        return _version(store, place)


def replace_marks(
    store: Store, document: str, annotator: str, marks: Marks, *, revision: int
) -> Version:
    """Put other marks in the place of all, as one step that can be undone."""
    with store.write():
        place = find_place(store, document, annotator)
        row = open_row(store, place, revision)
        for mark in marks:
            if mark.end > place.size:
                raise InputError(f"[{mark.start}, {mark.end}) ends beyond the text")
        old = decode_marks(json.loads(row["spans"]))
        new = marks_of(marks)
        change = Change(
            tuple(one for one in old if one not in set(new)),
            tuple(one for one in new if one not in set(old)),
        )
        if change:
            record_change(store, place, row, "replace", change)
        return _version(store, place)


def undo(store: Store, document: str, annotator: str, *, revision: int) -> Version:
    """Take the last change back that is not taken back; raises `StateError` without any."""
    return _travel(store, document, annotator, revision, "undo")


def redo(store: Store, document: str, annotator: str, *, revision: int) -> Version:
    """Do the last change again that was undone; raises `StateError` without any."""
    return _travel(store, document, annotator, revision, "redo")


def _travel(store: Store, document: str, annotator: str, revision: int, way: str) -> Version:
    with store.write():
        place = find_place(store, document, annotator)
        row = open_row(store, place, revision)
        entries = journal_rows(store, place)
        stack = stacks_of(entries)[0 if way == "undo" else 1]
        if not stack:
            raise StateError(f"there is nothing to {way} in document {document!r}")
        entry = stack[-1]
        change = change_of(entry)
        record_change(
            store, place, row, way, change.inverted() if way == "undo" else change,
            target=entry["revision"],
        )  # fmt: skip
        return _version(store, place)


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


def finish(store: Store, document: str, annotator: str, *, revision: int) -> Version:
    """Declare the marks final, so that nothing can be edited until the document is reopened."""
    with store.write():
        place = find_place(store, document, annotator)
        row = open_row(store, place, revision)
        record_change(store, place, row, "finish", Change(), state="done")
        return _version(store, place)


def reopen(store: Store, document: str, annotator: str) -> Version:
    """Open finished marks again; raises `StateError` once they were compared with others'."""
    with store.write():
        place = find_place(store, document, annotator)
        row = version_row(store, place)
        if row is None or row["state"] != "done":
            raise StateError(f"document {document!r} is not finished by {annotator!r}")
        _require_undecided(store, place)
        if document_row(store, document)["compared"] is not None:
            raise StateError(
                f"the marks of document {document!r} were compared, so they are blind no more. "
                "Change them by a decision"
            )
        record_change(store, place, row, "reopen", Change(), state="in progress")
        return _version(store, place)


def is_decided(store: Store, document: int) -> bool:
    """Tell whether a document is adjudicated."""
    return store.find("SELECT 1 FROM gold WHERE document = ?", document) is not None


def _require_undecided(store: Store, place: Place) -> None:
    if is_decided(store, place.document):
        raise StateError(f"document {place.id!r} is adjudicated. Withdraw the decision first")


def spend(store: Store, document: str, annotator: str, seconds: float) -> None:
    """Add time that an annotator has spent on a document that is begun."""
    if not (math.isfinite(seconds) and 0.0 <= seconds <= MOST_SECONDS):
        raise InputError(f"time spent is 0 to {MOST_SECONDS:g} seconds at once")
    with store.write():
        place = find_place(store, document, annotator)
        if version_row(store, place) is None:
            raise StateError(f"document {document!r} is not begun by {annotator!r}")
        store.run(
            "UPDATE versions SET seconds = seconds + ? WHERE document = ? AND annotator = ?",
            seconds, place.document, place.annotator,
        )  # fmt: skip


def history(store: Store, document: str, annotator: str) -> tuple[JournalEntry, ...]:
    """Return the journal of an annotator in a document, oldest first."""
    with store.read():
        place = find_place(store, document, annotator)
        return tuple(
            JournalEntry(
                row["revision"], row["action"], row["target"], *_sides(row), row["batch"], row["at"]
            )
            for row in journal_rows(store, place)
        )


def _sides(row: Row) -> tuple[Marks, Marks]:
    change = change_of(row)
    return change.removed, change.added


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
