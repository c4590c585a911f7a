"""Numbers with hyphens between them that are amounts: "5-6 cm", "1-0-0", "8-11-14-17 u" (Dutch).

They have the shape of days and of somebody's number. Two of them are a range where a unit stands
behind them or a scale before them, and the second is the larger one; three and more are times where
an hour is told behind them, and doses through a day where one of them is none. Three are also doses
behind a medicine or a strength where all are small or round, and behind an insulin where they can
be no day; of scales that are told in three parts they are those. Whatever else can be a day is one
("geb 2-3-7"). Behind the key of a code, a number or a place they are that, and three that can be a
day are one before "u" as a word ("op 3-4-12 u en uw partner gezien").
"""

from __future__ import annotations

import re

from scrubjay.document import Span

RUNS = frozenset({"DATE", "ID", "SSN", "PHONE_FAX", "INTERNAL_LOCATION"})
"""Labels that such numbers are given."""

_DATE, _AROUND = "DATE", 40

_TWO = re.compile(r"(\d{1,2})[-–](\d{1,2})")
_MANY = re.compile(r"\d{1,3}(?:-\d{1,3}){2,4}")
_UNIT = re.compile(
    r"[ ]?(?:cm|mm|mg|mcg|ml|mmol|sach\w{0,4}|uur|nachten|dagen|dgn|weken|wk|mnd|maanden|keer|pers|"
    r"pd|graden|E/dag|x[ ]?(?:per|/|daags))(?![^\W\d_])"
)
_SCALED = re.compile(
    r"(?<![\w-])(?:nrs|vas|borg|bristol(?:[ ](?:chart|type|stool))?|graad|gr|type|cijferreeksen|"
    r"functie(?:groep|schaal)?|fwg|schaal|niveau|"
    r"cost(?:a|ae|afracturen)|rib(?:ben)?|dig(?:iti)?|ery'?s|leuko'?s|figuur|bladzijden?|"
    r"blz|pag)[ .:]{1,2}\Z",
    re.IGNORECASE,
)
_UNORDERED = re.compile(r"(?:cijferreeksen|functie\w*)[ .:]{1,2}\Z", re.IGNORECASE)
_HOURS = re.compile(r"(?P<rest>(?:-\d{1,2}){0,4})[ ]?u(?:ur)?(?![^\W\d_])")
_WORD_BEHIND = re.compile(r"[ ]+\w")
_ON_A_DAY = re.compile(
    r"(?<!\w)(?:op|dd|d\.d\.|sinds|vanaf|tot|t/m|per|\w*controle|afspraak|geb\w*|\w*datum|dob|"
    r"overl\w*|gezien|verslag|\w*kaart|consult|opname|ontslag|ok|operatie|ingreep|poli|brief|"
    r"\w*dag)[ .:]{1,3}\Z",
    re.IGNORECASE,
)
# What is counted through, of which a colon or a comma may tell: "cyclus 1-4: paclitaxel".
_COUNTED = re.compile(r"(?<![\w-])(?:cycl(?:us|i)|kuren|kuur)[ ]\Z", re.IGNORECASE)
_FIELD = re.compile(r"(?<!\w)(?:humphrey|hfa|gezichtsveld)[ ]\Z", re.IGNORECASE)
_FIELDS = frozenset(["24-2", "30-2", "10-2"])
"""Patterns of points of a visual field."""
_WHOLE = re.compile(r"[-/.,]\d")
_GOES_ON = re.compile(r"[-/.,]?\d|[-–/]\w|[ ]?[:=]")
_CODE = re.compile(
    r"(?:(?<!\w)(?:slot|pin|alarm|deur|hek|poort|id|bsn|tel|bel|binnen)|code|kluis|sleutel|nummer|"
    r"nr(?!\w)|dossier|polis|lidmaat\w*|(?<!\w)(?:cli[eë]nt|pati[eë]nt|kamer|kmr|route|bed|afd\w*|"
    r"gebouw|ruimte|lokaal))[^.;\n]{0,24}\Z",
    re.IGNORECASE,
)
_INSULIN = re.compile(
    r"(?<!\w)(?:insuline|novorapid|humalog|fiasp|apidra|actrapid|lispro|aspart|lyumjev|admelog)"
    r"[ :]{1,2}(?:(?P<is_scheme>blijft|schema)[ ]|(?:nu|naar|wordt)[ ]){0,2}\Z",
    re.IGNORECASE,
)
# Medicines by how they end, and a strength: "hydrocortison 10-5-5", "40 mg 1-1-1".
_MEDICINE = re.compile(
    r"(?<![\w-])(?:\w{2,}(?:acetaat|carbonaat|cortison|nison|solon|sartan|statine|prazol|zepam|zolam|"
    r"dopa|formine|semide|thiazide|dipine|olol|amol|pril)|pcm)(?:[ ]\d{1,4}[ ]?(?:mg|mcg|g|E|IE)?)?"
    r"[ :]{1,2}\Z|\d[ ]?(?:mg|mcg|µg)[ ]{1,12}\Z",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"[ ](?:gestart|gestopt|begonnen|gezien|gebeld|gestaakt|voor[ ]het)", re.IGNORECASE
)
_PARTED = re.compile(r"(?<![\w-])(?:(?P<dos>DOS)|(?P<emv>EMV)|(?:Boston|BBPS))[ :]{1,2}\Z")
_MOST_SMALL, _MOST_DOS, _MOST_EMV = 3, 9, 6
"""Tablets at once, and points of the parts of scales."""

_MONTH_AFTER = re.compile(
    r"[ ](?:jan|feb|m(?:aa)?rt|apr|mei|jun|jul|aug|sep|okt|nov|dec)[a-z]*", re.IGNORECASE
)
_DOSE = re.compile(r"\d[ ]?(?:mg|mcg|g|G|ml|E|ie|IE)?[ ]{1,12}\Z")


def may_be_run(mention: str, label: str) -> bool:
    """Tell whether a mention has the shape of such numbers, wherever it stands."""
    if _TWO.fullmatch(mention):
        return label == _DATE
    return _MANY.fullmatch(mention) is not None


def is_run(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is an amount."""
    mention, end = text[span.start : span.end], span.end
    before = text[max(0, span.start - _AROUND) : span.start]
    if before[-1:].isalnum() or before.endswith(("-", "/")):
        return False
    hours = _HOURS.match(text, end)
    numbers = re.split("[-–]", mention)
    if hours is not None and len(numbers) + hours["rest"].count("-") > 2 and span.label == _DATE:
        is_day = not hours["rest"] and _may_be_day(numbers)
        if is_day and (_WORD_BEHIND.match(text, hours.end()) or _ON_A_DAY.search(before)):
            return False  # where nobody is spoken to they are times
        return all(int(number) <= 24 for number in numbers)
    if len(numbers) == 2 and _COUNTED.search(before):
        is_on = text[end : end + 1] in ("-", "/", ".") and text[end + 1 : end + 2].isdecimal()
        return int(numbers[0]) < int(numbers[1]) and not is_on
    if mention in _FIELDS and _FIELD.search(before):
        return _WHOLE.match(text, end) is None
    if mention in _FIELDS or _GOES_ON.match(text, end):
        return False
    if len(numbers) == 2:
        is_ordered = int(numbers[0]) < int(numbers[1])
        if _UNIT.match(text, end):
            return is_ordered
        return _SCALED.search(before) is not None and (
            is_ordered or _UNORDERED.search(before) is not None
        )
    is_date = span.label == _DATE
    if is_date and len(numbers) == 3 and not _CODE.search(before) and not _ON_A_DAY.search(before):
        goes_on = _MONTH_AFTER.match(text, end) or _BEGUN.match(text, end)
        if not goes_on and _is_three(numbers, before):
            return True
    if is_date and _may_be_day(numbers) and _ON_A_DAY.search(before):
        return False  # "geb 3-4-0"
    return _is_through_day(numbers, before)


def _may_be_day(numbers: list[str]) -> bool:
    """Tell whether the first two of three numbers may be a day and a month."""
    return len(numbers) == 3 and 0 < int(numbers[0]) <= 31 and 0 < int(numbers[1]) <= 12


def _is_three(numbers: list[str], before: str) -> bool:
    """Tell whether three numbers are doses of a medicine, or the parts of a scale."""
    each = [int(number) for number in numbers]
    scale = _PARTED.search(before)
    if scale is not None:
        return max(each) <= (
            _MOST_DOS if scale["dos"] else _MOST_EMV if scale["emv"] else _MOST_SMALL
        )
    insulin = _INSULIN.search(before)
    if insulin is not None:
        return bool(insulin["is_scheme"]) or not _may_be_day(numbers)
    if len(numbers[2]) > 1 and _may_be_day(numbers):
        return False
    return (max(each) <= _MOST_SMALL or all(number % 5 == 0 for number in each)) and (
        _MEDICINE.search(before) is not None
    )


def _is_through_day(numbers: list[str], before: str) -> bool:
    """Tell whether three numbers and more are doses: one is none, or a strength stands before."""
    if _CODE.search(before):
        return False
    if any(len(number) > 2 and number[-1] not in "05" for number in numbers):
        return False  # no dose
    if any(number == "0" for number in numbers):
        return len(numbers) == 3 or _DOSE.search(before) is not None
    return len(numbers) == 4 and _DOSE.search(before) is not None and max(map(len, numbers)) == 1
