"""The marks of one annotator: begun, changed in steps that can be undone, and finished.

Each change needs the revision that it was made on, so that nobody overwrites what they never saw.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from scrubjay.errors import InputError, StateError
from scrubjay.review import people, same, settings, work
from scrubjay.review.marks import (
    Action,
    Change,
    OnOverlap,
    decode_marks,
    plan_change,
)
from scrubjay.review.records import Applied, JournalEntry, Version
from scrubjay.review.store import Row, Store

MOST_SECONDS = 3600.0
"""More time than this is not taken for one piece of work."""


class Marking:
    """What an annotator does in a project."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def version(self, document: str, annotator: str) -> Version:
        """Return the marks of an annotator, those they would begin with where not begun.

        Raises `NotFoundError`, and `StateError` where the document is not theirs.
        """
        return work.read_version(self._store, document, annotator)

    def begin(self, document: str, annotator: str) -> Version:
        """Begin a document, if it is not begun, and return the marks; they are edited from here.

        From here on they are the annotator's own: other suggestions change nothing of them. Raises
        as `version` does, and `StateError` for a document that is adjudicated.
        """
        store = self._store
        with store.write():
            place = work.find_place(store, document, annotator)
            if work.version_row(store, place) is None:
                work.require_undecided(store, place)
                work.begin_version(store, place)
            return work.version_of(store, place)

    def edit(
        self,
        document: str,
        annotator: str,
        action: Action,
        *,
        revision: int,
        on_overlap: OnOverlap = "refuse",
    ) -> Version:
        """Do one action (`marks.Add`, `Move`, `Relabel`, `Delete`) and return the marks after it.

        Raises `ConflictError` where the marks are not at `revision` any more, `StateError` where
        the document is not begun or is finished, `LabelError` for an unknown label, `SpanError`
        for offsets outside of the text, a mark that is not there, and an overlap.
        """
        settings.require_label(self._store, getattr(action, "label", None))
        with self._editing(document, annotator, revision) as (place, row):
            marks = decode_marks(json.loads(row["spans"]))
            change = plan_change(
                marks, action, size=place.size, source=annotator, on_overlap=on_overlap
            )
            if change:
                work.record_change(self._store, place, row, type(action).__name__.lower(), change)
            return work.version_of(self._store, place)

    def mark_same(
        self,
        document: str,
        annotator: str,
        start: int,
        end: int,
        *,
        label: str | None,
        revision: int,
        scope: Literal["document", "project"] = "document",
    ) -> Applied:
        """Give every same string the label, or with None no mark; in the document or everywhere.

        The string is the text at `[start, end)`; it is found as whole words. Marks with other
        borders stay and are counted, and so do documents that the annotator has finished.
        Errors as of `edit`, for this document.
        """
        settings.require_label(self._store, label)
        with self._store.read():
            text = work.read_text(self._store, people.document_row(self._store, document)["number"])
        if not 0 <= start < end <= len(text) or not text[start:end].strip():
            raise InputError(f"[{start}, {end}) of document {document!r} is no string to look for")
        return same.apply_same(
            self._store, document, annotator, surface=text[start:end], label=label,
            everywhere=scope == "project", revision=revision,
        )  # fmt: skip

    def undo(self, document: str, annotator: str, *, revision: int) -> Version:
        """Take the last change back, to any depth; `StateError` where there is none."""
        return self._travel(document, annotator, revision, "undo")

    def redo(self, document: str, annotator: str, *, revision: int) -> Version:
        """Do again what was undone last; `StateError` where there is nothing."""
        return self._travel(document, annotator, revision, "redo")

    def undo_batch(self, annotator: str, batch: str) -> Applied:
        """Undo what `mark_same` did in many documents, wherever it is the last change."""
        return same.undo_batch(self._store, annotator, batch)

    def finish(self, document: str, annotator: str, *, revision: int) -> Version:
        """Declare the marks of an annotator done; raises as `edit` does."""
        with self._editing(document, annotator, revision) as (place, row):
            work.record_change(self._store, place, row, "finish", Change(), state="done")
            return work.version_of(self._store, place)

    def reopen(self, document: str, annotator: str) -> Version:
        """Open finished marks again; `StateError` once they were compared with others'."""
        store = self._store
        with store.write():
            place = work.find_place(store, document, annotator)
            row = work.version_row(store, place)
            if row is None or row["state"] != "done":
                raise StateError(f"document {document!r} is not finished by {annotator!r}")
            work.require_undecided(store, place)
            if people.document_row(store, document)["compared"] is not None:
                raise StateError(
                    f"the marks of document {document!r} were compared, so they are blind no more. "
                    "Change them by a decision"
                )
            work.record_change(store, place, row, "reopen", Change(), state="in progress")
            return work.version_of(store, place)

    def spend(self, document: str, annotator: str, seconds: float) -> None:
        """Add time (0 to 3600 seconds) that an annotator has spent on a document."""
        if not 0.0 <= seconds <= MOST_SECONDS:
            raise InputError(f"time spent is 0 to {MOST_SECONDS:g} seconds at once")
        store = self._store
        with store.write():
            place = work.find_place(store, document, annotator)
            if work.version_row(store, place) is None:
                raise StateError(f"document {document!r} is not begun by {annotator!r}")
            store.run(
                "UPDATE versions SET seconds = seconds + ? WHERE document = ? AND annotator = ?",
                seconds, place.document, place.annotator,
            )  # fmt: skip

    def history(self, document: str, annotator: str) -> tuple[JournalEntry, ...]:
        """Return every change of an annotator in a document, oldest first."""
        with self._store.read():
            rows = work.journal_rows(self._store, work.find_place(self._store, document, annotator))
        return tuple(
            JournalEntry(
                row["revision"], row["action"], row["target"], change.removed, change.added,
                row["batch"], row["at"],
            )
            for row, change in zip(rows, map(work.change_of, rows), strict=True)
        )  # fmt: skip

    @contextmanager
    def _editing(
        self, document: str, annotator: str, revision: int
    ) -> Iterator[tuple[work.Place, Row]]:
        """Give a place that can be edited at a revision, and its row, inside of a transaction."""
        with self._store.write():
            place = work.find_place(self._store, document, annotator)
            yield place, work.open_row(self._store, place, revision)

    def _travel(self, document: str, annotator: str, revision: int, way: str) -> Version:
        with self._editing(document, annotator, revision) as (place, row):
            stacks = work.stacks_of(work.journal_rows(self._store, place))
            stack = stacks[0 if way == "undo" else 1]
            if not stack:
                raise StateError(f"there is nothing to {way} in document {document!r}")
            change = work.change_of(stack[-1])
            work.record_change(
                self._store, place, row, way, change.inverted() if way == "undo" else change,
                target=stack[-1]["revision"],
            )  # fmt: skip
            return work.version_of(self._store, place)
