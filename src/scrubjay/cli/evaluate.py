"""`scrubjay evaluate`: score predicted spans against gold spans."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._corpora import (
    EitherId,
    EitherText,
    FormatOption,
    GoldArgument,
    LabelMapOption,
    LabelSetOption,
    PredictedArgument,
    PredictedFormatOption,
    PredictedId,
    PredictedText,
    UnpairedOption,
)
from scrubjay.cli._report import HtmlOption, JsonOption

if TYPE_CHECKING:
    from scrubjay.evaluation.report import EvaluationReport


def evaluate(
    gold: GoldArgument,
    predicted: PredictedArgument,
    json_file: JsonOption = "",
    html: HtmlOption = None,
    scorer: Annotated[
        str,
        typer.Option(
            metavar="auto|i2b2|meddocan",
            help="The official program to follow; auto goes by the label set.",
        ),
    ] = "auto",
    format: FormatOption = "",
    predicted_format: PredictedFormatOption = "",
    label_set: LabelSetOption = "",
    label_map: LabelMapOption = "",
    sentences: Annotated[
        Path | None,
        typer.Option(help="JSON file with the sentences per document, for MEDDOCAN's leak score."),
    ] = None,
    unpaired: UnpairedOption = "error",
    text_column: EitherText = None,
    id_column: EitherId = "",
    predicted_text_column: PredictedText = None,
    predicted_id_column: PredictedId = "",
) -> None:
    """Score predicted spans against gold spans, as the official programs do.

    Tables go to the screen, as tab-separated lines where the output is no terminal. Undefined
    ratios are shown as -. Every metric is defined in docs/metrics.md.
    """
    from scrubjay.cli._corpora import column_options, columns_of_both
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.corpora import read_corpus
    from scrubjay.evaluation.meddocan import read_sentence_counts
    from scrubjay.evaluation.pairs import require_unpaired
    from scrubjay.evaluation.report import evaluate_corpora, require_scorer, to_json
    from scrubjay.evaluation.tables import report_tables
    from scrubjay.labels import parse_label_map
    from scrubjay.reports.evaluation import compose_evaluation

    files = plan_report(json_file, html, inputs=(gold, predicted))
    gold_columns, columns = columns_of_both(
        (gold, format),
        (predicted, predicted_format),
        column_options(text_column, id_column),
        column_options(predicted_text_column, predicted_id_column),
    )
    report = evaluate_corpora(
        read_corpus(gold, format=format or None, **gold_columns),
        read_corpus(predicted, format=predicted_format or None, **columns),
        scorer=require_scorer(scorer),
        label_set=label_set or None,
        label_map=parse_label_map(label_map),
        sentences=read_sentence_counts(sentences) if sentences is not None else None,
        unpaired=require_unpaired(unpaired),
    )
    _require_gold(report, gold, predicted, format=format, predicted_format=predicted_format)
    _warn_of_labels(report)
    write_report(
        files,
        figures=lambda: to_json(report),
        page=lambda: compose_evaluation(
            report, facts=(("gold", gold.name), ("predicted", predicted.name))
        ),
        tables=lambda: report_tables(report),
    )


def _require_gold(
    report: EvaluationReport, gold: Path, predicted: Path, *, format: str, predicted_format: str
) -> None:
    """Raise `InputError` where no gold span was scored, and tell where none was predicted."""
    from scrubjay.cli._corpora import hint_format, require_gold, warn_without_spans

    spans = sum(row.counts.tp + row.counts.fn for row in report.per_label)
    left_out = sum(report.outside.values())
    require_gold(gold, documents=report.documents, spans=spans, left_out=left_out, format=format)
    if not any(row.counts.tp + row.counts.fp for row in report.per_label):
        warn_without_spans(
            "the predicted corpus",
            documents=report.documents,
            so="all of gold is missed",
            hint=hint_format(predicted, predicted_format, option="--predicted-format"),
        )


def _warn_of_labels(report: EvaluationReport) -> None:
    """Tell on stderr where the labels of both corpora are of no known set and differ."""
    if report.label_set is not None:
        return
    gold = {row.label for row in report.per_label if row.counts.tp + row.counts.fn}
    predicted = {row.label for row in report.per_label if row.counts.tp + row.counts.fp}
    if strange := len(predicted - gold):
        typer.echo(
            f"warning: {strange} of {len(predicted)} predicted labels are not in gold, and no "
            "known label set has the labels of both. Map them with --label-map SOURCE:TARGET",
            err=True,
        )
