"""`scrubjay pretrain`: learn word vectors or character language models from raw text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.cli._progress import in_lines, stage_bars

if TYPE_CHECKING:
    from rich.console import Console

    from scrubjay.learning.neural.charlm import Measurement
    from scrubjay.learning.pretraining import Pretrained

app = typer.Typer()

Raw = Annotated[
    list[Path],
    typer.Argument(metavar="RAW...", help="Files or folders in any format; spans are ignored."),
]
Out = Annotated[Path, typer.Option(help="Folder of the result.")]
Language = Annotated[str, typer.Option(help="Language of the text: es, nl, en, ...")]
Format = Annotated[str | None, typer.Option("--format", help="Format of the text; else detected.")]
Name = Annotated[str | None, typer.Option(help="Name of the result; else the folder's.")]
Overwrite = Annotated[bool, typer.Option(help="Replace a result that is already there.")]


@app.command()
def charlm(
    raw: Raw,
    out: Out,
    language: Language,
    hidden: Annotated[int, typer.Option(help="Width of the state of each direction.")] = 256,
    epochs: Annotated[int, typer.Option(help="Passes over the text, at most.")] = 15,
    minutes: Annotated[
        float | None, typer.Option(help="End after this time, with what was learned by then.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed, recorded in the models.")] = 0,
    min_count: Annotated[
        int, typer.Option(help="Characters seen less often count as unknown.")
    ] = 3,
    learning_rate: Annotated[float, typer.Option(help="The rate training begins with.")] = 0.006,
    optimizer: Annotated[str, typer.Option(metavar="adam|sgd", help="How it learns.")] = "adam",
    batch: Annotated[int, typer.Option(help="Streams of text that are read side by side.")] = 16,
    threads: Annotated[int, typer.Option(help="Threads for both directions; 0: all cores.")] = 0,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda", help="Where to train.")] = "auto",
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep the training here, and go on from it."),
    ] = None,
    format: Format = None,
    name: Name = None,
    overwrite: Overwrite = False,
) -> None:
    """Train a forward and a backward character language model on raw text."""
    from scrubjay.learning.charlm_config import CharLMConfig, CharLMRun
    from scrubjay.learning.pretraining import RawText, pretrain_charlm

    source = RawText(
        paths=tuple(raw), out=out, language=language, format=format, name=name, overwrite=overwrite
    )
    config = CharLMConfig(
        hidden=hidden,
        epochs=epochs,
        min_count=min_count,
        learning_rate=learning_rate,
        optimizer=optimizer,
        batch=batch,
        seed=seed,
    )
    run = CharLMRun(minutes=minutes, threads=threads, device=device, checkpoint=checkpoint)
    with _bars() as (console, show):

        def report(point: Measurement) -> None:
            console.print(
                f"{point.direction:8} epoch {point.epoch}: {point.characters:,} characters in "
                f"{point.seconds:.0f} s, {point.bits:.3f} bits per character held out",
                highlight=False,
            )

        result = pretrain_charlm(source, config, run, progress=show, report=report)
    bits = result.manifest.metrics["held-out-bits-per-character"]
    told = ", ".join(f"{direction} {value:.3f}" for direction, value in bits.items())
    note = f"bits per character held out: {told}"
    if checkpoint is not None and result.manifest.config["ended"] == "time":
        note += "; the clock ended it, call again with more --minutes to go on"
    _finish(console, result, note)


@app.command()
def vectors(
    raw: Raw,
    out: Out,
    language: Language,
    dimension: Annotated[int, typer.Option(help="Figures for each word.")] = 100,
    window: Annotated[int, typer.Option(help="Words on each side that a word predicts.")] = 5,
    epochs: Annotated[int, typer.Option(help="Passes over the text.")] = 10,
    min_count: Annotated[int, typer.Option(help="Words seen less often get no vector.")] = 3,
    tokenizer: Annotated[str, typer.Option(help="How text becomes words.")] = "subword",
    seed: Annotated[int, typer.Option(help="Seed, recorded in the vectors.")] = 0,
    format: Format = None,
    name: Name = None,
    overwrite: Overwrite = False,
) -> None:
    """Train word vectors on raw text by skip-gram, in lower case."""
    from scrubjay.learning.pretraining import RawText, VectorConfig, pretrain_vectors

    source = RawText(
        paths=tuple(raw), out=out, language=language, format=format, name=name, overwrite=overwrite
    )
    config = VectorConfig(
        dimension=dimension, window=window, epochs=epochs, min_count=min_count, seed=seed
    )
    with _bars() as (console, show):
        result = pretrain_vectors(source, config, tokenizer=tokenizer, progress=show)
    facts = result.manifest.training_data
    _finish(console, result, f"{facts['vocabulary']:,} words of {facts['tokens']:,} tokens")


@contextmanager
def _bars() -> Iterator[tuple[Console, Callable[[str, float], None]]]:
    """Give a console on standard error and a function that moves the bar of a stage."""
    from rich.console import Console

    console = Console(stderr=True)
    with stage_bars(console) as bars:
        tasks: dict[str, Any] = {}

        def show(stage: str, share: float) -> None:
            if stage not in tasks:
                bars.start()
                tasks[stage] = bars.add_task(stage, total=1.0)
            bars.update(tasks[stage], completed=share)

        yield console, in_lines(console, show)


def _finish(console: Console, result: Pretrained, note: str) -> None:
    summary = {
        "folder": str(result.folder),
        "kind": result.manifest.kind,
        "name": result.manifest.name,
        "seconds": round(result.seconds, 1),
        "training_data": dict(result.manifest.training_data),
        "metrics": dict(result.manifest.metrics),
    }
    typer.echo(json.dumps(summary, indent=1))
    console.print(f"Saved {result.folder} in {result.seconds:.0f} s; {note}", highlight=False)
