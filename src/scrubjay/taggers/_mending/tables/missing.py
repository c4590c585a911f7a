"""What a column holds in cells where it was not found: by its heading, or by most of its cells.

Names and initials are the matter of `names`. Ages, days and telephones are told by their heading,
or by what was found in half of the cells, and half of all cells have to look like it. Other numbers
have the pattern of one that was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES, PERSONS, PHONES
from scrubjay.taggers._mending.tables import headings
from scrubjay.taggers._mending.tables.cells import (
    age_in,
    is_capitalised,
    is_day,
    is_login,
    is_long_phone,
    is_number,
    is_phone,
    is_room,
    is_sex,
    pattern_of,
)
from scrubjay.taggers._mending.tables.columns import FEWEST, HALF, Column, are_keys
from scrubjay.taggers._mending.tables.layout import Cell
from scrubjay.taggers._mending.tables.mentions import OF_PERSONS, may_stand
from scrubjay.taggers._mending.tables.names import are_names, names_in, signs_in
from scrubjay.taggers._mending.tables.roles import AGES, NUMBERS, Roles
from scrubjay.taggers._mending.uncovered import Found

_FEWEST_AGES = 3
_OF_AGES = AGES | {"FAMILIARES_SUJETO_ASISTENCIA"}
_SHAPES: Mapping[str, Callable[[str], bool]] = {
    headings.PHONE: is_phone,
    headings.CALL: is_long_phone,
    headings.IDENT: is_number,
    headings.NUMBER: is_number,
    headings.ROOM: is_room,
    headings.SEX: is_sex,
    headings.INSURER: is_capitalised,
    headings.LOGIN: is_login,
    headings.FACILITY: is_capitalised,
}
"""What cells below a heading have to look like."""


def missing_from(column: Column, spans: Sequence[Span], roles: Roles) -> Iterator[Found]:
    """Yield what a column holds where it was not found: where no span is."""
    if not column.cells or (column.is_open and are_keys(column)):
        return
    is_rota = column.kind == headings.ROTA and column.count(PERSONS) >= FEWEST
    if column.kind in OF_PERSONS or is_rota or (column.is_open and are_names(column, spans)):
        yield from names_in(column, spans, roles)
    elif _holds(column, headings.AGE, AGES):
        ages = [age_in(column.text, cell, column.language) for cell in column.cells]
        within = [*ages] if roles.sex else column.cells
        yield from _where_most(spans, ages, roles.age, _OF_AGES, within=within)
    elif _holds(column, headings.DATE, DATES):
        yield from _where_most(spans, _those(column, is_day), roles.date, DATES)
    elif column.kind in _SHAPES:
        label = _label_of(column.kind, roles)
        if label:
            those = _those(column, _SHAPES[column.kind])
            yield from _where_most(spans, those, label, _kept(column.kind, label))
    else:
        if column.may_be_numbers:
            yield from _alike(column)
        if column.kind == headings.ROTA or (column.is_last and column.kind == ""):
            yield from signs_in(column, spans, roles)


def _label_of(kind: str, roles: Roles) -> str:
    return {
        headings.PHONE: roles.phone,
        headings.CALL: roles.phone,
        headings.IDENT: roles.ident,
        headings.NUMBER: roles.number,
        headings.ROOM: roles.room,
        headings.SEX: roles.sex,
        headings.INSURER: roles.insurer,
        headings.LOGIN: roles.login,
        headings.FACILITY: roles.facility,
    }[kind]


def _holds(column: Column, kind: str, labels: frozenset[str]) -> bool:
    """Tell whether a column holds what its heading says, or what was found in most of its cells."""
    return column.kind == kind or (
        column.may_be_numbers
        and column.count(labels) >= _FEWEST_AGES
        and column.whole(labels) >= HALF
    )


def _those(column: Column, fits: Callable[[str], bool]) -> list[Cell | None]:
    return [cell if fits(column.text[slice(*cell)]) else None for cell in column.cells]


def _kept(kind: str, label: str) -> frozenset[str] | None:
    """Return the labels that a heading leaves where they stand; None are all."""
    if kind in (headings.PHONE, headings.CALL):
        return PHONES
    if kind == headings.IDENT:
        return NUMBERS
    return frozenset({label}) if kind in (headings.ROOM, headings.LOGIN) else None


def _where_most(
    spans: Sequence[Span],
    fits: Sequence[Cell | None],
    label: str,
    kept: frozenset[str] | None,
    *,
    within: Sequence[Cell | None] | None = None,
) -> Iterator[Found]:
    """Yield what fits in cells without a mention, if it does in half of all cells.

    A mention of another label than those that are kept is in the way of nothing if it ends within.
    """
    if (len(fits) - fits.count(None)) * 2 >= len(fits):
        for fit, cell in zip(fits, within or fits, strict=True):
            if fit is not None and cell is not None and may_stand(spans, *fit, cell, kept):
                yield *fit, label


def _alike(column: Column) -> Iterator[Found]:
    """Yield numbers with the pattern of one that was found, where most of the cells are such."""
    counts = Counter(span.label for span in column.found if span is not None)
    if not counts:
        return
    label, count = counts.most_common(1)[0]
    if label in PERSONS | DATES or count < FEWEST or count < len(column.cells) * HALF:
        return
    text = column.text
    patterns = {
        pattern_of(text[span.start : span.end])
        for span in column.found
        if span is not None and span.label == label
    }
    for cell, span in zip(column.cells, column.found, strict=True):
        number = text[slice(*cell)]
        pattern = pattern_of(number)
        is_upper = number == number.upper()  # not "bed 6"
        if span is None and is_upper and "9" in pattern and pattern in patterns:
            yield *cell, label
