"""Numbers said digit by digit: "six four six, five five five, zero one double two" is one.

A tagger that has seldom seen such words ends the number at one of its pauses. It goes on behind a
comma, a stop or a hyphen as long as two digits or more follow each: one alone is a count ("two
kids").
"""

from __future__ import annotations

import re
from functools import cache

from scrubjay.document import Span
from scrubjay.taggers._mending.uncovered import put_joined, touched_by
from scrubjay.text.numerals import AGAIN, numerals, words_among_digits

SOURCE = "dialled"
LANGUAGES = frozenset({"en", "nl"})

_LABELS = frozenset({"PHONE", "FAX", "PHONE_FAX", "MEDICALRECORD", "IDNUM", "ID", "SSN"})
_PAUSE = r"[ ]?[,;.–-]?(?:[ ]|[ ]?\r?\n)?"


def may_be_dialled(mention: str, label: str, language: str) -> bool:
    """Tell whether a mention may be the beginning of a number that is said digit by digit."""
    return label in _LABELS and _patterns(language)[0].search(mention) is not None


def widen_dialled(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text, numbers in words with the digits that follow a pause.

    `spans` are sorted and disjoint, and so are those that are returned.
    """
    rows: list[Span] | None = None
    for span in spans:
        if not may_be_dialled(text[span.start : span.end], span.label, language):
            continue
        behind = _patterns(language)[1].match(text, span.end)
        if behind is None:
            continue
        rows = list(spans) if rows is None else rows
        last = touched_by(rows, behind.end() - 1, behind.end())
        if last is None or last.end == behind.end():
            put_joined(rows, span.start, behind.end(), span.label, SOURCE)
    return spans if rows is None else tuple(rows)


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what ends a number in words, and what goes on behind it."""
    among = words_among_digits(language).items()
    more = [word for word, told in among if re.fullmatch("[0-9]", told)]
    digit = "|".join([*numerals(language)[:10], *more])
    again = "|".join(word for word, told in among if AGAIN in told)
    group = rf"(?:(?:{digit}|{again})[ -])+(?:{digit})(?!\w)"
    return (
        re.compile(rf"(?<!\w){group}\Z", re.IGNORECASE),
        re.compile(rf"(?:(?!\w){_PAUSE}{group})+", re.IGNORECASE),
    )
