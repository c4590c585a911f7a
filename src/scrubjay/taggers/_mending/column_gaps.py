"""A gap of blanks parts columns, and no mention goes across: "Rosa Gil Paz     Rut: 14.220.876-3".

A tagger reads words, not where they stand, and goes on into the next column of a form or an export
(Spanish). What stands on both sides of three blanks stays covered, each for itself, but a key of
the form behind the first one is nobody's. Figures alone are left whole, but many numbers in
columns, which were taken for a date and can be none, are let go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES
from scrubjay.taggers._mending.sparing.lookalike_search import may_look_alike

_SPANISH = "es"

_GAP = re.compile(r"[ \t]{3,}")
_KEY = re.compile(
    r"(?:(?P<name>rut|sala)|run|dni|nie|nhc|hc|cip|tel[.]?|tel[ée]fono|tfno[.]?|fono|cel[.]?|fax|edad|sexo|fecha|"
    r"cita|hora|cama|hab[.]?|servicio|medicina|folio|exp[.]?|registro|afiliaci[óo]n|"
    r"previsi[óo]n|ocupaci[óo]n|diagn[óo]stico|m[ée]dico|solicitante|procedencia|domicilio|"
    r"direcci[óo]n|nombre|apellidos?|paciente|historia|turno|n[.]?[º°])[ ]?:?",
    re.IGNORECASE,
)
_VALUE = re.compile(r"[ ]?:|[ ]+[+\d]")
_NUMBERS = re.compile(r"\d{1,4}(?:\s+(?:[A-Z]{2}\s+)?\d{1,4}){2,}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY, _MONTH = re.compile(r"0?[1-9]|[12]\d|3[01]"), re.compile(r"0?[1-9]|1[0-2]")
_MANY = 5
"""Numbers that are no date."""

_LETTER = re.compile(r"[^\W\d_]")


def part_columns(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans, what stands of each in each column, without keys behind the first one."""
    if "   " not in text and "\t" not in text:
        return tuple(spans)
    rows: list[Span] = []
    for span in spans:
        mention = text[span.start : span.end]
        has_gap = "   " in mention or "\t" in mention
        if has_gap and span.label in DATES and _NUMBERS.fullmatch(mention):
            if len(mention.split()) < _MANY or _may_hold_dates(mention):
                rows.append(span)
        elif (
            has_gap
            and _LETTER.search(mention)
            and not may_look_alike(mention, span.label, _SPANISH)
        ):
            rows += _parts(text, span)
        else:
            rows.append(span)
    return tuple(rows)


def _parts(text: str, span: Span) -> Iterator[Span]:
    start = span.start
    for gap in _GAP.finditer(text, span.start, span.end):
        if start < gap.start():
            yield from _column(text, span, start, gap.start())
        start = gap.end()
    yield from _column(text, span, start, span.end)


def _column(text: str, span: Span, start: int, end: int) -> Iterator[Span]:
    """Yield a part of a mention, but for one that is a key; one that is a name has a value."""
    key = _KEY.fullmatch(text, start, end) if start > span.start else None
    is_key = key is not None and not (key["name"] and _VALUE.match(text, end) is None)
    if start < end and not is_key:
        yield replace(span, start=start, end=end)


def _may_hold_dates(mention: str) -> bool:
    """Tell whether among numbers that blanks part there may be dates: "12   03   2019   15   03".

    That are years of four digits beside a month, days and months with a zero before them, and
    numbers that are days, months and years all through.
    """
    numbers = mention.split()
    if any(len(number) == 2 and number[0] == "0" for number in numbers):
        return True
    for before, year, behind in zip(["", *numbers], numbers, [*numbers[1:], ""], strict=False):
        if _YEAR.fullmatch(year) and (_MONTH.fullmatch(before) or _MONTH.fullmatch(behind)):
            return True
    return len(numbers) % 3 == 0 and all(
        _DAY.fullmatch(day) and _MONTH.fullmatch(month) and len(year) in (2, 4)
        for day, month, year in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
    )
