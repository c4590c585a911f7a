"""A weekday behind a title or a word for a relative is a name: "el padre Domingo" (Spanish).

Days of the week have no capital in Spanish, so that one with a capital right behind who somebody is
names that person. In small letters, and in capitals, it is a day: "viene el padre domingo".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, normal_word
from scrubjay.text.weekdays import weekday_forms

_DATE = "FECHAS"
_AROUND = 16
_WHO = re.compile(
    r"(?<!\w)(?:(?P<staff>dra?[.]|doctora?|enf[.]|enfermer[oa])|(?P<kin>padre|fray|fr[.]|p[.]|sor|"
    r"madre|mam[áa]|pap[áa]|herman[oa]|hij[oa]|espos[oa]|marido|mujer|t[íi][oa]|niet[oa]|prim[oa]|"
    r"abuel[oa]|sobrin[oa]|vecin[oa]|amig[oa]|pareja|novi[oa]|cu[ñn]ad[oa]|sueg?r[oa])|"
    r"d[.]ª?|do[nñ]a?|sra?[.]|señora?|srta[.])[ ]\Z",
    re.IGNORECASE,
)


def name_days(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans of a Spanish text, the weekdays that are names with a label of persons."""
    names = _names()
    if not any(name in text for name in names):
        return tuple(spans)
    rows: list[Span] = []
    for span in spans:
        if span.label == _DATE and text[span.start : span.end] in names:
            who = _WHO.search(text, max(0, span.start - _AROUND), span.start)
            span = replace(span, label=_label(who)) if who else span
        rows.append(span)
    return tuple(rows)


def _label(who: re.Match[str]) -> str:
    if who["staff"]:
        return "NOMBRE_PERSONAL_SANITARIO"
    return "FAMILIARES_SUJETO_ASISTENCIA" if who["kin"] else "NOMBRE_SUJETO_ASISTENCIA"


@cache
def _names() -> frozenset[str]:
    """Return the weekdays that are first names, too, as names are written."""
    first = find_lexicon("es.first-names")
    return frozenset(
        form
        for form in weekday_forms("es")
        if form[:1].isupper() and form[1:].islower() and normal_word(form) in first
    )
