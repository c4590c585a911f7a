"""Usual ranges of a table and blood gases are nothing of anybody: "mg/dL   70 - 100" (English).

Each end of such a range, or both with the hyphen, has been taken for a license, a device and a day.
A name, a value and a unit of the laboratory stand before it on the line, and the ends are in order;
what may be a day ("3-12") is that of a test whose usual range has such ends. A gas of the blood has
a shape of its own: "7.28/68/71/31", or stands behind its name ("gas 7.29/61/70").
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.portions import ENDS

LABELS = frozenset({
    "AGE", "DATE", "DEVICE", "IDNUM", "LICENSE", "MEDICALRECORD", "PHONE", "ZIP",
})  # fmt: skip
"""Labels that an end of a range may be taken for."""

_LONGEST, _LINE, _NEAR = 20, 120, 40
"""Characters of a range, those of its line on each side, and those before a gas: looked at."""
_MONTHS, _DAYS = 12, 31

_NUMBER = r"\d{1,5}(?:[.,]\d{1,3})?"
_SHAPE = re.compile(rf"{_NUMBER}(?:[ ]{{0,2}}[-–][ ]{{0,2}}{_NUMBER})?")
_GAS = re.compile(
    r"(?:6\.[89]\d|7\.[0-7]\d)/\d{2,3}/\d{2,3}(?:/\d{1,2}(?:\.\d)?)?(?:/[+-]?\d{1,2}(?:\.\d)?)?"
)
_WHOLE_GAS = 3
"""Strokes of a gas from which on it is nothing else."""
_GAS_BEFORE = re.compile(
    r"(?<!\w)(?:[avc]?bgs?|(?:blood[ ])?gas(?:es)?|ph|bi-?pap|vent|intubated)(?!\w)[^\n/]*\Z",
    re.IGNORECASE,
)
_BORN = re.compile(r"(?<!\w)(?:DOB|born|birth(?:date|day)?|b\.?d)[: ]*\Z", re.IGNORECASE)
_UNIT = (
    r"(?:[mnpuµμ]?(?:c?g|mol|eq|osm|kat)/(?:d|m|u|µ)?l|[mµμuk]?i?u/m?l|kU/l|"
    r"(?:k|m|thou|mil|cells|x?10[\^*e]?\d{1,2})?/(?:[uµμ]l|l|mm3|cumm)|x?10[\^*e]\d{1,2}|"
    r"ml/min(?:/1\.73(?:[ ]?m[2²])?)?|mg/g|mg/mmol|mmol/mol|mm/hr?|mmhg|%|fl|pg|sec|s|ratio|inr)"
)
_ROW = re.compile(
    rf"[ \t|]*(?P<name>[A-Za-z][^\n\r|]{{1,48}}?)(?:[ ]{{2,}}|\t+|[ ]?\|[ ]?)"
    rf"[<>]?{_NUMBER}[ ]?[HL*]{{0,2}}"
    rf"[ \t|]+(?i:{_UNIT})[ \t|]+[HL*]?[ \t|]*[(\[]?(?P<range>(?P<low>{_NUMBER})[ ]{{0,2}}[-–]"
    rf"[ ]{{0,2}}(?P<high>{_NUMBER}))(?![\w/.-])"
)


def may_be_range_end(mention: str) -> bool:
    """Tell whether a mention is a number, a range of two or a blood gas, wherever it stands."""
    return (
        len(mention) <= _LONGEST
        and mention[:1].isdecimal()
        and (_SHAPE.fullmatch(mention) or _GAS.fullmatch(mention)) is not None
    )


def is_range_end(text: str, span: Span) -> bool:
    """Tell whether a mention is a gas, or lies in the range of a row with a value and a unit."""
    if _GAS.fullmatch(text, span.start, span.end):
        before = text[max(0, span.start - _NEAR) : span.start]
        if _BORN.search(before):
            return False
        is_whole = text.count("/", span.start, span.end) >= _WHOLE_GAS
        return is_whole or _GAS_BEFORE.search(before) is not None
    line = text.rfind("\n", max(0, span.start - _LINE), span.start) + 1
    if not line and span.start > _LINE:
        return False
    row = _ROW.match(text, line, span.end + _LONGEST)
    if row is None or not row.start("range") <= span.start < span.end <= row.end("range"):
        return False
    low, high = (float(row[end].replace(",", ".")) for end in ("low", "high"))
    return low < high and (
        not _may_be_day(row["low"], row["high"]) or _is_usual(row["name"], low, high)
    )


def _may_be_day(low: str, high: str) -> bool:
    """Tell whether the ends of a range, in order, may be a month and a day, either first."""
    return low.isdecimal() and high.isdecimal() and int(low) <= _MONTHS and int(high) <= _DAYS


def _is_usual(name: str, low: float, high: float) -> bool:
    """Tell whether the usual range of a test has such ends."""
    ends = ENDS.get(name.strip().lower())
    return ends is not None and ends[0] <= low <= ends[1] and ends[2] <= high <= ends[3]
