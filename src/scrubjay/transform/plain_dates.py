"""Which order the numbers of whole dates have in a text as it is: seen by their form alone.

It asks no model, so that many texts can be looked at before a run (`scrubjay.batch.date_look`).
Only numbers count that hardly can be anything else: day, month and year, parted by the same mark.
"""

from __future__ import annotations

import re
from typing import Final

DAY_FIRST: Final = "dmy"
MONTH_FIRST: Final = "mdy"
BOTH: Final = "both"

# It begins with digits, which are found fast; what stands before them is looked at afterwards. With
# dots the year has four digits: 10.13.12 may be a version, or the number of a paragraph.
_WHOLE = re.compile(
    r"[0-9]{1,2}(?:([/-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})|\.[0-9]{1,2}\.[0-9]{4})"
    r"(?![./-]*[0-9])",
    re.ASCII,
)
_NUMBER = re.compile(r"[0-9]+", re.ASCII)
_MARKS = frozenset("./-")
_DIGITS = frozenset("0123456789")
_PARTS = _MARKS | _DIGITS
_YEARS = range(1850, 2151)


def plain_order(text: str) -> str:
    """Return the order that the dates of a text leave no doubt of: "dmy", "mdy", or "both".

    "" where none is such: 25/12/2020 is, 3/4/2021 may be either.
    """
    orders = set()
    for match in _WHOLE.finditer(text):
        start = match.start()
        before = text[max(0, start - 2) : start]
        # A single mark may be that of a list: "-25/12/2020: seen".
        if before[-1:] in _DIGITS or (before[-1:] in _MARKS and before[:-1] in _PARTS):
            continue
        *numbers, year = _NUMBER.findall(match.group())
        if len(year) > 2 and int(year) not in _YEARS:
            continue
        one, two = map(int, numbers)
        if 12 < one <= 31 and 1 <= two <= 12:
            orders.add(DAY_FIRST)
        elif 12 < two <= 31 and 1 <= one <= 12:
            orders.add(MONTH_FIRST)
    return BOTH if len(orders) > 1 else orders.pop() if orders else ""
