"""The groups of a mention moved by a number of days, and the mention put together again."""

from __future__ import annotations

from calendar import isleap, monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import MAXYEAR, MINYEAR, date

from scrubjay.transform.surrogates._date_groups import Group, compact_fields, month_of_day
from scrubjay.transform.surrogates._date_mentions import Reading
from scrubjay.transform.surrogates._date_phrases import FEAST
from scrubjay.transform.surrogates._date_tokens import Token, point_year
from scrubjay.transform.surrogates._date_writing import (
    gap_beside,
    is_whole_month,
    padding_key,
    put_together,
    tells_padding,
    write_day,
    write_decade,
    write_month,
    write_weekday,
    write_year,
)
from scrubjay.transform.surrogates._holidays import Context, Key, holiday_key
from scrubjay.transform.surrogates._named_times import OutOfReachError, move_day, move_named
from scrubjay.transform.surrogates._nth_weekdays import NTH, move_nths
from scrubjay.transform.surrogates.calendar_words import CalendarWords
from scrubjay.transform.surrogates.case import recase
from scrubjay.transform.surrogates.draw import Draw, fold, fold_known

_YEAR_DAYS = 365.2425
_MIDDLE = date(2001, 7, 2)
_INVALID = ("2-30", "2-31", "4-31", "6-31", "9-31", "11-31")


@dataclass(frozen=True, slots=True)
class Habits:
    """How a document writes its dates: the order of numbers, and leading zeros by shape."""

    day_first: bool
    padded: Mapping[tuple[str, bool, bool], bool]


@dataclass(frozen=True, slots=True, repr=False)
class Shifter:
    """Moves mentions by `days`; what is no date is drawn anew.

    `holidays` has the new names and years of those that are settled together (`_holidays`), and
    `years` those of years that stand alone and go with a whole date of theirs.
    """

    words: CalendarWords
    days: int
    draw: Draw
    habits: Habits
    avoid: frozenset[str]
    holidays: Mapping[Key, tuple[str, int]] = field(default_factory=dict)
    years: Mapping[int, int] = field(default_factory=dict)

    def shift(self, text: str, reading: Reading, context: Context) -> str:
        """Return the mention with all it tells moved by the days."""
        if reading.is_plain:
            result = self.shift_plain(reading, context)
            if result and fold(result) != fold_known(text):
                self.draw.sound[text] = result
                return result
        return self.shift_any(text, reading, context)

    def shift_plain(self, reading: Reading, context: Context) -> str:
        """Return what `shift_any` does for one date of one day at most, "" where that is not valid.

        Nearly all mentions are so.
        """
        tokens, groups, weekdays = reading.tokens, reading.groups, reading.weekdays
        pieces = list(reading.pieces)
        if groups and not self._plain_date(reading, context, pieces):
            return ""
        for index in weekdays:
            weekday = (tokens[index].value + self.days) % 7
            pieces[index] = write_weekday(tokens[index], weekday, self.words)
        return "".join(pieces) if groups or weekdays else ""

    def _plain_date(self, reading: Reading, context: Context, pieces: list[str]) -> bool:
        """Write the date of a plain reading, moved; tell whether it is a valid one."""
        tokens, (group,) = reading.tokens, reading.groups
        at, year = group.month, group.year_value or context[0]
        value, day = (7, 2) if at is None else (tokens[at].value, 15)
        if group.days:
            day = tokens[group.days[0]].value
        try:
            if day == 29 and value == 2 and group.year_value is None:
                while not isleap(year):
                    year -= 1
            moved = date.fromordinal(date(year, value, day).toordinal() + self.days)
            new_year = self._new_year(year) if _is_lone_year(group) else moved.year
        except (ValueError, OverflowError, OutOfReachError):
            return False
        key, pad = reading.paddings[0]
        if pad is None:
            pad = self._pads_by_habit(key)
        if at is not None:
            pieces[at] = write_month(tokens, at, moved.month, pad=pad)
            if tokens[at].word is not None and at + 1 < len(tokens):
                after = tokens[at + 1].text
                if after.startswith(". ") and is_whole_month(tokens[at], moved.month):
                    pieces[at + 1] = after[1:]
        if group.days:
            place = group.days[0]
            pieces[place] = write_day(tokens[place], moved.day, self.words, pad=pad)
        if group.year is not None:
            pieces[group.year] = write_year(tokens[group.year], new_year, self.words)
        return True

    def shift_any(self, text: str, reading: Reading, context: Context) -> str:
        """Return the mention moved, group by group, whatever it holds."""
        new: dict[int, str] = {}
        for group in reading.groups:
            try:
                self._group(reading.tokens, group, context, new)
            except OutOfReachError:
                self._odd(reading.tokens, group.tokens(), new)
        lone = [group for group in reading.groups if _is_lone_year(group)]
        if len(lone) > 1:
            self._in_step(reading.tokens, lone, new)
        for index, token in enumerate(reading.tokens):
            if token.kind in ("weekday", "letter"):
                weekday = (token.value + self.days) % 7
                new[index] = write_weekday(token, weekday, self.words)
            elif token.kind == FEAST:
                new[index] = self._drawn(token.text)
        self._in_week_order(reading.tokens, new)
        result = put_together(reading.tokens, new) if new else ""
        if not any(c.isalnum() for c in result):
            return self._drawn(text)
        if fold(result) == fold_known(text) and not self._may_stay(reading):
            return self._drawn(text)
        return result

    def first_of_range(self, reading: Reading, last: Reading, year: int) -> str:
        """Return a day with its month behind it, "" where the month of the next mention tells it.

        The mention is a day without a month from which a range goes to the first date of `last`,
        of a `year` where that has none. A month stands beside it where the range comes to lie in
        two, or where the day would stay what it is.
        """
        (own,), group = reading.groups, next((g for g in last.groups if g.kind == "date"), None)
        if group is None or group.month is None or not group.days or group.month_first:
            return ""
        if len(own.days) != 1:
            return ""
        day, month = reading.tokens[own.days[0]], last.tokens[group.month].value
        year, end = group.year_value or year, last.tokens[group.days[-1]].value
        if day.value > end:
            year, month = (year, month - 1) if month > 1 else (year - 1, 12)
        try:
            first = self._moved(year, month, day.value)
            second = self._moved(year, last.tokens[group.month].value, end)
        except (OutOfReachError, ValueError):
            return ""
        pad = self._pads(last.tokens, group)
        written = write_day(day, first.day, self.words, pad=day.text.startswith("0"))
        if first.month != second.month or first.day == day.value:
            name = write_month(last.tokens, group.month, first.month, pad=pad)
            written = gap_beside(last.tokens, group).join((written, name))
        place = own.days[0]
        return "".join(
            written if index == place else token.whole for index, token in enumerate(reading.tokens)
        )

    def _may_stay(self, reading: Reading) -> bool:
        """Tell whether a mention holds weekdays alone, and weekdays are kept."""
        return self.days % 7 == 0 and not reading.groups

    def _drawn(self, text: str) -> str:
        """Return the name of a holiday, one with the first word of the text where some have it.

        What stands before the text then fits: "el día de San Braulio", "el día de Santiago".
        """
        drawn = [holiday for holiday in self.words.holidays if holiday.drawn]
        first = fold(text).split(" ", 1)[0]
        alike = [name for holiday in drawn for _, name in holiday.behind
                 if fold(name).startswith(f"{first} ")]  # fmt: skip
        names = alike if len(alike) > 1 else [holiday.names[0] for holiday in drawn]
        avoid = self.avoid | {text}
        return recase(self.draw.choose(names, "date", fold(text), avoid=avoid), text)

    def _group(
        self, tokens: list[Token], group: Group, context: Context, new: dict[int, str]
    ) -> None:
        year = group.year_value or context[0]
        if group.kind == "date":
            self._date(tokens, group, year, context[1], new)
        elif group.kind == "compact":
            self._compact(tokens, group, new)
        elif group.kind == "odd":
            self._odd(tokens, group.odd, new)
        elif group.kind == NTH:
            try:
                nths, day = move_nths(tokens, group, year, self.words, days=self.days)
            except (ValueError, OverflowError) as error:
                raise OutOfReachError from error
            new.update(nths)
            if day is not None:
                self._write(tokens, replace(group, days=[]), [day], new)
        elif group.main is not None:
            token = tokens[group.main]
            if group.kind == "decade":
                new[group.main] = write_decade(token, 1 if self.days > 0 else -1, self.words)
                return
            new[group.main], moved = self._named(group.kind, token, year)
            if group.year is not None:
                new[group.year] = write_year(tokens[group.year], moved, self.words)

    def _named(self, kind: str, token: Token, year: int) -> tuple[str, int]:
        """Return what stands for a token that names a time of the year, and its new year."""
        if kind == "holiday":
            known = self.holidays.get(holiday_key(token, year, self.words))
            if known is not None:
                return recase(known[0], token.text), known[1]
        return move_named(kind, token, year, self.words, days=self.days)

    # --- dates of days, months and years

    def _date(
        self, tokens: list[Token], group: Group, year: int, near: int | None, new: dict[int, str]
    ) -> None:
        if group.month is None:
            if group.year is not None:
                new_year = self._shifted_year(year) if group.days else self._new_year(year)
                new[group.year] = write_year(tokens[group.year], new_year, self.words)
            # A weekday that moves tells the mention from the old one: "Sunday 28", "Monday 28".
            beside = self.days % 7 != 0 and any(t.kind in ("weekday", "letter") for t in tokens)
            for index in group.days:
                new[index] = self._lone_day(tokens[index], year, near, may_stay=beside)
            return
        month = tokens[group.month].value
        if not group.days:
            moved = self._moved(year, month, 15)
            self._write(tokens, group, [moved], new)
            return
        values = [tokens[index].value for index in group.days]
        if group.year_value is None and (month, 29) in [(2, value) for value in values]:
            while not isleap(year):
                year -= 1
        months = [month_of_day(tokens, group, place, year) for place in range(len(values))]
        if all(
            1 <= value <= monthrange(max(own[0], MINYEAR), own[1])[1]
            for own, value in zip(months, values, strict=True)
        ):
            dates = [self._moved(*own, value) for own, value in zip(months, values, strict=True)]
            self._write(tokens, group, dates, new)
        else:
            self._invalid(tokens, group, year, new)

    def _shifted_year(self, year: int) -> int:
        """Return a year moved, all by as many: as the middle of a year of 365 days moves."""
        new = year + date.fromordinal(_MIDDLE.toordinal() + self.days).year - _MIDDLE.year
        if not MINYEAR <= new <= MAXYEAR:
            raise OutOfReachError
        return new

    def _new_year(self, year: int) -> int:
        """Return the new year of one that stands alone."""
        return self.years.get(year) or self._shifted_year(year)

    def _in_step(self, tokens: list[Token], lone: Sequence[Group], new: dict[int, str]) -> None:
        """Write the years of one mention so that they stay as far apart as they were: '51-'53."""
        told = [group.year_value for group in lone if group.year_value is not None]
        known = [self.years[year] - year for year in told if year in self.years]
        for group in lone:
            if known and group.year is not None and group.year_value is not None:
                moved = min(max(group.year_value + known[-1], MINYEAR), MAXYEAR)
                new[group.year] = write_year(tokens[group.year], moved, self.words)

    def _in_week_order(self, tokens: list[Token], new: dict[int, str]) -> None:
        """Write letters of weekdays that stood in the order of the week so again: MWF, MThSa.

        Not where all of them would stay what they were, nor a range: M-F.
        """
        places = [index for index, token in enumerate(tokens) if token.kind == "letter"]
        old = [tokens[index].value for index in places]
        if old != sorted({*old}) or (len(old) == 2 and "-" in "".join(t.text for t in tokens)):
            return
        moved = sorted((value + self.days) % 7 for value in old)
        for index, weekday in zip(places, moved if moved != old else (), strict=False):
            new[index] = write_weekday(tokens[index], weekday, self.words)

    def _lone_day(self, token: Token, year: int, near: int | None, *, may_stay: bool) -> str:
        month = near or 1
        if token.value > monthrange(year, month)[1]:
            month = 1
        day = self._moved(year, month, token.value).day
        # A month of its own would tell them apart; here none stands.
        if day == token.value and not may_stay:
            day = day % 28 + 1
        pad = token.text.startswith("0")
        return write_day(token, day, self.words, pad=pad)

    def _moved(self, year: int, month: int, day: int) -> date:
        return move_day(year, month, day, self.days)

    def _write(
        self, tokens: list[Token], group: Group, dates: list[date], new: dict[int, str]
    ) -> None:
        """Write days of one month; a day that falls into another month gets its name beside it."""
        if group.month is None:
            return
        pad = self._pads(tokens, group)
        months = [write_month(tokens, group.month, each.month, pad=pad) for each in dates]
        own = 0 if group.month_first else len(dates) - 1
        for place, index in enumerate(group.days):
            text = write_day(tokens[index], dates[place].day, self.words, pad=pad)
            beside = place - 1 if group.month_first else place + 1
            if 0 <= beside < len(dates) and dates[beside].month != dates[place].month:
                gap = gap_beside(tokens, group)
                both = (months[place], text) if group.month_first else (text, months[place])
                text = gap.join(both)
            new[index] = text
        new[group.month] = months[own]
        after = group.month + 1
        if (
            is_whole_month(tokens[group.month], dates[own].month)
            and after < len(tokens)
            and tokens[after].text.startswith(". ")
        ):
            new[after] = tokens[after].text[1:]
        if group.year is not None:
            new[group.year] = write_year(tokens[group.year], dates[-1].year, self.words)

    def _pads(self, tokens: list[Token], group: Group) -> bool:
        own = tells_padding(tokens, group)
        if own is not None:
            return own
        key = padding_key(tokens, group)
        return self._pads_by_habit(key)

    def _pads_by_habit(self, key: tuple[str, bool, bool]) -> bool:
        """Tell whether a date of a shape has leading zeros, where it does not show it itself."""
        if key in self.habits.padded:
            return self.habits.padded[key]
        mark, has_year, numeric = key
        if not numeric:
            return mark == "-"
        return has_year or mark in ("-", ".")

    def _invalid(self, tokens: list[Token], group: Group, year: int, new: dict[int, str]) -> None:
        """Write another day that no month has; the year moves by whole years."""
        if group.month is None:
            return
        pad = self._pads(tokens, group)
        old = f"{tokens[group.month].value}-{max(tokens[n].value for n in group.days)}"
        pair = self.draw.choose(_INVALID, "invalid date", old, avoid={old})
        month, day = map(int, pair.split("-"))
        new[group.month] = write_month(tokens, group.month, month, pad=pad)
        largest = max(group.days, key=lambda index: tokens[index].value)
        for index in group.days:
            if index == largest:
                new[index] = write_day(tokens[index], day, self.words, pad=pad)
            else:
                value = self._other(tokens[index].value, 1, 28)
                new[index] = write_day(tokens[index], value, self.words, pad=pad)
        if group.year is not None:
            moved = min(max(year + self._years(), MINYEAR), MAXYEAR)
            new[group.year] = write_year(tokens[group.year], moved, self.words)

    def _years(self) -> int:
        """The shift in whole years, never 0."""
        return round(self.days / _YEAR_DAYS) or (1 if self.days > 0 else -1)

    def _compact(self, tokens: list[Token], group: Group, new: dict[int, str]) -> None:
        if group.main is None:
            return
        token = tokens[group.main]
        values = compact_fields(token, group.layout)
        day = values.get("D", 15)
        if day > monthrange(values["Y"], values["M"])[1]:
            self._odd(tokens, [group.main], new)
            return
        moved = self._moved(values["Y"], values["M"], day)
        short = "YYYY" not in group.layout
        year = f"{moved.year % 100:02d}" if short else f"{moved.year:04d}"
        written = group.layout.replace("YY" if short else "YYYY", year)
        written = written.replace("MM", f"{moved.month:02d}").replace("DD", f"{moved.day:02d}")
        new[group.main] = written + token.text[len(written) :] + token.suffix

    # --- what is no date

    def _odd(self, tokens: list[Token], places: list[int], new: dict[int, str]) -> None:
        """Write other numbers of the same kind: 0, up to 12, up to 31, above, years."""
        for index in places:
            token = tokens[index]
            if token.kind != "number":
                new[index] = self._drawn(token.text)
                continue
            text, size = token.text, len(token.text)
            if token.value == 0:
                new[index] = (text if size <= 2 and len(places) > 1 else "9" * size) + token.suffix
            elif size == 4 and 1000 <= token.value <= 2999:
                moved = min(max(token.value + self._years(), 1000), 9999)
                new[index] = point_year(f"{moved}") if token.pointed else f"{moved}{token.suffix}"
            elif size <= 2:
                low, high = next(
                    (low, high)
                    for low, high in ((1, 9), (10, 12), (13, 31), (32, 99))
                    if token.value <= high
                )
                number = self._other(token.value, low, high)
                new[index] = f"{number:0{size}d}{token.suffix}"
            else:
                new[index] = self._other_digits(text) + token.suffix

    def _other(self, value: int, low: int, high: int) -> int:
        """Return another number of the range, drawn."""
        step = self.draw.whole(1, high - low, "date number", str(value), str(low))
        return low + (value - low + step) % (high - low + 1)

    def _other_digits(self, text: str) -> str:
        digits = [
            str((int(c) + self.draw.whole(1, 9, "date digit", text, str(n))) % 10)
            for n, c in enumerate(text)
        ]
        return "".join(digits)


def _is_lone_year(group: Group) -> bool:
    """Tell whether a group is a year that stands alone."""
    return group.kind == "date" and group.month is None and not group.days
