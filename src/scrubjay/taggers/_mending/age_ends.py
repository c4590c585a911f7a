"""What stands behind an age in capitals is no part of it: "Jansen 81 | HF", "vd Berg T. 45 | DKA".

In the rows of a handover what somebody has stands right behind his age, and a tagger takes both for
the age, or for the number of a house with its letters. Of a house the letters have to be none that
houses have ("12 HS"), and the row has to begin with the number of a bed or with a title.
"""

from __future__ import annotations

import re
from dataclasses import replace

from scrubjay.document import Span

_AGES = frozenset({"AGE", "EDAD_SUJETO_ASISTENCIA"})
_HOUSES = frozenset({"ADDRESS"})
LABELS = _AGES | _HOUSES
"""Labels of what may hold such an abbreviation."""

_DUTCH = "nl"
_UNITS = "JR|JAAR|JARIGE?|YO|YRS?|YEARS?|MND|MOS?|WKS?|WKN|DGN|MAN|VR|AÑOS|MESES|PT|DAYS?"
_AGED = re.compile(rf"\d{{1,3}}(?P<rest>[ ](?!(?:{_UNITS})(?!\w))[A-ZÀ-Þ]{{2,6}})")
_HOUSED = re.compile(r".{2,40}[ ]\d{2}(?P<rest>[ ](?!HS|RD|ZW|TO|BIS|HUIS|I)[A-Z]{2,5})", re.DOTALL)
_ROW = re.compile(r"(?:^|\n)[ \t*•-]{0,4}(?:\d{1,4}[A-Za-z]?[ ]|(?i:dhr|mw|mevr)[. ])[^\n]{0,40}\Z")
_FARTHEST = 64


def may_hold_finding(mention: str, label: str, language: str) -> bool:
    """Tell whether a mention may be an age, or a house, with an abbreviation in capitals."""
    if label in _AGES:
        return _AGED.fullmatch(mention) is not None
    return language == _DUTCH and label in _HOUSES and _HOUSED.fullmatch(mention) is not None


def without_finding(text: str, span: Span) -> Span:
    """Return an age without the abbreviation behind it, where it is one of what somebody has."""
    if span.label in _AGES:
        held = _AGED.fullmatch(text, span.start, span.end)
        return span if held is None else replace(span, end=held.start("rest"))
    held = _HOUSED.fullmatch(text, span.start, span.end)
    is_row = _ROW.search(text, max(0, span.start - _FARTHEST), span.start) is not None
    return replace(span, end=held.start("rest")) if held is not None and is_row else span
