"""Days of a course, parts of a whole and rows of a table are no dates: "día 3/7", "sesión 6/12".

They have the shape of a day and a month, and a row of a table that of somebody's number (Spanish).
What stands beside them tells: a course of a drug before the day of it ("el día 3/7" is a date all
the same), what is counted, or the days of the month that somebody bleeds ("FM 4/28").
"""

from __future__ import annotations

import re
from itertools import pairwise

from scrubjay.document import Span

_AROUND = 48
"""Characters before a mention in which what tells begins."""

_DATE = "FECHAS"
_NUMBERS = frozenset({
    "FECHAS", "NUMERO_TELEFONO", "NUMERO_FAX", "ID_SUJETO_ASISTENCIA", "ID_CONTACTO_ASISTENCIAL",
    "ID_ASEGURAMIENTO", "OTRO_NUMERO_IDENTIF",
})  # fmt: skip

_PHONES = frozenset({"NUMERO_TELEFONO", "NUMERO_FAX"})

_PART = re.compile(r"(?:d[ií]a[ ])?(\d{1,2})/(\d{1,2})", re.IGNORECASE)
_PERIOD = re.compile(r"\d{1,2}(?:-\d{1,2})?/(?:2\d|3\d|4[0-5])(?:-\d{2})?")
_RANGE = re.compile(r"(\d{1,2})-(\d{1,2})")
_NO_MONTH = 13
_COUNTED_SO = re.compile(
    r"[ ]?(?:%|(?:(?:hemat|leuc|c[ée]lul)\w{2,8}|mg|ml|cm|mm|kg|veces|d[ií]as|horas|h|min|minutos|"
    r"dB|k?Hz|cc|años|meses|sem(?:anas)?|sesiones|comp\w{0,10}|gotas|puffs?|lpm|rpm|l/min|dosis)(?!\w))"
)
_DOSES = re.compile(r"\d{1,3}(?:-\d{1,3}){2,3}")
_RATE = re.compile(r"\d{1,2}/(?:semana|sem|d[ií]a|noche|mes|h)", re.IGNORECASE)
_ROW = re.compile(r"\d{1,4}(?:[ ]{2,}\d{1,4}){2,}")
_FAR_APART = re.compile(r"\d{1,3}(?:[ ]{3,}\d{1,3}){2,}")
_ROWS = re.compile(r"\d{1,3}(?:\s+\d{1,3}){4,}")
_SWEEP = re.compile(r"\d{3,4}(?:[ ]\d{3,4}){2,}")

_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY, _MONTH = re.compile(r"0?[1-9]|[12]\d|3[01]"), re.compile(r"0?[1-9]|1[0-2]")
_MAYO = re.compile(r"Mayo[ ]\d{1,3}")
_SHAPES = (_PART, _PERIOD, _RANGE, _DOSES, _RATE, _ROWS, _MAYO)

_MONTHS, _HIGH = 12, 2000
"""Months of a year, and what a test of hearing goes up to at least."""

_DAY_BEFORE = re.compile(r"(?P<before>(?:\A|[^\W\d_]+|\W)[ ]?)(?<!\w)d[ií]a[ ]\Z", re.IGNORECASE)
_ON_THE_DAY = re.compile(r"(?<!\w)(?:el|del|al|desde|hasta|este|para)[ ]\Z", re.IGNORECASE)
_DRUG = (
    r"(?:\w{3,}(?:micina|cilina|penem|floxacin[oa]?|xona|azol|sona|solona|ciclovir|bactam|taxima|"
    r"zidima|zolina|linezolid|exato)|linezolid|colistina|teicoplanina|genta|ampi|vanco|dapto|"
    r"cefepime|amoxi-?clav|tazo|antibi\w+|ATB|corticoides?|quimio\w*)"
)
_DOSED = re.compile(
    rf"(?<!\w){_DRUG}(?!\w)|\d[ ]?(?:mg|mcg|g|UI|MU)(?![^\W\d_])|/(?:6|8|12|24)[ ]?h(?!\w)",
    re.IGNORECASE,
)
_OF_DRUG = re.compile(rf"\)?[ ](?:de|con)[ ](?:la[ ])?{_DRUG}(?!\w)", re.IGNORECASE)
_COUNTED_BEFORE = re.compile(
    r"(?<!\w)(?P<ordinal>(?:pr[óo]xim|siguiente|[úu]ltim|nuev|primer|segund|tercer)\w{0,2}[ ]|"
    r"\d[.]?[ªºao][ ])?"
    r"(?:sesi[óo]n(?:es)?|ciclo|dosis|hoja|p[áa]g(?:ina)?[.]?|criterios|[ií]tems?|gasas|compresas|"
    r"contaje|recuento|frascos|cilindros|ganglios|diluciones|plasmaf[ée]resis|fracci[óo]n|aciertos|"
    r"reloj|ishihara|notificaci[óo]n)[ :]{1,2}\Z",
    re.IGNORECASE,
)
_SITES = re.compile(
    r"(?<!\w)(?:costal(?:es)?|costillas|arcos[ ]costales|v[ée]rtebras|metatarsianos)[ ]"
    r"(?:\d{1,2}-\d{1,2}(?:,| y)[ ])*\Z",
    re.IGNORECASE,
)
"""What a body has from one number to another; pictures may have the days that they are of."""

_YEAR_ON = re.compile(r"[/.-]\d")
_GOES_ON = re.compile(r"[/.-]\d|[ ]?(?:a[ ]las|\d{1,2}[:.]\d\d|\d{1,2}[ ]?h(?!\w)|:|y[ ]\d)")
_COUNTED_BEHIND = re.compile(
    r"[ ](?:criterios|mayores|menores|sesiones|ciclos|frascos|tomas|noches|[ií]tems?|aciertos|"
    r"correctas|miembros|extremidades|(?:en[ ](?:la[ ])?|de[ ])(?-i:EVA))(?!\w)",
    re.IGNORECASE,
)
_ON_A_DAY = re.compile(
    r"(?<!\w)(?:el|del|al|desde|hasta|d[ií]a|cita|fecha|lunes|martes|mi[ée]rcoles|jueves|viernes|"
    r"s[áa]bado|domingo|lun|mar|mi[ée]|jue|vie|s[áa]b|dom|[LMXJVSD])[ .:]{1,2}\Z",
    re.IGNORECASE,
)
_BLEEDS = re.compile(
    r"(?<!\w)(?:(?-i:FM|F[.]M[.]|TM|T[.]M[.])|f[óo]rmula[ ]menstrual|tipo[ ]menstrual|"
    r"(?<![úu]ltima[ ])(?:reglas|ciclos|menstruaciones))"
    r"(?:[ ](?:ir)?regulares)?[ :,]{1,2}\Z",
    re.IGNORECASE,
)


def may_be_course(mention: str, label: str) -> bool:
    """Tell whether a mention has the shape of such a thing, wherever it stands."""
    if label == _DATE and any(shape.fullmatch(mention) is not None for shape in _SHAPES):
        return True
    if label not in _NUMBERS or not mention[0].isdecimal():
        return False
    if label in _PHONES:
        return _FAR_APART.fullmatch(mention) is not None
    return _ROW.fullmatch(mention) is not None or _is_sweep(mention)


def is_course(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is a part, a rate, doses of a day or a row of values."""
    mention = text[span.start : span.end]
    if _ROW.fullmatch(mention):
        # "19  09  22" is a day
        return span.label != _DATE or (len(mention.split()) > 3 and not may_hold_dates(mention))
    if (
        _is_sweep(mention)
        or _is_through_day(mention)
        or (_ROWS.fullmatch(mention) and not may_hold_dates(mention))
        or _RATE.fullmatch(mention)
    ):
        return True
    before = re.split(r"[\r\n]", text[max(0, span.start - _AROUND) : span.start])[-1]
    if _PERIOD.fullmatch(mention) and _BLEEDS.search(before):
        return True
    if text.startswith(("%", " %"), span.end):
        return True
    if _is_rising(mention) or _DOSES.fullmatch(mention):
        if _COUNTED_SO.match(text, span.end):
            return True
        return _SITES.search(before) is not None and not _YEAR_ON.match(text, span.end)
    part = _PART.fullmatch(mention)
    if part is not None and min(int(part[1]), int(part[2])) >= _NO_MONTH:
        return _GOES_ON.match(text, span.end) is None
    if part is None or int(part[1]) > int(part[2]):
        return False
    if _GOES_ON.match(text, span.end):
        return False
    before += mention[: part.start(1)]
    if _is_in_course(text, span, before, int(part[2])):
        return True
    counted = _COUNTED_BEFORE.search(before)
    if counted is not None:
        return counted["ordinal"] is None
    return _COUNTED_BEHIND.match(text, span.end) is not None and not _ON_A_DAY.search(before)


def may_hold_dates(mention: str) -> bool:
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


def _is_in_course(text: str, span: Span, before: str, whole: int) -> bool:
    """Tell whether a part is the day of a course, by what stands before it up to "día"."""
    day = _DAY_BEFORE.search(before)
    if day is None or _ON_THE_DAY.search(day["before"]):
        return False
    if whole > _MONTHS or day["before"].endswith("("):
        return True
    rest = before[: day.end("before")]
    return bool(_DOSED.search(rest) or _OF_DRUG.match(text, span.end))


def _is_through_day(mention: str) -> bool:
    """Tell whether numbers are doses through a day, the first or one within being none."""
    return _DOSES.fullmatch(mention) is not None and "0" in mention.split("-")[:-1]


def _is_rising(mention: str) -> bool:
    """Tell whether a mention is a number and a larger one: "10-25"."""
    numbers = _RANGE.fullmatch(mention)
    return numbers is not None and int(numbers[1]) < int(numbers[2])


def _is_sweep(mention: str) -> bool:
    """Tell whether numbers are those of a test of hearing: "500 1000 2000 3000", each more."""
    if _SWEEP.fullmatch(mention) is None or not mention.endswith("00"):
        return False
    numbers = [int(number) for number in mention.split()]
    return (
        numbers[-1] >= _HIGH
        and all(number % 50 == 0 for number in numbers)
        and all(low < high for low, high in pairwise(numbers))
    )
