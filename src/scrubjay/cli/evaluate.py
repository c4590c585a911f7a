"""`scrubjay evaluate`: score predicted spans against gold spans."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli._corpora import (
    FormatOption,
    GoldArgument,
    LabelMapOption,
    LabelSetOption,
    PredictedArgument,
    PredictedFormatOption,
    UnpairedOption,
)
from scrubjay.cli._report import HtmlOption, JsonOption


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
) -> None:
    """Score predicted spans against gold spans, as the official programs do.

    Tables go to the screen, as tab-separated lines where the output is no terminal. Undefined
    ratios are shown as -. Every metric is defined in docs/metrics.md.
    """
    from scrubjay.cli._corpora import find_map
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.corpora import read_corpus
    from scrubjay.evaluation.meddocan import read_sentence_counts
    from scrubjay.evaluation.pairs import require_unpaired
    from scrubjay.evaluation.report import evaluate_corpora, require_scorer, to_json
    from scrubjay.evaluation.tables import report_tables
    from scrubjay.reports.evaluation import compose_evaluation

    files = plan_report(json_file, html, inputs=(gold, predicted))
    report = evaluate_corpora(
        read_corpus(gold, format=format or None),
        read_corpus(predicted, format=predicted_format or None),
        scorer=require_scorer(scorer),
        label_set=label_set or None,
        label_map=find_map(label_map),
        sentences=read_sentence_counts(sentences) if sentences is not None else None,
        unpaired=require_unpaired(unpaired),
    )
    write_report(
        files,
        figures=lambda: to_json(report),
        page=lambda: compose_evaluation(
            report, facts=(("gold", gold.name), ("predicted", predicted.name))
        ),
        tables=lambda: report_tables(report),
    )
