"""How far a run is, on standard error: counts, rate, time left. Never a text, never a name."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from scrubjay.errors import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

_LINE_SECONDS = 60.0
_WAIT_SECONDS = 20.0
_WINDOW_SECONDS = 60.0
_LEAST_SECONDS = 5.0
"""How long a run has to be watched before it is told when it will end."""
_MARK_SECONDS = 0.25
"""Of marks that are nearer to each other the last one is kept."""
_RATED = ("documents", "characters")


@contextmanager
def stage_bars(console: Console, *, width: int = 10) -> Iterator[Progress]:
    """Give bars of stages, which the caller starts with the first of them.

    What is refused before leaves no trace of them, such as an empty line.
    """
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    told = TextColumn(f"{{task.description:{width}}}")
    left = (TimeRemainingColumn(), TextColumn("left"))
    bars = Progress(told, BarColumn(), TimeElapsedColumn(), *left, console=console)
    try:
        yield bars
    finally:
        if bars.tasks:
            bars.stop()


@contextmanager
def waiting(what: str, tell: Callable[[], str] = lambda: "") -> Iterator[Callable[[], None]]:
    """Write what is waited for each twenty seconds that the block takes; of a short one nothing.

    `tell` adds how far it is. What is given ends the lines before the block does.
    """
    console = _errors()
    over, begin = threading.Event(), time.monotonic()

    def write() -> None:
        while not over.wait(_WAIT_SECONDS):
            parts = (what, tell(), f"{_clock(time.monotonic() - begin)} so far")
            console.print("; ".join(filter(None, parts)))

    lines = threading.Thread(target=write, daemon=True)
    lines.start()
    try:
        yield over.set
    finally:
        over.set()
        lines.join()


def _errors() -> Console:
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, soft_wrap=True)


def in_lines(console: Console, show: Callable[[str, float], None]) -> Callable[[str, float], None]:
    """Return what tells the stages of a training: `show` on a terminal, else lines of text."""
    return show if console.is_terminal else StageLines(console).tell


class StageLines:
    """Tells stages and how far they are by lines: one where another begins, and one a minute."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._begin = self._written = self._since = clock()
        self._part = self._stage = self._unsaid = ""
        self._first = 0.0
        self._alone = threading.Lock()  # language models of two directions tell at once

    def tell(self, stage: str, share: float) -> None:
        """Take in the share of a stage that is done; "train: epoch 7 of 40" is news of "train"."""
        with self._alone:
            now, name = self._clock(), stage.partition(":")[0]
            if name != self._stage:
                if self._unsaid:  # what came of the stage before, such as its last epoch
                    self._write(self._unsaid, now)
                self._stage, self._since, self._first = name, now, share
            part = stage.rpartition(": ")[0] or stage
            if part == self._part and now - self._written < _LINE_SECONDS:
                self._unsaid = stage
                return
            self._part, self._written, self._unsaid = part, now, ""
            self._write("; ".join((stage, *self._far(now, share))), now)

    def _write(self, told: str, now: float) -> None:
        line = f"{told}; {_clock(now - self._begin)} so far"
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _far(self, now: float, share: float) -> Iterator[str]:
        done, taken = share - self._first, now - self._since
        if done <= 0.0:
            return
        left = ""
        if taken >= _LEAST_SECONDS:
            left = f", about {_clock(taken * max(0.0, 1.0 - share) / done)} left of it"
        yield f"{share:.0%} of {self._stage}{left}"


class Countable(Protocol):
    """What a run has counted, by the name of what it is."""

    def counts(self) -> Mapping[str, int]:
        """Return the counts, in the order in which they are shown."""

    def taken_over(self) -> Mapping[str, int]:
        """Return how much of the counts was done before the run; what is left out is 0."""

    def share_done(self) -> float | None:
        """Return which share of what was read is done; None in the middle of a batch.

        The documents of a batch are done at one time and counted one by one.
        """


@dataclass
class Pace:
    """How fast a run is, over the last minute of its work, and when it will be done.

    `begin` is when it began. Times are in seconds, those of what was done being times of noting it.
    """

    begin: float
    counts: Mapping[str, int] = field(default_factory=dict)
    fraction: float | None = None
    _marks: deque[tuple[float, Mapping[str, int]]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self._marks.append((self.begin, {}))

    def note(self, now: float, tally: Countable, fraction: float | None) -> None:
        """Note what is done; `fraction` is the share of the input that was read."""
        if (share := tally.share_done()) is None:
            return
        before = tally.taken_over()
        self.counts = tally.counts()
        self.fraction = None if fraction is None or fraction > 1.0 else fraction * share
        new = {name: self.counts.get(name, 0) - before.get(name, 0) for name in _RATED}
        if not new["documents"]:  # all of it is taken over: the work begins now
            self._marks.clear()
        if len(self._marks) > 2 and now - self._marks[-2][0] < _MARK_SECONDS:
            self._marks.pop()
        self._marks.append((now, new))
        while len(self._marks) > 2 and self._marks[1][0] <= now - _WINDOW_SECONDS:
            self._marks.popleft()

    def rates(self) -> dict[str, float]:
        """Return what a second has given, by the name of what it is; nothing before there is any.

        Only finished work counts, so that a batch that is under way does not lower it.
        """
        (first, old), (last, new) = self._marks[0], self._marks[-1]
        names = [name for name in _RATED if name in self.counts and last > first]
        return {name: (new[name] - old.get(name, 0)) / (last - first) for name in names}

    def left(self, now: float) -> float | None:
        """Return how many seconds the run still needs; None where that cannot be told yet."""
        rate = self.rates().get("characters", 0.0)
        watched = self._marks[-1][0] - self._marks[0][0]
        if not rate or not self.fraction or watched < _LEAST_SECONDS:
            return None
        missing = self.counts["characters"] * (1 - self.fraction) / self.fraction
        return max(0.0, missing / rate - (now - self._marks[-1][0]))

    def describe(self, now: float) -> str:
        """Return the line of progress: counts, what a second gives of them, and the time left."""
        so_far = f"{_clock(now - self.begin)} so far"
        if not self.counts:
            return f"no document is done yet; {so_far}"
        parts = [counted(count, name.removesuffix("s")) for name, count in self.counts.items()]
        rates = [f"{rate:,.0f} {name}/s" for name, rate in self.rates().items()]
        told = [", ".join(parts), *([", ".join(rates)] if rates else []), so_far]
        if self.fraction is not None:
            left = self.left(now)
            end = "" if left is None else f", about {_clock(left)} left"
            told.append(f"{self.fraction:.0%}{end}")
        return "; ".join(told)


@contextmanager
def progress(
    fraction: Callable[[], float | None] = lambda: None,
) -> Iterator[Callable[[Countable], None]]:
    """Give a function that shows how far a run is, on standard error.

    A terminal shows a line that changes; a file gets a line a minute. `fraction` tells the share
    of the input that was read, None where that is not known.
    """
    from rich.progress import Progress, SpinnerColumn

    console = _errors()
    live = console.is_terminal
    pace = Pace(time.monotonic())
    with Progress(
        SpinnerColumn(),
        _make_column(pace),
        console=console,
        transient=True,
        disable=not live,
        refresh_per_second=4,
    ) as bar:
        bar.add_task("")
        shown = pace.begin

        def report(tally: Countable) -> None:
            nonlocal shown
            now = time.monotonic()
            pace.note(now, tally, fraction())
            if not live and now - shown >= _LINE_SECONDS and tally.share_done() is not None:
                shown = now
                console.print(pace.describe(now))

        yield report


def _make_column(pace: Pace) -> ProgressColumn:
    """Return what a terminal shows, made anew some times a second: the clock goes on."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Line(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(pace.describe(time.monotonic()))

    return Line()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"
