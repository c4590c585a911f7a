"""Years in dates as they are written, and whether a year tells an age over 89 (Safe Harbor).

45 CFR 164.514(b)(2)(i)(C): of a date only the year may stay, and not even that where it tells an
age over 89: a birth year does, and so does any year that long ago.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scrubjay.transform.surrogates.parsed_dates import parse_date

_YEAR = r"(?:1[89]|2[01])\d\d"
_NUMERIC = re.compile(r"(?<!\d)(\d{1,4})\s?([./\-–])\s?(\d{1,2})\s?\2\s?(\d{1,4})(?!\d)")
_ISO = re.compile(rf"(?<!\d)({_YEAR})(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)")
_SHORT = re.compile(r"(?<![\w'’])['’](\d\d)(?!\d|s\b)")
# Four digits alone, or the first year of a decade; not an hour ("2015 hrs") nor a decimal.
_WHOLE = re.compile(
    rf"(?<!\d)(?<!\d[.:])({_YEAR})(?P<decade>['’]?s\b)?"
    r"(?!\d|[:.]\d|\s*(?:h|hrs?|hours?|uur|horas?)\b)",
    re.IGNORECASE,
)
_ANY_YEAR = re.compile(_YEAR)
_DIGIT = re.compile(r"\d")
_DAYS = 31
AGE_LIMIT = 89
_LONGEST_LIFE = 120


def written_years(text: str, language: str = "") -> tuple[list[int], list[int]]:
    """Return the years of a date that are written out, and those of which two digits are.

    In the order of the text. Numbers that a date does not need for its year are not looked at.
    `language` reads the months of a date whose year is not plain without them: "4 March 98".
    """
    whole: list[int] = []
    short: list[int] = []
    for match in _NUMERIC.finditer(text):
        first, middle, last = match[1], match[3], match[4]
        year, other = (first, last) if len(first) == 4 or int(first) > _DAYS else (last, first)
        if int(middle) > _DAYS or int(other) > _DAYS:
            continue  # no date: a phone number, say, of which nothing may stay
        if len(year) == 4 and _ANY_YEAR.fullmatch(year):
            whole.append(int(year))
        elif len(year) == 2 and len(other) <= 2:
            short.append(int(year))
    if not whole and not short:
        whole = [int(match[1]) for match in _ISO.finditer(text)]
        whole += [int(match[1]) for match in _WHOLE.finditer(text)]
        short = [int(match[1]) for match in _SHORT.finditer(text)]
    if not whole and not short and not _ANY_YEAR.search(text) and _DIGIT.search(text):
        date = parse_date(text, language)
        if date is not None and date.year is not None and date.kind != "decade":
            (short if date.short_year else whole).append(
                date.year % 100 if date.short_year else date.year
            )
    return whole, short


def latest_year(texts: Iterable[str], *, today: int) -> int | None:
    """Return the latest year that is written out in any of the texts, or None.

    Years more than 200 after `today` are misread or meant as "never". Records whose dates were
    moved into the future before are told by their own years.
    """
    years = [year for text in texts for year in written_years(text)[0] if year <= today + 200]
    return max(years, default=None)


def full_years(text: str, *, pivot: int, language: str) -> list[int]:
    """Return the years of a date in full, in order and each once.

    Two digits stand for the latest such year that is no later than the year after `pivot`.
    """
    whole, short = written_years(text, language)
    years = whole + [_in_full(two, pivot) for two in short]
    return list(dict.fromkeys(years))


def tells_old_age(years: Sequence[int], *, reference: int, short: bool, birth: bool) -> bool:
    """Tell whether any of the years may mean an age over 89 in the year `reference`.

    A person born in a year is at most as old as the years that lie between. `short` says that
    the century was not written: then the year of a `birth` may be one a hundred years before.
    """
    for year in years:
        if reference - year > AGE_LIMIT:
            return True
        if short and birth and reference - (year - 100) <= _LONGEST_LIFE:
            return True
    return False


def _in_full(two: int, pivot: int) -> int:
    year = pivot // 100 * 100 + two
    return year - 100 if year > pivot + 1 else year
