"""The page of an evaluation shows every figure of its tables, and intervals that are exact."""

from __future__ import annotations

from scrubjay.document import Document, Span
from scrubjay.evaluation.intervals import exact_interval
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.evaluation.tables import report_tables
from scrubjay.labels import find_label_set
from scrubjay.reports.blocks import Figure, Table, walk_blocks
from scrubjay.reports.evaluation import compose_evaluation, share_table
from scrubjay.reports.html import render_page
from tests.reports.pages import read_page

TEXT = "Wilhelmina Lee, 71, came on 3/4/2019 and on 4/4/2019"
GOLD = (
    Span(0, 14, "DOCTOR"),
    Span(16, 18, "AGE"),
    Span(28, 36, "DATE"),
    Span(44, 52, "DATE"),
)
FOUND = (Span(0, 14, "PATIENT"), Span(28, 36, "DATE"))


def one_pair() -> Pair:
    return Pair(Document("a", TEXT, GOLD), Document("a", TEXT, FOUND))


def test_every_figure_of_the_tables_is_in_the_page() -> None:
    for scorer, labels in (("i2b2", "i2b2-2014"), ("meddocan", None)):
        label_set = find_label_set(labels) if labels else None
        report = evaluate_pairs([one_pair()], scorer=scorer, label_set=label_set)  # type: ignore[arg-type]
        markup = render_page(compose_evaluation(report))
        cells = {cell for table in report_tables(report) for row in table.rows for cell in row}
        text = read_page(markup).text
        assert {cell for cell in cells if cell not in text} == set()
        assert "Wilhelmina" not in markup


def test_intervals_by_label_are_exact() -> None:
    report = evaluate_pairs([one_pair()], label_set=find_label_set("i2b2-2014"))
    blocks = list(walk_blocks(compose_evaluation(report).blocks))
    (table,) = [b for b in blocks if isinstance(b, Table) and b.title.startswith("Recall by")]
    ends = exact_interval(1, 2)
    assert ("DATE", "2", "1", "0.5000", f"{ends.low:.4f}", f"{ends.high:.4f}") in table.rows
    assert ("PATIENT", "0", "0", "-", "0.0000", "1.0000") in table.rows
    assert [b.title for b in blocks if isinstance(b, Figure)] == [
        "Recall by label",
        "Precision by label",
    ]


def test_facts_of_the_caller_come_first() -> None:
    page = compose_evaluation(evaluate_pairs([one_pair()]), facts=[("gold", "ward-3")])
    assert page.facts[:2] == (("gold", "ward-3"), ("scorer", "i2b2"))


def test_nothing_predicted_and_nothing_gold_is_a_page_too() -> None:
    empty = Document("a", "")
    for pairs in ([], [Pair(empty, empty)]):
        read_page(render_page(compose_evaluation(evaluate_pairs(pairs))))


def test_shares_without_trials_are_undefined() -> None:
    (row,) = share_table("t", ("label", "gold", "found"), [("AGE", 0, 0)]).rows
    assert row == ("AGE", "0", "0", "-", "0.0000", "1.0000")
