"""Borders within the text of machines: markup, resources, messages of HL7 v2, logs.

A tagger of prose takes signs of markup for letters of a word, and keys for names. What follows
holds in every language. A key, its quotation mark and a word of rich text end a mention, as bars do
in a segment of a message, and a time that is glued to a day is none of it. Apart from such signs
and times, each letter and digit that was covered stays covered. Days of a message, and of values of
XML, are found besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES, date_label
from scrubjay.taggers._mending.segments import SEGMENT
from scrubjay.taggers._mending.uncovered import (
    place_of,
    put_uncovered,
    touched_by,
)

SOURCE = "markup"

SIGNS = ("=", "^", '":', "\\", "T0", "T1", "T2")
_DAY = r"(?:19|20|21)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
_CLOCK = r"(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:\.\d{1,4})?)?(?:[+-]\d{4})?"
_GLUED = re.compile(rf"({_DAY}){_CLOCK}|(\d{{4}}-\d\d-\d\d)T(?:\d\d:[\d:.]{{2,12}})?")
_FIELD = re.compile(rf"(?<=[|^~])({_DAY})(?:{_CLOCK})?(?=[|^~\r\n]|\Z)")
_LISTED = re.compile(r'"[ ]?,[ ]?"')
_VALUE = re.compile(rf"(?<=\bvalue=[\"'])({_DAY})(?:{_CLOCK})?(?=[\"'])")
_BARS = re.compile(r"\|+")

_KEY = re.compile(r"[A-Za-z_][\w.-]{1,24}=(?![=>])[\"']?|=[\"']")
_QUOTED = re.compile(r"(?:=|\":[ ]?|\[[ ]?)\Z")
_VALUES = re.compile(r"[ ,;]+(?=[A-Za-z_][\w.-]{1,24}=)")
_RICH = r"\\(?:pard?|tab|line|cell|row|sect|page|plain|[bi]0?|ul(?:none)?|fs?\d{1,3})"
_END = re.compile(rf"(?:[}}\]]{{0,2}}{_RICH}(?!\w)[ ]?)+\Z|[\"}}\]]+\Z")
_WITHIN = frozenset('=|"}]\\')
"""Signs of which a mention that is no day has one, if anything is to be taken from it."""

_PAIRS = (('"', '"'), ("[", "]"), ("{", "}"))


def mend_markup(text: str, spans: Sequence[Span], language: str) -> tuple[Span, ...]:
    """Return the spans of a text, sorted and disjoint, with borders that markup gives them."""
    if not any(sign in text for sign in SIGNS):
        return tuple(spans)
    segments = [one.span() for one in SEGMENT.finditer(text)] if "|" in text else []
    rows: list[Span] = []
    for span in spans:
        if span.label not in DATES and _WITHIN.isdisjoint(text[span.start : span.end]):
            rows.append(span)
            continue
        bare = (_bare(text, one) for one in _parts(text, span, segments))
        rows += [one for one in bare if one is not None]
    days = [day for begin, end in segments for day in _FIELD.finditer(text, begin, end)]
    if "value=" in text:
        days += _VALUE.finditer(text)
    if days:
        _put_days(rows, days, date_label(language))
    return tuple(rows)


def _parts(text: str, span: Span, segments: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """Yield what bars of a segment, keys of values, and quotation marks within a list part."""
    mention = text[span.start : span.end]
    if '"' in mention and _LISTED.search(mention) is not None:
        sign = _LISTED
    elif "=" in mention:
        sign = _VALUES
    elif "|" in mention and any(begin <= span.start < end for begin, end in segments):
        sign = _BARS
    else:
        yield span
        return
    start = span.start
    for gap in sign.finditer(text, span.start, span.end):
        if start < gap.start():
            yield replace(span, start=start, end=gap.start())
        start = gap.end()
    if start < span.end:
        yield replace(span, start=start)


def _bare(text: str, span: Span) -> Span | None:
    """Return a mention without the key before it, signs of markup behind it, and times.

    Nothing is left of one that is a key, or signs alone.
    """
    start, end = span.start, span.end
    mention = text[start:end]
    if "=" in mention and (key := _KEY.match(text, start, end)) is not None:
        start = key.end()
    elif mention[0] == '"' and mention.count('"') == 1:
        start += _QUOTED.search(text, max(0, start - 4), start) is not None
    if (mention[-1] in '"}]' or "\\" in mention) and not _is_paired(mention):
        signs = _END.search(text, start, end)
        end = signs.start() if signs is not None else end
    if span.label in DATES and (day := _GLUED.fullmatch(text, start, end)) is not None:
        end = max(day.end(1), day.end(2))
    if start >= end:
        return None
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)


def _is_paired(mention: str) -> bool:
    """Tell whether the quotation mark or bracket at the end of a mention has its fellow in it."""
    return any(mention.endswith(last) and first in mention[:-1] for first, last in _PAIRS)


def _put_days(rows: list[Span], days: Sequence[re.Match[str]], label: str) -> None:
    """Put days of a message among the spans, in the place of one that tells them otherwise."""
    for day in days:
        start, end = day.span(1)
        known = touched_by(rows, start, end)
        if known is None:
            put_uncovered(rows, [(start, end, label)], SOURCE)
        elif known.start == start and known.end in (end, day.end()):
            rows[place_of(rows, known)] = replace(known, end=end, label=label)
