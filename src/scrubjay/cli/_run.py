"""What `deid` and `annotate` share: their options, the model, progress and the summary."""

from __future__ import annotations

import hashlib
import hmac
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scrubjay.cli._summary import show_summary

if TYPE_CHECKING:
    from scrubjay.batch.input import Input
    from scrubjay.batch.setup import AnnotateSetup, DeidSetup
    from scrubjay.batch.sink import Output
    from scrubjay.batch.stopping import Stop
    from scrubjay.batch.summary import RunSummary
    from scrubjay.batch.workers import Workers
    from scrubjay.deidentifier import Deidentifier

_LOOK_SECONDS = 0.2
_MOST_COUNTED = 10_000
_GO_ON = "the same call with --resume goes on where it was"
_AGAIN = "give the same call again: no document was done yet, and nothing is left behind"
_STOPPING = b"stopping in a moment; once more stops at once\n"
_ENDING = b"all documents are done, the last steps are finished; once more stops at once\n"

Inputs = Annotated[
    list[str],
    typer.Argument(metavar="INPUT", help="Files or folders; - is standard input."),
]


def _folder(name: str) -> Path:
    """Return the path of a folder; refuse an empty name, which would be the folder one is in."""
    if not name:
        raise typer.BadParameter("the name is empty: was a variable of the shell not set?")
    return Path(name)


Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        parser=_folder,
        help="The output folder. Without it, INPUT is - alone.",
    ),
]
DEFAULT_MODEL = "en"
"""The model of a run where none is named."""
ModelOption = Annotated[
    str, typer.Option(metavar="NAME|DIR", help="A shipped model, or the folder of one.")
]
FormatOption = Annotated[str, typer.Option(help="The format of the input (auto-detected).")]
EncodingOption = Annotated[
    str, typer.Option(help="The encoding of the input (utf-8), such as latin-1 or cp1252.")
]
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
Delimiter = Annotated[
    str,
    typer.Option(
        metavar="CHAR",
        help="What separates the columns of a CSV, in and out: ; or tab (a comma).",
    ),
]
RecallDial = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="The recall dial, -20 to 20, useful from 0 to 3: a greater number finds more, a "
        "smaller one less (default: the model's own, which scrubjay models info shows).",
    ),
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
WorkersOption = Annotated[
    int,
    typer.Option(
        "--workers", metavar="N", help="Work in so many processes; 1 is this one, 0 one a core."
    ),
]
MemoryLimit = Annotated[
    str,
    typer.Option(
        metavar="SIZE", help="Fail a document that needs more memory in a worker, such as 2G."
    ),
]
ExistingOption = Annotated[
    Literal["replace", "error"],
    typer.Option(help="What to do with output files that are there already."),
]
SummaryOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the summary there, as JSON; - is standard output."),
]


def make_input(
    paths: list[str],
    *,
    format: str,
    encoding: str,
    text_column: list[str] | None,
    id_column: str,
    delimiter: str = "",
) -> Input:
    """Return the input of a run; options that were not given are left to the reader."""
    from scrubjay.batch.input import Input
    from scrubjay.corpora.unmarked import passing_rtf, passing_tables, passing_tags

    texts = text_column[0] if text_column and len(text_column) == 1 else text_column
    given = {"encoding": encoding, "text_column": texts, "id_column": id_column}
    given |= {"delimiter": delimiter}
    options: dict[str, Any] = {name: value for name, value in given.items() if value}
    looks = [partial(passing_rtf, tell=_tell_rtf)]
    if not format:
        looks += [partial(passing_tags, tell=_tell_tags), partial(passing_tables, tell=_tell_table)]
    source = Input(tuple(paths), format=format or None, options=options, looks=tuple(looks))
    if options:
        _require_known(options, source.formats())
    return source


def _tell_rtf() -> None:
    typer.echo(
        "warning: texts are RTF, in which letters with accents and the looks of words are written "
        "as codes: names with such codes in them are not found. Make plain text of them first",
        err=True,
    )


def _tell_table() -> None:
    typer.echo(
        "warning: what was read as plain text begins like a table, and all of its rows are one "
        "document: patients are not told apart. If it is a table, call it .csv (.tsv with tabs), "
        "or give a single one with --format csv or tsv (if it is a note, --format text)",
        err=True,
    )


def _tell_tags() -> None:
    from scrubjay.corpora.unmarked import TAGS

    typer.echo(
        f"warning: there are tags in what was read as plain text, such as {TAGS}: they stay in the "
        "output, and so does what is in them where nothing finds it. If they mark spans, give "
        "--format inline (and if they belong to the text, --format text)",
        err=True,
    )


def _require_known(options: Iterable[str], formats: Iterable[str]) -> None:
    """Raise `ConfigError` for an option, as it is called here, that no reader of a format has."""
    from scrubjay.corpora import FORMATS, find_format
    from scrubjay.errors import ConfigError

    for name in sorted(formats):
        for option in sorted(set(options) - set(find_format(name).read_options())):
            known = [other for other in FORMATS if option in find_format(other).read_options()]
            few = len(known) <= len(FORMATS) / 2
            raise ConfigError(
                f"--{option.replace('_', '-')} means nothing for the format {name!r}",
                hint=(f"It is for {', '.join(known)}. " if few else "")
                + "Leave it out, or name the format of the input with --format",
            )


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
    out: Path | None, inputs: list[str], *, existing: str, resume: bool | None = None
) -> None:
    """Tell once what lies in the output folder already, and what becomes of it.

    An interrupted run that lies there tells of itself. Raises `OutputError` for a folder that is
    part of the input, or cannot be written.
    """
    from scrubjay.batch.resume import WORK
    from scrubjay.batch.sink import count_files, require_place

    if out is None:
        return
    require_place(out, inputs)
    if not out.is_dir() or (out / WORK).exists():
        return
    if not (count := count_files(out, most=_MOST_COUNTED)):
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
        require_writable(summary, [Path(path) for path in inputs if path != "-"])
    if out is None and (to_stdout or standard_stream(summary) == 1):
        raise OutputError(
            "is the standard output, where the documents go", path=summary, hint="Name a file"
        )


@dataclass(frozen=True)
class Limits:
    """How the work of a run is spread over processes, and what each document may take."""

    workers: int = 1
    seconds: float | None = None
    memory: str = ""

    @property
    def are_set(self) -> bool:
        """Tell whether the work needs processes of its own."""
        return self.workers != 1 or self.seconds is not None or bool(self.memory)

    def facts(self) -> dict[str, Any]:
        """Return what a summary tells of the limits, and a run that goes on must agree with."""
        return {"time_limit": self.seconds, "memory_limit": self.memory or None}


@contextmanager
def open_work(
    setup: DeidSetup | AnnotateSetup, limits: Limits, *, vault: bool = False
) -> Iterator[tuple[Deidentifier, Workers | None]]:
    """Give the de-identifier of a run, or its shape and the workers that hold it.

    The workers are ended with the block.
    """
    from scrubjay.batch.loading import loading

    if not limits.are_set:
        with loading():
            made = setup.make()
        yield made, None
        return
    from scrubjay.batch.setup import DeidSetup
    from scrubjay.batch.size import parse_size
    from scrubjay.batch.workers import TOGETHER, Workers
    from scrubjay.cores import available_cores

    memory = parse_size(limits.memory, what="the memory limit") if limits.memory else None
    make = (
        partial(setup.make_work, vault=vault) if isinstance(setup, DeidSetup) else setup.make_work
    )
    shape = setup.shape()
    if limits.seconds is not None:
        shape = replace(shape, batch_documents=TOGETHER)
    count = limits.workers or available_cores()
    with Workers(make, count=count, seconds=limits.seconds, memory=memory) as workers:
        yield shape, workers


@contextmanager
def stopping(*, resumable: bool) -> Iterator[Stop]:
    """Give what tells whether to stop: a run that can be resumed notes what is done first.

    Batches that are open have a moment to end in; what takes longer is broken off. A second Ctrl-C
    or SIGTERM, the first one while the model is loaded, and that of another run, end it at once; in
    no case is there a file that is half-written. After SIGTERM the exit code is 143.
    """
    from scrubjay.batch.stopping import GRACE_SECONDS, Stop
    from scrubjay.errors import FullDiskError, WorkerError

    stop = Stop()
    asked: list[int] = []

    def ask(number: int, frame: object) -> None:
        asked.append(number)
        if not stop.ask() or not resumable:
            raise KeyboardInterrupt
        # No stream of Python may be written to in a handler of signals.
        os.write(2, _ENDING if stop.ending else _STOPPING)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS, _LOOK_SECONDS)

    def look(number: int, frame: object) -> None:
        if stop.may_break:
            raise KeyboardInterrupt

    with ExitStack() as stack:
        if threading.current_thread() is threading.main_thread():
            handlers = {signal.SIGINT: ask, signal.SIGTERM: ask}
            if hasattr(signal, "setitimer"):
                handlers[signal.SIGALRM] = look
            for number, handler in handlers.items():
                stack.callback(signal.signal, number, signal.signal(number, handler))
            if hasattr(signal, "setitimer"):
                stack.callback(signal.setitimer, signal.ITIMER_REAL, 0.0)
        try:
            yield stop
        except (FullDiskError, WorkerError):
            if resumable:
                typer.echo(f"when that is mended, {_GO_ON if stop.kept else _AGAIN}", err=True)
            raise
        except KeyboardInterrupt:
            if resumable:
                goes_on = _GO_ON if stop.kept else "this call had done no document yet"
                typer.echo(f"interrupted; {goes_on}", err=True)
            if signal.SIGTERM in asked:
                raise SystemExit(128 + signal.SIGTERM) from None
            raise


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


def finish(context: typer.Context, summary: RunSummary, *, file: Path | None) -> None:
    """Show the summary on standard error, write it as JSON, and leave with its exit code."""
    from scrubjay.cli._languages import tell_call

    if file is not None and summary.other_files and _is_below(file, Path(summary.output)):
        # A summary of an earlier run, which is about to be replaced.
        summary = replace(summary, other_files=summary.other_files - 1)
    write_summary(summary.to_text(), file)
    show_summary(summary)
    tell_call(context, summary)
    raise typer.Exit(summary.exit_code)


def write_summary(text: str, file: Path | None) -> None:
    """Write a summary to a file, if there is one, or to standard output (`-`).

    The file is its owner's alone to read: it holds ids of documents and names of files.
    """
    from scrubjay.files import write_whole

    if file is not None and str(file) == "-":
        typer.echo(text, nl=False)
    elif file is not None:
        write_whole(file, text, private=True)


def _is_below(file: Path, folder: Path) -> bool:
    """Tell whether there is such a file below a folder, not hidden."""
    place, root = file.resolve(), folder.resolve()
    return place.is_file() and root in place.parents and not place.name.startswith(".")
