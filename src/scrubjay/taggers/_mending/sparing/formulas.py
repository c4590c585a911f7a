"""Formulas and charts in brackets behind what they tell are nobody: "eGFR 62 (Schwartz)" (English).

Who measured something stands in brackets, too ("BP 120/80 (Schwartz)"), so that each name goes with
what is reckoned by it alone: a clearance, a centile, a due date, a pressure of the eye.
"""

from __future__ import annotations

import re
from functools import cache

from scrubjay.document import Span

_AROUND = 48
"""Characters before a bracket in which what is reckoned stands."""

_RECKONED = {
    "allred": r"[0-8]/8|(?-i:ER|PR|PgR)|oestrogen|estrogen|progesterone",
    "ballard dubowitz": r"\d{1,2}[ ]?(?:wks?|weeks)|e?ga|gest\w*",
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
    "naegele naegele's": r"ed[dc]|weeks|wks|due",
    "parkland": r"tbsa|lr|fluids?",
    "simpson simpson's teichholz": r"l?v?ef",
    "wong-baker": r"\d/10|pain|faces",
}  # fmt: skip
_BY = {name.replace("_", " "): what for names, what in _RECKONED.items() for name in names.split()}
_NUMBER_BEHIND = r"[^\n;()]{0,24}\d[^\n;.()]{0,10}\(\Z"
_NUMBER_BEFORE = r"\d[^\n;.()]{0,24}"


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
    return _find_reckoned(name).search(before) is not None
