"""All same strings alike, in a document or in all that an annotator may mark, and back again."""

from __future__ import annotations

import json
import secrets

from scrubjay.review.marks import decode_marks, plan_same
from scrubjay.review.people import annotator_number
from scrubjay.review.records import Applied
from scrubjay.review.store import Row, Store
from scrubjay.review.work import (
    Place,
    begin_version,
    change_of,
    find_place,
    is_decided,
    journal_rows,
    open_row,
    read_text,
    record_change,
    stacks_of,
    suggestions_of,
    version_row,
)


def apply_same(
    store: Store,
    document: str,
    annotator: str,
    *,
    surface: str,
    label: str | None,
    everywhere: bool,
    revision: int,
) -> Applied:
    """Treat every same string alike, here or in all documents that the annotator may mark."""
    batch = secrets.token_hex(8)
    touched: list[str] = []
    places = skipped = closed = 0
    with store.write():
        home = find_place(store, document, annotator)
        open_row(store, home, revision)
        for place in _places(store, home) if everywhere else [home]:
            text = read_text(store, place.document)
            row = version_row(store, place)
            if row is None:
                suggested, _, shown = suggestions_of(store, place.document)
                marks = suggested if shown else ()
            else:
                marks = decode_marks(json.loads(row["spans"]))
            same = plan_same(text, marks, surface=surface, label=label, source=annotator)
            skipped += same.skipped
            if not same.change:
                continue
            if _is_closed(store, place, row):
                closed += 1
                continue
            if row is None:
                begin_version(store, place)
                row = version_row(store, place)
                assert row is not None
            record_change(store, place, row, "same", same.change, batch=batch)
            places += max(len(same.change.added), len(same.change.removed))
            touched.append(place.id)
    return Applied(batch, tuple(touched), places, skipped, closed)


def _is_closed(store: Store, place: Place, row: Row | None) -> bool:
    if row is not None and row["state"] == "done":
        return True
    return row is None and is_decided(store, place.document)


def _places(store: Store, home: Place) -> list[Place]:
    """Return all documents that an annotator may mark."""
    rows = store.all(
        "SELECT number, id, size FROM documents AS d WHERE EXISTS "
        "(SELECT 1 FROM assignments WHERE document = d.number AND annotator = ?) OR NOT EXISTS "
        "(SELECT 1 FROM assignments WHERE document = d.number) ORDER BY number",
        home.annotator,
    )
    return [Place(r["number"], r["id"], r["size"], home.annotator, home.name) for r in rows]


def undo_batch(store: Store, annotator: str, batch: str) -> Applied:
    """Undo a change of many documents wherever it is the last one; elsewhere it stays."""
    undone: list[str] = []
    places = skipped = closed = 0
    with store.write():
        number = annotator_number(store, annotator)
        rows = store.all(
            "SELECT DISTINCT d.id, d.number, d.size FROM journal AS j JOIN documents AS d "
            "ON d.number = j.document WHERE j.batch = ? AND j.annotator = ? ORDER BY d.number",
            batch, number,
        )  # fmt: skip
        for found in rows:
            place = Place(found["number"], found["id"], found["size"], number, annotator)
            row = version_row(store, place)
            assert row is not None
            stack = stacks_of(journal_rows(store, place))[0]
            if row["state"] == "done":
                closed += 1
            elif not stack or stack[-1]["batch"] != batch:
                skipped += 1
            else:
                change = change_of(stack[-1]).inverted()
                target = stack[-1]["revision"]
                record_change(store, place, row, "undo", change, target=target)
                places += max(len(change.added), len(change.removed))
                undone.append(place.id)
    return Applied(batch, tuple(undone), places, skipped, closed)
