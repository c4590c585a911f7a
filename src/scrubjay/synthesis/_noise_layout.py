"""Noise of layout: line ends, spaces, bullets, and words that run into each other."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from scrubjay.document import Span
from scrubjay.transform.edits import Edit, apply_edits

_BULLETS = ("- ", "* ", "• ", "-", "o ", "> ", "· ", "# ", "– ")


@dataclass(frozen=True, slots=True, repr=False)
class Marked:
    """A text with spans that are sorted and disjoint."""

    text: str
    spans: tuple[Span, ...]
    _borders: list[int] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        borders = [place for span in self.spans for place in (span.start, span.end)]
        object.__setattr__(self, "_borders", borders)

    def __repr__(self) -> str:
        return f"Marked({len(self.text)} characters, {len(self.spans)} spans)"

    def on_one_side(self, start: int, end: int) -> bool:
        """Tell whether no border of a span lies within `[start, end)`."""
        return bisect_right(self._borders, start) >= bisect_left(self._borders, end)

    def touches_phi(self, start: int, end: int) -> bool:
        """Tell whether a span begins at `end` or ends at `start`."""
        borders = self._borders
        first, last = bisect_left(borders, start), bisect_left(borders, end)
        return (first < len(borders) and borders[first] == start) or (
            last < len(borders) and borders[last] == end
        )

    def splits_phi(self, place: int) -> bool:
        """Tell whether a place lies inside of a span, neither at its begin nor at its end."""
        number = bisect_left(self._borders, place)
        return number % 2 == 1 and self._borders[number] != place

    def edited(self, edits: Iterable[Edit]) -> Marked:
        """Return the text with edits made, sorted and disjoint; none may cross a border."""
        done = apply_edits(self.text, list(edits), empty="insert")
        return Marked(done.text, done.moved(self.spans))

    def rewritten(self, text: str) -> Marked:
        """Return another text of the same length with the same spans."""
        assert len(text) == len(self.text)
        return Marked(text, self.spans)


def wrap(marked: Marked, rng: Random) -> Marked:
    """Break long lines at a column: at spaces, or, in some notes, anywhere."""
    width = rng.randint(36, 118)
    if rng.random() < 0.2:
        return _wrap_anywhere(marked, width)
    indent = " " * rng.choice((0, 0, 0, 0, 2, 4, 8))
    letters = list(marked.text)
    line_start, last_space = 0, -1
    breaks: list[int] = []
    for place, sign in enumerate(marked.text):
        if sign == "\n":
            line_start, last_space = place + 1, -1
        elif sign == " ":
            last_space = place
        if place - line_start >= width and last_space > line_start:
            letters[last_space] = "\n"
            breaks.append(last_space + 1)
            line_start, last_space = last_space + 1, -1
    changed = marked.rewritten("".join(letters))
    if not indent or not breaks:
        return changed
    return changed.edited(Edit(place, place, indent) for place in breaks if place < len(letters))


def _wrap_anywhere(marked: Marked, width: int) -> Marked:
    edits, column = [], 0
    for place, sign in enumerate(marked.text):
        column = 0 if sign == "\n" else column + 1
        if column > width:
            edits.append(Edit(place, place, "\n"))
            column = 1
    return marked.edited(edits)


def join_lines(marked: Marked, rng: Random) -> Marked:
    """Lose line ends: some of them, or all; each becomes a space, seldom nothing."""
    share = 1.0 if rng.random() < 0.3 else rng.uniform(0.1, 0.6)
    bare = rng.random() < 0.15
    edits = []
    for match in re.finditer(r"\n+", marked.text):
        inner = match.end() < len(marked.text) and marked.on_one_side(*match.span())
        if inner and rng.random() < share:
            edits.append(Edit(match.start(), match.end(), "" if bare else " "))
    return marked.edited(edits)


def glue(marked: Marked, rng: Random) -> Marked:
    """Lose spaces, most often those beside PHI: "seen by Dr.Lee on3/4"."""
    beside, elsewhere = rng.uniform(0.03, 0.3), rng.uniform(0, 0.01)
    edits = []
    for match in re.finditer(r"(?<=\S) (?=\S)", marked.text):
        start, end = match.span()
        if rng.random() < (beside if marked.touches_phi(start, end) else elsewhere):
            edits.append(Edit(start, end, ""))
    return marked.edited(edits)


def spread(marked: Marked, rng: Random) -> Marked:
    """Double spaces or turn them into tabs, in PHI as well; add spaces before and after lines."""
    share = rng.uniform(0.003, 0.06)
    tabs = rng.random() < 0.35
    edits = []
    for match in re.finditer(r" |\n", marked.text):
        if rng.random() >= share:
            continue
        if match.group() == "\n":
            edits.append(Edit(match.start(), match.end(), rng.choice((" \n", "\n\n", "\n "))))
        else:
            new = "\t" if tabs and rng.random() < 0.5 else " " * rng.choice((2, 2, 2, 3, 5))
            edits.append(Edit(match.start(), match.end(), new))
    return marked.edited(edits)


def add_bullets(marked: Marked, rng: Random) -> Marked:
    """Put bullets or numbers before some lines."""
    share, bullet = rng.uniform(0.2, 1.0), rng.choice((*_BULLETS, "1. ", "1) "))
    edits, number = [], 0
    for match in re.finditer(r"^(?=\S)", marked.text, re.MULTILINE):
        if rng.random() < share and not marked.splits_phi(match.start()):
            number += 1
            sign = bullet.replace("1", str(number))
            edits.append(Edit(match.start(), match.start(), sign))
    return marked.edited(edits)


def add_indents(marked: Marked, rng: Random) -> Marked:
    """Indent lines: all alike, or some."""
    share, indent = rng.choice((1.0, 1.0, 0.3)), rng.choice(("  ", "   ", "    ", "\t", " "))
    return marked.edited(
        Edit(match.start(), match.start(), indent)
        for match in re.finditer(r"^(?=\S)", marked.text, re.MULTILINE)
        if rng.random() < share and not marked.splits_phi(match.start())
    )


def carriage_returns(marked: Marked, rng: Random) -> Marked:
    """End lines as Windows does."""
    del rng
    return marked.edited(
        Edit(match.start(), match.end(), "\r\n") for match in re.finditer("\n", marked.text)
    )
