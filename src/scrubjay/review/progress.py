"""How far a project is, and what suggestions have saved."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from statistics import median

from scrubjay.analysis.judging import judge_spans
from scrubjay.review.marks import decode_marks
from scrubjay.review.people import annotator_names, annotator_number
from scrubjay.review.records import AnnotatorProgress, Progress, Savings
from scrubjay.review.states import Situation, situations
from scrubjay.review.store import Row, Store


def measure_progress(store: Store) -> Progress:
    """Return the documents by state, and the same for each annotator."""
    with store.read():
        found = list(situations(store))
        people = annotator_names(store)
    states = Counter(one.state for one in found)
    accepted = sum(one.final is not None for one in found)
    return Progress(
        documents=len(found),
        open=states["open"],
        in_progress=states["in progress"],
        done=states["done"],
        adjudicated=states["adjudicated"],
        accepted=accepted,
        disputed=states["done"] + states["adjudicated"] - accepted,
        annotators=tuple(_annotator(name, found) for name in people),
    )


def _annotator(name: str, found: Sequence[Situation]) -> AnnotatorProgress:
    versions = [one.versions[name] for one in found if name in one.versions]
    done = [row for row in versions if row["state"] == "done"]
    sizes = {one.row["number"]: one.row["size"] for one in found}
    return AnnotatorProgress(
        name=name,
        assigned=sum(name in one.holders for one in found),
        in_progress=len(versions) - len(done),
        done=len(done),
        marks=sum(len(json.loads(row["spans"])) for row in versions),
        savings=_savings([(row, sizes[row["document"]]) for row in done]),
    )


def measure_savings(store: Store, *, annotator: str | None) -> Savings:
    """Return what became of suggestions, and the time that it took, of one annotator or all."""
    with store.read():
        one = None if annotator is None else annotator_number(store, annotator)
        rows = store.all(
            "SELECT versions.*, size FROM versions JOIN documents ON number = document "
            "WHERE state = 'done' ORDER BY document, annotator"
        )
    return _savings([(row, row["size"]) for row in rows if one in (None, row["annotator"])])


def _savings(rows: Sequence[tuple[Row, int]]) -> Savings:
    kinds: Counter[str] = Counter()
    added = 0
    paces: dict[bool, list[float]] = {True: [], False: []}
    for row, size in rows:
        suggested, marks = (decode_marks(json.loads(row[name])) for name in ("suggested", "spans"))
        judged = judge_spans(suggested, marks)
        kinds.update(one.kind for one in judged.gold)
        added += sum(one.kind == "spurious" for one in judged.predicted)
        if row["seconds"] > 0.0 and size:
            paces[bool(row["shown"])].append(row["seconds"] / size * 1000.0)
    medians = {shown: median(times) if times else None for shown, times in paces.items()}
    with_, without = medians[True], medians[False]
    return Savings(
        documents=len(rows),
        accepted=kinds["correct"],
        changed=kinds["type"] + kinds["extent"],
        deleted=kinds["missing"],
        added=added,
        seconds=sum(row["seconds"] for row, _ in rows),
        timed_with=len(paces[True]),
        timed_without=len(paces[False]),
        seconds_with=with_,
        seconds_without=without,
        saved=None if with_ is None or without is None else 1.0 - with_ / without,
    )
