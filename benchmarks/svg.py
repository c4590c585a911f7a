"""Plots of benchmarks: drawn by `scrubjay.analysis.plots`, written to files here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from scrubjay.analysis.plots import Curve, Point, draw_curves, draw_lines


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
    plot = draw_lines(title, lines, x=x, y=y, logarithmic=logarithmic)
    path.write_text(plot, encoding="utf-8")


def write_curves(
    path: Path, title: str, curves: Mapping[str, Curve], *, x: str, y: str, log_x: bool = False
) -> None:
    """Write one curve for each name, each with its own look and rings."""
    path.write_text(draw_curves(title, curves, x=x, y=y, log_x=log_x), encoding="utf-8")
