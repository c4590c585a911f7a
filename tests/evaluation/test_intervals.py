"""Intervals against sums of binomial terms, loops over draws, and known cases."""

from __future__ import annotations

import sys
from math import comb, fsum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError, InputError, MissingExtraError
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.intervals import (
    FIGURES,
    Interval,
    bootstrap_interval,
    bootstrap_sums,
    exact_interval,
    percentile_interval,
    upper_bound_when_none,
)

ROWS = [(3, 1, 2), (0, 0, 4), (5, 0, 0), (2, 2, 1), (0, 1, 0)]


def tail(share: float, trials: int, least: int, most: int) -> float:
    """The chance of `least` to `most` successes, term by term."""
    return fsum(
        comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(least, most + 1)
    )


@settings(max_examples=60)
@given(st.integers(1, 40), st.data(), st.sampled_from((0.8, 0.95, 0.99)))
def test_exact_bounds_leave_half_of_the_rest_on_each_side(
    trials: int, data: st.DataObject, confidence: float
) -> None:
    successes = data.draw(st.integers(0, trials))
    interval = exact_interval(successes, trials, confidence=confidence)
    rest = (1 - confidence) / 2
    assert successes / trials in interval
    if successes:
        assert tail(interval.low, trials, successes, trials) == pytest.approx(rest, rel=1e-6)
    else:
        assert interval.low == 0.0
    if successes < trials:
        assert tail(interval.high, trials, 0, successes) == pytest.approx(rest, rel=1e-6)
    else:
        assert interval.high == 1.0


def test_known_exact_intervals() -> None:
    # Clopper and Pearson 1934 as tabled everywhere: 0 of 10, 5 of 10.
    assert exact_interval(0, 10).high == pytest.approx(0.3084971, abs=1e-7)
    half = exact_interval(5, 10)
    assert (half.low, half.high) == pytest.approx((0.1870860, 0.8129140), abs=1e-7)
    assert exact_interval(0, 0) == Interval(0.0, 1.0)


@given(st.integers(1, 10**7))
def test_the_bound_of_nothing_seen_is_exact_and_near_the_rule_of_three(trials: int) -> None:
    bound = upper_bound_when_none(trials)
    assert (1 - bound) ** trials == pytest.approx(0.05, rel=1e-6)
    assert bound < 3 / trials
    if trials > 100:
        assert bound == pytest.approx(3 / trials, rel=0.02)


def test_the_bound_without_trials_is_one() -> None:
    assert upper_bound_when_none(0) == 1.0
    assert upper_bound_when_none(1, 0.9) == pytest.approx(0.9)


def test_the_bound_is_the_one_sided_exact_one() -> None:
    assert upper_bound_when_none(25, 0.95) == pytest.approx(
        exact_interval(0, 25, confidence=0.9).high
    )


@settings(max_examples=40)
@given(
    st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=8),
    st.sampled_from(tuple(FIGURES)),
    st.integers(0, 5),
)
def test_the_bootstrap_is_a_loop_over_draws(
    counts: list[tuple[int, int, int]], figure: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(counts), size=(50, len(counts)))
    values = []
    for line in drawn:
        whole = sum((Counts(*counts[document]) for document in line), Counts())
        value = getattr(whole, figure)
        if value is not None:
            values.append(value)
    found = bootstrap_interval(counts, figure, resamples=50, seed=seed)
    if values:
        assert found.low == pytest.approx(np.quantile(values, 0.025))
        assert found.high == pytest.approx(np.quantile(values, 0.975))
    else:
        assert found == Interval(0.0, 1.0)


def test_batches_of_draws_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bootstrap_sums(ROWS, resamples=40, seed=3)
    monkeypatch.setattr("scrubjay.evaluation.intervals._DRAWS", 15)
    assert np.array_equal(bootstrap_sums(ROWS, resamples=40, seed=3), whole)
    assert whole.shape == (40, 3)


def test_the_seed_decides_and_confidence_widens() -> None:
    one = bootstrap_interval(ROWS, seed=1)
    assert one == bootstrap_interval(ROWS, seed=1)
    wide = bootstrap_interval(ROWS, seed=1, confidence=0.99)
    assert wide.low <= one.low < one.high <= wide.high
    assert 2 * 10 / (2 * 10 + 4 + 7) in one


def test_a_figure_of_ones_own() -> None:
    leaks = [(1.0, 4.0), (0.0, 6.0), (2.0, 5.0)]
    share = bootstrap_interval(leaks, lambda sums: sums[..., 0] / sums[..., 1])
    assert 0.0 <= share.low <= 3 / 15 <= share.high <= 0.4


def test_the_bootstrap_agrees_with_the_exact_interval_of_independent_trials() -> None:
    rows = [(1, 0, 0)] * 80 + [(0, 0, 1)] * 20
    sampled, exact = bootstrap_interval(rows, "recall"), exact_interval(80, 100)
    assert (sampled.low, sampled.high) == pytest.approx((exact.low, exact.high), abs=0.02)


def test_values_without_any_known_give_what_is_unknown() -> None:
    assert percentile_interval(np.array([np.nan])) == Interval(0.0, 1.0)
    assert percentile_interval(np.array([np.nan, 0.5])) == Interval(0.5, 0.5)


def test_bad_input_is_refused() -> None:
    for confidence in (0.0, 1.0, 95.0, float("nan")):
        with pytest.raises(ConfigError, match="between 0 and 1"):
            exact_interval(1, 2, confidence=confidence)
        with pytest.raises(ConfigError, match="between 0 and 1"):
            upper_bound_when_none(3, confidence)
        with pytest.raises(ConfigError, match="between 0 and 1"):
            bootstrap_interval(ROWS, confidence=confidence, resamples=2)
    with pytest.raises(InputError, match="3 of 2 is no share"):
        exact_interval(3, 2)
    with pytest.raises(InputError, match="-1 is no number"):
        upper_bound_when_none(-1)
    with pytest.raises(ConfigError, match="unknown figure 'f2'"):
        bootstrap_interval(ROWS, "f2")
    with pytest.raises(ConfigError, match="at least one draw"):
        bootstrap_interval(ROWS, resamples=0)
    with pytest.raises(InputError, match="needs rows"):
        bootstrap_interval(np.zeros((0, 3)))


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(MissingExtraError, match=r"scrubjay\[report\]"):
        exact_interval(1, 2)
