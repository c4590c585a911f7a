"""Shapes of text that only several tokens together show: dates, phones, e-mail, quantities.

These are no detectors: a match is a hint to a tagger, which decides by context. Patterns are
tried only where a number or a sign such as `@` stands, and each is bounded and without nested
repetition, so that no text can make them hang.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from scrubjay.text.months import month_words
from scrubjay.text.tokens import IntArray, Tokens


def _one_of(words: str) -> str:
    """Return a pattern of words that looks at their first signs first: most words are none."""
    first = "".join(sorted({word[0] for word in words.split("|")}))
    return rf"(?=[{re.escape(first)}])(?:{words})"


MONTHS = month_words("en", "es", "nl")
UNITS = r"mg|mcg|µg|kg|g|ml|cc|mm|cm|mmhg|ui|iu|lpm|bpm|ºc|°c|%|x/min|meq|mmol|u/l|mg/dl|ng/ml|g/dl"
_MONTHS, _UNITS = _one_of(MONTHS), _one_of(UNITS)
_YEAR = r"(?:19|20|21)\d\d(?!\d)"

#: name -> pattern, tried in this order where a number begins.
NUMBER_PATTERNS: dict[str, str] = {
    "ip": r"\d{1,3}(?:\.\d{1,3}){3}(?!\d)",
    "date": r"\d{1,2}(?:/\d{1,2}/|-\d{1,2}-|\.\d{1,2}\.)(?:19|20|21)?\d\d(?!\d)",
    "iso-date": r"(?:19|20|21)\d\d(?:/\d{1,2}/|-\d{1,2}-|\.\d{1,2}\.)\d{1,2}(?!\d)",
    "word-date": (
        rf"\d{{1,2}}(?:st|nd|rd|th|º|ª)?[ -](?:of |de )?{_MONTHS}\b\.?,?"
        rf"(?:[ -](?:del? (?:año )?)?(?:{_YEAR}|\d\d(?!\d)))?"
    ),
    "time": r"\d{1,2}:\d\d(?::\d\d)?(?!\d)",
    "quantity": rf"\d{{1,6}}(?:[.,]\d{{1,4}})?[ \u00a0]?{_UNITS}(?!\w)",
    "phone": (
        r"(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?|\d{2,4}[ .-])(?:\d{2,4}[ .-]){1,3}\d{2,4}"
        r"(?![\d-])"
    ),
    "short-date": r"\d{1,2}/(?:\d{4}|\d{1,2})(?![\d/%])",
}

_NUMBER = re.compile("|".join(f"({p})" for p in NUMBER_PATTERNS.values()), re.IGNORECASE)
# A plain set of characters comes first, which is what `re` passes over a text fastest with.
_NUMBER_BEGINS = re.compile(r"[+(\d](?:(?<=\d)|(?=\d))[\d.,]*")
_MONTH_BEFORE = re.compile(
    rf"\b{_MONTHS}(?:\.?,? (?:of |de |del |del año )?|\.? ?[-/'’]? ?)\Z", re.IGNORECASE
)
_MONTH_TAIL = re.compile(rf"\d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,? {_YEAR})?|{_YEAR}", re.IGNORECASE)
_JOINTS = " -/'’"
_LOCAL_PART = re.compile(r"[\w.+-]{1,64}\Z")
_DOMAIN = re.compile(r"@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_SITE = re.compile(r"(?:https?://|www\.)[^\s<>\"']{2,200}", re.IGNORECASE)

_SITE_SIGNS = ("www.", "://", "WWW.")

PATTERN_NAMES = (*NUMBER_PATTERNS, "month-date", "email", "url")
_MONTH_DATE, _EMAIL, _URL = (len(NUMBER_PATTERNS) + n for n in range(3))

#: What a token may be marked with: the first token of a match, and those after it.
PATTERN_VALUES = tuple(name + mark for name in PATTERN_NAMES for mark in ("", "+"))

Match = tuple[int, int, int]


def number_matches(text: str) -> Iterator[Match]:
    """Yield begin, end and number of each match of a number pattern, in order.

    `_number_kernel.py` is the same, compiled.
    """
    end = 0
    for candidate in _NUMBER_BEGINS.finditer(text):
        start = candidate.start()
        if start < end:
            continue
        found = _NUMBER.match(text, start)
        if not found and text[start] in "+(":
            found = _NUMBER.match(text, start + 1)  # the sign is not part of the number
        if found:
            end = found.end()
            yield found.start(), end, (found.lastindex or 1) - 1
        elif candidate.end() - start <= 5 and _letter_before(text, start):
            # A bare day or year: does a month stand before it?
            month = _MONTH_BEFORE.search(text, max(0, start - 24), start)
            tail = _MONTH_TAIL.match(text, start) if month else None
            if month and tail:
                end = tail.end()
                yield month.start(), end, _MONTH_DATE


def _letter_before(text: str, start: int) -> bool:
    """Tell whether a word, as a month is one, stands right before a number."""
    if not start or text[start - 1] not in _JOINTS:
        return False
    return text[max(0, start - 8) : start].rstrip(_JOINTS + ".,")[-1:].isalpha()


def email_matches(text: str) -> Iterator[Match]:
    """Yield begin, end and number of each e-mail address, in order."""
    place = text.find("@")
    while place >= 0:
        domain = _DOMAIN.match(text, place)
        local = _LOCAL_PART.search(text, max(0, place - 64), place) if domain else None
        if local and domain:
            yield local.start(), domain.end(), _EMAIL
        place = text.find("@", place + 1)


def site_matches(text: str, borders: Sequence[int]) -> Iterator[Match]:
    """Yield begin, end and number of each address of the web, in order.

    `borders` (d + 1) delimit the texts that lie one after another in this one. A text is searched
    where one of its addresses shows by a sign.
    """
    signed: set[int] = set()
    for sign in _SITE_SIGNS:
        place = text.find(sign, borders[0], borders[-1])
        while place >= 0:
            number = bisect_right(borders, place) - 1
            signed.add(number)
            place = text.find(sign, borders[number + 1], borders[-1])
    for number in sorted(signed):
        for site in _SITE.finditer(text, borders[number], borders[number + 1]):
            yield site.start(), site.end(), _URL


def match_patterns(tokens: Tokens) -> tuple[tuple[str, ...], IntArray]:
    """Return names and, per token, the index of `name` (its first token) or `name+` (later).

    -1 where no pattern touches the token. Signs win over numbers where both match.
    """
    index = np.full(len(tokens), -1, dtype=np.int32)
    text = tokens.text
    matches = [*number_matches(text), *email_matches(text), *site_matches(text, (0, len(text)))]
    if matches:
        begins, ends, numbers = zip(*matches, strict=True)
        first = np.searchsorted(tokens.ends, np.array(begins), side="right")
        last = np.searchsorted(tokens.starts, np.array(ends), side="left")
        for begin, end, number in zip(first.tolist(), last.tolist(), numbers, strict=True):
            index[begin:end] = 2 * number + 1
            index[begin : begin + 1] = 2 * number
    return PATTERN_VALUES, index
