"""Dates, ages and telephones as people say them: "dieciséis de octubre de dos mil veinticinco".

A tagger that has seldom seen such words finds the month alone, or the last word of a number
("sesenta y" stays before "siete años", or goes with the name before it). The words of numbers
around it belong to it, and a "punto" behind the last one of a telephone does not (Spanish).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.text.months import month_names

_DATE = "FECHAS"
_DIALLED_LABELS = ("NUMERO_TELEFONO", "ID_SUJETO_ASISTENCIA", "ID_ASEGURAMIENTO")
_AGES = ("EDAD_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA")  # of relatives, too
_FARTHEST = 48
"""Characters before and after a mention in which its other words stand."""

_UNITS = "(?:un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)"
_TEENS = r"(?:veint[ei][^\W\d_]{0,7}|dieci[^\W\d_]{4,6}|diez|once|doce|trece|catorce|quince)"
_TENS = "(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)"
_NUMBER = rf"(?:{_TENS}(?: y {_UNITS})?|{_TEENS}|{_UNITS})"
_DAY = rf"(?:treinta(?: y un[oa]?)?|{_TEENS}|{_UNITS}|primero)"
_MONTHS = f"(?:{month_names('es')})"
_CENTURY = "(?:dos mil|mil (?:ocho|nove)cientos)"
_MONTH = re.compile(rf"(?:{_DAY} de )?{_MONTHS}(?: del? {_CENTURY})?|{_CENTURY}", re.IGNORECASE)
_AGED = re.compile(rf"{_UNITS} (?:años?|meses|mes|semanas|días)", re.IGNORECASE)
_DAY_BEFORE = re.compile(rf"(?<!\w){_DAY} de \Z|(?<!\w)treinta y \Z", re.IGNORECASE)
_TENS_BEFORE = re.compile(rf"(?<!\w)(?:ciento )?{_TENS} y \Z", re.IGNORECASE)
_YEAR_BEHIND = re.compile(
    rf"(?: del? {_CENTURY}|(?<=dos mil)|(?<=mil (?:ocho|nove)cientos))"
    rf"(?: {_NUMBER})?(?!\w)",
    re.IGNORECASE,
)
_REST = re.compile(_NUMBER, re.IGNORECASE)
_SAID = rf"(?:{_NUMBER}|cero)"
_DIALLED = re.compile(rf"(?P<numbers>{_SAID}(?: {_SAID})+)(?P<stop> punto)?", re.IGNORECASE)
_DIALLED_BEHIND = re.compile(rf"(?: y {_UNITS})?(?: {_SAID})*(?!\w)", re.IGNORECASE)
_ENDS_IN_TENS = re.compile(rf"(?: de)? {_TENS}\Z", re.IGNORECASE)
_AGED_BEHIND = re.compile(rf" y {_AGED.pattern}", re.IGNORECASE)


def may_be_said(mention: str, label: str) -> bool:
    """Tell whether a mention may be a part of a date, an age or a number in words."""
    if label == _DATE:
        return _MONTH.fullmatch(mention) is not None
    if label in _DIALLED_LABELS:
        return _DIALLED.fullmatch(mention) is not None
    if label in PERSONS and _ENDS_IN_TENS.search(mention):
        return True
    return label in _AGES and _AGED.fullmatch(mention) is not None


def widen_said(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans of a Spanish text, what is said in words with all of its own and no more.

    None reaches into its neighbours, but that the rest of a year is none of its own: spans that are
    sorted and disjoint stay so.
    """
    rows: list[Span] = []
    for number, span in enumerate(spans):
        if rows and span.end <= rows[-1].end:  # the rest of a year, as another mention
            continue
        if may_be_said(text[span.start : span.end], span.label):
            floor = max(rows[-1].end if rows else 0, span.start - _FARTHEST)
            behind = spans[number + 1] if number + 1 < len(spans) else None
            ceiling = len(text) if behind is None else behind.start
            if span.label == _DATE and behind and behind.end == _year_end(text, span):
                rest = _REST.fullmatch(text, behind.start, behind.end)
                ceiling = behind.end if rest else ceiling
            if span.label in PERSONS and _ENDS_IN_TENS.search(text, span.start, span.end):
                span = _without_tens(text, span)
            elif span.label in _DIALLED_LABELS:
                span = _dialled(text, span, ceiling)
            else:
                span = _widened(text, span, floor, ceiling)
        rows.append(span)
    return tuple(rows)


def _without_tens(text: str, span: Span) -> Span:
    """Return a person without the first word of the age behind it: "Andrade de sesenta"."""
    tens = _ENDS_IN_TENS.search(text, span.start, span.end)
    if tens is None or tens.start() == span.start or not _AGED_BEHIND.match(text, span.end):
        return span
    return replace(span, end=tens.start())


def _dialled(text: str, span: Span, ceiling: int) -> Span:
    """Return a number with the words of numbers behind it, and without a full stop in words."""
    said = _DIALLED.fullmatch(text, span.start, span.end)
    if said is None:
        return span
    if said["stop"]:
        return replace(span, end=said.end("numbers"))
    behind = _DIALLED_BEHIND.match(text, span.end)
    end = behind.end() if behind and behind.end() <= ceiling else span.end
    return span if end == span.end else replace(span, end=end)


def _widened(text: str, span: Span, floor: int, ceiling: int) -> Span:
    before = (_DAY_BEFORE if span.label == _DATE else _TENS_BEFORE).search(text[floor : span.start])
    # A word that another span ends in is no word of its own here.
    start = floor + before.start() if before else span.start
    if start and start == floor and text[start - 1].isalnum():
        start = span.start
    end = _year_end(text, span) if span.label == _DATE else span.end
    end = end if end <= ceiling else span.end
    if (start, end) == (span.start, span.end):
        return span
    return replace(span, start=start, end=end)


def _year_end(text: str, span: Span) -> int:
    """Return where a year in words ends that a date goes on into, else where the date ends."""
    behind = _YEAR_BEHIND.match(text, span.end)
    return behind.end() if behind else span.end
