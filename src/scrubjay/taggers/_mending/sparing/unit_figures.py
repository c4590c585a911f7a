"""Figures with their unit are no PHI: "1,78 m", "teléfono 24 h", "la 15" (Spanish).

The decimals of a height look like an age or a sex, the hours of a service like a telephone, and a
room or a bed that is called by its number alone has the article of one: days are masculine.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_AGE, _SEX = "EDAD_SUJETO_ASISTENCIA", "SEXO_SUJETO_ASISTENCIA"
_PHONE, _DATE = "NUMERO_TELEFONO", "FECHAS"
FIGURES = frozenset({_AGE, _SEX, _PHONE, _DATE})

_SHORT = re.compile(r"\d{1,2}(?:[ ]?m)?|[mM]")
_DECIMAL = re.compile(r"\d[.,]\Z")
_HEIGHT = re.compile(r"(?<!\d)[0-2][.,]\d{2}[ ]?\Z")
_HOURS = re.compile(r"[ ]?h(?:oras?|rs?)?(?![\w:])", re.IGNORECASE)
_THE_ROOM = re.compile(r"(?<!\w)las?[ ]\Z", re.IGNORECASE)
_AROUND = 6


def may_be_figure(mention: str) -> bool:
    """Tell whether a mention is a short number, or the letter of metres, wherever it stands."""
    return _SHORT.fullmatch(mention) is not None


def is_figure(text: str, span: Span) -> bool:
    """Tell whether such a mention is a part of a measure, hours, or a room."""
    before = text[max(0, span.start - _AROUND) : span.start]
    if span.label == _AGE:
        return _DECIMAL.search(before) is not None
    if span.label == _SEX:
        return _HEIGHT.search(before) is not None
    if span.label == _PHONE:
        return _HOURS.match(text, span.end) is not None
    return _THE_ROOM.search(before) is not None
