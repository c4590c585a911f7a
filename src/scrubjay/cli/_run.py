"""What `deid` and `annotate` share: their options, the model, progress and the summary."""

from __future__ import annotations

import hashlib
import hmac
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

import typer

if TYPE_CHECKING:
    from scrubjay.batch.run import Input, Processor
    from scrubjay.batch.setup import AnnotateSetup, DeidSetup
    from scrubjay.batch.sink import Output
    from scrubjay.batch.summary import RunSummary
    from scrubjay.deidentifier import Deidentifier

SHOWN_FAILURES = 20

Inputs = Annotated[
    list[str],
    typer.Argument(metavar="INPUT", help="Files or folders; - is standard input."),
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="The output folder. Without it, INPUT is - alone."),
]
ModelOption = Annotated[
    str, typer.Option(metavar="NAME|DIR", help="A shipped model, or the folder of one.")
]
FormatOption = Annotated[str, typer.Option(help="The format of the input (auto-detected).")]
EncodingOption = Annotated[str, typer.Option(help="The encoding of the input.")]
TextColumn = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="The column or key that holds the text; repeated, the texts of a row are one "
        "document.",
    ),
]
IdColumn = Annotated[
    str, typer.Option(metavar="NAME", help="The column or key that holds the document's id.")
]
RecallDial = Annotated[
    float | None,
    typer.Option(metavar="X", help="Above the model's own: find more; below: find less."),
]
MinScore = Annotated[
    float | None,
    typer.Option(metavar="P", help="Leave out spans with a lower probability (0 to 1)."),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", help="Fail a document that takes longer, or crashes the process."
    ),
]
ExistingOption = Annotated[
    Literal["replace", "error"],
    typer.Option(help="What to do with output files that are there already."),
]
PermissionsOption = Annotated[
    Literal["private", "umask"],
    typer.Option(help="Who may read new files: the owner alone, or whoever the umask lets."),
]
SummaryOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the summary there, as JSON.")
]


def make_input(
    paths: list[str], *, format: str, encoding: str, text_column: list[str] | None, id_column: str
) -> Input:
    """Return the input of a run; options that were not given are left to the reader."""
    from scrubjay.batch.run import Input

    texts = text_column[0] if text_column and len(text_column) == 1 else text_column
    given = {"encoding": encoding, "text_column": texts, "id_column": id_column}
    options: dict[str, Any] = {name: value for name, value in given.items() if value}
    return Input(tuple(paths), format=format or None, options=options)


def make_output(
    out: Path | None,
    paths: list[str],
    *,
    format: str | None,
    encoding: str,
    existing: Literal["replace", "error"],
    options: dict[str, Any],
    permissions: Literal["private", "umask"] = "private",
) -> Output:
    """Return the output of a run: the folder, or standard output for standard input alone."""
    from scrubjay.batch.sink import Output
    from scrubjay.errors import ConfigError

    place = out if out is not None else sys.stdout.buffer
    if out is None and paths != ["-"]:
        raise ConfigError(
            "the output folder is missing",
            hint="Give --out DIR; only standard input (-) alone goes to standard output",
        )
    return Output(
        place,
        format=format,
        existing=existing,
        encoding=encoding or None,
        options=options,
        permissions=permissions,
    )


@contextmanager
def open_deidentifier(
    setup: DeidSetup | AnnotateSetup, time_limit: float | None
) -> Iterator[tuple[Processor, Deidentifier]]:
    """Give what processes documents, and it, or its shape, in this process.

    With a limit of time it is in a worker, which is ended with the block.
    """
    if time_limit is None:
        deidentifier = setup.make()
        yield deidentifier, deidentifier
        return
    from scrubjay.batch.limited import limited

    shape = setup.shape()
    with limited(setup.make, shape, seconds=time_limit) as worker:
        yield worker, shape


def hash_model(folder: Path) -> str:
    """Return the SHA-256 of a model's manifest, which holds those of all its files."""
    from scrubjay.artifacts import MANIFEST

    return hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()


def key_check(key: bytes) -> str:
    """Return a mark of a key, by which another key can be told; the key cannot be found by it."""
    return hmac.digest(key, b"scrubjay run", "sha256").hex()[:16]


def file_states(files: Iterable[Path | None]) -> list[str]:
    """Return a mark of each file that changes when the file does, "" for None."""
    from scrubjay.batch.resume import input_state

    return ["" if file is None else input_state([str(file)]) for file in files]


class Countable(Protocol):
    """What a run has counted, by the name of what it is."""

    def counts(self) -> Mapping[str, int]:
        """Return the counts, in the order in which they are shown."""


@contextmanager
def progress() -> Iterator[Callable[[Countable], None]]:
    """Give a function that shows how far a run is, on standard error if that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("reading")
        shown = 0.0

        def report(tally: Countable) -> None:
            nonlocal shown
            now = time.monotonic()
            if now - shown >= 0.1:
                shown = now
                told = (f"{count:,} {name}" for name, count in tally.counts().items())
                bar.update(task, description=", ".join(told))

        yield report


def finish(summary: RunSummary, *, file: Path | None, to_stdout: bool) -> None:
    """Show the summary, write it, and leave with its exit code.

    The JSON goes to the file, or to standard output where that is free of documents; the table
    goes to standard error.
    """
    from scrubjay.cli._output import write_file

    if file is not None:
        write_file(file, summary.to_text())
    elif to_stdout:
        typer.echo(summary.to_text(), nl=False)
    _show(summary)
    raise typer.Exit(summary.exit_code)


def _show(summary: RunSummary) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
    table = Table("label", "spans", title=f"{summary.command}, model {summary.model}")
    table.columns[1].justify = "right"
    for label, count in summary.labels.items():
        table.add_row(label, f"{count:,}")
    table.add_section()
    table.add_row("all", f"{sum(summary.labels.values()):,}")
    console.print(table)
    facts = summary.to_json()
    console.print(
        f"{summary.documents:,} documents, {len(summary.failures):,} failed; "
        f"{summary.characters:,} characters in {summary.seconds:.2f} s "
        f"({facts['documents_per_second'] or 0:,.0f} documents/s); written to {summary.output}"
    )
    proof = facts["proof"]
    if proof is not None:
        stayed = ", ".join(f"{count:,} {name}" for name, count in proof["exceptions"].items())
        console.print(
            f"proved: {proof['documents']:,} documents; {proof['searched']:,} mentions searched "
            f"for, none left; exceptions: {stayed}"
        )
    for failure in summary.failures[:SHOWN_FAILURES]:
        console.print(f"failed: {failure.id!r} ({failure.stage}: {failure.code})", style="red")
    if len(summary.failures) > SHOWN_FAILURES:
        console.print(f"... and {len(summary.failures) - SHOWN_FAILURES:,} more, see the summary")
