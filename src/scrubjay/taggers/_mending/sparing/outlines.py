"""Letters and numbers of an outline are no initials: "B. Huidige zwangerschap" (Dutch, Spanish).

"A. Jansen" and "A. Anamnese" look the same. One that begins its line is a heading where the lines
of the text begin with three letters in a row, it among them, and no surname stands behind it, or
with it and the Roman number before or behind it.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.people.person_names import rank_of

_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_HEAD = re.compile(r"(?P<number>[A-Z]|[IVX]{1,4})\.(?:[ ]+(?P<word>[^\W\d_]+)|\Z)")
_IN_A_ROW = 3
_BEGIN = "\n"


def may_be_outline(mention: str) -> bool:
    """Tell whether a mention begins with a letter and a stop, or is no more than these."""
    return _HEAD.match(mention) is not None


def is_outline(text: str, span: Span, language: str) -> bool:
    """Tell whether a mention is a heading of an outline, or its number."""
    head = _HEAD.match(text[span.start : span.end])
    if head is None or not _begins(text, span.start):
        return False
    number = head["number"]
    if number in _ROMAN:
        place = _ROMAN.index(number)
        near = (*_ROMAN[max(0, place - 1) : place], *_ROMAN[place + 1 : place + 2])
        if any(len(one) > 1 or len(number) > 1 for one in near if _has(text, one)):
            return True
    if len(number) > 1 or (head["word"] and rank_of("surnames", head["word"], language)):
        return False
    letter = ord(number)
    return any(
        all(_has(text, chr(letter + first + by)) for by in range(_IN_A_ROW) if first + by)
        for first in range(1 - _IN_A_ROW, 1)
    )


def _begins(text: str, place: int) -> bool:
    while place and text[place - 1] == " ":
        place -= 1
    return not place or text[place - 1] == _BEGIN


def _has(text: str, number: str) -> bool:
    """Tell whether a line begins with a letter or a number of an outline."""
    return f"\n{number}. " in text or text.startswith(f"{number}. ")
