"""Values of the laboratory and vital signs are no PHI: "K 3,1", "Hb: 11.4", "BE -3".

A value has the shape of a room, a day, an age or initials. It is spared where the abbreviation of
what is measured stands right before it, and its size is one that this has: "Hct 29.4", but "Na
12.3" is "after 12 March" in Dutch. One letter takes a decimal alone ("K 4.2", but "K 4" is a
room), and none behind a word for places ("kamer K 4.2"). The abbreviation itself, taken for a
person, is spared or cut off, too ("Smith, K 4.2").
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import DATES

_AROUND, _LONGEST = 24, 24
"""Characters before a value in which its abbreviation begins, and of a mention that may be one."""

# Abbreviations by the least and the largest value in any unit; "." marks what needs a decimal.
_RANGES = {
    (1.5, 9.9): "k.",
    (100, 180): "na",
    (60, 140): "cl",
    (0.5, 17): "ca. ica.",
    (0.2, 9): "mg. p.",
    (2, 22): "hb hgb",
    (0.1, 70): "ht hct",
    (0, 600): "crp",
    (0.7, 20): "inr",
    (4.5, 9): "ph",
    (1, 600): "pco2 paco2 po2 pao2",
    (3, 60): "hco3 bic bicarb tco2 co2",
    (-35, 35): "be",
    (0.1, 60): "l.",
    (34, 42): "t.",
    (1, 40): "g.",
    (0.2, 2000): "kreat creat krea cr bun glu gluc ureum egfr gfr mdrd bili tbili alb osm nh3",
    (0.1, 2000): "wbc leuko leukos plt trombo mcv bse esr asat alat ast alt ggt ld ldh psa cea",
    (0, 9999): "ck ckmb ferr trop tnt tni bnp lact phos po4 amy lip d-dimeer d-dimer fev1 fvc pef",
    (3, 150): "hba1c a1c tsh ft4",
    (0.1, 1500): "ldl hdl tg chol ery leu",
    (1, 300): "fe zn cu",
    (50, 2000): "b12",
    (0, 50): "ag peep",
    (0.1, 999): "wcc. cells. count. neuts. lymphs. neutrophils. lymphocytes. leukocytes.",
    (8, 120): "pt. aptt ptt",
    (33, 100): "sat spo2 sao2 fio2",
    (5, 90): "ef lvef",
    (0.1, 5): "li. dig. hep.",
    (0.1, 100): "vanc. vanco tacro genta",
}
_AS_WRITTEN = frozenset(["ca", "be", "zn", "cu", "pt", "fe", "li"])
"""Those that are another word in small letters: "ca 12.3" is about that day, "pt" somebody."""
_UNSAID = frozenset(["cl", "fe", "li", "leu", "sat", "ag", "be", "p", "l", "t", "g", "pt"])
"""Those behind which "was" tells of somebody: "Cl was 98" may be a client."""
_NO_AGES = frozenset(["be", "ag", "fe"])
"""Those that no age is spared behind: "WILL BE 30"."""
_NO_DAYS = frozenset(["ca", "sat"])
"""Those before a day: "CA 8.9" is about the 8th of September, "SAT 12.4" a weekday."""
_NOBODY = frozenset([
    "kreat", "krea", "ferr", "hgb", "hct", "wbc", "plt", "crp", "inr", "egfr", "ldh", "asat",
    "alat", "ggt", "tsh", "bili", "aptt", "bse", "d-dimeer", "d-dimer", "hba1c", "hco3", "pco2",
    "po2",
])  # fmt: skip
"""Those that are no person whatever the value: others only before a decimal ("Alb 34")."""
_NOWHERE = frozenset(["b12", "a1c", "hco3", "nh3", "co2", "pco2", "po2", "ph", "hba1c"])
"""Those that may have the shape of a room."""
_PERSONS = frozenset(["NAME", "INITIALS", "PATIENT", "DOCTOR", "USERNAME"])
_ROOMS = frozenset(["INTERNAL_LOCATION"])
_STREETS = frozenset(["STREET", "ADDRESS"])
"""Labels of a county road: "CR 40"."""

_LIKE_VALUE = re.compile(
    r"(?:|.*[\s:=<>~+-])[-\u2212\u2013+]?\d{1,4}(?:[.,]\d{1,3})?(?:[ ][A-Z])?", re.DOTALL
)
_LIKE_COUNTS = re.compile(r"\d{1,2}\.\d/\d{2}")  # of a blood count: "8.2>11.4/34<180"
_VALUE, _COUNTS = "\0value", "\0counts"
_NUMBER = re.compile(r"(?!0\d)\d{1,4}(?:[.,]\d{1,3})?")
_REST = re.compile(r"[.,]\d{1,3}(?!\d)|")
_MINUS = ("-", "\u2212", "\u2013")
_LINKS = " \t:=<>~+"
_DIFFERENTIAL = re.compile(r"\d%?,? L[ :]\Z")
_SAID = frozenset(["was", "is", "nu", "now", "of"])
_LINK = re.compile(
    r"\+{0,2}[ \t]*(?:[:=<>~][ \t]*)?[-\u2212\u2013]?(?=\d)|[ \t]+(?:was|is|nu|now)[ \t]+(?=\d)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"[-./,:]\d|/|[ \t]*(?:[:=](?!\w)|[-–]?(?:jaar|jarige?|jr|j\b|years?|yrs?|y/?o\b|y\.o|days?|"
    r"dagen|"
    r"weeks?|weken|wks?|months?|maanden|mnd|mo\b|hours?|hrs?|uur|u\b|h\b|am\b|pm\b|jan|feb|m(?:aa)?rt|"
    r"apr|mei|may|jun|jul|aug|sep|okt|oct|nov|dec|(?:19|20)\d\d\b))|[ ]\d{1,3}[.,]\d",
    re.IGNORECASE,
)
"""What follows a day, an age or a time, and no value: "Hb 11.4: 6,2", "Na 104 jaar"."""
_OF_PLACES = re.compile(
    r"(?<!\w)(?:kamer|kmr|afd(?:eling)?|vpa|route|poli|bed|box|gang|balie|lokaal|ruimte|locatie|etage|"
    r"verdieping|gebouw|naar|op|van|vanaf|te|sein|tst|toestel|tel|room|rm|ward|unit|floor|bldg|"
    r"building|wing|clinic|suite|desk|to|from|in|at|ext|pager|nr|no|id)[.:]?[ \t]*\Z",
    re.IGNORECASE,
)


class _Told(NamedTuple):
    """An abbreviation, where it begins, and whether "was" stands behind it."""

    name: str
    start: int
    is_said: bool


def may_be_lab_value(mention: str) -> bool:
    """Tell whether a mention has the shape of a value, or ends with what may be measured."""
    return bool(_shape(mention))


def spare_lab_value(text: str, span: Span) -> Span | None:
    """Return a span, or what is left of it: None where it is a value, or told before one.

    A person that ends with an abbreviation of what is measured is cut short before it.
    """
    shape = _shape(text[span.start : span.end])
    if shape == _VALUE:
        return None if _is_value(text, span) or _is_share(text, span) else span
    if shape == _COUNTS:
        is_told = text[span.end : span.end + 1] == "<" and text[span.start - 1 : span.start] == ">"
        return None if is_told else span
    if not shape or not _is_before_value(text, span, shape):
        return span
    rest = text[span.start : span.end - len(shape)].rstrip(" ,")
    return replace(span, end=span.start + len(rest)) if rest else None


@text_cache(8192)
def _shape(mention: str) -> str:
    """Return the abbreviation at the end of a mention, `_VALUE` for a value, `_COUNTS`, or ""."""
    if len(mention) > _LONGEST:
        return ""
    word = mention[max(mention.rfind(" "), mention.rfind(",")) + 1 :]
    if word.lower() in _LIMITS:
        return word
    if not (mention[-1].isdecimal() or mention[-3:-2].isdecimal()):
        return ""
    if _LIKE_VALUE.fullmatch(mention):
        return _VALUE
    return _COUNTS if _LIKE_COUNTS.fullmatch(mention) else ""


def _is_value(text: str, span: Span) -> bool:
    """Tell whether a span is a value, or the end of one, with its abbreviation or without."""
    begin = end = span.end if text[span.end - 1].isdecimal() else span.end - 2
    while begin and (text[begin - 1].isdecimal() or text[begin - 1] in ".,"):
        begin -= 1
    told = _told_before(text, begin)
    if told is None or told.start > span.start:
        return False
    rest = _REST.match(text, end)
    return _fits(text, told, (begin, end if rest is None else rest.end()), span.label)


def _is_share(text: str, span: Span) -> bool:
    """Tell whether a span is of a blood count: "N 88 L 8 M 3"."""
    return (
        span.label == "AGE"
        and text.startswith("L", max(0, span.start - 2))
        and _DIFFERENTIAL.search(text, max(0, span.start - 8), span.start) is not None
    )


def _told_before(text: str, place: int) -> _Told | None:
    """Return the abbreviation right before a value, None for another word."""
    before = text[max(0, place - _AROUND) : place]
    if before.endswith(_MINUS) and before[-2:-1] in (" ", "=", ":"):  # none joins: "EF-31"
        before = before[:-1]
    before = before.rstrip(_LINKS)
    name = _last_word(before)
    is_said = name.lower() in _SAID
    if is_said:
        before = before[: -len(name)].rstrip(" \t")
        name = _last_word(before)
    if name.lower() not in _LIMITS:
        return None
    start = max(0, place - _AROUND) + len(before) - len(name)
    return _Told(name, start, is_said)


def _last_word(text: str) -> str:
    begin = len(text)
    while begin and (text[begin - 1].isalnum() or text[begin - 1] in "-_/'’."):
        begin -= 1
    return text[begin:].lstrip("-")


def _is_before_value(text: str, span: Span, name: str) -> bool:
    """Tell whether a value follows the abbreviation with which a person or a room ends."""
    key = name.lower()
    if span.label not in _PERSONS and (span.label not in _ROOMS or key not in _NOWHERE):
        return False
    link = _LINK.match(text, span.end)
    number = _NUMBER.match(text, link.end()) if link is not None else None
    if link is None or number is None:
        return False
    if number[0].isdecimal() and span.label in _PERSONS and key not in _NOBODY:
        return False
    told = _Told(name, span.end - len(name), link[0].strip().isalpha())
    return _fits(text, told, number.span(), span.label)


def _fits(text: str, told: _Told, value: tuple[int, int], label: str) -> bool:
    """Tell whether what is measured so may have the value, and nothing speaks against it."""
    begin, end = value
    if _NUMBER.fullmatch(text, begin, end) is None or _GOES_ON.match(text, end):
        return False
    key, number = told.name.lower(), text[begin:end].replace(",", ".")
    low, high, is_decimal = _LIMITS[key]
    size = float(number) * (-1 if low < 0 and text.endswith(_MINUS, 0, begin) else 1)
    if not low <= size <= high or (is_decimal and "." not in number):
        return False
    if (
        (label in _STREETS and key == "cr")
        or (told.is_said and key in _UNSAID)
        or (key in _AS_WRITTEN and told.name.islower())
    ):
        return False
    if (label == "AGE" and key in _NO_AGES) or (label in DATES and key in _NO_DAYS):
        return told.name == "Ca" or size > 31  # "WILL BE 30", "CA 8.9", "Sat 12.4"
    return len(key) > 2 or not _OF_PLACES.search(text, max(0, told.start - _AROUND), told.start)


_LIMITS = {
    name.rstrip("."): (low, high, name.endswith("."))
    for (low, high), names in _RANGES.items()
    for name in names.split()
}
