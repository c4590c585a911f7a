"""Ages that are how long something was are no PHI: "al 11 jaar", "oudste van zes" (Dutch).

Patterns of ages take any number of years for one. Nor are pack years, percentiles, teeth, how many
of something, what a child speaks like one of, weeks and days of a pregnancy, prices, and bounds:
"45 py", "46 endo", "taal op 3;2", "39+4", "€ 79", "40 ml i.p.v. 100".
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._search.endings import Before

_NEAR, _FAR = 24, 48
"""Characters before an age in which it is told how long it was, and what percentile it is."""

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
# What is told of years behind them, and before them; under an age of the old, who are so ill.
_YEARS_OF = re.compile(
    r"[ ](?:dood(?!\w)|ziek(?!\w)|geleden|clean|gewerkt|gezeten|lang(?!\w)|"
    r"achter[ ](?:met|op|in)[ ](?:taal|spraak|lezen|rekenen|groei)|"
    r"terug(?=[.,;)\r\n]|\Z)|"
    r"bij[ ][A-Z][\w&-]*[ ](?:gezeten|gewerkt))",
)
_MARRIED = re.compile(r"[ ](?:getrouwd|samen(?!\w)|gerookt|in[ ]dienst)")
_SOMEBODY = re.compile(r"(?<!\w)(?:man|vrouw|vr|m|v|mw|dhr)\.?,?[ ]\Z", re.IGNORECASE)
_YEARS_AFTER = re.compile(
    r"(?<!\w)(?:waterpijp|surveillance|follow-?up|klachten|duur|rookt|gerookt|\w*probleem|sedert|"
    r"verlenging)[ ]\Z",
    re.IGNORECASE,
)
_PACK_YEARS = re.compile(r"\d{1,3}[ ]?(?:py|packyears?|pakjaren)", re.IGNORECASE)
# Parts of a number of times, pieces of a scale, and teeth: "71 van de 78", "46 endo".
_OF_MORE = re.compile(r"[ ]van[ ]de[ ]\d")
_PERCENTILE = re.compile(r"\d{1,2}e")
_PERCENT = re.compile(r"[ ](?:percentiel|perc\b)|(?:[ ]en)?[ ]\d{1,2}e[ ]percentiel")
_AT_PERCENTILE = re.compile(r"percentiel[^.;\n]{0,24}[ ]en[ ]\Z")
_TOOTH = re.compile(r"[1-4][1-8]")
_OF_TOOTH = re.compile(
    r"[ ](?:endo\b|composiet|extractie|amalgaam|diepe?[ ]cari|cari[eë]s|verticale[ ]fract|"
    r"geëxtraheerd)"
)
_PREGNANCY = re.compile(r"[1-4]\d\+[0-6]")
# What is paid, what was less before, and a bound that no years are told of.
# Behind what is measured alone, as an age over 89 is told so: "zij is > 90".
_BOUND = re.compile(
    r"(?:€|(?<!\w)(?:(?:bij|spoed|houden|streven|doel|rr|bp|sat|saturatie|spo2|pols|hf|"
    r"crp|glucose|gluc|ldl|egfr|map|tensie|bloeddruk|ferritine|trombo)[ ]?[<>≤≥])|"
    r"(?<!\w)(?:ipv|i\.p\.v\.))[ ]{0,2}\Z",
    re.IGNORECASE,
)
_NONE_BEFORE = re.compile(r"[^\W\d_],[ ]\Z")
_DEAD_CHILD = re.compile(r"[ ]overleden[ ](?:kind|baby|zoon|dochter)")
# What a child speaks or does like one of: "taal op 3;2 (Reynell)".
_LIKE = re.compile(
    r"(?<!\w)(?:taal\w*|taalbegrip|niveau|vineland|leesniveau|reynell|equivalent)[ :]{1,2}"
    r"(?:(?:op|van|±|rond|ca\.?)[ ])?\Z",
    re.IGNORECASE,
)
_IN_MONTHS = re.compile(r"\d{1,2};\d{1,2}(?:[ ]?(?:jaar|jr))?")
_OF_YEARS = re.compile(r"[ -]?(?:jaar|jarige?|jr|j\b|mnd|maanden|weken|wk|;)", re.IGNORECASE)

_MANY, _FEW = 15, 6
"""Of how many a family is at most, and how many of its children died."""
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
    return any(
        shape.fullmatch(mention) is not None
        for shape in (_YEARS, _NUMBER, _PACK_YEARS, _PERCENTILE, _IN_MONTHS, _PREGNANCY)
    )


def is_duration(text: str, span: Span) -> bool:
    """Tell whether an age that has the shape of a duration is one."""
    before = text[max(0, span.start - _NEAR) : span.start]
    if _NUMBER.fullmatch(text, span.start, span.end):
        return _counts_others(text, span, before) or _counts_parts(text, span, before)
    if _PREGNANCY.fullmatch(text, span.start, span.end):
        return True
    if _PACK_YEARS.fullmatch(text, span.start, span.end):
        return True
    if _PERCENTILE.fullmatch(text, span.start, span.end):
        far = text[max(0, span.start - _FAR) : span.start]
        is_one = _PERCENT.match(text, span.end) or _AT_PERCENTILE.search(far)
        return is_one is not None
    if _IN_MONTHS.fullmatch(text, span.start, span.end):
        return _LIKE.search(before) is not None
    if _lasted(text, span, before):
        return True
    if _LASTING.search(before) is None or _PERSON_AFTER.match(text, span.end):
        return False
    years = _YEARS.fullmatch(text, span.start, span.end)
    number = int(years["number"] or 0) if years else 0
    if _IS.search(before):
        return number < _OLD and _SAID.match(text, span.end) is None
    return number < _ADULT or _ALWAYS.search(before) is not None


def _lasted(text: str, span: Span, before: str) -> bool:
    """Tell whether what stands on either side makes years of illness, work and the like of them."""
    years = _YEARS.fullmatch(text, span.start, span.end)
    if years is None or int(years["number"] or 0) >= _OLD:
        return False
    if _MARRIED.match(text, span.end) and not _SOMEBODY.search(before):
        return True
    return _YEARS_AFTER.search(before) is not None or _YEARS_OF.match(text, span.end) is not None


def _counts_parts(text: str, span: Span, before: str) -> bool:
    """Tell whether a number is a part of one told behind it, a tooth, or how many children died."""
    end = span.end
    if _OF_MORE.match(text, end) or _PERCENT.match(text, end):
        return True
    mention = text[span.start : end]
    if _TOOTH.fullmatch(mention) and _OF_TOOTH.match(text, end):
        return _NONE_BEFORE.search(before) is None
    return mention.isdecimal() and int(mention) < _FEW and _DEAD_CHILD.match(text, end) is not None


def _counts_others(text: str, span: Span, before: str) -> bool:
    """Tell whether a number is how many there are, a page or a bound: "gezin van elf", "€ 79"."""
    if _OF_YEARS.match(text, span.end):
        return False
    if _PAGES.search(before) or _BOUND.search(before):
        return True
    number = text[span.start : span.end]
    is_few = not number.isdecimal() or int(number) <= _MANY  # "zit met zijn 74 thuis"
    return is_few and _SO_MANY.search(before) is not None
