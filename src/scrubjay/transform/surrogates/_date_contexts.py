"""What the dates of a document tell of each other: years, months, leading zeros."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import MINYEAR

from scrubjay.transform.surrogates._date_groups import CROSSING
from scrubjay.transform.surrogates._date_mentions import Day, Reading, whole_day
from scrubjay.transform.surrogates._holidays import Context
from scrubjay.transform.surrogates._named_times import OutOfReachError, move_day

_DEFAULT_YEAR = 2001
_RECENT_YEARS = 3
"""How many years before the latest whole date of a text others still tell the year of the rest."""
_NEVER = 2299
"""The last year that is told of a day: later ones are written for "never"."""
_FAR_OFF = 2036
"""From this year on, two digits rather tell of a birth a century before."""
_RANGE = re.compile(
    r"[ ]?(?:t/?m|tot(?: en met)?|[-–—]|to|until|till|thru|through|al?|hasta(?: el)?|and|y|en|&)"
    r"[ ]?",
    re.IGNORECASE,
)
_HALF_YEAR = 6 * 31
"""Days after which another year is nearer, of months of 31 days."""


def paddings(readings: Sequence[Reading]) -> dict[tuple[str, bool, bool], bool]:
    """Return whether the document writes leading zeros, by the shape of its dates."""
    found: dict[tuple[str, bool, bool], bool] = {}
    for reading in readings:
        for key, padded in reading.paddings:
            if padded is not None:
                found.setdefault(key, padded)
    return found


def new_years(readings: Sequence[Reading], days: int) -> dict[int, int]:
    """Return the new years of those years that stand alone and are the year of whole dates, too.

    They go where those dates go, if all go to one year, and that is another year.
    """
    alone = {
        group.year_value
        for reading in readings
        for group in reading.groups
        if group.kind == "date" and group.month is None and not group.days
    }
    found: dict[int, set[int]] = {}
    for reading in readings if alone else ():
        for group in reading.groups:
            day = whole_day(reading.tokens, group)
            if day is not None and day[0] in alone:
                try:
                    found.setdefault(day[0], set()).add(move_day(*day, days).year)
                except OutOfReachError:
                    continue
    return {year: min(new) for year, new in found.items() if len(new) == 1 and new != {year}}


@dataclass(frozen=True, slots=True)
class WholeDays:
    """The whole dates of a document: one for each mention, None for a mention without.

    `recent` has those that tell the years of other dates. Those of `past` do not: births, history.
    """

    recent: Sequence[Day | None]
    past: frozenset[Day]

    def without(self, past: frozenset[Day]) -> list[Day | None]:
        """Return the recent ones that are none of these days."""
        return [None if day in past else day for day in self.recent]


def whole_days(readings: Sequence[Reading]) -> WholeDays:
    """Return the whole dates of a document, those long before its latest one as past."""
    whole = [None if r.whole is None or r.whole[0] > _NEVER else r.whole for r in readings]
    far = [r.is_short and r.whole is not None and r.whole[0] >= _FAR_OFF for r in readings]
    pairs = list(zip(whole, far, strict=True))
    sure = max([day[0] for day, late in pairs if day and not late], default=0)
    recent = whole
    if sure and True in far:
        most = sure + _RECENT_YEARS
        recent = [None if day and late and day[0] > most else day for day, late in pairs]
    latest = max([day[0] for day in recent if day is not None], default=0)
    recent = [None if day is None or day[0] < latest - _RECENT_YEARS else day for day in recent]
    return WholeDays(recent, frozenset([day for day in whole if day]) - frozenset(recent))


def share_days(documents: Sequence[WholeDays]) -> list[Sequence[Day | None]]:
    """Return the whole dates of each document of a record that tell the years of the rest.

    What is past in one is so in all, unless no document has another. One without any has for each
    mention the last of the nearest document before it, else the first of the nearest behind it.
    """
    past = frozenset[Day]().union(*[each.past for each in documents])
    own: list[Sequence[Day | None]] = [each.without(past) for each in documents]
    if not any(any(days) for days in own):
        own = [each.recent for each in documents]
    near = next((day for days in own for day in days if day), None)
    found: list[Sequence[Day | None]] = []
    for days in own:
        found.append(days if any(days) else [near] * len(days))
        near = next((day for day in reversed(days) if day), near)
    return found


def contexts_of(readings: Sequence[Reading], whole: Sequence[Day | None] | None) -> list[Context]:
    """Return for each mention the year and the month of the dates around it.

    `whole` are the whole dates that tell years, one or none for each mention, where those are not
    the document's own recent ones (`share_days`).

    The year is the one that brings the mention nearest to a whole date: the last one before, else
    the first after. Whole dates long before the latest one count only where there is no other:
    births, history. So does a year of two digits that would be far off: "30 May 49" is a birth.
    Where there is no whole date, it is that of the last mention before with a year, else of the
    first after. The month serves a day on its own: that of the next mention
    where its days come later, else of the one before.
    """
    if whole is None:
        whole = whole_days(readings).recent
    near = next((day for day in whole if day is not None), None)
    year = next((each.year for each in readings if each.year is not None), _DEFAULT_YEAR)
    contexts: list[Context] = []
    for index, reading in enumerate(readings):
        year = reading.year or year
        near = whole[index] or near
        own = reading.year or (year if near is None else _year_beside(near, reading.open_day))
        contexts.append((own, _open_month(readings, index) if reading.lacks_month else None))
    return contexts


def _year_beside(near: Day, day: tuple[int, int] | None) -> int:
    """Return the year in which a month and a day are nearest to a whole date, its own if none."""
    year, month, number = near
    if day is None:
        return year
    months = (day[0] - month) * 31 + day[1] - number
    return max(year + (months < -_HALF_YEAR) - (months > _HALF_YEAR), MINYEAR)


def ranges_of(texts: Sequence[str], readings: Sequence[Reading], around: str) -> list[int]:
    """Return the places of days without a month from which on a range goes to the next mention.

    "4 t/m 18 mrt" is one where 4 and 18 mrt are two mentions of the text `around`.
    """
    found: list[int] = []
    position = 0
    for place, (text, reading) in enumerate(zip(texts, readings, strict=True)):
        start = around.find(text, position)
        if start < 0:
            continue
        position = start + len(text)
        if place + 1 == len(texts) or not reading.lacks_month or len(reading.groups) != 1:
            continue
        link = _RANGE.match(around, position)
        if link is not None and around.startswith(texts[place + 1], link.end()):
            found.append(place)
    return found


def _open_month(readings: Sequence[Reading], index: int) -> int | None:
    def month_and_day(reading: Reading) -> tuple[int, int] | None:
        for group in reading.groups:
            if group.kind == "date" and group.month is not None and group.days:
                tokens = reading.tokens
                return tokens[group.month].value, tokens[group.days[0]].value
        return None

    own = next(
        readings[index].tokens[g.days[0]].value
        for g in readings[index].groups
        if g.days and g.month is None
    )
    following = next((r for r in readings[index + 1 :] if not r.lacks_month), None)
    after = month_and_day(following) if following is not None else None
    if after is not None and after[1] > own:
        return after[0]
    for place in range(index - 1, -1, -1):
        before = month_and_day(readings[place])
        if before is not None:
            return before[0]
    if after is not None and own - after[1] > CROSSING:
        return (after[0] - 2) % 12 + 1  # 30-1/5/21 as two mentions
    return after[0] if after is not None else None
