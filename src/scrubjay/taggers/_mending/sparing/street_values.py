"""Values that a Spanish tagger takes for streets: "INR 2,4 el 7/3", "TA 120/80, FC 72".

A number, a comma and another number are the shape of "Mayor 2, 4", and what stands beside a value
of the laboratory is a house of no street. Such a mention is spared; of one that begins within a
decimal number the rest stays, as a date where it is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scrubjay.document import Span

STREETS = frozenset(["CALLE"])
_DATE = "FECHAS"

_KEY = (
    r"(?:TA[SDM]?|PA[SDM]?|FC|FR|T[ªa]?|Temp|Sat(?:O2)?|SpO2|EVA|GCS|IMC|INR|Hb(?:A1c)?|Hto|VCM|PCR|"
    r"VSG|TSH|T4L?|PSA|CEA|Cr|Na|K|Mg|Fe|GOT|GPT|GGT|FA|LDH|CK|CPK|Tn[IT]?|BNP|DD|Leu[ck]?o?s?|"
    r"Plaq|Glu(?:cosa|cemia)?|Urea|Creat(?:inina)?|FEVI?|PIO|AV|Peso|Talla|Diuresis)"
)
_NUMBER = r"[<>~]?\d{1,4}(?:[.,/]\d{1,4}){0,2}"
_UNIT = r"(?:[ ]?(?:%|mm[ ]?Hg|lpm|rpm|º[ ]?C?|°[ ]?C?|m?g/d?l|mEq/l|kg|cm|ml|x[ ]?min))?"
_VALUE = rf"{_KEY}[ ]?[:=]?[ ]?{_NUMBER}{_UNIT}"
_VALUES = re.compile(
    rf"(?:(?:Constantes|Ctes|Anal[íi]tica|Lab)[.:]?[ ])?{_VALUE}(?:[,;.]?[ ]{_VALUE})*[,;.]?"
)
_REST = re.compile(r"\d{1,4}(?:[.,/]\d+)*[ ]*")
_DAY = re.compile(
    r"(?:(?:el|del|de|a)[ ](?:d[íi]a[ ])?)?"
    r"(?P<date>(?:0?[1-9]|[12]\d|3[01])[/-](?:0?[1-9]|1[0-2])(?:[/-](?:\d{2}|\d{4}))?)\Z"
)


def spare_values(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans, but values that are taken for a street or for a part of one."""
    for span in spans:
        if span.label not in STREETS:
            yield span
        elif _begins_within_number(text, span.start):
            yield from _without_number(text, span)
        elif _VALUES.fullmatch(text, span.start, span.end) is None:
            yield span


def _begins_within_number(text: str, start: int) -> bool:
    """Tell whether a place is behind the point or comma of a decimal number: 2,|4."""
    return (
        start > 1
        and text[start - 1] in ",."
        and text[start - 2].isdecimal()
        and text[start : start + 1].isdecimal()
    )


def _without_number(text: str, span: Span) -> Iterator[Span]:
    """Yield what is left of a mention without the number that it begins within."""
    rest = _REST.match(text, span.start, span.end)
    start = span.start if rest is None else rest.end()
    if start == span.end:
        return
    day = _DAY.fullmatch(text, start, span.end)
    if day is None:
        yield Span(start, span.end, span.label, span.score, span.source)
    else:
        yield Span(day.start("date"), day.end("date"), _DATE, span.score, span.source)
