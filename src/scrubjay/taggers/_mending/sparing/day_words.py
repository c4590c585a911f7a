"""Dutch letters of weekdays that are other words: "ma weet het", "is het zat", "houdt plek vrij".

"Ma" is a mother by whose she is, by what she does, and by who is behind "van"; a Monday is followed
by whom something is done to ("ma wil hij naar huis") or by hours ("ma van 9 tot 11"). "Vrij" and
"zat" are told by the words before them, and "DO" is two
sides of a tooth behind its number.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_AROUND = 32

_MOTHER_OF = re.compile(
    r"(?<!\w)(?:ons|onze|mijn|m'n|mn|zijn|z'n|zn|hun|jouw|jullie|pa[ ]en|papa[ ]en|kamer[ ]van|"
    r"(?:vindt|vertelt|zegt|denkt)[ ]dat)[ ]\Z",
    re.IGNORECASE,
)
_MOTHER = re.compile(
    r"[ ](?:van[ ](?!\d|de\b|het\b|half|acht|negen|tien|elf|twaalf|een|twee|drie|vier)[^\W\d_]{3}|"
    r"(?:weet|draagt|werd|overdrijft)[ ](?!ik\b|hij\b|zij\b|ze\b|we\b|u\b|[A-Z])|"
    r"wil(?:de)?[ ](?:geen|niet)\b|(?:is|was)[ ](?:[4-9]\d|10\d|nog[ ]niet|al[ ]jaren|sinds|boos|"
    r"verdrietig|bang|dood|overleden)\b|(?:heeft|had)[ ](?:zelf|geen|sikkel\w+|diabetes|dm|kanker|"
    r"borst\w+|copd|weer|altijd|last)\b)"
)
_FREE = re.compile(
    r"(?<!\w)(?:plek|plekje|plaats|bed|kamer|week|dagen|ben|(?:ben|is|heb|heeft)[ ](?:ma|di|wo|do)|"
    r"(?:houdt|hield|houden|maakt|nam|neemt)[ ](?:[\w-]+[ ]){1,3}?)[ ]?\Z",
    re.IGNORECASE,
)
_A_DAY_AFTER = re.compile(r"[ ]?\.?[ ]?(?:\d|[-/+]|jan|feb|m(?:aa)?rt|apr|mei|jun|jul|aug|sep|okt)")
_ENOUGH = re.compile(
    r"(?<!\w)(?:is|zijn|ben|was|waren|bent)[ ](?:het|dit|dat|alles|hem)[ ]"
    r"(?:nu[ ]|echt[ ]|goed[ ])?\Z",
    re.IGNORECASE,
)
_TOOTH = re.compile(r"(?<![\d/.,:-])[1-8][1-8][ ]\Z")
_FILLED = re.compile(r"[ ](?:composiet|comp\b|amalgaam|cari[eë]s|diepe|inlay|restauratie|vulling)")

_WORDS = frozenset(["ma", "Ma", "vrij", "Vrij", "zat", "Zat", "DO"])


def may_be_word(mention: str) -> bool:
    """Tell whether a mention is such letters, wherever it stands."""
    return mention in _WORDS


def is_word(text: str, span: Span) -> bool:
    """Tell whether such letters are another word there."""
    mention, end = text[span.start : span.end], span.end
    before = text[max(0, span.start - _AROUND) : span.start]
    if mention == "DO":
        return _TOOTH.search(before) is not None and _FILLED.match(text, end) is not None
    word = mention.lower()
    if word == "ma":
        told = _MOTHER_OF.search(before) or _MOTHER.match(text, end)
    else:
        told = (_FREE if word == "vrij" else _ENOUGH).search(before)
    return told is not None and _A_DAY_AFTER.match(text, end) is None
