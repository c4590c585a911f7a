"""Whether a mention reads as what its label says, so that it may stay: a date, an age, a ZIP code.

A model may take a name in with the words of a date: "Mon Rivera" of a list of who is on call. What
stays under a policy stays in full, so a mention stays only where each of its words is known to be
one of dates, ages or codes:

    Mon Rivera, 3/4 Smith     a word that is none of dates
    Fri May, 3/4 Summers      a word of dates that is a name, where a date has no place for it
    45 Rivera                 a word that is none of ages

Of places it cannot be told.
"""

from __future__ import annotations

import re

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import look_up, shipped_lexicons
from scrubjay.transform._ages import safe_age
from scrubjay.transform.surrogates._age_reading import known_parts
from scrubjay.transform.surrogates._date_groups import Group
from scrubjay.transform.surrogates._date_mentions import read_any
from scrubjay.transform.surrogates._date_phrases import FEAST
from scrubjay.transform.surrogates._date_tokens import Token
from scrubjay.transform.surrogates.calendar_words import phrase_key, word_key, words_of

_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_NUMBERS = frozenset(["number", "ordinal", "cardinal", "year", "decade", "time"])
_COUNTED = frozenset(["ordinal", "cardinal", "sep"])
_NAMED = frozenset(["cardinal", "link", "season", "holiday", "quarter-name"])
# Letters of a postal code: a state before it, or those of codes abroad (1234 AB, SW1A 1AA).
_CODE = re.compile(r"[\s\d\-–.,]*(?:[A-Z]{1,2}(?![^\W\d_])[\s\d\-–.,]*)*")
# Letters that stand for digits in what was read from paper, months as Roman numerals, and 1990's.
_MISREAD = re.compile(r"(?<![^\W_])(?=[lIO/.\-]*\d)[lIO\d/.\-]+(?![^\W_])")
_AS_DIGITS = str.maketrans("lIO", "110")
_ROMAN = re.compile(r"(?<=\d[-/.])(?:IX|IV|V?I{1,3}|V|XI{0,2}|ix|iv|v?i{1,3}|v|xi{0,2})(?![^\W_])")
_DECADE = re.compile(r"(?<=\d0)['’](?=s\b)")
# Days in figures and a month: it may be that of both.
_DAYS_AND_MONTH = re.compile(r"(?<![\d/])\d{1,2}/\d{1,2},?\s+([^\W\d_]+)\W*\Z")


def reads_as(kind: str, text: str, language: str = "") -> bool:
    """Tell whether a mention reads as one of a kind of `scrubjay.labels.KINDS`.

    True for any kind but dates, ages and ZIP codes, of which it cannot be told.
    """
    if kind == "date":
        return reads_as_date(text, language)
    if kind == "age":
        return reads_as_age(text, language)
    return kind != "zip" or _CODE.fullmatch(text) is not None


@text_cache(4096)  # many dates are in several documents
def reads_as_date(text: str, language: str) -> bool:
    """Tell whether every word of a mention is one of dates, in a place that a date has for it.

    Everyday words in small letters may stand beside those, unless they are names as well. Dates in
    figures may be written as in English in any language.
    """
    if not _LETTERS.search(text):
        return True
    text = _MISREAD.sub(lambda match: match[0].translate(_AS_DIGITS), text)
    text = _DECADE.sub("", _ROMAN.sub("6", text))
    if _is_date_of(text, language):
        return True
    foreign = words_of(language).language != "en" and _DIGIT.search(text) is not None
    return foreign and _is_date_of(text, "en", exactly=True)


def _is_date_of(text: str, language: str, *, exactly: bool = False) -> bool:
    """Tell whether every word of a mention is one of dates of a language, and in its place.

    `exactly`: neither misspelled, nor with everyday words beside it.
    """
    reading = read_any(text, language, day_first=False)
    tokens = reading.tokens
    kinds = {token.kind for token in tokens}
    if FEAST in kinds or (kinds <= {"unknown", "link", "sep"} and "unknown" in kinds):
        return False
    if exactly and ("unknown" in kinds or any(_is_inexact(t, language) for t in tokens)):
        return False
    if any(t.kind == "unknown" and not _is_everyday(t.text, language) for t in tokens):
        return False
    if any(_is_misread(token, language) for token in tokens):
        return False
    month = _DAYS_AND_MONTH.search(text)
    if month is not None and _is_capitalised(month[1]) and _is_name(month[1], language):
        return False
    return not (
        _has_lone_month(tokens, reading.groups, kinds.isdisjoint(_NUMBERS))
        or any(_is_name_behind(tokens, place, language) for place in range(1, len(tokens)))
    )


@text_cache(2048)  # as `reads_as_date`
def reads_as_age(text: str, language: str) -> bool:
    """Tell whether every word of a mention is one of ages.

    Everyday words in small letters may stand beside those, unless they are names as well.
    """
    if has_name_behind_age(text, language):
        return False
    if safe_age(text, language=language) is not None:
        return True
    parts = known_parts(_MISREAD.sub("1", text), language)
    dropped = [part.text for part in parts if part.kind == "drop"]
    if len(dropped) < sum(part.kind != "sep" for part in parts):
        return all(_is_everyday(word, language) for word in dropped)
    tokens = read_any(text, language, day_first=False).tokens
    return all(token.kind in _COUNTED for token in tokens)  # "the ninth": a year of life


def _has_lone_month(tokens: list[Token], groups: list[Group], bare: bool) -> bool:
    """Tell whether a month stands beside a weekday or a date in figures, with neither day nor year.

    "Fri May" and "3/4 May" are no dates; "June and July 2012" is one.
    """
    alone = [
        group for group in groups
        if group.month is not None and not group.days and group.year is None
    ]  # fmt: skip
    if not any(tokens[group.month].kind == "month" for group in alone if group.month is not None):
        return False
    weekday = any(token.kind in ("weekday", "letter") for token in tokens)
    return (weekday and bare) or any(group.numeric for group in groups)


def _is_misread(token: Token, language: str) -> bool:
    """Tell whether a month or a weekday is a name that looks like one: Marsh, Marc."""
    return _is_inexact(token, language) and _is_name(token.text, language)


def _is_inexact(token: Token, language: str) -> bool:
    """Tell whether a month or a weekday is misspelled or cut short."""
    if token.kind not in ("month", "weekday") or token.word is None:
        return False
    return phrase_key(token.text) not in words_of(language).phrases


def _is_name_behind(tokens: list[Token], place: int, language: str) -> bool:
    """Tell whether a word stands capitalised behind a day, as a surname that it also is.

    "Mon Day", "May Summers", "3/4 Summers", "lun Reyes".
    """
    token = tokens[place]
    if token.kind not in _NAMED and token.kind != "weekday":
        return False
    if place < 2 or tokens[place - 1].text.strip(" \t.,") or not _is_capitalised(token.text):
        return False
    before = tokens[place - 2]
    if before.kind == "number" and (place < 4 or token.kind == "weekday"):
        return False  # "12 Days", but not "3/4 Days"
    if before.kind not in ("weekday", "month", "number"):
        return False
    return _is_name(token.text, language)


def has_name_behind_age(text: str, language: str) -> bool:
    """Tell whether a small word stands capitalised behind the number of an age: 45 Early."""
    parts = known_parts(text, language)
    units = words_of(language).ages.units
    for place in range(2, len(parts)):
        part = parts[place]
        if part.kind == "link" and parts[place - 2].kind in ("number", "spelled"):
            spaced = not parts[place - 1].text.strip()
            if spaced and part.text.istitle() and word_key(part.text) not in units:
                return _is_name(part.text, language)
    return False


def _is_everyday(word: str, language: str) -> bool:
    """Tell whether a word in small letters is one of everyday, and no name."""
    if not word.islower() or not word.isalpha():
        return False
    common = shipped_lexicons(_own(language), "common")
    return any(look_up(lexicon, word) is not None for lexicon in common) and not _is_name(
        word, language
    )


def _own(language: str) -> str:
    return words_of(language).language


def _is_capitalised(text: str) -> bool:
    """Tell whether a word may be a name by its capitals: two of them are AM or PM."""
    return text.istitle() or (text.isupper() and len(text) > 2)


def _is_name(text: str, language: str) -> bool:
    """Tell whether each word of a text is a name of persons."""
    lists = shipped_lexicons(_own(language), "surnames", "first-names")
    lists += shipped_lexicons("world", "surnames", "first-names")
    return all(
        any(look_up(names, word) is not None for names in lists) for word in _LETTERS.findall(text)
    )
