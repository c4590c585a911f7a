"""Forms with several keys and their values on a line: "Age: 34   Att: Cole   Tel: 555 0166".

The key of each value is the heading of a column of one cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from scrubjay.document import Span
from scrubjay.taggers._mending.people.uncovered import touched_by
from scrubjay.taggers._mending.tables.columns import Column, read_column
from scrubjay.taggers._mending.tables.headings import heading_kind, is_vague

FEWEST, LONGEST = 2, 240
"""Pairs of a line, and its signs: a longer one is prose."""

_PAIR = re.compile(
    r"(?:(?<=\n)|(?<=[ ]{2})|(?<=[\t|])|\A)[ ]?(?P<key>[^\W\d_][^:\n\t|]{0,27}?)[ ]?:[ ]{0,3}"
    r"(?P<value>[^\s:|](?:[ ]?[^\s:|])*)(?=[ ]?(?:[ ]{2}|[\t|\n]|\Z))"
)


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
