"""What was found in a table, cell by cell: no mention goes on into the next cell.

A tagger reads words, not where they stand: "Pruis  L  j" becomes one name, "31  1/0" one date. What
stands in each cell stays covered, but for what is nothing of the kind that was found: answers,
headings, single letters. In a row of headings nothing is found, nor are clinical terms, counts and
single letters in columns that hold no persons. Short numbers in a table of tests are values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from scrubjay.document import Span
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.label_groups import DATES, PERSONS, PHONES
from scrubjay.taggers._mending.tables import headings
from scrubjay.taggers._mending.tables.cells import is_whole
from scrubjay.taggers._mending.tables.columns import Column
from scrubjay.taggers._mending.tables.headings import (
    heading_kind,
    is_answer,
    is_blank,
    is_part_of_date,
    is_weekday,
)
from scrubjay.taggers._mending.tables.layout import Cell, Row
from scrubjay.taggers._mending.tables.roles import AGES, NUMBERS
from scrubjay.taggers._mending.uncovered import place_of, touching

OF_PERSONS = frozenset(
    {
        headings.STAFF,
        headings.SIGNED,
        headings.CODED,
        headings.PATIENT,
        headings.PERSON,
        headings.RELATIVE,
    }
)
"""What heads a column of persons."""

_OF_NAMED = OF_PERSONS - {headings.PERSON}
_OF_VALUES = frozenset({headings.CLINICAL, headings.PLAIN})
_OF_OTHERS = _OF_VALUES | {headings.OTHER, ""}
_OF_PLACES = frozenset(
    {
        "STREET", "CITY", "STATE", "COUNTRY", "HOSPITAL", "ORGANIZATION", "LOCATION-OTHER",
        "ADDRESS", "CARE_INSTITUTE", "INTERNAL_LOCATION", "ORGANIZATION_COMPANY",
        "CALLE", "TERRITORIO", "INSTITUCION", "CENTRO_SALUD",
    }
)  # fmt: skip
_NUMBERS = DATES | AGES | PHONES
_LONG = PHONES | {"SSN"}
"""Labels of numbers that have more figures than values have."""

_FEWEST_TESTS = 2
_SHORT = re.compile(r"\d{1,4}(?:[.,]\d{1,3})?(?:[ ]?[-–/][ ]?\d{1,4}(?:[.,]\d{1,3})?)?")
_BARE = re.compile(r"\d{1,3}(?:[-–]\d{1,3})?")
_SIGNS = re.compile(r"[ ]*[;/][ ]*")
_WIDE = re.compile(r"(?<=\S)(?:[ ]{2,}|[ ]*[\t|][ \t|]*)(?=\S)")
_LINE_END = re.compile(r"(?<=\d)[ ]*\r?\n[ ]*(?=\d)")
_WORD = re.compile(r"[^\W\d_]{3,}")
_LETTER, _FIGURE = re.compile(r"[^\W\d_]"), re.compile(r"\d")
_FOUR, _TIME = re.compile(r"\d{4,6}"), re.compile(r"(?:[01]\d|2[0-4])[0-5]\d")
_NAMED = re.compile(r"[^\W\d_]{2}[ ]\Z")
_ITEM = re.compile(r"[,;/+(][ ]?\Z")
_FEW, _FEWER = 4, 2
"""Figures of a count, and of one among telephones; a number of more may be somebody's."""


def may_stand(
    spans: Sequence[Span], start: int, end: int, within: Cell, kept: frozenset[str] | None
) -> bool:
    """Tell whether all that touches a stretch ends within one and has none of the labels kept.

    None are all labels.
    """
    return all(
        kept is not None
        and span.label not in kept
        and within[0] <= span.start
        and span.end <= within[1]
        for span in touching(spans, start, end)
    )


def part_cells(text: str, rows: list[Span], table: Sequence[Row], language: str) -> None:
    """Cut the mentions that go across cells of a table."""
    kinds = [cell and heading_kind(text[slice(*cell)], language) for cell in table[0]]
    for row in table:
        cells = [(number, cell) for number, cell in enumerate(row) if cell is not None]
        if len(cells) < 2:
            continue
        of_persons = [cell for number, cell in cells if kinds[number] in OF_PERSONS]
        borders = [(a[1], b[0]) for (_, a), (_, b) in pairwise(cells)]
        for span in touching(rows, cells[0][1][0], cells[-1][1][1]):
            gaps = _gaps_in(text, span, borders)
            if gaps:
                place = place_of(rows, span)
                rows[place : place + 1] = [
                    piece
                    for piece in _pieces(span, gaps)
                    if _says(text, piece, language)
                    or any(start <= piece.start < end for start, end in of_persons)
                ]


def _gaps_in(text: str, span: Span, borders: Sequence[Cell]) -> list[Cell]:
    """Return the gaps, bars and signs between cells that a mention goes across."""
    signs = [
        (start, end)
        for start, end in borders
        if span.start < start and end < span.end and _SIGNS.fullmatch(text, start, end)
    ]
    wide = [gap.span() for gap in _WIDE.finditer(text, span.start, span.end)]
    if span.label in _LONG:
        wide += [end.span() for end in _LINE_END.finditer(text, span.start, span.end)]
    return sorted([*signs, *wide], key=lambda gap: (gap[0], -gap[1]))


def _pieces(span: Span, gaps: Sequence[Cell]) -> Iterator[Span]:
    start = span.start
    for begin, end in gaps:
        if start < begin and end < span.end:
            yield replace(span, start=start, end=begin)
            start = end
    yield replace(span, start=start)


def _says(text: str, piece: Span, language: str) -> bool:
    """Tell whether what was cut off may be of the kind that was found."""
    mention, label = text[piece.start : piece.end], piece.label
    if len(mention) == 1:
        goes_on = _NAMED.search(text, max(0, piece.start - 3), piece.start)  # "Mertens K"
        return (label in AGES and mention.isdigit()) or (
            mention.isupper() and (label in PERSONS or goes_on is not None)
        )
    kind = heading_kind(mention, language)
    if is_blank(mention, language) or (
        kind and not (kind == headings.CLINICAL and label in PERSONS)
    ):
        return False
    if _FIGURE.search(mention):
        is_long = is_whole(mention) or _is_extension(mention)
        return label not in PERSONS or is_long or _LETTER.search(mention) is not None
    return label not in AGES | PHONES


def let_go_in_head(text: str, rows: list[Span], head: Row, language: str) -> None:
    """Let go what was found in headings: "Freq", "Nurse", but no days of the week."""
    for cell in head:
        if cell is not None and heading_kind(text[slice(*cell)], language):
            for span in touching(rows, *cell):
                mention = text[span.start : span.end]
                is_in = cell[0] <= span.start and span.end <= cell[1]
                if is_in and not _FIGURE.search(mention) and not is_weekday(mention, language):
                    del rows[place_of(rows, span)]


def let_go_values(
    text: str, rows: list[Span], head: Row | None, body: Sequence[Row], language: str
) -> None:
    """Let go short numbers that were found as long ones in a table of tests: "Hb  73  69".

    Its headings or the first cells of its rows name the tests. What stands below or behind another
    heading that is known stays. Behind the name of a test a bare number is no day, either.
    """
    kinds = [_kind_in(text, cell, language) for cell in head or (None,) * len(body[0])]
    keys = [_kind_in(text, row[0], language) for row in body]
    if max(kinds.count(headings.CLINICAL), keys.count(headings.CLINICAL)) < _FEWEST_TESTS:
        return
    for number, (row, key) in enumerate(zip(body, keys, strict=True)):
        if key not in _OF_OTHERS:
            continue
        # Days head the columns where nothing else does.
        is_test = row[0] is not None and (head is not None or number > 0)
        for kind, cell in zip(kinds, row, strict=True):
            if cell is None or kind not in _OF_OTHERS:
                continue
            for span in touching(rows, *cell):
                is_in = cell[0] <= span.start and span.end <= cell[1]
                if is_in and _is_value(text, span, is_test=is_test and cell != row[0]):
                    del rows[place_of(rows, span)]


def _is_value(text: str, span: Span, *, is_test: bool) -> bool:
    """Tell whether a number in a table of tests is a value: behind a test a bare one is no day."""
    if span.label in DATES:
        return is_test and _BARE.fullmatch(text, span.start, span.end) is not None
    return span.label in _LONG and _SHORT.fullmatch(text, span.start, span.end) is not None


def _kind_in(text: str, cell: Cell | None, language: str) -> str:
    """Return what a cell heads, or that it names a test."""
    if cell is None:
        return ""
    word = text[slice(*cell)]
    is_test = word.lower() in protected_terms(language, spared=True)
    return heading_kind(word, language) or (headings.CLINICAL if is_test else "")


def people_in(
    text: str, rows: Sequence[Span], head: Row | None, body: Sequence[Row], language: str
) -> frozenset[str]:
    """Return the words of the names that were found below headings of patients and staff."""
    return frozenset(
        word
        for number, cell in enumerate(head or ())
        if cell is not None and heading_kind(text[slice(*cell)], language) in _OF_NAMED
        for row in body
        for span in touching(rows, *(row[number] or (0, 0)))
        if span.label in PERSONS
        for word in _WORD.findall(text, span.start, span.end)
    )


def let_go_in_column(
    rows: list[Span], column: Column, people: frozenset[str] = frozenset()
) -> Column:
    """Let go what is nothing of its kind in a column that holds no persons; return it without.

    Who is among the people of the table stays.

    Days with their year and those in a column with one, telephones and long numbers stay wherever
    they stand, and in a column of numbers, "no", those of three figures if one of more is no time.
    """
    kind = column.kind
    if not column.is_headed or kind not in _OF_OTHERS:
        return column
    kept = DATES if _has_days(column) else frozenset[str]()
    few = _FEWER if kind == headings.PLAIN and _has_extensions(column) else _FEW
    gone = [
        span
        for cell in (*column.cells, *column.blanks)
        for span in touching(rows, *cell)
        if span.label not in kept
        and cell[0] <= span.start
        and span.end <= cell[1]
        and column.text[span.start : span.end] not in people
        and _is_nothing(span, cell, column, few)
    ]
    for span in gone:
        del rows[place_of(rows, span)]
    return column.read_again(rows) if gone else column


def _is_nothing(span: Span, cell: Cell, column: Column, few: int) -> bool:
    """Tell whether a mention in a cell is nobody's below a heading."""
    language, kind = column.language, column.kind
    mention, is_all = column.text[span.start : span.end], (span.start, span.end) == cell
    if kind not in _OF_VALUES:
        is_sign = len(mention) == 1 and mention.islower() and is_blank(mention, language)
        is_time = span.label not in _NUMBERS | NUMBERS and _TIME.fullmatch(mention)
        return is_all and (is_sign or bool(is_time))
    is_term = kind == headings.CLINICAL and (
        is_answer(mention, language) or mention.lower() in protected_terms(language, spared=True)
    )
    if span.label in PERSONS:
        # "Jones # L, Bennett # R", but not "seen by Jones".
        is_item = span.start == cell[0] or _ITEM.search(column.text, cell[0], span.start)
        return (is_term and bool(is_item)) or (is_all and len(mention) == 1)
    if not is_all or _is_day(mention, language):
        return False
    if kind == headings.PLAIN and mention.isdigit() and len(mention) > few:
        return False
    return (
        span.label in _NUMBERS
        or is_term
        or is_blank(mention, language)
        or (mention.islower() and mention.isalpha() and span.label in _OF_PLACES)
        or (not _LETTER.search(mention) and len(_FIGURE.findall(mention)) <= _FEW)
    )


def _has_days(column: Column) -> bool:
    """Tell whether a day was found in a column that is nothing else."""
    return any(
        span is not None
        and span.label in DATES
        and _is_day(column.text[span.start : span.end], column.language)
        for span in column.found
    )


def _is_day(mention: str, language: str) -> bool:
    return is_whole(mention) or is_part_of_date(mention, language)


def _has_extensions(column: Column) -> bool:
    """Tell whether a column of numbers, "no", has one of four figures that is no time."""
    return any(_is_extension(column.text[slice(*cell)]) for cell in column.cells)


def _is_extension(mention: str) -> bool:
    return _FOUR.fullmatch(mention) is not None and not _TIME.fullmatch(mention)
