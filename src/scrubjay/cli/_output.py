"""What commands share to show tables and figures, and to look at the place of a file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from scrubjay.errors import OutputError
from scrubjay.files import is_device

if TYPE_CHECKING:
    from rich.table import Table

    from scrubjay.corpora.passed import PassedOver

Row = Sequence[str]

_BLOCKS = "▁▂▃▄▅▆▇█"
_FRAME = 3
"""The cells of a line that a column takes besides its own: a blank on each side, and a bar."""


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
    # A file is replaced by another in its folder; a device, a pipe or a stream is written to.
    if not os.access(target if is_device(target) else target.parent, os.W_OK):
        raise OutputError("cannot be written (Permission denied)", path=target)
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


def print_json(value: Any, *, indent: int | None = 1) -> None:
    """Print a JSON value on standard output; without `indent` on one line."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=indent))


def tell_passed(passed: PassedOver) -> None:
    """Tell on standard error how many files of folders were not read, if there are any."""
    if told := passed.describe():
        typer.echo(f"warning: {told}", err=True)


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

    Where the output is no terminal, the table is tab-separated lines below `# title`. On one that
    is too narrow, words and headings go over several lines and figures into several tables, one
    below the other, each with the words; no figure is shortened.
    """
    from rich.cells import cell_len
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        typer.echo("\n".join([f"# {title}", *("\t".join(row) for row in (header, *rows))]))
        return
    columns = list(zip(header, *rows, strict=True))
    natural = [max(map(cell_len, column)) for column in columns]
    if sum(width + _FRAME for width in natural) < console.width:
        console.print(_draw(title, columns, text_columns, {}))
        return
    words = sum(width + _FRAME for width in natural[:text_columns])
    room = console.width - 1 - min(words, console.width // 2)
    least = {
        place: min(_least_width(columns[place]), max(room - _FRAME, 1))
        for place in range(text_columns, len(columns))
    }
    for number, part in enumerate(_fold(least, room)):
        shown = [*range(text_columns), *part]
        widths = {shown.index(place): least[place] for place in part}
        told = f"{title}, continued" if number else title
        console.print(_draw(told, [columns[place] for place in shown], text_columns, widths))


def _least_width(column: Row) -> int:
    """Return the width of a column of figures whose heading alone is folded, at its spaces."""
    from rich.cells import cell_len

    return max(map(cell_len, (*column[0].split(), *column[1:])), default=1)


def _fold(widths: Mapping[int, int], room: int) -> list[list[int]]:
    """Return columns of these widths in parts that fit into `room`; one part where there is none.

    A column that is too wide for all of it stands alone.
    """
    parts: list[list[int]] = [[]]
    left = room
    for place, width in widths.items():
        if parts[-1] and width + _FRAME > left:
            parts.append([])
            left = room
        parts[-1].append(place)
        left -= width + _FRAME
    return parts


def _draw(
    title: str, columns: Sequence[Row], text_columns: int, widths: Mapping[int, int]
) -> Table:
    """Return a table of columns, each a heading and cells; what has no width takes what it needs.

    What does not fit into its column goes over several lines.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left")
    for place, column in enumerate(columns):
        table.add_column(
            Text(column[0]),
            justify="left" if place < text_columns else "right",
            overflow="fold",
            width=widths.get(place),
        )
    for row in zip(*(column[1:] for column in columns), strict=True):
        table.add_row(*map(Text, row))
    return table
