"""What `scrubjay experiment` shows while cells run, and the list of what ships."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

if TYPE_CHECKING:
    from scrubjay.learning.experiments.cells import CellResult


class CellView:
    """Shows a bar over all cells and one for each cell in work; a line for each that is done.

    Where the screen is no terminal, only the lines are written.
    """

    def __init__(self, console: Console, bars: Progress) -> None:
        self._console = console
        self._bars = bars
        self._all = bars.add_task("cells", total=0)
        self._cells: dict[str, TaskID] = {}
        self._known = 0

    def planned(self, cells: int) -> None:
        """Take in that many more cells."""
        self._known += cells
        self._bars.update(self._all, total=self._known)

    def stage(self, cell: str, stage: str, share: float) -> None:
        """Show how far a cell is in a stage of its training."""
        if cell not in self._cells:
            self._cells[cell] = self._bars.add_task(cell, total=100)
        done = round(100 * min(1.0, max(0.0, share)))
        self._bars.update(self._cells[cell], completed=done, description=f"{cell}: {stage}")

    def finished(self, result: CellResult, *, stored: bool) -> None:
        """Show the figure of a cell that is done."""
        name = result.cell.name
        if name in self._cells:
            self._bars.remove_task(self._cells.pop(name))
        self._bars.advance(self._all)
        f1 = result.figures.strict.f1
        figure = "strict F1 undefined" if f1 is None else f"strict F1 {f1:.4f}"
        took = "was there" if stored else f"{result.seconds['training']:.0f} s"
        self._console.print(f"{name}: {figure} ({took})", highlight=False, markup=False)


@contextmanager
def cell_view(console: Console, out: Path) -> Iterator[CellView]:
    """Give a view; after an interrupt say how to go on."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bars:
        try:
            yield CellView(console, bars)
        except KeyboardInterrupt:
            console.print(f"The same command goes on from {out}", markup=False)
            raise


def parse_setting(text: str) -> tuple[str, Any]:
    """Return path and value of `--set PATH=VALUE`; the value is TOML, or else a plain string."""
    import tomllib

    from scrubjay.errors import ConfigError

    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise ConfigError(f"not a setting: {text!r}", hint="Write --set folds=5")
    try:
        return path.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return path.strip(), value


def parse_places(texts: list[str]) -> dict[str, str]:
    """Return name -> folder of `--predicted NAME=FOLDER`; without a name the folder's own."""
    from scrubjay.errors import ConfigError

    places: dict[str, str] = {}
    for text in texts:
        name, equals, place = text.partition("=")
        if not equals:
            name, place = Path(text).name, text
        if not name or not place or name in places:
            raise ConfigError(
                f"not a place of predictions: {text!r}", hint="Write NAME=FOLDER, each name once"
            )
        if not Path(place).exists():
            raise ConfigError("there is no such file or folder", path=place)
        places[name] = place
    return places
