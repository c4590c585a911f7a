"""Documents out of a project, as corpora of any format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrubjay.corpora import annotation_free, find_format, open_writer
from scrubjay.corpora.metadata import IGNORE_KEY
from scrubjay.corpora.writing import Existing
from scrubjay.document import Document
from scrubjay.errors import ConfigError, StateError
from scrubjay.review.marks import Marks, decode_marks
from scrubjay.review.people import annotator_names, annotator_number
from scrubjay.review.prelabels import stored_document
from scrubjay.review.states import Situation, situations
from scrubjay.review.store import Store

FINAL = ("adjudicated", "accepted")

PASSING = ".export-"
"""How folders in that of a project begin which hold an export for a moment, to be sent."""


def export_project(
    store: Store,
    out: Path,
    *,
    format: str,
    whose: str,
    unfinished: bool,
    existing: Existing,
    options: dict[str, Any],
) -> int:
    """Write documents with marks, readable by their owner alone, and return their number.

    Each folder appears whole or not at all.
    """
    find_format(format).require_options(options, role="writer")
    settings = {"format": format, "existing": existing, **options}
    if unfinished and whose in FINAL:
        raise ConfigError(
            f"{whose} marks are finished ones, so there are no unfinished among them",
            hint="Name an annotator",
        )
    with store.snapshot() as view:
        if whose not in (*FINAL, "all"):
            annotator_number(view, whose)
        parts = {whose: out}
        if whose == "all":
            parts = {name: out / name for name in (*annotator_names(view), *FINAL)}
        parts = {n: place for n, place in parts.items() if _has_any(view, n, unfinished)}
        if not parts:
            raise StateError(f"there are no {whose} marks to export yet")
        return sum(_write(view, place, name, unfinished, settings) for name, place in parts.items())


def _write(view: Store, out: Path, whose: str, unfinished: bool, settings: dict[str, Any]) -> int:
    passing = out.parent.name.startswith(PASSING) and out.parent.parent == view.folder
    inputs = [] if passing else [view.folder]
    writer = open_writer(out, name=whose, inputs=inputs, permissions="private", **settings)
    with writer:
        for document in marked_documents(view, whose, unfinished=unfinished):
            writer.write(document)
    return writer.documents


def _has_any(view: Store, whose: str, unfinished: bool) -> bool:
    return any(_marks(one, whose, unfinished) is not None for one in situations(view))


def marked_documents(view: Store, whose: str, *, unfinished: bool = False) -> Iterator[Document]:
    """Yield the documents of which somebody's marks are there, in the order of import.

    `whose` is an annotator, "adjudicated" or "accepted". Must stand in a transaction.
    """
    for situation in situations(view):
        marks = _marks(situation, whose, unfinished)
        if marks is not None:
            bare = stored_document(view, situation.row["number"])
            yield Document(bare.id, bare.text, marks, _metadata(bare))


def _metadata(document: Document) -> dict[str, Any]:
    """Return the metadata without what describes the spans that the document came with.

    The text is the same, so regions to ignore still lie where they did.
    """
    kept = annotation_free(document.metadata)
    if IGNORE_KEY in document.metadata:
        kept[IGNORE_KEY] = document.metadata[IGNORE_KEY]
    return kept


def _marks(situation: Situation, whose: str, unfinished: bool) -> Marks | None:
    if whose == "adjudicated":
        return situation.final if situation.gold is not None else None
    if whose == "accepted":
        return situation.final
    row = situation.versions.get(whose)
    if row is None or not (unfinished or row["state"] == "done"):
        return None
    return decode_marks(json.loads(row["spans"]))
