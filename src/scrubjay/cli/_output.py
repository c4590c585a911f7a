"""What commands share to show tables and figures, and to look at the place of a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from scrubjay.errors import OutputError

Row = Sequence[str]

_BLOCKS = "▁▂▃▄▅▆▇█"


def require_writable(target: Path, inputs: Sequence[Path]) -> Path:
    """Return the path of a file to write, or raise `OutputError` before any work is done."""
    if str(target) == "-":
        raise OutputError(
            "this cannot go to the screen", path=target, hint="Give the name of a file"
        )
    if target.is_dir():
        raise OutputError("is a folder", path=target, hint="Give the name of a file")
    if not target.parent.is_dir():
        raise OutputError("its folder does not exist", path=target, hint="Create it first")
    place = target.resolve()
    for source in inputs:
        if source.resolve() in (place, *place.parents):
            raise OutputError("is part of the input", path=target, hint="Write it elsewhere")
    return target


def dump_json(value: Any, *, indent: int = 0) -> str:
    """Return a JSON value as text, one line for each key, item or record of plain values.

    Long lists are written many times faster than by the indentation of `json`.
    """
    pad = " " * (indent + 1)
    if isinstance(value, dict) and any(isinstance(one, dict | list) for one in value.values()):
        parts = (
            f"{pad}{json.dumps(str(key), ensure_ascii=False)}: {dump_json(one, indent=indent + 1)}"
            for key, one in value.items()
        )
        return "{\n" + ",\n".join(parts) + f"\n{' ' * indent}}}"
    if isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        parts = (pad + json.dumps(one, ensure_ascii=False) for one in value)
        return "[\n" + ",\n".join(parts) + f"\n{' ' * indent}]"
    return json.dumps(value, ensure_ascii=False)


def show_size(count: int) -> str:
    """Return a number of bytes as people read it: 5.9 MB."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.1f} kB"


def sparkline(values: Sequence[float]) -> str:
    """Return figures as a row of blocks, the least as the lowest and the greatest as the highest.

    Of more than 60 the first and every later one at even distances are shown.
    """
    if len(values) > 60:
        values = [values[round(place * (len(values) - 1) / 59)] for place in range(60)]
    least, greatest = min(values), max(values)
    if least == greatest:
        return _BLOCKS[-1] * len(values)
    top = len(_BLOCKS) - 1
    return "".join(_BLOCKS[round((value - least) / (greatest - least) * top)] for value in values)


def show_table(title: str, header: Row, rows: Sequence[Row], *, text_columns: int = 1) -> None:
    """Show a table; the first `text_columns` are words, the others figures.

    Where the output is no terminal, the table is tab-separated lines below `# title`.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not console.is_terminal:
        typer.echo("\n".join([f"# {title}", *("\t".join(row) for row in (header, *rows))]))
        return
    table = Table(title=Text(title), title_justify="left")
    for column, name in enumerate(header):
        table.add_column(Text(name), justify="left" if column < text_columns else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)
