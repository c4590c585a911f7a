"""The figures of a report as tables of text, for any screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

from scrubjay.evaluation.counts import Counts, show_ratio
from scrubjay.evaluation.i2b2 import Evaluation
from scrubjay.evaluation.meddocan import MeddocanScores
from scrubjay.evaluation.report import EvaluationReport


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a header, and rows of as many cells; the first `text_columns` hold words.

    Raises `ValueError` for a row that is not as long as the header.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    text_columns: int = 1

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows):
            if len(row) != len(self.header):
                raise ValueError(
                    f"row {number} of table {self.title!r} has {len(row)} cells, "
                    f"its header {len(self.header)}"
                )


def report_tables(report: EvaluationReport) -> tuple[Table, ...]:
    """Return the tables of a report: its main scores first, then the labels."""
    tables = [_summary(report)]
    if report.i2b2 is not None:
        tables.append(_i2b2("i2b2 2014 scorer", (one for one in report.i2b2 if one.official)))
        tables.append(
            _i2b2("Beyond the i2b2 2014 scorer", (one for one in report.i2b2 if not one.official))
        )
    if report.meddocan is not None:
        tables.append(_meddocan(report.meddocan))
    tables.append(_per_label(report))
    return tuple(table for table in tables if table.rows)


def _summary(report: EvaluationReport) -> Table:
    false = report.false_positives_per_1000
    rows = [
        ("documents", str(report.documents)),
        ("label set", report.label_set or "none that is known"),
        ("strict F1", show_ratio(report.strict_f1)),
        ("binary token recall", show_ratio(report.binary_token_recall)),
        ("false positives per 1,000", "-" if false is None else f"{false:.1f}"),
    ]
    if report.gold_alone or report.predicted_alone:
        rows.append(("skipped, in gold alone", str(report.gold_alone)))
        rows.append(("skipped, in predicted alone", str(report.predicted_alone)))
    if report.unlabelled:
        rows.append(("left out, in regions without labels", str(report.unlabelled)))
    rows += [(f"left out, {label}", str(size)) for label, size in report.outside.items()]
    return Table("Evaluation", ("figure", "value"), tuple(rows))


def _i2b2(title: str, evaluations: Iterable[Evaluation]) -> Table:
    header = ("evaluation", "gold", "system", "agree", "P", "R", "F")
    macro = ("macro P", "SD", "macro R", "SD", "macro F")
    rows = tuple(
        (
            one.name,
            *_cells(one.counts),
            *map(show_ratio, astuple(one.macro)),
        )
        for one in evaluations
    )
    return Table(title, header + macro, rows)


def _meddocan(scores: MeddocanScores) -> Table:
    rows = (
        ("Sub-task 1 NER", *_cells(scores.ner), show_ratio(scores.leak)),
        ("Sub-task 2 strict", *_cells(scores.strict), ""),
        ("Sub-task 2 merged", *_cells(scores.merged), ""),
    )
    title = f"MEDDOCAN scorer ({scores.sentences} sentences: {scores.sentence_source})"
    return Table(title, ("evaluation", "gold", "system", "agree", "P", "R", "F", "leak"), rows)


def _per_label(report: EvaluationReport) -> Table:
    rows = tuple(
        (row.category, row.label or "overall", *_cells(row.counts)) for row in report.per_label
    )
    header = ("category", "label", "gold", "system", "agree", "P", "R", "F")
    return Table("Strict, by label", header, rows, text_columns=2)


def _cells(counts: Counts) -> tuple[str, ...]:
    numbers = (counts.gold, counts.predicted, counts.tp)
    return (*map(str, numbers), *map(show_ratio, counts.ratios().values()))
