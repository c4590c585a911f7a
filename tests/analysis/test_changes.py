"""Changes from one system to another, against a plain count and in known cases."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from scrubjay.analysis.changes import CHANGE_KINDS, Change, ChangeCollector, Changes
from scrubjay.document import Document, Span
from scrubjay.evaluation.aligned import Aligned
from scrubjay.labels import find_label_set
from tests.evaluation.aligned_samples import SYSTEMS, aligned_documents

PAIR = (SYSTEMS[0], SYSTEMS[1])
TEXT = "Seen by Dr. Wilhelmina Lee on 3/4/2019 in Leeds"


def collect(documents: list[Aligned], **settings: int) -> Changes:
    collector = ChangeCollector(PAIR, [PAIR], **settings)
    for document in documents:
        collector.add(document)
    return collector.changes()[0]


def one(gold: list[Span], first: list[Span], second: list[Span], name: str = "a") -> Aligned:
    body = Document(name, TEXT, tuple(gold))
    return Aligned(body, (body.with_spans(first), body.with_spans(second)))


def plain(document: Aligned) -> dict[str, int]:
    """Count the changes of one document span by span, character by character."""
    gold = set(document.gold.spans)
    first, second = (set(predicted.spans) for predicted in document.predicted)
    counts = dict.fromkeys(CHANGE_KINDS, 0)
    told: set[Span] = set()
    for span in gold:
        near_first = {other for other in first if touches(span, other)}
        near_second = {other for other in second if touches(span, other)}
        if span in first and span in second:
            continue
        if span in first:
            counts["broken"] += 1
        elif span in second:
            counts["fixed"] += 1
        elif near_first != near_second:
            counts["wrong otherwise"] += 1
        else:
            continue
        told.add(span)
    for name, alone in (("spurious gone", first - second), ("spurious new", second - first)):
        counts[name] = sum(
            span not in gold and not any(touches(span, other) for other in told) for span in alone
        )
    return counts


def touches(first: Span, second: Span) -> bool:
    return bool(set(range(first.start, first.end)) & set(range(second.start, second.end)))


@settings(max_examples=100)
@given(aligned_documents(most=2))
def test_changes_are_those_of_a_plain_count(documents: list[Aligned]) -> None:
    changes = collect(documents)
    rows = {document.gold.id: plain(document) for document in documents}
    rows = {name: row for name, row in rows.items() if any(row.values())}
    assert changes.by_document() == rows
    for kind in CHANGE_KINDS:
        assert changes.counts[kind] == sum(row[kind] for row in rows.values())
        assert sum(row[kind] for row in changes.by_label().values()) == changes.counts[kind]
    assert sum(changes.document_counts().values()) == len(documents)


@settings(max_examples=60)
@given(aligned_documents(most=2))
def test_a_document_has_changes_exactly_where_predictions_differ(documents: list[Aligned]) -> None:
    changed = {
        document.gold.id
        for document in documents
        if set(document.predicted[0].spans) != set(document.predicted[1].spans)
    }
    assert set(collect(documents).by_document()) == changed


@settings(max_examples=60)
@given(aligned_documents(most=2))
def test_fixed_less_broken_is_the_change_of_true_positives(documents: list[Aligned]) -> None:
    counts = collect(documents).counts
    hits = [
        sum(len(set(d.gold.spans) & set(d.predicted[place].spans)) for d in documents)
        for place in range(2)
    ]
    assert counts["fixed"] - counts["broken"] == hits[1] - hits[0]


@settings(max_examples=40)
@given(aligned_documents(most=2))
def test_the_way_back_mirrors_every_kind(documents: list[Aligned]) -> None:
    there = collect(documents).counts
    back = collect([Aligned(d.gold, d.predicted[::-1]) for d in documents]).counts
    assert there["fixed"] == back["broken"]
    assert there["broken"] == back["fixed"]
    assert there["wrong otherwise"] == back["wrong otherwise"]
    assert there["spurious gone"] == back["spurious new"]


def test_each_kind_in_its_known_case() -> None:
    name, whole = Span(12, 26, "DOCTOR"), Span(8, 26, "DOCTOR")
    date, city = Span(30, 38, "DATE"), Span(42, 47, "CITY")
    documents = [
        one([name, date], [whole], [name], "fixed"),
        one([date], [date], [], "broken"),
        one([name], [whole], [Span(12, 26, "PATIENT")], "otherwise"),
        one([], [city], [], "gone"),
        one([date], [date], [date, city], "new"),
        one([name], [whole], [whole], "same"),
    ]
    changes = collect(documents)
    found = {change.document: (change.kind, change.start, change.end) for change in changes.changes}
    assert found == {
        "fixed": ("fixed", 12, 26),
        "broken": ("broken", 30, 38),
        "otherwise": ("wrong otherwise", 12, 26),
        "gone": ("spurious gone", 42, 47),
        "new": ("spurious new", 42, 47),
    }
    fixed = changes.changes[0]
    assert (fixed.first, fixed.second, fixed.shape) == ((whole,), (name,), "Aaaaaaaaaa Aaa")
    assert changes.document_counts() == {
        "better": 2, "worse": 2, "both": 0, "otherwise": 1, "same": 1,
    }  # fmt: skip
    assert changes.by_label()["CITY"] == dict.fromkeys(CHANGE_KINDS, 0) | {
        "spurious gone": 1,
        "spurious new": 1,
    }


def test_a_document_that_gains_and_loses_is_both() -> None:
    date, city = Span(30, 38, "DATE"), Span(42, 47, "CITY")
    changes = collect([one([date, city], [date], [city])])
    assert changes.document_counts()["both"] == 1


def test_labels_differ_without_regard_to_case() -> None:
    date, lower = Span(30, 38, "DATE"), Span(30, 38, "date")
    assert collect([one([date], [lower], [date])]).changes == ()
    collector = ChangeCollector(PAIR, [PAIR], find_label_set("i2b2-2014"))
    collector.add(one([lower], [], [lower]))
    assert collector.changes()[0].changes[0].gold == date


def test_text_is_kept_only_where_it_is_asked_for() -> None:
    name = Span(12, 26, "DOCTOR")
    document = one([name], [], [name])
    silent = collect([document])
    assert "Lee" not in json.dumps(silent.record()) + repr(silent)
    assert silent.examples[0].text == ""
    shown = collect([document], context=8)
    example = shown.examples[0]
    assert (example.before, example.text, example.after) == (
        "by Dr. ".rjust(8),
        "Wilhelmina Lee",
        " on 3/4/",
    )
    assert shown.record()["examples"][0]["text"] == "Wilhelmina Lee"
    assert "Lee" not in repr(shown)


def test_examples_are_a_sample_that_no_order_changes() -> None:
    date = Span(30, 38, "DATE")
    documents = [one([date], [], [date], f"d{n:02}") for n in range(30)]
    kept = collect(documents, examples=4).examples
    assert [example.found.document for example in kept] == [
        example.found.document for example in collect(documents[::-1], examples=4).examples
    ]
    assert len(kept) == 4
    assert len({example.found.document for example in kept}) == 4
    assert collect(documents, examples=0).examples == ()
    assert len(collect(documents, examples=0).changes) == 30


def test_a_long_span_has_a_short_shape() -> None:
    text = "x" * 500
    gold = Document("a", text, (Span(0, 500, "OTHER"),))
    changes = collect([Aligned(gold, (gold.with_spans([]), gold))])
    assert len(changes.changes[0].shape) == 60


def test_the_record_is_json() -> None:
    date = Span(30, 38, "DATE")
    record = collect([one([date], [], [date])]).record()
    assert json.loads(json.dumps(record)) == record
    assert record["list"][0]["gold"] == {"start": 30, "end": 38, "label": "DATE"}


def test_a_change_needs_a_span() -> None:
    with pytest.raises(IndexError):
        _ = Change("a", "fixed", None, (), ()).start
