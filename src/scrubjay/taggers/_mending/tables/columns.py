"""A column of a table: what heads it, its cells, and what was found at the begin of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrubjay.document import Span
from scrubjay.taggers._mending.tables import headings
from scrubjay.taggers._mending.tables.cells import begin_of_name, ends_there
from scrubjay.taggers._mending.tables.headings import heading_kind, is_blank
from scrubjay.taggers._mending.tables.layout import Cell
from scrubjay.taggers._mending.uncovered import touched_by

FEWEST, HALF = 2, 0.5
"""Cells in which something has to be found, and their share, to decide a column by them."""

_KEYS = 4
"""One of so many cells is a key in a column of them."""

_OPEN = frozenset({"", headings.OTHER})


@dataclass(frozen=True, slots=True)
class Column:
    """Cells that say something, what heads them, and the mention at the begin of each, or None.

    `blanks` are the cells that say nothing.

    `is_headed` where there is any heading, known or not; `is_vague` where it may head more than
    persons.
    """

    text: str
    language: str
    kind: str
    cells: Sequence[Cell]
    found: Sequence[Span | None]
    is_headed: bool
    is_last: bool
    is_vague: bool = False
    blanks: Sequence[Cell] = ()

    @property
    def is_open(self) -> bool:
        """Whether no heading tells what the column holds."""
        return self.kind in _OPEN

    @property
    def may_be_numbers(self) -> bool:
        """Whether numbers tell what they are: a heading that is not known is of another kind."""
        return self.is_open and not (self.is_headed and self.kind == "")

    def count(self, labels: frozenset[str]) -> int:
        """Return how many cells begin with a mention of some labels."""
        return sum(span is not None and span.label in labels for span in self.found)

    def share(self, labels: frozenset[str]) -> float:
        """Return the share of cells that begin with such a mention; 0 where too few do."""
        return self._share_of(self.count(labels))

    def whole(self, labels: frozenset[str]) -> float:
        """Return the share of cells that are such a mention and hardly more; 0 for too few."""
        return self._share_of(
            sum(
                span is not None and span.label in labels and ends_there(self.text, span.end, end)
                for span, (_, end) in zip(self.found, self.cells, strict=True)
            )
        )

    def read_again(self, spans: Sequence[Span]) -> Column:
        """Return the column as it is with other spans."""
        return replace(self, found=_begin(self.text, spans, self.cells, self.language))

    def _share_of(self, count: int) -> float:
        return count / len(self.cells) if count >= FEWEST else 0.0


def read_column(
    text: str,
    spans: Sequence[Span],
    cells: Sequence[Cell],
    kind: str,
    language: str,
    *,
    is_headed: bool = True,
    is_last: bool = False,
    is_vague: bool = False,
) -> Column:
    """Return a column of some cells, without those that say nothing."""
    said, blanks = list[Cell](), list[Cell]()
    for cell in cells:
        says = kind == headings.SEX or not is_blank(text[slice(*cell)], language)
        (said if says else blanks).append(cell)
    found = _begin(text, spans, said, language)
    return Column(text, language, kind, said, found, is_headed, is_last, is_vague, blanks)


def _begin(
    text: str, spans: Sequence[Span], cells: Sequence[Cell], language: str
) -> list[Span | None]:
    """Return the mention at the begin of each cell, or None."""
    found: list[Span | None] = []
    for start, end in cells:
        span = touched_by(spans, start, end)
        if span is not None:  # as in few cells
            begin = begin_of_name(text, (start, end), language)
            span = touched_by(spans, begin, end)
            span = span if span is not None and span.start <= begin else None
        found.append(span)
    return found


def are_keys(column: Column) -> bool:
    """Tell whether cells are the keys of a form."""
    text, language = column.text, column.language
    keys = sum(
        text[end - 1] == ":" or heading_kind(text[start:end], language) != ""
        for start, end in column.cells
    )
    return keys >= FEWEST and keys * _KEYS >= len(column.cells)
