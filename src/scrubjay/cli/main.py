"""The console command: a table of commands, each loaded only when it is called."""

from __future__ import annotations

import importlib
import os
import sys
import threading
import traceback
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import typer
from typer.core import TyperGroup

from scrubjay import __version__
from scrubjay.cli._streams import flush_output, write_whole_streams
from scrubjay.errors import ScrubjayError, is_full, unwritable
from scrubjay.files import leave_no_core

EXIT_INTERRUPTED = 130
EXIT_UNEXPECTED = 70
DEBUG_VARIABLE = "SCRUBJAY_DEBUG"


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """One line of the table: where a command's function or sub-app is, and its help line."""

    target: str
    help: str


COMMANDS = {
    "deid": CommandEntry(
        "scrubjay.cli.deid:deid", "Remove PHI from documents; formats are kept on output."
    ),
    "restore": CommandEntry(
        "scrubjay.cli.restore:restore",
        "Put original texts back, from a vault that deid has written.",
    ),
    "vault": CommandEntry("scrubjay.cli.vault:app", "Describe a vault, and change its key."),
    "annotate": CommandEntry(
        "scrubjay.cli.annotate:annotate", "Find PHI and write the spans alone; text unchanged."
    ),
    "serve": CommandEntry(
        "scrubjay.cli.serve:serve", "Serve detection and de-identification over HTTP, and pages."
    ),
    "compile": CommandEntry(
        "scrubjay.cli.compile:compile_", "Compile kernels now, so that no run has to (extra fast)."
    ),
    "token": CommandEntry("scrubjay.cli.token:app", "Make, list and revoke tokens of the service."),
    "train": CommandEntry("scrubjay.cli.train:train", "Train a model on a labelled corpus."),
    "adapt": CommandEntry(
        "scrubjay.cli.adapt:adapt", "Adapt a trained model to a few notes of one's own."
    ),
    "pretrain": CommandEntry(
        "scrubjay.cli.pretrain:app", "Learn vectors or language models from raw text."
    ),
    "policy": CommandEntry(
        "scrubjay.cli.policy:app", "List, show and check policies: what replaces which label."
    ),
    "config": CommandEntry(
        "scrubjay.cli.config:app", "List, show and check configurations of what is trained."
    ),
    "evaluate": CommandEntry(
        "scrubjay.cli.evaluate:evaluate", "Score predicted spans against gold spans."
    ),
    "errors": CommandEntry(
        "scrubjay.cli.errors:errors", "Tell the errors of a system by kind, label and place."
    ),
    "compare": CommandEntry(
        "scrubjay.cli.compare:compare", "Compare systems: intervals, tests, what changed."
    ),
    "risk": CommandEntry("scrubjay.cli.risk:risk", "Tell what would leak, with bounds."),
    "audit": CommandEntry(
        "scrubjay.cli.audit:app", "Check a sample of a run by hand: size it, plan it, read it."
    ),
    "agreement": CommandEntry(
        "scrubjay.cli.agreement:agreement", "Measure how far annotators agree."
    ),
    "adjudicate": CommandEntry(
        "scrubjay.cli.adjudicate:adjudicate", "Decide where annotators disagree."
    ),
    "project": CommandEntry(
        "scrubjay.cli.project:app", "Mark documents by several people, decide, learn and audit."
    ),
    "experiment": CommandEntry(
        "scrubjay.cli.experiment:experiment", "Repeat the papers' tables and figures on a corpus."
    ),
    "convert": CommandEntry(
        "scrubjay.cli.convert:convert", "Convert a corpus to another format or label set."
    ),
    "synth": CommandEntry(
        "scrubjay.cli.synth:synth", "Write annotated notes out of a grammar of templates."
    ),
    "implant": CommandEntry(
        "scrubjay.cli.implant:implant", "Put synthetic PHI into text without annotations."
    ),
    "corpus": CommandEntry(
        "scrubjay.cli.corpus:app", "Describe and split corpora, swap their PHI, recase them."
    ),
    "rules": CommandEntry(
        "scrubjay.cli.rules:app", "Show, test, explain and replace a tagger's rules; their curve."
    ),
    "models": CommandEntry(
        "scrubjay.cli.models:app", "List, show, audit, probe, dial, turn, shrink, merge, mend."
    ),
}
"""Command name -> where it is; the order is that of the help page."""


class LazyGroup(TyperGroup):
    """A group whose commands are stubs with a help line until one of them is called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, entry in COMMANDS.items():
            self.add_command(_stub(name, entry.help))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse a call; `help` and `version`, which are no commands, stand for the options."""
        if args and args[0].lower() == "help":
            args = [*[each for each in args[1:] if not each.startswith("-")][:2], "--help"]
        elif args and args[0].lower() == "version":
            args = ["--version"]
        rest: list[str] = super().parse_args(ctx, args)
        return rest

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command of the first argument and import it.

        One by another word is asked for by its own name.
        """
        if args and args[0] not in self.commands:
            from scrubjay.cli._refusals import suggest_command
            from scrubjay.near_names import did_you_mean

            if meant := suggest_command(args[0], self.commands):
                ctx.fail(f"No such command {args[0]!r}. {did_you_mean(meant)}".rstrip())
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else load_command(name), rest

    def invoke(self, ctx: Any) -> Any:
        """Call the command; a wrong value of an option is told with what the option takes."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            from scrubjay.cli._refusals import plain_refusal

            error.message = plain_refusal(error)
            raise


def _plain_app(**settings: Any) -> typer.Typer:
    """Return an empty app whose help is plain text and that never shows local variables."""
    return typer.Typer(
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        pretty_exceptions_show_locals=False,
        **settings,
    )


def _stub(name: str, help_line: str) -> Any:
    app = _plain_app()
    app.command(name, help=help_line)(lambda: None)
    return typer.main.get_command(app)


def load_command(name: str) -> Any:
    """Import the command of that name and return it, ready to be called by its group.

    An attribute that is a `typer.Typer` becomes a group, any other a command.
    """
    module, _, attribute = COMMANDS[name].target.partition(":")
    loaded = getattr(importlib.import_module(module), attribute)
    parent = _plain_app()
    if isinstance(loaded, typer.Typer):
        parent.add_typer(loaded, name=name, help=COMMANDS[name].help, no_args_is_help=True)
    else:
        parent.command(name)(loaded)
    return typer.main.get_group(parent).commands[name]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"scrubjay {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(
        False,
        "--version",
        help="Print the version and exit.",
        callback=_print_version,
        is_eager=True,
    ),
) -> None:
    """Find protected health information in clinical text and remove it."""


app = _plain_app(cls=LazyGroup, name="scrubjay", no_args_is_help=True)
app.callback()(_root)


def printable(message: str) -> str:
    """Return a message with what is no printable character in it as an escape.

    Names of files may hold commands to the terminal, or bytes that are no text.
    """
    return "".join(
        character
        if character.isprintable() or character == "\n"
        else character.encode("unicode_escape").decode("ascii")
        for character in message
    )


def describe_unexpected(error: BaseException) -> str:
    """Return a message for an error nobody foresaw: its class and place, never its text.

    The text of an exception, and the local variables of its traceback, may quote a document.
    """
    place = _place(error.__traceback__)
    return (
        f"error: unexpected {type(error).__name__} at {place}. Its details may quote a document "
        f"and are not shown; set {DEBUG_VARIABLE}=1 to see a traceback that may hold patient text"
    )


def _place(trace: TracebackType | None) -> str:
    """Return `module:line` of the innermost frame in Scrubjay, or of the innermost of all."""
    places = [
        (str(frame.f_globals.get("__name__", "?")), line)
        for frame, line in traceback.walk_tb(trace)
    ]
    if not places:
        return "an unknown place"
    own = [place for place in places if place[0].split(".")[0] == "scrubjay"]
    module, line = (own or places)[-1]
    return f"{module}:{line}"


def _report_unexpected(error: BaseException) -> None:
    typer.echo(describe_unexpected(error), err=True)
    if os.environ.get(DEBUG_VARIABLE) == "1":
        traceback.print_exception(error)


def _guard_background_errors() -> None:
    """Keep the text of errors in threads and finalizers off the screen, too."""

    def thread_failed(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            _report_unexpected(arguments.exc_value)

    def ignored(arguments: sys.UnraisableHookArgs) -> None:
        if arguments.exc_value is not None:
            _report_unexpected(arguments.exc_value)

    threading.excepthook = thread_failed
    sys.unraisablehook = ignored


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 is success; 2 a bad call or bad input, told in one line that begins with `error:`; 130 an
    interrupt; 70 an error that nobody foresaw, of which only class and place are shown. A
    command may end with a code of its own (`deid` with 1 where a document failed).
    """
    try:
        typer.main.get_command(app).main(args=arguments, prog_name="scrubjay")
    except ScrubjayError as error:
        typer.echo(f"error: {printable(str(error))}", err=True)
        return error.exit_code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except Exception as error:
        return _report_failure(error)
    return 0


def _report_failure(error: Exception) -> int:
    if isinstance(error, OSError) and error.filename is not None:
        typer.echo(printable(f"error: {error.filename}: {error.strerror}"), err=True)
        return ScrubjayError.exit_code
    if isinstance(error, OSError) and is_full(error):  # of a stream, which has no name
        return _report_output(error)
    _report_unexpected(error)
    return EXIT_UNEXPECTED


def _report_output(error: OSError) -> int:
    """Tell why standard output takes no more; where its reader has ended, the code alone does."""
    if isinstance(error, BrokenPipeError):
        return 1
    typer.echo(f"error: {unwritable('standard output', error)}", err=True)
    return ScrubjayError.exit_code


def main() -> None:
    """Run the console command and leave the process with its exit code."""
    leave_no_core()
    write_whole_streams()
    _guard_background_errors()
    code = run()
    if (error := flush_output()) is not None and not code:
        code = _report_output(error)
    sys.exit(code)


if __name__ == "__main__":
    main()
