"""Replacing numbers, codes, dates, ages and addresses of the net by others of the same pattern."""

from __future__ import annotations

import re
import string
from random import Random

from scrubjay.corpora._swap_lists import SwapLists
from scrubjay.features.lexicons import find_lexicon, fold_accents
from scrubjay.text.numerals import english_ending
from scrubjay.transform.surrogates.case import restyle

_DIGITS = re.compile(r"[0-9]+")
_ORDINAL = re.compile(r"([0-9]+)(st|nd|rd|th)\b", re.IGNORECASE)
_DATE_PART = re.compile(r"(?P<number>[0-9]+)(?P<suffix>st|nd|rd|th)?|(?P<word>[^\W\d_]+)", re.I)
_ALNUM = re.compile(r"[A-Za-z0-9]+")
_RUN = re.compile(r"[A-Za-z]+|[0-9]+")
_DOMAINS = frozenset({
    "com", "org", "net", "edu", "gov", "mil", "int", "info", "es", "nl", "uk", "us", "ca", "au",
    "ie", "nz", "be", "de", "fr", "mx", "ar", "cl", "co", "pe", "ac", "www", "http", "https",
    "ftp", "example", "local", "mail", "gmail", "hotmail", "yahoo", "outlook", "telefonica",
    "htm", "html", "php",
})  # fmt: skip
_DAY_WORDS = re.compile(r"(?:day|dag)", re.IGNORECASE)


def swap_digits(text: str, rng: Random) -> str:
    """Return the text with every digit replaced; leading zeros stay, other leads stay above 0."""
    return _DIGITS.sub(lambda match: _other_digits(match.group(), rng), text)


def _other_digits(run: str, rng: Random) -> str:
    kept = len(run) - len(run.lstrip("0"))
    if kept == len(run):
        return run
    rest = [rng.choice("0123456789") for _ in run[kept + 1 :]]
    return run[:kept] + rng.choice("123456789") + "".join(rest)


def swap_code(text: str, rng: Random) -> str:
    """Return a code of the same pattern: digits for digits, letters for letters of their case.

    Words stay: runs without a digit, but for up to three capitals ("MRN 12" but "Policy 12").
    """

    def other(match: re.Match[str]) -> str:
        run = match.group()
        if run.isdigit():
            return _other_digits(run, rng)
        if run.isalpha() and (len(run) > 3 or not run.isupper()):
            return run
        return "".join(_other_character(c, rng) for c in run)

    return _ALNUM.sub(other, text)


def _other_character(character: str, rng: Random) -> str:
    if character == "0":
        return character
    if character.isdigit():
        return rng.choice(string.digits)
    return rng.choice(string.ascii_uppercase if character.isupper() else string.ascii_lowercase)


def swap_postcode(text: str, rng: Random) -> str:
    """Return a postal code with other digits and other capitals: "RG4 8BW" -> "TX7 2KD"."""
    return re.sub(r"[A-Z]", lambda _: rng.choice("ABCDEFGHJKLMNPRSTWX"), swap_digits(text, rng))


def swap_ip(text: str, rng: Random) -> str:
    """Return an address of the net with other numbers, none above 254."""
    if "." not in text:
        return swap_code(text, rng)
    return _DIGITS.sub(lambda match: str(rng.randint(1, 254)), text)


def swap_age(text: str, rng: Random) -> str:
    """Return an age of as many digits; words and marks around the number stay."""

    def other(match: re.Match[str]) -> str:
        size, value = len(match.group()), int(match.group())
        if size > 3 or value == 0:
            return match.group()
        low, high = {1: (1, 9), 2: (10, 99), 3: (100, 108)}[size]
        return str(rng.randint(low, high))

    return _DIGITS.sub(other, text)


def swap_net_name(text: str, lists: SwapLists, rng: Random) -> str:
    """Return an e-mail address, a URL or a login with other words and digits.

    Schemes, top-level domains and the marks between the words stay; words of three letters and
    more become names cut to a like length.
    """

    def other(match: re.Match[str]) -> str:
        run = match.group()
        if run.isdigit():
            return _other_digits(run, rng)
        if run.lower() in _DOMAINS or len(run) < 2:
            return run
        word = ""
        while len(word) < min(len(run), 9):
            drawn = lists.surname(rng) if rng.random() < 0.6 else lists.first_name(rng)
            word += re.sub(r"[^a-z]", "", fold_accents(drawn).lower())
        return restyle(word[: len(run) + rng.randint(0, 2)] if len(run) > 3 else word[: len(run)],
                       run)  # fmt: skip

    return _RUN.sub(other, text)


def swap_date(text: str, lists: SwapLists, rng: Random) -> str:
    """Return a date of the same layout: numbers in their range, other months and weekdays.

    Numbers keep their width; a number up to 12 stays so, whichever of day and month it is.
    Holidays and seasons become others; words that are none of these stay.
    """
    whole = " ".join(text.split())
    if lists.has("date-words", whole) and not any(c.isdigit() for c in whole):
        return restyle(lists.draw("date-words", rng), text)
    if len(text) == 8 and text.isdigit() and text.isascii():
        return f"{_year(text[:4], rng)}{rng.randint(1, 12):02d}{rng.randint(1, 28):02d}"

    def other(match: re.Match[str]) -> str:
        number, suffix = match.group("number"), match.group("suffix")
        if number is None:
            return _other_date_word(match.group("word"), lists, rng)
        new = _date_number(number, rng)
        return new + (_ordinal_end(int(new), suffix) if suffix else "")

    return _DATE_PART.sub(other, text)


def swap_ordinals(text: str, rng: Random) -> str:
    """Return the text with its numbers replaced and English ordinal endings made to fit."""

    def other(match: re.Match[str]) -> str:
        new = _other_digits(match.group(1), rng)
        return new + _ordinal_end(int(new), match.group(2))

    pieces, position = [], 0
    for match in _ORDINAL.finditer(text):
        pieces += [swap_digits(text[position : match.start()], rng), other(match)]
        position = match.end()
    return "".join(pieces) + swap_digits(text[position:], rng)


def _year(year: str, rng: Random) -> str:
    return str(min(max(int(year) + rng.randint(-25, 25), 1000), 9999))


def _date_number(number: str, rng: Random) -> str:
    size, value = len(number), int(number)
    if size == 4 and value >= 1000:
        return _year(number, rng)
    if size > 2 or value == 0:
        return number
    if value > 31:
        return f"{rng.randint(0, 99):02d}"
    low, high = (1, 12) if value <= 12 else (13, 28)
    if size == 1:
        return str(rng.randint(1, 9))
    if value >= 10:
        low = max(low, 10)
    return f"{rng.randint(low, high):02d}"


def _ordinal_end(number: int, like: str) -> str:
    end = english_ending(number)
    return end.upper() if like.isupper() else end


def _other_date_word(word: str, lists: SwapLists, rng: Random) -> str:
    for kind in ("months", "weekdays"):
        if lists.has(kind, word) and len(word) > 1:
            known = sorted(find_lexicon(f"{lists.language}.{kind}"))
            group = _date_word_group(word.lower(), known)
            alike = [
                one
                for one in known
                if "." not in one and one != word.lower()
                and _date_word_group(one, known) == group
            ]  # fmt: skip
            return restyle(rng.choice(alike), word) if alike else word
    return word


def _date_word_group(word: str, known: list[str]) -> tuple[bool, str]:
    """Return what must not change: whether the word is cut short, and its end after -day.

    The lexicons hold what is cut short with a full stop as well.
    """
    after = _DAY_WORDS.split(word, maxsplit=1)
    return f"{word}." in known, after[1] if len(after) > 1 else ""
