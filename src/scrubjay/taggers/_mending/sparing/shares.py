"""Parts of a whole are no dates: "4/7 nachten", "MRC pols 1/5", "Apgar 8/9/10" (Dutch).

A part has the shape of a day and a month. What is counted behind it tells, or a test before it with
as many points (besides those of `results`), a side or a part of the body between them or not; of
parts in a row the first one tells for all. No day and no month is "0". Halves and quarters are told
by what somebody eats, twelfths by "over", which makes months of them ("controle over 3/12").
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.results import is_result, may_be_result

_AROUND, _MOST, _MOST_BOTTLES = 56, 4, 4
"""Characters before a part in which its test begins, parts in a row, and bottles of blood."""

_PART = re.compile(r"(\d{1,2})/(\d{1,2})")
_NOUGHT = re.compile(r"0/\d{1,2}|\d{1,2}/0")
_THREE = re.compile(r"\d{1,2}(?:/\d{1,2}){2}")
_APGAR = re.compile(r"(?<!\w)(?:(?i:apgar(?:[ -]?scores?)?)|AS)[ :=]{1,3}\Z")
_MOST_APGAR = 10

_COUNTED = re.compile(
    r"[ ](?:dagen|dgn|nachten|keer|maal|criteria|domeinen|items|lagen|boterham(?:men)?|maanden|mnd|"
    r"sessies|symptomen|tekens|flessen|stickers|stappen|kweken|punten|(?:mg|mcg|mm)(?=[\s.,;)]|\Z)|"
    r"(?:vragen|plaatsen)(?=[ ](?:goed|fout|juist|correct|gevoeld)|[.,;)])|"
    r"porties?|patronen|doelen|diensten|maaltijden|woorden|per[ ]\d|kg(?=[\s.,;)]|\Z)|"
    r"van[ ](?:de[ ](?:keren|dagen|nachten|gevallen|tijd|maaltijd(?:en)?|flesjes?)|"
    r"een[ ](?:bord|boterham|portie|maaltijd|beker|kop|glas|fles(?:je)?|tablet)))(?![^\W\d_])",
    re.IGNORECASE,
)
# What is halved: "1/4 tot 1/2 bord", "drinkt 2/3", "1/2 carpule".
_HALF = re.compile(r"1/[2-4]|2/3|3/4")
_HALVED = re.compile(
    r"[ ]?(?:(?:tot|à|-)[ ](?:1/[2-4]|2/3|3/4)[ ])?(?:bord(?:je)?|glas|beker(?:tje)?|kop(?:je)?|"
    r"portie|fles(?:je)?|tabl?(?:et)?|ampul|carpule|zakje|sachet|uur|maaltijd|bakje|boterham)"
    r"(?![^\W\d_])",
    re.IGNORECASE,
)
_EATEN = re.compile(
    r"(?<!\w)(?:drinkt|dronk|gedronken|eet|at|gegeten|hapjes?|ontbijt|warm[ ]eten|"
    r"trommelvlies|1/[2-4][ ]tot|brood|pap|soep|vla|toetje)[ :]{1,2}\Z",
    re.IGNORECASE,
)
# Twelfths of a year: "controle over 3/12", and what is told about a day.
_IN_MONTHS = re.compile(r"(?<!\w)over[ ]\Z", re.IGNORECASE)
_MONTHS = frozenset(["1", "2", "3", "4", "6", "9"])
_ABOUT = re.compile(
    r"(?<!\w)(?:ge)?(?:bel\w*|sproken|praat|spreken|praten|vra\w+|mail\w*|gesprek\w*|bericht|verslag|"
    r"rapport\w*|klacht\w*|incident\w*|info\w*|melding|mededeling|twijfel\w*|discussie|weet)"
    r"[ ](?:niets[ ])?over[ ]\Z",
    re.IGNORECASE,
)
# What grew: "kweken: bloed 2/2 E. coli".
_GREW = re.compile(
    r"(?:kwe(?:ek|e?ken?)|bloed|sputum|urine|liquor|staven|kokken)[ ]\Z", re.IGNORECASE
)
_GERM = re.compile(r"[ ](?:[A-Z]\.[ ][a-z]|pos(?:itief|\.|\b)|gram|idem\b)", re.IGNORECASE)
_ON_A_DAY = re.compile(
    r"(?<!\w)(?:op|sinds|vanaf|tot|t/m|dd\.?|d\.d\.|per|datum|van|na|voor|en|ma|di|wo|do|vr|za|zo|"
    r"(?:maan|dins|woens|donder|vrij|zater|zon)dag)[ .:]{1,2}\Z",
    re.IGNORECASE,
)

_ON_SOME_DAY = re.compile(
    r"(?<!\w)(?:op|sinds|vanaf|t/m|dd\.?|d\.d\.|per|datum|ma|di|wo|do|vr|za|zo|"
    r"(?:maan|dins|woens|donder|vrij|zater|zon)dag)[ .:]{1,2}\Z",
    re.IGNORECASE,
)

# Tests by the most points that they have beside those of `results`.
_TESTS = {
    "1": "mta|blz|blad",
    "2": "pup(?:il(?:len)?)?|mta|begrip|waardering|redeneren|redenering",
    "3": "klok(?:teken(?:ing|en)|test)?|monofilament(?:en)?|mta|recall|pup(?:il(?:len)?)?|midden|"
    "ori[eë]ntatie|geheugen|(?-i:FAST)|plaque-index|rotterdam(?:-?criteria)?",
    "4": "budapest(?:[ ]pos(?:itief)?[ ]op)?|"
    "monofilament(?:en)?|semmes-weinstein|pup(?:il(?:len)?)?|sirs|kanavel|spasticiteit[ ]mas|"
    "klok(?:teken(?:ing|en|proef)|test)?|budapest-?[ ]?criteria|bradykinesie|rigiditeit|"
    "mas[ ](?:hamstrings|kuiten|adductoren|biceps|quadriceps)",
    "5": "waddell|hoofdligging|ingedaald|"
    "klok(?:teken(?:ing|en|proef)|test)?|stratify|mrc(?:-?schaal)?|kracht|spierkracht|"
    "\\w{0,6}parese|paralyse|stereognosie|ideatie|snaq|voorwerpen|monofilament(?:en)?|curb|"
    "visuospatieel|uitgestelde?(?:[ ]herinnering)?|ori[eë]ntatie[ ](?:tijd|plaats)|abcde|"
    "verstaanbaarheid|apraxie|st\\.?[ ]thomas|scoff|iddsi|(?-i:ernst)|(?:ernst(?=:))|agitatie|"
    "(?:enkelvoudige|dubbele)[ ]opdracht(?:en)?|ehl|voetheffers|"
    "kracht[ ](?:tibialis|iliopsoas|quadriceps|deltoideus|triceps|"
    "[a-z]*(?:flexie|extensie|flexoren|extensoren|rotatoren|ductoren))",
    "6": "monofilament(?:en)?|katz(?:-?adl)?(?:[ ]bij[ ]ontslag)?|semmes-weinstein|geruis|souff?le|"
    "hla(?:-?match(?:ing)?)?",
    "7": "monofilament(?:en)?|(?:(?<=, )|(?<=: ))gelukt|klok|uat(?:[ ]arm)?|"
    "(?:(?<=tam )|(?<=xon )|(?<=nem )|(?<=cine )|(?<=lline ))dag",
    "8": "stemvork|rydel-seiffer|iadl|(?-i:ER|PR)|vibratiezin(?:[ ]malleoli)?|stop-?bang",
    "9": "monofilament(?:en)?|diva(?:-?5)?(?:[: ]{1,2}(?:in[ ]de[ ])?kindertijd)?|"
    "ediz[ ]bij[ ](?:mw|mevrouw|dhr|meneer|partner|dochter|zoon)",
    "10": "ori[eë]ntatie|hla(?:-?match)?|monofilament(?:en)?|recall|risico(?:taxatie)?|"
    r"historisch[ ]\d{1,2}/20,[ ]klinisch|(?-i:ernst)|ernst(?=:)|stemmen|weerstand|"
    "verstaanbaarheid|acr/eular|"
    "spanning|uitvoering|tevredenheid|vas[ ](?:honger|moeheid|vermoeidheid|jeuk|slaap|dyspnoe)",
    "12": "recall|naamgeving|fluency|(?-i:VAT)|biop(?:ten|sie[eë]n)|"
    "npi:?[ ](?:onrust|agitatie|apathie|angst)",
    "15": "klok(?:teken(?:ing|en)|test)?|herkenning|uitgesteld|recall|inprenting",
    "24": "semantiek|fonologie|syntaxis",
    "30": "herkenning",
}  # fmt: skip
_BODY = (
    r"(?:\w*(?:buigers?|strekkers?|heffers?|duc(?:tie|toren))|abd|add|exo|endo|flexie|extensie|"
    r"li|re|l|r|links|rechts|bdz|beiderzijds|boven|onder|arm(?:en)?|be(?:en|nen)|pols(?:en)?|"
    r"vingers?|hand(?:en)?|voet(?:en)?|hallux|duim|elleboog|knie|heup|schouder|enkel|tenen?|"
    r"proximaal|distaal|10[ ]?g|128[ ]?hz|gevoel|geen|direct|score)"
)
_GAP = rf"(?:[ ,(:=]{{1,2}}(?:{_BODY}(?![^\W\d_])|volgens[ ][A-Z][\w-]+))*[ :=(]{{1,3}}"
_BEFORE = {
    whole: re.compile(rf"(?<![\w-])(?:{tests}){_GAP}\Z", re.IGNORECASE)
    for whole, tests in _TESTS.items()
}
_ROW = re.compile(
    rf"(?<![\d/])(?P<part>\d{{1,2}}/(?P<whole>\d{{1,2}}))(?:[ ]goed)?(?:,|;|[ ](?:en|naar)|[ ]/)?"
    rf"(?:[ ](?:{_BODY}|vorige[ ](?:week|maand|keer)|heden|thans|nu|vallen|angst|dubbele|in[ ]rust|"
    r"tevredenheid|onoplettendheid|agitatie|apathie|onrust):?)*[ ]\Z",
    re.IGNORECASE,
)
_ALL_DAY_AFTER = re.compile(r"[ ](?:op|via|onder)[ ](?:tel\w*\.?|nr\.?|nummer|0\d)", re.IGNORECASE)
_AT_DAY = re.compile(
    r"(?<!\w)(?:op|dd|d\.d\.|afspraak|consult|controle|contact|gesproken|gebeld|poli|vanaf|tot|t/m|per)"
    r"[ .:]{1,2}\Z",
    re.IGNORECASE,
)
# What is done on a day: "Risicotaxatie 7/10 afgenomen", "lunch 3/4 met dochter".
_DONE = re.compile(
    r"[ ](?:afgenomen|ingevuld|uitgevoerd|verricht|herhaald|gepland|ingepland|ge(?:beld|sproken|"
    r"zien|hoord|start|stopt|meten|test|weest|komen)|begonnen|besproken|weer|"
    r"voor[ ]het[ ](?:eerst|laatst)|"
    r"(?:met|bij|samen|thuis|door)[ ](?:haar[ ]|zijn[ ]|de[ ])?(?:\w{0,8}(?:dochter|zoon|broer|zus|"
    r"moeder|vader|partner|vriend|vriendin|familie|arts|team|echtgeno)|(?-i:[A-Z])))",
    re.IGNORECASE,
)
_ALL_DAY_BEFORE = re.compile(
    r"(?<!\w)bellen[ ]met[ ](?:het|de)[ ]\w*(?:team|dienst|lijn|post|centrale)[ ]\Z", re.IGNORECASE
)


def may_be_share(mention: str) -> bool:
    """Tell whether a mention has the shape of a part, or of three scores, wherever it stands."""
    if mention == "24/7" or _NOUGHT.fullmatch(mention):
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
    mention = text[start:end]
    if _NOUGHT.fullmatch(mention):
        return not before.endswith(("/", "-", "."))
    if mention == "24/7":
        is_told = _ALL_DAY_AFTER.match(text, end) and not _AT_DAY.search(before)
        return bool(is_told or _ALL_DAY_BEFORE.search(before))
    is_half = _HALF.fullmatch(mention) is not None
    if is_half and _HALVED.match(text, end):
        return _ON_SOME_DAY.search(before) is None
    if _COUNTED.match(text, end):
        return _ON_A_DAY.search(before) is None
    if is_half and _EATEN.search(before):
        return _DONE.match(text, end) is None
    if int(part[2]) <= _MOST_BOTTLES and _GREW.search(before) and _GERM.match(text, end):
        return True
    if part[2] == "12" and _IN_MONTHS.search(before):
        return part[1] in _MONTHS and _ABOUT.search(before) is None
    return _DONE.match(text, end) is None and _is_told(text, start, part[2], _MOST)


def _is_told(text: str, start: int, whole: str, left: int) -> bool:
    """Tell whether a test stands before a part, or before the first one of its row."""
    told, before = _BEFORE.get(whole), text[max(0, start - _AROUND) : start]
    if told is not None and told.search(before):
        return True
    other = _ROW.search(before)
    if other is None or other["whole"] != whole or not left:
        return False
    first = start - len(before) + other.start("part")
    return _is_told(text, first, whole, left - 1) or _is_result(text, first, other["part"])


def _is_result(text: str, start: int, part: str) -> bool:
    """Tell whether a part is one of a test that `results` knows: "NRS 9/10 naar 3/10"."""
    return may_be_result(part, "DATE") and is_result(
        text, Span(start, start + len(part), "DATE"), person=0, language="nl"
    )
