"""Days in numbers alone, as most dates of notes are, read at a look: 03/04/2012, 3-4-12, 24.12."""

from __future__ import annotations

import re

from scrubjay.transform.surrogates._date_groups import Group, full_year
from scrubjay.transform.surrogates._date_tokens import Token

_DAY = re.compile(r"([0-9]{1,2})([/.-])([0-9]{1,2})(?:\2([0-9]{4}|[0-9]{2}))?")

Shape = tuple[tuple[str, bool, bool], bool | None]
"""The shape of a date, and whether it has leading zeros (`_date_mentions.Reading.paddings`)."""


def read_numbers(text: str, *, day_first: bool) -> tuple[list[Token], Group, Shape] | None:
    """Return the tokens, the one date and the shape of a mention of a day in numbers.

    None for all others, and where neither order makes it a day of a month.
    """
    found = _DAY.fullmatch(text)
    if found is None:
        return None
    one, mark, two, year = found.groups()
    first, second = int(one), int(two)
    if day_first:
        month_first = not (1 <= first <= 31 and 1 <= second <= 12)
    else:
        month_first = 1 <= first <= 12 and 1 <= second <= 31
    day, month = (second, first) if month_first else (first, second)
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return None
    tokens = [Token("number", one, first), Token("sep", mark), Token("number", two, second)]
    group = Group(
        "date", [2 if month_first else 0], 0 if month_first else 2,
        numeric=True, month_first=month_first,
    )  # fmt: skip
    if year is not None:
        value = int(year)
        if len(year) == 4 and not 1000 <= value <= 2999:
            return None
        tokens += (Token("sep", mark), Token("number", year, value))
        group.year = 4
        group.year_value = full_year(tokens[4])
    padded = True if one[0] == "0" or two[0] == "0" else False if len(one + two) < 4 else None
    return tokens, group, ((mark, year is not None, True), padded)
