"""`scrubjay errors`: the errors of a system by kind and label, each with its place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.cli._causes import (
    FilledOption,
    ModelOption,
    StringsOption,
    TokenizerOption,
    TrainFormatOption,
    TrainOption,
    WorksheetOption,
)
from scrubjay.cli._corpora import (
    FormatOption,
    GoldArgument,
    LabelMapOption,
    LabelSetOption,
    PredictedArgument,
    PredictedFormatOption,
    UnpairedOption,
)
from scrubjay.cli._report import HtmlOption, JsonOption, ShowTextOption

if TYPE_CHECKING:
    from scrubjay.evaluation.reading import PairedCorpora


def errors(
    gold: GoldArgument,
    predicted: PredictedArgument,
    json_file: JsonOption = "",
    html: HtmlOption = None,
    show_text: ShowTextOption = False,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Show the confusion matrices, too; they are wide.")
    ] = False,
    every_error: Annotated[
        bool, typer.Option("--list", help="Show every error with its document and offsets, too.")
    ] = False,
    examples: Annotated[
        int, typer.Option(min=0, help="How many errors of each cause the report shows.")
    ] = 25,
    train: TrainOption = None,
    train_format: TrainFormatOption = "",
    strings: StringsOption = "case",
    tokenizer: TokenizerOption = "",
    model: ModelOption = "",
    worksheet: WorksheetOption = None,
    filled: FilledOption = None,
    format: FormatOption = "",
    predicted_format: PredictedFormatOption = "",
    label_set: LabelSetOption = "",
    label_map: LabelMapOption = "",
    unpaired: UnpairedOption = "error",
) -> None:
    """Tell the errors of a system by kind and label, as the papers' tables do.

    Kinds are type, extent (short, long, short-and-long), missing and spurious. JSON lists every
    error with its document and offsets. Every kind and figure is defined in docs/errors.md.
    """
    from scrubjay.analysis.errors import CONTEXT, ErrorCollector
    from scrubjay.cli._causes import CauseOptions, start_causes
    from scrubjay.cli._corpora import (
        hint_format,
        read_pairs,
        require_gold,
        warn_without_spans,
    )
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.errors import LabelError
    from scrubjay.labels import parse_label_map
    from scrubjay.reports.errors import compose_errors, error_tables

    options = CauseOptions(train, train_format, strings, tokenizer, model, worksheet, filled)
    inputs = (gold, predicted, *options.inputs)
    files = plan_report(json_file, html, inputs=inputs)
    options.require_place(inputs, outputs=(files.json, files.html))
    pairs = read_pairs(
        gold,
        predicted,
        format=format,
        predicted_format=predicted_format,
        label_set=label_set,
        label_map=label_map,
        unpaired=unpaired,
    )
    collector = ErrorCollector(
        pairs.label_set, examples=examples, context=CONTEXT if show_text else None
    )
    documents = spans = predictions = 0
    try:
        causes = start_causes(
            options,
            label_set=pairs.label_set,
            label_map=parse_label_map(label_map),
            show_text=show_text,
        )
        for pair in pairs:
            documents, spans = documents + 1, spans + len(pair.gold.spans)
            predictions += len(pair.predicted.spans)
            collector.add(pair)
            causes.add(pair)
    except LabelError as error:
        raise pairs.explain(error) from None
    if not predictions:
        left_out = sum(pairs.outside.values())
        require_gold(gold, documents=documents, spans=spans, left_out=left_out, format=format)
    elif not spans:
        so = "all that was predicted is spurious; the annotated corpus is given first"
        warn_without_spans("gold", documents=documents, so=so, hint=hint_format(gold, format))
    analysis, found = collector.analysis(), causes.finish()
    if found.written is not None:
        typer.echo(f"{worksheet}: {found.written} errors to judge", err=True)
    write_report(
        files,
        figures=lambda: {
            "format_version": 1,
            **_pairs_record(pairs),
            **analysis.record(),
            **found.record(),
        },
        page=lambda: compose_errors(
            analysis, facts=_pairs_facts(pairs, gold, predicted), sections=found.sections()
        ),
        tables=lambda: (
            *error_tables(analysis, matrix=matrix, every_error=every_error),
            *found.tables(),
        ),
    )
    if analysis.errors and not files.take_screen:
        _tell_more(every_error=every_error, show_text=show_text)


def _tell_more(*, every_error: bool, show_text: bool) -> None:
    """Tell on standard error how to see the errors themselves, where they were not shown."""
    if not every_error:
        typer.echo(
            "note: --list --show-text shows each error with its document and its words, which may "
            "be PHI; --list alone with its place",
            err=True,
        )
    elif not show_text:
        typer.echo("note: --show-text shows the words, too, which may be PHI", err=True)


def _pairs_record(pairs: PairedCorpora) -> dict[str, Any]:
    return {
        "unpaired": {"gold": pairs.gold_alone, "predicted": pairs.predicted_alone},
        "unlabelled": pairs.unlabelled,
        "outside_label_map": pairs.outside,
    }


def _pairs_facts(pairs: PairedCorpora, gold: Path, predicted: Path) -> list[tuple[str, str]]:
    facts = [("gold", gold.name), ("predicted", predicted.name)]
    if pairs.gold_alone or pairs.predicted_alone:
        facts.append(("skipped, in gold alone", str(pairs.gold_alone)))
        facts.append(("skipped, in predicted alone", str(pairs.predicted_alone)))
    if pairs.unlabelled:
        facts.append(("left out, in regions without labels", str(pairs.unlabelled)))
    return facts + [(f"left out, {label}", str(size)) for label, size in pairs.outside.items()]
