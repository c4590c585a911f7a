"""Kept columns of tables that look to hold dates, beside texts whose dates are changed.

The day of a note is often told in its text, too. Where the text's dates are shifted and a column
with the day goes out as it is, the two together tell by how many days, for all of that patient.
Where no more than years may stay (HIPAA's Safe Harbor), the column holds what may not.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from scrubjay.batch.metadata import told_columns, value_as_text
from scrubjay.corpora.metadata import COLUMNS_KEY, NAMES_KEY
from scrubjay.document import Document
from scrubjay.transform.date_orders import leaves_years, shifts_dates
from scrubjay.transform.policy import Policy

DATE_SHARE = 0.8
"""The share of values that look like dates from which on a column looks to hold them."""
LOOKED_AT = 100
"""How many values of a column, that are not empty, are looked at."""
Reason = Literal["shifted", "years"]
"""What becomes of the dates of texts, so that a column of days should not stay beside them."""

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


_NUMBER = re.compile(
    r"""\s*(?: [1-6][0-9]{4}(?:[.,][0-9]+)? | 1?[0-9]{9}(?:\.[0-9]+)? | 1?[0-9]{12} )\s*""",
    re.VERBOSE,
)
_DATE_NAME = re.compile(
    r"""(?i:(?<!candi)date|datum|fecha|timestamp|tijdstip|geboren|nacimiento|birth|admi(?:tted|ssion)
        |discharged|(?<![a-z])(?:dob|dt|day|time|dia|día|dag)(?![a-z]))
    |(?<=[a-z])(?:Dt|DT|Day|Time)(?![a-z])""",
    re.VERBOSE,
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

    def describe(self, reason: Reason = "shifted") -> str:
        """Return a warning that says what it shows, and what to do."""
        which = f"the kept column {self.told!r}" if self.is_name else (
            f"a column that --keep-column {self.told!r} keeps"
        )  # fmt: skip
        named = f"Leave --keep-column {shlex.quote(self.told)} out"
        todo = named if self.is_name else "Name others to keep"
        return (
            f"warning: {which} looks to hold dates ({self.dates:,} of {self.looked:,} values "
            f"looked at), which go out as they are, while {_SO[reason]}. {todo}, or keep a column "
            "with the year alone"
        )


def describe_type(name: str, type: str, reason: Reason) -> str:
    """Return a warning of a kept column whose type says that it holds days, in a frame."""
    return (
        f"the kept column {name!r} is of type {type}, and its days go out as they are, while "
        f"{_SO[reason]}. Leave it out of keep_columns, or keep a column with the year alone"
    )


def why_no_days(policy: Policy) -> Reason | None:
    """Return why days beside texts tell too much under a policy; None where they do not."""
    return "shifted" if shifts_dates(policy) else "years" if leaves_years(policy) else None


_SO: Mapping[Reason, str] = {
    "shifted": "those of the texts are shifted: where a text tells the same day, the row shows by "
    "how many days",
    "years": "no more than the years of the texts' dates may stay: days and months of a patient "
    "are identifiers under HIPAA's Safe Harbor, wherever they stand",
}


def looks_like_date(value: str) -> bool:
    """Tell whether a value is a whole date, with a time of day or without: 2019-05-03, 3 May 2019.

    A year or a month alone is none.
    """
    return len(value) <= _LONGEST and _DATE.fullmatch(value) is not None


def looks_like_day_number(value: str, column: str) -> bool:
    """Tell whether a value is a day as Excel or Unix count it, in a column named after dates.

    That is days since 1900 (43512, 43512.4375), or seconds or milliseconds since 1970. Such numbers
    alone may be of anything.
    """
    return _NUMBER.fullmatch(value) is not None and _DATE_NAME.search(column) is not None


class ColumnLook:
    """Counts which of the columns that patterns keep, beside id and texts, look to hold dates."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._patterns = patterns
        self._looked: Counter[str] = Counter()
        self._dates: Counter[str] = Counter()
        self._told: dict[str, str] = {}

    def add(self, document: Document) -> bool:
        """Take a row in; return whether each of its columns was looked at enough before."""
        columns = document.metadata.get(COLUMNS_KEY)
        if not isinstance(columns, Mapping):
            return False
        own = _own(document)
        kept = [each for each in told_columns(tuple(columns), self._patterns) if each[0] not in own]
        self._told |= dict(kept)
        waiting = [name for name, _ in kept if self._looked[name] < LOOKED_AT]
        for name in waiting:
            with suppress(UnicodeDecodeError, LookupError):  # as `kept_values`
                if value := value_as_text(columns[name]).strip():
                    self._looked[name] += 1
                    self._dates[name] += looks_like_date(value) or looks_like_day_number(
                        value, name
                    )
        return bool(kept) and not waiting

    def found(self) -> list[DateColumn]:
        """Return the columns that look to hold dates, by the rows so far."""
        return [
            DateColumn(shown, shown == name, self._dates[name], self._looked[name])
            for name, shown in self._told.items()
            if self._looked[name] and self._dates[name] >= DATE_SHARE * self._looked[name]
        ]


def date_columns(documents: Iterable[Document], patterns: tuple[str, ...]) -> list[DateColumn]:
    """Return the columns that patterns keep, beside id and texts, which look to hold dates.

    Rows are read until each column was looked at enough, or a thousand; where they cannot be read
    on, those before count: the run itself will tell of the error.
    """
    look = ColumnLook(patterns)
    with suppress(Exception):
        for document in islice(documents, _ROWS):
            if look.add(document):
                break
    return look.found()


def passing_rows(
    documents: Iterator[Document],
    patterns: tuple[str, ...],
    tell: Callable[[list[DateColumn]], None],
) -> Iterator[Document]:
    """Yield rows as they come, and tell once what `date_columns` would return of them.

    That is when enough of them have passed, or all.
    """
    look = ColumnLook(patterns)
    for document in islice(documents, _ROWS):
        enough = look.add(document)
        if enough:
            tell(look.found())
            yield document
            yield from documents
            return
        yield document
    tell(look.found())
    yield from documents


def _own(document: Document) -> set[str]:
    """Return the columns of the id and the texts of a document."""
    names = document.metadata.get(NAMES_KEY)
    if not isinstance(names, Mapping):
        return set()
    return {str(names.get(key)) for key in ("id", "text")} | set(names.get("more", ()))
