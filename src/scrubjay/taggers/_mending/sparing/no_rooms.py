"""What has a number and is no room: "raam op stand 2", "RASS -4", "groep 6, basisschool" (Dutch).

Nor is the head of a column ("kmr"), a stage of the kidneys ("G3bA2"), an urgency behind "triage",
and a piece of the spine ("incompleet C6").

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
    r"neglect|ascal|h&y|k-bad|nse|flow|dosis|vraag|opdracht|bijlage|cyclus|kuur|graad|score|urgentie|"
    r"formulier|leerling|mbo|cluster|levensdag|alvarado|casus|element|item|leerjaar|ronde|sessie"
)
_THING = re.compile(rf"(?:{_THINGS})[ ]-?\d{{1,3}}[a-z]?", re.IGNORECASE)
_GROUP = re.compile(r"[Gg]roep[ ](?:[1-8]|(?P<letter>[A-E]))")
_HOME = re.compile(r"(?:zieken)?huis[ ](?:[01]?\d|2[0-3])[.:][0-5]\d")
_SOME_ROOM = re.compile(r"(?:kamer|zaal)[ ]\d{1,2}")
_COUNTED = re.compile(r"de[ ]\d{1,3}")

_HEAD = frozenset(["kmr", "kamer", "kamernr", "kamernummer", "bed"])
"""In small letters: without a number they tell of no room, as heads of a column do."""
_KIDNEY = re.compile(r"G[1-5][ab]?[ /]?A[1-3]")
_CULTURE = re.compile(r"kweek[ ]\d", re.IGNORECASE)
_TREATED = re.compile(r"(?:fysio\w*|ergo\w*|logopedie|oefentherapie)[ ]\d{1,2}", re.IGNORECASE)
_TREATMENTS = re.compile(r"[ ](?:behandelingen|sessies|zittingen|keer|x)(?!\w)")
_URGENCY = re.compile(r"U[0-5]")
_TRIAGE = re.compile(r"(?<!\w)(?:nts|triage|urgentie)(?!\w)[^\n]{0,24}\Z", re.IGNORECASE)
_SPINE = re.compile(r"[CTL]\d{1,2}")
_CORD = re.compile(r"(?:(?<!\w)(?:in)?compleet|\w*laesie)[ ](?:op[ ])?\Z", re.IGNORECASE)
_AIS = re.compile(r"[ ](?:AIS|ASIA)[ ][A-E]")

_CLASS_BEFORE = re.compile(
    r"(?:(?<!\w)(?:contactmoment|leerkracht|rijbewijs|rijden:|geschikt[ ]voor|rijgeschiktheid|"
    r"geschikt|goedgekeurd|onder|sinds|vanaf|eind|begin|gepest[ ]in|leerling|blijven[ ]zitten[ ]in|"
    r"(?:school|obs|kbs|cbs)[ ][^,\n]{2,24},)|"
    r"\d[ ]?(?:jaar|jr|j),|\d;\d{1,2}\)?,)[ ]\Z",
    re.IGNORECASE,
)
_CLASS_AFTER = re.compile(
    r"(?:,|[ ]van|[ ]op|[ ]bij)?[ ](?:(?:de|het|zijn|haar)[ ])?(?:\w+[ ])?\w*(?:school|onderwijs)|"
    r",[ ](?:obs|kbs|cbs)[ ][A-Z]|"
    r"[ ]rijbewijs",
    re.IGNORECASE,
)
_KIND_BEFORE = re.compile(
    r"(?:streptokok\w{0,6}|strept\.?|gold[ ]\d,?|hemolytisch\w{0,3}|bloed|hepatitis)[ ]\Z",
    re.IGNORECASE,
)
_OF_A_NUMBER = re.compile(r"\d[ ]van[ ]\Z")
_FOR_PERSONS = re.compile(r"-?[ ]?(?:persoons|pers\b|°)")


_SHAPES = (
    _THING, _GROUP, _HOME, _SOME_ROOM, _COUNTED, _KIDNEY, _CULTURE, _TREATED, _URGENCY, _SPINE,
)  # fmt: skip


def may_be_no_room(mention: str) -> bool:
    """Tell whether a mention has the shape of such a thing, wherever it stands."""
    return mention.lower() in _HEAD or any(shape.fullmatch(mention) for shape in _SHAPES)


def is_no_room(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is no room."""
    mention, end = text[span.start : span.end], span.end
    before = text[max(0, span.start - _AROUND) : span.start]
    if any(shape.fullmatch(mention) for shape in (_THING, _HOME, _KIDNEY, _CULTURE)):
        return True
    if mention.lower() in _HEAD:
        return re.match(r"[ .:]{0,2}\d", text[end : end + 3]) is None
    if _TREATED.fullmatch(mention):
        return _TREATMENTS.match(text, end) is not None
    if _URGENCY.fullmatch(mention):
        return _TRIAGE.search(before) is not None
    if _SPINE.fullmatch(mention):
        return _CORD.search(before) is not None or _AIS.match(text, end) is not None
    if _SOME_ROOM.fullmatch(mention):
        return _FOR_PERSONS.match(text, end) is not None
    if _COUNTED.fullmatch(mention):
        return _OF_A_NUMBER.search(before) is not None
    group = _GROUP.fullmatch(mention)
    if group is not None and group["letter"]:
        return _KIND_BEFORE.search(before) is not None
    return _CLASS_BEFORE.search(before) is not None or _CLASS_AFTER.match(text, end) is not None
