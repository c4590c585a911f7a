"""Who wrote or took over: "Addendum 20-09, FH:", "gk neemt over", "Schilder, nefroloog" (Dutch).

A tagger passes over initials that are abbreviations of tests and diseases elsewhere, and surnames
that are words. They are somebody's between a day on which something was added and a colon, before a
function that ends their line, and before what only staff does; a name is before its function on the
last line. An examination ("Aanvulling 3-5, MRI:") is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.document import Span
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.uncovered import Found, add_uncovered
from scrubjay.text.occurrences import places_of

SOURCE, INITIALS, NAME, _LANGUAGE = "writers", "INITIALS", "NAME", "nl"
LABELS = frozenset({INITIALS, NAME})

_LONGEST = 72
"""Characters of a last line that is read."""

_CAPITALS = r"(?:[A-Z]{2,4}|[A-Z][a-z]{0,2}[A-Z])"
_DAY = r"\d{1,2}(?:[-/.]\d{1,2}(?:[-/.]\d{2,4})?|[ ][a-z]{3,9}\.?(?:[ ]\d{2,4})?)"
_ADDED = re.compile(
    rf"[ ](?:d\.?d\.?[ ])?{_DAY}(?:,?[ ]\d{{1,2}}[:.]\d\d(?:[ ]?u(?:ur)?)?)?,?[ ]"
    rf"(?P<initials>{_CAPITALS}):"
)
_FUNCTION = re.compile(
    r",[ ](?:verpleegk(?:undige|\.)|verpl\.?|vpk|avg|aios|anios)"
    r"(?:[ ]i\.?[ ]?o\.?)?[ \t]*(?:[\r\n]|\Z|bij[ ])"
)
_BEFORE_FUNCTION = re.compile(rf"(?:\A|[\r\n]|[.!?][ ])[ ]{{0,3}}(?P<initials>{_CAPITALS})\Z")
_BEFORE_VERB = re.compile(rf"(?<![\w.'’-])(?P<initials>[a-z]{{2,3}}|{_CAPITALS})\Z")

_TAKES = re.compile(r"[ ](?:neemt[ ](?:over|waar)|luister(?:de|t)[ ]mee)(?!\w)")

_SIGNED = re.compile(
    r"(?P<name>(?:[A-Z]\.[ ]?){0,4}(?:(?:van|de|der|den|ten|ter|Van|De)[ ]){0,3}"
    r"[A-ZÀ-ÖØ-Þ][a-zà-ÿ]{2,}(?:-[A-ZÀ-ÖØ-Þ][a-zà-ÿ]+)?),[ ]"
    r"(?:[a-z-]*(?:loog|loge|arts|chirurg|peut|peute|kundige|iater|internist|anesthesist)|"
    r"aios|anios|vpk|vs|pa)(?:[ ]i\.?o\.?)?\.?"
)

_HEADS = ("ddendum", "oegevoegd", "anvulling", "ntwoord")
_FUNCTIONS = (", vpk", ", verpl", ", avg", "ios")
_VERBS = (" neemt ", " luister")
_WORDS = frozenset(
    ["hij", "zij", "die", "wie", "dat", "dit", "ik", "je", "jij", "ze", "we", "wij", "en", "of",
     "om", "zus", "oom", "opa", "oma", "pa", "ma", "ha", "so", "co", "dr", "mr", "mw", "zr", "vs",
     "ic", "seh", "poh", "avg", "spv", "evv", "pb", "eb", "nd", "ook", "nu", "dan", "zo", "man",
     "nee", "ja", "er", "het", "een", "arts", "team", "vpk", "aios"]
)  # fmt: skip
_NO_WRITERS = frozenset(["test", "procedure", "device"])
"""Kinds of terms that are examined, done or used, and sign nothing."""


def add_writers(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Dutch text with the initials and names of who wrote and took over.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    found = list(_find(text))
    return add_uncovered(spans, found, SOURCE) if found else spans


def _find(text: str) -> Iterator[Found]:
    matches = [
        _ADDED.match(text, place + len(head)) for head in _HEADS for place in places_of(head, text)
    ]
    for place in (place for verb in _VERBS for place in places_of(verb, text)):
        if _TAKES.match(text, place):
            matches.append(_BEFORE_VERB.search(text, max(0, place - 5), place))
    for match in matches:
        if match is not None and _may_write(match["initials"]):
            yield *match.span("initials"), INITIALS
    for place in (place for function in _FUNCTIONS for place in places_of(function, text)):
        comma = text.rfind(",", max(0, place - 4), place + 1)
        if comma >= 0 and _FUNCTION.match(text, comma):
            own = _BEFORE_FUNCTION.search(text, max(0, comma - 9), comma)
            if own is not None:
                yield *own.span("initials"), INITIALS
    end = len(text.rstrip())
    begin = text.rfind("\n", max(0, end - _LONGEST), end) + 1
    if (begin or end <= _LONGEST) and (signed := _SIGNED.fullmatch(text, begin, end)):
        yield *signed.span("name"), NAME


def _may_write(initials: str) -> bool:
    lower = initials.lower()
    kind = protected_terms(_LANGUAGE, spared=True).get(lower)
    return lower not in _WORDS and kind not in _NO_WRITERS
