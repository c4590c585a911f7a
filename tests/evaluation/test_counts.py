"""Counts, ratios, and means that need no list of values."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.evaluation.counts import Counts, Macro, Mean, Tally
from tests.oracles.scoring import close, macro_figures

small = st.integers(0, 6)


def test_an_undefined_ratio_is_none() -> None:
    assert Counts(0, 0, 0).precision is None
    assert Counts(0, 0, 0).recall is None
    assert Counts(0, 0, 0).f1 is None
    assert Counts(0, 0, 3).precision is None
    assert Counts(0, 2, 0).recall is None


def test_ratios() -> None:
    counts = Counts(tp=6, fp=2, fn=4)
    assert (counts.gold, counts.predicted) == (10, 8)
    assert counts.precision == 0.75
    assert counts.recall == 0.6
    assert counts.f1 == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6), abs=1e-15)
    assert Counts(0, 0, 3).f1 == 0.0


def test_counts_add_up() -> None:
    assert Counts(1, 2, 3) + Counts(10, 20, 30) == Counts(11, 22, 33)
    assert sum([Counts(1, 0, 0)] * 3, Counts()) == Counts(3, 0, 0)


@given(st.lists(st.floats(0, 1), max_size=30), st.integers(1, 40))
def test_the_running_mean_pads_with_zeros(values: list[float], extra: int) -> None:
    mean = Mean()
    for value in values:
        mean.add(value)
    padded = [*values, *[0.0] * extra]
    found, deviation = mean.padded(len(padded))
    assert math.isclose(found, statistics.fmean(padded), abs_tol=1e-13)
    assert math.isclose(deviation, statistics.pstdev(padded), abs_tol=1e-9)


@given(st.lists(st.tuples(small, small, small), min_size=1, max_size=20))
def test_macro_equals_the_plain_means_even_if_empty_documents_are_left_out(
    rows: list[tuple[int, int, int]],
) -> None:
    tally = Tally()
    for row in rows:
        if any(row):
            tally.add(*row)
    macro = tally.macro(len(rows))
    found = {name: getattr(macro, name) for name in Macro.__slots__}
    assert close(found, macro_figures(rows))
    assert tally.counts == sum((Counts(*row) for row in rows), Counts())


def test_no_document_has_no_mean() -> None:
    assert Tally().macro(0) == Macro(None, None, None, None, None)
