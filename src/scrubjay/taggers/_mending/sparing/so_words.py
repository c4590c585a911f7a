"""The Dutch "zo" is a Sunday and "so": "bleef zo staan", "zo nodig", "zo ken ik haar" are no dates.

A word before it or behind it tells, no number follows, and no other weekday stands beside it.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_WORDS = frozenset(["zo", "Zo"])
_AROUND = 16

_BEFORE = re.compile(
    r"(?<!\w)(?:niet|net|ook|precies|nooit|altijd|gewoon|echt|bleef|blijft|moest|heet|heette|heten|"
    r"noemt|noemde|want|dit[ ]kan)[ ]\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[ ](?:nodig|heet|heette|heten|noemt|noemde|noemen|goed|veel|snel|gezegd|lang|hard|lachen|"
    r"vriendelijk|mogelijk|traag|graag|ken|kent|kennen|opgeknapt|vaak|erg|moe|mooi|groot|klein|ver|"
    r"zat[ ]ik|mag[ ]ik)(?!\w)"
)
_ON = re.compile(r"[ ]?[-/]|[ ](?:\d|naar\b|avond|ochtend|middag|nacht|ma\b|di\b|za\b|en[ ]ma\b)")


def may_be_so(mention: str) -> bool:
    """Tell whether a mention is the word, wherever it stands."""
    return mention in _WORDS


def is_so(text: str, span: Span) -> bool:
    """Tell whether the word is no Sunday."""
    if _ON.match(text, span.end):
        return False
    before = text[max(0, span.start - _AROUND) : span.start]
    return _BEFORE.search(before) is not None or _AFTER.match(text, span.end) is not None
