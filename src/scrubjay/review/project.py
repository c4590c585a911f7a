"""The review project: one class over the rooms of this folder, which hold what it does.

    with Project.create("project", labels="i2b2-2014") as project:
        project.add_annotator("ana")
        project.import_corpus(["notes"])
        version = project.begin("note-1", "ana")
        version = project.edit("note-1", "ana", Add(8, 15, "DOCTOR"), revision=version.revision)

What one annotator does with marks is in `marking`, what several differ in is under `deciding`,
learning under `retraining`, and the audit of a run under `auditing`. Offsets count code points.
Whatever is returned is a frozen record of `records`, which `to_json` turns into JSON values. Errors
never hold text of a document. A project may be shared by threads and opened by any number of
processes.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.document import Document
from scrubjay.errors import InputError, StateError
from scrubjay.labels import LabelSet
from scrubjay.review import importing, people, settings, states, work
from scrubjay.review.marking import Marking
from scrubjay.review.records import (
    Candidate,
    Checked,
    DocumentRow,
    DocumentState,
    Imported,
    Prelabelled,
    Progress,
    ProjectInfo,
    Savings,
    Shown,
)
from scrubjay.review.store import Store, now

if TYPE_CHECKING:
    from scrubjay.corpora.writing import Existing
    from scrubjay.review.adjudication import Deciding
    from scrubjay.review.audit import Auditing
    from scrubjay.review.learn import Retraining

Whose = str
"""Whose marks are exported: an annotator's name, "adjudicated", "accepted" or "all"."""


class Project(Marking):
    """A review project in a folder; made by `create` or `open`, used in a `with` statement."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.folder = store.folder
        self.is_audit = store.setting("kind") == "audit"

    @cached_property
    def deciding(self) -> Deciding:
        """What its annotators differ in: agreement, differences, final marks."""
        from scrubjay.review.adjudication import Deciding

        return Deciding(self._store)

    @cached_property
    def retraining(self) -> Retraining:
        """Its learning: runs, what they gave, and the model that is chosen of them."""
        from scrubjay.review.learn import Retraining

        return Retraining(self._store)

    @cached_property
    def auditing(self) -> Auditing:
        """Its audit of a run: how far it is, the result, and the signed report."""
        from scrubjay.review.audit import Auditing

        return Auditing(self._store)

    @classmethod
    def create(
        cls,
        folder: Path | str,
        *,
        labels: str | Path | LabelSet = "i2b2-2014",
        name: str = "",
        guidelines: str = "",
        language: str = "",
    ) -> Project:
        """Make a project in a new or empty folder, which only its owner may read.

        `labels` is a label set, its name or its TOML file; `guidelines` are Markdown, which
        annotators are shown. Raises `OutputError` for a folder that is not empty and
        `ConfigError` for an unknown label set.
        """
        folder = Path(folder)
        label_set = settings.find_labels(labels)
        values = settings.first_settings(
            label_set, name=name or folder.resolve().name, guidelines=guidelines, language=language
        )
        return cls(Store.create(folder, values | {"id": secrets.token_hex(8), "made": now()}))

    @classmethod
    def open(cls, folder: Path | str) -> Project:
        """Open a project.

        Raises `ConfigError` where there is none, `ProjectVersionError` for one of another
        version, `ProjectError` for a damaged one.
        """
        return cls(Store(Path(folder)))

    def close(self) -> None:
        """Close the project; a background run goes on."""
        self._store.close()

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # What the project is.

    def info(self) -> ProjectInfo:
        """Return the settings of the project and how much is in it."""
        return settings.describe(self._store)

    @property
    def label_set(self) -> LabelSet:
        """The labels that marks may have, as a label set."""
        return settings.label_set_of(self._store)

    def guidelines(self) -> str:
        """Return the guidelines, as Markdown."""
        return str(self._store.setting("guidelines"))

    def check(self) -> Checked:
        """Verify the whole project: the file, and that the journal gives the marks there are."""
        from scrubjay.review.checking import check_project

        return check_project(self._store)

    # People.

    def add_annotator(self, name: str) -> None:
        """Add an annotator; one who is there already stays. Raises `InputError` for bad names."""
        people.add_annotator(self._store, name)

    def remove_annotator(self, name: str) -> None:
        """Remove an annotator who has begun nothing; raises `NotFoundError` and `StateError`."""
        people.remove_annotator(self._store, name)

    def annotators(self) -> tuple[str, ...]:
        """Return the names of the annotators, in the order in which they were added."""
        return people.annotator_names(self._store)

    def assign(
        self,
        annotators: Sequence[str],
        *,
        documents: Sequence[str] | None = None,
        per_document: int | None = None,
    ) -> int:
        """Give documents to annotators and return how many assignments are new.

        Without `documents` those that nobody was given yet; with `per_document` each goes to so
        many of them in turn, else to all. A document without assignment is everybody's.
        """
        return people.assign(
            self._store, annotators, documents=documents, per_document=per_document
        )

    # Documents.

    def import_corpus(
        self,
        paths: Sequence[Path | str],
        *,
        format: str | None = None,
        spans: importing.Spans = "suggest",
        options: Mapping[str, Any] | None = None,
        passed: Callable[[str], None] | None = None,
    ) -> Imported:
        """Add the documents of corpora in any format, streamed; all of them or none.

        With `spans="suggest"` their spans become suggestions. `passed` is that of `read_corpora`.
        Raises what `read_corpora` raises,
        `InputError` for an id that is there, `LabelError` for a label that the project has not.
        """
        from scrubjay.corpora import read_corpora

        documents = read_corpora(paths, format=format, passed=passed, **dict(options or {}))
        return self.import_documents(documents, spans=spans)

    def import_documents(
        self, documents: Iterable[Document], *, spans: importing.Spans = "suggest"
    ) -> Imported:
        """Add documents; errors are those of `import_corpus`.

        Raises `StateError` for an audit, whose documents were drawn once and for all.
        """
        if self._store.setting("kind") == "audit":
            raise StateError("the sample of an audit is drawn; no document can join it")
        return importing.import_documents(
            self._store, documents, label_set=self.label_set, spans=spans
        )

    def documents(
        self,
        *,
        annotator: str | None = None,
        state: DocumentState | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> tuple[DocumentRow, ...]:
        """Return the list of documents, in the order of import.

        With `annotator` only those that are theirs to mark, with `mine` told; `state` chooses
        among the states of documents (not of one annotator).
        """
        if offset < 0 or (limit is not None and limit < 0):
            raise InputError("offset and limit are 0 or more")
        with self._store.read():
            if annotator is not None:
                people.annotator_number(self._store, annotator)
            found = (
                one
                for one in states.situations(self._store)
                if (annotator is None or annotator in one.holders)
                and (state is None or one.state == state)
            )
            end = None if limit is None else min(offset + limit, sys.maxsize)
            page = islice(found, min(offset, sys.maxsize), end)
            return tuple(one.describe(annotator) for one in page)

    def document(self, document: str, *, annotator: str | None = None) -> DocumentRow:
        """Return the line of one document; raises `NotFoundError`."""
        with self._store.read():
            number = people.document_row(self._store, document)["number"]
            return states.situation_of(self._store, number).describe(annotator)

    def text(self, document: str) -> str:
        """Return the text of a document, exactly as it was read; raises `NotFoundError`."""
        with self._store.read():
            return work.read_text(self._store, people.document_row(self._store, document)["number"])

    # Suggestions.

    def prelabel(
        self,
        model: str | Path,
        *,
        shown: Shown = "all",
        documents: Sequence[str] | None = None,
    ) -> Prelabelled:
        """Let a model suggest marks for all documents that nobody has begun.

        `model` is a shipped name or a folder, and becomes the project's model. Documents begun
        already keep what they began with. Raises `LabelError` for a model with other labels.
        """
        from scrubjay.review.prelabels import prelabel_documents

        return prelabel_documents(self._store, str(model), shown=shown, documents=documents)

    def set_shown(self, documents: Sequence[str], *, shown: bool) -> None:
        """Show the suggestions of documents to whoever begins them, or keep them hidden."""
        from scrubjay.review.prelabels import switch_shown

        switch_shown(self._store, documents, shown=shown)

    # How far it is.

    def progress(self) -> Progress:
        """Return the documents by state, and what each annotator has done and saved."""
        from scrubjay.review.progress import measure_progress

        return measure_progress(self._store)

    def savings(self, *, annotator: str | None = None) -> Savings:
        """Return what became of suggestions in finished documents, and the time that it took."""
        from scrubjay.review.progress import measure_savings

        return measure_savings(self._store, annotator=annotator)

    def next(self, annotator: str) -> Candidate | None:
        """Return the document that the annotator should do next, None where all are done.

        One that is begun comes first; then those of which most is learned (`rank`), or without a
        ranking the order of import. Nothing is begun by it.
        """
        return next(iter(self.upcoming(annotator, most=1)), None)

    def upcoming(self, annotator: str, *, most: int = 20) -> tuple[Candidate, ...]:
        """Return the documents that the annotator should do, `next` first, at most so many."""
        from scrubjay.review.ranking import upcoming

        return upcoming(self._store, annotator, most)

    def rank(self, *, model: str | Path | None = None) -> int:
        """Order open documents by what teaches most, and return how many were looked at anew.

        Scores are kept for each model; without `model` it is the project's.
        """
        from scrubjay.review.ranking import rank_documents

        return rank_documents(self._store, None if model is None else str(model))

    # Out of the project.

    def export(
        self,
        out: Path | str,
        *,
        format: str,
        whose: Whose = "accepted",
        unfinished: bool = False,
        existing: Existing = "replace",
        options: Mapping[str, Any] | None = None,
    ) -> int:
        """Write documents with marks as a corpus of any format, and return their number.

        `whose` is an annotator, "adjudicated" (final marks alone), "accepted" (final ones, and
        those that all agree on) or "all" (a folder for each of these that has any). With
        `unfinished` an annotator's begun documents, too. `existing` says what happens to files
        that are there already. Raises what `open_writer` raises, and `StateError` where there is
        nothing to write.
        """
        from scrubjay.review.exporting import export_project

        return export_project(
            self._store, Path(out), format=format, whose=whose, unfinished=unfinished,
            existing=existing, options=dict(options or {}),
        )  # fmt: skip

    # The audit of a run of production.

    @classmethod
    def create_audit(
        cls,
        folder: Path | str,
        corpus: Path | str,
        *,
        documents: int,
        labels: str | Path | LabelSet = "i2b2-2014",
        seed: int = 0,
        stratify: str = "",
        at_least: int = 0,
        format: str | None = None,
        guidelines: str = "",
    ) -> Project:
        """Make a project of a random sample of a run: its originals with the spans removed.

        Reviewers add what leaked and delete what is no PHI. Raises what `read_frame`,
        `require_predicted` and `draw_sample` raise, and then leaves nothing behind.
        """
        from scrubjay.review.audit import create_audit_project

        return cls(
            create_audit_project(
                Path(folder), corpus, size=documents, labels=settings.find_labels(labels),
                seed=seed, stratify=stratify, at_least=at_least, format=format,
                guidelines=guidelines,
            )
        )  # fmt: skip
