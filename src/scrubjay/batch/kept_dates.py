"""Kept columns of tables that look to hold dates: beside a shifted date they show the shift.

The day of a note is often told in its text, too. Where the text's dates are shifted and a column
with the day goes out as it is, the two together tell by how many days, for all of that patient.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from scrubjay.batch.metadata import COLUMNS, NAMES, told_columns, value_as_text
from scrubjay.document import Document

DATE_SHARE = 0.8
"""The share of values that look like dates from which on a column looks to hold them."""
LOOKED_AT = 100
"""How many values of a column, that are not empty, are looked at."""
_ROWS = 1000
_LONGEST = 64
"""Characters of a date with its time of day at most: what is longer is a text."""

_YEAR = r"(?:18|19|20|21)[0-9]{2}"
_SHORT_YEAR = rf"(?:{_YEAR}|[0-9]{{2}})"
_DAY, _MONTH = r"(?:0?[1-9]|[12][0-9]|3[01])", r"(?:0?[1-9]|1[0-2])"
_STEMS = "jan ene feb mar maa mrt apr abr may mei jun jul aug ago sep oct okt nov dec dic"
_NAME = rf"(?:{'|'.join(_STEMS.split())})[a-z]*\.?"
_CLOCK = r"(?:(?:T|,?[ ])[0-9]{1,2}:[0-9]{2}.*)?"
_DAYS = "mon tue wed thu fri sat sun lun mar mi[eé] jue vie s[aá]b dom ma di wo do vr za zo"
_WEEKDAY = rf"(?:(?:{'|'.join(_DAYS.split())})[^\W\d_]{{0,9}}[.,]{{0,2}}[ ])?"
_DATE = re.compile(
    rf"""\s*{_WEEKDAY}(?:
        {_YEAR}([-/.]){_MONTH}\1{_DAY}
        | {_DAY}([-/.]){_MONTH}\2{_SHORT_YEAR} | {_MONTH}([-/.]){_DAY}\3{_SHORT_YEAR}
        | {_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:T?[0-2][0-9](?:[0-5][0-9]){{1,2}})?
        | {_DAY}(?:st|nd|rd|th)?[\ \-/.,]*(?:de[ ])?{_NAME}[\ \-/.,]*(?:de[ ])?{_SHORT_YEAR}
        | {_NAME}[\ \-]?{_DAY}(?:st|nd|rd|th)?,?[\ \-]{_SHORT_YEAR}
    ){_CLOCK}\s*""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class DateColumn:
    """A kept column whose values look like dates.

    `told` is its name, or the pattern that keeps it where that is no name to show.
    """

    told: str
    is_name: bool
    dates: int
    looked: int

    def describe(self) -> str:
        """Return a warning that says what it shows, and what to do."""
        which = f"the kept column {self.told!r}" if self.is_name else (
            f"a column that --keep-column {self.told!r} keeps"
        )  # fmt: skip
        todo = f"Leave --keep-column {self.told} out" if self.is_name else "Name others to keep"
        return (
            f"warning: {which} looks to hold dates ({self.dates:,} of {self.looked:,} values "
            "looked at), which go out as they are, while those of the texts are shifted: where a "
            f"text tells the same day, the row shows by how many days. {todo}, or keep a column "
            "with the year alone"
        )


def looks_like_date(value: str) -> bool:
    """Tell whether a value is a whole date, with a time of day or without: 2019-05-03, 3 May 2019.

    A year or a month alone is none.
    """
    return len(value) <= _LONGEST and _DATE.fullmatch(value) is not None


def date_columns(documents: Iterable[Document], patterns: tuple[str, ...]) -> list[DateColumn]:
    """Return the columns that patterns keep, beside id and texts, which look to hold dates.

    Rows are read until each column was looked at enough, or a thousand; where they cannot be read
    on, those before count: the run itself will tell of the error.
    """
    looked: Counter[str] = Counter()
    dates: Counter[str] = Counter()
    told: dict[str, str] = {}
    with suppress(Exception):
        for document in islice(documents, _ROWS):
            columns = document.metadata.get(COLUMNS)
            if not isinstance(columns, Mapping):
                continue
            own = _own(document)
            kept = [each for each in told_columns(tuple(columns), patterns) if each[0] not in own]
            told |= dict(kept)
            waiting = [name for name, _ in kept if looked[name] < LOOKED_AT]
            if kept and not waiting:
                break
            for name in waiting:
                with suppress(UnicodeDecodeError, LookupError):  # as `kept_values`
                    if value := value_as_text(columns[name]).strip():
                        looked[name] += 1
                        dates[name] += looks_like_date(value)
    return [
        DateColumn(shown, shown == name, dates[name], looked[name])
        for name, shown in told.items()
        if looked[name] and dates[name] >= DATE_SHARE * looked[name]
    ]


def _own(document: Document) -> set[str]:
    """Return the columns of the id and the texts of a document."""
    names = document.metadata.get(NAMES)
    if not isinstance(names, Mapping):
        return set()
    return {str(names.get(key)) for key in ("id", "text")} | set(names.get("more", ()))
