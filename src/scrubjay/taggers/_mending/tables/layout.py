"""Where a text holds tables, and their cells: lines whose cells are parted in the same way.

Cells are parted by bars, tabs, gaps of two blanks and more, semicolons, or strokes between blanks.
A gap parts columns only where cells of most lines begin at the same place; a row whose cells are
pushed aside by a long one is read by their order, if it has all of them. Three rows make a table,
and an empty line ends it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Cell = tuple[int, int]
"""Where the text of a cell begins and ends, without blanks around it."""

Row = tuple[Cell | None, ...]
"""A cell for each column, or None where it is empty."""

FEWEST_ROWS, FEWEST_GAPS, _FEWEST_CELLS = 3, 2, 2
"""Lines of a table, those of them that gaps part, and cells of a line."""

_SLACK = 2
"""By how many signs the cells of a column may begin beside one another."""

_SHARE = 0.4
"""Which share of the rows has to have a cell at a place for a column there."""

MOST_CELLS = 40
"""Cells of a line; a longer one is none of a table."""

_BAR, _TAB, _GAP, _STROKE, _MARK, _OTHER, _EMPTY, _RULE = "|", "\t", "  ", " / ", ";", "", "0", "-"
_COLUMN = re.compile(r"[ ][ ](?:[ ]|(?<=[^\s.:?!][ ]{2}))")
"""A gap that ends no sentence and stands behind no key, as those of typed prose do."""

_SEGMENT = re.compile(r"\S+(?:[ ]\S+)*")
_RULES = "-=_+:."
_RULED = re.compile(r"[-=_+|:. ]{3,}\Z")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of as many cells as there are columns, in the order of the text."""

    rows: tuple[Row, ...]

    def column(self, number: int) -> Iterator[tuple[int, Cell]]:
        """Yield the number of each row and its cell in a column, where it has one with a text."""
        for place, row in enumerate(self.rows):
            cell = row[number]
            if cell is not None:
                yield place, cell


def find_tables(text: str) -> Iterator[Table]:
    """Yield the tables of a text, in order."""
    for kind, lines in _blocks(text):
        if kind == _GAP and not _are_rows(text, lines):
            continue
        rows = _aligned(text, lines) if kind == _GAP else _parted(text, lines, kind)
        if len(rows) >= FEWEST_ROWS:
            yield Table(tuple(rows))


def _are_rows(text: str, lines: Sequence[Cell]) -> bool:
    """Tell whether gaps part columns in half of the lines."""
    return 2 * sum(_COLUMN.search(text, *line) is not None for line in lines) >= len(lines)


def _blocks(text: str) -> Iterator[tuple[str, list[Cell]]]:
    """Yield runs of lines that are parted in one way; a single line of another one ends none."""
    kind, lines, others = _OTHER, list[Cell](), 0
    begin = 0
    for line in text.split("\n"):
        end = begin + len(line)
        one = _kind_of(line)
        if kind == _BAR and one != _RULE and "|" in line:
            one = _BAR
        if one == kind and kind not in (_OTHER, _EMPTY, _RULE):
            lines.append((begin, end))
            others = 0
        elif one == _RULE or (one == _OTHER and lines and not others):
            others += one == _OTHER
        else:
            if len(lines) >= FEWEST_ROWS:
                yield kind, lines
            kind, lines, others = one, [], 0
            if one not in (_OTHER, _EMPTY, _RULE):
                lines.append((begin, end))
        begin = end + 1
    if len(lines) >= FEWEST_ROWS:
        yield kind, lines


def _kind_of(line: str) -> str:
    if not line or line.isspace():
        return _EMPTY
    if not ("  " in line or "|" in line or "\t" in line or ";" in line or " / " in line):
        return _RULE if line[0] in _RULES and _RULED.match(line) else _OTHER
    bare = line.strip()
    count = bare.count
    if count("|") > 1:
        return _RULE if _RULED.match(bare) else _BAR
    if "\t" in bare:
        return _TAB
    if "  " in bare:
        return _GAP
    if count(" / ") > 1:
        return _STROKE
    if count(";") > 1:
        return _MARK
    return _RULE if _RULED.match(bare) else _OTHER


def _parted(text: str, lines: Sequence[Cell], kind: str) -> list[Row]:
    """Return the rows of lines with a sign between cells, which have to be as many in most."""
    cut = [_cut(text, begin, end, kind) for begin, end in lines]
    counts = Counter(map(len, cut))
    count, times = max(counts.items(), key=lambda one: (one[1], one[0]))
    if not _FEWEST_CELLS <= count <= MOST_CELLS or times * 2 < len(cut):
        return []
    # Strokes and semicolons part other things as well.
    fewest = count if kind in (_STROKE, _MARK) else _FEWEST_CELLS
    rows = [
        (*(cell if cell[0] < cell[1] else None for cell in row), *[None] * (count - len(row)))
        for row in cut
        if fewest <= len(row) <= count
    ]
    if kind == _BAR:  # those around the rows part nothing
        first = int(all(row[0] is None for row in rows))
        last = count - all(row[-1] is None for row in rows)
        rows = [row[first:last] for row in rows] if last - first >= _FEWEST_CELLS else []
    return rows


def _cut(text: str, begin: int, end: int, kind: str) -> list[Cell]:
    cells = []
    sign = len(kind)
    while begin <= end:
        place = text.find(kind, begin, end)
        if place < 0:
            place = end
        cells.append(_bare(text, begin, place))
        begin = place + sign
    return cells


def _bare(text: str, begin: int, end: int) -> Cell:
    """Return where the text of a cell stands without the blanks around it."""
    while begin < end and text[begin].isspace():
        begin += 1
    while begin < end and text[end - 1].isspace():
        end -= 1
    return begin, end


def _aligned(text: str, lines: Sequence[Cell]) -> list[Row]:
    """Return the rows of lines whose cells begin at the same places."""
    cut = [
        [(one.start() - begin, one.end() - begin) for one in _SEGMENT.finditer(text, begin, end)]
        for begin, end in lines
    ]
    starts = _columns(cut)
    if not _FEWEST_CELLS <= len(starts) <= MOST_CELLS:
        return []
    near = {
        start + by: number
        for number, start in enumerate(starts)
        for by in range(-_SLACK, _SLACK + 1)
    }
    rows: list[Row] = []
    for (begin, _), cells in zip(lines, cut, strict=True):
        row = _placed(text, begin, cells, starts, near)
        if len(row) - row.count(None) >= _FEWEST_CELLS:
            rows.append(row)
    return rows


def _columns(rows: Sequence[Sequence[Cell]]) -> list[int]:
    """Return where the columns begin: places where cells of many rows do."""
    support = Counter([start for row in rows for start, _ in row])
    fewest = max(_FEWEST_CELLS, len(rows) * _SHARE)
    found: list[int] = []
    taken: set[int] = set()
    for start, _ in sorted(support.items(), key=lambda one: (-one[1], one[0])):
        near = range(start - _SLACK, start + _SLACK + 1)
        if start not in taken and sum([support.get(place, 0) for place in near]) >= fewest:
            found.append(start)
            taken.update(near)
    return sorted(found)


def _placed(
    text: str, begin: int, cells: Sequence[Cell], starts: Sequence[int], near: dict[int, int]
) -> Row:
    """Return the cells of a line in their columns: `near` tells which one begins beside a place."""
    row: list[Cell | None] = [None] * len(starts)
    pieces = _pieces(text, begin, cells, starts)
    numbers = [near.get(start) for start, _ in pieces]
    known = [number for number in numbers if number is not None]
    if len(known) < len(pieces) == len(starts) or known != sorted(set(known)):
        if len(pieces) != len(starts):
            return tuple(row)
        numbers = list(range(len(starts)))
    for (start, end), number in zip(pieces, numbers, strict=True):
        if number is not None:
            row[number] = (begin + start, begin + end)
    return tuple(row)


def _pieces(text: str, begin: int, cells: Sequence[Cell], starts: Sequence[int]) -> list[Cell]:
    """Return cells, and parts of those that go up to the begin of the next column."""
    pieces = []
    for start, end in cells:
        number = bisect_right(starts, start)
        while number < len(starts) and (place := starts[number]) < end:
            if text[begin + place - 1] == " ":
                pieces.append((start, place - 1))
                start = place
            number += 1
        pieces.append((start, end))
    return pieces
