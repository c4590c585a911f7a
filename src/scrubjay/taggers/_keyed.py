"""Persons who are called like a disease or a device, where only a person can stand.

A tagger has seen "Crohn" and "Foley" in clinical terms alone, and passes them over in "Patient:
Harold Crohn", "Naam: Alzheimer, Greta" and "mw. crohn". After the key of a person's name, after a
title, and beside a first name that was found, the word is a surname, whatever else it is. After a
key other listed names are found, too, those in small letters among them. A disease after a key
("Patient: Crohn's disease", "patient: parkinson since 2010") is none.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from operator import attrgetter

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, lexicon_names, look_up
from scrubjay.taggers._person_keys import DISEASES, Telling, find_telling

SOURCE = "keyed"

_KEY_BEFORE, _MOST_WORDS, _KEPT = 40, 6, 8192
"""Characters before a colon that are read as its key, words of a name, and words remembered."""

_OFTEN = 4
"""The class up to which everyday words are first names: "Will", "jan"."""

_RARE = 5
"""The class from which on few are called by a surname."""

_Found = tuple[int, int, str]
"""Where a name stands, and its label; "" where a disease stands in its place."""

_NAME = r"[^\W\d_]+(?:[-'’](?!s(?!\w))[^\W\d_]+)*"
_WORD, _LETTERS = re.compile(_NAME), re.compile(r"[^\W\d_]+")
_REST = re.compile(r"(?<=[^\W\d_])-(?P<word>[A-ZÀ-ÖØ-Þ][^\W\d_]+)(?!\w)")
_COMMA = re.compile(rf",[ ]{{0,2}}(?P<word>{_NAME})")
_FURTHER = re.compile(rf"[ ](?:(?:de[ ]la|de[ ]los|del|de)[ ])?(?P<word>{_NAME})")
_MIDDLE = re.compile(r"[ ][A-ZÀ-ÖØ-Þ](?:\.|(?!\w))")
_INITIALS = re.compile(r"(?:[A-ZÀ-ÖØ-Þ]\.[ ]?){1,4}")
_END = re.compile(r"[ \t]*(?:\r?\n|\Z|[,;|(]|\.(?!\w)|\t)|[ ]{2,}|[ ]+(?=[-–/]?[ ]?\d)")
_PARTICLES = frozenset([
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "du", "la", "las", "los",
    "le", "ter", "ten", "te", "vd", "het", "el", "al", "bin", "ibn",
])  # fmt: skip
# What is no surname of the eponyms: places, things, firms.
_NO_NAMES = frozenset([
    "pap", "gram", "doppler", "tegaderm", "takotsubo", "lyme", "glasgow", "gamekeeper", "rotor",
    "jacksonian", "parkinsonian", "tensilon", "bethesda", "minnesota", "montreal", "vancouver",
    "oswestry", "merseburg", "denver", "salem", "stanford", "valsalva", "holter", "bristol",
    "achilles", "caesar",
])  # fmt: skip


def add_keyed(
    text: str, spans: Iterable[Span], *, language: str, labels: Collection[str] | None = None
) -> tuple[Span, ...]:
    """Return the spans with those of persons whom keys, titles and first names tell of.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays so,
    but for a disease right after a key ("Patiënt: Crohn sinds 2010"). A span within a name grows to
    it, several become one. Nothing is added in a language without keys here, and none of a label
    that is not among `labels`.
    """
    rows = tuple(spans)
    known = find_telling(language)
    if known is None or (labels is not None and not {known.person, known.doctor} <= set(labels)):
        return rows
    persons = {known.person, known.doctor}
    whole = {s.start for s in rows if s.label in persons and _is_whole(text, s)}
    found = [*_after_keys(text, language, known, whole)]
    found += _after_titles(text, language, known, whole)
    found += _beside_names(text, rows, language, known)
    if not found:
        return rows
    nobody = {(start, end) for start, end, label in found if not label}
    merged = [s for s in rows if (s.start, s.end) not in nobody or s.label not in persons]
    for start, end, label in sorted(found):
        if label:
            _put(text, merged, start, end, label, persons)
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
    text: str, language: str, known: Telling, whole: Collection[int]
) -> Iterator[_Found]:
    """Yield the names after the keys of persons, and diseases there without a label.

    Those that begin at one of `whole` are left out.
    """
    for sign in ":|":
        place = text.find(sign)
        while place >= 0:
            last = place
            while last and text[last - 1] in " \t":
                last -= 1
            if text[max(0, last - 2) : last].lower() in known.tails:
                floor = max(0, place - _KEY_BEFORE)
                line = max(floor, text.rfind("\n", floor, last))  # no key reaches over its begin
                key = _find_key(text[line:last], language, begins=line == 0)
                found = _read_value(text, place + 1, key, language, known, whole) if key else None
                if found is not None:
                    yield found
            place = text.find(sign, place + 1)


@lru_cache(8192)
def _find_key(line: str, language: str, *, begins: bool) -> re.Match[str] | None:
    """Return the key that a piece of a line ends with; `begins` where a text begins with it."""
    known = find_telling(language)
    if known is None:
        return None
    # What stands within a text has no begin: a letter in front makes it so.
    return known.keys.search(line if begins else f"x{line}", 0 if begins else 1)


def _read_value(
    text: str,
    place: int,
    key: re.Match[str],
    language: str,
    known: Telling,
    whole: Collection[int],
) -> _Found | None:
    while text[place : place + 1] in (" ", "\t"):
        place += 1
    if place in whole:
        return None
    title = known.title.match(text, place)
    place = title.end() if title else place
    if place in whole:
        return None
    if known.disease and not key[0].lower().endswith("naam") and known.disease.match(text, place):
        return None  # M. Crohn
    end = _read_name(text, place, language, alone=not key["kin"])
    if end > place:
        return place, end, known.doctor if key["staff"] else known.person
    word = None if title or key["staff"] else _LETTERS.match(text, place)
    if word and _names_disease(text, word, language):
        return *word.span(), ""
    return None


def _names_disease(text: str, word: re.Match[str], language: str) -> bool:
    """Tell whether a word is an eponym that few are called by, and goes on as a disease does."""
    ranks = [rank for name in _lists("surnames", language) if (rank := _rank(name, word[0]))]
    return (
        _is_eponym(word[0].lower(), language)
        and min(ranks, default=_RARE) >= _RARE
        and not _is_person(text, word.end())
    )


def _after_titles(
    text: str, language: str, known: Telling, whole: Collection[int]
) -> Iterator[_Found]:
    """Yield the eponyms right after titles, those that are everyday words with a capital alone."""
    for written in known.titles:
        place = text.find(written)
        while place >= 0:
            inside = place > 0 and text[place - 1].isalnum()
            title = None if inside else known.title.match(text, place)
            if title is not None and title.end() not in whole:
                end = _end_after_title(text, title, language)
                if end > title.end():
                    yield title.end(), end, known.doctor if title["staff"] else known.person
            place = text.find(written, place + 1)


def _end_after_title(text: str, title: re.Match[str], language: str) -> int:
    """Return the end of what is a name right behind a title: a full one, or an eponym alone."""
    words = _words(text, title.end())
    if not words:
        return 0
    if end := _end_of_full(text, words, language, has_first=False):
        return end
    written = words[0][0]
    if title.groupdict().get("kin") or not _is_person(text, words[0].end()):
        return 0
    is_name = _is_eponym(written.lower(), language) and (
        written[0].isupper() or not _is_common(written.lower(), language)
    )
    return words[0].end() if is_name or _is_own(written, language) else 0


def _is_own(word: str, language: str) -> bool:
    """Tell whether a word in small letters is a surname that Spanish has of its own."""
    if language != "es" or not word.islower() or _is_common(word, language):
        return False
    return look_up(find_lexicon("es.surnames"), word) is not None


def _beside_names(
    text: str, spans: Iterable[Span], language: str, known: Telling
) -> Iterator[_Found]:
    """Yield the names of persons that go on with an eponym, or begin with one and a comma."""
    for span in spans:
        if span.label not in (known.person, known.doctor):
            continue
        if text[span.end : span.end + 1] == "-" and (rest := _REST.match(text, span.end)):
            if look_up(find_lexicon("en.credentials"), rest["word"]) is None:
                yield span.start, rest.end(), span.label
            continue
        if text[span.end : span.end + 1] == " " and text[span.end + 1 : span.end + 2].isupper():
            word = _WORD.match(text, span.end + 1)
            first = _WORD.match(text, span.start, span.end)
            if (
                word is not None
                and first is not None
                and _is_eponym(word[0].lower(), language)
                and _is_first(first[0], language)
                and _is_person(text, word.end())
            ):
                yield span.start, word.end(), span.label
        elif text[max(0, span.start - 2) : span.start] == ", ":
            floor = max(0, span.start - _KEY_BEFORE)
            begin = text.rfind("\n", floor, span.start) + 1
            word = _WORD.match(text, begin) if begin or not floor else None
            first = _WORD.match(text, span.start, span.end)
            if (
                word is not None
                and first is not None
                and word.end() == span.start - 2
                and word[0][0].isupper()
                and _is_eponym(word[0].lower(), language)
                and _is_first(first[0], language)
            ):
                yield begin, span.end, span.label


def _read_name(text: str, place: int, language: str, *, alone: bool) -> int:
    """Return the end of the name that begins at a place, which is the place where none does.

    A surname is enough where it may stand `alone`.
    """
    initials = _INITIALS.match(text, place)
    words = _words(text, initials.end() if initials else place)
    if not words:
        return place
    end = _end_of_listed(text, words, language) or _end_of_full(
        text, words, language, has_first=initials is not None
    )
    if not end and alone and not initials and _is_alone(text, words[0], language):
        end = words[0].end()
    return end or place


def _words(text: str, place: int) -> list[re.Match[str]]:
    """Return the words from a place on that one blank parts, dots of initials left out."""
    words: list[re.Match[str]] = []
    while len(words) < _MOST_WORDS and (word := _WORD.match(text, place)):
        words.append(word)
        place = word.end()
        place += text[place : place + 1] == "." and len(word[0]) == 1
        if text[place : place + 1] != " ":
            break
        place += 1
    return words


def _end_of_listed(text: str, words: list[re.Match[str]], language: str) -> int:
    """Return the end of "Alzheimer, Greta M.", 0 where the words are none such."""
    for number, word in enumerate(words, start=1):
        if comma := _COMMA.match(text, word.end()):
            surname = [w[0] for w in words[:number] if w[0].lower() not in _PARTICLES]
            if (
                _is_first(comma["word"], language)
                and any(_is_surname(part, language) for part in surname)
                and all(_is_surname(part, language) or part[0].isupper() for part in surname)
            ):
                return _end_of_firsts(text, comma.end(), language)
            return 0
    return 0


def _end_of_firsts(text: str, end: int, language: str) -> int:
    """Return the end of the further first names and initials behind one."""
    while word := _MIDDLE.match(text, end) or _FURTHER.match(text, end):
        if word.re is _FURTHER and not _is_first(word["word"], language):
            break
        end = word.end()
    return end


def _end_of_full(text: str, words: list[re.Match[str]], language: str, *, has_first: bool) -> int:
    """Return the end of "Greta van Alzheimer", of which an initial may be all of the first name."""
    for number, word in enumerate(words):
        if has_first and _is_surname(word[0], language):
            further = [w[0] for w in words[number + 1 :] if w[0].lower() not in _PARTICLES]
            if further and _is_first(word[0], language) and _is_surname(further[0], language):
                continue
            end = _end_of_surnames(words[number:], language)
            return end if _is_person(text, end) else 0
        if _is_first(word[0], language):
            has_first = True
        elif not has_first or (word[0].lower() not in _PARTICLES and len(word[0]) > 1):
            return 0
    return 0


def _end_of_surnames(words: list[re.Match[str]], language: str) -> int:
    """Return the end of a surname, of two in Spanish."""
    end = words[0].end()
    if language == "es":
        further = [word for word in words[1:] if word[0].lower() not in _PARTICLES]
        if further and _is_surname(further[0][0], language):
            end = further[0].end()
    return end


def _is_alone(text: str, word: re.Match[str], language: str) -> bool:
    """Tell whether a word is an eponym, and all that is said."""
    written = word[0]
    return (
        _is_eponym(written.lower(), language)
        and (written[0].isupper() or not _is_common(written.lower(), language))
        and _END.match(text, word.end()) is not None
    )


def _is_person(text: str, end: int) -> bool:
    """Tell whether nothing right behind a name makes a disease or a device of it."""
    return DISEASES.match(text, end) is None


@cache
def _eponyms(language: str) -> frozenset[str]:
    names = {"world.eponyms", f"{language}.eponyms"}.intersection(lexicon_names())
    return frozenset().union(*map(find_lexicon, sorted(names))) - _NO_NAMES


def _is_eponym(word: str, language: str) -> bool:
    return word in _eponyms(language)


def _is_common(word: str, language: str) -> bool:
    return look_up(find_lexicon(f"{language}.common"), word) is not None


@lru_cache(_KEPT)
def _is_first(word: str, language: str) -> bool:
    """Tell whether a word is a first name, one that is an everyday word if it is often one."""
    if look_up(find_lexicon("en.credentials"), word) is not None:
        return False
    ranks = [rank for name in _lists("first-names", language) if (rank := _rank(name, word))]
    if not ranks or not _is_common(word, language):
        return bool(ranks)
    return min(ranks) <= _OFTEN


@lru_cache(_KEPT)
def _is_surname(word: str, language: str) -> bool:
    """Tell whether a word is a surname, one in small letters only if it is no everyday word."""
    if word[0].islower() and _is_common(word, language):
        return False
    return _is_eponym(word.lower(), language) or any(
        _rank(name, word) for name in _lists("surnames", language)
    )


def _rank(name: str, word: str) -> int:
    """Return the class of a word in a list from 1 up, 0 where it is not listed."""
    rank = look_up(find_lexicon(name), word)
    return 0 if rank is None else max(rank, 1)


@cache
def _lists(kind: str, language: str) -> tuple[str, ...]:
    return (f"{language}.{kind}", f"world.{kind}")


def _has_letters(text: str, start: int, end: int, spans: Iterable[Span]) -> bool:
    """Tell whether a letter of a stretch lies in none of the spans within."""
    for span in spans:
        if any(map(str.isalpha, text[start : span.start])):
            return True
        start = span.end
    return any(map(str.isalpha, text[start:end]))


def _put(
    text: str, rows: list[Span], start: int, end: int, label: str, persons: Collection[str]
) -> None:
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
    if all(span.label in persons for span in within) and not _has_letters(text, start, end, within):
        return  # all of it is found, in one or in parts
    own = next((span for span in within if span.label in persons), None)
    if own is None:
        rows[first:last] = [Span(start, end, label, source=SOURCE)]
    else:
        rows[first:last] = [replace(own, start=start, end=end)]
