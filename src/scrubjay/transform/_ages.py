"""Ages as they are written, in digits and in words, and which of them may stay (Safe Harbor).

45 CFR 164.514(b)(2)(i)(C): ages up to 89 stay, all others become one category, 90 or older. The
words of each language are in `resources/ages`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from scrubjay.languages import LANGUAGES
from scrubjay.resources import load_table
from scrubjay.text.numerals import numerals

OLDEST = 90
_HIGHEST = 130  # what is above is no age of a person

_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN = re.compile(r"[\s\-–—'’.,/+~()<>≥≤:;]*")
_DATE_LIKE = re.compile(r"\d\s*/\s*\d|\d[.,]\d+[.,]\d")
# "9O" and "9 0" may be a ninety that was read wrongly from paper.
_DOUBTFUL = re.compile(r"\d[oO](?![^\W\d_])|\d\s+\d")
_UNIT = re.compile(r"[\s\-–]*([^\W\d_]+)")
# A unit behind the mention counts only where it is said to be of an age: "92 days old".
_UNIT_BEHIND = re.compile(
    r"[ \-–]?[^\W\d_]+[ \-–]?(?:old|oude?|of age|of life|de edad|de vida)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class AgeWords:
    """How ages are said: numbers in words, and what may stand beside a number.

    `plain` says no more than that a number is an age, `nearer` where in a range it lies,
    `shorter` maps a unit to how many of it are a year; `number` finds numbers, `birth` what
    stands before a date of birth.
    """

    values: Mapping[str, int]
    plain: frozenset[str]
    nearer: frozenset[str]
    shorter: Mapping[str, int]
    number: re.Pattern[str]
    birth: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Number:
    start: int
    end: int
    years: float


@cache
def age_words(language: str = "") -> AgeWords:
    """Return the words of a language; those of all languages together for any other."""
    known = (language,) if language in LANGUAGES else LANGUAGES
    tables = [load_table("ages", f"{name}.toml") for name in known]
    values: dict[str, int] = {}
    for name, table in zip(known, tables, strict=True):
        for phrase, value in _phrases(name, table):
            values.setdefault(_plain_letters(phrase), value)
            values.setdefault(phrase, value)
    plain = frozenset(word for table in tables for word in table["plain"])
    shorter = {
        word: int(count)
        for table in tables
        for count, words in table["shorter"].items()
        for word in words
        if word not in plain  # where two languages disagree, a number counts years
    }
    births = sorted({re.escape(word) for table in tables for word in table["birth"]})
    return AgeWords(
        values,
        plain,
        frozenset(word for table in tables for word in table["nearer"]),
        shorter,
        _number_pattern(values),
        re.compile(rf"(?<![^\W\d_])(?:{'|'.join(births)})", re.IGNORECASE),
    )


def safe_age(text: str, *, after: str = "", language: str = "", oldest: str = "90+") -> str | None:
    """Return what may stand in the place of an age, or None where it cannot be read for sure.

    An age up to 89 comes back as it is. In one of 90 or more the number becomes `oldest`; where
    words beside it tell more ("late nineties", a range, "93 years and 2 months") all of it does.
    `after` is the text behind the mention, which may hold its unit ("92" in "92 days old").
    """
    words = age_words(language)
    found = _numbers(text, after, words)
    if found is None:
        return None
    old = [number for number in found if number.years >= OLDEST]
    if not old:
        return text
    around = _words_around(text, found)
    if len(found) == 1 and all(word in words.plain for word in around):
        return text[: old[0].start] + oldest + text[old[0].end :]
    return oldest


def _numbers(text: str, after: str, words: AgeWords) -> list[_Number] | None:
    """Return the one or two ages of a mention; None where it holds anything else."""
    matches = list(words.number.finditer(text))
    if not 1 <= len(matches) <= 2 or _DATE_LIKE.search(text) or _DOUBTFUL.search(text):
        return None
    numbers: list[_Number] = []
    behind_mention = _UNIT_BEHIND.match(after)
    following = text + (behind_mention[0] if behind_mention is not None else "")
    unit = 1
    for match in reversed(matches):
        behind = _UNIT.match(following, match.end())
        if behind is not None:
            unit = words.shorter.get(behind[1].casefold(), 1)
        value = _value(match[0], words)
        if value is None or value / unit > _HIGHEST:
            return None
        numbers.append(_Number(match.start(), match.end(), value / unit))
    numbers.reverse()
    known = (words.plain, words.nearer, words.shorter)
    around = _words_around(text, numbers)
    clean = all(_BETWEEN.fullmatch(_WORD.sub("", piece)) for piece in _pieces(text, numbers))
    return numbers if clean and all(any(w in k for k in known) for w in around) else None


def _value(written: str, words: AgeWords) -> float | None:
    """Return the number that is written in digits or in words; None for one as "33,000"."""
    if written[0].isdigit():
        digits = re.match(r"\d+(?:[.,]\d{1,2})?(?![.,]?\d)", written)
        return float(digits[0].replace(",", ".")) if digits else None
    return words.values.get(" ".join(written.casefold().split()))


def _pieces(text: str, numbers: list[_Number]) -> Iterator[str]:
    """Yield what is before, between and behind the numbers."""
    position = 0
    for number in numbers:
        yield text[position : number.start]
        position = number.end
    yield text[position:]


def _words_around(text: str, numbers: list[_Number]) -> list[str]:
    return [word.casefold() for piece in _pieces(text, numbers) for word in _WORD.findall(piece)]


def _number_pattern(values: Mapping[str, int]) -> re.Pattern[str]:
    """Return the pattern of a number: digits, with the `s` of a decade, or words."""
    phrases = sorted(values, key=lambda phrase: (-len(phrase), phrase))
    alternatives = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases)
    return re.compile(
        r"\d+(?:[.,]\d+)?(?:['’]?s\b)?"
        rf"|(?<![^\W\d_])(?:{alternatives})(?=jarige?n?\b|[\W\d_]|$)",
        re.IGNORECASE,
    )


def _phrases(language: str, table: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield the numbers of a language in words, as far as ages go."""
    words = numerals(language)
    below = [(word, number) for number, word in enumerate(words[:20])]
    for number in range(20, 100, 10):
        below.append((words[number], number))
        for form in table["compounds"]:
            below += [
                (form.format(tens=words[number], unit=words[unit]), number + unit)
                for unit in range(1, 10)
            ]
    yield from below
    yield from table["words"].items()
    for hundred in table["hundred"]:
        yield hundred, 100
        for form in table["over_hundred"]:
            for rest, number in below:
                if 0 < number < 30:
                    yield form.format(hundred=hundred, rest=rest), 100 + number


def _plain_letters(phrase: str) -> str:
    parts = unicodedata.normalize("NFKD", phrase)
    return "".join(letter for letter in parts if not unicodedata.combining(letter))
