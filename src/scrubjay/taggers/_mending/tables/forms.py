"""Keys and their values: several on a line of a form, and those of machines.

"Age: 34   Att: Cole   Tel: 555 0166"; `"orderedBy": "Ann Lee"`, `user=jdoe`, `<by>jdoe</by>`.
The key of each value is the heading of a column of one cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from scrubjay.document import Span
from scrubjay.taggers._mending.people.person_names import is_common
from scrubjay.taggers._mending.tables import headings
from scrubjay.taggers._mending.tables.cells import is_login
from scrubjay.taggers._mending.tables.columns import Column, read_column
from scrubjay.taggers._mending.tables.headings import heading_kind, is_vague
from scrubjay.taggers._mending.tables.layout import Cell
from scrubjay.taggers._mending.tables.mentions import OF_PERSONS
from scrubjay.taggers._mending.tables.names import is_called
from scrubjay.taggers._mending.uncovered import touched_by

FEWEST, LONGEST = 2, 240
"""Pairs of a line, and its signs: a longer one is prose."""

_PAIR = re.compile(
    r"(?:(?<=\n)|(?<=[ ]{2})|(?<=[\t|])|\A)[ ]?(?P<key>[^\W\d_][^:\n\t|]{0,27}?)[ ]?:[ ]{0,3}"
    r"(?P<value>[^\s:|](?:[ ]?[^\s:|])*)(?=[ ]?(?:[ ]{2}|[\t|\n]|\Z))"
)

_SIGNS = ('":', "=", "</")
_SIGN = re.compile("|".join(_SIGNS))
_KEY = re.compile(r"[A-Za-z_][\w.:-]*\Z")
_VALUE = re.compile(
    r"(?:\":[ ]?\[?[ ]?|=)(?:\"([^\"\n]{1,60})\"|'([^'\n]{1,60})'|([^\s\"'<>=,;|&(){}\[\]]{2,40}))"
)
_FURTHER = re.compile(r'[ ]?,\s{0,12}"([^"\n]{1,60})"(?![ ]?:)')
_INNER = re.compile(r"<([\w.:-]{1,40})(?:[ ][^<>]*)?>([^<>\n]{1,60})\Z")
_LONGEST_KEY, _LONGEST_INNER = 40, 200
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")
_LEAST_LOGIN = 5
"""Signs of what stands for somebody below a key of persons, and is no name."""


def fields_of(
    text: str, lines: Sequence[str], spans: Sequence[Span], language: str
) -> Iterator[Column]:
    """Yield the value of each key that is a heading, where a line has two and more.

    What was found as a whole is left out.

    `lines` are those of the text without their ends.
    """
    told = [
        number
        for number, line in enumerate(lines)
        if line.count(":") >= FEWEST
        and len(line) <= LONGEST
        and ("  " in line or "\t" in line or "|" in line)
    ]
    if not told:
        return
    begins = [0, *accumulate(len(line) + 1 for line in lines)]
    for number in told:
        begin = begins[number]
        pairs = [*_PAIR.finditer(text, begin, begin + len(lines[number]))]
        for pair in pairs if len(pairs) >= FEWEST else ():
            start, end = pair.span("value")
            span = touched_by(spans, start, end)
            if span is not None and (span.start, span.end) == (start, end):
                continue
            kind = heading_kind(pair["key"], language)
            if kind and not is_vague(pair["key"], language):
                yield read_column(text, spans, [(start, end)], kind, language)


def keyed_of(text: str, spans: Sequence[Span], language: str) -> Iterator[Column]:
    """Yield the value of each key of JSON, XML or a log that is a heading.

    What was found as a whole is left out, but for persons, of whom the key tells more.
    """
    for key, (start, end) in _keyed(text):
        heading = _HUMP.sub(" ", key.rpartition(":")[2].rpartition(".")[2]).lower()
        kind = heading_kind(heading, language)
        value = text[start:end]
        if len(key) == 1 and value[0].isdigit():
            continue  # a measure: "K=3.1"
        is_of_somebody = kind in OF_PERSONS or kind == headings.LOGIN
        if is_of_somebody:
            is_name = kind == headings.PERSON and value.istitle() and is_called(value, language)
            if is_common(value.lower(), language) and not is_name:
                continue
            if kind != headings.PERSON and _stands_for_somebody(value):
                kind = headings.LOGIN
        span = touched_by(spans, start, end)
        is_found = span is not None and (span.start, span.end) == (start, end)
        if kind and kind != headings.CALL and (is_of_somebody or not is_found):
            vague = kind == headings.PERSON or is_vague(heading, language)
            yield read_column(text, spans, [(start, end)], kind, language, is_vague=vague)


def _keyed(text: str) -> Iterator[tuple[str, Cell]]:
    """Yield each key of a machine, and where its value stands."""
    if not any(sign in text for sign in _SIGNS):
        return
    for sign in _SIGN.finditer(text):
        place = sign.start()
        if sign[0] == "</":
            pair = _INNER.search(text, max(0, place - _LONGEST_INNER), place)
            if pair is not None:
                yield pair[1], pair.span(2)
        elif (value := _VALUE.match(text, place)) is not None and value.lastindex is not None:
            key = _KEY.search(text, max(0, place - _LONGEST_KEY), place)
            if key is not None:
                yield key[0], value.span(value.lastindex)
                further = _FURTHER.match(text, value.end())
                while further is not None:
                    yield key[0], further.span(1)
                    further = _FURTHER.match(text, further.end())


def _stands_for_somebody(value: str) -> bool:
    """Tell whether a value is the name that somebody signs in by rather than a name."""
    return (
        len(value) >= _LEAST_LOGIN
        and is_login(value)
        and (value[0].islower() or any(map(str.isdigit, value)))
    )
