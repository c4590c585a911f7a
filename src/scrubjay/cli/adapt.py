"""`scrubjay adapt`: fit a trained model to a few notes of one's own, and save what comes of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.cli._options import NewModel, NewName, Overwrite, TrainingFormat
from scrubjay.cli._progress import in_lines, stage_bars

if TYPE_CHECKING:
    from rich.console import Console

    from scrubjay.learning.adaptation import AdaptationRequest, AdaptationResult


def adapt(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="Name of a shipped model, or a model's folder.")
    ],
    corpora: Annotated[
        list[Path], typer.Argument(metavar="CORPUS...", help="Labelled notes of one's own.")
    ],
    out: NewModel,
    dev: Annotated[
        list[Path] | None,
        typer.Option(help="Labelled notes to measure on alone, before and after; repeatable."),
    ] = None,
    weight: Annotated[
        float | None,
        typer.Option(
            metavar="W",
            help="How far the notes may move the weights of a CRF: 0 for not at all; 0.1 if not "
            "given.",
        ),
    ] = None,
    folds: Annotated[
        int,
        typer.Option(
            min=0,
            help="Folds of the notes, to measure on what was not learned; 0 to leave that out.",
        ),
    ] = 5,
    patient_key: Annotated[
        str, typer.Option(help="Where the patient of a note stands, as for corpus split.")
    ] = "",
    seed: Annotated[int, typer.Option(help="Deals the folds; recorded in the model.")] = 0,
    language: Annotated[
        str | None, typer.Option(help="Language of the notes; refused if the model has another.")
    ] = None,
    format: TrainingFormat = None,
    name: NewName = None,
    overwrite: Overwrite = False,
) -> None:
    """Adapt a trained model to a few labelled notes, without what it was trained on.

    A CRF goes on from its weights, alone or within an ensemble. Any other model is joined by a
    CRF of the notes: see docs/adaptation.md.
    """
    from rich.console import Console

    from scrubjay.learning.adaptation import AdaptationRequest

    request = AdaptationRequest(
        model=model,
        corpora=tuple(corpora),
        out=out,
        dev=tuple(dev or ()),
        weight=weight,
        seed=seed,
        folds=folds,
        patient_key=patient_key,
        language=language,
        format=format,
        name=name,
        overwrite=overwrite,
    )
    console = Console(stderr=True)
    _summarize(_adapt_visibly(request, console), console, folds=folds)


def _adapt_visibly(request: AdaptationRequest, console: Console) -> AdaptationResult:
    from scrubjay.learning.adaptation import adapt_model

    with stage_bars(console, width=20) as bars:

        def show(stage: str, share: float) -> None:
            if not bars.tasks:
                bars.start()
                bars.add_task(stage, total=1.0)
            bars.update(bars.tasks[0].id, description=stage, completed=share)

        return adapt_model(request, progress=in_lines(console, show))


def _summarize(result: AdaptationResult, console: Console, *, folds: int) -> None:
    """Write what was made to stdout, and its figures in a line or two for the reader."""
    manifest = result.manifest
    facts = dict(manifest.training_data)
    # The manifest has the whole line of descent, which grows with each adaptation.
    facts["parent"] = {name: facts["parent"][name] for name in ("name", "manifest-sha256")}
    summary = {
        "model": str(result.folder),
        "name": manifest.name,
        "seconds": round(result.seconds, 1),
        "adaptation": result.way,
        "training_data": facts,
        "metrics": dict(manifest.metrics),
    }
    typer.echo(json.dumps(summary, indent=1))
    if result.way == "join":
        console.print(
            "This kind of model keeps no weights that training could go on from: it stays as it "
            "is, and a CRF of the notes joins it",
            highlight=False,
        )
    figures: dict[str, Any] = manifest.metrics.get("adaptation", {})
    if figures:
        console.print(
            f"Strict F1 on these notes, each unseen: {_f1(figures['before'])} before, "
            f"{_f1(figures['after'])} after ({figures['folds']} folds by {figures['by']})",
            highlight=False,
        )
    elif folds:
        console.print("No figures: the notes cannot be cut into two folds with PHI each")
    if "dev" in manifest.metrics:
        before, after = manifest.metrics["dev-before"], manifest.metrics["dev"]
        console.print(
            f"Strict F1 on dev: {_f1(before)} before, {_f1(after)} after", highlight=False
        )
    console.print(f"Saved {result.folder} in {result.seconds:.0f} s", highlight=False)
    if on := _worse(manifest.metrics):
        console.print(
            f"warning: on {on} the new model is worse than the one that it comes from. Keep that "
            "one, or adapt it with more notes, or with another --weight (smaller moves it less)",
            highlight=False,
        )


def _worse(metrics: Mapping[str, Any]) -> str:
    """Return on which notes strict F1 has fallen, "" for none."""
    own = metrics.get("adaptation", {})
    pairs = {
        "these notes, each unseen,": (own.get("before"), own.get("after")),
        "dev": (metrics.get("dev-before"), metrics.get("dev")),
    }
    fallen = [
        name
        for name, (before, after) in pairs.items()
        if before and after and (before["strict"]["f1"] or 0.0) > (after["strict"]["f1"] or 0.0)
    ]
    return " and on ".join(fallen)


def _f1(figures: dict[str, Any]) -> str:
    f1 = figures["strict"]["f1"]
    return "none" if f1 is None else f"{f1:.4f}"
