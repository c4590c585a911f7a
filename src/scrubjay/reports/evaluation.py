"""The report of `scrubjay evaluate`: its tables, and recall and precision with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrubjay.analysis.plots import draw_interval_bars
from scrubjay.evaluation.intervals import exact_interval
from scrubjay.evaluation.per_label import LabelRow
from scrubjay.evaluation.report import EvaluationReport
from scrubjay.evaluation.tables import report_tables
from scrubjay.reports.blocks import Block, Figure, Page, Prose, Section, Table

Share = tuple[str, int, int]
"""A name, how many succeeded, and of how many."""

INTERVALS = (
    "The intervals are exact ones of Clopper and Pearson at 95%, which take every span for a "
    "trial of its own. Spans of one document stand and fall together, so the truth is a little "
    "less certain than they say."
)


def compose_evaluation(report: EvaluationReport, *, facts: Sequence[tuple[str, str]] = ()) -> Page:
    """Return the page of an evaluation; `facts` go before its own.

    Raises `MissingExtraError` without scipy.
    """
    summary, *scores, per_label = report_tables(report)
    if per_label.title != "Strict, by label":
        scores, per_label = [*scores, per_label], Table("Strict, by label", ("label",), ())
    own = tuple((name, value) for name, value in summary.rows)
    blocks: list[Block] = [Section("Scores", (Prose(_READING), *scores))]
    labels = [row for row in report.per_label if row.label is not None]
    if labels:
        blocks.append(Section("By label", (*_by_label(labels), per_label)))
    return Page("Evaluation", (*facts, ("scorer", report.scorer), *own), tuple(blocks))


_READING = (
    "P is precision, R recall and F their harmonic mean. A ratio without anything to divide by "
    "is shown as -. Macro figures are means over documents. Figures of different rows are "
    "different things: strict spans, tokens and binary tokens cannot be compared to each other."
)


def _by_label(rows: Sequence[LabelRow]) -> Iterable[Block]:
    recall = [(row.label or "", row.counts.tp, row.counts.gold) for row in rows]
    precision = [(row.label or "", row.counts.tp, row.counts.predicted) for row in rows]
    yield Prose(INTERVALS)
    yield share_figure("Recall by label", recall, x="strict recall")
    yield share_figure("Precision by label", precision, x="strict precision")
    yield share_table("Recall by label with intervals", ("label", "gold", "found"), recall)
    yield share_table(
        "Precision by label with intervals", ("label", "predicted", "right"), precision
    )


def share_figure(title: str, shares: Iterable[Share], *, x: str) -> Figure:
    """Return a picture of shares as bars with their exact intervals.

    Raises `ValueError` without a share, `MissingExtraError` without scipy.
    """
    bars: dict[str, tuple[float, float | None, float]] = {}
    for name, successes, trials in shares:
        interval = exact_interval(successes, trials)
        value = successes / trials if trials else None
        bars[name] = (interval.low, value, interval.high)
    caption = "Lines show 95% intervals; the numbers stand in a table below."
    return Figure(title, draw_interval_bars(title, bars, x=x), caption)


def share_table(title: str, header: tuple[str, str, str], shares: Iterable[Share]) -> Table:
    """Return shares as a table: name, trials, successes, the ratio and both ends.

    Raises `MissingExtraError` without scipy.
    """
    rows = []
    for name, successes, trials in shares:
        interval = exact_interval(successes, trials)
        ratio = f"{successes / trials:.4f}" if trials else "-"
        ends = (f"{interval.low:.4f}", f"{interval.high:.4f}")
        rows.append((name, str(trials), str(successes), ratio, *ends))
    return Table(title, (*header, "share", "95% from", "to"), tuple(rows))
