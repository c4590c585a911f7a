"""Lists of children and relatives with their ages: "(Mabli 12, Gruff 9)", "Tolu (8), Dayo (5)".

A tagger finds a name that it knows, or that a frequent word stands by, and passes its neighbours
over. Where one name of a list is found with a number behind it, the words with a capital and a
number in the same form beside it are names as well, and their numbers ages where another one is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, lexicon_names, look_up
from scrubjay.features.protected import protected_pieces, protected_terms
from scrubjay.taggers._mending.people.person_names import is_common, rank_of
from scrubjay.taggers._mending.people.uncovered import Found, put_uncovered, touched_by

SOURCE = "age-list"

_CAPITAL = "[A-ZÀ-ÖØ-Þ]"
_NAME = rf"(?P<name>{_CAPITAL}[^\W\d_]+(?:[-'’]{_CAPITAL}[^\W\d_]+)?)"
_AGE = r"(?P<age>\d{1,2})"
_UNIT = r"(?P<unit>[ ]?(?:yrs?|y[/.]?o|years?|mo|mos|months|wks?|weeks|wkn|weken|jr|jaar|mnd|m|y))?"
_BETWEEN = r"[ ]{0,2}(?:[,;&+/]|,?[ ](?:and|en)(?=[ ]))[ ]{0,2}(?:(?:and|en|&)[ ])?"
_FORMS = ((rf"{_NAME}[ ]", rf"{_AGE}{_UNIT}"), (rf"{_NAME}[ ]\(", rf"{_AGE}{_UNIT}\)"))
"""What stands before an age and with it, without brackets and in them."""

_AROUND, _OLDEST, _MOST = 40, 30, 8
"""Characters on each side in which a neighbour stands, the oldest of a list of children, and the
names of a list."""

_NONE, _EVERYDAY, _SURE = 0, 1, 2
_NO_NAMES = ("months", "weekdays", "cities", "countries", "regions", "facility-words", "relatives",
             "date-words", "professions", "id-words", "credentials")  # fmt: skip

_KIN = re.compile(
    r"(?<![^\W_])(?:kids?|child(?:ren)?|sons?|daughters?|boys?|girls?|sib(?:ling)?s?|sisters?|"
    r"brothers?|m[ou]m|mother|dad|father|grand\w+|nieces?|nephews?|twins|dtrs?|"
    r"kinderen|zonen|zoons|dochters|broers?|zus(?:sen|jes)?|kleinkinderen)(?!\w)[^.\n]{0,48}\Z",
    re.IGNORECASE,
)


def add_age_lists(
    text: str, spans: tuple[Span, ...], person: str, language: str
) -> tuple[Span, ...]:
    """Return the spans with the names and ages of lists that hold a name found, `person` its label.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    rows = list(spans)
    for span in spans:
        if span.label == person and _is_aged(text[span.end : span.end + 3]):
            put_uncovered(rows, _find(text, rows, span, language), SOURCE)
    return tuple(rows) if len(rows) > len(spans) else spans


def _is_aged(after: str) -> bool:
    """Tell whether an age may stand behind a name: " 12", " (8"."""
    return after[:1] == " " and (
        after[1:2].isdecimal() or (after[1:2] == "(" and after[2:].isdecimal())
    )


def _find(text: str, rows: list[Span], span: Span, language: str) -> Iterator[Found]:
    in_brackets = text[span.end + 1] == "("
    item, ahead, behind = _compiled(in_brackets)
    place = max(span.start, text.rfind(" ", span.start, span.end) + 1)
    own = item.match(text, place)
    if own is None or own.end("name") != span.end:
        return
    items = [own]
    while len(items) < _MOST and (found := ahead.match(text, items[-1].end())):
        items.append(found)
    while len(items) < _MOST:
        first = items[0].start("name")
        found = behind.search(text, max(0, first - _AROUND), first)
        if found is None:
            break
        items.insert(0, found)
    if len(items) == 1 or not all(0 < int(one["age"]) <= _OLDEST for one in items):
        return
    ages = [touched_by(rows, *one.span("age")) for one in items]
    has_age = any(age is not None and age.label == "AGE" for age in ages)
    first = items[0].start("name")
    if not has_age and not _KIN.search(text, max(0, first - 2 * _AROUND), first):
        return
    persons = [touched_by(rows, *one.span("name")) for one in items]
    is_found = [row is not None and row.label == span.label for row in persons]
    kinds = [
        _SURE if is_own else _NONE if row is not None else _kind(one["name"], language)
        for one, row, is_own in zip(items, persons, is_found, strict=True)
    ]
    if _NONE in kinds or kinds.count(_SURE) < 2:
        return
    for one, kind, was_found in zip(items, kinds, is_found, strict=True):
        if kind == _SURE:
            if not was_found:
                yield *one.span("name"), span.label
            if not _is_infant(one["unit"]):
                yield *one.span("age"), "AGE"


def _is_infant(unit: str | None) -> bool:
    """Tell whether an age is of weeks or months, which is seldom one that tells of somebody."""
    return unit is not None and unit.strip()[:1] in "mw"


@cache
def _compiled(in_brackets: bool) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return expressions for a name with its age, one behind another, and one before another."""
    name, age = _FORMS[in_brackets]
    item = rf"{name}{age}(?![\w/%-]|[.:]\d|[ ]?(?:mg|mcg|g|ml|mm|cm)(?!\w))"
    return (
        re.compile(item),
        re.compile(_BETWEEN + item),
        re.compile(rf"(?<![^\W_]){item}{_BETWEEN}\Z"),
    )


@text_cache(1024)
def _kind(name: str, language: str) -> int:
    """Tell whether a word is somebody; none that is clinical or a place makes a list of names."""
    lower = name.lower()
    if rank_of("first-names", lower, language):
        return _SURE
    if lower in protected_terms(language, spared=True) or any(
        look_up(find_lexicon(listed), lower) is not None
        for listed in (f"{language}.{kind}" for kind in _NO_NAMES)
        if listed in lexicon_names()
    ):
        return _NONE
    is_part = lower in protected_pieces(language, spared=True)  # of a term: "non" of "non-small"
    return _EVERYDAY if is_part or is_common(lower, language) else _SURE
