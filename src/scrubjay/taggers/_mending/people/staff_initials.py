"""Initials of staff whose names a note holds: "Sarah Quarmby" ... "(SQ)", "SQ to ring" (English).

A tagger passes over initials that are abbreviations of tests and places elsewhere. Where the name
of one of the staff begins with these letters, they are hers or his wherever they stand, if they are
no term, no word and no credential; if they are, in brackets, behind a dash at the end of a line,
and as the last of a line behind a sentence or a date. With a number they are a value ("SG 1.018").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES
from scrubjay.taggers._mending.people.initials import LABEL, LINE_END, SOURCE, may_sign
from scrubjay.taggers._mending.uncovered import Found, add_uncovered, touched_by
from scrubjay.text.occurrences import places_of

_KEPT, _BEFORE, _LONGEST = 8192, 4, 60
"""Mentions that are remembered, characters before initials that are read, and those of a term."""

_LETTER = re.compile(r"(?<![^\W\d_])[A-ZÀ-ÖØ-Þ](?=[^\W\d_A-ZÀ-ÖØ-Þ]|[.'’])")
_FEWEST, _MOST = 2, 3
_ALONE_BEFORE = re.compile(r"(?:\A|[^\w/.&'’-])\Z")
_ALONE_BEHIND = re.compile(r"(?![\w/&'’-]|[ ]?[=<>≥≤~]|[ :]{1,2}\d|[ ][A-Z]{2}|[.]\w)")
_SIGNED = re.compile(r"(?:[.!?)\"”]|\s[-–—~])[ ]?\Z")
_WORD = re.compile(r"[^\W\d_]+")
_BRACKETS = {"(": ")", "[": "]"}


def add_staff_initials(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a text with the initials of those of the staff who were found.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    wanted: set[str] = set()
    for span in spans:
        if span.label == LABEL:
            wanted.update(_initials_of(text[span.start : span.end]))
    found = [one for initials in sorted(wanted) for one in _find(text, spans, initials)]
    return add_uncovered(spans, found, SOURCE) if found else spans


@text_cache(_KEPT)
def _initials_of(mention: str) -> tuple[str, ...]:
    """Return the initials that a name may be signed by: all, and without those in the middle."""
    letters = "".join(_LETTER.findall(mention))
    if not _FEWEST <= len(letters) <= _MOST:
        return ()
    return (letters,) if len(letters) == _FEWEST else (letters, letters[0] + letters[-1])


def _find(text: str, spans: Sequence[Span], initials: str) -> Iterator[Found]:
    for place in places_of(initials, text):
        end = place + len(initials)
        if touched_by(spans, place, end) is None and (
            _is_signed(text, spans, place, end)
            or (
                may_sign(initials)
                and _ALONE_BEFORE.search(text, max(0, place - 1), place)
                and _ALONE_BEHIND.match(text, end)
            )
        ):
            yield place, end, LABEL


def _is_short_for(text: str, place: int, end: int) -> bool:
    """Tell whether the words before a bracket have these letters: "multiple sclerosis (MS)"."""
    words = _WORD.findall(text, max(0, place - _LONGEST), place)
    letters = "".join(word[0] for word in words)
    return letters.lower().endswith(text[place:end].lower())


def _is_signed(text: str, spans: Sequence[Span], place: int, end: int) -> bool:
    """Tell whether a place is one where somebody signs, whatever the letters mean elsewhere."""
    before = text[place - 1 : place]
    if before in _BRACKETS:
        return text.startswith(_BRACKETS[before], end) and not _is_short_for(text, place, end)
    if not LINE_END.match(text, end):
        return False
    if _SIGNED.search(text, max(0, place - _BEFORE), place):
        return True
    day = touched_by(spans, max(0, place - _FEWEST), place)
    return day is not None and day.label in DATES and text[day.end : place].isspace()
