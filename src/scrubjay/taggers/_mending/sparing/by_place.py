"""What is called by a place or a people names no place: "Texas cattle fever", "Irish wolfhound".

A word in small letters right behind it tells: a fever, a scale, a plant, a dog. Only a closed list
of such words does, and none behind what a place stands after: "moved to Texas; fever", "in Texas
fever began". A hospital or a person is spared so only where a model doubts, before words that
nobody's are: "King's College criteria", but "Smith test" and "Mercy protocol" may be theirs
(English).
"""

from __future__ import annotations

import re

from scrubjay.document import Span

PLACES = frozenset({"COUNTRY", "STATE", "CITY", "LOCATION-OTHER"})
"""Labels of places, spared however sure a model is."""
DOUBTED = frozenset({"HOSPITAL", "ORGANIZATION"})
_DOUBT = 0.9
_AROUND, _LONGEST = 32, 24

_MENTION = re.compile(r"[A-Z][^\W\d_]+(?:[ -][A-Z][^\W\d_]+)?")
_GERM = (
    r"(?:(?:ha?emorrhagic|spotted|tick|cattle|relapsing|river|valley|equine|horse)[ ]){0,2}"
    r"(?:fever|virus|encephalitis|encephalomyelitis|typhus|scabies|flu|measles|hantavirus)"
)
_SCALE = (
    r"(?:(?:clinical|bowel|sleep|pain|stroke|coma|depression|anxiety|neuropathy|ankle|knee|wrist|"
    r"hip|bleeding|airway|frailty|scoring|screening|activity|severity)[ ]){0,2}"
    r"(?:criteria|classification|scale|questionnaire|inventory|nomogram|score)"
)
_THING = (
    r"braces?|collar|pouch|nuts?(?![ ]house)|balsam|ginseng|moss|sprouts|chard|wolfhounds?|"
    r"shepherds?|terriers?|bulldogs?|retrievers?|spaniels?|mastiffs?|setters?|sheepdogs?|"
    r"(?:wandering[ ])?spiders?|massages?|stim(?:ulation)?|delight|muffins?|hemoglobin|"
    r"lime[ ]dermatitis|lift|shirt|heels"
)
_CALLED = re.compile(rf"[ ](?:{_GERM}|{_SCALE}|{_THING})(?![\w'’-])")
_CALLED_BY_ANY = re.compile(rf"[ ](?:{_GERM}|criteria|classification|questionnaire)(?![\w'’-])")
_NAMED_TEST = re.compile(
    r"[ ](?:Verbal[ ]Learning|Card[ ]Sort\w*|Multiphasic|Neuropathy[ ]S|Living[ ]With|"
    r"Cardiomyopathy[ ]Q|Angina[ ]Q|Sleep[ ]Quality|Naming[ ]Test|Coma[ ]S|Stroke[ ]Scale)"
)
_VARIANT = re.compile(
    r"(?<!\w)(?:(?:ha?emoglobin|hb|antithrombin|prothrombin|fibrinogen|factor[ ]v|balsam[ ]of)[ ]"
    r"(?:[A-Z]\w+(?:,|[ ]and|[ ]or)[ ](?:ha?emoglobin|hb)[ ])?)\Z",
    re.IGNORECASE,
)
# What a place stands after, of somebody who was or is there, or is from there.
_THERE = re.compile(
    r"(?<!\w)(?:in|from|near|at|via|through|around|outside|across|visit(?:ed|ing)?|left|leaving|"
    r"lives?|moved(?:[ ]to)?|trip(?:[ ]to)?|travel\w*(?:[ ]to)?|born|is|was|speaks?|"
    r"university|hospital|clinic)"
    r"(?:[ ](?:the|western|eastern|northern|southern|north|south|east|west|rural))?[ ]\Z",
    re.IGNORECASE,
)
_MAYBE_THERE = re.compile(r"(?<!\w)(?:to|of|by|with)[ ]\Z", re.IGNORECASE)
_SURELY_CALLED = frozenset(["encephalitis", "typhus", "scabies", "hantavirus", "criteria"])
_IN_ADDRESS = re.compile(r",[ ]?\Z")
_OF_GROUP = re.compile(r"(?<!\w)(?:by|per|of|from|with|meets?|met)[ ](?:the[ ])?\Z", re.IGNORECASE)
_SCALED = re.compile(rf"[ ]{_SCALE}(?![\w'’-])")


def may_be_by_place(mention: str, label: str) -> bool:
    """Tell whether a mention may name what is called by a place, wherever it stands."""
    return (
        len(mention) <= _LONGEST
        and not mention.isupper()
        and (
            _MENTION.fullmatch(mention) is not None
            or (label in DOUBTED and "'s " in mention and mention[0].isupper())
        )
    )


def is_by_place(text: str, span: Span) -> bool:
    """Tell whether a mention is a part of the name of what stands behind it, or before it."""
    start, end = span.start, span.end
    before = text[max(0, start - _AROUND) : start]
    if span.label in DOUBTED:
        doubts = span.score is not None and span.score < _DOUBT
        return doubts and (
            _CALLED_BY_ANY.match(text, end) is not None or _NAMED_TEST.match(text, end) is not None
        )
    if _VARIANT.search(before) or _NAMED_TEST.match(text, end):
        return True
    if _SCALED.match(text, end) and _OF_GROUP.search(before):
        return True
    called = _CALLED.match(text, end)
    if called is None or _THERE.search(before):
        return False
    words = called[0].split()
    if len(words) == 1 and words[0] not in _SURELY_CALLED and _MAYBE_THERE.search(before):
        return False
    return span.label != "STATE" or not _IN_ADDRESS.search(before)
