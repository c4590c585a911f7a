"""Who a plan was talked over with, in capitals throughout: "D/W JOJO RE: PLAN".

Capitals hide what tells a name from a service, and a tagger passes short names over. Right behind
"D/W" stands a person or a service: a listed first name that is no everyday word is a person, and so
is what can be spoken, is in no list, and is no name of a service or a profession (English).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.features.protected import protected_pieces
from scrubjay.taggers._mending.people.person_names import is_common, rank_of

SOURCE, LABEL, HEAD = "talk", "DOCTOR", b"D/W"

_LANGUAGE = "en"
_TALK = re.compile(
    r"(?<![^\W_])D/W[ ]{1,2}(?P<name>[A-Z]{3,12})(?![\w/&’'-]|[ ]?\d|"
    r"[ ](?:TEAM|CLINIC|SERVICE|FELLOW|REG|RESIDENT|ATTENDING|NURSE|HOSPITAL|UNIT|LAB|DEPT|ICU|"
    r"ON)\b)"
)
_SPOKEN = re.compile(r"(?=[A-Z]{4})(?:[^AEIOUY]{0,2}[AEIOUY]{1,2}){2,4}[^AEIOUY]{0,2}")
_NO_NAMES = """
    anaes anes cardio derm endo ente gastro geri gyne haem heme hepato hemeonc icu immuno micro
    nephro neuro neurosx obgyn obgyne onco oncall ophtho optho ortho paeds pall palli pallia pedi
    plastics psych psyche pulmo radio rehab renal rheuma surgery uro urol urogyn vasc picu nicu
    sicu micu ticu cticu
"""
_SERVICE = re.compile(
    r"\w*(?:olog|iatr|etric|etist|ician|graph|metr|pathic|therap|natal|natolog|wife|ivist|alist|worker|"
    r"hosp|vasc)\w*|resus\w*|triage|telemetry|anticoag\w*|lactation|bed\w*|physio\w*|icu\w*"
)
_LISTED = ("facility-words", "organization-words", "professions", "titles", "relatives")
_SERVICES = frozenset(_NO_NAMES.split())
_KEPT = 2048


def add_talks(
    text: str, spans: Sequence[Span], places: Sequence[int] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text with persons behind "D/W" at the places, where none is found.

    Spans are sorted and disjoint, and stay so; `places` are sorted, None is all.
    """
    rows = list(spans)
    for place in range(len(text)) if places is None else places:
        talk = _TALK.match(text, place)
        if talk is None or not _is_name(talk["name"]):
            continue
        start, end = talk.span("name")
        at = bisect_right(rows, start, key=attrgetter("end"))
        if at == len(rows) or rows[at].start >= end:
            rows.insert(at, Span(start, end, LABEL, source=SOURCE))
    return tuple(rows)


@text_cache(_KEPT)
def _is_name(word: str) -> bool:
    """Tell whether a word in capitals is a person's name where one or a service stands."""
    lower = word.lower()
    if lower in _SERVICES or is_common(lower, _LANGUAGE):
        return False
    if rank_of("first-names", lower, _LANGUAGE):
        return True
    if _SERVICE.fullmatch(lower) or any(
        look_up(find_lexicon(f"{_LANGUAGE}.{kind}"), lower) is not None for kind in _LISTED
    ):
        return False
    return lower not in protected_pieces(_LANGUAGE) and _SPOKEN.fullmatch(word) is not None
