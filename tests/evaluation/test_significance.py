"""Approximate randomization against the exact test, and its known cases."""

from __future__ import annotations

import time
from math import sqrt
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation import significance
from scrubjay.evaluation.i2b2 import I2b2Scorer
from scrubjay.evaluation.intervals import FIGURES
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.significance import compare_systems, count_strict, strict_rows
from tests.oracles.significance import exact_shares, figures

Row = tuple[int, int, int]


@st.composite
def two_systems(draw: st.DrawFn) -> tuple[list[Row], list[Row]]:
    """Counts of two systems on up to six documents, with one gold for both."""
    first: list[Row] = []
    second: list[Row] = []
    for _ in range(draw(st.integers(1, 6))):
        gold = draw(st.integers(0, 5))
        for rows in (first, second):
            tp = draw(st.integers(0, gold))
            rows.append((tp, draw(st.integers(0, 4)), gold - tp))
    return first, second


def rows(counts: list[Row]) -> np.ndarray:
    return np.array(counts, dtype=float)


@pytest.mark.parametrize("many", [0, 1_000], ids=["groups", "coins"])
@settings(max_examples=25)
@given(two_systems())
def test_p_is_that_of_the_exact_test(many: int, systems: tuple[list[Row], list[Row]]) -> None:
    first, second = systems
    shuffles = 2_000
    with patch.object(significance, "_MANY", many):
        comparison = compare_systems(rows(first), rows(second), shuffles=shuffles, seed=1)
    for difference, exact, a, b in zip(
        comparison.differences,
        exact_shares(first, second),
        figures(first),
        figures(second),
        strict=True,
    ):
        assert difference.first == pytest.approx(float(a))
        assert difference.second == pytest.approx(float(b))
        share = float(exact)
        # Five standard errors of the sampled share, and the one that is added to it.
        margin = 5 * sqrt(share * (1 - share) / shuffles) + 1 / shuffles
        assert difference.p == pytest.approx(share, abs=margin)


@settings(max_examples=30)
@given(two_systems(), st.integers(0, 3))
def test_the_test_is_symmetric_and_the_seed_decides(
    systems: tuple[list[Row], list[Row]], seed: int
) -> None:
    first, second = map(rows, systems)
    one = compare_systems(first, second, shuffles=200, seed=seed)
    other = compare_systems(second, first, shuffles=200, seed=seed)
    assert one == compare_systems(first, second, shuffles=200, seed=seed)
    for figure in FIGURES:
        assert one[figure].p == other[figure].p
        assert one[figure].difference == pytest.approx(-other[figure].difference)


def test_equal_systems_never_differ() -> None:
    counts = rows([(3, 1, 2), (0, 0, 0), (5, 0, 0)])
    comparison = compare_systems(counts, counts)
    assert [(d.p, d.difference) for d in comparison.differences] == [(1.0, 0.0)] * 3
    assert comparison.documents == 3


def test_a_system_that_wins_everywhere_has_the_smallest_p() -> None:
    right = rows([(4, 0, 0)] * 30)
    wrong = rows([(0, 4, 4)] * 30)
    comparison = compare_systems(right, wrong)
    assert comparison["f1"].difference == 1.0
    assert all(difference.p == 1 / 10_000 for difference in comparison.differences)


def test_one_document_tells_nothing() -> None:
    comparison = compare_systems(rows([(4, 0, 0)]), rows([(0, 4, 4)]), shuffles=99)
    assert comparison["f1"].p == 1.0


def test_nothing_predicted_counts_as_no_precision() -> None:
    comparison = compare_systems(rows([(0, 0, 2)]), rows([(2, 0, 0)]), shuffles=9)
    assert comparison["precision"].first == 0.0
    assert comparison["recall"].difference == -1.0


def test_rows_that_do_not_pair_are_refused() -> None:
    with pytest.raises(InputError, match="1 and 2 documents"):
        compare_systems(rows([(1, 0, 0)]), rows([(1, 0, 0), (0, 0, 1)]))
    with pytest.raises(InputError, match=r"document 1 .* different numbers of gold spans"):
        compare_systems(rows([(1, 0, 0), (1, 0, 0)]), rows([(1, 0, 0), (1, 0, 3)]))
    with pytest.raises(InputError, match="rows of tp, fp and fn"):
        compare_systems(np.zeros((0, 3)), np.zeros((0, 3)))
    with pytest.raises(ConfigError, match="at least one shuffle"):
        compare_systems(rows([(1, 0, 0)]), rows([(1, 0, 0)]), shuffles=0)


def test_strict_rows_are_the_counts_of_the_scorer() -> None:
    text = "x" * 40
    gold = [Span(0, 4, "DATE"), Span(6, 9, "PATIENT"), Span(12, 14, "AGE")]
    found = [Span(0, 4, "date"), Span(6, 9, "DOCTOR"), Span(20, 22, "AGE")]
    pairs = [
        Pair(Document("a", text, tuple(gold)), Document("a", text, tuple(found))),
        Pair(Document("b", text), Document("b", text)),
    ]
    scorer = I2b2Scorer()
    for pair in pairs:
        scorer.add(pair)
    strict = scorer.scores()["Strict"].counts
    assert strict_rows(pairs).tolist() == [[1, 2, 2], [0, 0, 0]]
    assert count_strict(pairs[0]) == strict


def test_equal_documents_in_groups_of_any_size_swap_alike() -> None:
    # 40 equal documents: the number that swap is binomial, however they are thrown.
    first, second = rows([(3, 0, 1)] * 40), rows([(2, 1, 2)] * 20 + [(4, 0, 0)] * 20)
    found = []
    for many in (0, 1_000):
        with patch.object(significance, "_MANY", many):
            found.append(compare_systems(first, second, shuffles=9_999, seed=3))
    for figure in FIGURES:
        one, other = (comparison[figure].p for comparison in found)
        assert one == pytest.approx(other, abs=0.03)


def test_many_documents_take_well_under_a_second() -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(1, 40, 250)
    systems = []
    for _ in range(2):
        tp = rng.integers(0, gold + 1)
        systems.append(np.stack([tp, rng.integers(0, 5, 250), gold - tp], axis=1).astype(float))
    began = time.process_time()
    comparison = compare_systems(systems[0], systems[1])
    assert time.process_time() - began < 2.0  # the time is 0.1 s; the machine may be busy
    assert comparison.shuffles == 9_999
