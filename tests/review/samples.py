"""Projects for tests: small, invented, with a model that finds dates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scrubjay.document import Document, Span
from scrubjay.review.marks import Action, Add, Delete
from scrubjay.review.project import Project

TEXT = "Seen by Dr. Lee on 3/4/2019. Lee called Mr. Abend \U0001f468\u200d\u2695\ufe0f on 5/6/2019."


def note(name: str, text: str = TEXT, spans: Sequence[Span] = ()) -> Document:
    """Return an invented document."""
    return Document(name, text, tuple(spans))


def find(text: str, surface: str, label: str, *, nth: int = 0) -> Span:
    """Return the span of the nth place of a string in a text."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(surface, start + 1)
    return Span(start, start + len(surface), label)


def new_project(
    folder: Path, documents: Sequence[Document], *, annotators: Sequence[str] = ("ana", "ben")
) -> Project:
    """Return a project with documents and annotators."""
    project = Project.create(folder, labels="i2b2-2014", guidelines="# Mark all *dates*")
    for name in annotators:
        project.add_annotator(name)
    project.import_documents(documents)
    return project


def mark_all(project: Project, document: str, annotator: str, spans: Sequence[Span]) -> None:
    """Let an annotator mark exactly these spans, and finish the document."""
    version = project.begin(document, annotator)
    changes: list[Action] = [Delete(mark) for mark in version.marks if mark not in spans]
    changes += [Add(span.start, span.end, span.label) for span in spans]
    for change in changes:
        version = project.edit(document, annotator, change, revision=version.revision)
    project.finish(document, annotator, revision=version.revision)
