"""The words of dates and ages in each language, read from the tables in `resources/dates`.

A table names months, weekdays, seasons, holidays, numbers and the small words between them. To
add a language is to add a table; `docs/surrogates-dates.md` tells what it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from typing import Any

from scrubjay.caching import text_cache
from scrubjay.resources import load_table, table_names
from scrubjay.text.numerals import numerals
from scrubjay.transform.surrogates.draw import fold

DEFAULT_LANGUAGE = "en"
GLUED = "glued"
"""The ending of a year in words without spaces between them."""

_APOSTROPHES = str.maketrans("", "", "'’‘´`")


@text_cache(2048)  # words of dates and ages are few
def word_key(text: str) -> str:
    """Return what words are looked up by: folded, without apostrophes ("New Year’s")."""
    return fold(text.translate(_APOSTROPHES))


@text_cache(2048)  # as `word_key`
def phrase_key(text: str) -> str:
    """Return the words of a phrase as they are looked up: dots and hyphens count as spaces."""
    return " ".join(word_key(text.replace(".", " ").replace("-", " ")).split())


@dataclass(frozen=True, slots=True)
class Word:
    """What a word or a phrase means: its kind, its value, and the row of forms it stands in.

    Kinds: month (1 to 12), weekday (Monday is 0), season (winter is 0), holiday (its number),
    ordinal, cardinal, year, decade, link, week, quarter, quarter-name.
    """

    kind: str
    value: int
    form: int = 0
    language: str = ""
    ending: str = ""


@dataclass(frozen=True, slots=True)
class Holiday:
    """A holiday: its names, the first of which is written, and how to find its day in a year."""

    names: tuple[str, ...]
    rule: str
    numbers: tuple[int, ...]
    drawn: bool = True
    general: bool = False
    """Whether others are called so, too: beside a month or a holiday it is but a small word."""
    behind: tuple[tuple[str, str], ...] = ()
    """Its names that stand behind an article of the language, with that article."""
    american: bool = False
    """Whether it is one of America: no note with signs of Britain or Ireland is given it."""

    def day(self, year: int) -> date:
        """Return its day in a year; raises `ValueError` for a year that dates do not reach."""
        if self.rule == "easter":
            return easter(year) + timedelta(self.numbers[0])
        if self.rule == "date":
            return date(year, *self.numbers)
        month, weekday, which = self.numbers
        if which < 0:
            last = date(year + month // 12, month % 12 + 1, 1) - timedelta(1)
            return last - timedelta((last.weekday() - weekday) % 7)
        first = date(year, month, 1)
        return first + timedelta((weekday - first.weekday()) % 7 + 7 * (which - 1))


def easter(year: int) -> date:
    """Return Easter Sunday of a year (Gregorian; the algorithm of Meeus, Jones and Butcher)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    n = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * n) // 451
    month, day = divmod(h + n - 7 * m + 114, 31)
    return date(year, month, day + 1)


@dataclass(frozen=True, slots=True)
class OrderSign:
    """A sign that the day comes first in numeric dates, or that the month does.

    `forms` are regular expressions, any of which tells: one for a text as it stands, several for
    it in small letters.
    """

    forms: tuple[re.Pattern[str], ...]
    day_first: bool


@dataclass(frozen=True)
class CalendarWords:
    """The table of one language, ready to look words up.

    `nths` tell which weekday of a month, `nth_values` what each means (the last one -1).
    `phrases` maps a key to its meaning; `longest` the first word of each phrase to the number of
    words of the longest phrase that begins so. `doubles` are weekdays that are months as well
    ("mar" in Spanish).
    """

    language: str
    day_first: bool
    year_after_month: bool
    months: tuple[tuple[str, ...], ...]
    weekdays: tuple[tuple[str, ...], ...]
    seasons: tuple[tuple[str, ...], ...]
    letters: tuple[tuple[str, ...], ...]
    holidays: tuple[Holiday, ...]
    cardinals: tuple[str, ...]
    ordinals: tuple[str, ...]
    nths: tuple[str, ...]
    decades: tuple[tuple[str, int], ...]
    year_words: tuple[tuple[str, int], ...]
    joiners: frozenset[str]
    feast_words: frozenset[str]
    ordinal_suffixes: frozenset[str]
    decade_marks: frozenset[str]
    quarters: tuple[str, ...]
    order_signs: tuple[OrderSign, ...]
    ages: AgeWords
    phrases: Mapping[str, Word] = field(repr=False)
    longest: Mapping[str, int] = field(repr=False)
    letter_days: Mapping[str, int] = field(repr=False)
    nth_values: Mapping[str, int] = field(repr=False)
    doubles: Mapping[str, Word] = field(repr=False)
    number_starts: frozenset[str] = field(repr=False)

    def spell_year(self, year: int, like: Word) -> str:
        """Return a year in words, begun as another one is; "" where the table has none for it."""
        found = [
            (form != like.form, form, start)
            for form, (start, century) in enumerate(self.year_words)
            if century <= year <= century + 99
            and (year == century or year - century >= _first_rest(start))
            and (year > century or _first_rest(start) == 1)
        ]
        if not found:
            return ""
        start = min(found)[2]
        rest = year - dict(self.year_words)[start]
        if not rest:
            return start
        return f"{start}{'' if like.ending == GLUED else ' '}{self.cardinals[rest]}"


@dataclass(frozen=True)
class AgeWords:
    """What ages are written with, beside their figures; all keys by `word_key`.

    `units` maps each form to (singular, plural); `rows` a word to those that may replace it.
    `of_decades` tells the decade of those that tell one; `in_figures` is what stands for such a
    word where none fits, with the age in it. `variants` are other ways to say parts of numbers,
    and `before_unit` what they become there.
    """

    units: Mapping[str, tuple[str, str]]
    small_units: frozenset[str]
    links: frozenset[str]
    decades: Mapping[str, int]
    decade_names: Mapping[int, str]
    rows: Mapping[str, tuple[str, ...]]
    in_figures: str
    of_decades: Mapping[str, int]
    variants: tuple[tuple[str, str], ...] = ()
    before_unit: tuple[tuple[str, str], ...] = ()


def languages() -> tuple[str, ...]:
    """Return the languages that have a table, sorted."""
    return table_names("dates")


def words_of(language: str) -> CalendarWords:
    """Return the table of a language such as "es" or "es-MX"; English where there is none.

    Months, weekdays and seasons of the other languages are understood in every table.
    """
    return _load(_nearest(language))


@cache
def _nearest(language: str) -> str:
    code = language.lower().replace("_", "-").split("-")[0]
    return code if code in languages() else DEFAULT_LANGUAGE


@cache
def _load(language: str) -> CalendarWords:
    own = _table(language)
    phrases: dict[str, Word] = {}
    for other in languages():
        if other != language:
            phrases.update(_foreign(_table(other)))
    phrases.update(_own(own))
    longest: dict[str, int] = {}
    for phrase in phrases:
        parts = phrase.split(" ")
        longest[parts[0]] = max(longest.get(parts[0], 0), len(parts))
    letters = _rows(own["weekday-letters"])
    nths = tuple(own["numbers"]["nth-weekdays"])
    return CalendarWords(
        language=language,
        day_first=own["order"] == "dmy",
        year_after_month=own["number-after-month"] == "year",
        months=_rows(own["months"]),
        weekdays=_rows(own["weekdays"]),
        seasons=_rows(own["seasons"]),
        letters=letters,
        holidays=tuple(_holiday(entry) for entry in own["holidays"]),
        cardinals=numerals(language),
        ordinals=tuple(own["numbers"]["ordinals"]),
        nths=nths,
        decades=tuple((name, value) for name, value in own["decades"]),
        year_words=tuple((name, value) for name, value in own["year-words"]),
        joiners=frozenset(map(word_key, own["joiners"])),
        feast_words=frozenset(map(word_key, own.get("feast-words", ()))),
        ordinal_suffixes=frozenset(own["ordinal-suffixes"]),
        decade_marks=frozenset(map(word_key, own["decade-words"])),
        quarters=tuple(own["quarters"]),
        order_signs=tuple(
            OrderSign(
                tuple(map(re.compile, (sign,) if isinstance(sign, str) else sign)), order == "dmy"
            )
            for order, signs in own.get("order-signs", {}).items()
            for sign in signs
        ),
        ages=_ages(own["ages"]),
        phrases=phrases,
        longest=longest,
        nth_values={
            **{word_key(word): number for number, word in enumerate(nths[:-1], start=1)},
            word_key(nths[-1]): -1,
        },
        letter_days={word_key(form): day for day, forms in enumerate(letters) for form in forms},
        number_starts=frozenset(
            phrase[0]
            for phrase, word in phrases.items()
            if word.kind == "holiday" and phrase[0].isdigit()
        ),
        doubles={
            key: word for key, word in _calendar(own, "weekdays") if phrases[key].kind == "month"
        },
    )


def _foreign(table: Mapping[str, Any]) -> dict[str, Word]:
    """Return the full names of another language; short ones may be words of this one."""
    found: dict[str, Word] = {}
    for kind in ("months", "weekdays", "seasons"):
        for number, name in enumerate(table[kind][0]):
            value = number + 1 if kind == "months" else number
            found[phrase_key(name)] = Word(kind.removesuffix("s"), value, 0, table["language"])
    return found


def _own(table: Mapping[str, Any]) -> dict[str, Word]:
    language: str = table["language"]
    found = {phrase_key(word): Word("link", 0, 0, language) for word in table["links"]}
    for mark in table["decade-words"]:
        found[phrase_key(mark)] = Word("link", 0, 0, language)
    for value, name in enumerate(numerals(language)[1:32], start=1):
        found[phrase_key(name)] = Word("cardinal", value, 0, language)
    for value, name in enumerate(table["numbers"]["ordinals"], start=1):
        found[phrase_key(name)] = Word("ordinal", value, 0, language)
    found.update(_years(table))
    for name, value in table["decades"]:
        key = phrase_key(name)
        # Where a decade is called by its cardinal ("años noventa"), a mark must stand before it.
        if key not in found:
            found[key] = Word("decade", value, 0, language)
        for mark in table["decade-words"]:
            found[phrase_key(f"{mark} {name}")] = Word("decade", value, 1, language)
    for kind in ("week", "quarter"):
        for name in table[f"{kind}-words"]:
            found[phrase_key(name)] = Word(kind, 0, 0, language)
    for number, name in enumerate(table["quarters"], start=1):
        found[phrase_key(name)] = Word("quarter-name", number, 0, language)
    for number, entry in enumerate(table["holidays"]):
        for form, name in enumerate(entry["names"]):
            found[phrase_key(name)] = Word("holiday", number, form, language)
    for kind in ("seasons", "weekdays", "months"):
        for key, word in _calendar(table, kind):
            found[key] = word
    return found


def _calendar(table: Mapping[str, Any], kind: str) -> Iterator[tuple[str, Word]]:
    """Yield the words of a kind, the surest last: first rows over later ones, endings first."""
    singular, language = kind.removesuffix("s"), table["language"]
    rows = list(enumerate(table[kind]))[::-1]
    for ending in (*table["weekday-endings"], "") if kind == "weekdays" else ("",):
        for form, row in rows:
            for number, name in enumerate(row):
                value = number + 1 if kind == "months" else number
                yield phrase_key(name + ending), Word(singular, value, form, language, ending)


def _years(table: Mapping[str, Any]) -> Iterator[tuple[str, Word]]:
    """Yield years in words; `form` is the entry of the table, the ending tells glued ones."""
    language = table["language"]
    cardinals = numerals(language)
    for form, (start, century) in enumerate(table["year-words"]):
        for rest in range(_first_rest(start), 100):
            key = phrase_key(f"{start} {cardinals[rest]}")
            yield key, Word("year", century + rest, form, language)
            yield key.replace(" ", ""), Word("year", century + rest, form, language, GLUED)
            other = phrase_key(f"{start} and {cardinals[rest]}")
            yield other, Word("year", century + rest, form, language)
        if _first_rest(start) == 1:
            yield phrase_key(start), Word("year", century, form, language)


def _first_rest(start: str) -> int:
    """Return the least number that may follow: "twenty" alone begins no year before 2010."""
    plain = " " not in start and not start.endswith(("honderd", "duizend"))
    return 10 if plain else 1


def _holiday(entry: Mapping[str, Any]) -> Holiday:
    names, drawn = tuple(entry["names"]), entry.get("drawn", True)
    american = entry.get("american", False)
    behind = tuple(entry.get("behind", {}).items())
    if "date" in entry:
        month, day = entry["date"].split("-")
        general = entry.get("general", False)
        return Holiday(names, "date", (int(month), int(day)), drawn, general, behind, american)
    if "easter" in entry:
        return Holiday(names, "easter", (entry["easter"],), drawn, behind=behind, american=american)
    return Holiday(names, "nth", tuple(entry["nth"]), drawn, behind=behind, american=american)


def _ages(table: Mapping[str, Any]) -> AgeWords:
    units = {word_key(form): (pair[0], pair[1]) for pair in table["units"] for form in pair}
    rows: dict[str, tuple[str, ...]] = {}
    for row in table["words"]:
        for word in row:
            rows[phrase_key(word)] = tuple(other for other in row if other != word)
    return AgeWords(
        units=units,
        small_units=frozenset(map(word_key, table["small-units"])),
        links=frozenset(map(word_key, table["links"])) | frozenset(units),
        decades={word_key(name): value for name, value in table["decades"]},
        decade_names={value: name for name, value in table["decades"]},
        rows=rows,
        in_figures=table["in-figures"],
        of_decades={phrase_key(word): value for word, value in table.get("of-decades", [])},
        variants=tuple((long, short) for long, short in table.get("variants", [])),
        before_unit=tuple((long, short) for long, short in table.get("before-unit", [])),
    )


def _rows(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row) for row in rows)


@cache
def _table(language: str) -> dict[str, Any]:
    return load_table("dates", f"{language}.toml")
