"""`scrubjay compile`: compile kernels now, so that no run has to."""

from __future__ import annotations

import time
from typing import Annotated

import typer


def compile_(
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MODEL",
            help="Models to read with, such as your own (default: those that ship without a "
            "network, whose kernels the others share).",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Compile the kernels of the extra fast now, so that no run, service or task has to.

    A model finds PHI several times as fast with them; without this command a machine compiles them
    when a run has met enough text. They are kept in the package's folder where it can be written
    to, else in that of the user's caches, or in NUMBA_CACHE_DIR where that is set, for this kind
    of processor. A second call finds them there. docs/runs.md tells more.
    """
    from rich.console import Console
    from rich.progress import (
        Progress,
        ProgressColumn,
        SpinnerColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.text import Text

    from scrubjay.batch.kernels import compile_kernels
    from scrubjay.errors import counted
    from scrubjay.kernel_cache import TALLY

    class Kernels(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(counted(TALLY.used, "kernel"))

    columns = (SpinnerColumn(), TextColumn("{task.description}"), Kernels(), TimeElapsedColumn())
    begin = time.monotonic()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        line = bars.add_task("", total=None)
        done = compile_kernels(
            models or (), tell=lambda name: bars.update(line, description=f"reading with {name}")
        )
    place = " and ".join(map(str, done.folders))
    if done.compiled:
        seconds = time.monotonic() - begin
        typer.echo(f"compiled {counted(done.compiled, 'kernel')} in {seconds:.0f} s, in {place}")
    if done.kept_before:
        typer.echo(f"{counted(done.kept_before, 'kernel')} were there already, in {place}")
