"""Where `deid`, `annotate` and `restore` write: the output folder, the summary, what lies there."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from scrubjay.cli._summary import show_summary

if TYPE_CHECKING:
    from scrubjay.batch.sink import Output
    from scrubjay.batch.summary import RunSummary


_MOST_COUNTED = 10_000
_LONG_SECONDS = 30.0
"""A run that takes as long is told what would make it faster."""


def alike(delimiter: str) -> dict[str, str]:
    """Return the options of a writer of tables that separates columns as the input does."""
    return {"delimiter": delimiter} if delimiter else {}


def make_output(
    out: Path | None,
    *,
    format: str | None,
    encoding: str,
    existing: Literal["replace", "error"],
    options: dict[str, Any],
    permissions: Literal["private", "umask"] = "private",
) -> Output:
    """Return the output of a run: the folder, or standard output for standard input alone."""
    from scrubjay.batch.sink import Output

    place = out if out is not None else sys.stdout.buffer
    return Output(
        place,
        format=format,
        existing=existing,
        encoding=encoding or None,
        options=options,
        permissions=permissions,
    )


def require_out(out: Path | None, paths: list[str]) -> None:
    """Raise `ConfigError` where there is no output folder, and not standard input alone to read.

    So it does for an input without a name: a variable of the shell that was not set would be the
    folder one is in.
    """
    from scrubjay.errors import ConfigError

    if not all(paths):
        raise ConfigError(
            "the name of an input is empty", hint="Was a variable of the shell not set?"
        )
    if out is None and paths != ["-"]:
        raise ConfigError(
            "the output folder is missing",
            hint="Give --out DIR; only standard input (-) alone goes to standard output",
        )


def tell_existing(
    out: Path | None, inputs: list[str], *, existing: str, resume: bool = False
) -> None:
    """Tell once what lies in the output folder already, and what becomes of it.

    An interrupted run that lies there tells of itself; where none does, `resume` has it told.
    Raises `OutputError` for a folder that is part of the input, or cannot be written.
    """
    from scrubjay.batch.resume import WORK
    from scrubjay.batch.sink import count_files, require_place

    if out is None:
        return
    require_place(out, inputs)
    if (out / WORK).exists():
        return
    if not out.is_dir() or not (count := count_files(out, most=_MOST_COUNTED)):
        if resume:
            typer.echo("note: no run was interrupted there: all documents are new", err=True)
        return
    more = "or more " if count == _MOST_COUNTED else ""
    files = "1 file" if count == 1 else f"{count:,} {more}files"
    again = "no run was interrupted there, and all is done anew: " if resume else ""
    what = (
        f"{again}those of the same names are replaced once all documents are done, others stay. "
        "Give --existing error to have none replaced, or another folder"
        if existing == "replace"
        else f"{again}with --existing error the run fails at its end where it would replace one"
    )
    typer.echo(f"note: the output folder holds {files} already; {what}", err=True)


def require_summary(summary: Path | None, *, inputs: list[str], out: Path | None) -> None:
    """Raise `OutputError` where a summary cannot be written, or would stand among documents."""
    from scrubjay.cli._output import require_writable
    from scrubjay.errors import OutputError
    from scrubjay.files import standard_stream

    if summary is None:
        return
    if out is not None and summary.resolve() == out.resolve():
        raise OutputError("is the output folder", path=summary, hint="Name a file, in it or beside")
    to_stdout = str(summary) == "-"
    if not to_stdout:
        # The run makes its output folder, with the summary in it if that is to lie there.
        place = out if out is not None and _lies_in(summary, out) and not out.exists() else summary
        require_writable(place, [Path(path) for path in inputs if path != "-"])
    if out is None and (to_stdout or standard_stream(summary) == 1):
        raise OutputError(
            "is the standard output, where the documents go", path=summary, hint="Name a file"
        )


def require_list(file: Path | None, *, inputs: list[str]) -> None:
    """Raise `OutputError` where a list of what a run did cannot be written."""
    from scrubjay.cli._output import require_writable

    if file is not None:
        require_writable(file, [Path(path) for path in inputs if path != "-"])


def finish(
    context: typer.Context, summary: RunSummary, *, file: Path | None, startup: float
) -> None:
    """Show the summary on standard error, write it as JSON, and leave with its exit code.

    `startup` are the seconds that went before the run.
    """
    from scrubjay.cli._languages import tell_call

    summary = replace(summary, startup_seconds=startup)
    if file is not None and summary.other_files and _is_below(file, Path(summary.output)):
        # A summary of an earlier run, which is about to be replaced.
        summary = replace(summary, other_files=summary.other_files - 1)
    out = None if summary.output == "-" else Path(summary.output)
    write_summary(summary.to_text(), file, out=out)
    show_summary(summary)
    tell_faster(context.params["model"], seconds=summary.seconds)
    tell_call(context, summary)
    raise typer.Exit(summary.exit_code)


def tell_faster(model: str, *, seconds: float) -> None:
    """Tell on standard error, after a long run, that the extra `fast` would make it a shorter one.

    Nothing where it is installed.
    """
    from scrubjay.errors import tell_install
    from scrubjay.models import describe_model

    if seconds < _LONG_SECONDS or find_spec("numba") is not None:
        return
    faster = "faster" if describe_model(model).extra else "several times as fast"
    typer.echo(
        f"note: with the extra 'fast', long runs of this model are {faster}. "
        f"{tell_install('fast')}",
        err=True,
    )


def _lies_in(file: Path, folder: Path) -> bool:
    """Tell whether a file, which need not be there, is to lie in a folder itself."""
    return file.resolve().parent == folder.resolve()


def write_summary(text: str, file: Path | None, *, out: Path | None = None) -> None:
    """Write a summary to a file, if there is one, or to standard output (`-`).

    The file is its owner's alone to read: it holds ids of documents and names of files. Where it
    lies in the output folder `out`, that is made for it.
    """
    from scrubjay.files import write_whole

    if file is not None and str(file) == "-":
        typer.echo(text, nl=False)
    elif file is not None:
        if out is not None and _lies_in(file, out):
            out.mkdir(mode=0o700, exist_ok=True)  # no document was written
        write_whole(file, text, private=True)


def _is_below(file: Path, folder: Path) -> bool:
    """Tell whether there is such a file below a folder, not hidden."""
    place, root = file.resolve(), folder.resolve()
    return place.is_file() and root in place.parents and not place.name.startswith(".")
