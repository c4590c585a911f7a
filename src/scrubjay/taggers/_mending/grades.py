"""Grades, pressures and pain beside what is graded are no days: "ECOG 1-2", "RR 12/8", "3/10 pijn".

A class of some, or a step between two, has small numbers one after the other; a pressure in cm of
mercury is higher first; and pain is out of ten where its word follows at once. `results` asks here.
"""

from __future__ import annotations

import re

from scrubjay.taggers._search.endings import Before

_AROUND = 32
"""Characters before a mention in which what tells begins."""

_STEP = re.compile(r"([0-5])(?P<sign>[-/])([0-5])")
_CLASSED = Before(
    r"(?<![\w-])(?:ECOG|ASA|NYHA|WHO|CCS|RASS|Fontaine|Rutherford|GOLD|CTCAE|"
    r"(?i:mallampati|cormack|kellgren|gra(?:ad|de|do)|kla?sse?|class|clase|stage|stadium|estadio))"
    r"(?:[- ]?(?:PS|(?i:score|status|scale|klasse|class|clase|graad|grade|grado)))?"
    r"[ \t]*[:=]?[ \t]*"
)
_PRESSURE = re.compile(r"(\d{1,2})/(\d{1,2})")
_PRESSED, _PRESSED_SPANISH = (
    Before(rf"(?<![\w-])(?:{keys})[ \t]*[:=]?[ \t]*")
    for keys in ("RR|(?i:bloeddruk|tensie)", "RR|TA|PA|(?i:tensi[oó]n(?:[ ]arterial)?)")
)
_HIGH, _LOW = range(8, 26), range(4, 16)
"""The pressures in cm of mercury."""
# "RR 12/8: 140/80" is of a day.
_MEASURED_THEN = re.compile(r"[ ]?[:=]|[ ,]{1,2}\d{2,3}/\d{2,3}")
_ON = re.compile(r"[/.,:-]?\d|%|[^\W\d_]")
# Strength of a limb, beside that of another: "5/5 RUE, 3/5 LLE".
_FIFTHS = re.compile(r"[0-5]/5")
_LIMB_BEHIND = re.compile(r"[+-]?[ ](?:in[ ](?:the[ ])?)?[RLB]?[UL]Es?(?!\w)")
_STRONG = re.compile(
    r"(?<![\d/])[0-5]/5(?![\d/])|(?<!\w)(?:strength|motor|power)(?!\w)", re.IGNORECASE
)
_TEN = re.compile(r"\d{1,2}/10")
_PAIN_BEHIND = re.compile(
    r"[ ](?:pijn|pain|dolor)(?![\w-]|[ ](?:clinic|free|service|poli|team|mgmt))"
)
# A word stands before it, and none that a day follows: "gezien door Hess 3/10 pijn".
_WORD_BEFORE = re.compile(r"[^\W\d_]{2}[ ]\Z")
_ON_A_DAY = re.compile(
    r"(?<!\w)(?:on|since|from|until|till?|by|seen|dated?|last|visit|appt|clinic|f/u|op|sinds|vanaf|"
    r"tot|dd|gezien|afspraak|controle|poli|consult|door|bij|met|with|desde|el|hasta|visto|vista|"
    r"por|cita|mon|tues?|wed|thu|thurs|fri|sat|sun|ma|di|wo|do|vr|za|zo)(?!\w)",
    re.IGNORECASE,
)


def may_be_grade(mention: str) -> bool:
    """Tell whether a mention has the shape of a grade, a pressure or pain, wherever it stands."""
    if not 3 <= len(mention) <= 5:
        return False
    is_part = _TEN.fullmatch(mention) or _FIFTHS.fullmatch(mention)
    return is_part is not None or _is_step(mention) or _is_pressure(mention)


def is_grade(text: str, start: int, end: int, language: str) -> bool:
    """Tell whether a mention is such a one, by its shape and by what stands beside it."""
    mention = text[start:end]
    if not may_be_grade(mention) or _ON.match(text, end):
        return False
    before = text[max(0, start - _AROUND) : start]
    if _is_step(mention) and _CLASSED.search(before):
        return True
    if _is_pressure(mention):
        pressed = _PRESSED_SPANISH if language == "es" else _PRESSED
        return pressed.search(before) is not None and not _MEASURED_THEN.match(text, end)
    if _FIFTHS.fullmatch(mention):
        return bool(_LIMB_BEHIND.match(text, end) and _STRONG.search(before))
    if _TEN.fullmatch(mention) is None or not _PAIN_BEHIND.match(text, end):
        return False
    clause = re.split(r"[.;\r\n]", before)[-1]
    return _WORD_BEFORE.search(clause) is not None and not _ON_A_DAY.search(clause)


def _is_step(mention: str) -> bool:
    """Tell whether two classes follow each other: "1-2", "2/3", and "1-3" with a hyphen."""
    step = _STEP.fullmatch(mention)
    if step is None:
        return False
    first, second = int(step[1]), int(step[3])
    return first < second if step["sign"] == "-" else second == first + 1


def _is_pressure(mention: str) -> bool:
    pressure = _PRESSURE.fullmatch(mention)
    return (
        pressure is not None
        and int(pressure[1]) in _HIGH
        and int(pressure[2]) in _LOW
        and int(pressure[2]) < int(pressure[1])
    )
