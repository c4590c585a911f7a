"""Times of the clock of four digits are no telephone numbers: "vpk gebeld 0200" (Dutch).

Numbers within a hospital and codes of doors have four digits, too. A time is what begins with 0
behind what happens at one, and all of a row of times, save behind a word for a telephone or a code.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

PHONES = frozenset({"PHONE_FAX"})
_AROUND = 40
"""Characters before a mention that are looked at."""

_CLOCK = r"(?:[01]\d|2[0-3])[0-5]\d"
_TIMES = re.compile(rf"{_CLOCK}(?:[,/][ ]?{_CLOCK}){{0,5}}")
_ROW = re.compile(rf"(?<![\w-]){_CLOCK}(?:(?:,[ ]?|/|[ ]){_CLOCK})*(?:,[ ]?|/|[ ])\Z")
_TOLD = re.compile(
    r"(?<!\w)(?:gebeld|belde|ingelicht|gewaarschuwd|gegeven|toegediend|geprikt|afgenomen|gemeten|"
    r"gezien|om|vanaf|sinds|rond|omstreeks|kl)[ ]\Z",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<!\w)(?:tst|toestel|sein|dect|tel(?:efoon(?:nummer)?|nr)?|nr|no|nummer|pieper|bel|bellen|"
    r"belt|terugbellen|ext|fax|intern|mobiel|bereikbaar|via|op|onder|gsm|mob|piep|code|pincode|"
    r"sleutel\w*|kluis\w*)[ .:#]*(?:\d[\d ,/-]*)?\Z",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[ ]?[-/]?[ ]?\d|[ ](?:tst|toestel)")


def may_be_time(mention: str) -> bool:
    """Tell whether a mention may be one time or several, wherever it stands."""
    return len(mention) >= 4 and mention[0] in "012" and _TIMES.fullmatch(mention) is not None


def is_time(text: str, span: Span) -> bool:
    """Tell whether a mention that may be a time is one."""
    before = text[max(0, span.start - _AROUND) : span.start]
    if _PHONE.search(before) or _GOES_ON.match(text, span.end):
        return False
    is_row = not text[span.start : span.end].isdecimal() or _ROW.search(before) is not None
    return is_row or (text[span.start] == "0" and _TOLD.search(before) is not None)
