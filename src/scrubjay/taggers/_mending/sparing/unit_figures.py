"""Figures with their unit are no PHI: "1,78 m", "teléfono 24 h" (Spanish).

The decimals of a height or a weight look like an age or a sex, the hours of a service like a
telephone. A number behind a comma is an age all the same without a unit ("hab 12,78 años").
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_AGE, _SEX = "EDAD_SUJETO_ASISTENCIA", "SEXO_SUJETO_ASISTENCIA"
_PHONE = "NUMERO_TELEFONO"
FIGURES = frozenset({_AGE, _SEX, _PHONE})

_SHORT = re.compile(r"\d{1,2}(?:[ ]?m)?|m")
_ROOM = (
    r"(?<!hab[ ])(?<!hab[.][ ])(?<!habitación[ ])(?<!habitacion[ ])(?<!cama[ ])(?<!box[ ])"
    r"(?<!sala[ ])"
)
_METRES = re.compile(rf"(?<![\d.,]){_ROOM}[0-2][.,]\Z", re.IGNORECASE)
_WEIGHED = re.compile(r"\d[.,]\Z")
_TOLD = re.compile(
    r"(?<!\w)(?:talla|peso|estatura|mide|pesa)(?:[ ](?:de|actual))?[ :]{1,2}\d{1,3}[.,]\Z",
    re.IGNORECASE,
)
_HEIGHT = re.compile(rf"(?<![\d.,]){_ROOM}[0-2][.,]\d{{2}}[ ]?\Z", re.IGNORECASE)
_METRE = re.compile(r"[ ]?m(?![\w.])")
_WEIGHT = re.compile(r"[ ]?(?:kg|cm)(?!\w)")
_YEARS = re.compile(r"[ ]?(?:a|años?|mes(?:es)?|d[ií]as?)(?!\w)", re.IGNORECASE)
_HOURS = re.compile(r"[ ]?h(?:oras?|rs?)?(?![\w:])", re.IGNORECASE)
_AROUND = 24


def may_be_figure(mention: str) -> bool:
    """Tell whether a mention is a short number, or the letter of metres, wherever it stands."""
    return _SHORT.fullmatch(mention) is not None


def is_figure(text: str, span: Span) -> bool:
    """Tell whether such a mention is a part of a measure, or hours."""
    before = text[max(0, span.start - _AROUND) : span.start]
    if span.label == _AGE:
        return _is_part(text, span, before)
    if span.label == _SEX:
        return _HEIGHT.search(before) is not None
    return _HOURS.match(text, span.end) is not None


def _is_part(text: str, span: Span, before: str) -> bool:
    """Tell whether an age is the decimals of a height or a weight."""
    if not before.endswith((".", ",")):
        return False
    if text[span.end - 1] == "m" or _METRE.match(text, span.end):
        return _METRES.search(before) is not None
    if _WEIGHT.match(text, span.end):
        return _WEIGHED.search(before) is not None
    return _TOLD.search(before) is not None and not _YEARS.match(text, span.end)
