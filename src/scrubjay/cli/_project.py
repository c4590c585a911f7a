"""What the commands of review projects share: their arguments, and how they show records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

Folder = Annotated[
    Path, typer.Argument(metavar="PROJECT", help="Folder of the project.", show_default=False)
]
Shown = Annotated[
    str,
    typer.Option(
        metavar="all|none|half",
        help="To which documents suggestions are shown; half of them by lots, to measure time.",
    ),
]


def print_json(value: Any) -> None:
    """Print a record, or several, as JSON."""
    from scrubjay.review.records import to_json

    typer.echo(json.dumps(to_json(value), indent=1, ensure_ascii=False))


def show_facts(title: str, facts: Sequence[tuple[str, Any]]) -> None:
    """Show facts as a table of two columns."""
    from scrubjay.cli._output import show_table

    rows = [(name, str(value)) for name, value in facts]
    show_table(title, ("fact", "value"), rows, text_columns=2)
