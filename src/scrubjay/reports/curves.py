"""Curves as blocks: recall against precision over the recall dial, and learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.analysis.plots import Point, draw_bars, draw_lines
from scrubjay.errors import FormatError
from scrubjay.evaluation.counts import Counts, show_ratio
from scrubjay.evaluation.intervals import exact_interval
from scrubjay.reports.blocks import Block, Figure, Page, Prose, Section, Table

MEASURES = {
    "f1": "strict F1",
    "precision": "strict precision",
    "recall": "strict recall",
    "binary-token-recall": "binary token recall",
}
"""Figures of a row of `result.json`, by what a page calls them."""

_DIAL = (
    "Each position of the dial is one way to run the same model: further up it finds more and is "
    "wrong more often. 0 is the model as it is. Counts are those of binary tokens, runs of "
    "letters and digits without regard to labels. Choose a position on dev documents and "
    "measure it on others."
)


@dataclass(frozen=True, slots=True)
class DialPoint:
    """A position of the recall dial, and the label-blind token counts at it."""

    dial: float
    counts: Counts

    def record(self) -> dict[str, Any]:
        """Return the point as JSON values."""
        counts = self.counts
        return {
            "dial": self.dial,
            "tp": counts.tp,
            "fp": counts.fp,
            "fn": counts.fn,
            "recall": counts.recall,
            "precision": counts.precision,
            "f1": counts.f1,
        }


def compose_dial(points: Sequence[DialPoint], *, facts: Sequence[tuple[str, str]] = ()) -> Page:
    """Return the page of a recall dial; raises `MissingExtraError` without scipy."""
    blocks: list[Block] = [Prose(_DIAL)]
    figure = dial_figure(points)
    if figure is not None:
        blocks.append(figure)
    return Page("Recall dial", tuple(facts), (*blocks, dial_table(points, intervals=True)))


def dial_figure(points: Sequence[DialPoint]) -> Figure | None:
    """Return precision over recall, or None where no point has both."""
    places: list[Point] = [
        (point.counts.recall, point.counts.precision)
        for point in sorted(points, key=lambda point: point.dial)
        if point.counts.recall is not None and point.counts.precision is not None
    ]
    if not places:
        return None
    title = "Precision over recall"
    svg = draw_lines(title, {"recall dial": places}, x="recall", y="precision")
    return Figure(title, svg, "A point for each position of the dial; the table names them.")


def dial_table(points: Sequence[DialPoint], *, intervals: bool = False) -> Table:
    """Return the points as a table, with `intervals` those of recall at 95%, too."""
    rows = []
    for point in sorted(points, key=lambda point: point.dial):
        counts = point.counts
        row = [f"{point.dial:g}", str(counts.gold), show_ratio(counts.recall)]
        if intervals:
            ends = exact_interval(counts.tp, counts.gold)
            row += [f"{ends.low:.4f}", f"{ends.high:.4f}"]
        rows.append((*row, show_ratio(counts.precision), show_ratio(counts.f1)))
    header = ("dial", "gold", "recall", *(("95% from", "to") if intervals else ()))
    return Table("Positions of the dial", (*header, "precision", "F1"), tuple(rows))


def compose_experiment(
    record: Mapping[str, Any],
    *,
    tables: Sequence[Table] = (),
    plots: Mapping[str, str] | None = None,
) -> Page:
    """Return the page of an experiment from what its `result.json` holds.

    Learning curves are drawn where rows tell how many documents were trained on, else the
    experiment's own `plots` (SVG by the name of its file), else bars. `tables` stand in for the
    plain one of all rows.
    Raises `FormatError` for a record that is no result of an experiment.
    """
    try:
        experiment, run = record["experiment"], record["run"]
        facts = (
            ("experiment", str(experiment["name"])),
            ("kind", str(experiment["kind"])),
            ("after", str(experiment["citation"]) or "-"),
            ("seeds", ", ".join(map(str, experiment["seeds"]))),
            ("computed with", f"Scrubjay {run['package_version']}"),
        )
        rows = [_read_row(row) for row in record["rows"]]
        notes = [str(note) for note in record["notes"]]
        title = str(experiment["title"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise FormatError(
            "not a result of scrubjay experiment", hint="Give its result.json"
        ) from None
    blocks: list[Block] = [*(tables or [_experiment_table(rows)])]
    own = [Figure(Path(name).stem, svg) for name, svg in (plots or {}).items()]
    figures = learning_curves(record) or own or _bars(rows)
    if figures:
        blocks.append(Section("Pictures", tuple(figures)))
    if notes:
        blocks.append(Section("Notes", tuple(map(Prose, notes))))
    return Page(title, facts, tuple(blocks))


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of `result.json`: measure -> mean and deviation over trainings."""

    name: str
    system: str
    documents: float | None
    figures: Mapping[str, tuple[float | None, float | None]]


def _read_row(row: Mapping[str, Any]) -> _Row:
    documents = row.get("documents-train")
    return _Row(
        str(row["name"]),
        str(row.get("system", row["name"])),
        None if documents is None else float(documents),
        {
            measure: (_number(row[measure]["mean"]), _number(row[measure]["sd"]))
            for measure in MEASURES
        },
    )


def learning_curves(record: Mapping[str, Any]) -> list[Figure]:
    """Return figures over the number of training documents, one for each measure.

    `record` is that of `result.json`. There is none where its rows do not tell how many
    documents were trained on, or where every system has one point alone.
    """
    rows = [_read_row(row) for row in record["rows"]]
    figures = []
    for measure, name in MEASURES.items():
        lines: dict[str, list[Point]] = {}
        for row in rows:
            mean = row.figures[measure][0]
            if row.documents is not None and mean is not None:
                lines.setdefault(row.system, []).append((row.documents, mean))
        if any(len(line) > 1 for line in lines.values()):
            drawn = {system: sorted(line) for system, line in lines.items()}
            title = f"Learning curve, {name}"
            svg = draw_lines(title, drawn, x="training documents", y=name)
            figures.append(Figure(title, svg, "Means over trainings."))
    return figures


def _bars(rows: Sequence[_Row]) -> list[Figure]:
    figures = []
    for measure, name in MEASURES.items():
        means = {row.name: row.figures[measure] for row in rows}
        bars = {row: mean for row, (mean, _) in means.items() if mean is not None}
        spreads = {row: sd for row, (_, sd) in means.items() if sd is not None and row in bars}
        if bars:
            caption = "Means over trainings; lines are one standard deviation to both sides."
            svg = draw_bars(name, bars, x=name, spreads=spreads)
            figures.append(Figure(name.capitalize().replace("f1", "F1"), svg, caption))
    return figures


def _experiment_table(rows: Sequence[_Row]) -> Table:
    cells = tuple(
        (row.name, *(_mean(*row.figures[measure]) for measure in MEASURES)) for row in rows
    )
    return Table("Results", ("row", *MEASURES.values()), cells)


def _mean(mean: float | None, deviation: float | None) -> str:
    spread = "" if deviation is None else f" ± {deviation:.4f}"
    return f"{show_ratio(mean)}{spread}"


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
