"""Coded fields of HL7 v2 that are kept only where they look like what they should hold.

The type of a result says what it is, but nobody checks it: a telephone number is sent as a number,
a name as a code. What does not look like its type is read as free text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from scrubjay.corpora._codes import is_code
from scrubjay.corpora._titles import is_title

NAME_CODE = "name-code"
"""What a name is for, and how it is written: a short list of codes."""
_NUMBER = re.compile(r"[0-9.,+<>=:/^ eE-]*")
# Dates, telephones and numbers of persons: digits and marks as a result has them.
_NO_RESULT = re.compile(
    r"[0-9]{1,2}([-/.])[0-9]{1,2}\1(?:[0-9]{2}|[0-9]{4})|[0-9]{4}([-/.])[0-9]{1,2}\2[0-9]{1,2}"
    r"|.*[0-9]{9}.*|\+?[0-9]{2,4}(?:[-/ ]+[0-9]{2,}){2,}|\+?[0-9]{3}[- ][0-9]{4,}"
    r"|\+[0-9][0-9 /-]{6,}"
)
_DAY = re.compile(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])")
_MOMENT = re.compile(
    rf"{_DAY.pattern}(?:(?:[01][0-9]|2[0-4])[0-5][0-9](?:[0-5][0-9](?:\.[0-9]+)?)?"
    r"(?:[+-][0-9]{4})?)?"
)
_MONEY = re.compile(r"-?[0-9][0-9.,]{0,11}(?:&[A-Za-z]{3})?|")
_TIME = re.compile(r"[0-9:.+-]*")
_MARK = re.compile(r"(?=\S*[0-9])\S+")


_OF_NAMES = frozenset([
    "A", "B", "BAD", "C", "D", "F", "G", "I", "K", "L", "M", "MSK", "N", "NAV", "NB", "NOUSE", "P",
    "R", "REL", "S", "T", "TEMP", "U",
])  # fmt: skip
"""The codes of HL7's tables 0200, 0444 and 0465."""


def is_day(raw: str) -> bool:
    """Tell whether a number is a day of this century or the last one, as HL7 writes days."""
    return _DAY.fullmatch(raw) is not None


def is_moment(raw: str) -> bool:
    """Tell whether a field is a day, or a day and a time: no code, whatever the table says."""
    return _MOMENT.fullmatch(raw) is not None


def is_bare(raw: str) -> bool:
    """Tell whether a field is as codes are: one word, or numbers, and no sentence."""
    return _is_code(raw) or _is_number(raw)


def is_mark(raw: str) -> bool:
    """Tell whether a field that anybody may use holds a number of something, and no words."""
    return _MARK.fullmatch(raw) is not None


def _is_code(raw: str) -> bool:
    return raw == "" or is_code(raw, bare=True)


def _is_of_name(raw: str) -> bool:
    return raw.upper() in _OF_NAMES or raw == ""


def _is_number(raw: str) -> bool:
    return bool(_NUMBER.fullmatch(raw)) and not _NO_RESULT.fullmatch(raw) and not is_day(raw)


FORMS: Mapping[str, Callable[[str], object]] = {
    "number": _is_number,
    "money": _MONEY.fullmatch,
    "time": _TIME.fullmatch,
    "code": _is_code,
    "authority": _is_code,
    "title": is_title,
    NAME_CODE: _is_of_name,
}
"""The rules of `text.hl7_fields` that keep a field of this form, and have others read.

In a data type, what is no `authority` is the name of an institution, and what is no `title` and no
code of a name a piece of the name that it stands beside.
"""
