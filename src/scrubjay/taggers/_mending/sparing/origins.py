"""Whether an English text looks to be written outside America, as in Britain and Ireland.

Words, spellings, telephones, postcodes and dates tell, for it and against it. A text is looked at
once, and only where somebody asks.
"""

from __future__ import annotations

import re

from scrubjay.caching import text_cache

_WORDS = re.compile(r"[^\W\d_]+(?:&[^\W\d_]+)?")


def _words(*lines: str) -> frozenset[str]:
    """Return the words of lines as they stand, and those in small letters with a capital, too."""
    words = {word for line in lines for word in line.split()}
    return frozenset(words | {word.capitalize() for word in words if word.islower()})


# What is written nowhere in America, what is seldom written there, and what is written there alone.
_SURE = _words(
    "GPs NHS A&E U&E U&Es TDS QDS FBC TTO TTOs TTA TTAs NCHD SHO SpR EPAU BNO DNAR LRTI URTI tds",
    "qds CMHT mum mums nappy nappies paeds haem gynae physiotherapist fortnight whilst paracetamol",
    "salbutamol codamol dydramol amoxiclav fluclox flucloxacillin frusemide gliclazide cyclizine",
    "oramorph zomorph movicol laxido calpol difene betnovate dioralyte clexane tazocin lignocaine",
    "pethidine bendroflumethiazide colour behaviour labour litres programme hospitalised",
    "mobilising mobilised catheterised stabilised organised dialysed",
)
_HINTS = _words(
    "TVUSS DNACPR CEPOD NBM NAD creps WCC ramipril bisoprolol",
    "GP physio theatre casualty MSU PHN CPN OOH AMU GTN D&V bd BD mane nocte bloods OPD OPA USS Hb",
    "TCI HDU ITU IHD BNF rang centre chemist IVABx NOF lochia midwife LFTs primip rv mam",
)
_AMERICAN = _words(
    "tylenol acetaminophen albuterol lasix zofran percocet lovenox coumadin benadryl bactrim",
    "plavix toradol imodium compazine EKG Hgb HGB PCP medicaid EMS SNF VNA HHA CBC BMP CMP RTC BID",
    "TID QID QHS qhs bid tid qid LCSW LMSW LPN CNA walgreens mom diaper diapers anemia edema",
    "diarrhea hematuria hematoma pediatric pediatrics peds orthopedic orthopedics gynecology",
    "hemoglobin leukemia tumor color labor ischemia dyspnea apnea esophageal estrogen hospitalized",
    "mobilized stabilized ER MVA",
)
_SPELLED = (
    "haem", "aemi", "oedem", "oesoph", "rrhoea", "pnoea", "paed", "gynae", "anaesth", "foet",
    "tumour", "coeliac", "caec", "faec", "oestr", "dyspnoe", "fit note", "sick note", "r/v", "o/e",
    "district nurse", "practice nurse", "health visitor", "gp surgery", "gp practice", "gp to ",
    "to gp", "by gp", " gp letter", "gp referral", "gp record", "own gp", "the gp",
    "syringe driver",
)  # fmt: skip
# Each begins with what all of its shapes do: most places of a text are passed over by that.
_SHAPES = re.compile(
    r"(?=[+\dA-Zfiox])(?:(?<![\d/.])\d{1,2}/52(?![\d/])|"
    r"(?<!\w)(?:x|(?:over|for|in)[ ](?:the[ ])?(?:last|past|next))[ ]?\d{1,2}/7(?![\d/])|"
    r"(?<![\d/.])\d{1,2}/(?:7|12|24)[ ](?:ago|h/o|(?:hx|history)[ ]of)(?!\w)|"
    r"(?<![\d.])\d+[ ]?m?c?g[ ](?:od|OD|bd|BD)(?!\w)|"
    r"[+](?:44|353)(?!\d)|(?<!\w)[A-Z]{1,2}\d[A-Z\d]?[ ]\d[A-Z]{2}(?!\w)|"
    r"(?<![\d/.-])(?:1[3-9]|2\d|3[01])(?P<sign>[/.-])(?:0?[1-9]|1[0-2])(?P=sign)"
    r"(?:19|20)?\d\d(?!\d))"
)
# Month and day, with a year or such as are seldom the points of a scale, nor hours and weeks.
_MONTH_FIRST = re.compile(
    r"(?=\d)(?:(?<![\w/.-])(?:0?[1-9]|1[0-2])/(?:1[3-9]|2\d|3[01])/(?:19|20|21)?\d\d(?!\d)|"
    r"(?<![\w/.-])(?:0?[1-9]|1[0-2])/(?:16|17|19|22|23|25|26|29|31)(?![\d/]))"
)
_AMERICAN_SHAPES = re.compile(
    r"(?=[(\dA-Z])(?:(?<!\w)[A-Z]{2},?[ ]\d{5}(?!\d)|\(\d{3}\)[ ]?\d{3}-\d{4}|"
    r"(?<![\d-])\d{3}[-.]\d{3}[-.]\d{4}(?!\d))"
)
_SURELY = 2
"""What a sure sign counts, and how much is asked for: two hints tell as much."""
_KEPT = 4
"""Texts of which is known what they look: it is asked of many spans of a text."""


@text_cache(_KEPT)
def looks_not_american(text: str) -> bool:
    """Tell whether more in an English text speaks against America than for it.

    A day behind its month counts for two signs, one with its year (1/19/2025) decides.
    """
    words = set(_WORDS.findall(text))
    lowered = text.lower()
    told = (
        _SURELY * len(words & _SURE)
        + len(words & _HINTS)
        + _SURELY * sum(spelled in lowered for spelled in _SPELLED)
        + _SURELY * len({found[0] for found in _SHAPES.finditer(text)})
    )
    if told < _SURELY:
        return False
    dates = {found[0] for found in _MONTH_FIRST.finditer(text)}
    if any(date.count("/") > 1 for date in dates):
        return False
    shapes = {found[0] for found in _AMERICAN_SHAPES.finditer(text)}
    return told > _SURELY * (len(words & _AMERICAN) + len(shapes) + 2 * len(dates))
