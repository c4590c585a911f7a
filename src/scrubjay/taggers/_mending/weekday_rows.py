"""Weekdays in a row without numbers are dates together: "M/W/F", "lun/mié/vie", "2 mg lun y jue".

They are where one of them is, where a dose stands beside them, or where they are letters of a week;
each for itself, so that each moves as a weekday.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from scrubjay.document import Span
from scrubjay.taggers._mending.dose_words import SOURCE, WORD, is_drug, unit_pattern
from scrubjay.taggers._mending.label_groups import DATES
from scrubjay.taggers._mending.uncovered import put_over, put_uncovered, touching
from scrubjay.text.weekdays import weekday_forms

_DOSED_BEFORE, _WORDS_BETWEEN = 60, 3
"""Characters before a row in which its dose stands, and words between the two at most."""
_AMOUNT = r"(?<![\w.,])[\d½¼¾⅓⅔][\d.,/½¼¾⅓⅔]*"
_ROW_JOIN = re.compile(r"[.]?(?:[ ]?[/+&–-][ ]?|,?[ ](?:and|en|y|e|t/m)[ ]|,[ ]?|[ ])")
_SIGN = re.compile(r"[/+&–-]|[^\W\d_]")
"""What joins weekdays surely: all but commas and blanks."""
_LETTERS = re.compile(r"[A-Z](?:[/–-][A-Z]){2,6}")
_LONGEST_JOIN, _SHORT = 6, 2
_GLUED = re.compile(r"[\w/&-]")
_CLAUSE = re.compile(r"(?:(?![.!?][ ])[^\n;])*\Z")
_WEEK = range(7)

_Place = tuple[int, int]


def date_rows(
    text: str, spans: list[Span], days: Sequence[_Place], language: str, *, label: str
) -> None:
    """Put the weekdays of each row among the spans of a text, where they are dates together.

    `spans` are sorted and disjoint, and are changed in place; `days` are where all weekdays of the
    text stand, and `label` is that of weekdays beside a dose.
    """
    for row in _find_rows(text, days, language):
        _make_whole(text, spans, row, language, label)


def _find_rows(text: str, days: Sequence[_Place], language: str) -> Iterator[Sequence[_Place]]:
    """Yield where the weekdays of each row stand: of two and more that are joined to a list."""
    first = 0
    for at in range(1, len(days) + 1):
        if at < len(days) and _are_joined(text, days[at - 1], days[at], language):
            continue
        if at - first > 1:
            row = days[first:at]
            around = (text[row[0][0] - 1 : row[0][0]], text[row[-1][1] : row[-1][1] + 1])
            if not any(map(_GLUED.fullmatch, around)):
                yield row
        first = at


def _are_joined(text: str, first: _Place, second: _Place, language: str) -> bool:
    """Tell whether two weekdays follow each other in a row; "U Tuesday" and "vr vrij" do not."""
    start, end = first[1], second[0]
    if end - start > _LONGEST_JOIN or _ROW_JOIN.fullmatch(text, start, end) is None:
        return False
    one, two = text[slice(*first)], text[slice(*second)]
    is_mixed = min(len(one), len(two)) == 1 and max(len(one), len(two)) > _SHORT
    if is_mixed and _SIGN.search(text, start, end) is None:
        return False
    forms = weekday_forms(language)
    return one == two or forms[one] != forms[two]


def _make_whole(
    text: str, spans: list[Span], days: Sequence[_Place], language: str, label: str
) -> None:
    """Make dates of all weekdays of a row, each for itself: of letters, beside a dose or a date."""
    start, end = days[0][0], days[-1][1]
    known = touching(spans, start, end)
    dates = [span for span in known if span.label in DATES]
    is_told = _LETTERS.fullmatch(text, start, end) is not None or _is_dosed(text, start, end)
    if not (is_told or (dates and len(dates) == len(known))):
        return
    words = [text[first:last] for first, last in days]
    has_sign = any(_SIGN.search(text, a[1], b[0]) for a, b in pairwise(days))
    if not _may_be_row(words, language, is_sure=is_told or has_sign):
        return
    if len(set(words)) < len(words):  # the second T of "T/T/S" is another day beside the first
        days = [(start, end)]
    label = dates[0].label if dates else label
    has_blank = max(map(len, words)) == 1 and " " in text[start:end]  # not "L, X y V" as one
    is_parted = len(days) == 1 and known and [(span.start, span.end) for span in known] != days
    are_read = len(dates) == len(known) and not has_blank and not is_parted
    if are_read or any(span.start < start or end < span.end for span in known):
        put_uncovered(spans, [(*day, label) for day in days], SOURCE)
    elif [(span.start, span.end, span.label) for span in known] != [(*day, label) for day in days]:
        put_over(spans, [(*day, label) for day in days], SOURCE)


def _may_be_row(words: Sequence[str], language: str, *, is_sure: bool) -> bool:
    """Tell whether words are weekdays, of which letters follow each other as in a week.

    "Fri, sat" are as little as "F/U"; `is_sure` tells that more than commas says so.
    """
    if max(map(len, words)) > 1:
        cases = {(word.islower(), word.isupper()) for word in words if len(word) > 1}
        return len(cases) == 1 and len(set(words)) == len(words) and (is_sure or len(words) > 2)
    forms, last = weekday_forms(language), -1
    for word in words:
        last = min((day for day in forms[word] if day > last), default=len(_WEEK))
    return last < len(_WEEK) and len(words) > 2


def _is_dosed(text: str, start: int, end: int) -> bool:
    """Tell whether a dose, or what is dosed, stands right before a row or a dose behind it."""
    dose_before, dose_behind = _doses()
    if dose_behind.match(text, end):
        return True
    before = _CLAUSE.search(text, max(0, start - _DOSED_BEFORE), start)
    if before is None:
        return False
    if dose_before.search(before[0]):
        return True
    return any(map(is_drug, WORD.findall(before[0])[-_WORDS_BETWEEN:]))


@cache
def _doses() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a dose before a row ends with, and what one behind it begins with."""
    unit = unit_pattern()
    return (
        re.compile(
            rf"(?:{_AMOUNT}{unit}|(?<!\w)\d[ ]?x)(?:[ /]?(?:[^\W\d_]{{1,10}}[.]?|\d[ ]?x))"
            rf"{{0,{_WORDS_BETWEEN}}}[ ]?[(:,]?[ ]?\Z"
        ),
        re.compile(rf"[.]?[ ]?[:=(→–-]?[ ]?{_AMOUNT}{unit}"),
    )
