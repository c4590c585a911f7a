"""The letter of Spain before a postal code is a part of it: "E-41013 Sevilla"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scrubjay.document import Span

PLACES = frozenset({"TERRITORIO"})
_CODE = re.compile(r"(?:0[1-9]|[1-4]\d|5[0-2])\d{3}(?!\d)")
_LETTER = re.compile(r"(?<![\w-])E-\Z")
_REACH = 3
"""Characters before a code with the letter and what stands before it."""


def may_be_code(mention: str) -> bool:
    """Tell whether a place begins with the digits of a postal code of Spain."""
    return _CODE.match(mention) is not None


def widen_codes(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans of a Spanish text, postal codes with the letter before them."""
    rows: list[Span] = []
    for span in spans:
        if span.label in PLACES and may_be_code(text[span.start : span.end]):
            begin = max(rows[-1].end if rows else 0, span.start - _REACH)
            if _LETTER.search(text, begin, span.start) and span.start - 2 >= begin:
                span = replace(span, start=span.start - 2)
        rows.append(span)
    return tuple(rows)
