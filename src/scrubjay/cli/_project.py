"""What the commands of review projects share: their arguments, and how they show records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from scrubjay.cli import _output

Folder = Annotated[
    Path, typer.Argument(metavar="PROJECT", help="Folder of the project.", show_default=False)
]
Shown = Annotated[
    Literal["all", "none", "half"],
    typer.Option(
        help="To which documents suggestions are shown; half of them by lots, to measure time.",
    ),
]


def print_json(value: Any) -> None:
    """Print a record, or several, as JSON."""
    from scrubjay.review.records import to_json

    _output.print_json(to_json(value))


def show_facts(title: str, facts: Sequence[tuple[str, Any]]) -> None:
    """Show facts as a table of two columns."""
    rows = [(name, str(value)) for name, value in facts]
    _output.show_table(title, ("fact", "value"), rows, text_columns=2)
