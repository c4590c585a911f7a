"""Four figures that are no year: "UOP 1980 / 24 h", "needs 1900-2050 kcal", "2015 given Tylenol".

What some tests find has the size of a year, and stands behind what was found before ("CK 4500 ->
2011", but "Ferritin 18 (from 2019)" tells when). An amount has the shape of a year, and so has a
time of the clock from 19:00 to 20:59. A unit tells of an amount, "at" of a time, and other times of
the log that are later and earlier, one of them being no year: "1945 meds given. 2050 linen changed.
2130 asleep" (English).
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_AROUND, _LOG = 40, 200
"""Characters on each side that are looked at, and in which other times of a log stand."""

_SHAPE = re.compile(r"(?:19|20)\d\d")
_TWO = re.compile(r"(?:19|20)\d\d/(?:19|20)\d\d")
_IN_AND_OUT = re.compile(r"(?<!\w)(?:I/?Os?|[iI]n/[oO]ut)[ ]?[:=]?[ ]\Z")
_UNIT = re.compile(
    r"(?:[ ]?[-–][ ]?\d{4}|[ ]to[ ]\d{4})?[ ]?(?:kcals?|m[lL]|cc|mls|mcg|mg|gm?|cGy|ng|pg|[hH]z)"
    r"(?![\w'’])|[ ]?/[ ]?(?:24[ ]?h|day|d|shift)(?!\w)"
)
_COUNTED = re.compile(r"[ ](?:cals?|calories|kilocalories|steps|units|rads|ft|feet)(?!\w)")
_TO_TOP = re.compile(r"(?<![\w/-])\d{4}[ ]?[-–][ ]?\Z")
_TOP_UNIT = re.compile(r"[ ]?(?:k?cals?|calories|m[lL]|cc|mls|mg|gm?|steps|cGy)(?![\w'’])")
_AMOUNT = re.compile(
    r"(?<!\w)(?:uop|u/o|urine[ ]output|calories|kcals?|step[ ]count|fluids|free[ ]water|"
    r"(?:drain|tube|jp|ostomy|stoma|ngt?)[ ]output|birth[ ]?(?:wt|weight)|ck|cpk|ldh|bnp|"
    r"net[ ][-+−]|uf(?:[ ]goal)?)[ ]?(?:of|was|is|:|=|~)?[ ]?\Z",
    re.IGNORECASE,
)
_GOES_ON_AMOUNT = re.compile(r"[ ]?(?:[.,;/)\r\n]|\Z|total(?!\w))")

# What some tests find, and how it went on.
_ASSAY = (
    r"(?:ferritin|(?:vit(?:amin|\.)?[ ])?b-?12|ck|cpk|ldh|(?:nt-?)?(?:pro-?)?bnp|d-?dimer|lipase|"
    r"amylase|(?:hs-?)?trop(?:onin)?(?:[ -]?[it])?|alt|ast|alp|ggt|ig[ge]|ca-?125|afp|b?-?hcg|"
    r"trigs?|triglycerides|tgs?)"
)
_WENT_ON = re.compile(
    rf"(?<![\w-]){_ASSAY}[ ]?[:=]?[ ](?P<value>\d{{3,5}})[ ]?(?:(?:-+>|→)[ ]?|"
    r"[(,]?[ ]?(?P<way>down|up)[ ]from[ ])\Z",
    re.IGNORECASE,
)
_WENT_ON_BEHIND = re.compile(r"[ ]?(?:[,;)\r\n]|\.(?!\d)|-+>|→|\Z)")
_LEAST_BEFORE, _MOST_BEFORE = 500, 20_000
"""Values before one of the size of a year, between which that is of the same size."""

_TIME = r"(?:[01]\d|2[0-3])[0-5]\d"
_CLOCK = re.compile(rf"(?<![\w./-]){_TIME}(?![\w/-]|\.\d|[ ]?(?:ml|cc|kcal|mg|g|cal)\b)")
_EVENING = re.compile(r"(?:19|20)[0-5]\d")
# Something happened at that time, of which no year would be told so: "given at 2010".
_CLOCKED = re.compile(
    r"(?<!\w)(?:time[ ](?:seen|in|out|called|of[ ]death):?|(?-i:Time|TIME):)[ ]{1,2}\Z",
    re.IGNORECASE,
)
_AT = re.compile(r"(?<!\w)(?:(?<!put[ ])(?<!set[ ])(?<!born[ ])at|@)[ ]\Z", re.IGNORECASE)
_HAPPENED = re.compile(
    r"(?<!\w)(?:(?!retired|dated|estimated|projected|valued|diagnosed|married|graduated|moved|"
    r"operated|immigrated|emigrated)\w{3,}ed|given|seen|done|sent|drawn|taken|x\d|"
    r"found|fell|rn|pt|dose|again|bed|bedside|rounds|tylenol|meds)"
    r"[ ](?:at|@)[ ]\Z",
    re.IGNORECASE,
)
# What happens once, on a day or in a year: "seen at 2010 visit".
_ONCE = re.compile(
    r"[ ](?!(?:by|with|and|in|on|for|per|to|after|before|w/|via|from)[ ])(?:\w+[ ])?"
    r"(?:visit|appt|appointment|admission|admit|hospitali[sz]ation|stay|screen(?:ing)?|physical|"
    r"exam|eval(?:uation)?|consult|clinic|colo(?:noscopy)?|scope|egd|endoscopy|echo|cath|ct|mri|"
    r"pet|scan|us|ultrasound|mammo(?:gram)?|dexa|stress|biopsy|bx|surgery|procedure|operation|"
    r"autopsy|cystoscopy|bronch(?:oscopy)?|delivery|census|reunion)(?!\w)",
    re.IGNORECASE,
)
_COLON = re.compile(r"(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?!\d)")
_HOURS = re.compile(r"[ ]?(?:hrs?|hours?|h)(?!\w)", re.IGNORECASE)
_BEGINS = re.compile(r"(?:\A|[\r\n][ \t•*-]*|[.;,)][ ]{1,2})\Z")
_GOES_ON = re.compile(r"[ ]?[:–-]?[ ](?=[^\W\d_])")
# What is told of a year: "2005 CABG", "MI 1998", and a date with one.
_OF_YEAR = re.compile(
    r"(?<!\w)(?:in|since|until|till?|circa|from|year|summer|winter|fall|spring|"
    r"jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sept?\w*|oct\w*|nov\w*|dec\w*)"
    r"[ .,]{1,2}\Z|\d,?[ ]\Z|[/.-]\Z",
    re.IGNORECASE,
)


def may_be_no_year(mention: str) -> bool:
    """Tell whether a mention has the shape of a year, wherever it stands."""
    return _SHAPE.fullmatch(mention) is not None or _TWO.fullmatch(mention) is not None


def is_no_year(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is an amount or a time of the clock."""
    start, end = span.start, span.end
    before = text[max(0, start - _AROUND) : start]
    if _TWO.fullmatch(text, start, end):
        return _IN_AND_OUT.search(before) is not None
    if _UNIT.match(text, end) or (_COUNTED.match(text, end) and not _OF_YEAR.search(before)):
        return True
    if _TO_TOP.search(before) and _TOP_UNIT.match(text, end):
        return True
    if _AMOUNT.search(before) and _GOES_ON_AMOUNT.match(text, end):
        return True
    if _is_found(text, start, end, before):
        return True
    if _EVENING.fullmatch(text, start, end) is None or _OF_YEAR.search(before):
        return False
    if _HOURS.match(text, end) or _CLOCKED.search(before):
        return True
    if _HAPPENED.search(before):
        return _ONCE.match(text, end) is None
    if _AT.search(before):
        near = text[max(0, start - _LOG) : end + _LOG]
        times = [time[0] for time in _CLOCK.finditer(near)]
        return bool(_COLON.search(near)) or not all(map(_SHAPE.fullmatch, times))
    return _is_of_log(text, start, end)


def _is_found(text: str, start: int, end: int, before: str) -> bool:
    """Tell whether four figures are what a test found after or before another value of their size.

    What something is up from is less, and what it is down from more.
    """
    if before[-1:] not in " >→" or not _WENT_ON_BEHIND.match(text, end):
        return False
    went_on = _WENT_ON.search(before)
    if went_on is None:
        return False
    value, other, way = int(went_on["value"]), int(text[start:end]), (went_on["way"] or "").lower()
    if way:
        value, other = (value, other) if way == "down" else (other, value)
        return _LEAST_BEFORE <= value < other
    return _LEAST_BEFORE <= value <= _MOST_BEFORE


def _is_of_log(text: str, start: int, end: int) -> bool:
    """Tell whether a time stands among others of a log, with words behind it.

    The time before it is no later and that behind it no earlier, and one of the two is no year.
    """
    floor = max(0, start - _LOG)
    if not _BEGINS.search(text, max(0, start - 8), start) or not _GOES_ON.match(text, end):
        return False
    own = text[start:end]
    above = [time[0] for time in _CLOCK.finditer(text, floor, start)]
    below = [time[0] for time in _CLOCK.finditer(text, end, end + _LOG)]
    near = [*above[-1:], *below[:1]]
    if not any(not _SHAPE.fullmatch(time) for time in above[-3:] + below[:3]):
        return False
    return bool(near) and [*above[-1:], own, *below[:1]] == sorted([*above[-1:], own, *below[:1]])
