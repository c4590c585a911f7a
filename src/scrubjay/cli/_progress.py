"""How far a run is, on standard error: counts, rate, time left. Never a text, never a name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

_REDRAW_SECONDS = 0.2
_LINE_SECONDS = 60.0
_SETTLED = 0.005  # the share of the input after which the time left can be told


class Countable(Protocol):
    """What a run has counted, by the name of what it is."""

    def counts(self) -> Mapping[str, int]:
        """Return the counts, in the order in which they are shown."""


@contextmanager
def progress(
    fraction: Callable[[], float | None] = lambda: None,
) -> Iterator[Callable[[Countable], None]]:
    """Give a function that shows how far a run is, on standard error.

    A terminal shows a line that changes; a file gets a line a minute. `fraction` tells the share
    of the input that was read, None where that is not known.
    """
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    console = Console(stderr=True, markup=False, highlight=False, soft_wrap=True)
    live = console.is_terminal
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=console, transient=True, disable=not live) as bar:
        task = bar.add_task("reading")
        begin = time.monotonic()
        shown = 0.0 if live else begin

        def report(tally: Countable) -> None:
            nonlocal shown
            now = time.monotonic()
            if now - shown >= (_REDRAW_SECONDS if live else _LINE_SECONDS):
                shown = now
                line = describe(tally.counts(), seconds=now - begin, fraction=fraction())
                if live:
                    bar.update(task, description=line)
                else:
                    console.print(line)

        yield report


def describe(counts: Mapping[str, int], *, seconds: float, fraction: float | None) -> str:
    """Return the line of progress: counts, what a second gives of them, and the time left."""
    parts = [f"{count:,} {name}" for name, count in counts.items()]
    rates = [
        f"{counts[name] / seconds:,.0f} {name}/s"
        for name in ("documents", "characters")
        if name in counts and seconds > 0
    ]
    told = [", ".join(parts), *([", ".join(rates)] if rates else []), f"{_clock(seconds)} so far"]
    if fraction is not None and _SETTLED <= fraction <= 1.0:
        told.append(f"{fraction:.0%}, about {_clock(seconds * (1 - fraction) / fraction)} left")
    return "; ".join(told)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"
