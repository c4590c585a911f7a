"""Items and matches of each mode."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.evaluation.matching import (
    _match_many_ends,
    match_exact,
    match_relaxed,
    merged_borders,
    span_items,
    token_items,
    without_labels,
)
from scrubjay.evaluation.pairs import Pair
from tests.evaluation.samples import pairs
from tests.oracles.scoring import join, relaxed_by_sets

labels = st.sampled_from("AB")


def test_tokens_are_runs_of_ascii_letters_and_digits() -> None:
    document = Document("d", "Muñoz-3a, x", (Span(0, 9, "PATIENT"),))
    assert token_items(document, str) == {
        ("PATIENT", 0, 2),
        ("PATIENT", 3, 5),
        ("PATIENT", 6, 8),
    }


def test_a_span_inside_a_word_yields_what_it_covers() -> None:
    document = Document("d", "x19Kovacs", (Span(3, 9, "DOCTOR"),))
    assert token_items(document, str) == {("DOCTOR", 3, 9)}


def test_duplicates_count_once() -> None:
    spans = [Span(0, 2, "AGE", score=0.1), Span(0, 2, "AGE"), Span(0, 2, "DATE")]
    assert span_items(spans, str) == {("AGE", 0, 2), ("DATE", 0, 2)}


def test_without_labels_keeps_only_the_named() -> None:
    items = {("AGE", 0, 2), ("DATE", 0, 2), ("CITY", 3, 4)}
    assert without_labels(items) == {("PHI", 0, 2), ("PHI", 3, 4)}
    assert without_labels(items, frozenset({"CITY"})) == {("PHI", 3, 4)}


def test_exact_matches_are_counted_by_label() -> None:
    gold = {("AGE", 0, 2), ("DATE", 5, 9)}
    predicted = {("AGE", 0, 2), ("AGE", 5, 9)}
    assert match_exact(gold, predicted) == {"AGE": [1, 1, 0], "DATE": [0, 0, 1]}


def test_relaxed_forgives_two_characters_at_the_end_and_none_at_the_start() -> None:
    gold = {("AGE", 5, 9)}
    assert match_relaxed(gold, {("AGE", 5, 11)}) == {"AGE": [1, 0, 0]}
    assert match_relaxed(gold, {("AGE", 5, 12)}) == {"AGE": [0, 1, 1]}
    assert match_relaxed(gold, {("AGE", 4, 9)}) == {"AGE": [0, 1, 1]}
    assert match_relaxed(gold, {("DATE", 5, 9)}) == {"AGE": [0, 0, 1], "DATE": [0, 1, 0]}


items = st.dictionaries(st.tuples(labels, st.integers(0, 3)), st.integers(4, 12), max_size=6).map(
    lambda ends: {(label, start, end) for (label, start), end in ends.items()}
)


@given(items, items)
@example({("A", 0, 5)}, {("A", 0, 7)})
def test_relaxed_equals_sets_of_fuzzy_members(
    gold: set[tuple[str, int, int]], predicted: set[tuple[str, int, int]]
) -> None:
    found = match_relaxed(gold, predicted)
    total = tuple(sum(row[column] for row in found.values()) for column in range(3))
    assert total == relaxed_by_sets(
        [("", *item) for item in gold], [("", *item) for item in predicted]
    )


@given(pairs(disjoint=True))
def test_merging_equals_joining_again_and_again(pair: Pair) -> None:
    document = pair.gold
    borders = {(span.start, span.end) for span in document.spans}
    assert merged_borders(document.spans, document.text) == join(borders, document.text)


def test_merging_stops_at_letters_and_digits_alone() -> None:
    text = "Ana, Paz - 3/4 y 5_6"
    spans = [
        Span(0, 3, "N"),
        Span(5, 8, "N"),
        Span(11, 14, "D"),
        Span(17, 18, "D"),
        Span(19, 20, "D"),
    ]
    assert merged_borders(spans, text) == {(0, 14), (17, 20)}


@given(pairs())
def test_one_end_for_each_start_is_matched_as_many_are(pair: Pair) -> None:
    # A short cut and the plain way, on the items that the short cut is for.
    ends = [
        {(item[0], item[1]): item for item in span_items(document.spans, str)}
        for document in (pair.gold, pair.predicted)
    ]
    gold, predicted = (set(items.values()) for items in ends)
    assert match_relaxed(gold, predicted) == _match_many_ends(gold, predicted)
