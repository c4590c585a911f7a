"""What `deid` and `annotate` do before a run over tables, messages and resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from scrubjay.batch.run import Input


def check_input(
    source: Input, *, patient_key: str = "", keep_columns: list[str] | None = None
) -> None:
    """Raise for what can be told to be wrong now, and say once what should be known."""
    from scrubjay.batch.tables import check_tables

    facts = check_tables(source, patient_key=patient_key, keep_columns=keep_columns or ())
    for note in facts.notes():
        typer.echo(f"note: {note}", err=True)
