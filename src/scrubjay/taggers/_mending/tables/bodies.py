"""The rows of a table below its headings, and the columns that they make up.

A row of headings begins a table anew wherever it stands. Keys of a form ("Name  Gil  DOB  3/4/60")
are no headings, nor does a column of values behind such keys hold one kind of thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from scrubjay.document import Span
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.tables import headings
from scrubjay.taggers._mending.tables.cells import is_value
from scrubjay.taggers._mending.tables.columns import HALF, Column, are_keys, read_column
from scrubjay.taggers._mending.tables.headings import heading_kind, is_vague, is_weekday
from scrubjay.taggers._mending.tables.layout import Cell, Row
from scrubjay.taggers._mending.tables.names import is_called
from scrubjay.taggers._mending.uncovered import touched_by

_FEWEST_HEADS, _MANY_HEADS = 2, 3
"""Headings in a row that are enough if they are half of its cells, or a third."""

_FEWEST_ROWS, _FEWEST_CELLS, _FEWEST_DAYS = 3, 2, 3
_OF_PATIENTS = {headings.CODED, headings.PATIENT, headings.PERSON}
_OF_ONE = _OF_PATIENTS - {headings.PERSON} | {headings.AGE, headings.IDENT, headings.STAFF}
_WORD, _LETTERS = re.compile(r"[^\W\d_]{3,}"), re.compile(r"[^\W\d_]{2}")
_OF_STAFF = (headings.STAFF, headings.SIGNED)
_OF_VALUES = (headings.CLINICAL, headings.PLAIN)
_OF_NO_KEYS = frozenset({*_OF_VALUES, headings.OTHER, ""})


def bodies_of(
    text: str, spans: Sequence[Span], rows: Sequence[Row], language: str
) -> Iterator[tuple[Row | None, Sequence[Row]]]:
    """Yield the row of headings, or None, and the rows below it up to the next one."""
    heads = {number for number, row in enumerate(rows) if _is_head(text, spans, row, language)}
    for begin, end in pairwise(sorted({0, *heads, len(rows)})):
        head = rows[begin] if begin in heads else None
        body = rows[begin + (head is not None) : end]
        if len(body) >= _FEWEST_ROWS - (head is not None):
            yield head, body


def _is_head(text: str, spans: Sequence[Span], row: Row, language: str) -> bool:
    """Tell whether a row has headings: fewer cells hold figures or PHI, and names weigh twice."""
    cells = [cell for cell in row if cell is not None]
    if len(cells) >= _FEWEST_DAYS and len(_days_of(text, row, language)) >= _FEWEST_DAYS:
        return True
    others = [cell for cell in cells if _kind_of(text, cell, language) == ""]
    # Headings differ: "ab" may be one, and a nurse who signs each day.
    known, values = len({text[slice(*cell)] for cell in cells if cell not in others}), 0
    if known < _FEWEST_HEADS:
        return False
    for start, end in others:
        span = touched_by(spans, start, end)
        is_name = span is not None and span.label in PERSONS
        values += 2 if is_name else span is not None or any(map(str.isdigit, text[start:end]))
    # Headings may tell figures as well: "SpO2".
    values += sum(any(map(str.isdigit, text[slice(*cell)])) for cell in cells if cell not in others)
    return (
        values < known
        and known >= (_FEWEST_HEADS if known >= len(others) or not values else _MANY_HEADS)
        and known * 2 >= len(others)
    )


def _days_of(text: str, row: Row, language: str) -> list[int]:
    """Return the numbers of the columns that a day of the week heads."""
    return [
        number
        for number, cell in enumerate(row)
        if cell is not None and is_weekday(text[slice(*cell)], language)
    ]


def columns_of(
    text: str, spans: Sequence[Span], head: Row | None, body: Sequence[Row], language: str
) -> Iterator[Column]:
    """Yield the columns below a row of headings, or without one.

    With them come those below days of the week, as one, and rows that a heading begins.
    """
    kinds = [_kind_of(text, cell, language) for cell in head or (None,) * len(body[0])]
    days = _days_of(text, head, language) if head else []
    if len(days) >= _FEWEST_DAYS:
        for day in days:
            kinds[day] = ""  # "Sat"
    # Without a heading and a mention the last column alone may tell something: initials.
    is_silent = head is None and not _has_mention(spans, body)
    # Who is told of by initials and an age is a patient.
    has_patients = bool({headings.AGE, *_OF_PATIENTS} & {*kinds})
    of_patients = headings.AGE in kinds and not _OF_PATIENTS & {*kinds}
    before: Column | None = None
    for number, kind in enumerate(kinds):
        if is_silent and number < len(kinds) - 2:
            continue
        if kind == headings.SIGNED and of_patients:
            kind = headings.CODED
        elif (
            kind == headings.ROOM
            and not has_patients
            and (_is_letter(head, number) or _is_vague(text, head, number, language))
        ):
            kind = headings.OTHER  # "K" beside "Na", "box" beside "waarde"
        elif (kind == headings.PERSON and _of_tests(text, kinds, body, number, language)) or (
            kind == "" and _are_values(text, body, number)
        ):
            kind = headings.CLINICAL
        column = read_column(
            text,
            spans,
            [
                cell
                for row in body
                if (cell := row[number]) is not None
                and not (kind in _OF_VALUES and _is_told(text, cell, row, language))
            ],
            kind,
            language,
            is_headed=head is not None and head[number] is not None,
            is_last=number == len(kinds) - 1,
            is_vague=_is_vague(text, head, number, language),
        )
        # What stands behind a key is a value.
        if before is None or not column.is_open or not are_keys(before):
            yield column
        before = column
    if len(days) >= _FEWEST_DAYS:
        cells = [cell for row in body for day in days if (cell := row[day]) is not None]
        yield read_column(text, spans, cells, headings.ROTA, language, is_vague=True)
    for first, *others in body:
        kind = _kind_of(text, first, language)
        if kind in _OF_STAFF:
            values = [cell for cell in others if cell is not None]
            column = read_column(text, spans, values, kind, language)
            is_told = kind == headings.SIGNED or column.share(PERSONS) >= HALF
            if is_told and len(values) >= _FEWEST_CELLS and not are_keys(column):
                yield column


def _of_tests(
    text: str, kinds: Sequence[str], body: Sequence[Row], number: int, language: str
) -> bool:
    """Tell whether names are those of tests: beside results, half are terms, and none a person."""
    if headings.CLINICAL not in kinds or _OF_ONE & {*kinds}:
        return False
    cells = _texts(text, body, number)
    terms = protected_terms(language, spared=True)
    others = [cell for cell in cells if cell.lower() not in terms]
    return 2 * len(others) <= len(cells) > 0 and not any(
        is_called(word, language) for cell in others for word in _WORD.findall(cell)
    )


def _are_values(text: str, body: Sequence[Row], number: int) -> bool:
    """Tell whether half of the cells of a column are measures, and no other has a letter."""
    cells = _texts(text, body, number)
    values = sum(map(is_value, cells))
    return (
        values >= _FEWEST_CELLS
        and values * 2 >= len(cells)
        and not any(_LETTERS.search(cell) and not is_value(cell) for cell in cells)
    )


def _texts(text: str, body: Sequence[Row], number: int) -> list[str]:
    return [text[slice(*cell)] for row in body if (cell := row[number]) is not None]


def _has_mention(spans: Sequence[Span], body: Sequence[Row]) -> bool:
    """Tell whether a mention lies in the rows or between them."""
    cells = [cell for row in body for cell in row if cell is not None]
    return bool(cells) and touched_by(spans, cells[0][0], cells[-1][1]) is not None


def _is_vague(text: str, head: Row | None, number: int, language: str) -> bool:
    cell = head[number] if head else None
    return cell is None or is_vague(text[slice(*cell)], language)


def _is_letter(head: Row | None, number: int) -> bool:
    """Tell whether a heading is a single letter."""
    cell = head[number] if head else None
    return cell is not None and cell[1] - cell[0] == 1


def _is_told(text: str, value: Cell, row: Row, language: str) -> bool:
    """Tell whether a row says by its first cell what a value is: "DOB" among other tests."""
    key = next(cell for cell in row if cell is not None)
    return key != value and _kind_of(text, key, language) not in _OF_NO_KEYS


def _kind_of(text: str, cell: Cell | None, language: str) -> str:
    return "" if cell is None else heading_kind(text[slice(*cell)], language)
