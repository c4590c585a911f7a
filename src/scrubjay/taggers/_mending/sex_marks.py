"""The sex in brackets behind a name is no part of it: "Jansen, P. (M)", "Lopez, Maria (F)".

A tagger takes it for a further initial, and a surrogate of the name loses it. It stays outside, in
English and Dutch: in Spanish the sex has a label of its own.
"""

from __future__ import annotations

import re
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS

_MARK = re.compile(r"(?:\A|[ \t]{0,2})\(?[MVF]\)?\Z", re.IGNORECASE)
_BEHIND_NAME = re.compile(r"[ \t]{0,2}\([MVF]\)\Z", re.IGNORECASE)
# An initial in brackets, as the name goes on: "Anna (M) Smith", "J. (M) de Vries".
_NAME_GOES_ON = re.compile(
    r"[ \t]{1,2}(?:(?:van|de|den|der|te|ter|ten|von|del|la)[ ]){0,2}[^\W\d_a-z][^\W\d_A-Z]"
)
_WIDEST = 3
"""Characters between a name and the letter behind it."""


def may_hold_sex(mention: str, label: str) -> bool:
    """Tell whether a person may end with a mark of the sex, or be one, wherever it stands."""
    if label not in PERSONS:
        return False
    letter = mention.rstrip(")")[-1:]
    return letter in "MVFmvf" and (len(mention) <= _WIDEST or mention[-3:-1].find("(") >= 0)


def without_sex(text: str, span: Span, *, person: int) -> Span | None:
    """Return a person without the mark of the sex behind it, None for such a mark alone.

    `person` is the end of the last person before it: a mark alone has to stand right behind one.
    """
    mention = text[span.start : span.end]
    if not may_hold_sex(mention, span.label):
        return span
    end = span.end
    if mention[-1] != ")":
        end += text[end : end + 1] == ")"
    if _NAME_GOES_ON.match(text, end):
        return span
    mark = _BEHIND_NAME.search(text, span.start, end)
    name = text[span.start : mark.start()].rstrip() if mark is not None else ""
    if name:
        return replace(span, end=span.start + len(name))
    if person and _MARK.fullmatch(mention) and 0 <= span.start - person <= _WIDEST:
        alone = _BEHIND_NAME.fullmatch(text, person, end)
        return None if alone is not None else span
    return span
