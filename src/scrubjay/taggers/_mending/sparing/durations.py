"""Ages that are how long something was are no PHI: "al 11 jaar", "oudste van zes" (Dutch).

Patterns of ages take any number of years for one.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._search.endings import Before

_NEAR = 24
"""Characters before an age in which it is told how long it was."""

_YEARS = re.compile(r"(?:(?P<number>\d{1,2})[ -]?|[^\W\d_]{3,14}[ ])(?:jaar|jr\.?|j)")
_LASTING = Before(
    r"(?<!\w)(?:al|sinds|sinds[ ]ca\.?|heeft|na|zelf|over|voor|werkte|gedurende|\d{1,2}[ ]tot|in|"
    r"binnen|elke|per|verlenging|controle|contact|herhaling|om[ ]de|laatste|afgelopen|eerste|"
    r"komende|iedere?)[ \t]+",
    re.IGNORECASE,
)
# What is no age behind it: how many there are, and pages.
_NUMBER = re.compile(
    r"\d{1,3}|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|dertien|veertien|vijftien|"
    r"twee[eë]n|drie[eë]n|vieren|vijven|zessen|zevenen|achten|negenen|tienen",
    re.IGNORECASE,
)
_SO_MANY = re.compile(
    r"(?<!\w)(?:(?:gezin|oudste|jongste|middelste|tweede|derde|vierde|vijfde|zesde)[ ]van[ ]"
    r"(?:een[ ]gezin[ ]van[ ])?|met[ ](?:zijn|z'n|zn|hun|ons)[ ])\Z",
    re.IGNORECASE,
)
_PAGES = re.compile(
    r"(?<!\w)(?:blz|bladzijden?|pagina'?s?|pag)\.?[ ]"
    r"(?:\d{1,3}(?:[ ]?(?:-|t/m|tot[ ]en[ ]met|en)[ ]?))?\Z",
    re.IGNORECASE,
)
_OF_YEARS = re.compile(r"[ ]?(?:jaar|jarige?|jr|j\b|mnd|maanden|weken|wk|;)", re.IGNORECASE)

_MANY = 15
"""Of how many a family is at most."""
_ADULT, _OLD = 30, 60
"""Years from which on few things but a life lasted: "controle 67 jaar", "is al 85 jaar"."""
_ALWAYS = re.compile(
    r"(?<!\w)(?:al|sinds|sinds[ ]ca\.?|heeft|na|gedurende|werkte|\d{1,2}[ ]tot)[ \t]+\Z",
    re.IGNORECASE,
)
_IS = re.compile(
    r"(?<!\w)(?:is|was|ben|bent|werd|wordt)[ ](?:(?:nu|zelf|inmiddels|ook|toch)[ ])?"
    r"(?:al|zelf|reeds)[ ]\Z",
    re.IGNORECASE,
)
_SAID = re.compile(r"[ \t]*(?:[.,;:)\r\n]|\Z|en\b|oude?\b|vrouw|man\b)", re.IGNORECASE)
_PERSON_AFTER = re.compile(r"[ \t]*(?:oude?\b|vrouw|man\b|jongen|meisje)", re.IGNORECASE)


def may_be_duration(mention: str) -> bool:
    """Tell whether an age has the shape of a duration, wherever it stands."""
    return _YEARS.fullmatch(mention) is not None or _NUMBER.fullmatch(mention) is not None


def is_duration(text: str, span: Span) -> bool:
    """Tell whether an age that has the shape of a duration is one."""
    before = text[max(0, span.start - _NEAR) : span.start]
    if _NUMBER.fullmatch(text, span.start, span.end):
        return _counts_others(text, span, before)
    if _LASTING.search(before) is None or _PERSON_AFTER.match(text, span.end):
        return False
    years = _YEARS.fullmatch(text, span.start, span.end)
    number = int(years["number"] or 0) if years else 0
    if _IS.search(before):
        return number < _OLD and _SAID.match(text, span.end) is None
    return number < _ADULT or _ALWAYS.search(before) is not None


def _counts_others(text: str, span: Span, before: str) -> bool:
    """Tell whether a number is how many there are, or a page: "gezin van elf", "blz. 12"."""
    if _OF_YEARS.match(text, span.end):
        return False
    if _PAGES.search(before):
        return True
    number = text[span.start : span.end]
    is_few = not number.isdecimal() or int(number) <= _MANY  # "zit met zijn 74 thuis"
    return is_few and _SO_MANY.search(before) is not None
