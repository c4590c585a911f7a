"""Spells of time in notes from Britain and Ireland are no dates: "Review 5/7", "cough 3/12".

So many sevenths, twelfths, 24ths and fortieths are days, months, hours and weeks of pregnancy
there, and each has the shape of a day. Some contexts tell alone ("3/12 ago", "x 5/7"); "Review 5/7"
is the seventh of May in America, and is spared only where the text looks not American (`origins`).
What may be an appointment is a date, too, where the text tells of others in that month. Weeks and
sevenths are how long somebody is with child, everywhere: "G3P2 at 38 3/7" (English).
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.origins import has_months_first, looks_not_american

_AROUND, _BESIDE = 48, 28
"""Characters on each side of a pair in which its context stands, and another date does."""

_PAIR = re.compile(r"(?<![\d/.])([1-9]\d?)/(7|12|24|40)(?![\d/])")
# One, or two that a tagger took for one, with a word before each: "TTO 14/7", "1/12. OPD 3/12".
_WORD = (
    r"(?:(?:TT[OA]s?|OPD|OPA|PT|LMP|D&V|BNO|(?i:rv|r/v|review|repeat|bloods|physio|in|for|x|over|hx|"
    r"history|cough|fever|pain|rash|worse|stop|nurse))[ .,]{1,2})?"
)
_ONE = r"(?:\d{1,2}-)?[1-9]\d?/(?:7|12|24|40)"
_SHAPE = re.compile(rf"(?:[1-4]\d[ ])?{_WORD}{_ONE}(?:[ .,]{{1,2}}{_WORD}{_ONE})?")

# Weeks and days with child: what stands before the weeks, and behind the days.
_WEEKS_AND_DAYS = re.compile(r"(?<![\w/.])(?:[1-3]\d|4[0-3])[ ][0-6]/7(?![\d/])")
_GESTATION_BEFORE = re.compile(
    r"(?<!\w)(?:at|@|iup(?:[ ]at)?|siup|viup|e?ga|gest\w*|birth|born|"
    r"g\d{1,2}[ ]?p[\d-]{1,7}(?:[ ](?:at|@))?)"
    r"[ :,]{1,2}\Z",
    re.IGNORECASE,
)
_GESTATION_AFTER = re.compile(
    r"[ ]?(?:wks?|weeks?|w)(?!\w)|"
    r"[ ](?:e?ga|gest\w*|iup|by[ ](?:lmp|us|uss|u/s|dates|scan|edd|edc))(?!\w)",
    re.IGNORECASE,
)

# How many of each are counted: "24/12" is a day before Christmas.
_COUNTED = {
    "7": frozenset({*range(1, 15), 21, 28}),
    "12": frozenset({*range(1, 13), 18}),
    "24": frozenset({*range(1, 13), 18, 24, 36, 48, 72}),
    "40": frozenset(range(3, 43)),
}
_FEW = 10
"""Days up to which a symptom lasted, where the text tells of others in July."""

_SYMPTOM = (
    r"(?:sx|u[rt]i|[ul]rti|\w{0,12}(?:aches?|pains?|rrho?ea|pno?ea|uria|ptysis|itis|lgia)|symptoms?|cough(?:ing)?|"
    r"fevers?|pyrexia|rigors?|sweats|vomit(?:ing|ed)?|nausea|rash|sob|sore[ ]throat|throat|d[&+]v|"
    r"v[&+]d|bno|(?:bo|bowels)[ ]not[ ]open(?:ed|ing)?|constipat(?:ion|ed)|(?:wt|weight)[ ]loss|"
    r"dizz(?:y|iness)|vertigo|unwell|confus(?:ed|ion)|limp(?:ing)?|swelling|swollen|bleed(?:ing)?|"
    r"spotting|itch(?:y|ing)?|palpitations?|lump|flare|sciatica|wheez[ey]|breathless(?:ness)?|"
    r"jaundiced?|tired(?:ness)?|letharg(?:y|ic)|low[ ]mood|depress(?:ed|ion)|anxi(?:ous|ety)|"
    r"insomnia|numb(?:ness)?|weak(?:ness)?|tingling|stiff(?:ness)?|coryzal?|malaise|runny[ ]nose|"
    r"collapse|gout|o?edema|hot[ ]flushes|tightness|frequency|off[ ](?:food|feeds|legs|work)|"
    r"worse(?:ning)?|not[ ]settling|calf|palps|reflux|sore|painful)"
)
_MEDICINE = (
    r"(?:abx?|ivabx?|antibiotics?|(?:triple|eradication)[ ]therapy|"
    r"\w{2,12}(?:cillin|mycin|cycline|clox|clav|oxacin|solone|sone)|"
    r"steroids?|trimethoprim|nitrofurantoin|ceftriaxone|pred|doxy|amox|pen[ ]v)"
)
_HERE = r"[ ]{0,2}[(~?]?(?:\d{1,2}(?:-|[ ]to[ ]))?\Z"
_AGAIN = r"rv|r/v|rev|review|see|re-?check|repeat|rpt|tc[au]|rtc|ros"

# What tells alone.
_LASTED_BEFORE = re.compile(
    rf"(?<!\w)(?:(?:{_SYMPTOM}|{_MEDICINE}|continue[sd]?)[ ](?:now[ ])?(?:for|x)|"
    rf"(?:d&v|bno|(?:bo|bowels)[ ]not[ ]open(?:ed)?)){_HERE}",
    re.IGNORECASE,
)
_SOON_BEFORE = re.compile(
    rf"(?<!\w)(?:{_AGAIN}|reviewed|back|return|ring|tci|gp|bloods)[ ]in{_HERE}", re.IGNORECASE
)
_LASTED_AFTER = re.compile(
    r"[ ](?:ago|h/o|days|nights|weeks|months|hours|hrs|per[ ]week)(?!\w)|"
    r"[ ]total[ ]*(?:[.,;)\r\n]|\Z)",
    re.IGNORECASE,
)
_EVERY_BEFORE = re.compile(
    r"(?<!\w)(?:every|(?:over|during|in|for)[ ](?:the[ ])?(?:last|past|next)|"
    r"(?:od|bd|tds|qds|mane|nocte|daily|\dmg|mg|mcg|ml)[ ](?:for|x)|(?-i:od|bd|tds|qds))[ ]\Z",
    re.IGNORECASE,
)
_HISTORY_OF_AFTER = re.compile(r"[ ](?:history|hx)[ ]of(?!\w)", re.IGNORECASE)
_HISTORY_AFTER = re.compile(r"[ ]hx[ ](?!from|per|taken|given|obtained|reviewed|and)\w", re.I)
_TIMES = re.compile(rf"(?<!\w)x{_HERE}", re.IGNORECASE)
_HISTORY = re.compile(rf"(?<!\w)(?:hx|history)(?:[ ]of)?{_HERE}", re.IGNORECASE)
_OF_SYMPTOM = re.compile(
    rf"[ ](?:of[ ])?(?:\w+[ ]){{0,2}}?{_SYMPTOM}(?!\w)|[ ]post[ -]?\w", re.IGNORECASE
)
_FOR_THEN = (re.compile(rf"(?<!\w)for{_HERE}", re.I), re.compile(r"[ ](?:and[ ])?then(?!\w)", re.I))
_PREGNANT_BEFORE = re.compile(
    rf"(?<!\w)(?:at|primip|multip|pregnant|currently|now|lmp|g\d[ ]?p\d(?:[ ]?[+]\d)?){_HERE}",
    re.IGNORECASE,
)
_PREGNANT_AFTER = re.compile(
    r"[ ,(]{1,2}(?:pregn\w*|gest\w*|by[ ](?:dates|scan|uss|lmp)|scan|amenorrh\w*|wks?|weeks)", re.I
)

_WHERE = (
    r"(?:[RL]|right|left|both|bilat|legs?|arms?|knees?|hips?|breast|loin|flank|back|neck|chest|"
    r"shoulders?|ankles?|ears?|eyes?|foot|feet|hands?|face|trunk|groin|lower|upper|side|to|in|of|the|now)"
)

# What tells in a text that is not American: how long something was or is to be ...
_LASTS = re.compile(
    rf"(?<!\w)(?:{_SYMPTOM}(?:[ ]{_WHERE}){{0,3}}|{_MEDICINE}|(?:hx|history)(?:[ ]of)?|"
    r"(?:the|over|worse)[ ](?:last|past|next)|within|over|every|further|another|continue|rest|x|"
    r"(?:omit|hold|withhold|pause)(?:[ ](?!(?:on|since|from|until|till?|by|due)[ ])[a-z]{3,})?|"
    r"aged?|baby|infant|post[ -]?(?:op|natal|partum)|course|fit[ ]note|sick[ ]note|cert|"
    r"script|tt[oa]s?|\d{1,4}[ ]?(?:m?g|mcg|mls?)|od|bd|tds|qds|prn|stat|mane|nocte|n?wb|pwb|boot|"
    rf"sling|splint){_HERE}",
    re.IGNORECASE,
)
_IN = re.compile(rf"(?:(?<!\w)(?P<what>[\w&-]+)[ ])?(?<!\w)in{_HERE}", re.IGNORECASE)
# What was in a month of a year: "diagnosed in 9/12".
_WAS_IN = re.compile(
    r"(?!re(?:view|peat|check)ed)(?:\w+ed|dx|seen|born|had|done|was|last|mi|cva|op|put)",
    re.IGNORECASE,
)
_FOR = re.compile(rf"(?:(?<!\w)(?P<what>[\w&-]+)[ ])?(?<!\w)for{_HERE}", re.IGNORECASE)
_SET_FOR = re.compile(
    r"(?:appt|appointment|(?:re)?book(?:ed)?|scheduled?|listed|slot|plan(?:ned)?|bloods?|results?|"
    r"dates?|arranged|set|due|wait\w*|request\w*|clinic|theatre|scan|mri|ct|uss|visit|review|rv|r/v|"
    r"cbc|fbc|labs?|down|in|is|and|rota|cover|notes?|ecg|xr|cxr|tci|opd|surgery|op|seen)",
    re.IGNORECASE,
)
_MEANT_AFTER = re.compile(
    r"[ ](?:hx|history|total|course|of|then|only|max|trial|supply|later|to[ ]go|no[ ]better|"
    r"old(?![ ](?:records?|notes?|ct|mri|films?|xr))|pregnant|(?:wt|weight)[ ]loss|"
    r"post[ -]?\w+)(?!\w)|[ ](?:if|or[ ]sooner|sooner)(?!\w)",
    re.IGNORECASE,
)
_DRUG_AFTER = (
    re.compile(rf"(?<!\w)(?:after|on|had){_HERE}", re.IGNORECASE),
    re.compile(rf"[ ](?:of[ ])?{_MEDICINE}(?!\w)", re.IGNORECASE),
)
# ... or when somebody is to be seen or something done again.
_AGAIN_IN = re.compile(
    rf"(?<!\w)(?:(?:{_AGAIN}|check|removal|remove|stop|wean|rehab|recall)"
    r"(?:[ ](?!(?:on|since|from|until|till?|by|dated?|seen|due|was|the|at|to)[ ])"
    r"[^\W\d_][\w&'-]*){0,2}|to[ ]see|bloods|u&es?|fbc|lfts?|hba1c|inr|pt|ot|physio|op[da]|"
    rf"nurse|dns?|hv|(?:clips|sutures|stitches|staples|wires|pop|cast)"
    rf"(?:[ ]to[ ]come)?(?:[ ](?:out|off))?){_HERE}",
    re.IGNORECASE,
)
# What was done or found on that day: "INR 5/7 2.3", "physio 5/7 attended".
_DONE_AFTER = re.compile(
    r"[ ]*(?:[=→>(-]|\d)|[ ,]{1,2}(?:was|were|is|nad|normal|neg(?:ative)?|pos(?:itive)?|show\w*|"
    r"done|taken|sent|ok|high|low|up|down|stable|improv\w*|pending|result\w*|drawn|seen|saw|noted|"
    r"started|stopped|\w{3,}ed)(?!\w)",
    re.IGNORECASE,
)
_AGAIN_AFTER = re.compile(
    r"[ ](?:with|w/|\+)[ ](?:scan|bloods?|results?|bp|ecg|echo|cxr|uss|mri|x-?ray|repeat)(?!\w)",
    re.IGNORECASE,
)

_DAY_BEFORE = re.compile(
    r"(?<!\w)(?:since|from|until|till?|thru|through|by|dated?|seen|due|was|of|wk|week|next|"
    r"mon|tues?|wed|weds|thu|thurs?|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"\.?[ ,(]{1,2}\Z",
    re.IGNORECASE,
)
_ON_BEFORE = re.compile(r"(?<!\w)on[ ]\Z", re.IGNORECASE)
# A time, a weekday, a year, a range or somebody behind it: "R/v 20/12 with son Aravind".
_DAY_AFTER = re.compile(
    r"[ ,]{1,2}(?:at[ ])?(?:\d{4}(?!\d)|\d{1,2}[:.]\d\d|\d{1,2}[ ]?[ap]m(?!\w)|[ap]m(?!\w)|"
    r"(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"(?!\w))|"
    r"[ ]?[-–][ ]?\d|[ ](?:with|by|w/|per|to[ ]see)[ ](?:(?:dr|mr|mrs|ms|miss|prof|son|daughter|"
    r"wife|husband|mum|mother|dad|father)(?!\w)|(?-i:[A-Z][a-z]))|[ ]to[ ]\d|:",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;][ ]")
_HOURS = frozenset({1, 2, 3, 4, 6, 8, 12, 24, 36, 48, 72})
_MONTH_BEFORE = re.compile(r"(?<!\w)(?:in|on|last|next|to|exp\w*)[ :]\Z", re.IGNORECASE)
_IN_2024 = re.compile(r"(?<!\d)(?:2024(?!\d)|\d{1,2}[/.-]\d{1,2}[/.-]24(?!\d))")
_SHORT = re.compile(r"(?<![\w/.])\d{1,2}/(\d{1,2})(?![\d/])")
_OURS = frozenset({"7", "12", "24", "40", "52"})
_MOST_DAYS = 31
_PART_MONTHS = {
    "7": re.compile(
        r"(?<!\w)(?:July?(?!\w)|\d{1,2}[/.-]0?7[/.-](?:20|19)?\d\d(?!\d)|"
        r"(?i:on|since|from|until|till|dated|seen|due|mon|tues?|wed|thurs?|fri|sat|sun)[ ]"
        r"\d{1,2}/0?7(?![\d/]))"
    ),
    "12": re.compile(
        r"(?<!\w)(?:Dec(?:ember)?(?!\w)|\d{1,2}[/.-]12[/.-](?:20|19)?\d\d(?!\d)|"
        r"(?i:on|since|from|until|till|dated|seen|due|mon|tues?|wed|thurs?|fri|sat|sun)[ ]"
        r"\d{1,2}/12(?![\d/]))"
    ),
}


def may_be_spell(mention: str) -> bool:
    """Tell whether a mention has the shape of a spell, wherever it stands."""
    return mention[-1:] in "7240" and _SHAPE.fullmatch(mention) is not None


def is_gestation(text: str, start: int) -> bool:
    """Tell whether weeks and days with child begin at a place: "38 3/7" in "at 38 3/7 by LMP"."""
    told = _WEEKS_AND_DAYS.match(text, start)
    if told is None:
        return False
    before = text[max(0, start - _BESIDE) : start]
    return _GESTATION_AFTER.match(text, told.end()) is not None or (
        _GESTATION_BEFORE.search(before) is not None
    )


def is_spell(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is a spell, or all are that it holds."""
    pairs = list(_PAIR.finditer(text, span.start, span.end))
    return bool(pairs) and all(_is_spell(text, pair) for pair in pairs)


def _is_spell(text: str, pair: re.Match[str]) -> bool:
    part, whole = int(pair[1]), pair[2]
    if whole == "7" and is_gestation(text, max(0, pair.start() - len("38 "))):
        return True
    if part not in _COUNTED[whole] or text[pair.end() : pair.end() + 1] == "/":
        return False
    before = re.split(r"[\r\n]", text[max(0, pair.start() - _AROUND) : pair.start()])[-1]
    after = re.split(r"[\r\n]", text[pair.end() : pair.end() + _AROUND])[0]
    if whole == "40":
        return _is_pregnancy(text, before, after)
    if _tells_alone(text, before, after, whole):
        return True
    if _DAY_BEFORE.search(before) or _DAY_AFTER.match(after) or _has_other(before, after):
        return False
    if whole == "24":
        return _is_hours(text, part, before)
    lasts, again = _lasts(before, after), _comes_again(before, after)
    if not (lasts or again) or not looks_not_american(text):
        return False
    months = _PART_MONTHS.get(whole)
    if months is None or months.search(text) is None:
        return True
    return lasts and part <= _FEW


def _tells_alone(text: str, before: str, after: str, whole: str) -> bool:
    if _ON_BEFORE.search(before) and not _DRUG_AFTER[1].match(after):
        return False
    if _LASTED_AFTER.match(after) or _LASTED_BEFORE.search(before):
        return True
    if whole != "24" and (_EVERY_BEFORE.search(before) or _HISTORY_OF_AFTER.match(after)):
        return True
    if _HISTORY_AFTER.match(after) and before.strip():
        return True
    if _TIMES.search(before):
        return not has_months_first(text)
    if _HISTORY.search(before):
        return _OF_SYMPTOM.match(after) is not None
    if whole != "7":  # a month of that year: "seen in 9/12"
        return False
    return _SOON_BEFORE.search(before) is not None or bool(
        _FOR_THEN[0].search(before) and _FOR_THEN[1].match(after)
    )


def _is_hours(text: str, part: int, before: str) -> bool:
    """Tell whether a pair is hours: only in America is it a day, elsewhere a month of 2024."""
    if part not in _HOURS or _MONTH_BEFORE.search(before) or not looks_not_american(text):
        return False
    return _IN_2024.search(text) is None and not has_months_first(text)


def _is_pregnancy(text: str, before: str, after: str) -> bool:
    if _LASTED_AFTER.match(after):
        return True
    told = _PREGNANT_BEFORE.search(before) or _PREGNANT_AFTER.match(after)
    return told is not None and looks_not_american(text)


def _lasts(before: str, after: str) -> bool:
    """Tell whether something lasted so long, or is to last."""
    if _ON_BEFORE.search(before):
        return _DRUG_AFTER[1].match(after) is not None
    if _LASTS.search(before) or _MEANT_AFTER.match(after):
        return True
    told = _IN.search(before)
    if told is not None:
        return _WAS_IN.fullmatch(told["what"] or "") is None
    told = _FOR.search(before)
    if told is not None:
        return _SET_FOR.fullmatch(told["what"] or "") is None
    return bool(_DRUG_AFTER[0].search(before) and _DRUG_AFTER[1].match(after))


def _comes_again(before: str, after: str) -> bool:
    """Tell whether somebody is to be seen, or something done, after so long."""
    if _ON_BEFORE.search(before) or _DONE_AFTER.match(after):
        return False
    return _AGAIN_IN.search(before) is not None or _AGAIN_AFTER.match(after) is not None


def _has_other(before: str, after: str) -> bool:
    """Tell whether a date stands beside that is of another month: "5/7, again 9/8"."""
    near = (_CLAUSE.split(before[-_BESIDE:])[-1], _CLAUSE.split(after[:_BESIDE])[0])
    return any(
        other[1] not in _OURS and 0 < int(other[1]) <= _MOST_DAYS
        for part in near
        for other in _SHORT.finditer(part)
    )
