"""Cells of a list behind a name: sex, age and number are each for themselves.

"Dijkgraaf P V 51  6620118" and "RAMSBOTTOM Geoff 71 K118-220" have an age and a number of the
patient, and a tagger takes both for one number, or passes them over; "M/63" is no room. Behind
somebody of the staff stands where they are called: "Lulu Achterberg p.4471", "Marisol V., LCSW
x31877".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES, PERSONS
from scrubjay.taggers._mending.uncovered import Found, put_over, touching

SOURCE = "list-cells"
LABELS = {
    "en": ("AGE", "MEDICALRECORD", "PHONE"),
    "nl": ("AGE", "ID", "PHONE_FAX"),
    "es": ("EDAD_SUJETO_ASISTENCIA", "ID_SUJETO_ASISTENCIA", "NUMERO_TELEFONO"),
}
"""The labels of an age, of a patient's number and of a pager, by language."""

_ENDS = r"(?![\w/+-]|[.,]\d|[ ]?(?:[mk]?g|m?[lL]|[cm]m|mcg|µg|%|x|u|h|uur|min)(?!\w))"
_CELLS = re.compile(
    rf"(?:,?[ ]{{1,6}}|\t)(?:[MVFHmvfh](?P<slash>[ /])?(?P<sexed>[1-9]\d)|(?P<age>[1-9]\d)){_ENDS}"
    rf"(?:[ ]{{1,6}}(?P<number>[A-Z]{{0,2}}\d{{3,4}}-\d{{3,4}}|\d{{7}}){_ENDS})?"
)
_PAGED = re.compile(rf"(?:,[ ][A-Z]{{2,5}})?,?[ ](?:p\.|x)(?P<number>\d{{4,5}}){_ENDS}")


def add_list_cells(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with the ages and numbers that stand in cells behind a name.

    What was found from the name on to the end of the cells gives way to them, but for a date and
    what goes on behind. `spans` are sorted and disjoint, and so are those that are returned.
    """
    rows: list[Span] | None = None
    size = len(text)
    for span in spans:
        if span.label not in PERSONS or span.end >= size or text[span.end] not in " ,\t":
            continue
        cells = list(_find(text, span.end, language))
        if not cells:
            continue
        rows = list(spans) if rows is None else rows
        end = cells[-1][1]
        held = touching(rows, span.end, end)
        known = {(one.start, one.end, one.label) for one in held}
        if known.issuperset(cells) or any(
            one.start < span.end or one.end > end or one.label in DATES | PERSONS for one in held
        ):
            continue
        for one in held:
            rows.remove(one)
        put_over(rows, cells, SOURCE)
    return spans if rows is None else tuple(rows)


def _find(text: str, start: int, language: str) -> Iterator[Found]:
    age, number, phone = LABELS[language]
    cells = _CELLS.match(text, start)
    if cells is None:
        paged = _PAGED.match(text, start)
        if paged is not None:
            yield *paged.span("number"), phone
    elif cells["sexed"] or cells["number"]:
        yield *cells.span("sexed" if cells["sexed"] else "age"), age
        if cells["number"]:
            yield *cells.span("number"), number
