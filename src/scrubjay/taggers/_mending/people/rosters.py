"""Call lists: who is on duty on which weekday ("Mon Baker, Wed Rivera, Thu Day", "di de Vries").

A tagger has seen "Thu Day" and "Wed Morning" far more often than a surname behind a weekday, and
takes both words for one date, whose surrogate keeps the surname, or leaves the surname out. Where
a weekday and a listed surname were found as one, they are parted; where several weekdays near each
other have a name behind them, all of these are names, and parts of the day ("Day") among them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.people.person_keys import find_telling
from scrubjay.taggers._mending.people.person_names import (
    is_common,
    is_eponym,
    is_first,
    is_often,
    rank_of,
)

SOURCE = "roster"

_NEAR, _MOST_WORDS = 48, 3
"""Characters between two places of a list, and words of a name."""

_OFTEN, _MOST_OFTEN = 3, 1
"""Classes up to which an everyday word is a surname ("Baker", but not "Rounds"), and an eponym."""

_FEW, _MANY = 2, 3
"""Places that make a list, and those that do where all names are everyday words."""

_DAYS = {
    "en": r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|weds?|thurs?|thu|fri|sat|sun",
    "nl": r"(?:maan|dins|woens|donder|vrij|zater|zon)dag|ma|di|wo|do|vr|za|zo",
    "es": r"lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|lun|mar|mi[ée]|jue|vie|"
    r"s[áa]b|dom",
}
_DATES = {"en": "DATE", "nl": "DATE", "es": "FECHAS"}
_PARTICLES = (
    r"(?:van[ ](?:de[nr]?|het)|van|von|de[ ]la|de[ ]los|del|den|der|de|da|di|el|al|ten|ter)"
)
_CAPITAL = r"[A-ZÀ-ÖØ-Þ]"
# Names that are parts of a day or of a week, too, and places where those of a day are spent.
_PARTS = frozenset([
    "day", "days", "night", "nights", "noon", "eve", "morning", "evening", "call", "grand", "post",
    "tarde", "noche", "mañana", "santo", "nacht", "dag", "home", "church", "ward",
])  # fmt: skip
_MONTHS = """
    jan january januari feb february februari mar march mrt maart apr april may mei jun june
    juni jul july juli aug august augustus sep sept september oct october okt oktober nov
    november dec december ene enero febrero marzo abr abril mayo junio julio ago agosto
    septiembre octubre noviembre dic diciembre
"""
_NO_NAMES = frozenset(_MONTHS.split())
_APART = re.compile(r"[ \t]*(?:[,;/|.)\r\n]|\Z)|[ \t]{2}")
_BETWEEN = re.compile(r"[\s,;/|&+.)-]*")


@dataclass(frozen=True, slots=True)
class _Place:
    """A weekday of `[start, day)` with the name of `[begin, end)` behind it.

    `row` is the number of the span that the weekday begins. The name `is_sure` where it is of no
    everyday word and no eponym, `is_part` where it may be a part of a day or a week.
    """

    row: int
    weekday: str
    start: int
    day: int
    begin: int
    end: int
    is_sure: bool
    is_part: bool


def may_be_roster(mention: str, language: str) -> bool:
    """Tell whether a mention begins with a weekday."""
    return language in _DAYS and _weekday(language).match(mention) is not None


def part_rosters(text: str, rows: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans with weekdays and the names behind them apart.

    `rows` are sorted and disjoint, and so are those that are returned. What was covered stays so.
    """
    known = find_telling(language)
    places = list(_find_places(text, rows, language)) if known is not None else []
    if known is None or not places:
        return rows
    persons = frozenset([known.person, known.doctor])
    listed = _in_lists(places, rows, persons)
    made, is_new = list(rows), False
    for place in reversed(places):
        span, is_listed = rows[place.row], place in listed
        if place.begin < span.end:
            is_date = span.label == _DATES[language]
            if is_listed or (is_date and not place.is_part):
                parts = _parted(text, span, place, language, known.doctor)
                made[place.row : place.row + 1] = parts
                is_new |= len(parts) > _FEW
        elif is_listed and _is_free(rows, place):
            name = Span(place.begin, place.end, known.doctor, source=SOURCE)
            made.insert(place.row + 1, name)
    # What is left of a date may be of the next day of the list.
    return part_rosters(text, tuple(made), language) if is_new else tuple(made)


def _parted(text: str, span: Span, place: _Place, language: str, doctor: str) -> list[Span]:
    """Return a weekday, the name behind it, and a further weekday of the span of all of them."""
    date = _DATES[language]
    day = replace(span, end=place.day, label=date)
    name = replace(span, start=place.begin, end=max(place.end, span.end), label=doctor)
    after = _BETWEEN.match(text, place.end, span.end)
    if after is not None and _weekday(language).match(text, after.end(), span.end):
        return [day, replace(name, end=place.end), replace(span, start=after.end(), label=date)]
    return [day, name]


def _is_free(rows: Sequence[Span], place: _Place) -> bool:
    """Tell whether no span reaches into a name."""
    after = rows[place.row + 1] if place.row + 1 < len(rows) else None
    return after is None or after.start >= place.end


def _find_places(text: str, rows: Sequence[Span], language: str) -> Iterator[_Place]:
    pair = _pair(language)
    for number, span in enumerate(rows):
        found = pair.match(text, span.start)
        if found is None or found.end("day") > span.end:
            continue
        end, is_sure = _read_name(text, found, language)
        if end:
            if end < span.end and span.label != _DATES[language]:
                continue  # "Sun Valley Clinic"
            word = text[found.start("name") : end].lower()
            is_part = word in _PARTS
            if is_part and not (_APART.match(text, end) or _weekday(language).match(text, end + 1)):
                continue  # "Thu Day shift"
            weekday = found["day"][:2].lower()
            yield _Place(
                number, weekday, span.start, found.end("day"), found.start("name"), end,
                is_sure, is_part,
            )  # fmt: skip


def _read_name(text: str, found: re.Match[str], language: str) -> tuple[int, bool]:
    """Return the end of a name, 0 for none, and whether it is of no everyday word."""
    is_loud = found["day"].isupper()
    place, end, is_sure = found.start("word"), 0, False
    for _ in range(_MOST_WORDS):
        word = _WORD.match(text, place)
        if word is None or (word[0].isupper() and not is_loud and len(word[0]) > 1):
            break
        kind = _kind(word[0], language)
        if not kind or _weekday(language).match(word[0]) or word[0].lower() in _NO_NAMES:
            break
        end, is_sure = word.end(), is_sure or kind == _SURE
        if text[end : end + 1] != " ":
            break
        place = end + 1
    return end, is_sure


def _in_lists(
    places: Sequence[_Place], rows: Sequence[Span], persons: frozenset[str]
) -> frozenset[_Place]:
    """Return the places that stand near others with a name, of several weekdays."""
    groups: list[list[_Place]] = []
    for place in places:
        if not groups or place.start - groups[-1][-1].end > _NEAR:
            groups.append([])
        groups[-1].append(place)
    listed: set[_Place] = set()
    for group in groups:
        is_sure = any(one.is_sure or _is_found(rows, one, persons) for one in group)
        if len({one.weekday for one in group}) >= (_FEW if is_sure else _MANY):
            listed.update(group)
    return frozenset(listed)


def _is_found(rows: Sequence[Span], place: _Place, persons: frozenset[str]) -> bool:
    """Tell whether the name of a place was found as one by itself."""
    number = bisect_left(rows, place.begin, key=attrgetter("start"))
    return (
        number < len(rows) and rows[number].start == place.begin and (rows[number].label in persons)
    )


@cache
def _weekday(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{_DAYS[language]})(?![^\W_])", re.IGNORECASE)


@cache
def _pair(language: str) -> re.Pattern[str]:
    """Return an expression for a weekday and a word with a capital behind it."""
    titles = r"(?:(?:[Dd]r[as]?|[Dd]hr|[Mm]w|[Mm]evr|[Ss]ra?)\.?[ ])?"
    sign = r"(?:[ \t]{0,3}(?:[:=–—-][ \t]{0,3}|\()|[ \t]{1,3})"
    return re.compile(
        rf"(?P<day>(?i:{_DAYS[language]}))\.?{sign}{titles}"
        rf"(?P<name>(?:(?i:{_PARTICLES})[ ])?(?:{_CAPITAL}\.[ ]?)?(?P<word>{_CAPITAL}))"
    )


_WORD = re.compile(rf"{_CAPITAL}[^\W\d_]+(?:[-'’]{_CAPITAL}[^\W\d_]+)*")
_NONE, _DOUBTFUL, _SURE = 0, 1, 2


@text_cache(4096)
def _kind(word: str, language: str) -> int:
    """Tell whether a word with a capital is a name, one that is an everyday word if it is often."""
    part = max(re.split("[-'’]", word), key=len)
    listed = [one for one in (word, part) if rank_of("surnames", one, language)][:1]
    many, most = (
        any(is_often("surnames", one, language, most=least) for one in listed)
        for least in (_OFTEN, _MOST_OFTEN)
    )
    if is_common(word.lower(), language):
        return _DOUBTFUL if many or is_first(word, language) else _NONE
    if is_eponym(part.lower(), language) and not most:
        return _DOUBTFUL  # "Pulled Wed Foley"
    return _SURE if listed or is_first(word, language) else _NONE
