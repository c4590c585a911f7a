"""Ages read: the numbers, the words for ages and the units in a mention."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from scrubjay.caching import text_cache
from scrubjay.transform.surrogates.calendar_words import (
    CalendarWords,
    phrase_key,
    word_key,
    words_of,
)

_TOKEN = re.compile(
    r"(?P<number>[0-9]+)(?P<rest>[.,][0-9]+)?"
    r"|(?P<word>[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*)|(?P<sep>[\W_]+)|(?P<other>.)",
    re.DOTALL,
)
YEARS, MONTHS, WEEKS, DAYS, HOURS = 1, 12, 52, 365, 8766
"""Units of ages, by how many of them are a year."""

_SMALL = {"m": MONTHS, "w": WEEKS, "s": WEEKS, "d": DAYS, "h": HOURS, "u": HOURS}
"""What the first letter of a small unit tells: month, maand, mes; week, semana; day, dag, día."""
_UNIT_BEHIND = re.compile(r"[ \-–]?([^\W\d_]{2,})(?!\w)")
_OF_YEARS = re.compile(r"(.+)jarig(?:en?)?", re.IGNORECASE)
_LONGEST = 6  # words of a number in words: "one hundred and thirty-two"


@dataclass(frozen=True, slots=True, repr=False)
class Part:
    """A piece of an age: number, spelled, decade, stage, ending (of "12th"), link, sep, drop."""

    kind: str
    text: str
    value: int = 0
    rest: str = ""


def _parts(text: str, words: CalendarWords) -> list[Part]:
    numbers, ages = _spelled(words.language), words.ages
    parts: list[Part] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        assert match is not None  # any character is one of the four
        end = match.end()
        if match["number"]:
            value = int(match["number"][:6])
            parts.append(Part("number", match["number"], value, match["rest"] or ""))
        elif match["word"]:
            part = (
                _phrase(text, position, numbers, ages.rows)
                or _glued(match["word"], numbers)
                or _word(match["word"], words)
            )
            behind = parts and parts[-1].kind == "number" and not parts[-1].rest
            if behind and part.text.lower() in words.ordinal_suffixes:
                part = Part("ending", part.text)
            parts.append(part)
            end = position + len(part.text)
        else:
            kind = "sep" if match.lastgroup == "sep" else "drop"
            parts.append(Part(kind, match.group()))
        position = end
    return parts


@text_cache(2048)  # most ages are in several documents
def known_parts(text: str, language: str) -> tuple[Part, ...]:
    return tuple(_parts(text, words_of(language)))


def _word(word: str, words: CalendarWords) -> Part:
    key = word_key(word)
    if key in words.ages.decades:
        return Part("decade", word, words.ages.decades[key])
    return Part("link" if key in words.ages.links else "drop", word)


def _glued(word: str, numbers: Mapping[str, int]) -> Part | None:
    """Return the number in words that Dutch glues to "of so many years": drieënveertigjarige."""
    glued = _OF_YEARS.fullmatch(word)
    if glued is None or (value := numbers.get(phrase_key(glued[1]))) is None:
        return None
    return Part("spelled", glued[1], value)


def _phrase(
    text: str, position: int, numbers: Mapping[str, int], rows: Mapping[str, tuple[str, ...]]
) -> Part | None:
    """Return the longest number in words, or word of an age, that begins at a word."""
    found: Part | None = None
    keys: list[str] = []
    place = position
    while len(keys) < _LONGEST:
        match = _TOKEN.match(text, place)
        if match is None or not match["word"]:
            break
        keys.append(match["word"])
        key, piece = phrase_key(" ".join(keys)), text[position : match.end()]
        if key in numbers:
            found = Part("spelled", piece, numbers[key])
        elif key in rows:
            found = Part("stage", piece)
        place = match.end()
        while place < len(text) and (text[place].isspace() or text[place] == "-"):
            place += 1
    return found


def is_denominator(parts: Sequence[Part], index: int) -> bool:
    """Tell whether a 12 tells months of a year: 9/12."""
    return index >= 2 and parts[index].text == "12" and parts[index - 1].text == "/"


def is_decade(parts: Sequence[Part], index: int) -> bool:
    """Tell whether a number is that of a decade: 40s, 40's."""
    after = [part.text for part in parts[index + 1 : index + 3]]
    glued = after[:1] in (["s"], ["S"]) or (after[:1] in (["'"], ["’"]) and after[1:] == ["s"])
    return glued and parts[index].value % 10 == 0 and 20 <= parts[index].value < 100


def is_small(parts: Sequence[Part], index: int, words: CalendarWords) -> bool:
    """Tell whether a number counts months, weeks or days, or such of a year (2;6, 9/12)."""
    if index >= 2 and parts[index - 1].text == ";":
        return True
    after = [part for part in parts[index + 1 :] if part.kind not in ("sep", "drop")]
    if after and after[0].text == "12":
        return True
    return bool(after) and word_key(after[0].text) in words.ages.small_units


def unit_behind(text: str, end: int, parts: Sequence[Part], words: CalendarWords) -> str:
    """Return the small unit right behind a mention that ends with a number: "15" of "15 MO".

    "" where it is none, or one letter, which may tell the sex.
    """
    if not parts or parts[-1].kind not in ("number", "spelled"):
        return ""
    found = _UNIT_BEHIND.match(text, end)
    return found[1] if found is not None and word_key(found[1]) in words.ages.small_units else ""


def unit_of(parts: Sequence[Part], index: int, words: CalendarWords, behind: str) -> int:
    """Return the unit that a number counts, by how many are a year; `behind` is `unit_behind`."""
    if not is_small(parts, index, words):
        lone = behind and index == len(parts) - 1
        return _SMALL.get(word_key(behind)[0], DAYS) if lone else YEARS
    after = [part.text for part in parts[index + 1 :] if part.kind not in ("sep", "drop")]
    key = word_key(after[0]) if after else "m"  # 2;6 and 9/12 are of a year
    return _SMALL.get(key[0], MONTHS)


def other_unit(text: str, words: CalendarWords) -> str:
    """Return a small unit by another word for it: "months" for "mo"; "" for what is none."""
    key = word_key(text)
    if len(key) < 2 or key not in words.ages.small_units:
        return ""
    forms = (form for pair in dict.fromkeys(words.ages.units.values()) for form in reversed(pair))
    alike = (form for form in forms if form[0] == key[0] and word_key(form) != key)
    return next((form for form in alike if word_key(form) in words.ages.small_units), "")


@cache
def _spelled(language: str) -> Mapping[str, int]:
    """Return numbers in words -> their value, with the ways that the table's forms vary."""
    found: dict[str, int] = {}
    for value, name in enumerate(words_of(language).cardinals):
        key = phrase_key(name)
        for form in (key, key.replace(" and ", " "), key.replace(" ", "")):
            found[form] = value
            for long, short in words_of(language).ages.variants:
                if form.startswith(long) or form.endswith(long):
                    found[form.replace(long, short)] = value
    return found
