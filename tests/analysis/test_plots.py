"""Plots: well-formed SVG, every name and value in it, and nothing drawn outside."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from scrubjay.analysis.plots import (
    Curve,
    draw_bars,
    draw_curves,
    draw_heat_map,
    draw_interval_bars,
    draw_lines,
)

NAMES = st.text("abc<&> ", min_size=1, max_size=8)
VALUES = st.integers(-5_000_000, 5_000_000).map(lambda value: value / 1_000_000)


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


@settings(max_examples=40)
@given(
    st.dictionaries(
        NAMES, st.lists(st.floats(0, 1), min_size=3, max_size=3).map(sorted), min_size=1, max_size=5
    )
)
def test_interval_bars_are_well_formed_and_inside(shares: dict[str, list[float]]) -> None:
    bars = {name: (low, share, high) for name, (low, share, high) in shares.items()}
    root = etree.fromstring(draw_interval_bars("A < B", bars, x="recall"))
    found = [element.text or "" for element in root.iter("{*}text")]
    assert set(bars) <= set(found)
    shown = [f"{share:.4f} ({low:.3f}–{high:.3f})" for low, share, high in bars.values()]
    assert [text for text in found if "–" in text] == shown
    width = float(root.get("width"))
    for line in root.iter("{*}line"):
        assert 0 <= float(line.get("x1")) <= float(line.get("x2")) <= width
    bar_widths = [float(rect.get("width")) for rect in list(root.iter("{*}rect"))[1:]]
    assert bar_widths == pytest.approx([400 * share for _, share, _ in bars.values()], abs=0.06)


def test_an_interval_without_value_has_no_bar() -> None:
    root = etree.fromstring(draw_interval_bars("t", {"AGE": (0.0, None, 1.0)}, x="recall"))
    assert len(list(root.iter("{*}rect"))) == 1
    assert "- (0.000–1.000)" in [element.text for element in root.iter("{*}text")]


@settings(max_examples=40)
@given(st.data())
def test_heat_maps_show_every_number_but_zero(data: st.DataObject) -> None:
    rows = data.draw(st.lists(NAMES, min_size=1, max_size=4))
    columns = data.draw(st.lists(NAMES, min_size=1, max_size=4))
    row = st.lists(st.integers(0, 9), min_size=len(columns), max_size=len(columns))
    values = data.draw(st.lists(row, min_size=len(rows), max_size=len(rows)))
    root = etree.fromstring(draw_heat_map("A & B", rows, columns, values, x="gold", y="found"))
    found = [element.text or "" for element in root.iter("{*}text")]
    numbers = [text for text in found if text.isdigit()]
    assert numbers == [f"{value}" for line in values for value in line if value]
    assert sorted([*rows, *columns]) == sorted(set_aside(found, numbers))
    shaded = [float(r.get("fill-opacity")) for r in root.iter("{*}rect") if r.get("fill-opacity")]
    flat = [value for line in values for value in line if value]
    assert shaded == pytest.approx([value / max(flat) for value in flat], abs=0.001)


def set_aside(found: list[str], numbers: list[str]) -> list[str]:
    """Return the texts without numbers, the title and the names of the axes."""
    rest = list(found)
    for text in ["A & B", "gold", "found", *numbers]:
        rest.remove(text)
    return rest


def test_shades_may_be_other_than_values() -> None:
    svg = draw_heat_map("t", ["a"], ["b", "c"], [[10, 90]], shades=[[1.0, 0.25]])
    shaded = [r.get("fill-opacity") for r in etree.fromstring(svg).iter("{*}rect")]
    assert [shade for shade in shaded if shade] == ["1.000", "0.250"]


@pytest.mark.parametrize("bar", [(0.5, 0.4, 0.9), (-0.1, 0.4, 0.9), (0.1, 0.4, 1.1)])
def test_intervals_that_are_none_are_an_error(bar: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="interval"):
        draw_interval_bars("t", {"a": bar}, x="x")


def test_heat_maps_of_another_shape_are_an_error() -> None:
    with pytest.raises(ValueError, match="row of values"):
        draw_heat_map("t", ["a", "b"], ["c"], [[1]])
    with pytest.raises(ValueError, match="each column"):
        draw_heat_map("t", ["a"], ["c", "d"], [[1]])
    with pytest.raises(ValueError, match="bar"):
        draw_interval_bars("t", {}, x="x")


@pytest.mark.parametrize("value", [1.0, 0.0, -3.0])
def test_equal_values_have_an_axis_around_them(value: float) -> None:
    svg = draw_lines("t", {"a": [(value, value), (value, value)]}, x="x", y="y")
    ticks = [float(text) for text in texts(svg) if text.lstrip("-").replace(".", "").isdigit()]
    assert min(ticks) <= value <= max(ticks)
    assert max(ticks) - min(ticks) <= max(1.0, abs(value) / 5)


def test_curves_have_their_look_their_rings_and_their_names() -> None:
    curves = {
        "one": Curve([(1, 1), (2, 2)], ringed=[(2, 2)], names=["a & b", "c"]),
        "other": Curve([(1, 2), (10, 1)], colour=1, dash=1, names=["d", "e"], labels="right"),
        "nothing": Curve([], colour=2),
    }
    svg = draw_curves("t", curves, x="x", y="y", log_x=True)
    root = etree.fromstring(svg)
    assert [e.text for e in root.iter("{*}title")] == ["a & b", "c", "d", "e"]
    assert len([e for e in root.iter("{*}circle") if e.get("r") == "7"]) == 1
    assert {"one", "other", "nothing", "d", "e", "5"} <= set(texts(svg))
    assert not {"a & b", "c"} & set(texts(svg))
    dashed = [e.get("stroke-dasharray") for e in root.iter("{*}polyline")]
    assert dashed == [None, "7 4", None]


def test_the_legend_has_room_for_long_names() -> None:
    def width(name: str) -> int:
        return int(etree.fromstring(draw_lines("t", {name: [(1, 1)]}, x="x", y="y")).get("width"))

    assert width("short") == 640
    assert width("a name that is as long as that") > 640
