"""Surnames before first names at the heads of rows with an age: "K3  Parkinson Piet  66j".

A tagger that knows "Parkinson" and "Foley" as a disease and a tube finds the first name behind them
alone. A surname of few other uses, or an eponym, is one of the person where it begins a line, or
stands behind the room that does, and a first name that was found and an age follow. The letter of
a sex in a column before an age is no person (English, Dutch).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.people.person_names import (
    is_common,
    is_eponym,
    rank_of,
)

LANGUAGES = frozenset({"en", "nl"})

_AGE, _AROUND = "AGE", 80
_HEAD = re.compile(
    r"[ \t*>-]{0,4}(?:(?:[A-Z]{1,3}[ -]?)?\d{1,4}[A-Z]?[.:)]?[ \t]{1,4})?"
    r"(?P<last>[A-Z][^\W\d_]{2,20})[ ]"
)
_FIRST = re.compile(r"(?P<first>[A-Z][^\W\d_]+)(?:[ ][MFV])?")
_BETWEEN = re.compile(r"(?:[ \t]{1,8}[MFVmfv])?[ \t,(]{1,8}")
_SEX, _COLUMN, _BLANKS = frozenset("MFV"), re.compile(r"[ ]{2,12}|\t"), re.compile(r"[ \t]{1,8}")


def mend_row_heads(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with whole names, and no sexes, beside its ages.

    `spans` are sorted and disjoint, and so are those that are returned.
    """
    changed: dict[int, Span | None] = {}
    for number, age in enumerate(spans):
        if age.label != _AGE:
            continue
        person, has_sex = _person_before(text, spans, number)
        if has_sex:
            changed[number - 1] = None
        if person >= 0 and (whole := _widened(text, spans, person, age.start, language)):
            changed[person] = whole
    if not changed:
        return spans
    rows = [changed.get(number, span) for number, span in enumerate(spans)]
    return tuple(row for row in rows if row is not None)


def _person_before(text: str, spans: Sequence[Span], number: int) -> tuple[int, bool]:
    """Return the place of the person before an age, -1 for none, and whether a sex was between."""
    place, gone = number - 1, False
    if place > 0 and spans[place].label in PERSONS:
        sex, before = spans[place], spans[place - 1]
        gone = (
            text[sex.start : sex.end] in _SEX
            and before.label in PERSONS
            and _COLUMN.fullmatch(text, before.end, sex.start) is not None
            and _BLANKS.fullmatch(text, sex.end, spans[number].start) is not None
        )
        place -= gone
    return (place if place >= 0 and spans[place].label in PERSONS else -1), gone


def _widened(text: str, spans: Sequence[Span], number: int, end: int, language: str) -> Span | None:
    """Return a person with the surname before it, None where there is none."""
    person = spans[number]
    first = _FIRST.fullmatch(text, person.start, person.end)
    if first is None or not _BETWEEN.fullmatch(text, person.end, end):
        return None
    begin = text.rfind("\n", max(0, person.start - _AROUND), person.start) + 1
    if not begin and person.start > _AROUND:
        return None
    head = _HEAD.fullmatch(text, begin, person.start)
    if head is None:
        return None
    start, last = head.start("last"), head["last"]
    if number and spans[number - 1].end > start:
        return None
    if not rank_of("first-names", first["first"], language):
        return None
    return replace(person, start=start) if _is_surname(last, language) else None


def _is_surname(word: str, language: str) -> bool:
    lower = word.lower()
    return is_eponym(lower, language) or (
        rank_of("surnames", word, language) > 0 and not is_common(lower, language)
    )
