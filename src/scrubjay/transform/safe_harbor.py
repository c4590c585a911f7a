"""What HIPAA's Safe Harbor lets stay of ages, dates and ZIP codes: 45 CFR 164.514(b)(2)(i).

    safe-age    an age up to 89 as it is, else `90+`
    safe-date   the year alone, and not even that where it tells an age over 89
    safe-zip    three digits of a ZIP code, `000` where 20,000 people or fewer live there

What cannot be read for sure becomes a placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import ClassVar

from scrubjay.errors import ConfigError
from scrubjay.resources import load_table
from scrubjay.transform._ages import age_words, safe_age
from scrubjay.transform._years import full_years, latest_year, tells_old_age, written_years
from scrubjay.transform.operators import (
    NUMBERED,
    Mention,
    Placeholder,
    Record,
    require_fields,
)
from scrubjay.transform.plain_mentions import has_name_behind_age

CENSUSES = ("2000", "2010", "2020")
_UNION = "union"
_ZIP = re.compile(r"(\s*)([0-9]{3})(?:[0-9]{2}(?:[-–\s]?[0-9]{4})?)?(\s*)")
_DIGITS = re.compile(r"\d")
_BEFORE, _AFTER = 40, 24  # characters around a mention that tell what it is
_EARLIEST, _LATEST = 1900, 2200


@dataclass(frozen=True, slots=True)
class SafeAge:
    """Leaves an age up to 89 as it is and gives `oldest` for any other, in words too.

    "nonagenarian" and "95-year-old" become "90+" and "90+-year-old". A mention that holds more
    than an age, or an age that cannot be read, becomes a placeholder by `template`.
    """

    oldest: str = "90+"
    template: str = NUMBERED
    name: ClassVar[str] = "safe-age"

    def __post_init__(self) -> None:
        Placeholder(self.template)

    def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
        """Return what may stand in the place of each age."""
        texts = [
            safe_age(
                mention.text,
                after=record.text[mention.span.end : mention.span.end + _AFTER],
                language=record.language,
                oldest=self.oldest,
            )
            if not has_name_behind_age(mention.text, record.language)
            else None
            for mention in mentions
        ]
        return _or_placeholders(texts, mentions, record, template=self.template)


@dataclass(frozen=True, slots=True)
class SafeDate:
    """Leaves the year of a date, in full and written by `year`, unless it tells an age over 89.

    The age is counted up to the year `reference`, or up to the latest year of the record where
    that is later; 0 becomes the year in which the operator is made, so that it is told like any
    other parameter. Two digits stand for the latest year that the record
    allows; behind "born" they may also mean one a hundred years before, and then go. A date
    without a year that may stay becomes a placeholder by `template`.
    """

    reference: int = 0
    template: str = NUMBERED
    year: str = "{year}"
    name: ClassVar[str] = "safe-date"

    def __post_init__(self) -> None:
        Placeholder(self.template)
        require_fields(self.year, {"year"}, operator=self.name, parameter="year")
        if self.reference and not _EARLIEST <= self.reference <= _LATEST:
            raise ConfigError(
                f"the reference of the operator 'safe-date' must be a year from {_EARLIEST} to "
                f"{_LATEST}, or 0 for the year of the run"
            )
        object.__setattr__(self, "reference", self.reference or datetime.now(UTC).year)

    def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
        """Return what may stand in the place of each date."""
        latest = latest_year((mention.text for mention in mentions), today=self.reference)
        pivot = self.reference if latest is None else latest
        reference = max(self.reference, pivot)
        texts: list[str | None] = []
        for mention in mentions:
            start = mention.span.start
            # What stands before another number belongs to that.
            before = _DIGITS.split(record.text[max(0, start - _BEFORE) : start])[-1]
            years = full_years(mention.text, pivot=pivot, language=record.language)
            old = tells_old_age(
                years,
                reference=reference,
                short=bool(written_years(mention.text, record.language)[1]),
                birth=age_words().birth.search(before) is not None,
            )
            told = "-".join(map(str, years))
            texts.append(None if old or not years else self.year.format(year=told))
        return _or_placeholders(texts, mentions, record, template=self.template)


@dataclass(frozen=True, slots=True)
class SafeZip:
    """Leaves the first three digits of a ZIP code, or `000` where few people live.

    Few are 20,000 or fewer in the `census` ("2000", "2010", "2020"), by default in any of them
    ("union"). A mention that is no ZIP code alone becomes a placeholder by `template`, and so
    does any in a record of another language than English: the table is of the United States.
    """

    census: str = _UNION
    template: str = NUMBERED
    name: ClassVar[str] = "safe-zip"

    def __post_init__(self) -> None:
        Placeholder(self.template)
        restricted_zips(self.census)

    def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
        """Return what may stand in the place of each ZIP code."""
        restricted = restricted_zips(self.census)
        texts: list[str | None] = []
        for mention in mentions:
            match = _ZIP.fullmatch(mention.text)
            if match is None or record.language not in ("", "en"):
                texts.append(None)
            else:
                area = "000" if match[2] in restricted else match[2]
                texts.append(f"{match[1]}{area}{match[3]}")
        return _or_placeholders(texts, mentions, record, template=self.template)


@cache
def restricted_zips(census: str) -> frozenset[str]:
    """Return the three-digit ZIP areas of 20,000 people or fewer, in a census or in any.

    Raises `ConfigError` for a census without a table.
    """
    if census == _UNION:
        return frozenset().union(*map(restricted_zips, CENSUSES))
    if census not in CENSUSES:
        raise ConfigError(
            f"there is no ZIP table of the census {census!r}",
            hint=f"Known: {', '.join(CENSUSES)}, and {_UNION} for all of them together",
        )
    return frozenset(load_table("zip", f"{census}.toml")["restricted"])


def _or_placeholders(
    texts: Sequence[str | None], mentions: Sequence[Mention], record: Record, *, template: str
) -> list[str]:
    """Return the texts, with a placeholder for each mention that has none."""
    missing = [mention for mention, text in zip(mentions, texts, strict=True) if text is None]
    placeholders = iter(Placeholder(template).replace_all(missing, record))
    return [next(placeholders) if text is None else text for text in texts]
