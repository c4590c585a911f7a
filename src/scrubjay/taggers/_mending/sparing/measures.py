"""Measures that a tagger takes for ages: sizes, depths, heat, spells of time, hours (English).

"16F Foley" and "T 101F" have the shape of "46F smoker", "MRI at 6 months" and "the bus stops at 8"
that of "walked at 14 months" and "orphaned at 8", and "worked 30 y as" that of "was 30 y". The
words beside them tell what they are.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.spells import is_gestation

_AROUND = 40
"""Characters on each side of a span that are looked at."""

_THICKEST, _COMMON, _THIN, _GROWN = 40, 30, 15, 18
"""The largest sizes in French of drains of the chest, of most tubes, and of stents and the like:
what is more is an age. From the last on somebody may be told of before a tube of theirs."""

_UNIT = re.compile(r"[ \t]?F(?P<french>r\b\.?|rench\b)?(?![\w/'’-])")

# Where it goes and of what kind it is, between the size and the tube.
_KIND = (
    r"(?:r|l|rt|lt|right|left|bilat|bilateral|coud[eé]|straight|silicone|latex|council|temp|"
    r"tunnell?ed|double|single|triple|dual|dl|sl|tl|[23]|two|three|way|lumen|fem|femoral|radial|"
    r"ij|cfa|cfv|art|arterial|venous|ant|anterior|apical|red|rubber|chest|thoracostomy|internal|"
    r"external|ureteral|suprapubic|guiding|guide|pediatric|feeding|balloon|indwelling|urinary)"
)
_TUBE = (
    r"(?:foleys?|cath(?:eter)?s?|(?:glide)?sheaths?|tubes?(?![ -]fe)|"
    r"drains?(?![ ](?:her|his|their|own|from|well)\b)|picc|midline|stents?|"
    r"(?-i:p|P(?=E))e[gj](?:-[jt])?|[gj]j?-?tubes?|jps?|blakes?|mic-?key|dobb?h?off|dht|[no]gt|pigtails?|"
    r"malecot|3-way|three-way|coud[eé]|dlt|ett|robertshaw|hickman|broviac|groshong|mahurkar|"
    r"permcath|quinton|trialysis|vascath|introducers?|dilators?|trocars?|resectoscope|cystoscope|"
    r"ureteroscope|nephrostomy|pcnu?|sp[tc]|angio-?seal|impella|iabp|cannulae?|slender|"
    r"micropuncture|glide(?:cath)?|tlc|u[va]c|ct(?=[ ](?:[lr]|placed|x)(?!\w)))"
)
_BEFORE_TUBE = re.compile(
    rf"(?:[ \t]+{_KIND}\b[/-]?){{0,3}}[ \t-]+{_TUBE}(?!\w)|[ \t]+x[ \t]?\d+[ \t]?cm(?!\w)",
    re.IGNORECASE,
)
_AFTER_TUBE = re.compile(
    rf"(?<!\w)(?:{_TUBE}|r(?:ight|t)?\.?[ ]rad(?:ial)?|l(?:eft|t)?\.?[ ]rad(?:ial)?|[rl][rf]a|"
    rf"cf[av]|(?:up|down)sized?(?:[ ]to)?|size|3-way|ct(?:[ ]x[ ]?\d)?)"
    rf"(?:[ \t]+{_KIND})?[ \t:,(#-]{{1,3}}\Z",
    re.IGNORECASE,
)

_WIDE = re.compile(
    r"chest|thorac|(?<!\w)ct(?!\w)|dlt|robertshaw|ett|drain|tube|blake|malecot|dilator|size|french|"
    r"impella|iabp|introducer|scope|sheath|foleys?[ ]x",
    re.IGNORECASE,
)
_SLENDER = re.compile(
    r"stent|picc|midline|micropuncture|x[ \t]?\d|rad|cf[av]|[rl][rf]a", re.IGNORECASE
)
_TOLD_OF = re.compile(
    r"(?:\A|[\n\r][ \t]*|(?<!\w)(?:pt|patient|she|this|hpi|cc|id|is|was)(?:[ ]is)?:?[ ]{1,2}"
    r"(?:an?[ ])?)\Z",
    re.IGNORECASE,
)
_TOLD_AFTER = re.compile(
    r"[ ]{1,2}(?:with|w/|who|whose|s/p|c/o|p/w|h/o|hx|presents?|presenting|here|admitted|is|has|"
    r"had|lives|pain|cough|neg|for)(?![^\W\d_])",
    re.IGNORECASE,
)

# How deep a tube lies, in cm.
_DEPTH = re.compile(
    r"(?<!\w)(?:ett|et[ ]tube|[no]gt|[no]g[ ]tube|dht|dobb?hoff|corpak|keofeed|feeding[ ]tube|picc|"
    r"midline|swan|pa[ ]cath|cvc|tlc|evd|nj[ ]?t?)"
    r"(?:[ ]\d\.\d|[ ]tube|[ ]secured|[ ]taped)?[ ](?:at|@)[ ]?\Z",
    re.IGNORECASE,
)
_DEEPEST = 85

# What is done, or how a disease is, so many months after another day, and no age.
_DONE_AT = re.compile(
    r"(?<!\w)(?:follow-?[ ]?up|f/?u|rv|r/v|review|re-?check|re-?test|repeat|mri|ct|cta|mra|pet|egd|"
    r"emg|dexa|dxa|colonoscopy|cysto(?:scopy)?|mammo(?:gram)?|scan|imaging|us|uss|ultrasound|"
    r"x-?rays?|xr|cxr|labs?|bloods|visit|ned|surveillance|titration|injection|clinic|"
    r"appointment|appt|next|stable|recurrence|restaging|remission)"
    r"[ ](?:(?:is|due|again|here|done|scheduled)[ ])?(?:at|@)[ ]\Z",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"(?:[ ](?:and|to|or)[ ]\d{1,2}|[ ]?-[ ]?\d{1,2})?[ -]?(?:mos?|months?|wks?|weeks)(?![\w/])"
    r"(?![ ](?:old|of[ ]age|corr))",
    re.IGNORECASE,
)
# How long somebody did something, or was with child: "worked 30 y as", "61 d clean", "34w G1".
_UNIT_OF_TIME = r"[ ]?(?:y|yrs?|years?|mos?|months?|wks?|weeks|w|d|days)"
_DID = re.compile(
    r"(?<!\w)(?:worked|works|working|employed|taught|drove|served|smoked|"
    r"farmed|mined|h/o|hx[ ]of|history[ ]of)[ ](?:(?:for|about|over|almost|nearly)[ ])?"
    r"[x~]?\Z",
    re.IGNORECASE,
)
_SO_LONG = re.compile(
    rf"{_UNIT_OF_TIME}(?!\w)(?![ ,]*(?:old|o|[fm]|(?:fe)?male|"
    r"(?:wo)?man|girl|boy|lady|gentleman)(?!\w))",
    re.IGNORECASE,
)
_LASTED = re.compile(
    rf"{_UNIT_OF_TIME}[ ](?:clean|sober|abstinent|ago|later|prior|post|duration|of[ ](?:education|"
    r"schooling|school|sobriety|experience|service|practice|marriage|treatment|therapy))(?!\w)|"
    r"[ -]beats?(?:/min|[ ](?:runs?|of|n?svt|vt|per|a)(?!\w))",
    re.IGNORECASE,
)
_GRAVIDA = re.compile(r"(?<!\w)G\d{1,2}[ ]?P\d[\d-]*[ ](?:at|@)[ ]\Z", re.IGNORECASE)
_WEEKS = re.compile(r"(?:[ ]?\+[ ]?\d|[ ]\d/7)?[ ]?(?:wk?s?|weeks)(?!\w)(?![ ]old)", re.IGNORECASE)
_WEEKS_GRAVIDA = re.compile(r"[ ]?wk?s?[ ]G\d")
# What happens at an hour: "the bus stops at 8", "will see her at 4 instead".
_BY_THE_CLOCK = re.compile(
    r"(?<!\w)(?:(?:bus|van|ride|taxi|train|shift|mass|lunch|dinner|supper|breakfast|break|rounds|"
    r"meeting|pick-?[ ]?up|curfew)(?:[ ](?:is|comes|leaves|stops|starts|ends|arrives))?|"
    r"(?:stops|opens|closes|look(?:s|ed)?[ ]in|(?:came|come|comes|got|gets|get|be|was|is)[ ]"
    r"(?:home|back|by)|for[ ]work(?:[ ](?:at|in)(?:[ ][\w'’&.-]+){1,4}?)?|"
    r"wakes(?:[ ]up)?|call(?:s|ed)?[ ]back))[ ](?:at|about|around|by|@)[ ]\Z",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[.,;)\r\n]|\Z|[ ](?:instead|tonight|tomorrow|today|sharp|then|if|so|but)(?!\w)"
)
_INSTEAD = re.compile(r"[ ]instead(?!\w|[ ]of(?!\w))")
_LAST_HOUR = 12

# So many million to the ml, of what is counted: "SA: 22M/ml", but "72M/L hip fracture".
_MILLIONS = re.compile(r"M/m?[lL](?!\w)")
_ASSAY = re.compile(
    r"(?<!\w)(?:(?-i:SA)|semen|sperm|conc(?:entration)?|counts?)[.:=~]?[ ]?(?:(?:of|is|was)[ ])?\Z",
    re.IGNORECASE,
)

_COLDEST, _WARMEST = 90, 112
_BEFORE_WARMTH = re.compile(
    r"(?<!\w)(?:(?:t|tm|tmax|temps?)\.?|temperature|fevers?|febrile)[ \t:=~@-]*"
    r"(?:(?:is|was|of|to|at|up)[ \t]+){0,2}\Z",
    re.IGNORECASE,
)
_BEFORE_ROOM = re.compile(
    r"(?<!\w)(?:kept|set|fridge|freezer|ambient|thermostat|heater|core|indoors?|outdoors?)"
    r"(?:[ ]temp)?[ :]*(?:(?:is|was|at|to)[ ]+)?\Z",
    re.IGNORECASE,
)
_AFTER_WARMTH = re.compile(
    r"[ \t]+(?:ax|axillary|oral|orally|rectal|rectally|tympanic|temporal)(?!\w)", re.IGNORECASE
)


def may_be_measure(mention: str) -> bool:
    """Tell whether an age is a number of up to three digits, wherever it stands."""
    return mention.isascii() and mention.isdecimal() and len(mention) < 4


def is_measure(text: str, span: Span) -> bool:
    """Tell whether a number is a size, a depth, a temperature, an hour, or how long something was.

    A size is of at most 40 French, and a tube stands beside it.
    """
    if text.endswith(("at ", "@ ", "@"), 0, span.start):
        before = text[max(0, span.start - _AROUND) : span.start]
        if int(text[span.start : span.end]) <= _DEEPEST and _DEPTH.search(before):
            return True
        if _DONE_AT.search(before) and _LATER.match(text, span.end):
            return True
    if _is_hour(text, span) or _is_long(text, span):
        return True
    if _MILLIONS.match(text, span.end):
        return _ASSAY.search(text, max(0, span.start - _AROUND), span.start) is not None
    if "F" not in text[span.end : span.end + 2]:
        return False
    number, unit = text[span.start : span.end], _UNIT.match(text, span.end)
    if unit is None:
        return False
    before = text[max(0, span.start - _AROUND) : span.start]
    after = text[unit.end() : unit.end() + _AROUND]
    if _BEFORE_ROOM.search(before):
        return True
    if int(number) <= _THICKEST:
        return bool(unit["french"]) or _is_size(int(number), before, after)
    if _COLDEST <= int(number) <= _WARMEST:
        return bool(_BEFORE_WARMTH.search(before) or _AFTER_WARMTH.match(after))
    return False


def _is_long(text: str, span: Span) -> bool:
    """Tell whether a number is how long something lasted."""
    if is_gestation(text, span.start):
        return True
    if _LASTED.match(text, span.end) or _WEEKS_GRAVIDA.match(text, span.end):
        return True
    before = text[max(0, span.start - _AROUND) : span.start]
    if _SO_LONG.match(text, span.end) and _DID.search(before):
        return True
    return _WEEKS.match(text, span.end) is not None and _GRAVIDA.search(before) is not None


def _is_hour(text: str, span: Span) -> bool:
    """Tell whether a number up to 12 is an hour at which something happens."""
    if span.end - span.start > 2 or not 0 < int(text[span.start : span.end]) <= _LAST_HOUR:
        return False
    before = text[max(0, span.start - _AROUND) : span.start]
    if before.endswith(" at ") and _INSTEAD.match(text, span.end):
        return True
    return _BY_THE_CLOCK.search(before) is not None and _ENDS.match(text, span.end) is not None


def _is_size(number: int, before: str, after: str) -> bool:
    """Tell whether a number beside a tube is the size of it, and not the age of who has it."""
    told = _BEFORE_TUBE.match(after)
    if told is not None:
        if number >= _GROWN and _TOLD_OF.search(before) and not _WIDE.search(told[0]):
            return False
    else:
        told = _AFTER_TUBE.search(before)
        if told is None or (number >= _GROWN and _TOLD_AFTER.match(after)):
            return False
    if _WIDE.search(told[0]):
        return True
    return number <= (_THIN if _SLENDER.search(told[0]) else _COMMON)
