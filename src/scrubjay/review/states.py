"""The states of documents, read from who has finished what."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from scrubjay.errors import BlindError
from scrubjay.review.marks import Marks, decode_marks
from scrubjay.review.people import annotator_names
from scrubjay.review.records import DocumentRow, DocumentState, VersionState
from scrubjay.review.store import Row, Store


@dataclass(frozen=True, slots=True)
class Situation:
    """What decides the state of a document.

    `versions` has the row of each annotator who has begun it, by name.
    """

    row: Row
    holders: tuple[str, ...]
    versions: dict[str, Row]
    gold: Row | None
    suggestion: Row | None

    @property
    def done(self) -> tuple[str, ...]:
        """Those of the holders who have finished."""
        return tuple(
            name
            for name in self.holders
            if name in self.versions and self.versions[name]["state"] == "done"
        )

    @property
    def complete(self) -> bool:
        """Whether all who have to mark the document have finished; false with nobody."""
        return bool(self.holders) and len(self.done) == len(self.holders)

    @property
    def state(self) -> DocumentState:
        """The state of the document."""
        if self.gold is not None:
            return "adjudicated"
        if self.complete:
            return "done"
        return "in progress" if self.versions else "open"

    @property
    def final(self) -> Marks | None:
        """The marks that are final, or None: the gold ones, or those that all agree on."""
        if self.gold is not None:
            return decode_marks(json.loads(self.gold["spans"]))
        if not self.complete:
            return None
        sides = [decode_marks(json.loads(self.versions[name]["spans"])) for name in self.done]
        return sides[0] if all(side == sides[0] for side in sides[1:]) else None

    def mine(self, annotator: str | None) -> VersionState | None:
        """Return the state for one annotator, None where the document is others'."""
        if annotator not in self.holders:
            return None
        assert annotator is not None
        version = self.versions.get(annotator)
        return "open" if version is None else version["state"]

    def describe(self, annotator: str | None) -> DocumentRow:
        """Return the line of the list of documents."""
        row, suggestion = self.row, self.suggestion
        return DocumentRow(
            row["number"],
            row["id"],
            row["size"],
            self.state,
            self.final is not None,
            self.holders,
            self.done,
            self.mine(annotator),
            suggestion is not None and bool(suggestion["shown"]),
            0 if suggestion is None else len(json.loads(suggestion["spans"])),
        )


def situations(store: Store, *, document: int | None = None) -> Iterator[Situation]:
    """Yield the situation of each document, or of one, in the order of import.

    Must stand in a transaction, so that all belongs together. Texts are not read.
    """
    one = "" if document is None else " WHERE {} = " + str(int(document))
    people = annotator_names(store)
    given: dict[int, list[str]] = {}
    versions: dict[int, dict[str, Row]] = {}
    for row in store.all(
        "SELECT document, name FROM assignments JOIN annotators ON number = annotator"
        + one.format("document")
        + " ORDER BY number"
    ):
        given.setdefault(row["document"], []).append(row["name"])
    for row in store.all(
        "SELECT versions.*, name FROM versions JOIN annotators ON number = annotator"
        + one.format("document")
    ):
        versions.setdefault(row["document"], {})[row["name"]] = row
    gold = {
        row["document"]: row for row in store.all("SELECT * FROM gold" + one.format("document"))
    }
    suggestions = {
        row["document"]: row
        for row in store.all("SELECT * FROM suggestions" + one.format("document"))
    }
    for row in store.all(
        "SELECT number, id, size, compared FROM documents"
        + one.format("number")
        + " ORDER BY number"
    ):
        number = row["number"]
        yield Situation(
            row,
            tuple(given.get(number, people)),
            versions.get(number, {}),
            gold.get(number),
            suggestions.get(number),
        )


def situation_of(store: Store, document: int) -> Situation:
    """Return the situation of one document."""
    return next(situations(store, document=document))


def require_open_eyes(situation: Situation) -> None:
    """Raise `BlindError` where somebody has yet to finish: till then all are blind."""
    if situation.gold is None and not situation.complete:
        missing = [name for name in situation.holders if name not in situation.done]
        raise BlindError(
            f"the marks of document {situation.row['id']!r} are hidden until all have finished it: "
            f"{', '.join(missing) or 'it has no annotators'}"
        )
