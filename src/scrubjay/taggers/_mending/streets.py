"""What a Spanish tagger takes for a street, and the quarter behind one.

Values are no streets ("INR 2,4 el 7/3", "TA 120/80, FC 72"): a number, a comma and another number
are the shape of "Mayor 2, 4". Of a mention that begins within a decimal number the rest stays, as a
date where it is one. And a street ends before the quarter that it is in ("Mz 14 Casa 22, barrio |
Parque Industrial"): MEDDOCAN's streets have a number, a floor and a door; quarters, villages and
zones behind a comma are territories. A word for what the place is stays outside of a name, but
within "zona 18" and "Barrio de la Estación".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from scrubjay.document import Span

LABEL = "CALLE"
_AREA, _DATE = "TERRITORIO", "FECHAS"

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
_QUARTER = re.compile(
    r",[ ](?P<word>(?:barrio|b[º°]|poblaci[óo]n|pobl[.]|zona|sector|aldea|caser[íi]o|pedan[íi]a|"
    r"parroquia|comuna|vereda|corregimiento)(?![\w]))[ ]?(?P<name>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)


def mend_street(text: str, span: Span) -> Iterator[Span]:
    """Yield what is left of a street, and the quarter behind it for itself; nothing of values."""
    if _begins_within_number(text, span.start):
        rest = _REST.match(text, span.start, span.end)
        start = span.start if rest is None else rest.end()
        if start == span.end:
            return
        if day := _DAY.fullmatch(text, start, span.end):
            yield replace(span, start=day.start("date"), label=_DATE)
            return
        span = replace(span, start=start)
    elif _VALUES.fullmatch(text, span.start, span.end):
        return
    quarter = _QUARTER.search(text[span.start : span.end])
    if quarter is None or quarter.start() == 0:
        yield span
        return
    yield replace(span, end=span.start + quarter.start())
    if name := quarter["name"]:
        is_whole = name[0].isdigit() or name.startswith("de")
        start = quarter.start("word" if is_whole else "name")
        yield replace(span, start=span.start + start, label=_AREA)


def _begins_within_number(text: str, start: int) -> bool:
    """Tell whether a place is behind the point or comma of a decimal number: 2,|4."""
    return (
        start > 1
        and text[start - 1] in ",."
        and text[start - 2].isdecimal()
        and text[start : start + 1].isdecimal()
    )
