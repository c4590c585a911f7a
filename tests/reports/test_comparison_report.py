"""The page of a comparison: its sections, tables and examples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from scrubjay.analysis.changes import ChangeCollector
from scrubjay.document import Document, Span
from scrubjay.evaluation.aligned import Aligned
from scrubjay.evaluation.comparison import SystemRows
from scrubjay.reports.blocks import Examples, Figure, Page, Section, Table, walk_blocks
from scrubjay.reports.comparison import comparison_tables, compose_comparison
from tests.evaluation.aligned_samples import SYSTEMS, aligned_documents


def compose(
    documents: list[Aligned], *, context: int | None = None, systems: tuple[str, ...] = SYSTEMS[:2]
) -> tuple[Page, tuple[Table, ...]]:
    pairs = [(systems[0], other) for other in systems[1:]]
    rows, collector = SystemRows(systems), ChangeCollector(systems, pairs, context=context)
    for document in documents:
        rows.add(document)
        collector.add(document)
    comparison = rows.compare(pairs, shuffles=19, resamples=20)
    changes = collector.changes()
    page = compose_comparison(comparison, changes, facts=[("gold", "g")])
    return page, comparison_tables(comparison, changes, every_change=True)


def test_systems_that_the_head_names_are_not_listed_again() -> None:
    rows = SystemRows(SYSTEMS[:2])
    rows.add(sample()[0])
    comparison = rows.compare([(SYSTEMS[0], SYSTEMS[1])], shuffles=19, resamples=20)
    named = [(f"system {name}", "a.jsonl") for name in SYSTEMS[:2]]
    assert "systems" not in dict(compose_comparison(comparison, [], facts=named).facts)
    assert "systems" in dict(compose_comparison(comparison, [], facts=named[:1]).facts)


@settings(max_examples=25)
@given(aligned_documents(systems=3, most=3))
def test_any_comparison_can_be_shown(documents: list[Aligned]) -> None:
    page, tables = compose(documents, systems=SYSTEMS)
    shown = {block.title for block in walk_blocks(page.blocks) if isinstance(block, Table)}
    assert {"Systems", "Differences", "Spans that changed"} <= shown
    assert all(table.rows for table in tables)
    assert not page.shows_text


def sample() -> list[Aligned]:
    text = "Seen by Dr. Wilhelmina Lee on 3/4/2019"
    name, date = Span(12, 26, "DOCTOR"), Span(30, 38, "DATE")
    gold = Document("a", text, (name, date))
    return [Aligned(gold, (gold.with_spans([date]), gold))]


def test_the_page_has_its_sections_facts_and_figures() -> None:
    page, _ = compose(sample())
    assert [block.title for block in page.blocks if isinstance(block, Section)] == [
        "Systems",
        "Differences",
        "By label",
        "What changed",
        "Examples, one to two",
    ]
    assert page.facts[:2] == (("gold", "g"), ("systems", "one, two"))
    assert ("documents", "1") in page.facts
    figures = [block.title for block in walk_blocks(page.blocks) if isinstance(block, Figure)]
    assert figures == [
        "Strict F1 and binary token recall",
        "Strict F1 by label",
        "Strict recall by label",
    ]


@pytest.mark.parametrize("context", [None, 10])
def test_examples_say_what_both_systems_had(context: int | None) -> None:
    page, tables = compose(sample(), context=context)
    found = [block for block in walk_blocks(page.blocks) if isinstance(block, Examples)]
    example = found[0].examples[0]
    assert (example.document, example.start, example.end) == ("a", 12, 26)
    assert (example.kind, example.gold_label) == ("fixed", "DOCTOR")
    assert example.predicted_label == "nothing → DOCTOR 12-26"
    assert page.shows_text == example.shows_text == (context is not None)
    assert tables[-1].rows == (
        ("a", "fixed", "DOCTOR", "nothing", "DOCTOR 12-26", "Aaaaaaaaaa Aaa", "12", "26"),
    )


def test_without_phi_there_is_no_section_of_labels() -> None:
    plain = Document("a", "no name here")
    page, _ = compose([Aligned(plain, (plain, plain))])
    assert "By label" not in {block.title for block in page.blocks if isinstance(block, Section)}
