"""The table of strict figures by label."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.i2b2 import I2b2Scorer
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.per_label import PerLabelScorer
from scrubjay.labels import find_label_set
from tests.evaluation.samples import pairs

I2B2 = find_label_set("i2b2-2014")


def test_rows_follow_the_label_set_and_close_each_category() -> None:
    scorer = PerLabelScorer(I2B2)
    gold = (Span(0, 1, "DATE"), Span(2, 3, "DOCTOR"), Span(4, 5, "PATIENT"))
    predicted = (Span(0, 1, "DATE"), Span(2, 3, "Doctor"), Span(4, 5, "DOCTOR"))
    scorer.add(Pair(Document("d", "a b c", gold), Document("d", "a b c", predicted)))
    rows = [(row.category, row.label, row.counts) for row in scorer.rows()]
    assert rows == [
        ("NAME", "PATIENT", Counts(0, 0, 1)),
        ("NAME", "DOCTOR", Counts(1, 1, 0)),
        ("NAME", None, Counts(1, 1, 1)),
        ("DATE", "DATE", Counts(1, 0, 0)),
    ]


def test_without_a_label_set_rows_are_sorted_by_label() -> None:
    scorer = PerLabelScorer()
    gold = (Span(0, 1, "ZED"), Span(2, 3, "ALPHA"))
    scorer.add(Pair(Document("d", "a b", gold), Document("d", "a b")))
    assert [row.label for row in scorer.rows()] == ["ALPHA", "ZED"]


@given(st.lists(pairs(), max_size=3))
def test_labels_add_up_to_the_strict_evaluation(drawn: list[Pair]) -> None:
    per_label, whole = PerLabelScorer(I2B2), I2b2Scorer(I2B2)
    for pair in drawn:
        per_label.add(pair)
        whole.add(pair)
    rows = per_label.rows()
    labelled = [row.counts for row in rows if row.label is not None]
    assert sum(labelled, Counts()) == whole.scores()["Strict"].counts
    for category in {row.category for row in rows}:
        inside = [row.counts for row in rows if row.category == category and row.label]
        assert sum(inside, Counts()) == whole.scores()[f"{category} Strict"].counts
