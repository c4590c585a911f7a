"""Counting what rules do on a corpus."""

from __future__ import annotations

from scrubjay.analysis.rules import by_gain, count_rules
from scrubjay.document import Document, Span
from scrubjay.learning.tbed import TbedLearner
from tests.corpus_samples import make_notes
from tests.taggers.test_tbed import make_detector
from tests.tiny_tbed import tiny_rules


def test_changes_are_counted_by_what_they_do_to_tags() -> None:
    detector = make_detector(
        "O -> B-STATE if word=Ohio",
        "B-STATE -> O if previous.word=the",
        "B-STATE -> B-DATE if previous.word=on",
        "O -> I-DOCTOR if word=never",
    )
    text = "in Ohio, the Ohio, on Ohio, Ohio"
    documents = [
        Document("a", text, (Span(3, 7, "STATE"), Span(13, 17, "STATE"), Span(28, 32, "AGE"))),
        Document("b", "Ohio"),
        Document("c", ""),
    ]
    counts = count_rules(detector, documents)
    assert [(c.number, c.fired, c.fixed, c.broken, c.gain) for c in counts] == [
        (1, 5, 2, 3, -1),
        (2, 1, 0, 1, -1),
        (3, 1, 0, 0, 0),
        (4, 0, 0, 0, 0),
    ]
    assert [count.number for count in by_gain(counts)] == [3, 4, 1, 2]
    assert [str(count.rule) for count in counts][3] == "O -> I-DOCTOR if word=never"


def test_counts_on_the_training_data_are_the_scores_of_learning() -> None:
    notes = make_notes(70, seed=1)
    detector = TbedLearner(tiny_rules(), language="en").fit(notes)
    for count in count_rules(detector, iter(notes)):
        assert (count.gain, count.fixed, count.broken) == (
            count.rule.score,
            count.rule.fixed,
            count.rule.broken,
        )


def test_no_rules_have_no_counts() -> None:
    assert count_rules(make_detector().with_rules(()), [Document("a", "b")]) == ()
    assert [count.fired for count in count_rules(make_detector(), [])] == [0] * 5
