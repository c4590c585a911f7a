"""`scrubjay train`: fit a named configuration on labelled corpora and save the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._corpora import IdColumn, TextColumn
from scrubjay.cli._options import (
    Language,
    NewModel,
    NewName,
    Overwrite,
    RequiredLabelSet,
    TrainingFormat,
)
from scrubjay.cli._progress import in_lines, stage_bars

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID

    from scrubjay.learning.training import TrainingRequest, TrainingResult


def train(
    corpora: Annotated[
        list[Path], typer.Argument(metavar="CORPUS...", help="Labelled corpora to train on.")
    ],
    out: NewModel,
    config: Annotated[
        str | None,
        typer.Option(
            help="A named configuration (zhao2020-crf, zhao2020-tbed, ...) or a TOML file; without "
            "it zhao2020-crf, or that of the model or file to start from, at a lower rate. A file "
            "without a kind changes settings of that one."
        ),
    ] = None,
    weight: Annotated[
        list[float] | None,
        typer.Option(
            metavar="W",
            help="The weight of a corpus, once for each and in their order: so many copies of it, "
            "a fraction being a random share of its documents.",
        ),
    ] = None,
    dev: Annotated[
        list[Path] | None,
        typer.Option(
            help="Labelled corpus to measure on; never trained on. May be repeated: figures are "
            "told for each, too."
        ),
    ] = None,
    language: Language = "en",
    seed: Annotated[int, typer.Option(help="Seed, recorded in the model.")] = 0,
    label_set: RequiredLabelSet = None,
    format: TrainingFormat = None,
    name: NewName = None,
    min_recall: Annotated[
        float | None,
        typer.Option(help="Turn the recall dial until this token recall is met on dev."),
    ] = None,
    swap_copies: Annotated[
        int, typer.Option(min=0, help="Add this many copies of each document with other PHI.")
    ] = 0,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            help="File that an interrupted training goes on from (rules and networks alone); for "
            "an ensemble a folder, which is kept."
        ),
    ] = None,
    device: Annotated[
        str,
        typer.Option(
            help="Where a network is trained: cpu, cuda, or auto for a GPU if there is one."
        ),
    ] = "auto",
    jobs: Annotated[
        int, typer.Option(min=1, help="Train the members of an ensemble in this many processes.")
    ] = 1,
    encoder: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Local folder of the encoder that a transformer is tuned from."
        ),
    ] = None,
    start_from: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|MODEL",
            help="Weights that a recurrent network begins with: a file that --save-weights of "
            "another training has written, or a model, by its name or folder. The encoder of a "
            "model stays as it is unless one is given by --encoder.",
        ),
    ] = None,
    start_member: Annotated[
        str,
        typer.Option(
            metavar="MEMBER",
            help="Which network of an ensemble --start-from means, where it has several.",
        ),
    ] = "",
    teacher: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Weights, as --save-weights has written them, of a deeper network over the same "
            "encoder, whose scores are learned beside the labels.",
        ),
    ] = None,
    save_weights: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where to write the weights for another training to start from."
        ),
    ] = None,
    text_column: TextColumn = None,
    id_column: IdColumn = "",
    overwrite: Overwrite = False,
) -> None:
    """Train a model on labelled corpora, measure it on dev data, and save it."""
    from rich.console import Console

    from scrubjay.cli._corpora import column_options
    from scrubjay.learning.training import TrainingRequest

    request = TrainingRequest(
        corpora=tuple(corpora),
        out=out,
        config=config,
        language=language,
        dev=tuple(dev or ()),
        weights=tuple(weight or ()),
        seed=seed,
        label_set=label_set,
        format=format,
        name=name,
        min_recall=min_recall,
        swap_copies=swap_copies,
        checkpoint=checkpoint,
        device=device,
        jobs=jobs,
        encoder=encoder,
        start_from=start_from,
        start_member=start_member,
        teacher=teacher,
        save_weights=save_weights,
        columns=column_options(text_column, id_column),
        overwrite=overwrite,
    )
    console = Console(stderr=True)
    _summarize(_train_visibly(request, console), console)


def _train_visibly(request: TrainingRequest, console: Console) -> TrainingResult:
    """Train with a bar for each stage; say after an interrupt how to go on."""
    import threading

    from scrubjay.learning.training import train_model

    with stage_bars(console) as bars:
        tasks: dict[str, TaskID] = {}
        alone = threading.Lock()  # language models of two directions tell their shares at once

        def show(stage: str, share: float) -> None:
            # "train: epoch 7 of 40" is news of the stage "train".
            name = stage.partition(":")[0]
            with alone:
                for other, number in tasks.items():
                    if other != name:
                        bars.update(number, completed=1.0)
                if name not in tasks:
                    bars.start()
                    tasks[name] = bars.add_task(name, total=1.0)
                bars.update(tasks[name], completed=share, description=stage)

        try:
            return train_model(request, progress=in_lines(console, show))
        except KeyboardInterrupt:
            if request.checkpoint is not None and request.checkpoint.exists():
                console.print(f"The same command goes on from {request.checkpoint}")
            else:
                console.print("Nothing is saved: no checkpoint was written yet")
            raise


def _summarize(result: TrainingResult, console: Console) -> None:
    """Write what was trained to stdout, and its figures in a line or two for the reader."""
    from scrubjay.cli._output import sparkline

    manifest = result.manifest
    facts = dict(manifest.training_data)
    for name in facts.keys() & {"start", "teacher"}:
        # The manifest has the whole line of descent.
        facts[name] = {key: x for key, x in facts[name].items() if key != "training-data"}
    summary = {
        "model": str(result.folder),
        "name": manifest.name,
        "seconds": round(result.seconds, 1),
        "training_data": facts,
        "metrics": dict(manifest.metrics),
        "recall-dial": manifest.config.get("recall-dial"),
    }
    typer.echo(json.dumps(summary, indent=1))
    curve = [epoch["dev"] for epoch in manifest.metrics.get("epochs", ())]
    if curve and None not in curve:
        console.print(
            f"Dev F1 by epoch: {sparkline(curve)} {curve[0]:.4f} to {max(curve):.4f}",
            highlight=False,
        )
    strict = manifest.metrics.get("dev", {}).get("strict", {})
    note = f", dev strict F1 {strict['f1']:.4f}" if strict.get("f1") is not None else ""
    console.print(f"Saved {result.folder} in {result.seconds:.0f} s{note}", highlight=False)
