"""Results of scales and tests are no PHI: "PHQ-9 11/27", "VAS 7/10", "anti-TPO 1044".

A result has the shape of a short date or of somebody's number. What stands before it tells: a scale
whose most points stand behind the slash ("MoCA 22/30", but "MoCA 9/10" is a day), what is graded
so ("power 4/5"), or a test of the laboratory. How sure a model is says nothing here: the shape has
deceived it.
"""

from __future__ import annotations

import re
from functools import cache

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES
from scrubjay.taggers._mending.sparing.grades import is_grade, may_be_grade
from scrubjay.taggers._search.endings import Before

_BEFORE, _NEAR, _UNIT_BEFORE = 48, 24, 16
"""Characters before a number in which its term begins, after it in which another number is told of
that makes it one, and before it in which its unit stands."""

NUMBERS = frozenset({"ID", "PHONE_FAX", "INTERNAL_LOCATION", "IDNUM", "MEDICALRECORD", "PHONE"})
"""Labels that a value of the laboratory may be taken for, besides that of dates."""

# Scales, and what is graded, by the most points.
_SCALES = {
    "3": "mini[ -]?cog|mid|middle|distale?|prox|proximale?|upper|lower|bovenste|onderste|middelste|"
    "clock|recall|woorden",
    "4": "cage|ecog|nyha|ccs|sit[ -]to[ -]stand|reflex(?:es)?|dtrs?|(?:knee|ankle)[ ]jerks?|"
    "pulses?|mallampati|cormack|centor|modified[ ]ashworth|mmrc",
    "5": "klok|kloktest|clock|clock[ ]drawing|mini[ -]?cog|ecog|mrc|snaq|edss|curb-?65|kracht|"
    "(?:head|vertex)[ ]engaged|spierkracht|strength|power|motor|fuerza|balance[ ]muscular|"
    "balance[ ]motor",
    "6": "phq-?2|katz(?:-?6)?|ipswich(?:[ ]touch)?|(?-i:MUST)|murmur|souffle|sem|"
    "(?-i:[mM]RS)|rankin|pirani",
    "7": "cas|sas|richmond|bristol(?:[ ](?:stool|chart|type|form)){1,3}|(?-i:BS[CS]|BSFS)|abcd2",
    "8": "lawton|iadl|cpot|bloom[ -]richardson",
    "9": "cfs|rockwood|frailty|gpcog|beighton|ediz|bloom[ -]richardson|has-?bled|cha2ds2-?vasc|"
    "titmus",
    "10": "vas|(?-i:EVA|eva)|dolor|nrs|nprs|flacc|painad|abbey|pain|pijn|mood|anxiety|stemming|"
    "eetlust|angst|craving|vermoeidheid|lijdensdruk|suds?|visus|cijfer|sit[ -]to[ -]stand|bishop|"
    "amts?|mental[ ]test|psk|psfs|copm|pss|npr|dn4|esas|(?-i:moe)|monofil(?:ament(?:en)?)?|"
    "motivatie|motivation|semmes(?:-weinstein)?|severity|burnout|confidence|alvarado|gleason|edss|"
    "basdai|borg|aldrete",
    "12": "audit-?c|spmsq|sppb|4at|mayo[ ]score|conut",
    "13": "dos|doss|bishop|csi|fab",
    "14": "mna(?:-?sf)?|ishihara",
    "15": "ravlt|(?:boston[ ]naming(?:[ ]test)?|bnt)(?:[ ]short(?:[ ]form)?)?|gcs|"
    "emv|glasgow|gds(?:-?15)?|yesavage|bims|rivermead|rmi",
    "16": "wilkins",
    "17": "(?-i:PUSH)|(?-i:G8)|westley(?:[ ]croup)?",
    "18": "fab|rudas",
    "20": "barthel|norton|adl|(?-i:BI)|(?-i:RPE)|borg(?:[ ]rpe)?",
    "21": "gad-?7|gad|hads(?:-?[ad])?",
    "23": "braden",
    "24": "ess|epworth|lund-?mackay|(?-i:q?SOFA)|sofa[ ]score|vhi",
    "27": "phq-?9|phq",
    "28": "tinetti|poma|isi|(?-i:[ST]JC)|6[ -]?cit",
    "30": "dlqi|vcss|mmse|moca|slums|epds|gds|fga|mec|lobo|mini-?mental|edimburgo|mna",
    "35": "mec|lobo",
    "40": "audit|cat|y-?bocs|pss",
    "42": "nihss",
    "56": "berg|bbs",
    "60": "madrs",
    "63": "bdi|bai",
    "67": "ciwa(?:-?ar)?",
}  # fmt: skip
# How much it hurts, told in words before "7/10" in one clause, and what makes a day of that.
_PAINFUL = re.compile(
    r"(?<!\w)(?:\w{0,12}pain\w{0,4}|\w{0,12}pijn\w{0,8}|\w{0,8}ache[sd]?|aching|hurts?|sore|"
    r"\w{0,3}tender\w{0,4}|burning|itch\w{0,3}|jeuk|cramp\w{0,3}|discomfort|throb\w{0,4}|"
    r"pressure|tight(?:ness)?|stiff(?:ness)?|craving|worr(?:y|ied))(?!\w)(?P<rest>[^.;\r\n]{0,44})\Z",
    re.IGNORECASE,
)
_ON_A_DAY = re.compile(
    r"(?:(?<!\w)(?:on|since|from|until|till?|by|seen|dated?|last|per|mri|xr|xray|ct|us|op|sinds|vanaf|"
    r"tot|dd|mon|tues?|wed|thu|thurs|fri|sat|sun|ma|di|wo|do|vr|za|zo|started|began|onset|"
    r"stopped|resolved|returned|gone|visit|appt|clinic|f/u|inj|injection|begon|gestart|weg|over)|"
    r"\d[/-]?)[ ]\Z|"
    r"\d/(?!10(?!\d))\d",
    re.IGNORECASE,
)
# Nodes with tumour, of those that were looked at: "T2N1(1/3)", "ganglios (3/12)".
_TAKEN = re.compile(
    r"(?:N[0-3][a-c]?[ ]?\(|"
    r"(?<!\w)(?i:ganglios?(?:[ ](?:afect|positiv|metast|aislad)\w{2,8})?)[: ]{1,2}\(?)\Z"
)
# What is a result beside another one alone: "gips arm 4/5" may be a day.
_BESIDE = {
    "5": "arms?|armen|legs?|been|benen|biceps|triceps|quads?|quadriceps|hamstrings?|deltoids?|"
    "psoas|iliopsoas|grips?|handgrip|ehl|dorsiflexi(?:on|e)|plantair?[ ]?flexi(?:on|e)|"
    "plantar[ ]?flexion|hip[ ]flexion|hf|ke|df|pf|voet|(?:e|in)versi(?:on|e)|"
    "voetheffers?|extensie|flexie|[rlb]?[ul]es?",
    "10": "nausea|fatigue|misselijk(?:heid)?|slaap|benauwd(?:heid)?|jeuk|was|nu|now",
}
_WEAK = frozenset(["was", "nu", "now"])
# Scores after one minute and after five: any two up to ten. "AS 9/10" is a signature in English.
_PAIRS = "apgars?"
_DUTCH_PAIRS = "(?-i:AS)"
_MOST_PAIRED = 10
# Who wrote or saw it: what follows is no scale but somebody called so.
_BY = re.compile(
    r"(?<!\w)(?:drs?|mr|mrs|ms|dhr|mw|mevr|mevrouw|meneer|zr|br|zuster|nurse|sister|sra?|dra|by|"
    r"with|w/|per|door|met|bij|por|con|den|der)\.?[ ]{1,2}\Z",
    re.IGNORECASE,
)
_SURNAMES = re.compile(
    r"(?:lobo|norton|braden|bishop|abbey|lawton|katz|berg|eva|epworth|barthel|beighton|tinetti|alvarado|gleason|borg|"
    r"aldrete|westley|pirani|titmus|AS)\b",
    re.IGNORECASE,
)
_KIND = "(?:[ -]?(?:scores?|scale|grade|index|schaal|pijn|pain|dolor|graad|test))?"
_LINK = r"[ \t]*(?:(?:[:=]|was|is|of|now|today|van|nu|vandaag|de|es|fue|hoy|en)[ \t]*){0,2}\(?"
_PART = re.compile(r"(?P<part>\d{1,3})/(?P<whole>\d{1,3})")

# Weeks of a year ("6/52"), all day ("24/7 zorg", but "poli 24/7" is a day of July), and a murmur
# ("3/6 souffle").
_WEEKS = re.compile(r"\d{1,2}/52")
_IN_1952 = re.compile(
    r"(?<!\w)(?:born|b\.?|birth|dob|married|since|sinds|until|geb\.?|geboren|nacid[oa])[ :]{0,2}"
    r"(?:in[ ])?\Z",
    re.IGNORECASE,
)
_CARE = (
    r"(?:zorg|toezicht|begeleiding|bereikbaar|aanwezig|hulp|thuiszorg|bewaking|beschikbaar|"
    r"care|supervision|monitoring|support|nursing|access|available|service|help|sitter|caregivers?|"
    r"cuidados?|atención|asistencia)"
)
_BEFORE_CARE = re.compile(
    r"(?<!\w)(?:zorg|toezicht|begeleiding|bereikbaar|aanwezig|thuiszorg|bewaking|beschikbaar|"
    r"care|supervision|monitoring|support|nursing|available|cuidados?|is|on[ -]?call)[ ]\Z",
    re.IGNORECASE,
)
_AFTER_CARE = re.compile(rf"[ ](?:{_CARE}|bezoek[ ](?:aan|van)\w*|nodig)(?!\w)", re.IGNORECASE)
_MURMUR = re.compile(r"[1-5]/6[ \t](?:systol|diastol|holosystol|souffle|murmur)", re.IGNORECASE)
# Hours, fingers, stages and doses through a day in the shape of days: "tussen 10-12", "MCP 2-3".
_GRADES = "12345"
_RUN = re.compile(r"\d{1,2}(?:-\d{1,2}){1,3}")
_RUNS = Before(
    r"(?<![\w-])(?i:tussen|between|entre|mcp|pip|dip|mtp|ribs?|ribben|gartland|dpsi|novorapid|"
    r"novomix|humalog|apidra|fiasp|actrapid|insulin[ea]?|lantus|levemir|humulin|lispro|aspart|inr|"
    r"nph|toujeo|tresiba|abasaglar|prednisona|dacortin|deflazacort|pauta)"
    r"[ \t]*:?[ \t]*"
)
_NO_RUN = re.compile(
    r"[ ]?[:=]|[ ](?:and|en|y|tot|to|t/m)[ ]\d{1,2}[-/]\d|[ ]\d|"
    r"[ ](?:ge)?(?:start|stop|staakt|hoogd|laagd)"
)
"""What follows a day, and no hours and doses: "tussen 3-5 en 9-5", "INR 2-3: 2,4"."""
_TARGET = re.compile(r"[1-5]-[2-5]")
_THRICE = frozenset(["insulina", "nph", "prednisona", "dacortin", "deflazacort", "pauta"])
"""After these two numbers may be a day: "prednisona 20-11"."""
_YEARLIKE = 15
"""The last of three numbers from which on they are a day where they can be one."""

# Tests of the laboratory, abbreviations as they are written.
_TESTS = (
    r"(?i:anti-?tpo|a-?tpo|ferritine?|d-?dimeer|d-?dimer|leuko(?:'s|cyten)?|trombo(?:'s|cyten)?|"
    r"platelets|b?-?hcg|beta-?hcg|vit(?:amine?|\.)?[ ]?(?:b12|b6|b1|d3?)|foliumzuur|folate|"
    r"(?:hs-?)?tropo(?:nine?)?(?:[ -][it])?|kreat(?:inine)?|creat(?:inine)?|ureum|amylase|lipase|"
    r"bili(?:rubine?)?|calprotectine?|triglyceriden?|triglycerides|cholesterol|glucose|lactaat|"
    r"cortisol|prolactine?|testosterone?|oestradiol|estradiol|nt-?pro-?bnp)|"
    r"TSH|FT[34]|TRAb|TBII|CK(?:-MB)?|CPK|LDH?|ASAT|ALAT|AST|ALT|[Ggy]GT|ALP|BNP|CRP|BSE|ESR|"
    r"WBC|PLT|Plt|Ig[EGAM]|PSA|AFP|CEA|CA[ ]?(?:125|15[.-]3|19[.-]9)|B12|Tn[IT]|eGFR|PTH|LH|FSH|"
    r"AMH|SHBG|PCT|IL-?6|sIL-?2R"
)
# Of how many digits a value is at most: what is longer after the letters is somebody's number.
_FEW = re.compile(
    r"(?:(?P<few>TSH|FT[34]|TRAb|TBII|LH|FSH|AMH|SHBG|PCT|BSE|ESR|eGFR)|"
    r"(?:CK(?:-MB)?|LDH?|ASAT|ALAT|AST|ALT|[Ggy]GT|ALP|CRP|WBC|PLT|Plt|PSA|CEA|B12|Tn[IT]|PTH|Ig[GAM]))"
    r"[ \t:=<>]*"
)
_KEYED = re.compile(
    r"(?:[#№]|(?<!\w)(?:mrn|acct|account|pager|paged?|beeper|sein|ext|extension|toestel|tst|tel|"
    r"telefoon|phone|ph|calls?|called|bel|bellen|gebeld|fax|d/w|no|(?:\w{0,12})nr|nummer|number|id|"
    r"bsn|by|door|dr|lot|kit))[.:#]*[ \t]*\Z",
    re.IGNORECASE,
)
_SIGNS_BEFORE_VALUE = " \t:=<>"
_VALUE = re.compile(r"(?!0\d)\d{1,5}(?:[.,]\d{1,3})?")
_ON = re.compile(r"[/.,:-]?\d|%|[^\W\d_]")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_AMOUNT = re.compile(r"[ ](?:kcal|cal|ml|mL|cc|mg|mcg|UI|pasos)(?![\w/]|-[^\W\d_])")
"""What makes an amount of a year in Spanish: "dieta de 2000 kcal"."""
_UNIT = re.compile(r"[ \t]?(?:[µum]?g|[npm]g|[pnumµ]mol|k?U|IU|mIU|E|IE)(?:/|\b)")
_RANGE = re.compile(r"\d{1,4}(?:[.,]\d{1,3})?-\d{1,4}(?:[.,]\d{1,3})?")
_MEASURED = Before(
    r"(?<![^\W_])(?:[mnpuµ]?mol|[mnpukµ]?g|[mk]?U|IU|IE|E|f)/?(?:d?l|d?L|m[lL]|mol|24[uh]|min)"
    r"[ \t]*[(\[]?[ \t]*"
)
_TEST = Before(rf"(?<![\w-])(?:{_TESTS})(?:[ \t]*[:=<>][ \t]*|[ \t]+)")


def may_be_result(mention: str, label: str) -> bool:
    """Tell whether a mention has the shape of a result, wherever it stands: most have none."""
    is_date = label in DATES
    return (is_date or label in NUMBERS) and (
        (is_date and (_may_be_points(mention) or _may_be_no_day(mention) or may_be_grade(mention)))
        or _may_be_value(mention)
        or _is_range(mention)
    )


def is_result(text: str, span: Span, *, person: int, language: str) -> bool:
    """Tell whether a mention that has the shape of a result is one.

    So are dates such as "7/10" after a scale that is no person found, and dates and numbers right
    after the name of a test, but no year without a unit ("PSA 2044"), and nothing that is too long
    for a value or has the key of a number before it. `person` is the end of the last person before
    it, who gives a scale no name.
    """
    is_date = span.label in DATES
    return (
        (
            is_date
            and (
                _is_points(text, span, person, language)
                or _is_no_day(text, span)
                or is_grade(text, span.start, span.end, language)
            )
        )
        or _is_value(text, span)
        or _is_usual(text, span)
    )


def _may_be_points(mention: str) -> bool:
    points = _PART.fullmatch(mention, _number_begin(mention, 0, len(mention)))
    if points is None or int(points["part"]) > int(points["whole"]):
        return False
    return int(points["whole"]) <= _MOST_PAIRED or points["whole"] in _SCALES


def _may_be_no_day(mention: str) -> bool:
    if _YEAR.match(mention):
        return True
    if mention[:1] in _GRADES and mention[1:3] in ("", "/", "/6"):  # of a murmur
        return True
    if _RUN.fullmatch(mention):
        return not _is_full_day(mention)
    return mention == "24/7" or _WEEKS.fullmatch(mention) is not None


def _may_be_value(mention: str) -> bool:
    begin = _number_begin(mention, 0, len(mention))
    value = _VALUE.fullmatch(mention, begin)
    if value is None or (begin and mention[begin - 1] not in _SIGNS_BEFORE_VALUE):
        return False
    # What stands before the number has to be the end of a test, "March" is none.
    return not begin or _TEST.may_match(mention[:begin], is_rest=True)


def _is_points(text: str, span: Span, person: int, language: str) -> bool:
    """Tell whether a span is points of a scale: "22/30", or "Berg 10/56" with its name.

    `person` is the end of the last person before it, who gives a scale no name.
    """
    points = _last(_PART, text, span)
    if points is None or int(points["part"]) > int(points["whole"]):
        return False
    first, whole = points.start(), points["whole"]
    floor = max(0, first - _BEFORE)
    before = text[floor:first]
    scale = _scale(whole)
    told = scale.search(before) if scale else None
    if told is None and int(whole) <= _MOST_PAIRED:
        told = _pairs(language).search(before)
    if told is None and whole in _BESIDE:
        told = _beside(whole).search(before)
        weak = told is not None and told[0].split()[0].rstrip(":=(").lower() in _WEAK
        if told and not _has_other(text, points, graded_alone=weak):
            return False
    if told is None and _is_told(before, whole):
        return True
    return (
        told is not None
        and person <= floor + told.start() <= span.start
        and not (_SURNAMES.match(told[0]) and _BY.search(before[: told.start()]))
    )


def _is_told(before: str, whole: str) -> bool:
    """Tell whether the words before points say of what they are: "R flank pain, 8/10"."""
    if whole == "10":
        pain = _PAINFUL.search(before)
        if pain is not None and _ON_A_DAY.search(pain["rest"]) is None:
            return True
    return _TAKEN.search(before) is not None


def _is_no_day(text: str, span: Span) -> bool:
    """Tell whether a span is a rate, or numbers with hyphens after a word that makes them so."""
    if _ON.match(text, span.end):
        return False
    if span.label == "FECHAS" and _YEAR.match(text[span.start : span.end]):
        return _AMOUNT.match(text, span.end) is not None
    if _MURMUR.match(text, span.start):
        return True
    mention, before = text[span.start : span.end], text[max(0, span.start - _NEAR) : span.start]
    if _WEEKS.fullmatch(mention):
        return _IN_1952.search(before) is None
    if mention == "24/7":
        return bool(_BEFORE_CARE.search(before) or _AFTER_CARE.match(text, span.end))
    if _RUN.fullmatch(mention) is None or _NO_RUN.match(text, span.end) or _is_full_day(mention):
        return False
    told = _RUNS.search(before)
    if told is None:
        return False
    word = told[0].rstrip(" \t:").lower()
    if word in _THRICE:
        return mention.count("-") > 1
    return word != "inr" or _TARGET.fullmatch(mention) is not None


def _is_full_day(mention: str) -> bool:
    """Tell whether three numbers can be a day, a month and a year: "3-4-19", but not "8-8-10"."""
    numbers = [int(part) for part in mention.split("-")]
    if len(numbers) != 3:
        return False
    first, second, year = numbers
    return year >= _YEARLIKE and 0 < min(first, second) <= 12 and max(first, second) <= 31


def _has_other(text: str, points: re.Match[str], *, graded_alone: bool) -> bool:
    """Tell whether other points of as many stand near, or a word that is graded so does.

    Only such a word counts where `graded_alone`: "was 3/10 op de poli, 4/10 terug" are days.

    Such a word stands before them in the same clause: "OK been 4/5, kracht prima" is a day.
    """
    points_near, graded = _others(points["whole"])
    before = text[max(0, points.start() - _BEFORE) : points.start()]
    after = text[points.end() : points.end() + _NEAR]
    if not graded_alone and (points_near.search(before) or points_near.search(after)):
        return True
    return graded.search(re.split(r"[.;\n]", before)[-1]) is not None


def _is_value(text: str, span: Span) -> bool:
    """Tell whether a span is the value of a test: "1044", or "hCG 5644" with its name."""
    value = _last(_VALUE, text, span)
    if value is None:
        return False
    if span.label in DATES and _YEAR.match(value[0]) and not _UNIT.match(text, span.end):
        return False
    floor = max(0, value.start() - _BEFORE)
    before = text[floor : value.start()]
    told = _TEST.search(before)
    if told is None or floor + told.start() > span.start or _KEYED.search(before[: told.start()]):
        return False
    few = _FEW.fullmatch(told[0])
    most = 5 if few is None else 3 if few["few"] else 4
    return len(re.split("[.,]", value[0])[0]) <= most


def _is_usual(text: str, span: Span) -> bool:
    """Tell whether a span is the range of usual values behind a unit: "mmol/l 135-145".

    The second is more than the first: "mmol/l 13-5" is a day.
    """
    if not _is_range(text[span.start : span.end]):
        return False
    return _MEASURED.search(text[max(0, span.start - _UNIT_BEFORE) : span.start]) is not None


def _is_range(mention: str) -> bool:
    if _RANGE.fullmatch(mention) is None:
        return False
    low, high = mention.replace(",", ".").split("-")
    return float(low) < float(high)


def _last(shape: re.Pattern[str], text: str, span: Span) -> re.Match[str] | None:
    """Return what of this shape a span ends with, if it is no part of a longer number."""
    if not text[span.end - 1].isdecimal() or _ON.match(text, span.end):
        return None
    return shape.fullmatch(text, _number_begin(text, span.start, span.end), span.end)


def _number_begin(text: str, floor: int, end: int) -> int:
    """Return where the digits and the signs between them begin that stand up to a place."""
    while end > floor and (text[end - 1].isdecimal() or text[end - 1] in "/.,"):
        end -= 1
    return end


@cache
def _scale(whole: str) -> Before | None:
    terms = _SCALES.get(whole)
    return Before(rf"(?<![\w-])(?:{terms}){_KIND}{_LINK}", re.IGNORECASE) if terms else None


@cache
def _pairs(language: str) -> Before:
    also = f"|{_DUTCH_PAIRS}" if language == "nl" else ""
    return Before(rf"(?<![\w-])(?:{_PAIRS}{_KIND}{also}){_LINK}", re.IGNORECASE)


@cache
def _beside(whole: str) -> Before:
    return Before(rf"(?<![\w-])(?:{_BESIDE[whole]}){_LINK}", re.IGNORECASE)


@cache
def _others(whole: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(rf"(?<![\d/])\d{{1,2}}/{whole}(?![\d/])"),
        re.compile(rf"(?<!\w)(?:{_SCALES[whole]})(?!\w)", re.IGNORECASE),
    )
