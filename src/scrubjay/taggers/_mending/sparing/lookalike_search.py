"""Asks the entries of `lookalikes` whether a mention is let go, and by which of them.

Which entries a mention may be asked by depends on its letters and its label alone: that is worked
out once for each mention, and for each sign that comes next behind it. Of those most are refused by
a look at the last two characters before it.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import NamedTuple

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.lookalikes import LookAlike, find_look_alikes
from scrubjay.taggers._mending.sparing.origins import looks_not_american
from scrubjay.taggers._search.branches import compile_branches
from scrubjay.taggers._search.endings import find_endings, last_signs
from scrubjay.taggers._search.first_signs import BEYOND, next_sign, reach

_KEPT, _KEPT_TEXTS = 32_768, 16
"""Mentions that are remembered, and texts with what was sought anywhere in them."""

_LINE_ENDS = ("\n", "\r")
_CLAUSE_ENDS = (". ", ";", "\n", "\r")
_BORDERS = {"line": _LINE_ENDS, "clause": _CLAUSE_ENDS, "text": ()}


class Compiled(NamedTuple):
    """An entry, its expressions compiled, and the last signs of what may stand before (or None).

    `begins` are the signs of which one has to come first in a mention, `firsts` those of which one
    has to come next behind it, blanks left out; None where any may.
    """

    entry: LookAlike
    mention: re.Pattern[str]
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None
    unless_before: re.Pattern[str] | None
    unless_after: re.Pattern[str] | None
    unless_text: re.Pattern[str] | None
    endings: frozenset[str] | None
    begins: frozenset[str] | None
    firsts: frozenset[str] | None


def compile_look_alike(entry: LookAlike) -> Compiled:
    """Return an entry ready to be asked."""
    flags = re.MULTILINE | (re.IGNORECASE if entry.case == "any" else 0)

    def compiled(text: str, end: str = "") -> re.Pattern[str] | None:
        return compile_branches(f"(?:{text}){end}", flags) if text else None

    endings = None
    if entry.before and not entry.either:
        try:
            endings = find_endings(entry.before, flags)
        except ValueError:  # anything may stand there
            endings = None
        if endings is not None and "" in endings:
            endings = None
    begins = _signs(entry.mention, flags)
    firsts = _signs(entry.after, flags) if entry.after and not entry.either else None
    mention = re.compile(entry.mention, flags)
    return Compiled(
        entry,
        mention,
        compiled(entry.before, r"\Z"),
        compiled(entry.after),
        compiled(entry.unless_before, r"\Z"),
        compiled(entry.unless_after),
        compiled(entry.unless_text),
        endings,
        begins,
        firsts,
    )


def _signs(pattern: str, flags: int) -> frozenset[str] | None:
    """Return the signs of which one comes first in a match, blanks left out; None where any may."""
    signs, passes = reach(pattern, flags)
    return None if passes else signs


def _next_sign(text: str, place: int) -> str:
    """Return the next sign that is no blank; `BEYOND` is any that is none of ASCII."""
    return min(next_sign(text, place), BEYOND)


def _may_be(sign: str, signs: frozenset[str] | None) -> bool:
    """Tell whether a sign may be one of some."""
    return sign == BEYOND or signs is None or sign in signs


def may_look_alike(mention: str, label: str, language: str) -> bool:
    """Tell whether a mention has the shape of some entry, wherever it stands."""
    return bool(_find_asked(mention, label, language))


@text_cache(_KEPT)
def may_doubt(mention: str, label: str, language: str) -> bool:
    """Tell whether an entry has the shape of a mention that asks for a score, too."""
    return any(one.entry.below <= 1 for one in _find_asked(mention, label, language))


def find_look_alike(text: str, span: Span, language: str, *, person: int = 0) -> LookAlike | None:
    """Return the entry by which a mention is no PHI, or None.

    `person` is the end of the last person before it, who tells nothing of what it is.
    """
    asked, has_endings = _find_followed(
        text[span.start : span.end], span.label, language, _next_sign(text, span.end)
    )
    last = last_signs(text, span.start) if has_endings else None
    for one in asked:
        ends = one.endings
        if ends is not None and last is not None and last not in ends and last[-1:] not in ends:
            continue
        if is_let_go(one, text, span, person=person):
            return one.entry
    return None


def is_let_go(one: Compiled, text: str, span: Span, *, person: int = 0) -> bool:
    """Tell whether an entry lets a mention go whose shape it knows."""
    entry, start, end = one.entry, span.start, span.end
    if entry.below <= 1 and (span.score is None or span.score >= entry.below):
        return False
    follows = one.after is not None and (
        one.after.match(text, end, _ceiling(entry, text, end)) is not None
    )
    if one.after is not None and not follows and not entry.either:
        return False
    if (
        one.before is not None
        and not (entry.either and follows)
        and one.before.search(text, max(_floor(entry, text, start), min(person, start)), start)
        is None
    ):
        return False
    return not (
        (
            one.unless_before is not None
            and one.unless_before.search(text, _floor(entry, text, start), start)
        )
        or (
            one.unless_after is not None
            and one.unless_after.match(text, end, _ceiling(entry, text, end))
        )
        or (entry.unless_american and not looks_not_american(text))
        or (one.unless_text is not None and _has(text, one.unless_text))
    )


def _floor(entry: LookAlike, text: str, start: int) -> int:
    """Return from where on an entry looks at what stands before a mention."""
    floor = max(0, start - entry.near)
    for sign in _BORDERS[entry.within]:
        floor = max(floor, text.rfind(sign, floor, start) + 1)
    return floor


def _ceiling(entry: LookAlike, text: str, end: int) -> int:
    """Return up to where an entry looks at what stands behind a mention."""
    ceiling = min(len(text), end + entry.near)
    for sign in _BORDERS[entry.within]:
        place = text.find(sign, end, ceiling)
        ceiling = place if place >= 0 else ceiling
    return ceiling


@text_cache(_KEPT_TEXTS)
def _has(text: str, expression: re.Pattern[str]) -> bool:
    return expression.search(text) is not None


def has_shape(one: Compiled, mention: str) -> bool:
    """Tell whether a mention has the shape of an entry, and its numbers stand as they have to."""
    match = one.mention.fullmatch(mention)
    if match is None:
        return False
    groups = match.groupdict()
    if one.entry.listed and (groups["listed"] or "").lower() not in one.entry.listed:
        return False
    part, whole, low, high = map(groups.get, ("part", "whole", "low", "high"))
    return _rise(part, whole, or_equal=True) and _rise(low, high)


def _rise(first: str | None, second: str | None, *, or_equal: bool = False) -> bool:
    """Tell whether two numbers rise, as those of a shape without the one or the other do."""
    if first is None or second is None:
        return True
    low, high = _number(first), _number(second)
    return low < high or (or_equal and low == high)


def _number(digits: str) -> float:
    """Return a number, and what is neither more nor less than any for what is none."""
    try:
        return float(digits.replace(",", "."))
    except ValueError:
        return math.nan


@text_cache(_KEPT)
def _find_asked(mention: str, label: str, language: str) -> tuple[Compiled, ...]:
    begun = _find_begun(label, language, _next_sign(mention, 0))
    return tuple(one for one in begun if has_shape(one, mention))


@text_cache(_KEPT)
def _find_followed(
    mention: str, label: str, language: str, sign: str
) -> tuple[tuple[Compiled, ...], bool]:
    """Return the entries that may fit a mention before a sign, and whether one has endings."""
    known = _find_asked(mention, label, language)
    asked = tuple(one for one in known if _may_be(sign, one.firsts))
    return asked, any(one.endings is not None for one in asked)


@cache
def _find_begun(label: str, language: str, sign: str) -> tuple[Compiled, ...]:
    return tuple(one for one in _find_compiled(label, language) if _may_be(sign, one.begins))


@cache
def _find_compiled(label: str, language: str) -> tuple[Compiled, ...]:
    return tuple(
        _compile_once(entry) for entry in find_look_alikes(language) if label in entry.labels
    )


@cache
def _compile_once(entry: LookAlike) -> Compiled:
    return compile_look_alike(entry)
