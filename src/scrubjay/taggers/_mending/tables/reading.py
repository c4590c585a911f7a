"""Mentions that the tables of a text tell of: cells of a column that lack what the others hold.

Mentions are cut at cells first. A heading tells whose a name or a number is as well, and that a
number in a column of doses and the like is no date, age or telephone. Initials that sign the rows
of a table are found in the rest of the text, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.tables import headings
from scrubjay.taggers._mending.tables.bodies import bodies_of, columns_of
from scrubjay.taggers._mending.tables.cells import is_number
from scrubjay.taggers._mending.tables.columns import Column
from scrubjay.taggers._mending.tables.commas import find_comma_tables
from scrubjay.taggers._mending.tables.forms import fields_of, keyed_of
from scrubjay.taggers._mending.tables.layout import Row, find_tables
from scrubjay.taggers._mending.tables.mentions import (
    let_go_in_column,
    let_go_in_head,
    let_go_values,
    part_cells,
    people_in,
)
from scrubjay.taggers._mending.tables.missing import missing_from
from scrubjay.taggers._mending.tables.names import (
    are_initials_elsewhere,
    label_by_heading,
    majority_in,
)
from scrubjay.taggers._mending.tables.roles import ROLES, Roles
from scrubjay.taggers._mending.uncovered import (
    Found,
    place_of,
    put_over,
    put_uncovered,
    touched_by,
)

SOURCE = "tables"

_SIGN = re.compile(r"(?<![\w'’@.-])[^\W\d_]{2,3}(?![\w'’@-]|\.\w)")


def read_tables(
    text: str, spans: tuple[Span, ...], language: str, labels: Collection[str] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text with what its tables tell of them and besides them.

    `spans` are sorted and disjoint, and so are those that are returned.
    """
    roles = ROLES.get(language)
    if roles is None:
        return spans
    if labels is not None and roles.login not in labels:
        roles = replace(roles, login=roles.staff)
    rows, lines = list(spans), text.split("\n")
    signs: dict[str, str] = {}
    for table in chain(find_tables(text), find_comma_tables(text, lines, language)):
        part_cells(text, rows, table.rows, language)
        for head, body in bodies_of(text, rows, table.rows, language):
            if head:
                let_go_in_head(text, rows, head, language)
            let_go_values(text, rows, head, body, language)
            people = people_in(text, rows, head, body, language)
            first = 0 if head else _end_of(body[0])
            for column in columns_of(text, rows, head, body, language):
                column = let_go_in_column(rows, column, people)
                _label(column, rows, roles, labels)
                found = [
                    one
                    for one in missing_from(column, rows, roles)
                    if labels is None or one[2] in labels
                ]
                # What stands in a first row alone may be a heading that is not known.
                below = {text[start:end] for start, end, _ in found if start >= first}
                found = [
                    (start, end, label)
                    for start, end, label in found
                    if text[start:end] in below or touched_by(rows, start, end)
                ]
                put_over(rows, found, SOURCE)
                for start, end, label in found:
                    if label in PERSONS and are_initials_elsewhere(text[start:end], language):
                        signs.setdefault(text[start:end], label)
    forms = fields_of(text, lines, rows, language), keyed_of(text, rows, language)
    for column in chain.from_iterable(forms):
        _label(column, rows, roles, labels)
        found = [o for o in missing_from(column, rows, roles) if labels is None or o[2] in labels]
        put_over(rows, found, SOURCE)
    if signs:
        put_uncovered(rows, _elsewhere(text, signs), SOURCE)
    return tuple(rows)


def _end_of(row: Row) -> int:
    return max((cell[1] for cell in row if cell is not None), default=0)


def _label(column: Column, rows: list[Span], roles: Roles, labels: Collection[str] | None) -> None:
    """Give persons and numbers the label that the heading of their column tells, or most persons.

    Relatives keep theirs.
    """
    label = label_by_heading(column.kind, roles) or majority_in(column, roles)
    if label is not None and (labels is None or label in labels):
        others = {roles.staff, roles.patient} - {label}
        for span in column.found:
            if span is not None and span.label in others:
                rows[place_of(rows, span)] = replace(span, label=label)
    elif column.kind == headings.IDENT and (labels is None or roles.ident in labels):
        for span, cell in zip(column.found, column.cells, strict=True):
            if (
                span is not None
                and (span.start, span.end) == cell
                and span.label not in PERSONS
                and is_number(column.text[slice(*cell)])
            ):
                rows[place_of(rows, span)] = replace(span, label=roles.ident)


def _elsewhere(text: str, signs: dict[str, str]) -> Iterator[Found]:
    """Yield where initials stand for themselves."""
    for word in _SIGN.finditer(text):
        label = signs.get(word[0])
        if label is not None:
            yield *word.span(), label
