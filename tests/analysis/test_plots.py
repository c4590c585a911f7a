"""Plots: well-formed SVG, every name and value in it, and nothing drawn outside."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from scrubjay.analysis.plots import draw_bars, draw_lines

NAMES = st.text("abc<&> ", min_size=1, max_size=8)
VALUES = st.floats(-5, 5, allow_nan=False)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in etree.fromstring(svg).iter("{*}text")]


@settings(max_examples=40)
@given(
    st.dictionaries(NAMES, st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=4), min_size=1)
)
def test_lines_are_well_formed_and_inside(lines: dict[str, list[tuple[float, float]]]) -> None:
    svg = draw_lines("A & B", lines, x="x", y="y")
    root = etree.fromstring(svg)
    assert set(lines) <= set(texts(svg))
    for line in root.iter("{*}polyline"):
        for place in line.get("points").split():
            x, y = map(float, place.split(","))
            assert 70 - 0.1 <= x <= 490.1
            assert 40 - 0.1 <= y <= 350.1


@settings(max_examples=40)
@given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=5))
def test_bars_are_well_formed_and_inside(bars: dict[str, float]) -> None:
    svg = draw_bars("A < B", bars, x="F1", spreads=dict.fromkeys(bars, 0.1))
    found = texts(svg)
    assert set(bars) <= set(found)
    assert {f"{value:.4f}" for value in bars.values()} <= set(found)
    for bar in list(etree.fromstring(svg).iter("{*}rect"))[1:]:
        assert float(bar.get("x")) >= 219.9
        assert float(bar.get("x")) + float(bar.get("width")) <= 560.1


def test_close_bars_are_told_apart() -> None:
    svg = draw_bars("F1", {"one": 0.961, "other": 0.968}, x="F1")
    widths = [float(r.get("width")) for r in list(etree.fromstring(svg).iter("{*}rect"))[1:]]
    assert widths[1] > 1.3 * widths[0]


def test_logarithmic_lines_have_powers_as_ticks() -> None:
    svg = draw_lines("t", {"a": [(1.0, 0.1), (1000.0, 10.0)]}, x="x", y="y", logarithmic=True)
    assert {"1", "10", "100", "1000"} <= set(texts(svg))


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(ValueError, match="point"):
        draw_lines("t", {"a": []}, x="x", y="y")
    with pytest.raises(ValueError, match="bar"):
        draw_bars("t", {}, x="x")
