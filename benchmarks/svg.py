"""Small line plots as SVG, for benchmarks: no plotting package is needed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

Point = tuple[float, float]

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 640, 400, 70, 50, 30, 150
_COLOURS = ("#1b6ca8", "#c8553d", "#2d936c", "#7d5ba6", "#b8860b")


def write_plot(
    path: Path,
    title: str,
    lines: Mapping[str, Sequence[Point]],
    *,
    x: str,
    y: str,
    logarithmic: bool = False,
) -> None:
    """Write one line for each name; with `logarithmic` both axes are."""
    points = [point for line in lines.values() for point in line]
    scale_x = _Scale([point[0] for point in points], _LEFT, _WIDTH - _RIGHT, logarithmic)
    scale_y = _Scale([point[1] for point in points], _HEIGHT - _BOTTOM, _TOP, logarithmic)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="18" font-size="14">{escape(title)}</text>',
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 10}">{escape(x)}</text>',
        f'<text x="12" y="{_TOP - 4}">{escape(y)}</text>',
    ]
    for value in scale_x.ticks():
        place = scale_x(value)
        parts.append(_rule(place, _TOP, place, _HEIGHT - _BOTTOM))
        parts.append(
            f'<text x="{place:.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">'
            f"{value:g}</text>"
        )
    for value in scale_y.ticks():
        place = scale_y(value)
        parts.append(_rule(_LEFT, place, _WIDTH - _RIGHT, place))
        parts.append(
            f'<text x="{_LEFT - 6}" y="{place + 4:.1f}" text-anchor="end">{value:g}</text>'
        )
    for number, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = " ".join(f"{scale_x(px):.1f},{scale_y(py):.1f}" for px, py in line)
        parts.append(
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        row = _TOP + 16 * number + 12
        parts.append(
            f'<text x="{_WIDTH - _RIGHT + 10}" y="{row}" fill="{colour}">{escape(name)}</text>'
        )
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


class _Scale:
    """Values to pixels, with round ticks."""

    def __init__(
        self, values: Sequence[float], begin: float, end: float, logarithmic: bool
    ) -> None:
        self._log = logarithmic
        self._low, self._high = min(map(self._inner, values)), max(map(self._inner, values))
        if self._low == self._high:
            self._high += 1.0
        self._begin, self._end = begin, end

    def __call__(self, value: float) -> float:
        share = (self._inner(value) - self._low) / (self._high - self._low)
        return self._begin + share * (self._end - self._begin)

    def _inner(self, value: float) -> float:
        return math.log10(value) if self._log else value

    def ticks(self) -> list[float]:
        """Return round values inside the scale."""
        if self._log:
            powers = range(math.floor(self._low), math.ceil(self._high) + 1)
            found = [m * 10.0**p for p in powers for m in (1, 2, 5)]
            return [v for v in found if self._low - 1e-9 <= math.log10(v) <= self._high + 1e-9]
        rough = (self._high - self._low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
        first = math.ceil(self._low / step)
        return [round(n * step, 10) for n in range(first, math.floor(self._high / step) + 1)]
