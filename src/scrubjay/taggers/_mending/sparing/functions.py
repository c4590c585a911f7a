"""What somebody is, in letters behind the name, is no initials: "R. Oosterbaan, vig" (Dutch).

So are letters that stand for words on every form ("S.V.P.", "L.S.,"), and measures in two letters
("pH 7,24").
"""

from __future__ import annotations

import re

from scrubjay.document import Span

LABELS = frozenset({"INITIALS"})
_AROUND, _FAR = 24, 64

_FUNCTIONS = frozenset([
    "aios", "anios", "avg", "coas", "evv", "gvp", "gz", "igz", "jgz", "mmz", "mdl", "nvo",
    "poh", "poh-ggz", "psw", "sio", "soa", "spv", "ssv", "vig", "vigers", "vios", "vpk", "zzp",
    "mzh",
])  # fmt: skip
_SHORT = frozenset(["vs", "pa", "gv", "so", "gz"])
"""In small letters, as they are compared; short ones may be who signed, too ("K. Bakker / PA")."""
_BEHIND = re.compile(r",[ \n]{1,2}|[ ]?\(|[ ]?/[ ]?|[ ]-[ ]|[ ]?\|[ ]?")
_BEHIND_SHORT = re.compile(r",[ ]|[ ]?\(")
_KEY = re.compile(
    r"(?<!\w)(?:naam|pati[eë]nte?|cli[eë]nte?|bewoner|bewoonster|betreft|inzake)[ ]?:[^\n]{0,64}\Z",
    re.IGNORECASE,
)
_TOLD_AFTER = re.compile(r"[ ]?[,(;][ ]?(?:geb|\*|[mv]\b|\d{1,3}[ ]?(?:jaar|jr)|\d)", re.IGNORECASE)
"""Behind a surname on a form letters are the initials of who has it: "Naam: Jansen, PA"."""
_NAME_AFTER = re.compile(r"[ ](?:(?:van|de|der|den|het|ten|ter)[ ]){0,3}[A-ZÀ-ÖØ-Þ][a-zà-ÿ]")
_ENDS = re.compile(r"[ ]?(?:[.,;)\r\n|/]|\Z|-\w)")
_WORDS = frozenset(["S.V.P.", "s.v.p.", "SVP", "pH", "TnT", "TnI", "HbA", "DtN"])
"""What is never anybody's."""
_GREETING = re.compile(r"[ ]?,[ ]*(?:\r?\n|\Z)")


def may_be_function(mention: str) -> bool:
    """Tell whether a mention is such letters, wherever it stands."""
    return mention in _WORDS or mention == "L.S." or mention.lower() in _FUNCTIONS | _SHORT


def is_function(text: str, span: Span, *, person: int) -> bool:
    """Tell whether a mention that may be such letters is no pair of initials.

    `person` is the end of the last person before it.
    """
    mention = text[span.start : span.end]
    if mention in _WORDS:
        return mention != "S.V.P." or _NAME_AFTER.match(text, span.end) is None
    if mention == "L.S.":
        line = text.rfind("\n", 0, span.start) + 1
        return not text[line : span.start].strip() and _GREETING.match(text, span.end) is not None
    between = text[person : span.start] if person and span.start - person < _AROUND else ""
    is_short = mention.lower() not in _FUNCTIONS
    if is_short and (
        _TOLD_AFTER.match(text, span.end) or _KEY.search(text, max(0, person - _FAR), span.start)
    ):
        return False
    behind = _BEHIND_SHORT if is_short else _BEHIND
    return behind.fullmatch(between) is not None and _ENDS.match(text, span.end) is not None
