"""Usual ranges of a table and blood gases are nothing of anybody: "mg/dL   70 - 100" (English).

Each end of such a range, or both with the hyphen, has been taken for a license, a device and a day.
A name, a value and its unit stand before it on the line, and the ends are in order. A gas of the
blood has a shape of its own: "7.28/68/71/31".
"""

from __future__ import annotations

import re

from scrubjay.document import Span

LABELS = frozenset({
    "AGE", "DATE", "DEVICE", "IDNUM", "LICENSE", "MEDICALRECORD", "PHONE", "ZIP",
})  # fmt: skip
"""Labels that an end of a range may be taken for."""

_LONGEST, _LINE = 20, 120
"""Characters of a range, and on each side of it those of its line that are looked at."""

_NUMBER = r"\d{1,5}(?:[.,]\d{1,3})?"
_SHAPE = re.compile(rf"{_NUMBER}(?:[ ]{{0,2}}[-–][ ]{{0,2}}{_NUMBER})?")
_GAS = re.compile(
    r"(?:6\.[89]\d|7\.[0-7]\d)/\d{2,3}/\d{2,3}(?:/\d{1,2}(?:\.\d)?)?(?:/[+-]?\d{1,2}(?:\.\d)?)?"
)
_UNIT = (
    r"(?:[\w%µμ^*.]{1,9}/[\wµμ.²³^]{1,9}|%|f[lL]|pg|sec|s|mm/hr?|ratio|INR|x?10[\^*]?\d+/?[\wµ]*)"
)
_ROW = re.compile(
    rf"[ \t|]*[A-Za-z][^\n\r|]{{1,48}}?(?:[ ]{{2,}}|\t+|[ ]?\|[ ]?)[<>]?{_NUMBER}[ ]?[HL*]{{0,2}}"
    rf"[ \t|]+{_UNIT}[ \t|]+[HL*]?[ \t|]*[(\[]?(?P<range>(?P<low>{_NUMBER})[ ]{{0,2}}[-–]"
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
        return True
    line = text.rfind("\n", max(0, span.start - _LINE), span.start) + 1
    if not line and span.start > _LINE:
        return False
    row = _ROW.match(text, line, span.end + _LONGEST)
    if row is None or not row.start("range") <= span.start < span.end <= row.end("range"):
        return False
    low, high = (float(row[end].replace(",", ".")) for end in ("low", "high"))
    return low < high
