"""Irish postal codes, PPS numbers and numbers of services are found whole, with their own labels.

A tagger that has read few of them takes "R35 Y2N0" for an age, and leaves the second letters of
"1234567 TA". An Eircode begins with one of some 140 routing keys, which tells it from vertebrae
("T12 L1"); in small letters it needs its key. A PPS number counts behind its key alone, and
"1800 247 247" where blanks or hyphens part it (English).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from scrubjay.document import Span

LABELS = frozenset({"ZIP", "SSN", "PHONE"})
_ROUTING = (
    r"(?:A(?:4[125]|6[37]|75|8[1-6]|9[12468])|C15|D(?:0[1-9]|1[0-8]|2[024]|6W)|"
    r"E(?:2[15]|3[24]|4[15]|53|91)|F(?:12|2[368]|3[15]|4[25]|5[26]|9[1-4])|"
    r"H(?:1[2468]|23|5[34]|6[25]|71|91)|K(?:3[246]|45|56|67|78)|N(?:3[79]|41|91)|"
    r"P(?:1[247]|2[45]|3[126]|4[37]|5[16]|6[17]|7[25]|8[15])|R(?:14|21|3[25]|4[25]|5[16]|9[35])|"
    r"T(?:12|23|34|45|56)|V(?:1[45]|23|3[15]|42|9[2-5])|W(?:12|23|34|91)|X(?:35|42|91)|"
    r"Y(?:14|2[15]|3[45]))"
)
ROUTING_HEADS = "ACDEFHKNPRTVWXY"
"""The letters with which routing keys begin."""

_SIGN = "[ACDEFHKNPRTVWXY0-9]"
_EIRCODE = re.compile(
    rf"(?<![\w-]){_ROUTING}[ ]?(?!C\dC\d|T\dT\d)"
    rf"(?=[A-Z]{{0,3}}\d)(?=\d{{0,3}}[A-Z])(?:{_SIGN}{{4}}|{_SIGN}{{2}}[ ]{_SIGN}{{2}})(?![\w-])"
)
_ANY_EIRCODE = re.compile(_EIRCODE.pattern, re.IGNORECASE)
_PPS = re.compile(r"(?<![\w-])\d{7}[ -]?[A-Wa-w][ABHTWabhtw]?(?![\w-])")
_ITS_KEY = re.compile(r"(?<![^\W\d_])(?:eircode|post ?code|zip)[ \t:#.=-]{1,6}\Z", re.IGNORECASE)
_PPS_KEY = re.compile(r"(?<![^\W\d_])pps[ni]?(?![^\W\d_])[^\n\d]{0,24}\Z", re.IGNORECASE)
_SERVICE = re.compile(
    r"(?<![\w./-])(?<!\d[ ])(?:0818|18[059]0)(?:[ -]{1,2}\d{3}[ -]{0,2}\d{3}|"
    r"[ -]{1,2}\d{2}[ -]\d{2}[ -]\d{2}|[ -]\d{2}[ -]\d{4})(?![\w%]|[-.,/]\d|[ ]\d)"
)
_HEAD = re.compile(r"[A-Z]{1,3}(?![^\W_])")  # of "A Thurles", before which "PX2" stands
_AROUND, _LONGEST, _KEY_BEFORE = 11, 16, 32
"""Characters around a mention in which its code lies, how long a mention of a part may be, and
characters before a code in which its key stands."""


def _may_be_irish(mention: str) -> bool:
    """Tell whether a mention may be such a code, or a part of one."""
    if len(mention) <= _LONGEST and any(map(str.isdigit, mention)):
        return True
    return _HEAD.match(mention) is not None


def widen_irish(
    text: str, spans: Sequence[Span], places: Sequence[int] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text, those that share a character with an Irish code as that code.

    Codes hold one of the `places`, sorted, or stand behind it as behind their key; None is all.
    What another span has behind the code stays its own: spans that are sorted and disjoint stay so.
    """
    rows: list[Span] = []
    covered = 0  # up to the end of the last code
    for span in spans:
        if span.start < covered:
            left = _part(text, span, covered, span.end)
            if not left:
                continue
            span = left[0]
        is_near = places is None or _is_near(span, places)
        code = None
        if is_near and _may_be_irish(text[span.start : span.end]):
            code = _find_code(text, span)
        if code is None or code[0] < covered:
            rows.append(span)
            continue
        start, end, label = code
        while rows and rows[-1].start >= start:
            rows.pop()
        if rows and rows[-1].end > start:
            rows[-1] = replace(rows[-1], end=start)
        rows += _part(text, span, span.start, start)
        rows.append(replace(span, start=start, end=end, label=label))
        rows += _part(text, span, end, span.end)
        covered = max(end, span.end)
    return tuple(rows)


def _is_near(span: Span, places: Sequence[int]) -> bool:
    """Tell whether a place lies in what is looked at around a span: its code and the key of it."""
    first = bisect_left(places, span.start - _AROUND - _KEY_BEFORE)
    return first < len(places) and places[first] < span.end + _AROUND


def _part(text: str, span: Span, start: int, end: int) -> list[Span]:
    """Return a span with other borders, without marks and blanks around it; none if it is empty."""
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return [replace(span, start=start, end=end)] if start < end else []


def _find_code(text: str, span: Span) -> tuple[int, int, str] | None:
    """Return the code that shares a character with a span, and its label."""
    floor = max(0, span.start - _AROUND)
    for code in _ANY_EIRCODE.finditer(text, floor, span.end + _AROUND):
        if code.start() < span.end and code.end() > span.start:
            is_sure = _EIRCODE.fullmatch(text, *code.span()) is not None
            if is_sure or _ITS_KEY.search(text[max(0, code.start() - 20) : code.start()]):
                return *code.span(), "ZIP"
    for code in _PPS.finditer(text, floor, span.end + _AROUND):
        if (
            code.start() < span.end
            and code.end() > span.start
            and _PPS_KEY.search(text[max(0, code.start() - _KEY_BEFORE) : code.start()])
        ):
            return *code.span(), "SSN"
    for code in _SERVICE.finditer(text, floor, span.end + _AROUND):
        if code.start() < span.end and code.end() > span.start:
            return *code.span(), "PHONE" if span.label != "FAX" else "FAX"
    return None
