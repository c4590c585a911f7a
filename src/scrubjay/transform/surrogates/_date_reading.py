"""Which tokens of a mention make up which date: days that share a month, months that share a year.

A mention may hold several dates ("12, 13 and 14 May", "Jan-Mar 2012", "3/4 to 3/9/2012"). Each
becomes a `Group` of token numbers. What fits into no group is found to be odd, and is replaced
by its pattern alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scrubjay.transform.surrogates._date_groups import CROSSING, Group, compact_fields
from scrubjay.transform.surrogates._date_tokens import Token, has_apostrophe
from scrubjay.transform.surrogates._nth_weekdays import NTH, find_nths
from scrubjay.transform.surrogates.calendar_words import CalendarWords, word_key

# The kinds of tokens of which one at least begins each group of a step.
_NUMBERS = frozenset({"number"})
_WEEKDAYS = frozenset({"weekday"})
_MONTHS = frozenset({"month"})
_NAMED = frozenset({"season", "holiday", "week", "quarter", "quarter-name", "decade"})
_SINGLES = frozenset({"year", "ordinal", "cardinal", "number"})
_DASHES = ("-", "–", "—")
_LAST_DAY = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def read_groups(tokens: list[Token], words: CalendarWords, *, day_first: bool) -> list[Group]:
    """Return the groups that the tokens make up, sorted by their first tokens."""
    groups = _Reader(tokens, words, day_first).read()
    return sorted(groups, key=lambda group: group.first) if len(groups) > 1 else groups


class _Reader:
    """Assigns each number of a mention once, the surest readings first."""

    def __init__(self, tokens: list[Token], words: CalendarWords, day_first: bool) -> None:
        self.tokens, self.words, self.day_first = tokens, words, day_first
        self.used: set[int] = set()
        self.groups: list[Group] = []

    def read(self) -> list[Group]:
        steps: tuple[tuple[frozenset[str], Callable[[], Iterator[Group]]], ...] = (
            (_NUMBERS, self._triples), (_WEEKDAYS, self._nths), (_MONTHS, self._months),
            (_NUMBERS, self._pairs), (_NAMED, self._named), (_SINGLES, self._singles),
        )  # fmt: skip
        left = {token.kind for token in self.tokens}
        for kinds, step in steps:
            if kinds.isdisjoint(left):
                continue
            # One at a time: a later group of the same step must see what an earlier one took.
            groups = list(step())
            if groups:
                self.groups += groups
                left = {t.kind for n, t in enumerate(self.tokens) if n not in self.used}
        return self.groups

    # --- what stands where

    def _free(self, index: int) -> bool:
        return 0 <= index < len(self.tokens) and index not in self.used

    def _is_number(self, index: int) -> bool:
        return self._free(index) and self.tokens[index].kind == "number"

    def _is_day(self, index: int) -> bool:
        if not self._free(index):
            return False
        token = self.tokens[index]
        if token.kind in ("ordinal", "cardinal"):
            return True
        return (
            token.kind == "number"
            and len(token.text) <= 2
            and 1 <= token.value <= 31
            and token.suffix.lower() != "s"
            and not has_apostrophe(self.tokens, index)
        )

    def _is_year(self, index: int, *, short: bool) -> bool:
        """Tell whether a token is a year; `short`: two digits without apostrophe will do."""
        if not self._free(index):
            return False
        token = self.tokens[index]
        if token.kind == "year":
            return True
        if token.kind != "number" or token.suffix:
            return False
        if len(token.text) == 4:
            return 1000 <= token.value <= 2999
        return len(token.text) == 2 and (short or has_apostrophe(self.tokens, index))

    def _separator(self, index: int) -> str:
        """Return the mark between numbers at a token, without its spaces; "?" if it is none."""
        if not 0 <= index < len(self.tokens) or self.tokens[index].kind != "sep":
            return "?"
        marks = self.tokens[index].text.strip(" \t\u00a0'’")
        return marks[0] if marks and set(marks) == {marks[0]} else marks

    def _gap(self, index: int, step: int) -> int:
        """Return the next token that is neither a separator nor a small word, in a direction."""
        while 0 <= index < len(self.tokens) and self.tokens[index].kind in ("sep", "link"):
            index += step
        return index

    def _joined(self, low: int, high: int) -> bool:
        """Tell whether the tokens between two days join them: "12, 13", "12-13", "12 and 13"."""
        between = self.tokens[low + 1 : high]
        links = [t for t in between if t.kind == "link"]
        if any(word_key(t.text) not in self.words.joiners for t in links):
            return False
        marks = "".join(t.text for t in between if t.kind == "sep").strip()
        return (bool(links) and len(marks) <= 2) or marks in (
            ",",
            "-",
            "–",
            "—",
            "&",
            "/",
            "+",
            ">",
        )

    def _take(self, group: Group) -> Group:
        self.used.update(group.tokens())
        return group

    # --- 3/4/2012, 2012-04-03, 3-4/4/21

    def _triples(self) -> Iterator[Group]:
        for index in range(len(self.tokens) - 4):
            numbers = [index, index + 2, index + 4]
            if not all(self._is_number(n) for n in numbers):
                continue
            marks = {self._separator(index + 1), self._separator(index + 3)}
            sizes = [len(self.tokens[n].text) for n in numbers]
            # Of two digits the year is one only where nothing else stands there: 3 3 99.
            whole = 4 in (sizes[0], sizes[2]) or (len(self.tokens) == 5 and sizes[2] == 2)
            bare = marks == {""} and whole and sizes[1] <= 2
            if len(marks) != 1 or not (marks <= {"/", "-", "."} or bare):
                continue
            earlier = self._earlier_days(index)
            dashed = bool(earlier) and self._separator(earlier[-1] + 1) in _DASHES
            order = self._triple_order(numbers, day_first=self.day_first or dashed)
            if order is None:
                yield self._take(Group("odd", odd=numbers))
                continue
            place = {letter: numbers[n] for n, letter in enumerate(order)}
            days = [*earlier, place["D"]] if order == "DMY" else [place["D"]]
            yield self._take(
                Group("date", days, place["M"], place["Y"], numeric=True,
                      month_first=order == "MDY", early=self._early(days))
            )  # fmt: skip

    def _earlier_days(self, index: int) -> list[int]:
        """Return the days that share the month of a whole date behind them: 3-4/4/21, 3, 4/4/21.

        Not those that have one of their own: 28/2-3/4/21, May 3, 4/4/21.
        """
        days: list[int] = []
        edge, mark = index, self._separator(index + 1)
        while True:
            other = self._gap(edge - 1, -1)
            if not self._is_day(other) or not self._joined(other, edge):
                break
            if self._separator(other + 1) == mark:
                break
            days.insert(0, other)
            edge = other
        before = self._gap(edge - 1, -1)
        kind = self.tokens[before].kind if before >= 0 else ""
        if not days or kind in ("month", "week", "quarter", "number"):
            return []
        return days

    def _early(self, days: list[int]) -> int:
        """Return how many days of a range belong to the month before: the 30 of 30-1/5."""
        for place in range(1, len(days)):
            one, two = self.tokens[days[place - 1]], self.tokens[days[place]]
            if one.value - two.value > CROSSING:
                dashed = self._separator(days[place - 1] + 1) in _DASHES
                return place if dashed and days[place] - days[place - 1] == 2 else 0
        return 0

    def _triple_order(self, numbers: list[int], *, day_first: bool) -> str | None:
        """Return the order of day, month and year: where it may be either, as the text has it."""
        tokens = [self.tokens[n] for n in numbers]
        sizes = tuple(len(token.text) for token in tokens)
        orders = ["DMY", "MDY"] if day_first else ["MDY", "DMY"]
        if sizes[0] == 4:
            orders = ["YMD", "YDM"]
        elif sizes[2] == 2 and sizes[0] == 2:
            orders.append("YMD")
        for order in orders:
            if self._fits(order, tokens):
                return order
        return None

    def _fits(self, order: str, tokens: list[Token]) -> bool:
        for letter, token in zip(order, tokens, strict=True):
            size, value = len(token.text), token.value
            if letter == "Y":
                if size == 4 and not 1000 <= value <= 2999:
                    return False
                if size not in (2, 4):
                    return False
            elif size > 2 or not 1 <= value <= (12 if letter == "M" else 31):
                return False
        return True

    # --- 2nd Tuesday of Feb 2012

    def _nths(self) -> Iterator[Group]:
        for days, weekday, month in find_nths(self.tokens, self.words):
            year = None if month is None else self._year_after(month, short=True)
            yield self._take(Group(NTH, days, month, year, main=weekday))

    # --- 3 April 2012, April 3-5, April 2012

    def _months(self) -> Iterator[Group]:
        for index, token in enumerate(self.tokens):
            if token.kind == "month" and self._free(index):
                days = self._days_before(index)
                if days:
                    year = self._year_after(index, short=True)
                    yield self._take(Group("date", days, index, year))
                else:
                    yield self._month_first(index)

    def _days_before(self, index: int) -> list[int]:
        nearest = self._gap(index - 1, -1)
        if not self._is_day(nearest):
            return []
        if any(mark in ",;" for t in self.tokens[nearest + 1 : index] for mark in t.text.strip()):
            return []
        days = [nearest]
        while True:
            other = self._gap(days[0] - 1, -1)
            if not self._is_day(other) or not self._joined(other, days[0]):
                return days
            days.insert(0, other)

    def _month_first(self, index: int) -> Group:
        nearest = self._gap(index + 1, 1)
        days: list[int] = []
        if self._is_day(nearest) and not self._is_lone_year(index, nearest):
            days = [nearest]
            while True:
                other = self._gap(days[-1] + 1, 1)
                if not self._is_day(other) or not self._joined(days[-1], other):
                    break
                after = self._gap(other + 1, 1)
                if after < len(self.tokens) and self.tokens[after].kind == "month":
                    break  # this day belongs to the month behind it
                days.append(other)
        last = days[-1] if days else index
        year = self._year_after(last, short=not days)
        if year is None and self._is_year(self._gap(index - 1, -1), short=False):
            year = self._gap(index - 1, -1)  # 2012 May 3
        return self._take(Group("date", days, index, year, month_first=True))

    def _is_lone_year(self, index: int, number: int) -> bool:
        """Tell whether two digits behind a month are the year: Abr-05, mayo 98, but May 12."""
        token = self.tokens[number]
        if token.kind != "number" or len(token.text) != 2 or token.suffix:
            return False
        after = self._gap(number + 1, 1)
        if self._is_year(after, short=False):
            return False
        return self.words.year_after_month or self._separator(index + 1) == "-"

    def _year_after(self, index: int, *, short: bool) -> int | None:
        place = self._gap(index + 1, 1)
        if not self._is_year(place, short=short):
            return None
        token = self.tokens[place]
        if token.kind == "number" and len(token.text) == 2:
            links = [t for t in self.tokens[index + 1 : place] if t.kind == "link"]
            if any(word_key(t.text) in self.words.joiners for t in links):
                return None
            after = self._gap(place + 1, 1)
            if after < len(self.tokens) and self.tokens[after].kind == "month":
                return None  # a day: 3 May, 12 June
        return place

    # --- '51-'53, 3/4, 4/2012, 2012-04, 12-14/5

    def _pairs(self) -> Iterator[Group]:
        for index in range(len(self.tokens) - 2):
            if not (self._is_number(index) and self._is_number(index + 2)):
                continue
            if self._are_years(index, index + 2):
                yield self._take(Group("date", year=index))
                yield self._take(Group("date", year=index + 2))
                continue
            if self._separator(index + 1) not in ("/", "-", "."):
                continue
            marks = (self._separator(index + 1), self._separator(index + 3))
            if marks in (("-", "/"), ("-", ".")) and self._is_day(index + 4):
                continue  # the first day shares the month of the pair behind it
            group = self._pair(index, index + 2)
            if group is not None:
                yield self._more_days(self._take(group))

    def _are_years(self, low: int, high: int) -> bool:
        """Tell whether two numbers are years, one short at least: '51-'53, 2019-20, 98-02."""
        one, two, mark = self.tokens[low], self.tokens[high], self._separator(low + 1)
        sizes = (len(one.text), len(two.text))
        if mark not in ("/", *_DASHES) or one.suffix or two.suffix or sizes == (4, 4):
            return False
        if not {*sizes} <= {2, 4}:
            return False
        if has_apostrophe(self.tokens, low):
            return True
        if sizes[0] == 4:
            return has_apostrophe(self.tokens, high) or two.value > max(12, one.value % 100)
        if has_apostrophe(self.tokens, high):
            return one.value > 12
        return one.value > 31 and sizes[1] == 2 and (mark != "/" or two.value == one.value + 1)

    def _pair(self, low: int, high: int) -> Group | None:
        one, two = self.tokens[low], self.tokens[high]
        if one.suffix or two.suffix:
            return None
        sizes = (len(one.text), len(two.text))
        if sizes[0] == 4 and self._is_year(low, short=False):
            if sizes[1] <= 2 and 1 <= two.value <= 12:
                return Group("date", [], high, low, numeric=True)
            return None
        if self._is_year(high, short=False):
            if 1 <= one.value <= 12:
                return Group("date", [], low, high, numeric=True)
            return Group("odd", odd=[low]) if sizes[0] <= 2 else None
        if max(sizes) > 2:
            return None
        places = [(low, high), (high, low)] if self.day_first else [(high, low), (low, high)]
        for day, month in places:
            if self._is_day(day) and 1 <= self.tokens[month].value <= 12:
                return Group("date", [day], month, numeric=True, month_first=month < day)
        if 1 <= one.value <= 12 and sizes[1] == 2:
            return Group("date", [], low, high, numeric=True)
        return Group("odd", odd=[low, high])

    def _more_days(self, group: Group) -> Group:
        """Add days that share the month of a pair: 12-14/5, 5/12-14."""
        if not group.days or group.month is None:
            return group
        step = 1 if group.month_first else -1
        while True:
            edge = group.days[-1] if step > 0 else group.days[0]
            other = self._gap(edge + step, step)
            low, high = min(edge, other), max(edge, other)
            if not self._is_day(other) or not self._joined(low, high):
                group.early = 0 if group.month_first else self._early(group.days)
                return group
            if step > 0 and self._is_number(other + 2) and self._separator(other + 1) in "/.-":
                return group
            group.days.insert(len(group.days) if step > 0 else 0, other)
            self.used.add(other)

    # --- spring 2012, Christmas, week 12, Q1 2012

    def _named(self) -> Iterator[Group]:
        for index, token in enumerate(self.tokens):
            if token.kind in ("season", "holiday"):
                yield self._take(Group(token.kind, main=index, year=self._near_year(index)))
            elif token.kind in ("week", "quarter"):
                number = self._numbered(index, 53 if token.kind == "week" else 4)
                if number is not None:
                    year = self._near_year(max(index, number))
                    yield self._take(Group(token.kind, main=number, year=year))
            elif token.kind == "quarter-name":
                yield self._take(Group("quarter", main=index, year=self._near_year(index)))
            elif token.kind == "decade":
                yield self._take(Group("decade", main=index))

    def _near_year(self, index: int) -> int | None:
        for place in (self._gap(index + 1, 1), self._gap(index - 1, -1)):
            if self._is_year(place, short=place > index) and self.tokens[place].suffix == "":
                return place
        return None

    def _numbered(self, index: int, largest: int) -> int | None:
        for place in (self._gap(index + 1, 1), self._gap(index - 1, -1)):
            if self._is_day(place) or self._is_number(place):
                token = self.tokens[place]
                fits = 1 <= token.value <= largest and len(token.text) <= 2
                if fits or token.kind == "ordinal":
                    return place
        return None

    # --- 2012, '98, the 12th, 1990s, 20120403

    def _singles(self) -> Iterator[Group]:
        for index, token in enumerate(self.tokens):
            if not self._free(index):
                continue
            if token.kind == "year":
                yield self._take(Group("date", year=index))
            elif token.kind in ("ordinal", "cardinal"):
                yield self._take(Group("date", [index]))
            elif token.kind == "number":
                yield self._take(self._single(index, token))

    def _single(self, index: int, token: Token) -> Group:
        if self._is_decade(index, token):
            return Group("decade", main=index)
        if self._is_year(index, short=token.value > 31):
            return Group("date", year=index)
        if self._is_day(index):
            return Group("date", [index])
        layout = self._layout(token)
        if layout:
            return Group("compact", main=index, layout=layout)
        return Group("odd", odd=[index])

    def _is_decade(self, index: int, token: Token) -> bool:
        if len(token.text) not in (2, 4) or token.value % 10:
            return False
        if token.suffix.lower().endswith("s"):
            return True
        marks = {
            word_key(t.text)
            for t in self.tokens[max(0, index - 3) : index]
            if t.kind in ("link", "unknown")
        }
        return bool(marks & self.words.decade_marks)

    def _layout(self, token: Token) -> str:
        day_first = "DDMM" if self.day_first else "MMDD"
        other = "MMDD" if self.day_first else "DDMM"
        layouts = {
            14: ["YYYYMMDD"],
            12: ["YYYYMMDD"],
            8: ["YYYYMMDD", f"{day_first}YYYY", f"{other}YYYY"],
            6: ["YYYYMM", f"{day_first}YY", f"{other}YY", "YYMMDD"],
        }
        for layout in layouts.get(len(token.text), []):
            values = compact_fields(token, layout)
            year, month, day = values["Y"], values["M"], values.get("D", 1)
            if 1800 <= year <= 2199 and 1 <= month <= 12 and 1 <= day <= _LAST_DAY[month - 1]:
                return layout
        return ""
