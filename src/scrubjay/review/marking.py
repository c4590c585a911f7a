"""The marks of one annotator: begun, changed in steps that can be undone, and finished.

Each change needs the revision that it was made on, so that nobody overwrites what they never saw.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from scrubjay.document import Span
from scrubjay.errors import InputError
from scrubjay.review import people, same, settings, work
from scrubjay.review.marks import Action, OnOverlap
from scrubjay.review.records import Applied, JournalEntry, Version
from scrubjay.review.store import Store


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

        Raises as `version` does, and `StateError` for a document that is adjudicated.
        """
        return work.begin(self._store, document, annotator)

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
        return work.edit(
            self._store, document, annotator, action, revision=revision, on_overlap=on_overlap
        )

    def replace_marks(
        self, document: str, annotator: str, marks: Iterable[Span], *, revision: int
    ) -> Version:
        """Put other marks in the place of all, as one step; errors as of `edit`."""
        wanted = tuple(marks)
        for mark in wanted:
            settings.require_label(self._store, mark.label)
        return work.replace_marks(self._store, document, annotator, wanted, revision=revision)

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
        ignore_case: bool = False,
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
            everywhere=scope == "project", ignore_case=ignore_case, revision=revision,
        )  # fmt: skip

    def undo(self, document: str, annotator: str, *, revision: int) -> Version:
        """Take the last change back, to any depth; `StateError` where there is none."""
        return work.undo(self._store, document, annotator, revision=revision)

    def redo(self, document: str, annotator: str, *, revision: int) -> Version:
        """Do again what was undone last; `StateError` where there is nothing."""
        return work.redo(self._store, document, annotator, revision=revision)

    def undo_batch(self, annotator: str, batch: str) -> Applied:
        """Undo what `mark_same` did in many documents, wherever it is the last change."""
        return same.undo_batch(self._store, annotator, batch)

    def finish(self, document: str, annotator: str, *, revision: int) -> Version:
        """Declare the marks of an annotator done; raises as `edit` does."""
        return work.finish(self._store, document, annotator, revision=revision)

    def reopen(self, document: str, annotator: str) -> Version:
        """Open finished marks again; `StateError` once they were compared with others'."""
        return work.reopen(self._store, document, annotator)

    def spend(self, document: str, annotator: str, seconds: float) -> None:
        """Add time (0 to 3600 seconds) that an annotator has spent on a document."""
        work.spend(self._store, document, annotator, seconds)

    def history(self, document: str, annotator: str) -> tuple[JournalEntry, ...]:
        """Return every change of an annotator in a document, oldest first."""
        return work.history(self._store, document, annotator)
