"""What a line end cuts in two: "(507) 555-" above "0134", "03/" above "15/2022", "Alca-traces".

The end of a number or a name on the next line is often left. A telephone and a number of social
security tell by their digits that some are missing, a date is whole with both lines; a name that
is hyphenated at a line end goes on with the rest of a word, in small letters, that is no everyday
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.people.person_names import is_common
from scrubjay.taggers._mending.uncovered import Found, put_joined, touched_by
from scrubjay.text.months import month_words

SOURCE = "line-end"

_TELEPHONES = frozenset({"PHONE", "FAX", "PHONE_FAX", "NUMERO_TELEFONO", "NUMERO_FAX"})
_SECURITY = frozenset({"SSN", "ID_ASEGURAMIENTO"})
_NAMES = PERSONS | {
    "HOSPITAL", "CITY", "ORGANIZATION", "CARE_INSTITUTE", "ORGANIZATION_COMPANY",
    "TERRITORIO", "INSTITUCION", "CENTRO_SALUD",
}  # fmt: skip
"""Labels of persons and of what else is called by a name."""

_SIZES = {"en": ({10}, {9}), "nl": ({10, 11}, {9}), "es": ({9, 11}, {11, 12})}
"""How many digits telephones have in a language, and numbers of social security."""

_NUMBER = re.compile(
    r"-?[ \t]{0,3}\r?\n[ \t]{0,8}(?P<rest>-?\d{2,6}(?:[ -]\d{2,4}){0,2})"
    r"(?![\w%/:-]|[.,]\d|(?<!\d{3})[.)][ ]"
    r"|[ ]?(?:m[lg]|mcg|mmol|[cm]m|kg|u|dd|years?|jaar|años)(?!\w))"
)
_WORD = re.compile(r"-?\r?\n[ \t]{0,8}(?P<rest>[^\W\d_]{2,24})(?![\w'’-])")
_LEAST, _LEAST_HYPHENATED = 5, 3
"""Digits before a line end, at least, so that a number is told, and where a hyphen is last."""

_DATES = frozenset({"DATE", "FECHAS"})
_LONGEST_PART = 24
"""Characters of a date on each side of its line end, at most."""

_LINE_END = r"[ \t]{0,3}\r?\n[ \t]{0,8}"
_DAY, _YEAR = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:19|20)\d\d"
_MARK = rf"(?:{_LINE_END})?[/-](?:{_LINE_END})?"
_BLANK = rf"(?:{_LINE_END}|[ \t]{{1,2}})"


@cache
def _date_in(language: str) -> re.Pattern[str]:
    """Return the pattern of a whole date, in figures or with a month, that may have line ends."""
    month, of = rf"(?:{month_words(language)})\.?", f"(?:(?:of|del?){_BLANK})?"
    return re.compile(
        rf"(?<![\w/.-])(?:{_DAY}{_MARK}{_DAY}{_MARK}(?:{_YEAR}|\d\d)"
        rf"|{_YEAR}{_MARK}{_DAY}{_MARK}{_DAY}"
        rf"|{month}{_BLANK}{_DAY}(?:st|nd|rd|th)?,?{_BLANK}{_YEAR}"
        rf"|(?:{_DAY}(?:st|nd|rd|th)?{_BLANK}{of})?{month},?{_BLANK}{of}{_YEAR})(?![\w/-]|[.]\d)",
        re.IGNORECASE,
    )


def join_line_ends(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text, those that a line end cuts with their ends on the next line.

    `spans` are sorted and disjoint, and so are those that are returned.
    """
    if language not in _SIZES:
        return spans
    rows: list[Span] | None = None
    for start, end, label in _cut(text, spans, language):
        rows = list(spans) if rows is None else rows
        last = touched_by(rows, end - 1, end)
        if last is None or last.end == end:
            put_joined(rows, start, end, label, SOURCE)
    return spans if rows is None else tuple(rows)


def _cut(text: str, spans: tuple[Span, ...], language: str) -> Iterator[Found]:
    """Yield the whole of each span that goes on over a line end."""
    for span in spans:
        if span.label in _DATES:
            yield from _whole_dates(text, span, language)
            continue
        if text[span.end : span.end + 1] not in ("\n", "\r", "-", " "):
            continue
        if span.label in _NAMES:
            end = _end_of_name(text, span, language)
        elif span.label in _TELEPHONES:
            end = _end_of_number(text, span, _SIZES[language][0])
        elif span.label in _SECURITY:
            end = _end_of_number(text, span, _SIZES[language][1])
        else:
            continue
        if end > span.end:
            yield span.start, end, span.label


def _end_of_number(text: str, span: Span, sizes: set[int]) -> int:
    """Return where a number ends that has one of the sizes with the digits of the next line."""
    match = _NUMBER.match(text, span.end)
    digits = _digits(text[span.start : span.end])
    is_open = "-" in text[span.end - 1 : span.end + 1]
    least = _LEAST_HYPHENATED if is_open else _LEAST
    if match is None or digits < least or digits in sizes:
        return span.end
    return match.end("rest") if digits + _digits(match["rest"]) in sizes else span.end


def _whole_dates(text: str, span: Span, language: str) -> Iterator[Found]:
    """Yield the date that a line end beside a span, or a mark before it, cuts from the rest."""
    far = _LONGEST_PART
    before = text.rfind("\n", max(0, span.start - far), span.start)
    behind = text.find("\n", span.end, span.end + far)
    for line_end in (before, behind):
        if line_end < 0:
            continue
        for match in _date_in(language).finditer(text, max(0, line_end - far), line_end + far):
            start, end = match.span()
            touches = start < span.end and span.start < end
            if touches and start < line_end < end and text.count("\n", start, end) == 1:
                yield start, end, span.label


def _end_of_name(text: str, span: Span, language: str) -> int:
    """Return where a name ends that is hyphenated at the end of its line."""
    if "-" not in text[span.end - 1 : span.end + 1]:
        return span.end
    match = _WORD.match(text, span.end)
    if match is None or not match["rest"].islower() or is_common(match["rest"], language):
        return span.end
    return match.end("rest")


def _digits(text: str) -> int:
    return sum(map(str.isdecimal, text))
