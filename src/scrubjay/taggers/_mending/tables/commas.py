"""Tables whose cells are parted by commas, as exports are: "name,age,mrn" above "Cole,71,880123".

Prose is full of commas. A line of short parts, most of which are headings, begins such a table, and
the lines below it up to an empty one are its rows if most of them have as many parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from scrubjay.taggers._mending.tables.headings import heading_kind
from scrubjay.taggers._mending.tables.layout import MOST_CELLS, Cell, Table

FEWEST_SIGNS, _FEWEST_ROWS, _FEWEST_HEADS = 2, 2, 2
LONGEST = 24
"""Letters of a heading on average."""

_OTHERS = ("|", "\t", "  ")


def find_comma_tables(text: str, lines: Sequence[str], language: str) -> Iterator[Table]:
    """Yield the tables of a text with commas between their cells, in order.

    `lines` are those of the text without their ends.
    """
    counts = [line.count(",") for line in lines]
    heads = [n for n, (a, b) in enumerate(pairwise(counts)) if FEWEST_SIGNS <= a == b < MOST_CELLS]
    if not heads:
        return
    begins = [0, *accumulate(len(line) + 1 for line in lines)]
    end = 0
    for head in heads:
        if head >= end and _is_head(lines[head], language):
            end = next((n for n in range(head, len(lines)) if not lines[n].strip()), len(lines))
            rows = [n for n in range(head + 1, end) if counts[n] == counts[head]]
            if len(rows) >= max(_FEWEST_ROWS, (end - head) / 2):
                yield Table(
                    tuple(tuple(_cells(text, begins[n], begins[n + 1] - 1)) for n in (head, *rows))
                )


def _is_head(line: str, language: str) -> bool:
    parts = line.split(",")
    if len(line) > LONGEST * len(parts) or any(sign in line for sign in _OTHERS):
        return False
    known = sum(heading_kind(part.strip(), language) != "" for part in parts)
    return known >= max(_FEWEST_HEADS, len(parts) / 2)


def _cells(text: str, begin: int, end: int) -> Iterator[Cell | None]:
    for part in text[begin:end].split(","):
        start = begin + len(part) - len(part.lstrip())
        stop = begin + len(part.rstrip())
        yield (start, stop) if start < stop else None
        begin += len(part) + 1
