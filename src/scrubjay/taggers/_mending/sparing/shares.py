"""Parts of a whole are no dates: "4/7 nachten", "MRC pols 1/5", "Apgar 8/9/10" (Dutch).

A part has the shape of a day and a month. What is counted behind it tells, or a test before it with
as many points (besides those of `results`), a side or a part of the body between them or not; of
parts in a row the first one tells for all.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_AROUND, _MOST = 56, 4
"""Characters before a part in which its test begins, and parts in a row."""

_PART = re.compile(r"(\d{1,2})/(\d{1,2})")
_THREE = re.compile(r"\d{1,2}(?:/\d{1,2}){2}")
_APGAR = re.compile(r"(?<!\w)(?:(?i:apgar(?:[ -]?scores?)?)|AS)[ :=]{1,3}\Z")
_MOST_APGAR = 10

_COUNTED = re.compile(
    r"[ ](?:dagen|dgn|nachten|keer|maal|criteria|domeinen|items|lagen|boterham(?:men)?|"
    r"(?:vragen|plaatsen)(?=[ ](?:goed|fout|juist|correct|gevoeld)|[.,;)])|"
    r"porties?|patronen|doelen|diensten|maaltijden|woorden|per[ ]\d|"
    r"van[ ](?:de[ ](?:keren|dagen|nachten|gevallen|tijd|maaltijd(?:en)?|flesjes?)|"
    r"een[ ](?:bord|boterham|portie|maaltijd|beker|kop|glas|fles(?:je)?|tablet)))(?![^\W\d_])",
    re.IGNORECASE,
)
_ON_A_DAY = re.compile(
    r"(?<!\w)(?:op|sinds|vanaf|tot|t/m|dd\.?|d\.d\.|per|datum|van|na|voor|en|ma|di|wo|do|vr|za|zo|"
    r"(?:maan|dins|woens|donder|vrij|zater|zon)dag)[ .:]{1,2}\Z",
    re.IGNORECASE,
)

# Tests by the most points that they have beside those of `results`.
_TESTS = {
    "2": "pupil(?:len)?",
    "3": "klok(?:teken(?:ing|en)|test)?|monofilament(?:en)?|mta|recall|pupil(?:len)?|midden",
    "4": "monofilament(?:en)?|semmes-weinstein|pupil(?:len)?",
    "5": "klok(?:teken(?:ing|en)|test)?|stratify|mrc(?:-?schaal)?|kracht|spierkracht|"
    "hemiparese|parese|paralyse|stereognosie|ideatie|snaq|voorwerpen|monofilament(?:en)?|curb",
    "6": "monofilament(?:en)?|katz(?:-?adl)?|semmes-weinstein",
    "7": "monofilament(?:en)?",
    "8": "stemvork|rydel-seiffer|iadl",
    "9": "monofilament(?:en)?",
    "10": "ori[eë]ntatie|hla(?:-?match)?|monofilament(?:en)?|recall|risico(?:taxatie)?|"
    r"historisch[ ]\d{1,2}/20,[ ]klinisch",
    "12": "recall|naamgeving|fluency",
    "15": "klok(?:teken(?:ing|en)|test)?|herkenning|uitgesteld|recall|inprenting",
    "24": "semantiek|fonologie|syntaxis",
    "30": "herkenning",
}  # fmt: skip
_BODY = (
    r"(?:li|re|l|r|links|rechts|bdz|beiderzijds|boven|onder|arm(?:en)?|be(?:en|nen)|pols(?:en)?|"
    r"vingers?|hand(?:en)?|voet(?:en)?|hallux|duim|elleboog|knie|heup|schouder|enkel|tenen?|"
    r"proximaal|distaal|10[ ]?g|128[ ]?hz|gevoel|geen|direct|score)"
)
_GAP = rf"(?:[ ,(:=]{{1,2}}(?:{_BODY}(?![^\W\d_])|volgens[ ][A-Z][\w-]+))*[ :=(]{{1,3}}"
_BEFORE = {
    whole: re.compile(rf"(?<![\w-])(?:{tests}){_GAP}\Z", re.IGNORECASE)
    for whole, tests in _TESTS.items()
}
_ROW = re.compile(
    rf"(?<![\d/])(?P<part>\d{{1,2}}/(?P<whole>\d{{1,2}}))(?:,|;|[ ]en|[ ]/)?(?:[ ]{_BODY}:?)*[ ]\Z",
    re.IGNORECASE,
)
_ALL_DAY_AFTER = re.compile(r"[ ](?:op|via|onder)[ ](?:tel\w*\.?|nr\.?|nummer|0\d)", re.IGNORECASE)
_AT_DAY = re.compile(
    r"(?<!\w)(?:op|dd|d\.d\.|afspraak|consult|controle|contact|gesproken|gebeld|poli|vanaf|tot|t/m|per)"
    r"[ .:]{1,2}\Z",
    re.IGNORECASE,
)
# What is done on a day: "Risicotaxatie 7/10 afgenomen".
_DONE = re.compile(
    r"[ ](?:afgenomen|ingevuld|uitgevoerd|verricht|herhaald|gepland|ingepland)(?!\w)", re.IGNORECASE
)
_ALL_DAY_BEFORE = re.compile(
    r"(?<!\w)bellen[ ]met[ ](?:het|de)[ ]\w*(?:team|dienst|lijn|post|centrale)[ ]\Z", re.IGNORECASE
)


def may_be_share(mention: str) -> bool:
    """Tell whether a mention has the shape of a part, or of three scores, wherever it stands."""
    if mention == "24/7":
        return True
    part = _PART.fullmatch(mention)
    if part is not None:
        return int(part[1]) <= int(part[2])
    return _THREE.fullmatch(mention) is not None and all(
        int(score) <= _MOST_APGAR for score in mention.split("/")
    )


def is_share(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is a part of a whole, or three scores."""
    start, end = span.start, span.end
    before = text[max(0, start - _AROUND) : start]
    if text[end : end + 1] in ("/", "-") or (
        text[end : end + 2][1:].isdecimal() and (text[end : end + 1] == ".")
    ):
        return False
    part = _PART.fullmatch(text, start, end)
    if part is None:
        return _APGAR.search(before) is not None
    if text[start:end] == "24/7":
        is_told = _ALL_DAY_AFTER.match(text, end) and not _AT_DAY.search(before)
        return bool(is_told or _ALL_DAY_BEFORE.search(before))
    if _COUNTED.match(text, end):
        return _ON_A_DAY.search(before) is None
    return _DONE.match(text, end) is None and _is_told(text, start, part[2], _MOST)


def _is_told(text: str, start: int, whole: str, left: int) -> bool:
    """Tell whether a test stands before a part, or before the first one of its row."""
    told, before = _BEFORE.get(whole), text[max(0, start - _AROUND) : start]
    if told is None:
        return False
    if told.search(before):
        return True
    other = _ROW.search(before)
    if other is None or other["whole"] != whole or not left:
        return False
    return _is_told(text, start - len(before) + other.start("part"), whole, left - 1)
