"""A gap of blanks parts columns, and no mention goes across: "Rosa Gil Paz     Rut: 14.220.876-3".

A tagger reads words, not where they stand, and goes on into the next column of a form or an export
(Spanish). What stands on both sides of three blanks stays covered, each for itself; a key of the
form behind the first one is nobody's, nor is the number of its next question behind an age, a sex
or a place ("EDAD 52  6. SEXO"): of a street it is the house ("Calle Olmo  12. Burgos"). Nor are
many numbers in columns, which were taken for a date and can be none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES
from scrubjay.taggers._mending.sparing.lookalike_search import may_look_alike

_ASKED = (
    r"(?:SEXO|EDAD|NOMBRES?|APELLIDOS?|FECHA|LUGAR|DOMICILIO|DIRECCI[OÓ]N|TEL[EÉ]FONO|C[EÉ]DULA|"
    r"CANT[OÓ]N|PROVINCIA|PARROQUIA|MUNICIPIO|DEPARTAMENTO|ESTADO[ ]CIVIL|OCUPACI[OÓ]N|"
    r"ESCOLARIDAD|NACIONALIDAD|PROCEDENCIA|RESIDENCIA|RELIGI[OÓ]N|SERVICIO|DIAGN[OÓ]STICO)(?!\w)"
)
"""What a form asks for."""

_GAP = re.compile(r"[ \t]{3,}")
_GAP_OR_QUESTION = re.compile(rf"[ \t]{{2,}}\d{{1,2}}[.)][ ](?={_ASKED})|[ \t]{{3,}}")
_NUMBERED = frozenset({"EDAD_SUJETO_ASISTENCIA", "SEXO_SUJETO_ASISTENCIA", "TERRITORIO"})
"""Labels of what has no number of its own behind it."""

_KEY = re.compile(
    r"(?:(?P<name>rut|sala)|run|dni|nie|nhc|hc|cip|tel[.]?|tel[ée]fono|tfno[.]?|fono|cel[.]?|fax|edad|sexo|fecha|"
    r"cita|hora|cama|hab[.]?|servicio|medicina|folio|exp[.]?|registro|afiliaci[óo]n|"
    r"previsi[óo]n|ocupaci[óo]n|diagn[óo]stico|m[ée]dico|solicitante|procedencia|domicilio|"
    r"direcci[óo]n|nombre|apellidos?|paciente|historia|turno|n[.]?[º°])[ ]?:?",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[ \t]{2}(\d{1,2})")
_SPANISH = "es"
_MANY = 5
"""Numbers that are no date."""

_STOP = re.compile(rf"[.)][ ]{_ASKED}")
_VALUE = re.compile(r"[ ]?:|[ ]+[+\d]")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY, _MONTH = re.compile(r"0?[1-9]|[12]\d|3[01]"), re.compile(r"0?[1-9]|1[0-2]")
_FIGURES = re.compile(r"[\d\s.,<>()\[\]–-]+")
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
    if span.label in _NUMBERED and _STOP.match(text, end):
        end = start + end_before_question(mention)
    gap_of = _GAP_OR_QUESTION if span.label in _NUMBERED else _GAP
    gaps = list(gap_of.finditer(text, start, end))
    if gaps and _NUMBERS.fullmatch(mention) and span.label in DATES:
        if len(mention.split()) < _MANY or _may_hold_dates(mention):
            yield span
        return
    if gaps and (_FIGURES.fullmatch(mention) or may_look_alike(mention, span.label, _SPANISH)):
        yield span  # others tell what it is
        return
    for gap in gaps:
        yield from _column(text, span, start, gap.start())
        start = gap.end()
    yield from _column(text, span, start, end)


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


def end_before_question(mention: str) -> int:
    """Return where a mention ends without a number of two digits and the blanks before it.

    That is its length where it does not end so. A few signs tell, however many blanks there are.
    """
    tail = mention[-4:]
    question = _QUESTION.fullmatch(tail) or _QUESTION.fullmatch(tail[1:])
    if question is None:
        return len(mention)
    return len(mention[: -len(question[1])].rstrip(" \t"))


def _column(text: str, span: Span, start: int, end: int) -> Iterator[Span]:
    """Yield a part of a mention, but for one that is a key; one that is a name has a value."""
    key = _KEY.fullmatch(text, start, end) if start > span.start else None
    is_key = key is not None and not (key["name"] and _VALUE.match(text, end) is None)
    if start < end and not is_key:
        yield replace(span, start=start, end=end)


def _is_spaced_out(mention: str) -> bool:
    """Tell whether all letters of a mention stand apart: "R o s a   G i l"."""
    return mention[:1].isalpha() and all(len(piece) == 1 for piece in mention.split())
