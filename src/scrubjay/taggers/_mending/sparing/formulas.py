"""Formulas and charts in brackets behind what they tell are nobody: "eGFR 62 (Schwartz)" (English).

Who measured something stands in brackets, too ("BP 120/80 (Schwartz)"), and who somebody sees next
("IOP recheck in 2 wks (Perkins)"), so that each name goes with what is reckoned by it alone: a
clearance, a centile, how long a child was carried, a pressure of the eye. No day and no spell of
time stands between the two.
"""

from __future__ import annotations

import re
from functools import cache

from scrubjay.document import Span

_AROUND = 48
"""Characters before a bracket in which what is reckoned stands."""

_CARRIED = r"(?:2\d|3\d|4[0-3])(?:[ ]?\+[ ]?\d|[ ][1-6]/7)?[ ]?(?:wks?|weeks)"
_RECKONED = {
    "allred": r"(?-i:ER|PR|PgR)|oestrogen|estrogen|progesterone",
    "ballard dubowitz": rf"{_CARRIED}|e?ga|gest\w*",
    "barrett haigis holladay hoffer": r"iols?|lens|dioptr\w*",
    "bazett fridericia hodges": r"qtc?\w?",
    "cockcroft cockcroft-gault schwartz": r"crcl|cr[ ]?cl|e?gfr|clearance",
    "devine hamwi robinson": r"[ia]bw|ideal[ ](?:body[ ])?(?:wt|weight)",
    "dubois du_bois haycock mosteller": r"bsa|m2|m²",
    "fenton intergrowth": r"(?:per)?centiles?|%ile|z-?scores?|(?-i:[SAL]GA)",
    "fick gorlin": r"(?-i:AVA|MVA|CO|CI)",
    "friedewald martin-hopkins": r"ldl(?:-c)?",
    "goldmann perkins": r"iops?|tonometry",
    "greulich-pyle tanner-whitehouse greulich": r"bone[ ]age",
    "hadlock shepard": r"efw|fetal[ ]weight|foetal[ ]weight|(?-i:[AHF][CL])",
    "harris-benedict mifflin mifflin-st_jeor ireton-jones": r"kcals?|ree|bmr|bee|calories",
    "kruger tygerberg": r"morph(?:ology)?[ :]{1,2}\d{1,2}[ ]?%|(?:morph|normal)[ ]forms",
    "naegele naegele's": rf"{_CARRIED}|ed[dc]",
    "parkland": r"tbsa|lr|fluids?",
    "simpson simpson's teichholz": r"l?v?ef",
    "wong-baker": r"\d/10|pain|faces",
}  # fmt: skip
_BY = {name.replace("_", " "): what for names, what in _RECKONED.items() for name in names.split()}
_NUMBER_BEHIND = r"[^\n;()]{0,24}\d[^\n;.()]{0,10}\(\Z"
_NUMBER_BEFORE = r"\d[^\n;.()]{0,24}"
_WEEKS = re.compile(rf"(?<![\w/-]){_CARRIED}(?!\w)", re.IGNORECASE)
_CARRIED_BY = frozenset(["ballard", "dubowitz", "naegele", "naegele's"])
_LATER = re.compile(
    r"(?<!\w)(?:in|f/?u|follow-?[ ]?up|visit|rtc|back|seen|after|for|x|q|every|recheck|return\w*)"
    r"[ ]{1,2}(?:(?:about|at|in|another)[ ])?\Z",
    re.IGNORECASE,
)
# A day, or how long until or since one, and what is done then.
_DAY = re.compile(r"(?<![\w/.-])(?:(?P<first>\d{1,2})[/-](?P<second>\d{1,2})(?![\w/])|\d+/\d+/\d)")
_THEN = re.compile(
    r"(?<![^\W\d_])(?:d|days?|wk?s?|weeks?|mos?|months?|y|yrs?|years?|h|hrs?|hours?|today|tomorrow|"
    r"yesterday|tonight|ago|seen|sees|visit|appt|clinic|f/?u|re-?check\w*|recall|repeat\w*|next|"
    r"return\w*|rtc|call\w*|due|per|by|with|w/|d/w|refer\w*|sched\w*|mon|tues?|wed|thu\w*|fri|"
    r"sat|sun|jan\w*|feb\w*|march|apr\w*|may|june?|july?|aug\w*|sept?\w*|oct\w*|nov\w*|dec\w*)"
    r"(?![^\W\d_])",
    re.IGNORECASE,
)
_LAST_MONTH, _LAST_DAY = 12, 31
_SCORES = frozenset([("allred", 8), ("wong-baker", 10)])


@cache
def _find_reckoned(name: str) -> re.Pattern[str]:
    """Return what stands before a bracket with a formula: what is reckoned, and a number."""
    what = rf"(?<![\w-])(?:{_BY[name]})(?![\w-])"
    return re.compile(
        rf"{what}{_NUMBER_BEHIND}|{_NUMBER_BEFORE}{what}[^\n;.()]{{0,10}}\(\Z|"
        rf"(?<!\w)(?=\d)(?:{_BY[name]})[ ]?\(\Z",
        re.IGNORECASE,
    )


def may_be_formula(mention: str) -> bool:
    """Tell whether a mention is called like a formula, wherever it stands."""
    return mention.lower() in _BY


def is_formula(text: str, span: Span) -> bool:
    """Tell whether a mention that is called so stands in brackets behind what is reckoned by it."""
    if text[span.start - 1 : span.start] != "(" or text[span.end : span.end + 1] != ")":
        return False
    name = text[span.start : span.end].lower()
    before = text[max(0, span.start - _AROUND) : span.start]
    told = _find_reckoned(name).search(before)
    if told is None:
        return False
    gap = told[0]
    if name in _CARRIED_BY:
        weeks = _WEEKS.search(before, told.start())
        if weeks is not None:
            if _LATER.search(before, 0, weeks.start()):
                return False
            gap = before[told.start() : weeks.start()] + before[weeks.end() :]
    return _THEN.search(gap) is None and not _has_day(gap, name)


def _has_day(gap: str, name: str) -> bool:
    """Tell whether a day of a month stands before a bracket: "8/8" and "7/10" may be scores."""
    for day in _DAY.finditer(gap):
        if day["first"] is None:
            return True
        first, second = int(day["first"]), int(day["second"])
        if (name, second) in _SCORES and first <= second:
            continue
        if min(first, second) <= _LAST_MONTH and max(first, second) <= _LAST_DAY:
            return True
    return False
