"""Persons who are called like a disease or a device, where only a person can stand.

A tagger has seen "Crohn" and "Foley" in clinical terms alone, and passes them over in "Patient:
Harold Crohn", "Naam: Alzheimer, Greta" and "mw. crohn". After the key of a person's name, after a
title, behind a first name that was found, and before one with its comma at the head of an entry
("Foley, Anna"), the word is a surname, whatever else it is. After a key other listed names are
found, too, those in small letters among them. In English such a head may be in no list, and one
child with an age tells of the next ("kids Brayleigh 9 & Jaxx 3"). A disease after a key ("Patient:
Crohn's disease", "patient: parkinson since 2010") is none.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.features.protected import protected_pieces, protected_terms
from scrubjay.taggers._mending.people.full_names import find_full_names
from scrubjay.taggers._mending.people.person_keys import Telling, find_telling
from scrubjay.taggers._mending.people.person_names import (
    WORD,
    end_after_title,
    is_common,
    is_eponym,
    is_first,
    is_person,
    read_name,
)
from scrubjay.taggers._mending.uncovered import Found, touched_by

SOURCE = "keyed"

_KEY_BEFORE, _KEPT = 40, 8192
"""Characters before a colon that are read as its key, and pieces of lines that are remembered."""

_ELIDED = re.compile(r"(?:[DLO]|Dell|Dall)['’][A-ZÀ-ÖØ-Þ][^\W\d_]{2,}")
"""Surnames that begin with an article or a preposition without its vowel: "D'Ors", "O'Neill"."""
_REST = re.compile(r"(?<=[^\W\d_])-(?P<word>[A-ZÀ-ÖØ-Þ][^\W\d_]+)(?!\w)")

_AROUND, _SHORTEST, _COMMA = 60, 5, ", "
"""Characters before a first name that its surname and the head of an entry may have, and letters of
a surname in capitals before a first name that is written otherwise."""

_HEAD = re.compile(
    r"(?:\A|[\r\n;])[ \t*•>-]{0,8}(?:#?\d{1,4}(?:-\d{1,2})?[.:)]?[ ]{1,4})?"
    r"(?P<word>[A-ZÀ-ÖØ-Þ](?:[a-zß-öø-ÿ]{2,}|[A-ZÀ-ÖØ-Þ]{2,})"
    r"(?:[-'’][A-ZÀ-ÖØ-Þ](?:[a-zß-öø-ÿ]+|[A-ZÀ-ÖØ-Þ]+))*),[ ]\Z"
)
_NO_SURNAMES = tuple(
    f"en.{kind}"
    for kind in ("cities", "countries", "regions", "relatives", "months", "weekdays", "credentials",
                 "titles", "professions", "facility-words", "organization-words", "id-words",
                 "demonyms", "date-words")
)  # fmt: skip
_CAPITAL = r"[A-ZÀ-ÖØ-Þ](?:\.|[^\W\d_]*(?:[-'’][^\W\d_]+)*)"
_CELL = re.compile(
    rf"(?P<name>{_CAPITAL}(?:[ ]{_CAPITAL}){{0,3}},[ ]{{0,2}}{_CAPITAL}(?:[ ]{_CAPITAL}){{0,2}})"
    r"(?=[ ]{2}|[ ]?(?:[\t\r\n|;(]|\Z))"
)
"""A name with a comma that is all of a cell or of a line."""
_NAME_KEYS = ("name", "naam", "nombre", "apellidos")
_ARTICLES = ("LA ", "LAS ", "LOS ")

_AGE = r"[1-9]\d?(?:[ ]?(?:yrs?|y/?o?|years?|mos?|months?|m|wks?|weeks?))?"
_AGED = rf"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+[ ](?:{_AGE}|\({_AGE}\))"
_CHILDREN = re.compile(
    rf"(?<![\w/-]){_AGED}(?:(?:,|[ ]?[&+/;]|[ ]and)[ ](?:(?:and|&)[ ])?{_AGED}){{1,7}}"
    r"(?![\w/%-]|[.:]\d|[ ]?(?:mg|mcg|g|ml|mm|cm)(?!\w))"
)
_CHILD = re.compile(r"(?P<name>[^\W\d_]{2,})[ ]\(?(?P<age>\d+)(?P<infant>[ ]?[mw])?")
_KIN = re.compile(
    r"(?<![^\W_])(?:kids?|child(?:ren)?|sons?|daughters?|boys?|girls?|sib(?:ling)?s?|sisters?|"
    r"brothers?|m[ou]m|mother|dad|father|grand\w+|nieces?|nephews?|twins|dtrs?)(?!\w)[^.\n]{0,48}\Z",
    re.IGNORECASE,
)
_AGES, _OLDEST = frozenset("(123456789"), 30
"""How an age begins, and the oldest of a list of children."""


def find_keyed(language: str, labels: Collection[str] | None) -> Telling | None:
    """Return what tells of persons in a language, for a model that has such labels."""
    known = find_telling(language)
    has_labels = (
        known is None or labels is None or {known.person, known.doctor, known.kin}.issubset(labels)
    )
    return known if has_labels else None


def add_keyed_at(
    text: str,
    rows: tuple[Span, ...],
    known: Telling,
    *,
    keys: Sequence[int],
    titles: Sequence[int],
    names: Sequence[int],
) -> tuple[Span, ...]:
    """Return the spans with those of persons whom keys, titles and first names tell of.

    `rows` are sorted and disjoint, and so are those that are returned. What was covered stays so. A
    span within a name grows to it, several become one. Keys and titles may stand at these places
    alone: `keys` are of colons and bars behind them, `names` of blanks before surnames.
    """
    labels = (known.person, known.doctor)
    found: list[Found] = []
    if keys or titles:
        persons = {s.start: s for s in rows if s.label in labels or s.label == known.kin}
        found += _after_keys(text, keys, known, persons)
        found += _after_titles(text, titles, known, persons)
    for span in rows:
        if span.label in labels or span.label == known.kin:
            end = span.end
            after = text[end : end + 2]
            is_near = after[1:].isupper() if after[:1] == " " else after[:1] == "-"
            if is_near and (
                longer := _go_on(text, span, known.language, may_be_term=span.label in labels)
            ):
                found.append(longer)
            elif span.label in labels and text[max(0, span.start - 2) : span.start] in (
                _COMMA,
                "E ",
            ):
                begin = _surname_begins(text, span, known.language)
                if begin < span.start:
                    found.append((begin, end, span.label))
            if known.language == "en" and after[:1] == " " and after[1:] in _AGES:
                found += _children(text, rows, span)
    found += find_full_names(text, names, known, rows)
    return _merged(text, rows, known, found) if found else rows


def _merged(
    text: str, rows: tuple[Span, ...], known: Telling, found: Sequence[Found]
) -> tuple[Span, ...]:
    persons = {known.person, known.doctor}
    merged = list(rows)
    last = (0, 0)
    for start, end, label in sorted(found):
        if (start, end) != last:  # a key tells more than the words of a name
            last = start, end
            alike = {*persons, known.kin} if label == known.kin else persons
            _put(text, merged, start, end, label, alike)
    return tuple(merged)


def _is_whole(text: str, span: Span) -> bool:
    """Tell whether a name holds two words at least, and can neither go on nor be a disease."""
    after = text[span.end : span.end + 2]
    return (
        " " in text[span.start : span.end]
        and (
            after[:1] in ".\n\r;)"
            or after in ("  ", "")
            or (after[:1] == " " and after[1:].islower())
        )
        and not text[span.start : span.end].islower()
    )


def _after_keys(
    text: str, places: Iterable[int], known: Telling, persons: Mapping[int, Span]
) -> Iterator[Found]:
    """Yield the names after the keys of persons.

    Where one of `persons`, by their starts, is a whole name, nothing is looked for.
    """
    for place in places:
        last = place
        while last and text[last - 1] in " \t":
            last -= 1
        floor = place - _KEY_BEFORE if place > _KEY_BEFORE else 0
        line = max(floor, text.rfind("\n", floor, last))  # no key reaches over its begin
        key = _find_key(text[line:last], known.language, begins=line == 0)
        if key is None:
            continue
        begin = place + 1
        if text.startswith((":|", ": |"), place):  # the key is alone in its cell
            begin = text.index("|", place) + 1
        if found := _read_value(text, begin, key, known, persons):
            yield found


@lru_cache(_KEPT)
def _find_key(line: str, language: str, *, begins: bool) -> re.Match[str] | None:
    """Return the key that a piece of a line ends with; `begins` where a text begins with it."""
    known = find_telling(language)
    if known is None:
        return None
    # What stands within a text has no begin: a letter in front makes it so.
    return known.keys.search(line if begins else f"x{line}", 0 if begins else 1)


def _read_value(
    text: str, place: int, key: re.Match[str], known: Telling, persons: Mapping[int, Span]
) -> Found | None:
    while text[place : place + 1] in (" ", "\t"):
        place += 1
    if place in persons and _is_whole(text, persons[place]):
        return None
    title = known.title.match(text, place)
    if title:
        place = title.end()
        if place in persons and _is_whole(text, persons[place]):
            return None
    if known.disease and not key[0].lower().endswith("naam") and known.disease.match(text, place):
        return None  # M. Crohn
    end = read_name(text, place, known.language, alone=not key["kin"])
    if not (key["kin"] or key["staff"]):
        cell = _end_of_cell(text, place, key[0], known.language)
        # Two mentions that are all of it stay two.
        if not (place in persons and any(each.end == cell for each in persons.values())):
            end = max(end, cell)
    return (place, end, _label(key, known)) if end > place else None


def _end_of_cell(text: str, place: int, key: str, language: str) -> int:
    """Return where "ALT, HB" ends behind the key of a patient, whatever the words are elsewhere.

    0 where no such name is all of a cell. Behind "patient:" it has none but names and rare words.
    """
    cell = _CELL.match(text, place)
    if cell is None:
        return 0
    words = [part.lower().strip(".") for part in re.split(r"[ ,]+", cell["name"])]
    if any(protected_terms(language).get(word) == "drug" for word in words):
        return 0
    if not key.lower().endswith(_NAME_KEYS) and any(is_common(word, language) for word in words):
        return 0
    return cell.end("name")


def _after_titles(
    text: str, places: Iterable[int], known: Telling, persons: Mapping[int, Span]
) -> Iterator[Found]:
    """Yield the eponyms right after titles, those that are everyday words with a capital alone."""
    for place in places:
        if not text.startswith(known.titles, place) or (place and text[place - 1].isalnum()):
            continue
        title = known.title.match(text, place)
        if title is None:
            continue
        begin = title.end()
        if begin not in persons or not _is_whole(text, persons[begin]):
            of_kin = bool(title.groupdict().get("kin"))
            end = end_after_title(text, begin, known.language, of_kin=of_kin)
            if end > begin:
                yield begin, end, _label(title, known)


def _label(told: re.Match[str], known: Telling) -> str:
    """Return the label of whom a key or a title tells of."""
    groups = told.groupdict()
    if groups.get("staff") or groups.get("nurse"):
        return known.doctor
    is_relative = groups["relative"] if "relative" in groups else groups.get("kin")
    return known.kin if is_relative else known.person


def _go_on(text: str, span: Span, language: str, *, may_be_term: bool) -> Found | None:
    """Return the name of a person that goes on with "D'Ors", an eponym, or behind a hyphen."""
    if text[span.end] == "-":
        rest = _REST.match(text, span.end)
        is_name = rest and not is_listed(rest["word"], "en.credentials")
        return (span.start, rest.end(), span.label) if rest and is_name else None
    word = WORD.match(text, span.end + 1)
    first = WORD.match(text, span.start, span.end)
    is_name = (
        word is not None
        and (_ELIDED.fullmatch(word[0]) or (may_be_term and is_eponym(word[0].lower(), language)))
        and first is not None
        and is_first(first[0], language)
        and is_person(text, word.end())
    )
    return (span.start, word.end(), span.label) if word and is_name else None


def _surname_begins(text: str, span: Span, language: str) -> int:
    """Return where the surname before the comma of a first name begins, else where the span does.

    It stands at the head of an entry. In Spanish "DE" before "LA FUENTE, ROSA" is of the name.
    """
    start = span.start
    if text[start - 2] != ",":
        is_particle = language == "es" and text.startswith(_ARTICLES, start)
        return (
            start - 3 if is_particle and text[max(0, start - 4) : start].strip() == "DE" else start
        )
    first = WORD.match(text, start, span.end)
    if first is None or not is_first(first[0], language):
        return start
    head = _HEAD.search(text, max(0, start - _AROUND), start)
    if head is None or text.startswith(("'s", "’s"), span.end):  # "Afia, Kofi's sister"
        return start
    word = head["word"]
    is_short = word.isupper() and not first[0].isupper() and len(word) < _SHORTEST  # "NKDA, Grace"
    is_name = not is_short and (
        is_eponym(word.lower(), language) or (language == "en" and _is_unlisted(word.lower()))
    )
    return head.start("word") if is_name else start


def _children(text: str, rows: tuple[Span, ...], found: Span) -> Iterator[Found]:
    """Yield the names and ages beside one that was found, of a list of children or with an age.

    Ages have a label where one is found somewhere in the text.
    """
    floor = max(0, found.start - _AROUND)
    lists = _CHILDREN.finditer(text, floor, found.end + 2 * _AROUND)
    listed = next((some for some in lists if some.start() <= found.start < some.end()), None)
    if listed is None:
        return
    children = list(_CHILD.finditer(text, listed.start(), listed.end()))
    ages = [touched_by(rows, *child.span("age")) for child in children]
    is_told = any(age is not None and age.label == "AGE" for age in ages) or _KIN.search(
        text, max(0, listed.start() - _AROUND), listed.start()
    )
    persons = [touched_by(rows, *child.span("name")) for child in children]
    if not is_told or not all(
        int(child["age"]) <= _OLDEST
        and (
            is_first(child["name"], "en") or _is_unlisted(child["name"].lower())
            if person is None
            else person.label == found.label
        )
        for child, person in zip(children, persons, strict=True)
    ):
        return
    has_ages = any(row.label == "AGE" for row in rows)
    for child, person, age in zip(children, persons, ages, strict=True):
        if person is None:
            yield *child.span("name"), found.label
        if age is None and has_ages and not child["infant"]:
            yield *child.span("age"), "AGE"


@text_cache(_KEPT)
def _is_unlisted(lower: str) -> bool:
    """Tell whether a word in no list may be a surname: "warmly" and "metoprolol" are none."""
    return (
        not lower.endswith("ly")
        and not is_common(lower, "en")
        and lower not in protected_terms("en", spared=True)
        and lower not in protected_pieces("en", spared=True)
        and not is_listed(lower, *_NO_SURNAMES)
    )


def _has_letters(text: str, start: int, end: int, spans: Iterable[Span]) -> bool:
    """Tell whether a letter of a stretch lies in none of the spans within."""
    for span in spans:
        if any(map(str.isalpha, text[start : span.start])):
            return True
        start = span.end
    return any(map(str.isalpha, text[start:end]))


def _put(text: str, rows: list[Span], start: int, end: int, label: str, persons: set[str]) -> None:
    """Put a name among the spans: it takes the place of those within it, and ends at others."""
    first = bisect_right(rows, start, key=attrgetter("end"))
    last = bisect_left(rows, end, key=attrgetter("start"))
    within = rows[first:last]
    if within and within[0].start < start:
        start, first = within[0].end, first + 1
    if len(within) > 0 and within[-1].end > end:
        end, last = within[-1].start, last - 1
    if start >= end or first > last:
        return
    within = rows[first:last]
    labels = {span.label for span in within}
    if labels <= persons and not _has_letters(text, start, end, within) and len(labels) == 1:
        return  # all of it is found, in one or in parts
    own = next((span for span in within if span.label in persons), None)
    if own is None:
        rows[first:last] = [Span(start, end, label, source=SOURCE)]
    else:
        rows[first:last] = [replace(own, start=start, end=end)]
