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
from scrubjay.taggers._mending.uncovered import Found, put_over, touched_by, touching

SOURCE = "list-cells"
LABELS = {
    "en": ("AGE", "MEDICALRECORD", "PHONE"),
    "nl": ("AGE", "ID", "PHONE_FAX"),
    "es": ("EDAD_SUJETO_ASISTENCIA", "ID_SUJETO_ASISTENCIA", "NUMERO_TELEFONO"),
}
"""The labels of an age, of a patient's number and of a pager, by language."""
_AGES = frozenset(age for age, _, _ in LABELS.values())

_ENDS = r"(?![\w/+-]|[.,]\d|[ ]?(?:[mk]?g|m?[lL]|[cm]m|mcg|µg|%|x|u|h|uur|min)(?!\w))"
_CELLS = re.compile(
    rf"(?:,?[ ]{{1,6}}|\t)(?:[MVFHmvfh][ /]?(?P<sexed>[1-9]\d)|(?P<age>[1-9]\d)){_ENDS}"
    rf"(?:[ ]{{1,6}}(?P<number>[A-Z]{{0,2}}\d{{3,4}}-\d{{3,4}}|\d{{7}}){_ENDS})?"
)
_PAGED = re.compile(rf"(?:,[ ][A-Z]{{2,5}})?,?[ ](?:p\.|x)(?P<number>\d{{4,5}}){_ENDS}")


def add_list_cells(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with the ages and numbers that stand in cells behind a name.

    What was found there gives way to them, but for dates, persons and what goes on behind. `spans`
    are sorted and disjoint, and so are those that are returned.
    """
    rows: list[Span] | None = None
    size = len(text)
    for span in spans:
        if span.label not in PERSONS or span.end >= size or text[span.end] not in " ,\t":
            continue
        cells = [cell for cell in _find(text, span.end, language) if not _stands(spans, cell)]
        held = [one for start, end, _ in cells for one in touching(spans, start, end)]
        if cells and not any(
            one.end > cells[-1][1] or one.label in DATES | PERSONS for one in held
        ):
            rows = list(spans) if rows is None else rows
            put_over(rows, cells, SOURCE)
    return spans if rows is None else tuple(rows)


def _stands(spans: tuple[Span, ...], cell: Found) -> bool:
    """Tell whether a cell was found: an age as one, and a number whatever it was taken for."""
    start, end, label = cell
    own = touched_by(spans, start, end)
    if own is None:
        return False
    if own.label == label and label not in _AGES:
        return start - 1 <= own.start <= start and own.end == end  # with the letter of a pager
    return (own.start, own.end) == (start, end) and (label not in _AGES or own.label == label)


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
