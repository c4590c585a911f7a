"""Comparisons of systems against plain counts, the scorers, and the tests they are made of."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, LabelError
from scrubjay.evaluation.aligned import Aligned
from scrubjay.evaluation.comparison import OVERALL, STRICT, TOKENS, SystemRows
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.i2b2 import I2b2Scorer
from scrubjay.evaluation.intervals import FIGURES, bootstrap_interval
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.per_label import PerLabelScorer
from scrubjay.evaluation.significance import compare_systems, correct_holm, strict_rows
from scrubjay.labels import find_label_set
from tests.evaluation.aligned_samples import SYSTEMS, aligned_documents
from tests.oracles.significance import difference_interval

FAST: dict[str, Any] = {"shuffles": 20, "resamples": 20}


def collect(documents: list[Aligned], systems: tuple[str, ...] = SYSTEMS[:2]) -> SystemRows:
    rows = SystemRows(systems)
    for document in documents:
        rows.add(document)
    return rows


def pairs_of(documents: list[Aligned], place: int) -> list[Pair]:
    return [Pair(one.gold, one.predicted[place]) for one in documents]


@settings(max_examples=40)
@given(aligned_documents(systems=3))
def test_counts_are_those_of_the_scorers(documents: list[Aligned]) -> None:
    comparison = collect(documents, SYSTEMS).compare(**FAST)
    for place, system in enumerate(SYSTEMS):
        scorer, per_label = I2b2Scorer(), PerLabelScorer()
        for pair in pairs_of(documents, place):
            scorer.add(pair)
            per_label.add(pair)
        official = scorer.scores()
        assert comparison.score(system, STRICT).counts == official["Strict"].counts
        assert comparison.score(system, TOKENS).counts == official["Binary Token"].counts
        expected = {row.label: row.counts for row in per_label.rows()}
        found = {label: comparison.score(system, label).counts for label in comparison.labels}
        assert {label: counts for label, counts in found.items() if counts != Counts()} == expected


@settings(max_examples=30)
@given(aligned_documents())
def test_overall_tests_and_intervals_are_those_of_their_functions(
    documents: list[Aligned],
) -> None:
    comparison = collect(documents).compare(shuffles=30, resamples=40, seed=2)
    first, second = (strict_rows(pairs_of(documents, place)) for place in range(2))
    test = compare_systems(first, second, shuffles=30, seed=2)
    for figure in FIGURES:
        found = comparison.test(("one", "two"), STRICT, figure)
        assert found.p == found.corrected == test[figure].p
        assert found.change == pytest.approx(-test[figure].difference)
        expected = bootstrap_interval(first, figure, resamples=40, seed=2)
        assert comparison.score("one", STRICT).scores[figure].interval == expected


def test_changes_have_the_interval_of_paired_draws() -> None:
    documents = [document("a", 3, 2, 1), document("b", 4, 1, 4), document("c", 2, 2, 2)]
    comparison = collect(documents).compare(resamples=200, shuffles=9, seed=1)
    first, second = (strict_rows(pairs_of(documents, place)) for place in range(2))
    expected = difference_interval(second, first, "recall", resamples=200, seed=1)
    assert comparison.test(("one", "two"), STRICT, "recall").interval == expected


def document(name: str, gold: int, *hits: int, label: str = "DATE") -> Aligned:
    """A document with so many gold spans, of which each system finds so many."""
    text = "12/1 " * max(gold, 1)
    spans = tuple(Span(5 * n, 5 * n + 4, label) for n in range(gold))
    body = Document(name, text, spans)
    return Aligned(body, tuple(body.with_spans(spans[:size]) for size in hits))


@settings(max_examples=100)
@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_is_the_step_down_procedure(values: list[float]) -> None:
    corrected = correct_holm(values)
    # Its definition: at a level, the smallest is rejected below level/n, the next below
    # level/(n-1), until one is not.
    for level in (0.01, 0.05, 0.3):
        rejected = set()
        for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
            if not values[place] * (len(values) - rank) <= level:
                break
            rejected.add(place)
        assert {n for n, p in enumerate(corrected) if p <= level} == rejected
    assert all(p <= q <= 1 for p, q in zip(values, corrected, strict=True))


def test_p_values_are_corrected_within_their_family() -> None:
    documents = [document(f"d{n}", 6, 5, 3, 1, label=("DATE", "AGE")[n % 2]) for n in range(20)]
    comparison = collect(documents, SYSTEMS).compare(shuffles=999)
    pairs = list(combinations(SYSTEMS, 2))
    assert comparison.labels == ("AGE", "DATE")
    assert len(comparison.tests) == len(pairs) * 4 * len(FIGURES)
    for scopes in ((STRICT,), (TOKENS,), comparison.labels):
        for figure in FIGURES:
            family = [comparison.test(p, scope, figure) for scope in scopes for p in pairs]
            expected = correct_holm([one.p for one in family])
            assert [one.corrected for one in family] == expected
    assert comparison.test(("one", "three"), "DATE", "recall").corrected > 1 / 1000


def test_a_system_that_is_better_everywhere_is_better_for_sure() -> None:
    documents = [document(f"d{n}", 4, 1, 4) for n in range(40)]
    comparison = collect(documents).compare(shuffles=999)
    test = comparison.test(("one", "two"), STRICT, "recall")
    assert test.change == 0.75
    assert test.interval.low == test.interval.high == 0.75
    assert test.p == 0.001
    assert comparison.score("two", STRICT).scores["f1"].value == 1.0
    assert comparison.score("two", "DATE").documents == 40


def test_undefined_ratios_stay_undefined() -> None:
    comparison = collect([document("a", 0, 0, 0), document("b", 2, 0, 1)]).compare(**FAST)
    nothing = comparison.score("one", STRICT).scores["precision"]
    assert nothing.value is None
    assert (nothing.interval.low, nothing.interval.high) == (0.0, 1.0)
    empty = collect([document("a", 0, 0, 0)]).compare(**FAST)
    assert empty.labels == ()
    assert empty.test(("one", "two"), STRICT).p == 1.0


def test_labels_count_in_the_spelling_and_order_of_the_set() -> None:
    known = find_label_set("i2b2-2014")
    text = "Lee 3/4"
    gold = Document("a", text, (Span(0, 3, "doctor"), Span(4, 7, "Date")))
    rows = SystemRows(SYSTEMS[:2], known)
    rows.add(Aligned(gold, (gold.with_spans([Span(4, 7, "DATE")]), gold)))
    comparison = rows.compare(**FAST)
    assert comparison.labels == ("DOCTOR", "DATE")
    assert comparison.label_set == "i2b2-2014"
    assert comparison.score("one", "DATE").counts == Counts(1, 0, 0)
    with pytest.raises(LabelError, match="no label 'WHO'"):
        rows.add(Aligned(gold, (gold, gold.with_spans([Span(0, 3, "WHO")]))))


def test_only_the_pairs_asked_for_are_tested() -> None:
    comparison = collect([document("a", 3, 1, 2, 3)], SYSTEMS).compare([("two", "one")], **FAST)
    assert {(one.first, one.second) for one in comparison.tests} == {("two", "one")}
    assert len(comparison.scores) == 3 * (len(OVERALL) + 1)
    with pytest.raises(KeyError):
        comparison.test(("one", "two"), STRICT)
    with pytest.raises(KeyError):
        comparison.score("four", STRICT)


def test_the_record_is_json_and_the_seed_decides() -> None:
    documents = [document(f"d{n}", 3, n % 3, (n + 1) % 3) for n in range(9)]
    record = collect(documents).compare(seed=5, **FAST).record()
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert record == collect(documents).compare(seed=5, **FAST).record()
    assert record != collect(documents).compare(seed=6, **FAST).record()
    assert Counter(one["scope"] for one in record["scores"])["all labels"] == 2


def test_bad_settings_and_no_documents_are_refused() -> None:
    with pytest.raises(InputError, match="no document"):
        SystemRows(SYSTEMS).compare()
    rows = collect([document("a", 1, 1, 0)])
    with pytest.raises(ConfigError, match="between 0 and 1"):
        rows.compare(confidence=95)
    with pytest.raises(ConfigError, match="one of shuffles"):
        rows.compare(shuffles=0)
    with pytest.raises(ConfigError, match="one of resamples"):
        rows.compare(resamples=0)
    with pytest.raises(ConfigError, match="a seed"):
        rows.compare(seed=-1)


def test_tables_of_many_documents_are_exact() -> None:
    rng = np.random.default_rng(0)
    sizes = rng.integers(0, 5, size=(60, 2))
    documents = [document(f"d{n}", 5, *map(int, pair)) for n, pair in enumerate(sizes)]
    found = collect(documents).compare(**FAST).score("two", STRICT)
    assert found.counts == Counts(int(sizes[:, 1].sum()), 0, int(300 - sizes[:, 1].sum()))
    assert found.documents == 60
