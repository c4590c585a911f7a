"""How far a run is, on standard error: counts, rate, time left. Never a text, never a name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Protocol

from scrubjay.errors import counted

_REDRAW_SECONDS = 0.2
_LINE_SECONDS = 60.0
_SETTLED = 0.005  # the share of the input after which the time left can be told


class Countable(Protocol):
    """What a run has counted, by the name of what it is."""

    def counts(self) -> Mapping[str, int]:
        """Return the counts, in the order in which they are shown."""

    def taken_over(self) -> Mapping[str, int]:
        """Return how much of the counts was done before the run; what is left out is 0."""


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
                line = describe(
                    tally.counts(),
                    seconds=now - begin,
                    fraction=fraction(),
                    before=tally.taken_over(),
                )
                if live:
                    bar.update(task, description=line)
                else:
                    console.print(line)

        yield report


def describe(
    counts: Mapping[str, int],
    *,
    seconds: float,
    fraction: float | None,
    before: Mapping[str, int] = MappingProxyType({}),
) -> str:
    """Return the line of progress: counts, what a second gives of them, and the time left.

    `before` is what of the counts an interrupted run had done: no rate counts it.
    """
    parts = [counted(count, name.removesuffix("s")) for name, count in counts.items()]
    rates = [
        f"{(counts[name] - before.get(name, 0)) / seconds:,.0f} {name}/s"
        for name in ("documents", "characters")
        if name in counts and seconds > 0
    ]
    told = [", ".join(parts), *([", ".join(rates)] if rates else []), f"{_clock(seconds)} so far"]
    if fraction is not None and _SETTLED <= fraction <= 1.0:
        done = fraction * _new_share(counts, before)
        left = f", about {_clock(seconds * (1 - fraction) / done)} left" if done else ""
        told.append(f"{fraction:.0%}{left}")
    return "; ".join(told)


def _new_share(counts: Mapping[str, int], before: Mapping[str, int]) -> float:
    """Return the share of what is done that this run has done, by its characters."""
    if not (old := before.get("characters", 0)):
        return 1.0
    return 1.0 - old / counts["characters"]


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"
