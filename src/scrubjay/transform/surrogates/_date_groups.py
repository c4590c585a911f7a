"""What one date of a mention consists of: tokens, by their numbers in the mention."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrubjay.transform.surrogates._date_tokens import Token

_PIVOT = 50  # a year of two digits lies in 1950 to 2049
CROSSING = 20
"""A range of days that goes back by more crosses the end of a month: 30-1/5."""


@dataclass(slots=True)
class Group:
    """Tokens that tell one date or several days of one month, by their numbers in the mention.

    `kind`: date, season, holiday, week, quarter, decade, compact (one number that holds all, by
    `layout`), or odd (numbers that tell no date). `main` is the token of a season, a holiday, a
    week, a quarter, a decade or a compact date. `numeric` tells that the month is a number, and
    `early` how many of its first days belong to the month before it: the 30 of 30-1/5.
    """

    kind: str
    days: list[int] = field(default_factory=list)
    month: int | None = None
    year: int | None = None
    main: int | None = None
    numeric: bool = False
    month_first: bool = False
    layout: str = ""
    odd: list[int] = field(default_factory=list)
    year_value: int | None = None
    early: int = 0

    @property
    def first(self) -> int:
        """The number of its first token."""
        return min(self.tokens())

    def tokens(self) -> list[int]:
        """Return the numbers of its tokens."""
        single = [n for n in (self.month, self.year, self.main) if n is not None]
        return [*self.days, *single, *self.odd]


def month_of_day(tokens: list[Token], group: Group, place: int, year: int) -> tuple[int, int]:
    """Return year and month of a day of a group that has a month, by its place in `days`."""
    month = 1 if group.month is None else tokens[group.month].value
    if place >= group.early:
        return year, month
    return (year, month - 1) if month > 1 else (year - 1, 12)


def full_year(token: Token) -> int:
    """Return the year that a token tells, a year of two digits in 1950 to 2049."""
    if token.kind == "number" and len(token.text) == 2:
        return token.value + (1900 if token.value >= _PIVOT else 2000)
    return token.value


def year_value(tokens: list[Token], group: Group) -> int | None:
    if group.kind == "compact" and group.main is not None:
        return compact_fields(tokens[group.main], group.layout).get("Y")
    return None if group.year is None else full_year(tokens[group.year])


def compact_fields(token: Token, layout: str) -> dict[str, int]:
    """Return the fields of a compact date such as 20120506, by the letters of its layout."""
    fields: dict[str, str] = {}
    for letter, digit in zip(layout, token.text, strict=False):
        fields[letter] = fields.get(letter, "") + digit
    values = {letter: int(digits) for letter, digits in fields.items()}
    if len(fields.get("Y", "")) == 2:
        values["Y"] += 1900 if values["Y"] >= _PIVOT else 2000
    return values
