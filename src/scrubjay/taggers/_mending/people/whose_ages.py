"""An age right behind a person is that person's: "su mujer, Eulalia, de 86 años" (Spanish).

MEDDOCAN has a label for the age of the patient, and counts that of a relative with the relatives.
A model that looks at some words around a number often takes one for the other. What stands between
a person and the age tells: a comma, a bracket, "de", or that the relative died at it. The day of
birth with an age in brackets behind it is the patient's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scrubjay.document import Span

AGE, KIN = "EDAD_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA"
_PATIENT, _DATE = "NOMBRE_SUJETO_ASISTENCIA", "FECHAS"
_FARTHEST = 48
"""Characters between a person and the age."""

_BEFORE_BIRTH = 28
"""Characters before a date in which the key of a birth begins."""

_AGED = re.compile(
    r"(?:unos[ ])?\d{1,3}(?:[ ]?(?:años?|a[.]?|meses|m|d[íi]as|semanas))?(?!\w)", re.I
)
_FIRST = frozenset("0123456789uU")
_BESIDE = re.compile(r"(?:,|[ ][(]|:|,?[ ]de|[ ][-–—/])[ ]?(?:de[ ])?(?:unos[ ])?")
_DIED = re.compile(
    r",?[ ](?:que[ ])?(?:se[ ])?"
    r"(?:falleci[oó]|muri[oó]|muert[oa]|fallecid[oa]|suicid[oó]|finad[oa])"
    r"(?:[ ][^\W\d_]+){0,4}[ ]a[ ]los[ ]",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"[ ]{0,4}[(]")
_BORN = re.compile(r"(?<!\w)(?:nacid[oa]|nac(?:imiento)?|fn|f[.][ ]?n)(?!\w)", re.IGNORECASE)


def may_be_age(mention: str, label: str) -> bool:
    """Tell whether a mention is an age, of the patient or of a relative."""
    return label == AGE or (
        label == KIN and mention[0] in _FIRST and _AGED.fullmatch(mention) is not None
    )


def tell_whose_ages(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans of a Spanish text, ages with the label of the person right before them.

    A patient is called by two words at least: a single name may be anybody's.
    """
    rows: list[Span] = []
    before: Span | None = None
    for span in spans:
        label = span.label
        if label == AGE or (label == KIN and may_be_age(text[span.start : span.end], label)):
            whose = _label_of(text, before, span) if before else None
            if whose is not None and whose != label:
                span = replace(span, label=whose)
        else:
            before = span
        rows.append(span)
    return tuple(rows)


def _label_of(text: str, before: Span, age: Span) -> str | None:
    """Return the label of an age by the mention before it, or None where that does not tell."""
    if not before.end < age.start <= before.end + _FARTHEST:
        return None
    gap = text[before.end : age.start]
    if before.label == KIN:
        return KIN if _BESIDE.fullmatch(gap) or _DIED.fullmatch(gap) else None
    if before.label == _PATIENT:
        is_full = " " in text[before.start : before.end]
        return AGE if is_full and _BESIDE.fullmatch(gap) else None
    if before.label == _DATE and _BRACKET.fullmatch(gap):
        is_birth = _BORN.search(text, max(0, before.start - _BEFORE_BIRTH), before.start)
        return AGE if is_birth else None
    return None
