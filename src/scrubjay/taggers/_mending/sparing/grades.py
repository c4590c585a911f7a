"""Grades, pressures and pain beside what is graded are no days: "ECOG 1-2", "RR 12/8", "3/10 pijn".

A class of some, or a step between two, has small numbers one after the other; a pressure in cm of
mercury is higher first; and pain is out of ten where its word follows at once, or where it is less
than it was. `results` asks here.
"""

from __future__ import annotations

import re

from scrubjay.taggers._search.endings import Before

_AROUND, _SAID = 32, 48
"""Characters before a mention in which what tells begins; of a clause on each side."""

_STEP = re.compile(r"([0-5])(?P<sign>[-/])([0-5])")
_CLASSED = Before(
    r"(?<![\w-])(?:ECOG|ASA|NYHA|WHO|CCS|RASS|Fontaine|Rutherford|GOLD|CTCAE|"
    r"(?i:mallampati|cormack|kellgren|gra(?:ad|de|do)|kla?sse?|class|clase|stage|stadium|estadio))"
    r"(?:[- ]?(?:PS|(?i:score|status|scale|klasse|class|clase|graad|grade|grado)))?"
    r"[ \t]*[:=]?[ \t]*"
)
# Words that stand before a day, too: a course ("birth class 3/4"), and aspirin ("held ASA 3/4").
_ALSO_BEFORE_DAYS = Before(
    r"(?<![\w-])(?:ASA|GOLD|WHO|CCS|(?i:kla?sse?|class|clase))[ \t]*[:=]?[ \t]*"
)
_KIND_OF_CLASS = Before(
    r"(?<![\w-])(?:ECOG|ASA|NYHA|WHO|CCS|Killip|Child(?:-Pugh)?|GOLD|TIMI|"
    r"(?i:functional|functionele?|funcional|mallampati|angle|obesity|obesitas|malocclusion))"
    r"[- ](?i:kla?sse?|class|clase)[ \t]*[:=]?[ \t]*"
)
_PRESSURE = re.compile(r"(\d{1,2})/(\d{1,2})")
# In English "RR" is a rate, and nobody tells pressures in cm.
_PRESSED = {
    "nl": Before(r"(?<![\w-])(?:RR|(?i:bloeddruk|tensie))[ \t]*[:=]?[ \t]*"),
    "es": Before(r"(?<![\w-])(?:RR|TA|PA|(?i:tensi[oó]n(?:[ ]arterial)?))[ \t]*[:=]?[ \t]*"),
}
_HIGH, _LOW = range(8, 26), range(4, 16)
"""The pressures in cm of mercury."""
# "RR 12/8: 140/80" is of a day, and so is "RR 12/8 thuis 140/80".
_MEASURED_THEN = re.compile(
    r"[ ]?[:=]|[ ,]{1,2}\d{2,3}/\d{2,3}|[^.;\r\n]{0,24}?(?<!\d)[12]\d{2}[ ]?/[ ]?\d{2,3}(?!\d)"
)
_ON = re.compile(r"[/.,:-]?\d|%|[^\W\d_]")
# Strength of a limb, beside that of another: "5/5 RUE, 3/5 LLE".
_FIFTHS = re.compile(r"[0-5]/5")
_LIMB_BEHIND = re.compile(r"[+-]?[ ](?:in[ ](?:the[ ])?)?[RLB]?[UL]Es?(?!\w)")
_STRONG = re.compile(
    r"(?<![\d/])[0-5]/5(?![\d/])|"
    r"(?<!\w)(?:strength|motor|power)(?![ ](?:training|vehicle|outage)|\w)",
    re.IGNORECASE,
)
_TEN = re.compile(r"(?:0?\d|10)/10")
_PAIN_BEHIND = re.compile(
    r"[ ](?:pijn|pain|dolor)(?![\w-]|[ ](?:clinic|free|service|poli|team|mgmt))"
)
# Less of it than before: days follow one another upwards, but for those that are moved.
# "Pain 9/10 -> 5/10", "pain now 4/10 down from 8/10".
_ARROW = r"[ ]?(?:-{1,2}>|→|>)[ ]?"
_FELL_TO = re.compile(
    rf"(?P<arrow>{_ARROW}|[ ]down[ ](?:to|from)[ ])(?P<other>0?\d|10)/10(?![\d/])"
)
_FELL_FROM = re.compile(
    rf"(?<![\d/.])(?P<other>0?\d|10)/10(?P<arrow>{_ARROW}|,?[ ]down[ ](?:to|from)[ ])\Z"
)
_SCORED = re.compile(
    r"(?<!\w)(?:pains?|pijn(?:score)?|dolor|scores?|NRS|VAS|headaches?|cramp(?:s|ing)?|nausea)"
    r"(?![\w-]|[ ](?:clinic|free|service|poli|team|mgmt|center|visit|appt|dr|doctor))",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"(?<!\w)(?:moved|move|mvd|resched\w*|changed|appts?|appointments?|visits?|clinic|seen|f/?u|"
    r"admi\w+|adm|discharged?|d/?c['’]?d?|surgery|op|consult\w*|mtg|trip|stay|leave|away|verplaatst|"
    r"afspraak|poli|opname|opgenomen|ontslag\w*|cita|ingres\w+|alta)(?!\w)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;\r\n]")
# A word stands before it, and none that a day follows: "gezien door Hess 3/10 pijn".
_WORD_BEFORE = re.compile(r"[^\W\d_]{2}[ ]\Z")
_ON_A_DAY = re.compile(
    r"(?<!\w)(?:on|since|from|until|till?|by|seen|dated?|last|visit|appt|clinic|f/u|op|sinds|vanaf|"
    r"tot|dd|gezien|afspraak|controle|poli|consult|door|bij|met|with|desde|el|hasta|visto|vista|"
    r"por|cita|mon|tues?|wed|thu|thurs|fri|sat|sun|ma|di|wo|do|vr|za|zo|admit(?:ted)?|admission|"
    r"adm|discharged?|dc['’]?d|d/c['’]?d?|surgery|injur(?:y|ed)|inj|injection|fell|fall|mva|mvc|onset|"
    r"began|begun|start(?:ed)?|stop(?:ped)?|called|returned|came|presented|transferred|delivered|"
    r"born|doa|dos|doi|ed|er|mri|ct|us|xr|opname|opgenomen|ontslag|ontslagen|gebeld|operatie|"
    r"geopereerd|gevallen|val|letsel|begon|begonnen|gestart|gestopt|terug|seh|ingres[aoó]|"
    r"ingresad[oa]|alta|operad[oa]|cirugía|caída|urgencias|inici[aoó]|acude|acudió|llama|llamó|fecha)"
    r"(?!\w)",
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
        return "-" in mention or _is_class(before)
    if _is_pressure(mention):
        pressed = _PRESSED.get(language)
        is_told = pressed is not None and pressed.search(before) is not None
        return is_told and not _MEASURED_THEN.match(text, end)
    if _FIFTHS.fullmatch(mention):
        return bool(_LIMB_BEHIND.match(text, end) and _STRONG.search(before))
    if _TEN.fullmatch(mention) and _falls(text, start, end):
        return True
    if _TEN.fullmatch(mention) is None or not _PAIN_BEHIND.match(text, end):
        return False
    clause = re.split(r"[.;\r\n]", before)[-1]
    return _WORD_BEFORE.search(clause) is not None and not _ON_A_DAY.search(clause)


def _falls(text: str, start: int, end: int) -> bool:
    """Tell whether so much out of ten is less than it was, or more than it is now."""
    clause = _CLAUSE.split(text[max(0, start - _SAID) : start])[-1]
    clause += " " + _CLAUSE.split(text[end : end + _SAID])[0]
    if not _SCORED.search(clause) or _MOVED.search(clause):
        return False
    own = int(text[start : text.index("/", start)])
    then, before = _FELL_TO.match(text, end), _FELL_FROM.search(text, max(0, start - 20), start)
    for found, first, second in (
        (then, own, then and int(then["other"])),
        (before, before and int(before["other"]), own),
    ):
        if found is not None and first is not None and second is not None:
            high, low = (second, first) if "from" in found["arrow"] else (first, second)
            if low < high:
                return True
    return False


def _is_class(before: str) -> bool:
    """Tell whether a step with a slash is one, and no day, by the end of what stands before it."""
    return not _ALSO_BEFORE_DAYS.search(before) or _KIND_OF_CLASS.search(before) is not None


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
