"""The commands of `scrubjay project` about learning: retrain, watch, choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._options import AsJson
from scrubjay.cli._project import Folder, Shown, print_json
from scrubjay.errors import counted
from scrubjay.evaluation.counts import show_ratio

if TYPE_CHECKING:
    from scrubjay.review.project import Project
    from scrubjay.review.records import Run

RunNumber = Annotated[int, typer.Argument(metavar="RUN", help="Number of the run.")]
Background = Annotated[
    bool, typer.Option("--background", help="In a process of its own, and return at once.")
]


def add_to(app: typer.Typer) -> None:
    """Add the commands to the group."""
    for command in (learn, runs, resume, cancel, choose, curve):
        app.command()(command)


def learn(
    project: Folder,
    base: Annotated[
        str, typer.Option(metavar="MODEL", help="The model to begin with; else the project's.")
    ] = "",
    dev_share: Annotated[
        float, typer.Option(help="The share of accepted documents that is kept to measure on.")
    ] = 0.2,
    weight: Annotated[
        float | None, typer.Option(help="How far the notes may move a CRF, as for adapt.")
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="Folds of the notes, as for adapt.")] = 3,
    seed: Annotated[int, typer.Option(help="Deals the folds.")] = 0,
    auto: Annotated[
        bool, typer.Option("--auto", help="Let the new model suggest as soon as it is done.")
    ] = False,
    background: Background = False,
    as_json: AsJson = False,
) -> None:
    """Retrain the model on the accepted documents, and measure it on those held out."""
    from scrubjay.review.learn import LearnRequest
    from scrubjay.review.project import Project

    request = LearnRequest(
        base=base, dev_share=dev_share, weight=weight, folds=folds, seed=seed, auto=auto
    )
    with Project.open(project) as opened:
        if background:
            run = opened.retraining.start(request, background=True)
        else:
            run = _visibly(opened, lambda: opened.retraining.start(request))
    _tell(run, as_json)


def _visibly(opened: Project, work: Callable[[], Run]) -> Run:
    """Do a run in a thread, and show how far it is; an interrupt cancels it."""
    from concurrent.futures import ThreadPoolExecutor
    from concurrent.futures import TimeoutError as NotYet

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:24}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars, ThreadPoolExecutor(1) as pool:
        task = bars.add_task("begin", total=1.0)
        future = pool.submit(work)
        while True:
            try:
                return future.result(timeout=0.3)
            except NotYet:
                going = [one for one in opened.retraining.runs() if one.state == "running"]
                for one in going:
                    bars.update(task, description=one.stage, completed=one.share)
            except KeyboardInterrupt:
                for one in opened.retraining.runs():
                    if one.state == "running":
                        opened.retraining.cancel(one.number)


def _tell(run: Run, as_json: bool) -> None:
    if as_json:
        print_json(run)
    else:
        typer.echo(f"run {run.number}: {run.state}, {counted(run.train, 'document')} to learn from")
        for name in ("before", "after"):
            if name in run.metrics:
                figures = run.metrics[name]
                typer.echo(
                    f"{name}: strict F1 {show_ratio(figures['f1'])}, recall of tokens "
                    f"{show_ratio(figures['token_recall'])} on {counted(run.dev, 'document')}"
                )
    if run.error:
        typer.echo(f"error: {run.error}", err=True)
    if run.state == "failed":
        raise typer.Exit(2)


def runs(project: Folder, as_json: AsJson = False) -> None:
    """List the runs of learning: how far they are, and what came of them."""
    from scrubjay.cli._output import show_table
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        found = opened.retraining.runs()
    if as_json:
        print_json(found)
        return
    rows = [
        (one.state + (" (chosen)" if one.chosen else ""), one.stage or "-", one.error or "-",
         str(one.number), f"{one.share:.0%}", str(one.train), str(one.dev))
        for one in found
    ]  # fmt: skip
    header = ("state", "stage", "error", "run", "share", "train", "dev")
    show_table("Runs", header, rows, text_columns=3)


def resume(
    project: Folder, run: RunNumber, background: Background = False, as_json: AsJson = False
) -> None:
    """Go on with a run that was interrupted or cancelled, or failed."""
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        if background:
            found = opened.retraining.resume(run, background=True)
        else:
            found = _visibly(opened, lambda: opened.retraining.resume(run))
    _tell(found, as_json)


def cancel(project: Folder, run: RunNumber) -> None:
    """Ask a run to stop."""
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        found = opened.retraining.cancel(run)
    typer.echo(f"run {run}: {'stops' if found.state == 'running' else found.state}")


def choose(project: Folder, run: RunNumber, shown: Shown = "all") -> None:
    """Make the model of a run the project's own, and let it suggest in open documents."""
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        found = opened.retraining.choose(run, shown=shown)
    typer.echo(
        f"{counted(found.suggestions, 'suggestion')} in {counted(found.documents, 'document')}"
    )


def curve(project: Folder, as_json: AsJson = False) -> None:
    """Show what each retraining gave on the accepted documents held out."""
    from scrubjay.cli._output import show_table
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        points = opened.retraining.curve()
    if as_json:
        print_json(points)
        return
    rows = [
        (str(one.run), str(one.train), str(one.dev),
         *map(show_ratio, (one.precision, one.recall, one.f1, one.token_recall)))
        for one in points
    ]  # fmt: skip
    header = ("run", "train", "dev", "precision", "recall", "F1", "token recall")
    show_table("Dev curve", header, rows, text_columns=0)
