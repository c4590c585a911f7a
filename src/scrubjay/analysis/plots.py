"""Small plots as SVG text, without any plotting package: lines, bars, intervals and heat maps.

Colours stand as attributes, so that a file of its own looks right on white. Every coloured part
has a class, too (`p-ink`, `p-rule`, `p-fill-0` ...), by which a page gives its own colours.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape

Point = tuple[float, float]

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 640, 400, 70, 50, 40, 150
_COLOURS = ("#1b6ca8", "#c8553d", "#2d936c", "#7d5ba6", "#b8860b", "#555555")
_DASHES = ("", "7 4", "2 4")
_LABELS = {"above": (6, -8, "start"), "right": (10, 4, "start"), "below": (-6, 16, "end")}
_DOTTED = 20
"""A line of more points has no dots."""
_BAR, _GAP, _NAMES = 18, 8, 220
_CELL_HEIGHT = 24
_LETTER, _CAPITAL = 6.8, 9.0
_WIDE = 900
"""A plot that is wider (pixels) has the class `p-wide`: a page must not shrink it as far."""

_STRONG = 0.55
"""From this share on a cell is so dark that its number is light."""

_PAPER = "#fff"
_INK = 'class="p-ink" fill="#222"'
_INK_LINE = 'class="p-ink-line" stroke="#222"'
_RULE = 'class="p-rule" stroke="#ddd"'


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
    curves = {name: Curve(line, colour=n) for n, (name, line) in enumerate(lines.items())}
    return draw_curves(title, curves, x=x, y=y, log_x=logarithmic, log_y=logarithmic)


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a plot: its points, its look, which points have a ring, and what they are named.

    `names` are those of the points, in order: a browser shows them under the mouse, and where
    `labels` is one of "above", "right" and "below" they stand there.
    """

    points: Sequence[Point]
    colour: int = 0
    dash: int = 0
    ringed: Collection[Point] = ()
    names: Sequence[str] = ()
    labels: str = ""


def draw_curves(
    title: str,
    curves: Mapping[str, Curve],
    *,
    x: str,
    y: str,
    log_x: bool = False,
    log_y: bool = False,
) -> str:
    """Return a plot with one line for each name, drawn as its curve says, and a legend.

    Lines without points are left out of the drawing. Raises `ValueError` where no line has one.
    """
    points = [point for curve in curves.values() for point in curve.points]
    if not points:
        raise ValueError("a plot needs at least one point")
    scale_x = _Scale([point[0] for point in points], _LEFT, _WIDTH - _RIGHT, log_x)
    scale_y = _Scale([point[1] for point in points], _HEIGHT - _BOTTOM, _TOP, log_y)
    legend = max(_RIGHT, 30 + _names_width(curves))
    parts = [
        *_head(_WIDTH - _RIGHT + legend, _HEIGHT, title),
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
    for number, (name, curve) in enumerate(curves.items()):
        parts += _curve(curve, [(scale_x(px), scale_y(py)) for px, py in curve.points])
        left, top = _WIDTH - _RIGHT + 10, _TOP + 16 * number + 12
        if any(each.dash for each in curves.values()):
            parts.append(_rule(left, top - 4, left + 24, top - 4, paint=_stroke(curve)))
            left += 30
        parts.append(_text(left, top, name, paint=_fill(curve.colour)))
    return _close(parts)


def _curve(curve: Curve, places: Sequence[Point]) -> list[str]:
    path = " ".join(f"{px:.1f},{py:.1f}" for px, py in places)
    parts = [f'<polyline points="{path}" fill="none" {_stroke(curve)}/>']
    if len(places) > _DOTTED:
        return parts
    names = curve.names or [""] * len(places)
    for point, (px, py), name in zip(curve.points, places, names, strict=True):
        at, told = f'cx="{px:.1f}" cy="{py:.1f}"', f"<title>{escape(name)}</title>" if name else ""
        if point in curve.ringed:
            parts.append(f'<circle {at} r="7" fill="none" {_stroke(curve, solid=True)}/>')
        end = f">{told}</circle>" if told else "/>"
        parts.append(f'<circle {at} r="3" {_fill(curve.colour)}{end}')
        if curve.labels:
            dx, dy, anchor = _LABELS[curve.labels]
            parts.append(_text(px + dx, py + dy, name, anchor=anchor, paint=_fill(curve.colour)))
    return parts


def _stroke(curve: Curve, *, solid: bool = False) -> str:
    dashes = "" if solid else _DASHES[curve.dash % len(_DASHES)]
    number = curve.colour % len(_COLOURS)
    paint = f'class="p-stroke-{number}" stroke="{_colour(number)}" stroke-width="2"'
    return f'{paint} stroke-dasharray="{dashes}"' if dashes else paint


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
            f"{_fill(0)}/>"
        )
        half = (scale(value + spreads.get(name, 0.0)) - scale(value)) if name in spreads else 0.0
        if half > 0:
            middle = top + _BAR / 2
            parts.append(_rule(end - half, middle, end + half, middle, paint=_INK_LINE))
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


def draw_interval_bars(
    title: str, bars: Mapping[str, tuple[float, float | None, float]], *, x: str
) -> str:
    """Return horizontal bars of shares, each with its interval (low, value, high), from 0 to 1.

    A bar without value (None) has its interval alone. Raises `ValueError` without bars, and for
    an interval that is not 0 <= low <= value <= high <= 1.
    """
    if not bars:
        raise ValueError("a plot needs at least one bar")
    names = _names_width(bars)
    right = names + 400
    bottom = _TOP + len(bars) * (_BAR + _GAP)
    scale = _Scale([0.0, 1.0], names, right, False)
    parts = _head(right + 160, bottom + _BOTTOM, title)
    for value in scale.ticks():
        parts.append(_rule(scale(value), _TOP, scale(value), bottom))
        parts.append(_text(scale(value), bottom + 16, f"{value:g}", anchor="middle"))
    parts.append(_text((names + right) / 2, bottom + 36, x, anchor="middle"))
    for number, (name, (low, share, high)) in enumerate(bars.items()):
        if not 0 <= low <= (low if share is None else share) <= high <= 1:
            raise ValueError(f"bar {number}: ({low}, {share}, {high}) is no share in its interval")
        top = _TOP + number * (_BAR + _GAP) + _GAP / 2
        parts.append(_text(names - 8, top + 13, name, anchor="end"))
        if share is not None:
            parts.append(
                f'<rect x="{names}" y="{top:.1f}" width="{scale(share) - names:.1f}" '
                f'height="{_BAR}" {_fill(0)}/>'
            )
        parts += _whisker(scale(low), scale(high), top)
        shown = "-" if share is None else f"{share:.4f}"
        parts.append(_text(right + 14, top + 13, f"{shown} ({low:.3f}–{high:.3f})"))
    return _close(parts)


def _whisker(low: float, high: float, top: float) -> list[str]:
    """Return a line between two places with a stop at each end, on a halo that parts it."""
    middle = top + _BAR / 2
    ends = (_rule(place, middle - 5, place, middle + 5, paint=_INK_LINE) for place in (low, high))
    halo = f'class="p-halo" stroke="{_PAPER}" stroke-width="4"'
    return [
        _rule(low, middle, high, middle, paint=halo),
        _rule(low, middle, high, middle, paint=_INK_LINE),
        *ends,
    ]


def draw_heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float]],
    *,
    shades: Sequence[Sequence[float]] | None = None,
    x: str = "",
    y: str = "",
) -> str:
    """Return a grid of numbers, darker where they are greater; a 0 stays empty.

    `shades` are the darknesses (0 to 1) where they are not the values divided by the greatest
    one, such as each row's shares. `x` and `y` name what columns and rows are. Raises
    `ValueError` without a cell and for values or shades of another shape.
    """
    if shades is None:
        greatest = max((value for row in values for value in row), default=0.0) or 1.0
        shades = [[value / greatest for value in row] for row in values]
    for grid in (values, shades):
        if not rows or not columns or len(grid) != len(rows):
            raise ValueError("a heat map needs a row of values for each name")
        if any(len(row) != len(columns) for row in grid):
            raise ValueError("a heat map needs a value for each column in each row")
    texts = [[f"{value:g}" if value else "" for value in row] for row in values]
    cell = max(26, 10 + 7 * max(len(text) for row in texts for text in row))
    slant = _names_width(columns)
    left, top = _names_width(rows) + (18 if y else 0), _TOP + 20 + round(slant * 0.8)
    right, bottom = left + cell * len(columns), top + _CELL_HEIGHT * len(rows)
    parts = _head(right + round(slant * 0.6), bottom + 20, title)
    if x:
        parts.append(_text((left + right) / 2, _TOP + 4, x, anchor="middle"))
    if y:
        parts.append(_text(14, (top + bottom) / 2, y, anchor="middle", turn=-90))
    for number, name in enumerate(columns):
        parts.append(_text(left + cell * (number + 0.5) + 4, top - 6, name, turn=-50))
    for number, name in enumerate(rows):
        line = top + _CELL_HEIGHT * number
        parts.append(_text(left - 8, line + 16, name, anchor="end"))
        for column, (text, shade) in enumerate(zip(texts[number], shades[number], strict=True)):
            parts += _cell((left + cell * column, line), cell, text, min(max(shade, 0.0), 1.0))
    return _close(parts)


def _cell(corner: Point, width: float, text: str, shade: float) -> list[str]:
    x, y = corner
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width - 1}" height="{_CELL_HEIGHT - 1}"'
    parts = [f'<rect {place} class="p-empty" fill="#f4f4f4"/>']
    if text:
        parts.append(f'<rect {place} {_fill(0)} fill-opacity="{shade:.3f}"/>')
        paint = 'class="p-on" fill="#fff"' if shade >= _STRONG else _INK
        parts.append(_text(x + (width - 1) / 2, y + 16, text, anchor="middle", paint=paint))
    return parts


def _names_width(names: Collection[str]) -> int:
    """Return the room that names need, in pixels, by the usual widths of letters."""
    widths = (sum(_CAPITAL if sign.isupper() else _LETTER for sign in name) for name in names)
    return 20 + math.ceil(max(widths))


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _fill(number: int) -> str:
    return f'class="p-fill-{number % len(_COLOURS)}" fill="{_colour(number)}"'


def _head(width: float, height: float, title: str) -> list[str]:
    wide = ' class="p-wide"' if width > _WIDE else ""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg"{wide} width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect class="p-paper" width="{width}" height="{height}" fill="{_PAPER}"/>',
        f'<text class="p-title" x="12" y="20" font-size="14" fill="#222">{escape(title)}</text>',
    ]


def _close(parts: Sequence[str]) -> str:
    return "\n".join([*parts, "</svg>"]) + "\n"


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", paint: str = _INK, turn: int = 0
) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    if turn:
        place += f' transform="rotate({turn} {x:.1f} {y:.1f})"'
    return f"<text {place} {paint}>{escape(text)}</text>"


def _rule(x1: float, y1: float, x2: float, y2: float, *, paint: str = _RULE) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {paint}/>'


class _Scale:
    """Values to pixels, with round ticks."""

    def __init__(
        self, values: Sequence[float], begin: float, end: float, logarithmic: bool
    ) -> None:
        self._log = logarithmic
        self.low, self._high = min(map(self._inner, values)), max(map(self._inner, values))
        if self.low == self._high:
            room = abs(self.low) / 20
            self.low, self._high = self.low - room, self._high + (room or 1.0)
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
