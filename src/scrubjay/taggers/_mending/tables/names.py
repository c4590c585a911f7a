"""Names and initials in the cells of a column of persons, where no one was found.

A word with a capital is a name there, whatever else it means ("Foley", "Snow", "Pool"), but none
that says that nobody is there. One in small letters has to come again in a column of staff, or to
stand among others in small letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.protected import BARE_EPONYM, protected_terms
from scrubjay.taggers._mending.label_groups import DATES, PERSONS
from scrubjay.taggers._mending.people.person_names import is_common, is_eponym, rank_of
from scrubjay.taggers._mending.tables import headings
from scrubjay.taggers._mending.tables.cells import (
    begin_of_name,
    end_of_name,
    is_capitalised,
    is_initials,
    parts_of,
)
from scrubjay.taggers._mending.tables.columns import FEWEST, HALF, Column
from scrubjay.taggers._mending.tables.headings import (
    heading_kind,
    is_answer,
    is_blank,
    is_part_of_date,
)
from scrubjay.taggers._mending.tables.layout import Cell
from scrubjay.taggers._mending.tables.roles import Roles
from scrubjay.taggers._mending.uncovered import Found, touched_by, touching
from scrubjay.text.particles import WITHIN

_MANY = 0.75
"""The share of cells with a name, or with initials, that tells of a column without a heading."""

_FEWEST_SIGNS, _LONGEST_SIGN = 3, 3
"""Initials in such a column, and letters of one."""

_LONG = 4
"""Capitals that are a surname rather than initials: "WONG"."""

_OFTEN, _LEAST = 4, 9
"""The class up to which an everyday word is a name, and another one."""

_FEW_LETTERS = 2
"""Letters of the begin of a first name: "Ml."."""

_SHORTEST = 3
"""Letters of a name in small ones."""

_OF_INITIALS = frozenset({headings.SIGNED, headings.CODED})
_OF_STAFF = frozenset({headings.STAFF, headings.SIGNED, headings.ROTA})


_WORD = re.compile(r"[^\s.,]+")


@dataclass(frozen=True, slots=True)
class _Custom:
    """How many names were found in a column, and how they are written."""

    are_most: bool
    are_small: bool
    are_capitals: bool
    are_initials: bool


def are_names(column: Column, spans: Sequence[Span]) -> bool:
    """Tell whether half of the cells of a column begin with a name of which a person was found."""
    text, language = column.text, column.language
    if column.whole(PERSONS) >= HALF:
        return True
    count = 0
    for cell, span in zip(column.cells, column.found, strict=True):
        start = begin_of_name(text, cell, language)
        end = end_of_name(text, start, cell[1])
        persons = [span] if span else touching(spans, start, end)
        count += (
            len(persons) == 1
            and persons[0].label in PERSONS
            and persons[0].end == end
            and (persons[0].start <= start or _is_one_name(text, (start, end), persons, language))
        )
    return count >= max(FEWEST, len(column.cells) * HALF)


def names_in(column: Column, spans: Sequence[Span], roles: Roles) -> Iterator[Found]:
    """Yield names and initials in a column of persons.

    Where none was found there half of what its cells say has to look like one, and more of a rota;
    and half of those must be words that people are called by, or initials that are nothing else.
    """
    text, language = column.text, column.language
    parts = [part for cell in column.cells for part in parts_of(text, cell)]
    times = Counter(text[slice(*part)] for part in parts)
    custom, label = _custom_of(column), _label_of(column, roles)
    fits = []
    for part in parts:
        start = begin_of_name(text, part, language)
        end = end_of_name(text, start, part[1])
        name = text[start:end]
        words = list(_WORD.finditer(text, start, end))
        if len(words) > 1 and all(_is_sign(word[0]) and word[0].isupper() for word in words):
            fits += [word.span() for word in words if _fits(column, word[0], custom, often=True)]
        elif name and _fits(column, name, custom, often=times[name] > 1):
            fits.append((start, end))
    fewest = len(parts) * (_MANY if column.kind == headings.ROTA else HALF)
    is_told = column.kind != headings.ROTA and _are_found(column)
    if is_told or (
        len(fits) >= fewest and _are_likely(column, {text[slice(*fit)] for fit in fits})
    ):
        is_sure = not column.is_open or custom.are_most
        for start, end in fits:
            inside = touching(spans, start, end)
            persons = [span for span in inside if span.label in PERSONS]
            if inside and not (start <= inside[0].start and inside[-1].end <= end):
                continue
            if persons:
                stands = _is_one_name(text, (start, end), persons, language)
            else:
                stands = not inside or (
                    is_sure and _may_be_person(text[start:end], inside[0], language)
                )
            if stands:
                is_told = not persons or label_by_heading(column.kind, roles) is not None
                own = label if is_told else persons[0].label
                are_signs = _are_signs(text[start:end], column.kind, roles)
                yield start, end, roles.initials if are_signs else own


def _may_be_person(name: str, span: Span, language: str) -> bool:
    """Tell whether a name that was found as something else is no day, nor one of an institution."""
    words = [word for word in _WORD.findall(name) if len(word) > 1 and word.lower() not in WITHIN]
    if span.label in DATES and is_part_of_date(name, language):
        return False
    return len(words) <= 1 or "," in name or all(is_called(word, language) for word in words)


def _are_found(column: Column) -> bool:
    """Tell whether a person was found in a column who is more than an answer."""
    return any(
        span is not None
        and span.label in PERSONS
        and not is_answer(column.text[span.start : span.end], column.language)
        for span in column.found
    )


def _are_likely(column: Column, names: set[str]) -> bool:
    """Tell whether half of different names and initials are likely to be such."""
    language = column.language
    likely = sum(_is_likely(name, language, is_vague=column.is_vague) for name in names)
    return likely * 2 >= len(names)


@text_cache(8192)
def _is_likely(name: str, language: str, *, is_vague: bool) -> bool:
    """Tell whether a name is none of a clinical answer, and below a vague heading a known one."""
    are_signs = is_initials(name) and len(name) < _LONG
    if are_signs or is_answer(name, language):
        return are_signs and not (is_vague and is_answer(name, language))
    if _is_term(name, language):
        return False
    words = [word for word in _WORD.findall(name) if len(word) > 1 and not is_blank(word, language)]
    return any(
        is_called(word, language) or not (is_vague or is_common(word.lower(), language))
        for word in words
    )


def is_called(word: str, language: str) -> bool:
    """Tell whether people are called by a word, and many of them if it is an everyday one."""
    parts = (word, *word.split("-"))
    ranks = [
        rank_of(kind, part, language) for kind in ("first-names", "surnames") for part in parts
    ]
    most = _OFTEN if is_common(word.lower(), language) else _LEAST
    return any(0 < rank <= most for rank in ranks)


def _custom_of(column: Column) -> _Custom:
    found = [span for span in column.found if span is not None and span.label in PERSONS]
    known = [column.text[span.start : span.end] for span in found]
    names = [name for name in known if not is_initials(name)]
    half = len(names) / 2
    return _Custom(
        are_most=column.share(PERSONS) >= _MANY,
        are_small=len(names) > 1 and sum(map(str.islower, names)) >= half,
        are_capitals=bool(names) and sum(map(str.isupper, names)) >= half,
        are_initials=0 < len(known) <= 2 * (len(known) - len(names)),
    )


def label_by_heading(kind: str, roles: Roles) -> str | None:
    """Return the label of the persons in a column with a heading; None if that doesn't tell."""
    if kind == headings.STAFF:
        return roles.staff
    if kind in (headings.PATIENT, headings.CODED):
        return roles.patient
    return roles.relative if kind == headings.RELATIVE else None


def majority_in(column: Column, roles: Roles) -> str | None:
    """Return whose names most of a column are, staff's or patients'; None if it is mixed."""
    if not (column.is_open or column.kind == headings.PERSON) or column.share(PERSONS) < _MANY:
        return None
    (label, count), *_ = Counter(
        span.label for span in column.found if span is not None and span.label in PERSONS
    ).most_common(1)
    is_most = count >= max(_FEWEST_SIGNS, column.count(PERSONS) * _MANY)
    return label if is_most and label in (roles.staff, roles.patient) else None


def _label_of(column: Column, roles: Roles) -> str:
    label = label_by_heading(column.kind, roles)
    if label is not None:
        return label
    counts = Counter(
        span.label for span in column.found if span is not None and span.label in PERSONS
    )
    if counts:
        return counts.most_common(1)[0][0]
    return roles.staff if column.kind == headings.SIGNED else roles.patient


def _are_signs(name: str, kind: str, roles: Roles) -> bool:
    """Tell whether a name is initials, where these have a label of their own."""
    if roles.initials == roles.staff or kind == headings.PATIENT or not is_initials(name):
        return False
    return kind in _OF_INITIALS or len(name) < _LONG or not name.isupper()


def _fits(column: Column, name: str, custom: _Custom, *, often: bool) -> bool:
    """Tell whether a part of a cell is a name there; `often` where it comes again in the column."""
    language, of_staff = column.language, column.kind in _OF_STAFF
    kind = heading_kind(name, language)
    if is_initials(name) and (column.kind in _OF_INITIALS or custom.are_initials):
        kind = ""  # "BS" signs as others do, whatever it heads elsewhere
    if is_blank(name, language) or kind not in ("", headings.CLINICAL):
        return False
    if kind and (column.is_open or (column.is_vague and not is_initials(name))):
        return False
    if is_initials(name):
        if column.kind in _OF_INITIALS:
            return True
        if of_staff:
            return often or name[0].isupper() or not is_common(name.lower(), language)
        if custom.are_initials:
            return not _is_term(name, language)
        if len(name) < _LONG and name.isupper():
            return False
    if name.islower():
        words = name.split()
        return (
            (custom.are_small or (of_staff and often))
            and len(words) < _SHORTEST <= len(name)
            and not any(is_blank(word, language) for word in words)
        )
    if not is_capitalised(name) or len(name) == 1:
        return False
    if not column.is_open:
        return True
    if _is_term(name, language) or (name.isupper() and not custom.are_capitals):
        return False
    return custom.are_most or not is_common(name.lower(), language)


@text_cache(8192)
def _is_term(name: str, language: str) -> bool:
    """Tell whether a word is a clinical term, but for the names of diseases."""
    kind = protected_terms(language, spared=True).get(name.lower())
    return kind is not None and kind != BARE_EPONYM


def signs_in(column: Column, spans: Sequence[Span], roles: Roles) -> Iterator[Found]:
    """Yield the initials of a column of nothing else, in which few come again: who signed rows.

    No heading tells what it holds, and half of them are no words.
    """
    text, language = column.text, column.language
    parts = [part for cell in column.cells for part in parts_of(text, cell)]
    signs = [part for part in parts if _is_sign(text[slice(*part)])]
    values = {text[slice(*part)] for part in signs}
    if (
        len(signs) >= max(_FEWEST_SIGNS, len(parts) * _MANY)
        and len(values) <= len(signs) * _MANY
        and sum(_is_word(value, language) for value in values) * 2 <= len(values)
        and not all(is_answer(value, language) for value in values)
    ):
        for start, end in signs:
            if touched_by(spans, start, end) is None:
                yield start, end, roles.initials


def _is_one_name(text: str, name: Cell, persons: Sequence[Span], language: str) -> bool:
    """Tell whether a cell says more of a name than was found: "{Cane}, D", "Parkinson {Piet}".

    Behind a comma stands a first name, or the letters of one, and whatever is before it is the
    surname. Other words are no clinical terms, answers or headings, nor everyday ones that nobody
    is called by.
    """
    start, end = name
    if len(persons) == 1 and (persons[0].start, persons[0].end) == name:
        return False
    last, comma, first = text[start:end].partition(",")
    if comma:
        words = [word for word in _WORD.findall(first) if word.lower() not in WITHIN]
        return bool(words) and all(
            len(word) == 1
            or (
                (last.isupper() or not word.isupper())
                and (len(word) <= _FEW_LETTERS or rank_of("first-names", word, language))
            )
            for word in words
        )
    are_capitals = text[persons[0].start : persons[0].end].isupper()
    others = [
        word for word in _WORD.finditer(text, start, end) if not touched_by(persons, *word.span())
    ]
    return (
        len(persons) == 1
        and bool(others)
        and all(
            _may_go_on(word[0], language)
            and (are_capitals or len(word[0]) == 1 or not word[0].isupper())
            and not (len(word[0]) > 1 and word.end() < persons[0].start and text[word.end()] == ".")
            for word in others
        )
    )


def _may_go_on(word: str, language: str) -> bool:
    if len(word) == 1 or word.lower() in WITHIN:
        return True
    if is_eponym(word.lower(), language):
        return True
    if is_blank(word, language) or is_answer(word, language) or heading_kind(word, language):
        return False
    return not _is_term(word, language) and (
        not is_common(word.lower(), language) or is_called(word, language)
    )


def are_initials_elsewhere(mention: str, language: str) -> bool:
    """Tell whether initials of a column are somebody's wherever they stand in the text."""
    return _is_sign(mention) and not (
        _is_word(mention, language) or is_blank(mention, language) or is_answer(mention, language)
    )


def _is_sign(mention: str) -> bool:
    return 1 < len(mention) <= _LONGEST_SIGN and mention.isalpha() and is_initials(mention)


def _is_word(mention: str, language: str) -> bool:
    """Tell whether initials are a word of the language or a clinical term, too."""
    lower = mention.lower()
    return is_common(lower, language) or lower in protected_terms(language, spared=True)
