"""Portions and usual ranges are no dates: "3/18 nodes", "cx 2/4 bottles", "K 4.1 (3-5)" (English).

So many of so many have the shape of a day and a month, and so has the range in brackets behind a
value of the laboratory. What is counted tells of a portion, right behind it or right before it,
and nothing else is spared: "visit 4/12" may be a day. A range stands behind what is measured, a
value of its size, and is no day of notes that write days so ("INR 2.6 (2-3)", "drawn 2-1").
Receptors of a tumour are counted out of eight beside each other ("ER 8/8, PR 6/8", but "ER 8/8 for
pain"), and cultures out of few where no day stands near ("BCx 2/4 MSSA").
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_AROUND, _LINE = 40, 160
"""Characters on each side that are looked at, and in which other ranges stand."""

_PAIR = re.compile(r"(\d{1,2})/(\d{1,2})")
_THREE = re.compile(r"\d{1,2}/\d{1,2}/\d{1,2}")
_RATE = re.compile(r"\d{1,4}/(?:day|d|wk|week|hr|hour|shift|min|night)")
_STRENGTHS = frozenset(["8/2", "4/1", "12/3", "16/4", "24/6"])
"""Of buprenorphine with naloxone."""
_RANGE = re.compile(r"(\d{1,2})[-–](\d{1,2})")

# What is counted, behind a portion. Bottles come in few: no word before them tells of a day.
_COUNTED = re.compile(
    r"[ ](?:(?:lymph|sentinel|pelvic|axillary|regional|mediastinal|total|positive|pos|planned|"
    r"prescribed|weekly|therapy|group|treatment|chemo|radiation|rt|xrt)[ ]){0,2}(?:"
    r"nodes|lns|slns?|cores|fractions|fxs?|sessions|cycles|doses|nights|groups|infusions|"
    r"treatments|specimens|samples|smears|criteria|questions|items|meals|steps|words|trials|"
    r"weeks|wks|days|visits|hpfs?|strength|lumens|sequences|sections|oocytes|embryos|eggs|"
    r"of[ ]the[ ]time)(?![\w/])"
    r"(?![ ](?:ago|prior|later|after|before|since|until|post|old|earlier|apart))",
    re.IGNORECASE,
)
# What is done with the whole of what is counted: "4/12 samples sent".
_DONE_THAT_DAY = re.compile(
    r"[ ](?:were[ ])?(?:sent|drawn|lost|(?:re)?started|resumed|begun|collected|received|retrieved|"
    r"transferred|frozen|thawed|answered|cancelled|canceled)(?!\w)",
    re.IGNORECASE,
)
_BOTTLES = re.compile(
    r"[ ](?:(?:blood|bcx|aerobic|anaerobic|cx|culture|pos|positive)[ ])?"
    r"(?:bottles?|sets|tubes)(?!\w)",
    re.IGNORECASE,
)
_MOST_BOTTLES = 8
# Of so many bottles some grew what is named: "BCx 2/4 MSSA", but "BCx 2/4 NGTD" is of a day, and
# so it is where another stands near: "BCx 2/4 MSSA, PICC 2/9".
_OF_BOTTLES = frozenset(["2", "4", "6"])
_NEAR_DAY = re.compile(r"(?<![\w/.])\d{1,2}[/-]\d{1,2}(?!\d)")
_CULTURES = re.compile(
    r"(?<!\w)(?:b(?:ld|lood)?[ ]?c(?:x|ultures?)|bc)(?:[ ](?:pos(?:itive)?|growing|grew|still))?"
    r"[ :]{1,2}\(?\Z",
    re.IGNORECASE,
)
_GREW = re.compile(
    r"[ \r\n]{1,2}(?:MSSA|MRSA|VRE|GPCs?|GPR|GNRs?|Co?NS|CONS|[EKSPC]\.?[ ][a-z]{4,}|ESBL|GBS|"
    r"(?i:staph|strep|enteroc|kleb|pseudom|candida|yeast|proteus|gram[ -](?:pos|neg))\w*)(?!\w)"
)
_SALINE = re.compile(
    r"[ ]?(?-i:NS|NSS)(?!\w)|[ ](?:normal[ ])?saline(?!\w)|[ ]strength(?!\w)", re.I
)
_PART = re.compile(r"1/[234]|[23]/4")
# Two strengths of one tablet: "Suboxone 8/2 BID", "Lotrel 5/10 mg".
_DOSED = re.compile(
    r"[ ]?(?:mg|mcg)(?!\w)|[ ](?:BID|TID|QD|QHS|QAM|daily|SL|films?|strips?|tabs?|caps?)(?!\w)",
    re.IGNORECASE,
)
_DRUG = re.compile(
    r"(?<!\w)(?:(?P<bup>suboxone|zubsolv|bunavail|bup(?:renorphine)?(?:[/-]nal\w*)?|bup-nx)|"
    r"lotrel|exforge|azor|caduet|vytorin|ziac|glucovance|janumet|actoplus|duetact|symjepi|"
    r"[a-z]{5,}[/-](?:hctz|hydrochlorothiazide|benazepril|valsartan|naloxone|atorvastatin|"
    r"simvastatin|metformin|glimepiride|olmesartan))[ ]\Z",
    re.IGNORECASE,
)
# What is so long and wide, and how much is taken with each meal.
_SIZED = re.compile(r"[ ]?[cm]m(?![\w/])")
_SHOTS = re.compile(
    r"(?<!\w)(?:insulin|lispro|aspart|glulisine|humalog|novolog|novorapid|fiasp|apidra|admelog|"
    r"regular|bolus(?:es)?|prandial|meal-?time|carbs?)(?!\w)[^.;\n]*\Z",
    re.IGNORECASE,
)
_WITH_MEALS = re.compile(r"[ ](?:units?[ ])?(?:(?:with|w/)[ ]meals|TID|AC(?!\w))", re.IGNORECASE)
# How much of a receptor tumour cells have, out of eight: "ER 8/8 (Allred), PR 6/8". Somebody comes
# to an "ER", too: "ER 8/8: cellulitis".
_RECEPTOR = re.compile(
    r"(?<!\w)(?<!in[ ])(?<!to[ ])(?<!at[ ])(?<!the[ ])(?<!via[ ])(?<!from[ ])(?:ER|PR|PgR)"
    r"[ :=+,]{1,3}(?:(?:positive|pos|strong|weak|score|(?i:allred))[ ,:]{1,2}){0,2}\Z"
)
_RECEPTORS = re.compile(
    r"(?<!\w)(?:(?i:allred)|(?:ER|PR|PgR)[ :=+,]{1,3}(?:(?:positive|pos|strong|weak)[ ,:]{1,2})?"
    r"[0-8]/8)(?![\w/])"
)
_RECEPTOR_ENDS = re.compile(
    r"[ ]?(?:[,;)\r\n]|\.(?!\d)|\Z|\((?i:allred)|(?:and[ ])?(?:PR|PgR)(?!\w))"
)
_BESIDE = 20
_EACH = re.compile(r"[ ]?/[ ]?(?:wk|week|day|d|mo|month|night|yr|h)(?!\w)")
# What is counted, before a portion.
_DAY_OF = re.compile(
    r"(?<!\w)(?:day|week|wk|cycle|dose|sessions?|fractions?|treatments?)[ ]#?\Z", re.IGNORECASE
)
_COUNTED_BEFORE = frozenset([
    "day", "week", "wk", "cycle", "dose", "session", "sessions", "fraction", "fractions", "fx",
    "c", "treatment", "treatments",
])  # fmt: skip
_OF = re.compile(r"[ ]of[ ](?!(?:last|this|next|the[ ](?:month|year)|20\d\d|19\d\d)(?!\w))")
_NUMBERED = re.compile(
    r"(?<!\w)(?:icu|cvc|picc|foley|central[ ]line|abx|antibiotic|chemo|induction|detox|vent|"
    r"treatment|steroid|radiation|xrt|"
    r"folfox|folfiri|folfirinox|abvd|r-?chop|chop|taxol|carbo/?taxol|herceptin|rituxan|"
    r"[a-z]{4,}(?:mab|platin|taxel|rubicin))[ ](?:day|cycle|dose|fraction|fx|week|wk|c)[ ]#?\Z",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"(?<!\w)(?:last|next|first|final|prev(?:ious)?|prior|due|start(?:ed|s)?|most[ ]recent)[ ]"
    r"[^.;\n]*\Z",
    re.IGNORECASE,
)
# What a day follows, however it goes on: "since 10/21 days are bad".
_ON_A_DAY = re.compile(
    r"(?<!\w)(?:on|since|from|until|till?|thru|through|by|before|after|and|to|last|next|first|due|"
    r"for|of|dated?|d/c|dc|seen|start(?:ed|ing)?|stop(?:ped)?|began|begun|end(?:ed|ing)?|done|"
    r"was|is|are|were|admit(?:ted)?|discharged?|bx|biopsy|path|pathology|surgery|op|ct|mri|pet|us|"
    r"xr|cxr|cx|labs?|scan|echo|egd|clinic|appt|visit|again|restart(?:ed)?|resum(?:e|ed)|"
    r"change[sd]?|increased?|decreased?|reduced|mon|tues?|wed|thu|thurs|fri|sat|sun|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day),?[ ]\Z|[-–/]\Z|\d[ ](?:and[ ])?\Z",
    re.IGNORECASE,
)

_UNIT = r"(?:[ ]?(?:m?g/d?l|mmol/l|meq/l|u/l|k/ul|ng/ml|mcg/dl|ug/dl|pg/ml|iu/ml|m?iu/l|%|sec|s))?"
# A value, what is measured before it, and the mark of one that is too high or too low.
_MEASURED = re.compile(
    r"(?<![\w/.-])(?P<name>[A-Za-z][\w.'-]{0,18})"
    r"(?:,?[ ](?:trough|peak|level|random|total|direct|am|pm|free)){0,2}"
    rf"[ ]?[:=]?[ ](?P<value>\d{{1,3}}(?:\.\d{{1,2}})?){_UNIT}[ ]?[HL*]?[ ]?[(\[]"
    r"(?:(?:nl|normal|ref|range|rr|reference)[:]?[ ])?\Z",
    re.IGNORECASE,
)
_MEASURES = """
    k na cl mg phos po4 ca ica bun cr creat creatinine glu gluc glucose hgb hb hct wbc plt plts
    mcv mch mchc rdw rbc inr pt ptt aptt tsh ft4 ft3 t4 t3 a1c hba1c ast alt alp ggt bili tbili
    dbili alb albumin prot protein lactate lact ammonia nh3 lipase amylase ldh ck trop troponin
    crp esr ferritin iron tibc b12 folate psa cea afp fsh lh e2 amh prl prolactin cortisol pth
    igf-1 testosterone estradiol progesterone vit vitd d vanc vanco vancomycin gent gentamicin
    tobra tacro tacrolimus fk506 csa sirolimus dig digoxin li lithium phenytoin dilantin vpa
    valproate carbamazepine tegretol phenobarb theophylline hco3 co2 bicarb ag gap osm uric
    urate trig tg hdl ldl chol neut neuts lymphs lymph monos eos basos bands retic fib
    fibrinogen haptoglobin anc ph pco2 po2 so4 zinc copper lead d-dimer bnp levels level morph
    motility count egfr
"""
_TESTS = frozenset(_MEASURES.split())
_NO_TESTS = frozenset(["was", "then", "now", "to", "from", "prior", "and", "down", "up", "again"])
"""Words between the values of one test."""
# Another range behind a value, of numbers that are no days: "(0.4-4.0)", "(135-145)".
_NO_DAYS = re.compile(
    r"\d[ ]?[HL*]?[ ]?[(\[]"
    r"(?:\d{1,3}\.\d{1,2}[-–]\d|\d{1,3}[-–](?:\d{1,3}\.\d|\d{3}|3[2-9]|[4-9]\d))"
)
ENDS = {
    "k": (3, 4, 5, 6), "cr": (0, 1, 1, 2), "creat": (0, 1, 1, 2), "ca": (8, 9, 10, 11),
    "mg": (1, 2, 2, 3), "phos": (2, 3, 4, 5), "inr": (1, 3, 1, 4), "tsh": (0, 1, 3, 6),
    "psa": (0, 0, 2, 7), "wbc": (3, 5, 9, 13), "hgb": (11, 14, 14, 18), "hb": (11, 14, 14, 18),
    "a1c": (4, 4, 5, 7), "hba1c": (4, 4, 5, 7), "plt": (100, 100, 300, 300),
    "plts": (100, 100, 300, 300),
}  # fmt: skip
"""The least and the most of both ends of some ranges, beyond which a month and a day stand."""
_ANY_ENDS = (0, 99, 0, 99)
# A value before a range in brackets, with or without what is measured.
_VALUE = re.compile(
    r"(?:(?P<name>[A-Za-z][\w.'-]{0,18})[ ]?[:=]?[ ]|[,;/]?[ ])"
    r"\d{1,3}(?:\.\d{1,2})?[ ]?[HL*]?[ ]?[(\[](?P<range>\d{1,2}[-–]\d{1,2})[)\]]"
)
_FURTHEST = 5
"""How many times as large as the upper end, or as small as the lower, a value in a range may be."""
_HYPHEN_DAY = re.compile(
    r"(?<!\w)(?:on|since|from|until|till?|by|seen|dated?|last|next|due|drawn|repeat|"
    r"mon|tues?|wed|thu|thurs|fri|sat|sun),?[ ]\d{1,2}-\d{1,2}(?![\w-])|"
    r"(?<![\w/-])\d{1,2}-\d{1,2}-(?:\d{2}|\d{4})(?![\w-])",
    re.IGNORECASE,
)


def may_be_portion(mention: str) -> bool:
    """Tell whether a mention has the shape of a portion or a range, wherever it stands."""
    pair = _PAIR.fullmatch(mention) or _RANGE.fullmatch(mention)
    if pair is not None:
        return int(pair[1]) <= int(pair[2]) or mention in _STRENGTHS
    return _THREE.fullmatch(mention) is not None or _RATE.fullmatch(mention) is not None


def is_portion(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is a portion, a strength of a drug, or a usual range."""
    start, end = span.start, span.end
    mention = text[start:end]
    if "/" not in mention:
        if text[end : end + 1] in (")", "]"):
            return _is_usual(text, span, text[max(0, start - _AROUND) : start])
        return _EACH.match(text, end) is not None
    if not mention[-1].isdecimal() or _SIZED.match(text, end):
        return True
    before = text[max(0, start - _AROUND) : start]
    if mention.count("/") > 1:
        return (
            _WITH_MEALS.match(text, end) is not None
            and (_SHOTS.search(before) is not None or text.startswith(" unit", end))
            and not _ON_A_DAY.search(before)
        )
    if mention.endswith("/8") and _RECEPTOR.search(before):
        return _RECEPTOR_ENDS.match(text, end) is not None and (
            _RECEPTORS.search(text, max(0, start - _BESIDE), start) is not None
            or _RECEPTORS.search(text, end, end + _BESIDE) is not None
        )
    if _DOSED.match(text, end) and (drug := _DRUG.search(before)):
        return drug["bup"] is None or mention in _STRENGTHS
    if mention in _STRENGTHS or text[end : end + 1] in ("/", "-"):
        return False
    if _BOTTLES.match(text, end):
        return int(mention.partition("/")[2]) <= _MOST_BOTTLES
    if _CULTURES.search(before) and _GREW.match(text, end):
        return mention.partition("/")[2] in _OF_BOTTLES and not (
            _NEAR_DAY.search(text, max(0, start - _LINE), start)
            or _NEAR_DAY.search(text, end, end + _LINE)
        )
    if _SALINE.match(text, end) and _PART.fullmatch(mention):
        return True
    # A quick look first, which most days do not pass.
    if before.rstrip(" #").rpartition(" ")[2].lower() in _COUNTED_BEFORE:
        if _NUMBERED.search(before):
            return _WHICH.search(before) is None and not _has_later_day(text, span)
        if _DAY_OF.search(before):
            return _OF.match(text, end) is not None
    counted = _COUNTED.match(text, end)
    return (
        counted is not None
        and not _ON_A_DAY.search(before)
        and not _DONE_THAT_DAY.match(text, counted.end())
    )


def _has_later_day(text: str, span: Span) -> bool:
    """Tell whether a later day of the same month follows: "day 4/12, home 4/15"."""
    month, day = text[span.start : span.end].split("/")
    later = re.compile(rf"(?<![\w/-]){month}/(\d{{1,2}})(?![\w/-])")
    return any(
        int(other[1]) > int(day) for other in later.finditer(text, span.end, span.end + _LINE)
    )


def _is_usual(text: str, span: Span, before: str) -> bool:
    """Tell whether a range in brackets stands behind a value that it may be the range of."""
    told = _MEASURED.search(before)
    if told is None:
        return False
    low, high = map(int, re.split("[-–]", text[span.start : span.end]))
    value = float(told["value"])
    if low == high or not low / _FURTHEST <= value <= high * _FURTHEST:
        return False
    name = told["name"].lower().rstrip(".")
    least, most, least_top, most_top = ENDS.get(name, _ANY_ENDS)
    if not (least <= low <= most and least_top <= high <= most_top):
        return False
    near = text[max(0, span.start - _LINE) : span.end + _LINE]
    if (name not in _TESTS and _NO_DAYS.search(near) is None) or _is_course(
        near, name, text[span.start : span.end]
    ):
        return False
    return _HYPHEN_DAY.search(text) is None


def _is_course(near: str, name: str, own: str) -> bool:
    """Tell whether another range stands behind the same, or behind a value without a name.

    "Ferritin 9 (6-11), then 8 (6-14)" tells when each was measured.
    """
    for other in _VALUE.finditer(near):
        named = (other["name"] or "").lower().rstrip(".")
        if other["range"] != own and (named == name or not named or named in _NO_TESTS):
            return True
    return False
