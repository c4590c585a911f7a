"""Small plots as SVG text, without any plotting package: lines over numbers, and bars by name."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from html import escape

Point = tuple[float, float]

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 640, 400, 70, 50, 40, 150
_COLOURS = ("#1b6ca8", "#c8553d", "#2d936c", "#7d5ba6", "#b8860b", "#555555")
_BAR, _GAP, _NAMES = 18, 8, 220


def draw_lines(
    title: str,
    lines: Mapping[str, Sequence[Point]],
    *,
    x: str,
    y: str,
    logarithmic: bool = False,
) -> str:
    """Return a plot with one line for each name; with `logarithmic` both axes are.

    Lines without points are left out of the drawing. Raises `ValueError` where no line has one.
    """
    points = [point for line in lines.values() for point in line]
    if not points:
        raise ValueError("a plot needs at least one point")
    scale_x = _Scale([point[0] for point in points], _LEFT, _WIDTH - _RIGHT, logarithmic)
    scale_y = _Scale([point[1] for point in points], _HEIGHT - _BOTTOM, _TOP, logarithmic)
    parts = [
        *_head(_WIDTH, _HEIGHT, title),
        _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 10, x, anchor="middle"),
        _text(12, _TOP - 6, y),
    ]
    for value in scale_x.ticks():
        place = scale_x(value)
        parts.append(_rule(place, _TOP, place, _HEIGHT - _BOTTOM))
        parts.append(_text(place, _HEIGHT - _BOTTOM + 16, f"{value:g}", anchor="middle"))
    for value in scale_y.ticks():
        place = scale_y(value)
        parts.append(_rule(_LEFT, place, _WIDTH - _RIGHT, place))
        parts.append(_text(_LEFT - 6, place + 4, f"{value:g}", anchor="end"))
    for number, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(scale_x(px), scale_y(py)) for px, py in line]
        parts += _line(places, colour, dots=len(places) <= 20)
        parts.append(_text(_WIDTH - _RIGHT + 10, _TOP + 16 * number + 12, name, colour=colour))
    return _close(parts)


def _line(places: Sequence[Point], colour: str, *, dots: bool) -> list[str]:
    path = " ".join(f"{px:.1f},{py:.1f}" for px, py in places)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
    if dots:
        parts += [
            f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}"/>' for px, py in places
        ]
    return parts


def draw_bars(
    title: str,
    bars: Mapping[str, float],
    *,
    x: str,
    spreads: Mapping[str, float] | None = None,
) -> str:
    """Return horizontal bars, one for each name from the top down, each with its value.

    The axis begins at 0 unless all values lie close together, then at a round value below them;
    `spreads` are drawn as a line of that length to both sides. Raises `ValueError` without bars.
    """
    if not bars:
        raise ValueError("a plot needs at least one bar")
    spreads = spreads or {}
    bottom = _TOP + len(bars) * (_BAR + _GAP)
    scale = _Scale([_floor(bars.values()), max(*bars.values(), 0.0)], _NAMES, _WIDTH - 80, False)
    parts = _head(_WIDTH, bottom + _BOTTOM, title)
    for value in scale.ticks():
        parts.append(_rule(scale(value), _TOP, scale(value), bottom))
        parts.append(_text(scale(value), bottom + 16, f"{value:g}", anchor="middle"))
    parts.append(_text((_NAMES + _WIDTH - 80) / 2, bottom + 36, x, anchor="middle"))
    for number, (name, value) in enumerate(bars.items()):
        top = _TOP + number * (_BAR + _GAP) + _GAP / 2
        begin, end = sorted((scale(max(0.0, scale.low)), scale(value)))
        parts.append(
            f'<rect x="{begin:.1f}" y="{top:.1f}" width="{end - begin:.1f}" height="{_BAR}" '
            f'fill="{_COLOURS[0]}"/>'
        )
        half = (scale(value + spreads.get(name, 0.0)) - scale(value)) if name in spreads else 0.0
        if half > 0:
            middle = top + _BAR / 2
            parts.append(_rule(end - half, middle, end + half, middle, colour="#222"))
        parts.append(_text(_NAMES - 8, top + 13, name, anchor="end"))
        parts.append(_text(end + half + 6, top + 13, f"{value:.4f}"))
    return _close(parts)


def _floor(values: Collection[float]) -> float:
    """Return where the axis of bars begins: below the least value by half of the range, or 0."""
    low, high = min(values), max(values)
    if low <= 0:
        return float(low)
    if high - low > low / 2:
        return 0.0
    step = 10.0 ** math.floor(math.log10(max(high - low, high / 100)))
    return max(0.0, math.floor((low - (high - low) / 2) / step) * step)


def _head(width: float, height: float, title: str) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="12" y="20" font-size="14">{escape(title)}</text>',
    ]


def _close(parts: Sequence[str]) -> str:
    return "\n".join([*parts, "</svg>"]) + "\n"


def _text(x: float, y: float, text: str, *, anchor: str = "start", colour: str = "#222") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"


def _rule(x1: float, y1: float, x2: float, y2: float, *, colour: str = "#ddd") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


class _Scale:
    """Values to pixels, with round ticks."""

    def __init__(
        self, values: Sequence[float], begin: float, end: float, logarithmic: bool
    ) -> None:
        self._log = logarithmic
        self.low, self._high = min(map(self._inner, values)), max(map(self._inner, values))
        if self.low == self._high:
            self._high += 1.0
        self._begin, self._end = begin, end

    def __call__(self, value: float) -> float:
        share = (self._inner(value) - self.low) / (self._high - self.low)
        return self._begin + share * (self._end - self._begin)

    def _inner(self, value: float) -> float:
        return math.log10(value) if self._log else value

    def ticks(self) -> list[float]:
        """Return round values inside the scale."""
        if self._log:
            powers = range(math.floor(self.low), math.ceil(self._high) + 1)
            found = [m * 10.0**p for p in powers for m in (1, 2, 5)]
            return [v for v in found if self.low - 1e-9 <= math.log10(v) <= self._high + 1e-9]
        rough = (self._high - self.low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
        first = math.ceil(self.low / step)
        return [round(n * step, 10) for n in range(first, math.floor(self._high / step) + 1)]
