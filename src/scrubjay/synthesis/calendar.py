"""Dates and ages of a note: one course of time, one way to write numbers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from random import Random

from scrubjay.synthesis.patterns import ordinal
from scrubjay.synthesis.pools import split_list, word_tables
from scrubjay.synthesis.told_dates import ToldDates

# (weight, format): d and m without a leading zero, dd and mm with one.
_NUMERIC: Mapping[str, tuple[tuple[float, str], ...]] = {
    "en": (
        (30, "{m}/{d}/{Y}"), (24, "{mm}/{dd}/{Y}"), (14, "{m}/{d}/{y}"), (7, "{mm}/{dd}/{y}"),
        (6, "{Y}-{mm}-{dd}"), (7, "{dd}/{mm}/{Y}"), (3, "{m}-{d}-{Y}"), (2, "{mm}-{dd}-{y}"),
        (2, "{d}/{m}/{y}"), (2, "{dd}.{mm}.{Y}"), (2, "{d} {b} {Y}"), (1, "{m}.{d}.{y}"),
        (4, "{dd}/{mm}/{y}"), (2, "{dd}-{mm}-{Y}"), (2, "{m}-{d}-{y}"), (1, "{Y}/{mm}/{dd}"),
    ),
    "nl": (
        (35, "{dd}-{mm}-{Y}"), (25, "{d}-{m}-{Y}"), (10, "{dd}/{mm}/{Y}"), (8, "{d}-{m}-{y}"),
        (6, "{dd}-{mm}-{y}"), (5, "{Y}-{mm}-{dd}"), (4, "{dd}.{mm}.{Y}"), (3, "{d}/{m}/{y}"),
        (3, "{d} {b} {Y}"), (3, "{d}-{m}-'{y}"), (2, "{dd}.{mm}.{y}"), (2, "{dd}-{mm}-'{y}"),
    ),
    "es": (
        (40, "{dd}/{mm}/{Y}"), (14, "{d}/{m}/{Y}"), (10, "{dd}-{mm}-{Y}"), (9, "{dd}/{mm}/{y}"),
        (7, "{d}/{m}/{y}"), (5, "{d}-{m}-{Y}"), (5, "{dd}.{mm}.{Y}"), (3, "{Y}-{mm}-{dd}"),
    ),
}  # fmt: skip
_LONG: Mapping[str, tuple[tuple[float, str], ...]] = {
    "en": (
        (40, "{B} {d}, {Y}"), (10, "{b} {d}, {Y}"), (10, "{d} {B} {Y}"), (6, "{W}, {B} {d}, {Y}"),
        (4, "{B} {o}, {Y}"), (4, "{B} {d} {Y}"), (4, "{o} {B} {Y}"), (3, "{b} {d} {Y}"),
        (2, "{d} {b} {Y}"), (2, "{B} {dd}, {Y}"), (2, "the {o} of {B} {Y}"), (2, "{b}. {d}, {Y}"),
    ),
    "nl": (
        (50, "{d} {B} {Y}"), (10, "{d} {b} {Y}"), (8, "{W} {d} {B} {Y}"), (10, "{d} {B}"),
        (4, "{dd} {B} {Y}"), (4, "{d} {b}. {Y}"), (4, "{W} {d} {B}"),
    ),
    "es": (
        (50, "{d} de {B} de {Y}"), (12, "{d} de {B} del {Y}"), (8, "{W}, {d} de {B} de {Y}"),
        (10, "{d} de {B}"), (5, "{d} {B} {Y}"), (4, "{dd} de {B} de {Y}"), (3, "{d}-{b}-{Y}"),
    ),
}  # fmt: skip
_SHORT: Mapping[str, tuple[str, ...]] = {
    "en": ("{m}/{d}", "{m}/{d}", "{m}/{d}", "{mm}/{dd}", "{m}-{d}", "{d}/{m}"),
    "nl": ("{d}-{m}", "{d}-{m}", "{dd}-{mm}", "{d}/{m}", "{dd}/{mm}"),
    "es": ("{d}/{m}", "{dd}/{mm}", "{d}-{m}", "{dd}-{mm}"),
}
BIRTH = ("dob", "birth", "born", "geb", "gebdat", "geboorte", "nac", "nacimiento", "fnac")
_BEFORE = (
    "old", "prior", "prev", "previous", "past", "onset", "last", "lmp", "vorig", "eerder", "ant",
    "hist", "pmh", "quit", "first", "hx", "ex", "outside", "previo", "anterior", "opname", "start",
    "fur",
)  # fmt: skip
_AFTER = (
    "fu", "next", "appt", "follow", "due", "edd", "edc", "fpp", "rtc", "exp", "expires",
    "controle", "vervolg", "rev", "revision", "cita", "proxima", "later", "rtw", "afs",
)  # fmt: skip


class Calendar:
    """The dates of one note, by the names that its template gives them."""

    def __init__(self, language: str, rng: Random, age: int) -> None:
        self._language, self._rng = language, rng
        self._words = _lists(language)
        self._base = _some_day(rng)
        self._birth = _before(self._base, age, rng)
        self._dates: dict[str, date] = {}
        self._latest = self._base
        self._told = ToldDates(self._base)
        self._numeric = weighted(_NUMERIC[language], rng)
        self._long = weighted(_LONG[language], rng)
        self._short = rng.choice(_SHORT[language])
        if language == "en":  # the day and the month stand in one order
            day_first = self._numeric.startswith(("{d}", "{dd}"))
            while day_first != self._short.startswith("{d}"):
                self._short = rng.choice(_SHORT[language])

    def write(self, entity: str, form: str) -> str:
        """Return a date in a form; the form without a name is the note's own numeric one."""
        day = self.find(entity, form)
        rng, words = self._rng, self._words
        if form == "":
            if rng.random() < 0.06:
                return self._fill(weighted(_NUMERIC[self._language], rng), day)
            return self._fill(self._numeric, day)
        if form in ("long", "full"):
            style = self._long if rng.random() < 0.7 else weighted(_LONG[self._language], rng)
            return self._fill(style, day)
        if form == "dayshort" and self._language == "nl":
            name = words["short_weekdays"][day.weekday()]
            return f"{name} {self._fill(self._short, day)}"
        if form in ("short", "dayshort"):
            return self._fill(self._short, day)
        if form in _SIMPLE:
            return self._fill(_SIMPLE[form], day)
        if form in ("month", "monthyear"):
            style = rng.choice(_MONTH[self._language])
            return self._fill(style, day)
        if form == "ordinal":
            return self._fill(rng.choice(_ORDINAL[self._language]), day)
        if form == "weekday":
            part = rng.choice(_PARTS_NL) if self._language == "nl" and rng.random() < 0.12 else ""
            return self._fill("{W}", day) + part
        if form == "dayname":
            return words["short_weekdays"][day.weekday()]
        if form == "season":
            return rng.choice(words["seasons"])
        if form == "holiday":
            return rng.choice(words["holidays"])
        return self._decade(day)

    def find(self, entity: str, form: str = "") -> date:
        """Return the day of a name; a new name gets a day that fits it and its first form."""
        if entity not in self._dates:
            self._dates[entity] = self._new_day(entity.lower(), form)
        return self._dates[entity]

    def _new_day(self, name: str, form: str) -> date:
        rng = self._rng
        if name.startswith("="):
            return self._told.find(name)
        stem = name.rstrip("0123456789")
        if not name:
            return self._base
        if stem in BIRTH:
            return self._birth
        if stem in _BEFORE:
            return _shift(self._base, -int(3 + 4000 * rng.random() ** 3))
        if stem in _AFTER:
            self._latest = _shift(self._latest, 1 + int(120 * rng.random() ** 2))
            return self._latest
        if stem in ("adm", "admit", "ing", "ingreso", "opn"):
            return _shift(self._base, -int(20 * rng.random() ** 2))
        if form in ("year", "decade"):  # what a note tells by its year alone is long ago
            return _shift(self._base, -int(200 + 18000 * rng.random() ** 2))
        if form in ("month", "season"):
            return _shift(self._base, -int(20 + 3000 * rng.random() ** 2))
        # Names that tell nothing: each is some days later than the one before it.
        self._latest = _shift(self._latest, int(1 + 9 * rng.random() ** 2))
        return self._latest

    def _decade(self, day: date) -> str:
        latest = day.year // 10 * 10
        decade = latest - 10 * int(self._rng.random() * 5)
        if self._language == "nl":
            return self._rng.choice((f"jaren {decade % 100:02d}", f"jaren '{decade % 100:02d}"))
        if self._language == "es":
            return self._rng.choice((f"los años {decade % 100:02d}", f"los {decade % 100:02d}"))
        two = f"{decade % 100:02d}s"
        return self._rng.choice((f"{decade}s", f"'{two}", two, f"{decade}'s"))

    def _fill(self, style: str, day: date) -> str:
        words = self._words
        return style.format(
            d=day.day, dd=f"{day.day:02d}", m=day.month, mm=f"{day.month:02d}",
            y=f"{day.year % 100:02d}", Y=day.year, B=words["months"][day.month - 1],
            b=words["short_months"][day.month - 1], W=words["weekdays"][day.weekday()],
            o=ordinal(day.day),
        )  # fmt: skip


_PARTS_NL = ("ochtend", "middag", "avond", "avond", "nacht", "morgen")
_SIMPLE = {
    "iso": "{Y}-{mm}-{dd}", "monthname": "{B}", "year": "{Y}", "dmy": "{dd}-{b}-{Y}",
    "dot": "{dd}.{mm}.{Y}", "compact": "{Y}{mm}{dd}", "day": "{d}",
}  # fmt: skip
_MONTH: Mapping[str, tuple[str, ...]] = {
    "en": ("{B} {Y}", "{B} {Y}", "{B} {Y}", "{b} {Y}", "{B}, {Y}", "{m}/{Y}", "{mm}/{Y}",
           "{B} of {Y}", "{b} '{y}", "{m}/{y}"),
    "nl": ("{B} {Y}", "{B} {Y}", "{B} {Y}", "{b} {Y}", "{mm}-{Y}", "{m}/{Y}", "{B} '{y}"),
    "es": ("{B} de {Y}", "{B} de {Y}", "{B} del {Y}", "{B} {Y}", "{mm}/{Y}", "{m}/{Y}"),
}  # fmt: skip
_ORDINAL: Mapping[str, tuple[str, ...]] = {
    "en": ("the {o} of {B}", "{B} {o}", "{B} {o}", "the {o}", "{o} {B}", "{b} {o}"),
    "nl": ("{d} {B}", "{d} {B}", "{d}e {B}", "{d} {b}"),
    "es": ("el {d} de {B}", "{d} de {B}", "día {d} de {B}", "{d} {B}"),
}


def weighted(rows: tuple[tuple[float, str], ...], rng: Random) -> str:
    """Return the value of a row, by weight."""
    point = rng.random() * sum(weight for weight, _ in rows)
    for weight, value in rows:
        point -= weight
        if point < 0:
            return value
    return rows[-1][1]


def _some_day(rng: Random) -> date:
    """Return the day of a note: mostly of late, sometimes long ago or moved far ahead."""
    roll = rng.random()
    if roll < 0.25:
        year = rng.randint(2028, 2110)  # as dates look that a de-identification has moved
    elif roll < 0.45:
        year = rng.randint(1985, 2004)
    else:
        year = rng.randint(2005, 2027)
    return date(year, 1, 1) + timedelta(days=int(rng.random() * 365))


def _before(base: date, age: int, rng: Random) -> date:
    return _shift(base, -(age * 365 + age // 4 + 1 + int(rng.random() * 364)))


def _shift(day: date, days: int) -> date:
    return day + timedelta(days=days)


@cache
def _lists(language: str) -> Mapping[str, list[str]]:
    return {name: split_list(text) for name, text in word_tables(language)["dates"].items()}


def draw_age(rng: Random) -> int:
    """Return the age of a patient: any from 1 to 104, most between 40 and 90."""
    roll = rng.random()
    if roll < 0.1:
        return rng.randint(1, 19)
    if roll < 0.3:
        return rng.randint(18, 45)
    if roll < 0.97:
        return min(89, max(30, int(rng.gauss(66, 15))))
    return rng.randint(90, 104)
