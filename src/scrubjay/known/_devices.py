"""Devices, operations and signs that go by a surname, by what is done with them (English).

The listed terms hold "Foley catheter" and "Whipple procedure", and notes say less: "has a Foley",
"Foley to gravity", "s/p Whipple", "RUQ tender, + Murphy". What stands right beside the name tells,
and only what is done with things: where a person can be meant it is one ("Foley removed his IV",
"d/c Foley", "Foley flushed", "Foley in place of Smith").
"""

from __future__ import annotations

import re

from scrubjay.known._results import tells_of_examination

_LISTED_DEVICES = """
    bakri bivona blake blakemore broviac dobbhoff dobhoff foley groshong hickman holter hoyer
    mahurkar malecot ommaya penrose quinton shiley swan tenckhoff
"""
_LISTED_OPERATIONS = """
    altemeier bankart bentall billroth bristow brostrom delorme duhamel fontan girdlestone hartmann
    heller kasai ladd lapidus latarjet lichtenstein milligan nissen norwood puestow ross soave
    syme toupet whipple
"""
_LISTED_SIGNS = """
    apley babinski barlow brudzinski carnett chvostek cullen finkelstein hawkins hoffman hoffmann
    homan homans kehr kernig lachman lasegue mcburney mcmurray murphy neer ober ortolani phalen
    romberg rovsing spurling thompson tinel trousseau
"""

_DEVICES, _OPERATIONS, _SIGNS = (
    frozenset(listed.split()) for listed in (_LISTED_DEVICES, _LISTED_OPERATIONS, _LISTED_SIGNS)
)

_ENDS = r"[ ]*(?:[.,;:)/\r\n]|\Z)"
_WHEN = (
    r"(?:at(?=[ ](?:\d|midnight|noon))|POD|today|tonight|yesterday|tomorrow|overnight|"
    r"this[ ](?:am|pm|morning)|in[ ]am)"
)
_DONE = rf"(?:{_ENDS}|[ ](?:intact(?={_ENDS})|{_WHEN}))"

# Of these many are somebody's name: things are told by what nobody is and goes to.
_OFTEN_NAMES = frozenset(["blake", "blakemore", "hickman", "penrose", "quinton", "swan"])
_OPERATORS = frozenset([
    "bristow", "heller", "ladd", "lapidus", "milligan", "norwood", "ross", "soave", "syme",
])  # fmt: skip
_TO_DRAIN = re.compile(
    rf"[ ]to[ ](?:gravity|dd|bulb|straight[ ]drain|(?:bulb|wall|low|continuous)[ ]suction|"
    rf"suction(?={_ENDS}))(?!\w)",
    re.IGNORECASE,
)
_SIZED_BEFORE = re.compile(r"(?<!\w)(?:\d\d[ ]?Fr(?:ench)?|tunnell?ed)[ ]\Z")

# What is said of a device alone, behind its name.
_DEVICE_AFTER = re.compile(
    rf"""[ ](?:
        in[ ](?:place(?![ ]of(?!\w))|situ)
      | to[ ](?:gravity|dd|suction|bulb|straight[ ]drain|(?:(?:leg|dependent|bedside|down)[ ])?
            (?:bag|drain(?:age)?))
      | draining | drained(?=[ ]\d) | patent | leaking | kinked | clogged | occluded
      | flush(?:es|ed)[ ](?:easily|well) | clamped(?={_ENDS})
      | (?:(?:re)?inserted|removed|discontinued|pulled|exchanged)(?={_DONE})
      | changed(?=[ ]q\d) | secured(?={_ENDS}) | out[ ]POD
      | (?:balloon|output|tubing|insertion|removal|lumens?|waveform)
    )(?!\w)""",
    re.IGNORECASE | re.VERBOSE,
)
# What stands before things, and how it has to go on then. Of a family somebody is "a Foley", too.
_HAVING = (
    r"(?:ha[sd]|have|having|with|w/|needs?|placed?|inserted?|passed|gets?|got|using|through|over|"
    r"for|after|requir(?:es?|ed|ing)|on|failed|and)[ ]an?"
)
_THING_BEFORE = re.compile(
    rf"(?<!\w)(?:{_HAVING}|indwelling|\d\d[ ]?[Ff]r(?:ench)?|[23]-way|tunnell?ed|lumen|[rl]?ij|"
    r"subclavian|femoral)[ ]\Z"
)
_OWNED_BEFORE = re.compile(r"(?<!\w)(?:the|his|her|their|pt's|patient's)[ ]\Z")
_OWNED = re.compile(
    r"[ ](?:is|was|has[ ]been|remains?|came[ ]out|fell[ ]out|in[ ]place|placed|inserted|removed)"
    r"(?!\w)"
)
_GOES_ON = re.compile(
    rf"{_ENDS}|[ ](?:in|to|for|with|w/|w/o|without|and|or|after|at|on|since|x\d|until|till|while|"
    rf"due|because|prn|out|is|was|has[ ]been|remains?|still|draining|came|fell|placed|inserted|"
    rf"removed|again|{_WHEN})(?!\w)",
    re.IGNORECASE,
)
_PULL_BEFORE = re.compile(
    r"(?<!\w)(?:pull(?:ed|ing)?|removed?|removing|(?:re)?insert(?:ed|ing)?|flush|irrigated?|"
    r"clamp(?:ed)?|unclamp|exchanged?)[ ]\Z",
    re.IGNORECASE,
)
_PULLED = re.compile(rf"{_ENDS}|[ ](?:{_WHEN}|in[ ]place|needed)(?!\w)", re.IGNORECASE)
_NO_BEFORE = re.compile(r"(?<!\w)[Nn]o[ ]\Z")
_NONE = re.compile(r",[ ]no[ ]|[ ](?:needed|in[ ]place)(?!\w)")

_GENITIVE = r"(?:['’`]s?)?"
_OPERATION_AFTER = re.compile(
    rf"{_GENITIVE}[ ](?:procedure|operation|take-?down|reversal|pouch|resection|wrap|"
    r"fundoplication|anastomosis|conduit|circulation|palliation|myotomy|stump)(?!\w)",
    re.IGNORECASE,
)
_OPERATED = re.compile(
    r"(?<!\w)(?:[Ss]/[Pp]|status[ ]post|underwent|h/o|hx[ ]of|(?:lap|laparoscopic|robotic|open|"
    rf"prior|previous|redo|failed|elective|emergent|classic|modified|reversal[ ]of)|{_HAVING})"
    r"(?:[ ](?:lap|laparoscopic|robotic|open))?[ ]\Z",
)
_OPERATED_ON = re.compile(
    rf"{_GENITIVE}(?:{_ENDS}|[ ](?:I{{1,3}}|on|in|for|with|w/|c/b|complicated|and|then|\d|x\d|"
    rf"last|{_WHEN})(?!['’a-z]))",
    re.IGNORECASE,
)

_SIGN_BEFORE = re.compile(
    r"(?:(?<!\w)(?:neg(?:ative)?|pos(?:itive)?|[+-]ve|sono(?:graphic)?|equivocal)[ ]|"
    r"(?:(?<=[ ,;(])|\A)[+][ ]?)\Z",
    re.IGNORECASE,
)
_SIGN_ENDS = re.compile(rf"{_GENITIVE}(?:[ ]sign)?(?={_ENDS})", re.IGNORECASE)

_AROUND, _LONGEST, _BEHIND = 28, 12, 40


def thing_term(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where the device, operation or sign begins and ends that `text[start:end]` names.

    None where it is no such surname, or a person may be meant.
    """
    word = text[start:end].lower() if end - start <= _LONGEST else ""
    if word in _DEVICES:
        return _device(text, start, end)
    if word in _OPERATIONS:
        return _operation(text, start, end)
    return _sign(text, start, end) if word in _SIGNS else None


def _device(text: str, start: int, end: int) -> tuple[int, int] | None:
    is_name = text[start:end].lower() in _OFTEN_NAMES
    after = (_TO_DRAIN if is_name else _DEVICE_AFTER).match(text, end, end + _BEHIND)
    if after is not None:
        return start, after.end()
    before = text[max(0, start - _AROUND) : start]
    if is_name:
        told = _SIZED_BEFORE.search(before)
        if told is None or not _GOES_ON.match(text, end):
            return None
        return start - len(told[0]), end
    for cue, goes_on in (
        (_THING_BEFORE, _GOES_ON),
        (_OWNED_BEFORE, _OWNED),
        (_PULL_BEFORE, _PULLED),
        (_NO_BEFORE, _NONE),
    ):
        told = cue.search(before)
        if told is not None:
            return (start - len(told[0]), end) if goes_on.match(text, end) else None
    return None


def _operation(text: str, start: int, end: int) -> tuple[int, int] | None:
    after = _OPERATION_AFTER.match(text, end, end + _BEHIND)
    if after is not None:
        return start, after.end()
    told = _OPERATED.search(text[max(0, start - _AROUND) : start])
    if told is None or text[start:end].lower() in _OPERATORS:
        return None
    goes_on = _OPERATED_ON.match(text, end)
    return None if goes_on is None else (start - len(told[0]), end)


def _sign(text: str, start: int, end: int) -> tuple[int, int] | None:
    told = _SIGN_BEFORE.search(text[max(0, start - _AROUND) : start])
    goes_on = None if told is None else _SIGN_ENDS.match(text, end)
    if told is None or goes_on is None:
        return None
    begin = start - len(told[0])
    return (begin, goes_on.end()) if tells_of_examination(text, begin, goes_on.end()) else None
