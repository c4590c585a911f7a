"""Numbers that stand in columns are no PHI: "NRS rust      8        5        3" (Dutch).

A tagger takes the values of a row for one date, one telephone or one record. They are short numbers
that two blanks or a tabulator part, the last one perhaps a usual range, behind what is measured on
their line, or with a decimal among them. A row that begins with a person keeps them (a room and an
age stand so), or with a key ("geboren", "kamer"); so does one with a number of four figures, which
may be a year, one with a nought before it ("06  48"), and three that can be a day ("22  11  24").
Heads of columns that count weeks ("week 1    week 6") are no dates either.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.value_rows import MEASURED

COLUMNS = frozenset({"DATE", "ID", "PHONE_FAX", "INTERNAL_LOCATION", "AGE", "SSN"})
"""Labels that such numbers are given."""

_FEWEST, _LONGEST = 3, 90
"""Numbers of a row at least, and characters of a mention."""

_NUMBER = r"[<>]?(?:0|[1-9]\d{0,2})(?:[.,]\d{1,2})?"
_GAP = r"(?:[ ]{2,60}|[ ]?\t[ \t]{0,20})"
_RANGE = rf"{_NUMBER}[-–]\d{{1,3}}"
_ROW = re.compile(rf"{_NUMBER}(?:{_GAP}{_NUMBER}){{0,11}}(?:{_GAP}(?:{_NUMBER}|{_RANGE}))")
_PERIODS = re.compile(
    rf"(?:week|wk|dag|maand|mnd)[ ]\d{{1,2}}(?:{_GAP}(?:week|wk|dag|maand|mnd)[ ]\d{{1,2}})+",
    re.IGNORECASE,
)
_CELL = re.compile(r"(?<![\w.,/:-])[<>]?\d{1,3}(?:[.,]\d{1,2})?(?![\w/:])")
_HEAD = re.compile(r"[ \t]*[^\W\d_]")
_KEY = re.compile(
    r"(?<!\w)(?:geb\w*|datum|dd|d\.d|tel\w*|fax|bsn|dossier\w*|pati[eë]nt\w*|cli[eë]nt\w*|polis\w*|"
    r"\w*nummer|\w*nr|kamer\w*|kmr|bed|afd\w*|leeftijd|lft|naam|mobiel|postcode|adres|dhr|mw|mevr)"
    r"(?!\w)",
    re.IGNORECASE,
)
# What is measured: names that may be another word with a gap behind them ("Na 3 dagen  12  14").
_MEASURE = re.compile(
    r"(?<![\w/.-])(?:(?:nrs|vas|psk|psfs|lefs|womac|koos|hoos|ndi|sts|tug|mrc|barthel|mmse|moca|"
    r"phq-?9|gad-?7|braden|gcs|emv|pews|mews|flacc|peak[ ]?flow|fev1|transferrine\w*|"
    r"\w*(?:flexie|extensie|abductie|adductie|rotatie|saturatie)|"
    r"\d{1,4}[ ]?(?:mg|mcg|g))(?![\w/-])|"
    rf"(?:{MEASURED}|sat|spo2|pols|hf|rr|af|temp(?:eratuur)?|gewicht|bmi|pijn|pram|kracht|dos|"
    r"dash|borg|kreatinine|leuko's|trombo's)(?=[ ]{2}|[ ]?[\t(:.]))",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"\d,\d")
_DAY = re.compile(
    rf"(?:[1-9]|[12]\d|3[01]){_GAP}(?:[1-9]|1[012]){_GAP}\d\d|"
    rf"(?:[1-9]|[12]\d|3[01])\.(?:[1-9]|1[012])(?:{_GAP}.*)?"
)
"""A day, and days of months in columns, which noughts and decimals are none of."""
_GOES_ON = re.compile(r"[-–/:\w]|[.,]\d*[-–/:\w.]*[-/:]")


def may_be_columns(mention: str) -> bool:
    """Tell whether a mention has the shape of such numbers, wherever it stands."""
    if len(mention) > _LONGEST or ("  " not in mention and "\t" not in mention):
        return False
    return _ROW.fullmatch(mention) is not None or _PERIODS.fullmatch(mention) is not None


def is_columns(text: str, span: Span, *, person: int) -> bool:
    """Tell whether a mention of that shape is values of a row; `person` is the last one's end."""
    if _PERIODS.fullmatch(text, span.start, span.end):
        return _GOES_ON.match(text, span.end) is None
    line = text.rfind("\n", 0, span.start) + 1
    if person > line or _HEAD.match(text, line) is None or _GOES_ON.match(text, span.end):
        return False
    if _KEY.search(text, line, span.start) or _DAY.fullmatch(text, span.start, span.end):
        return False
    if not (_MEASURE.search(text, line, span.start) or _DECIMAL.search(text, span.start, span.end)):
        return False
    end = text.find("\n", span.end)
    cells = _CELL.findall(text, line, end if end >= 0 else len(text))
    return len(cells) >= _FEWEST
