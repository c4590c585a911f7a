"""What an experiment ends with: rows of figures over seeds, tables, plots, notes."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from scrubjay.evaluation.counts import mean_of
from scrubjay.evaluation.tables import Table
from scrubjay.learning.experiments.cells import CellResult, Figures, sum_figures

MEASURES = ("precision", "recall", "f1", "binary-token-recall")
HEADER = ("precision", "recall", "strict F1", "binary token recall", "training s")


@dataclass(frozen=True, slots=True)
class Summary:
    """Mean and sample standard deviation of a figure over trainings.

    `mean` is None where no value is defined, `deviation` where there are fewer than two.
    """

    values: tuple[float | None, ...]

    @property
    def mean(self) -> float | None:
        """The mean of the defined values."""
        return mean_of(self.values)

    @property
    def deviation(self) -> float | None:
        """The sample standard deviation of the defined values."""
        known = [value for value in self.values if value is not None]
        return statistics.stdev(known) if len(known) > 1 else None

    def to_json(self) -> dict[str, Any]:
        """Return mean, deviation and values."""
        return {"mean": self.mean, "sd": self.deviation, "values": list(self.values)}

    def __str__(self) -> str:
        if self.mean is None:
            return "-"
        spread = "" if self.deviation is None else f" ± {self.deviation:.4f}"
        return f"{self.mean:.4f}{spread}"


@dataclass(frozen=True, slots=True)
class Row:
    """One system (or trial, or domain) over its trainings; `figures` and `seconds` in one order."""

    name: str
    seeds: tuple[int, ...]
    figures: tuple[Figures, ...]
    seconds: tuple[float, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def summary(self, measure: str) -> Summary:
        """Return one of `MEASURES` over the trainings."""
        return Summary(tuple(_measure(figures, measure) for figures in self.figures))

    def evaluation(self, name: str, measure: str) -> Summary:
        """Return precision, recall or f1 of an evaluation of the i2b2 scorer over the trainings."""
        rows = (figures.evaluations.get(name) for figures in self.figures)
        return Summary(tuple(getattr(row, measure) if row else None for row in rows))

    def cells(self) -> tuple[str, ...]:
        """Return what a table shows, under `HEADER`."""
        seconds = f"{statistics.fmean(self.seconds):.0f}" if self.seconds else "-"
        return (*(str(self.summary(measure)) for measure in MEASURES), seconds)

    def to_json(self) -> dict[str, Any]:
        """Return the figures of the row, each over its trainings."""
        names = dict.fromkeys(name for one in self.figures for name in one.evaluations)
        total = sum_figures(self.figures)
        return {
            "name": self.name,
            **self.facts,
            "seeds": list(self.seeds),
            **{measure: self.summary(measure).to_json() for measure in MEASURES},
            "counts": asdict(total.strict),
            "documents": self.figures[0].documents,
            "evaluations": {
                name: {
                    measure: self.evaluation(name, measure).mean
                    for measure in ("precision", "recall", "f1")
                }
                for name in names
            },
            "labels-f1": {name: total.labels[name].f1 for name in sorted(total.labels)},
            "training-seconds": statistics.fmean(self.seconds) if self.seconds else None,
        }


def _measure(figures: Figures, measure: str) -> float | None:
    if measure == "binary-token-recall":
        return figures.binary_token.recall
    value: float | None = getattr(figures.strict, measure)
    return value


def make_row(
    name: str, results: Sequence[CellResult], parts: Sequence[str] | None = None, **facts: Any
) -> Row:
    """Return the row of one system's results, one for each seed, over some or all their parts."""
    return Row(
        name,
        tuple(result.cell.seed for result in results),
        tuple(sum_figures(r.parts[part] for part in parts or r.parts) for r in results),
        tuple(result.seconds["training"] for result in results),
        facts,
    )


@dataclass(frozen=True, slots=True)
class Report:
    """The results of an experiment.

    `rows` and `details` are for `result.json`; `plots` are SVG texts by the names of their files,
    `files` other texts that are written beside them. `notes` tell what a reader must know.
    """

    rows: Sequence[Row]
    tables: Sequence[Table]
    plots: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()


def render_markdown(
    title: str, report: Report, *, citation: str = "", facts: Sequence[str] = ()
) -> str:
    """Return the report as a Markdown page with its plots."""
    lines = [f"# {title}", ""]
    if citation:
        lines += [f"After {citation}.", ""]
    for table in report.tables:
        lines += [f"## {table.title}", "", *markdown_table(table), ""]
    lines += [f"![{name}]({name})\n" for name in report.plots]
    for note in (*report.notes, *facts):
        lines.append(f"- {note}")
    return "\n".join(lines).rstrip() + "\n"


def markdown_table(table: Table) -> list[str]:
    """Return the lines of a Markdown table; figures are aligned to the right."""
    marks = ["---" if n < table.text_columns else "--:" for n in range(len(table.header))]
    rows = (table.header, marks, *table.rows)
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
