"""A gap of blanks parts columns, and no mention goes across: "Rosa Gil Paz     Rut: 14.220.876-3".

A tagger reads words, not where they stand, and goes on into the next column of a form or an export
(Spanish). What stands on both sides of three blanks stays covered, each for itself; a key of the
form behind the first one, and the number of its next question ("EDAD 52  6. SEXO"), is nobody's.
Nor are many numbers in columns, which were taken for a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES
from scrubjay.taggers._mending.sparing.value_rows import may_be_value_row

_GAP = re.compile(r"[ \t]{3,}|[ \t]{2,}\d{1,2}[.)][ ](?=[A-ZÁÉÍÓÚÑ])")
_KEY = re.compile(
    r"(?:(?P<name>rut|sala)|run|dni|nie|nhc|hc|cip|tel[.]?|tel[ée]fono|tfno[.]?|fono|cel[.]?|fax|edad|sexo|fecha|"
    r"cita|hora|cama|hab[.]?|servicio|medicina|folio|exp[.]?|registro|afiliaci[óo]n|"
    r"previsi[óo]n|ocupaci[óo]n|diagn[óo]stico|m[ée]dico|solicitante|procedencia|domicilio|"
    r"direcci[óo]n|nombre|apellidos?|paciente|historia|turno|n[.]?[º°])[ ]?:?",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[ \t]{2,}\d{1,2}\Z")
_MANY = 5
"""Numbers that are no date."""

_STOP = re.compile(r"[.)][ ][A-ZÁÉÍÓÚÑ]")
_VALUE = re.compile(r"[ ]?:|[ ]+[+\d]")
_NUMBERS = re.compile(r"\d{1,4}(?:\s+(?:[A-Z]{2}\s+)?\d{1,4}){2,}")


def part_columns(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans, what stands of each in each column, without keys behind the first one."""
    if "  " not in text and "\t" not in text:
        return tuple(spans)
    rows: list[Span] = []
    for span in spans:
        mention = text[span.start : span.end]
        if "  " in mention or "\t" in mention:
            rows += _parts(text, span, mention)
        else:
            rows.append(span)
    return tuple(rows)


def _parts(text: str, span: Span, mention: str) -> Iterator[Span]:
    if _is_spaced_out(mention):
        yield span
        return
    start, end = span.start, span.end
    question = _QUESTION.search(mention)
    if question is not None and _STOP.match(text, end):
        end = start + question.start()
    gaps = list(_GAP.finditer(text, start, end))
    if gaps and _NUMBERS.fullmatch(mention) and span.label in DATES:
        if len(mention.split()) < _MANY:
            yield span
        return
    if gaps and (may_be_value_row(mention) or _NUMBERS.fullmatch(mention)):
        yield span  # others tell what it is
        return
    for gap in gaps:
        yield from _column(text, span, start, gap.start())
        start = gap.end()
    yield from _column(text, span, start, end)


def _column(text: str, span: Span, start: int, end: int) -> Iterator[Span]:
    """Yield a part of a mention, but for one that is a key; one that is a name has a value."""
    key = _KEY.fullmatch(text, start, end) if start > span.start else None
    is_key = key is not None and not (key["name"] and _VALUE.match(text, end) is None)
    if start < end and not is_key:
        yield replace(span, start=start, end=end)


def _is_spaced_out(mention: str) -> bool:
    """Tell whether all letters of a mention stand apart: "R o s a   G i l"."""
    return mention[:1].isalpha() and all(len(piece) == 1 for piece in mention.split())
