"""`scrubjay train`: fit a named configuration on labelled corpora and save the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def train(
    corpora: Annotated[
        list[Path], typer.Argument(metavar="CORPUS...", help="Labelled corpora to train on.")
    ],
    out: Annotated[Path, typer.Option(help="Folder of the new model.")],
    config: Annotated[
        str,
        typer.Option(
            help="A named configuration (zhao2020-crf, zhao2020-tbed, ...) or a TOML file."
        ),
    ] = "zhao2020-crf",
    dev: Annotated[
        Path | None, typer.Option(help="Labelled corpus to measure on; never trained on.")
    ] = None,
    language: Annotated[
        str, typer.Option(help="Language of lexicons, clusters and patterns: en, es or nl.")
    ] = "en",
    seed: Annotated[int, typer.Option(help="Seed, recorded in the model.")] = 0,
    label_set: Annotated[
        str | None, typer.Option(help="Label set that every label must belong to.")
    ] = None,
    format: Annotated[
        str | None, typer.Option("--format", help="Format of the corpora; else detected.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the model; else the folder's.")] = None,
    min_recall: Annotated[
        float | None,
        typer.Option(help="Turn the recall dial until this token recall is met on dev."),
    ] = None,
    swap_copies: Annotated[
        int, typer.Option(min=0, help="Add this many copies of each document with other PHI.")
    ] = 0,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Keep rules here as they are learned, and go on from them (tbed alone)."),
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace a model that is already there.")] = False,
) -> None:
    """Train a model on labelled corpora, measure it on dev data, and save it."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    from scrubjay.learning.training import TrainingRequest, train_model

    request = TrainingRequest(
        corpora=tuple(corpora),
        out=out,
        config=config,
        language=language,
        dev=dev,
        seed=seed,
        label_set=label_set,
        format=format,
        name=name,
        min_recall=min_recall,
        swap_copies=swap_copies,
        checkpoint=checkpoint,
        overwrite=overwrite,
    )
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:10}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bars:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, share: float) -> None:
            for other, number in tasks.items():
                if other != stage:
                    bars.update(number, completed=1.0)
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=1.0)
            bars.update(tasks[stage], completed=share)

        result = train_model(request, progress=show)
    summary = {
        "model": str(result.folder),
        "name": result.manifest.name,
        "seconds": round(result.seconds, 1),
        "training_data": dict(result.manifest.training_data),
        "metrics": dict(result.manifest.metrics),
        "recall-dial": result.manifest.config.get("recall-dial"),
    }
    typer.echo(json.dumps(summary, indent=1))
    strict = result.manifest.metrics.get("dev", {}).get("strict", {})
    note = f", dev strict F1 {strict['f1']:.4f}" if strict.get("f1") is not None else ""
    console.print(f"Saved {result.folder} in {result.seconds:.0f} s{note}", highlight=False)
