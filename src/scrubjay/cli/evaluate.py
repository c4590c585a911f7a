"""`scrubjay evaluate`: score predicted spans against gold spans."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from scrubjay.labels import LabelMap


def evaluate(
    gold: Annotated[Path, typer.Argument(help="The corpus with gold spans.", show_default=False)],
    predicted: Annotated[
        Path, typer.Argument(help="The same corpus as a system labelled it.", show_default=False)
    ],
    json_file: Annotated[
        str,
        typer.Option("--json", metavar="FILE", help="Write every figure there; - is the screen."),
    ] = "",
    scorer: Annotated[
        str,
        typer.Option(
            metavar="auto|i2b2|meddocan",
            help="The official program to follow; auto goes by the label set.",
        ),
    ] = "auto",
    format: Annotated[str, typer.Option(help="The format of gold (auto-detected).")] = "",
    predicted_format: Annotated[
        str, typer.Option(help="The format of the predicted corpus (auto-detected).")
    ] = "",
    label_set: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="The label set (guessed from the labels).")
    ] = "",
    label_map: Annotated[
        str,
        typer.Option(metavar="SOURCE:TARGET|FILE", help="Map the labels of both corpora first."),
    ] = "",
    sentences: Annotated[
        Path | None,
        typer.Option(help="JSON file with the sentences per document, for MEDDOCAN's leak score."),
    ] = None,
    unpaired: Annotated[
        str,
        typer.Option(
            metavar="error|skip", help="What to do with documents that stand in one corpus alone."
        ),
    ] = "error",
) -> None:
    """Score predicted spans against gold spans, as the official programs do.

    Tables go to the screen, as tab-separated lines where the output is no terminal. Undefined
    ratios are shown as -. Every metric is defined in docs/metrics.md.
    """
    import json

    from scrubjay.cli._output import require_writable, show_table, write_file
    from scrubjay.corpora import read_corpus
    from scrubjay.evaluation.meddocan import read_sentence_counts
    from scrubjay.evaluation.pairs import require_unpaired
    from scrubjay.evaluation.report import evaluate_corpora, require_scorer, to_json
    from scrubjay.evaluation.tables import report_tables

    target = Path(json_file) if json_file not in ("", "-") else None
    if target is not None:
        require_writable(target, (gold, predicted))
    report = evaluate_corpora(
        read_corpus(gold, format=format or None),
        read_corpus(predicted, format=predicted_format or None),
        scorer=require_scorer(scorer),
        label_set=label_set or None,
        label_map=_find_map(label_map) if label_map else None,
        sentences=read_sentence_counts(sentences) if sentences is not None else None,
        unpaired=require_unpaired(unpaired),
    )
    text = json.dumps(to_json(report), indent=1, ensure_ascii=False) + "\n"
    if target is not None:
        write_file(target, text)
    if json_file == "-":
        typer.echo(text, nl=False)
    else:
        for number, table in enumerate(report_tables(report)):
            if number and not sys.stdout.isatty():
                typer.echo()
            show_table(table.title, table.header, table.rows, text_columns=table.text_columns)


def _find_map(named: str) -> LabelMap:
    from scrubjay.errors import ConfigError
    from scrubjay.labels import find_label_map, load_label_map

    if named.endswith(".toml") and ":" not in named:
        return load_label_map(named)
    source, colon, target = named.partition(":")
    if not (source and colon and target):
        raise ConfigError(
            f"not a label map: {named!r}",
            hint="Give SOURCE:TARGET, such as meddocan:i2b2-2014, or a TOML file",
        )
    return find_label_map(source, target)
