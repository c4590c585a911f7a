"""People in a list, each by a name and an age: "(Mabli 12, Gruff 9, Non 5)", "Jahmairo 14, Ana 11".

A tagger that has seldom met such a name passes it over, or takes name and age for a street and its
number. In a row of such pairs whose numbers are ages or belong to streets, all are people where one
is, or where the row stands behind a word for children or parents.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.uncovered import put_over, touched_by

SOURCE = "listed"
LABELS = {"en": "PATIENT", "nl": "NAME"}
"""The label of people in a list that has none of a known one."""

_AGE = "AGE"
_PLACES = frozenset({"STREET", "ADDRESS"})
_TOLD = _PLACES | {_AGE}
_AROUND, _BEFORE = 80, 32
"""Characters around a span in which its row stands, and before a row in which kin are named."""

_NAME = r"(?P<name>[^\W\d_a-zß-öø-ÿ][^\W\d_]+(?:[-'’][^\W\d_]+)?)"
_PAIR = re.compile(rf"{_NAME} (?P<age>\d{{1,2}})")
_UNNAMED = _PAIR.pattern.replace("?P<name>", "?:").replace("?P<age>", "?:")
_LINK = r",? (?:(?:and|&|en|\+) )?"
_KIN = re.compile(
    r"(?<![^\W_])(?:kids?|children|child|sons?|daughters?|siblings|brothers|sisters|grand\w+|"
    r"(?:mum|mom|mother|dad|father) of (?:\d|\w+)|kinderen|kids|zoons?|zonen|dochters?|"
    r"zusjes|broertjes|kleinkinderen|(?:moeder|vader|ouders) van (?:\d|\w+))"
    r"(?:[ ](?:with[ ](?:her|him|them)|at[ ]home|thuis))?[:,]? \(?\Z",
    re.IGNORECASE,
)


_ROW = re.compile(
    rf"(?<![\w'’-]){_UNNAMED}(?:{_LINK}{_UNNAMED})+"
    r"(?!\w|[-/.:,]\d|[-/]\w|[ ]?(?:m?[lL]|m?g|mcg|µg|kg|[cm]m|units?|tabs?|puffs?|x|%|/)(?!\w))"
)


def may_be_listed(mention: str, label: str) -> bool:
    """Tell whether a mention may be the age of one in a list, or a name and an age."""
    if label == _AGE:
        return mention.isdigit()
    return label in _PLACES and _PAIR.match(mention) is not None


def add_listed(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with the people of lists, and their ages.

    `spans` are sorted and disjoint, and so are those that are returned.
    """
    rows, done = spans, 0
    for span in spans:
        if span.label not in _TOLD or span.start < done:
            continue
        if not may_be_listed(text[span.start : span.end], span.label):
            continue
        before = max(done, span.start - _AROUND)
        for row in _ROW.finditer(text, before, span.end + _AROUND):
            if row.end() > span.start:
                rows = _with_row(text, rows, row, language)
                done = row.end()
                break
    return rows


def _with_row(
    text: str, spans: tuple[Span, ...], row: re.Match[str], language: str
) -> tuple[Span, ...]:
    """Return the spans with the people of one row, if it is one of people."""
    rows = list(spans)
    pairs = list(_PAIR.finditer(text, *row.span()))
    names = [touched_by(rows, *pair.span("name")) for pair in pairs]
    ages = [touched_by(rows, *pair.span("age")) for pair in pairs]
    people = [name.label for name in names if name is not None and name.label in PERSONS]
    told = sum(age is not None and age.label in _TOLD for age in ages)
    is_kin = _KIN.search(text, max(0, row.start() - _BEFORE), row.start()) is not None
    if not told or not (is_kin or (people and told > 1)):
        return spans
    label = people[0] if len(set(people)) == 1 else LABELS[language]
    for pair, name, age in zip(pairs, names, ages, strict=True):
        if (name is None or name.label in _PLACES) and (is_kin or age is not None):
            put_over(rows, [(*pair.span("name"), label)], SOURCE)
            put_over(rows, [(*pair.span("age"), _AGE)], SOURCE)
    return tuple(rows)
