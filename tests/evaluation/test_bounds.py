"""Shares with bounds and sample sizes, against sums over every outcome."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.bounds import (
    chance_of_at_most,
    measure_design_effect,
    most_in_population,
    sample_sizes,
    share_of,
    trials_needed,
)


def plain_chance(allowed: int, trials: int, rate: Fraction) -> Fraction:
    """Return the chance of at most so many events, term by term in whole numbers."""
    terms = (
        math.comb(trials, events) * rate**events * (1 - rate) ** (trials - events)
        for events in range(min(allowed, trials) + 1)
    )
    return sum(terms, Fraction(0))


def plain_sample(population: int, kind: int, sampled: int, seen: int) -> Fraction:
    """Return the chance of at most `seen` of a kind in a sample, counting every sample."""
    ways = sum(
        math.comb(kind, taken) * math.comb(population - kind, sampled - taken)
        for taken in range(min(seen, sampled) + 1)
        if taken <= kind and sampled - taken <= population - kind
    )
    return Fraction(ways, math.comb(population, sampled))


@given(st.integers(0, 12), st.integers(0, 40), st.integers(0, 20))
def test_chances_are_sums_of_terms(allowed: int, trials: int, twentieths: int) -> None:
    rate = Fraction(twentieths, 20)
    wanted = plain_chance(allowed, trials, rate)
    assert chance_of_at_most(allowed, trials, float(rate)) == pytest.approx(float(wanted))


@pytest.mark.parametrize(
    ("claim", "allowed", "wanted"),
    [(0.99, 0, 299), (0.99, 1, 473), (0.99, 2, 628), (0.95, 0, 59), (0.95, 1, 93), (0.9, 0, 29)],
)
def test_sample_sizes_that_are_in_every_table(claim: float, allowed: int, wanted: int) -> None:
    assert trials_needed(claim, allowed=allowed) == wanted


@settings(max_examples=30)
@given(st.integers(50, 92), st.integers(0, 2), st.sampled_from((0.8, 0.9, 0.95)))
def test_sample_sizes_are_the_first_that_back_the_claim(
    percent: int, allowed: int, confidence: float
) -> None:
    rate, limit = 1 - Fraction(percent, 100), 1 - Fraction(str(confidence))
    wanted = next(
        trials
        for trials in range(allowed + 1, 10_000)
        if plain_chance(allowed, trials, rate) <= limit
    )
    assert trials_needed(percent / 100, allowed=allowed, confidence=confidence) == wanted


@settings(max_examples=40)
@given(st.integers(50, 99), st.integers(0, 5))
def test_a_sample_of_that_size_has_the_bound_that_is_claimed(percent: int, allowed: int) -> None:
    claim = percent / 100
    trials = trials_needed(claim, allowed=allowed)
    assert 1.0 - share_of(allowed, trials).upper >= claim - 1e-9
    if trials > allowed + 1:
        assert 1.0 - share_of(allowed, trials - 1).upper < claim + 1e-9


@given(st.data())
def test_bounds_of_finite_populations_are_those_of_counting(data: st.DataObject) -> None:
    population = data.draw(st.integers(0, 30))
    sampled = data.draw(st.integers(0, population))
    seen = data.draw(st.integers(0, sampled))
    possible = range(seen, population - (sampled - seen) + 1)
    likely = [
        kind
        for kind in possible
        if plain_sample(population, kind, sampled, seen) > Fraction(5, 100) or kind == seen
    ]
    assert most_in_population(population, sampled, seen) == max(likely)


def test_a_chance_that_equals_the_limit_is_too_small() -> None:
    assert plain_sample(25, 19, 2, 0) == Fraction(5, 100)
    assert most_in_population(25, 2, 0) == 18


def test_a_share_has_an_interval_and_bounds() -> None:
    none = share_of(0, 300)
    assert none.value == 0.0
    assert none.upper == pytest.approx(1 - 0.05 ** (1 / 300))
    assert none.interval.high == pytest.approx(1 - 0.025 ** (1 / 300))
    assert none.rule_of_three == 0.01
    assert share_of(0, 300, confidence=0.99).rule_of_three == pytest.approx(math.log(100) / 300)
    some = share_of(3, 10)
    assert some.rule_of_three is None
    assert some.interval.low < some.lower < 0.3 < some.upper < some.interval.high
    nothing = share_of(0, 0)
    assert (nothing.value, nothing.lower, nothing.upper) == (None, 0.0, 1.0)
    assert nothing.record()["share"] is None
    assert nothing.rule_of_three is None
    assert share_of(0, 2).rule_of_three == 1.0


def test_sizes_by_document_follow_density_and_design_effect() -> None:
    plain = sample_sizes(0.99)
    assert [(size.mentions, size.documents) for size in plain[:2]] == [(299, None), (473, None)]
    dense = sample_sizes(0.99, mentions_per_document=20, design_effect=2.0)[0]
    assert (dense.mentions, dense.documents, dense.clean_documents) == (598, 30, 299)
    expected = sample_sizes(0.99, expected_recall=0.999)[1]
    assert expected.chance == pytest.approx(0.999**473 + 473 * 0.001 * 0.999**472)
    assert expected.record()["allowed_misses"] == 1


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), min_size=2, max_size=12))
def test_single_mentions_have_next_to_no_design_effect(rows: list[tuple[int, int]]) -> None:
    single = [(1, min(1, events)) for _, events in rows]
    found = measure_design_effect(single)
    events = sum(event for _, event in single)
    if not 0 < events < len(single):
        assert found is None
    else:
        assert found == pytest.approx(len(single) / (len(single) - 1))


def test_whole_documents_that_leak_widen_the_variance() -> None:
    assert measure_design_effect([(10, 10), (10, 0)] * 20) == pytest.approx(10 * 40 / 39)
    assert measure_design_effect([(10, 5), (10, 5)]) == pytest.approx(0.0)
    assert measure_design_effect([(3, 1)]) is None
    assert measure_design_effect([(0, 0), (4, 1)]) is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"claim": 1.0}, "no sample can show"),
        ({"claim": 0.0}, "no sample can show"),
        ({"claim": 0.99, "confidence": 0.4}, "backs no claim"),
        ({"claim": 0.99, "confidence": 1.0}, "between 0 and 1"),
        ({"claim": 0.99, "design_effect": 0.5}, "1 or more"),
        ({"claim": 0.99, "design_effect": math.nan}, "1 or more"),
        ({"claim": 0.99, "mentions_per_document": 0.0}, "no sample size"),
        ({"claim": 0.99, "expected_recall": 1.5}, "between 0 and 1"),
        ({"claim": 1 - 1e-15}, "practical size"),
    ],
)
def test_settings_out_of_range_are_errors(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        sample_sizes(**settings)  # type: ignore[arg-type]


def test_misses_are_not_below_none() -> None:
    with pytest.raises(ConfigError, match="cannot be allowed"):
        trials_needed(0.99, allowed=-1)


def test_counts_that_are_no_sample_are_errors() -> None:
    with pytest.raises(InputError, match="is no sample"):
        most_in_population(10, 11, 0)
    with pytest.raises(InputError, match="is no share"):
        share_of(3, 2)
