"""What has a number and is no room: "raam op stand 2", "RASS -4", "groep 6, basisschool" (Dutch).

Some things with a number are no place wherever they stand. A group is a class of a school or of a
driving licence, or a kind, where what stands beside it tells; a home and a room are none where a
time or persons follow ("naar huis 15.30", "kamer 1-persoons").
"""

from __future__ import annotations

import re

from scrubjay.document import Span

ROOMS = frozenset({"INTERNAL_LOCATION"})
_AROUND = 40

_THINGS = (
    r"stand|maand|tweeling|batterij|shift|vervolgvel|huidtype|stemvork|lastmeter|rass|sara|nsaa|kujala|"
    r"neglect|ascal|h&y|k-bad|nse|flow|dosis|vraag|opdracht|bijlage|cyclus|kuur|graad|score|urgentie"
)
_THING = re.compile(rf"(?:{_THINGS})[ ]-?\d{{1,3}}[a-z]?", re.IGNORECASE)
_GROUP = re.compile(r"[Gg]roep[ ](?:[1-8]|(?P<letter>[A-E]))")
_HOME = re.compile(r"(?:zieken)?huis[ ](?:[01]?\d|2[0-3])[.:][0-5]\d")
_SOME_ROOM = re.compile(r"(?:kamer|zaal)[ ]\d{1,2}")
_COUNTED = re.compile(r"de[ ]\d{1,3}")

_CLASS_BEFORE = re.compile(
    r"(?:(?<!\w)(?:contactmoment|leerkracht|rijbewijs|rijden:|geschikt[ ]voor)|"
    r"\d[ ]?(?:jaar|jr|j),|\d;\d{1,2}\)?,)[ ]\Z",
    re.IGNORECASE,
)
_CLASS_AFTER = re.compile(
    r"(?:,|[ ]van|[ ]op|[ ]bij)?[ ](?:(?:de|het|zijn|haar)[ ])?(?:\w+[ ])?\w*(?:school|onderwijs)|"
    r"[ ]rijbewijs",
    re.IGNORECASE,
)
_KIND_BEFORE = re.compile(
    r"(?:streptokok\w{0,6}|strept\.?|gold[ ]\d,?|hemolytisch\w{0,3}|bloed|hepatitis)[ ]\Z",
    re.IGNORECASE,
)
_OF_A_NUMBER = re.compile(r"\d[ ]van[ ]\Z")
_FOR_PERSONS = re.compile(r"-?[ ]?(?:persoons|pers\b|°)")


def may_be_no_room(mention: str) -> bool:
    """Tell whether a mention has the shape of such a thing, wherever it stands."""
    return any(
        shape.fullmatch(mention) is not None
        for shape in (_THING, _GROUP, _HOME, _SOME_ROOM, _COUNTED)
    )


def is_no_room(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is no room."""
    mention, end = text[span.start : span.end], span.end
    before = text[max(0, span.start - _AROUND) : span.start]
    if _THING.fullmatch(mention) or _HOME.fullmatch(mention):
        return True
    if _SOME_ROOM.fullmatch(mention):
        return _FOR_PERSONS.match(text, end) is not None
    if _COUNTED.fullmatch(mention):
        return _OF_A_NUMBER.search(before) is not None
    group = _GROUP.fullmatch(mention)
    if group is not None and group["letter"]:
        return _KIND_BEFORE.search(before) is not None
    return _CLASS_BEFORE.search(before) is not None or _CLASS_AFTER.match(text, end) is not None
