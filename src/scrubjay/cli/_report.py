"""What commands share to write a report: to the screen, as JSON, and as one HTML file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.cli._output import dump_json, require_writable, show_table
from scrubjay.errors import ConfigError, OutputError
from scrubjay.files import standard_stream, write_whole

if TYPE_CHECKING:
    from scrubjay.evaluation.risk import Risk
    from scrubjay.evaluation.tables import Table
    from scrubjay.reports.blocks import Page
    from scrubjay.reports.determination_facts import DeterminationFacts

JsonOption = Annotated[
    str,
    typer.Option("--json", metavar="FILE", help="Write every figure there; - is the screen."),
]
HtmlOption = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write a report there, as one HTML file."),
]
ShowTextOption = Annotated[
    bool,
    typer.Option(
        "--show-text",
        help="Put text of the documents into what is written; without it offsets and shapes.",
    ),
]
DeterminationOption = Annotated[
    Path | None,
    typer.Option(
        "--determination",
        metavar="FILE",
        help="Write the report for an expert determination there, as one HTML file.",
    ),
]
FactsOption = Annotated[
    Path | None,
    typer.Option(
        "--facts", metavar="FILE", help="TOML file of what the determination cannot measure."
    ),
]


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """Where a report goes besides the screen; with `json_on_screen` JSON takes the screen."""

    json: Path | None
    json_on_screen: bool
    html: Path | None

    @property
    def take_screen(self) -> bool:
        """Tell whether standard output is that of a file, so that no table may stand there."""
        return self.json_on_screen or any(
            path is not None and standard_stream(path) == 1 for path in (self.json, self.html)
        )


def plan_report(json_file: str, html: Path | None, *, inputs: Sequence[Path]) -> ReportFiles:
    """Return where a report goes, checked before any work is done.

    Raises `OutputError` for a file that cannot be written, that is part of an input, or that is
    named twice, and `MissingExtraError` where HTML is asked for and its renderer is absent.
    """
    from scrubjay.reports.html import require_renderer

    target = Path(json_file) if json_file not in ("", "-") else None
    on_screen = json_file == "-" or (target is not None and standard_stream(target) == 1)
    target = None if on_screen else target
    chosen = [path for path in (target, html) if path is not None]
    for path in chosen:
        require_writable(path, inputs)
    twice = len({path.resolve() for path in chosen}) < len(chosen)
    if twice or (on_screen and html is not None and standard_stream(html) == 1):
        raise OutputError("is named for JSON and for HTML", path=html, hint="Name two files")
    if html is not None:
        require_renderer()
    return ReportFiles(target, on_screen, html)


def write_report(
    files: ReportFiles,
    *,
    figures: Callable[[], Any],
    tables: Callable[[], Sequence[Table]],
    page: Callable[[], Page] | None = None,
) -> None:
    """Write what was asked for, each file whole or not at all; tables go to the screen.

    Files are their owner's alone to read: they hold ids of documents, and text where it was asked
    for.

    Each part is made only where it is needed, and all before the first file is written. JSON on
    the screen, or a page there, stands in place of the tables.
    """
    wants_json = files.json is not None or files.json_on_screen
    text = dump_json(figures()) + "\n" if wants_json else ""
    markup = _render(page()) if files.html is not None and page is not None else ""
    if files.json is not None:
        write_whole(files.json, text, private=True)
    if files.html is not None:
        write_whole(files.html, markup, private=True)
    if files.json_on_screen:
        typer.echo(text, nl=False)
    elif not files.take_screen:
        show_tables(tables())


def write_page(page: Page, target: Path) -> None:
    """Render a page and write it whole or not at all, for its owner alone."""
    write_whole(target, _render(page), private=True)


def read_facts(
    determination: Path | None, facts: Path | None, *, files: ReportFiles, inputs: Sequence[Path]
) -> DeterminationFacts:
    """Return what an expert determination is told, checked before any work is done.

    Raises `OutputError` as `plan_report` does, `MissingExtraError` without the renderer, and
    `ConfigError` for facts without a determination and for wrong facts.
    """
    from scrubjay.reports.determination_facts import DeterminationFacts, read_determination_facts
    from scrubjay.reports.html import require_renderer

    if determination is None:
        if facts is not None:
            raise ConfigError("facts serve the determination alone", hint="Give --determination")
        return DeterminationFacts()
    given = (*inputs, *([facts] if facts is not None else []))
    require_writable(determination, given)
    others = [path.resolve() for path in (files.json, files.html) if path is not None]
    if determination.resolve() in others:
        raise OutputError("is named twice", path=determination, hint="Name another file")
    require_renderer()
    return DeterminationFacts() if facts is None else read_determination_facts(facts)


def write_determination(risk: Risk, facts: DeterminationFacts, target: Path) -> None:
    """Write the report for an expert determination whole or not at all."""
    from scrubjay.reports.determination import compose_determination

    write_page(compose_determination(risk, facts), target)


def _render(page: Page) -> str:
    from scrubjay.reports.html import render_page

    return render_page(page)


def show_tables(tables: Sequence[Table]) -> None:
    """Show tables one after another, an empty line between them where no terminal draws them."""
    for number, table in enumerate(tables):
        if number and not sys.stdout.isatty():
            typer.echo()
        show_table(table.title, table.header, table.rows, text_columns=table.text_columns)
