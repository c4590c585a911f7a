"""What a line end cuts in two: "(507) 555-" above "0134", "03/" above "15/2022", "Alca-traces".

The end of a number or a name on the next line is often left. A telephone and a number of social
security tell by their digits that some are missing, a date is whole with both lines; a name that
is hyphenated at a line end goes on with the rest of a word, in small letters, that is no everyday
one. A place of care or a street that goes on over the line end is one, where not each of its lines
has what makes one whole: what it is ("Hospital", "Medisch Centrum"), and the number of a house.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.taggers._mending.label_groups import DATES, PERSONS, PHONES
from scrubjay.taggers._mending.people.person_names import is_common
from scrubjay.taggers._mending.uncovered import Found, put_joined, touched_by
from scrubjay.taggers._search.branches import compile_branches
from scrubjay.text.months import month_words
from scrubjay.text.particles import WITHIN

SOURCE = "line-end"

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

_LONGEST_PART = 24
"""Characters of a date on each side of its line end, at most."""

_LINE_END = r"[ \t]{0,3}\r?\n[ \t]{0,8}"
_GAP, _FAR = re.compile(_LINE_END), 5
"""A line end beside a mention, and how far its end is at most."""
_FACILITIES = frozenset({
    "HOSPITAL", "ORGANIZATION", "CARE_INSTITUTE", "CENTRO_SALUD", "INSTITUCION",
})  # fmt: skip
_STREETS = frozenset({"STREET", "ADDRESS", "CALLE"})
_LOCAL = frozenset({"ADDRESS", "INTERNAL_LOCATION", "TERRITORIO"})
"""Labels of what may be a part of the name of a place of care, or of a street: Dutch and Spanish.
"""
_PARTED = _FACILITIES | _STREETS | _LOCAL
_HEADS = {
    "en": "hospital|cent(?:er|re)|clinic|infirmary|institute|hospice",
    "nl": "ziekenhuis|gasthuis|kliniek|polikliniek|centrum|verpleeghuis|hospice|umc|mc|praktijk",
    "es": "hospital|clínica|centro|sanatorio|instituto|policlínica|residencia|ambulatorio",
}
"""What places of care are."""
_ARTICLES = {"en": {"the"}, "nl": {"het", "de"}, "es": {"el", "la"}}
_WORDS = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_PROSE = re.compile(r"[a-zß-ÿ][ ]\Z")
_NAMED = r"(?:[A-ZÀ-Þ][\w'’-]{1,24}[ ]){0,3}"
_DAY, _YEAR = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:19|20)\d\d"
_MARK = rf"(?:{_LINE_END})?[/-](?:{_LINE_END})?"
_BLANK = rf"(?:{_LINE_END}|[ \t]{{1,2}})"


@cache
def _date_in(language: str) -> re.Pattern[str]:
    """Return the pattern of a whole date, in figures or with a month, that may have line ends."""
    month, of = rf"(?:{month_words(language)})\.?", f"(?:(?:of|del?){_BLANK})?"
    return compile_branches(
        rf"(?<![\w/.-])(?:{_DAY}{_MARK}{_DAY}{_MARK}(?:{_YEAR}|\d\d)"
        rf"|{_YEAR}{_MARK}{_DAY}{_MARK}{_DAY}"
        rf"|{month}{_BLANK}{_DAY}(?:st|nd|rd|th)?,?{_BLANK}{_YEAR}"
        rf"|(?:{_DAY}(?:st|nd|rd|th)?{_BLANK}{of})?{month},?{_BLANK}{of}{_YEAR})(?![\w/-]|[.]\d)",
        re.IGNORECASE,
    )


@cache
def _may_go_on(language: str) -> re.Pattern[str]:
    """Return the pattern of what a date goes on with on its next line."""
    words = rf"(?:of|del?|{month_words(language)})"
    return compile_branches(rf"[ \t]{{0,8}}(?:[\d/-]|{words})", re.IGNORECASE)


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
    for number, span in enumerate(spans):
        if span.label in DATES:
            yield from _whole_dates(text, span, language)
            continue
        if text[span.end : span.end + 1] not in ("\n", "\r", "-", " "):
            continue
        if span.label in _PARTED and text.find("\n", span.end, span.end + _FAR) >= 0:
            yield from _parted(text, spans, number, language)
        if span.label in _NAMES:
            end = _end_of_name(text, span, language)
        elif span.label in PHONES:
            end = _end_of_number(text, span, _SIZES[language][0])
        elif span.label in _SECURITY:
            end = _end_of_number(text, span, _SIZES[language][1])
        else:
            continue
        if end > span.end:
            yield span.start, end, span.label


def _parted(text: str, spans: tuple[Span, ...], number: int, language: str) -> Iterator[Found]:
    """Yield a place of care or a street of which a line end parts a mention, in prose."""
    span = spans[number]
    second = spans[number + 1] if number + 1 < len(spans) else None
    if second is not None and _GAP.fullmatch(text, span.end, second.start):
        label = _label_of_whole(text, span, second, language)
        if label and not _fills_lines(text, span.start, second.end):
            yield span.start, second.end, label
            return
    if span.label in _FACILITIES and (rest := _rest_of_name(language).match(text, span.end)):
        is_prose = _PROSE.search(text, max(0, span.start - 2), span.start)
        is_free = second is None or second.start >= rest.end()
        if is_prose and is_free and _head_in(language).search(text, span.start, span.end) is None:
            yield span.start, rest.end(), span.label


def _fills_lines(text: str, start: int, end: int) -> bool:
    """Tell whether lines hold nothing besides, as in a list or an address."""
    begins = not text[text.rfind("\n", 0, start) + 1 : start].strip(" \t•*-")
    return begins and not text[end : end + 2].strip(" \t.,")[:1].strip("\r\n")


def _label_of_whole(text: str, first: Span, second: Span, language: str) -> str:
    """Return the label of two mentions that are one, "" where each is whole."""
    before, behind = text[first.start : first.end], text[second.start : second.end]
    words = _words(before, language)
    leads_on = words[-1].lower() in WITHIN
    if leads_on and first.label == second.label and first.label in _LOCAL:
        return first.label
    if first.label in _FACILITIES:
        head = _head_in(language)
        if second.label in _FACILITIES:
            are_whole = head.search(before) and head.search(behind)
            return "" if are_whole or first.label != second.label else first.label
        known = f"{language}.facility-words"
        is_open = leads_on or is_listed(" ".join(words), known)
        is_open |= all(is_listed(word, known) for word in words)
        return first.label if is_open and second.label in _LOCAL else ""
    is_part = first.label in _STREETS and second.label in _LOCAL
    if second.label not in _STREETS and not is_part:
        return ""
    numbered = any(map(str.isdigit, before)), any(map(str.isdigit, behind))
    streets = f"{language}.street-words"
    if numbered == (False, True) and behind[0].isalpha():
        if second.label not in _STREETS and is_listed(_words(behind, language)[0], streets):
            return ""  # "kamer 5"
        is_street = first.label in _STREETS or all(is_listed(word, streets) for word in words)
        return (first if first.label in _STREETS else second).label if is_street else ""
    if numbered == (True, False) and before[0].isdigit() and second.label == first.label:
        is_open = len(words) == 2 or not is_listed(words[-1], streets)
        is_street = is_listed(_words(behind, language)[-1], streets)
        return first.label if is_open and is_street else ""
    return ""


def _words(text: str, language: str) -> list[str]:
    """Return the words of a mention but for articles: something is left of each."""
    words: list[str] = _WORDS.findall(text)
    return [word for word in words if word not in _ARTICLES[language]] or words


@cache
def _head_in(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{_HEADS[language]})(?![^\W_])", re.IGNORECASE)


@cache
def _rest_of_name(language: str) -> re.Pattern[str]:
    """Return the pattern of what places of care are at the begin of the next line."""
    heads = "|".join(f"[{h[0].upper()}]{h[1:]}" for h in _HEADS[language].split("|"))
    return re.compile(rf"{_LINE_END}{_NAMED}(?:{heads})(?=[ ][a-zß-ÿ(]|[,.;)])")


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
        if line_end < 0 or not _may_go_on(language).match(text, line_end + 1):
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
